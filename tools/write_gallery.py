#!/usr/bin/env python3
"""Writes docs/gallery.md and docs/gallery/*.svg: every picture, with the code that draws it.

    python tools/write_gallery.py               write them
    python tools/write_gallery.py --check       say whether they are up to date

A picture is one entry of `ENTRIES` below: its title, a sentence, and a few lines whose last value
is the picture. Its file, its alt text and its place on the page follow.
"""

import ast
import linecache
import re
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from course_lib.viz import Picture  # noqa: E402 - the checkout's own, wherever this is started

PAGE, FOLDER = ROOT / "docs" / "gallery.md", ROOT / "docs" / "gallery"
# ruff: noqa: E501 - a table of Markdown has a row in one line
HEAD = """\
# The pictures

Each picture is drawn from live tensors by the lines above it. With real PyTorch, write `import torch` instead of the
first line: the pictures read public attributes only, so they draw PyTorch's tensors and modules as well.

```python
import course_lib as torch
from course_lib.viz import *
```

JupyterLab shows a picture as the last value of a cell, in the theme of the page. Everywhere else:

| You write | You get |
|:--|:--|
| `print(picture)` | the same in words |
| `picture.save("graph.svg")` | a file: `.svg`, `.png`, `.pdf`, `.html` (a page with drawing and words), `.txt`, `.gv` |
| `picture.save("graph.png", theme="dark", scale=3)` | one theme, and another size; `theme="auto"` follows the reader |
| `picture.graphviz()`, `picture.source` | what users of the graphviz package know; only for pictures that Graphviz lays out |
| `compare(one, two, titles=("before", "after"))` | pictures side by side |
| `explore(draw, start=range(4))` | what `draw(start=0)` gives back, with a slider for `start` |

## With real PyTorch

The pictures need neither JupyterLab nor a program such as `dot`. To take them along, type this, where PATH is the folder of
the course, or its wheel: `python -m pip wheel --no-deps PATH` makes that one file of the folder, for another machine.

```
python -m pip install "PATH[viz]"
```

This brings NumPy and what draws graphs. Write `[viz,plot]` for plots, too (matplotlib, 80 MB), and `[viz,plot,png]` to save
`.png` and `.pdf` as well (Typst, 80 MB); a picture that lacks one of them says so. Then, in any program:

```python
import torch
from course_lib.viz import draw_graph

x = torch.tensor([1.0, 2.0], requires_grad=True)
draw_graph((x * x).sum()).save("graph.html")
```

## Options

All functions use the same words for their options, always by name:

| Option | Meaning |
|:--|:--|
| `names={"x": x}` | what tensors are called; without it, they have the names of your variables |
| `params=model` | names of parameters: a module, a dict, or `model.named_parameters()` |
| `show="shapes"` | what boxes tell: `"values"`, `"shapes"`, `"saved"`, `"versions"` |
| `fold=True` | what is repeated is drawn once |
| `direction="forward"` | arrows the way values go, instead of the way gradients go |
| `max_nodes=60` | how much is drawn before the rest is counted |
| `legend=True` | what the boxes and arrows mean |
| `title="..."`, `limits=...` | of a plot: its title, and what part of the plane is drawn |

<!-- Written by tools/write_gallery.py; do not edit. -->
"""


@dataclass(frozen=True)
class Entry:
    """One picture of the gallery; `code` ends in an expression, which is the picture."""

    name: str
    title: str
    words: str
    code: str

    def picture(self) -> Any:
        """The picture that the code draws."""
        tree = ast.parse(self.code)
        last = tree.body.pop()
        assert isinstance(last, ast.Expr), f"the last line of {self.name} is no picture"
        import course_lib

        scope = {"torch": course_lib}
        linecache.cache[self.name] = len(self.code), None, self.code.splitlines(True), self.name
        exec("from course_lib.viz import *", scope)
        course_lib.manual_seed(0)
        exec(compile(tree, self.name, "exec"), scope)
        drawn = eval(compile(ast.Expression(last.value), self.name, "eval"), scope)
        return drawn if isinstance(drawn, Picture) else drawn.picture


ENTRIES = [
    Entry(
        "graph",
        "What is behind a tensor",
        "The functions that `backward()` will run, and the leaves they lead to.",
        """\
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
loss = (w * x).exp().sum()
draw_graph(loss, show="shapes", legend=True)""",
    ),
    Entry(
        "stale",
        "A saved tensor that was overwritten",
        "`backward()` would raise an error: the picture shows which saved tensors are spoilt.",
        """\
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.exp(x)
loss = (x * y).sum()
y += 1
draw_graph(loss, show="versions")""",
    ),
    Entry(
        "backward",
        "A backward pass, step by step",
        "Each function as it runs: what it receives, what it sends on, what arrives in `.grad`.",
        """\
x = torch.tensor(3.0, requires_grad=True)
y = x * x
draw_backward(y)""",
    ),
    Entry(
        "module",
        "A model at work",
        "Which modules an input passes, with shapes and parameters.",
        """\
nn = torch.nn
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
draw_module(model, torch.zeros(1, 4))""",
    ),
    Entry(
        "storage",
        "The memory behind tensors",
        "Which element of which tensor is which place in the storage.",
        """\
a = torch.tensor([[1, 2, 3], [4, 5, 6]])
t = a.t()
draw_storage(a, t, a[:, 1])""",
    ),
    Entry(
        "strides",
        "A walk in row order",
        "Why `view` refuses a transposed tensor: its dimensions do not merge.",
        """\
t = torch.tensor([[1, 2, 3], [4, 5, 6]]).t()
draw_strides(t)""",
    ),
    Entry(
        "axes",
        "Dimensions that move",
        "Where each dimension of a tensor was one step earlier.",
        """\
images = torch.zeros(2, 3, 4)
turned = images.permute(1, 2, 0)
draw_axes(images, turned, labels=["image", "row", "column"])""",
    ),
    Entry(
        "broadcast",
        "Broadcasting",
        "How two shapes are fitted to each other, and which cells are read again.",
        """\
column = torch.tensor([[1], [2]])
row = torch.tensor([10, 20, 30])
draw_broadcast(column, row)""",
    ),
    Entry(
        "promotion",
        "Which dtype comes out",
        "The way of two dtypes to the first one that both reach.",
        """\
x = torch.tensor([1, 2], dtype=torch.int32)
draw_promotion(x, 2.5)""",
    ),
    Entry(
        "product",
        "Two products of matrices",
        "Which numbers one number of `a * b` and one of `a @ b` is made of.",
        """\
a = torch.tensor([[1, 2], [3, 4]])
b = torch.tensor([[5, 6], [7, 8]])
draw_product(a, b, at=(0, 1))""",
    ),
    Entry(
        "image",
        "A tensor of brightnesses as a picture",
        "0 is black and 255 white, or 0 and 1 for floating-point numbers; what lies outside is counted.",
        """\
x = torch.arange(64).reshape(8, 8) * 4
draw_image(x, x.t(), 300 - x, names=["x", "transposed", "300 - x"])""",
    ),
    Entry(
        "sharing",
        "View or copy?",
        "Each tensor is asked where its memory is; nothing is claimed.",
        """\
x = torch.tensor([1, 2, 3])
slices = {"x[1:]": x[1:], "x[::2]": x[::2]}
lists = {"x[[0, 2]]": x[[0, 2]]}
draw_sharing(x, {"a slice": slices, "a list": lists})""",
    ),
    Entry(
        "devices",
        "Where tensors live",
        "The devices of some tensors, and what can go from one to another.",
        """\
x = torch.tensor([1.0, 2.0])
ghost = x.to("meta")
draw_devices(x, ghost)""",
    ),
    Entry(
        "versions",
        "When a tensor was overwritten",
        "What functions had saved, and when a counter went up.",
        """\
with record_versions() as film:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y += 1
draw_versions(film)""",
    ),
    Entry(
        "nonfinite",
        "Where NaN or infinity begins",
        "The function that made the first one, why, and how it spread.",
        """\
x = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
shifted = x * 2
loss = (shifted.log() + shifted).mean()
draw_nonfinite(loss)""",
    ),
    Entry(
        "gradient_sizes",
        "How large gradients are",
        "Heat on the graph, or bars for a deep model: where they vanish or explode.",
        """\
x = torch.ones(1, requires_grad=True)
y = x
for _ in range(12):
    y = torch.sigmoid(y)
draw_gradient_sizes(y, layout="bars")""",
    ),
    Entry(
        "memory",
        "What backward keeps in memory",
        "The bytes that each function saved: what has a name, and what only the graph keeps.",
        """\
x = torch.ones(100, requires_grad=True)
y = (x * x).exp().sum()
draw_memory(y)""",
    ),
    Entry(
        "explain",
        "What an error means",
        "An error of autograd in other words, with your own names and a remedy.",
        """\
x = torch.tensor([1.0, 2.0], requires_grad=True)
try:
    (x * x).backward()
except RuntimeError as caught:
    error = caught
explain(error)""",
    ),
    Entry(
        "decisions",
        "A decision tree",
        "Questions that lead to what was tried, right or wrong.",
        """\
written = {"y += 1": "wrong: exp saved y"}
made = {"y = y + 1": "right", "y.clone().add_(1)": "right"}
draw_decisions({"Into the saved tensor?": {"yes": written, "no": made}})""",
    ),
    Entry(
        "descent",
        "Gradient descent on the loss",
        "The path of an optimizer, on contour lines of the loss.",
        """\
bowl = lambda w, b: (w - 1) ** 2 + 3 * (b - 2) ** 2
path = [(3.0, 0.5), (2.2, 1.5), (1.5, 1.9), (1.1, 2.0)]
draw_descent(bowl, path)""",
    ),
    Entry(
        "boundary",
        "What a classifier decides",
        "The class of every place in the plane, and the points that get a wrong one.",
        """\
points = torch.tensor([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.2]])
labels = torch.tensor([0, 1, 1, 1])
draw_boundary(lambda p: p[:, 0] + p[:, 1] - 1.1, points, labels)""",
    ),
    Entry(
        "fit",
        "A model beside the measured points",
        "What is predicted for each point, and how far it is off.",
        """\
x, y = torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([2.1, 2.9, 4.2, 4.8])
draw_fit(x, y, 0.9 * x + 1.2, axes=("hours", "litres"))""",
    ),
    Entry(
        "errors",
        "How wrong a numerical gradient is",
        "The error for each step size: rounding on the left, the length of the step on the right.",
        """\
measured = {1e-1: 1e-3, 1e-2: 1e-4, 1e-3: 2e-3}
draw_errors({"float32": measured})""",
    ),
    Entry(
        "live",
        "A loss curve that grows",
        "In a notebook it grows while the loop runs, and stays as one picture.",
        """\
curve = live_curve("Training")
for step in range(20):
    curve.update(loss=2.0 / (step + 1))
curve.picture""",
    ),
    Entry(
        "compare",
        "Side by side",
        "Two pictures as one: before and after, right and wrong.",
        """\
x = torch.tensor([1.0, 2.0], requires_grad=True)
kept, cut = (x * x).sum(), (x * x.detach()).sum()
compare(draw_graph(kept), draw_graph(cut), titles=("x * x", "x * x.detach()"))""",
    ),
]


def gallery() -> dict[Path, str]:
    """The text of every file of the gallery, by its path."""
    files, parts = {}, [HEAD]
    for entry in ENTRIES:
        picture = entry.picture()
        path = FOLDER / f"{entry.name}.svg"
        files[path] = f"{picture.svg}\n"
        shown = f'<img src="gallery/{path.name}" alt="{escape(picture.alt)}">'
        code = f"```python\n{entry.code}\n```"
        parts.append("\n\n".join([f"## {entry.title}", entry.words, code, shown]) + "\n")
    return {PAGE: "\n".join(parts), **files}


def functions() -> set[str]:
    """The names that the lines of the gallery call."""
    return set(re.findall(r"\b([a-z_]+)\(", "\n".join(entry.code for entry in ENTRIES)))


def main(words: list[str]) -> int:
    """Write the page and its pictures, or with `--check` only say whether they are up to date."""
    files = gallery()
    kept = {path for path in FOLDER.glob("*.svg") if path not in files}
    changed = [
        path for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]  # fmt: skip
    names = sorted(path.relative_to(ROOT).as_posix() for path in [*changed, *kept])
    if words == ["--check"]:
        if names:
            print(f"not up to date: {', '.join(names)}; run: python tools/write_gallery.py")
        return int(bool(names))
    FOLDER.mkdir(exist_ok=True)
    for path in changed:
        path.write_text(files[path], encoding="utf-8", newline="\n")
    for path in kept:
        path.unlink()
    print(f"changed: {', '.join(names)}" if names else "nothing to change")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
