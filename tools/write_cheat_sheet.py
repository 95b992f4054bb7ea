#!/usr/bin/env python3
"""Writes docs/cheat_sheet.md: which shape operation gives a view, which a copy, and what raises.

    python tools/write_cheat_sheet.py                      write it
    python tools/write_cheat_sheet.py --check              say whether it is up to date
    python tools/write_cheat_sheet.py --check --on torch   the same, decided by PyTorch

Every row is a line that is run: shape and stride, view or copy are read from its result, the error
from what it raises. Nothing in the tables is typed but the lines themselves.
"""

import importlib
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHEET = ROOT / "docs" / "cheat_sheet.md"

SETUP = """\
a = torch.arange(12).reshape(3, 4)  # contiguous, stride (4, 1)
t = a.t()  # not contiguous, stride (1, 4)
u = torch.zeros(3, 1, 4)  # one dimension of size 1
"""

LINES = {
    "Another shape": """
        a.view(2, 6)
        a.reshape(2, 6)
        t.reshape(12)
        a.flatten()
        t.flatten()
        a.unflatten(1, (2, 2))
        t.view(2, 2, 3)
        a[:, ::2].view(6)
    """,
    "Another order": """
        a.t()
        a.transpose(0, 1)
        a.permute(1, 0)
        a.movedim(0, 1)
        u.mT
        a.flip(0)
        a.roll(1)
    """,
    "Dimensions of size 1": """
        a.unsqueeze(0)
        a[:, None]
        u.squeeze()
        u.squeeze(1)
        u.squeeze(0)
    """,
    "A part": """
        a[1]
        a[1, 2]
        a[1:]
        a[:, 1]
        a[::2]
        a[...]
        a.narrow(1, 1, 2)
        a.diagonal()
        a.chunk(2)[0]
        a.split(2)[0]
        a.unbind()[0]
        a.unfold(1, 2, 1)
        a[[0, 2]]
        a[torch.tensor(1)]
        a[a > 3]
        a.index_select(0, torch.tensor([0, 2]))
        a.gather(1, torch.tensor([[0], [2], [3]]))
    """,
    "More of it": """
        a.expand(2, 3, 4)
        a.repeat(2, 1)
        torch.cat([a, a])
        torch.stack([a, a])
    """,
    "The same numbers": """
        a.clone()
        a.contiguous()
        t.contiguous()
        a.to(torch.int64)
        a.to(torch.int64, copy=True)
        a.float()
        a.cpu()
        a.detach()
        a.data
        torch.from_numpy(a.numpy())
        torch.as_tensor(a)
        a + 0
        a.add_(1)
    """,
}

REFUSED = """
    a.view(5, 2)
    a.reshape(-1, 5)
    t.view(12)
    a.permute(0, 1, 2)
    a.permute(0, 0)
    a.transpose(0, 2)
    u.t()
    a.unsqueeze(3)
    a.narrow(1, 3, 2)
    a.expand(3, 8)
    a.expand(2, 3, 4).add_(1)
    a[1:].add_(a[:-1])
    a[3]
    a[:, ::-1]
    torch.cat([a, t])
    torch.stack([a, t])
    a.as_strided((2, 2), (5, 2), 10)
"""

HEAD = """\
# Cheat sheet: view or copy

Every line below was run, and what the tables say was read from its result, on three tensors:

```python
{setup}```

* **view**: another tensor object over the same storage, on record in `_base`. **shares**: the same
  storage without such a record. **same object**: nothing to do, so nothing was made.
  **copy**: a storage of its own.
* A write is seen through all but the copy. A slice, a transpose or a `reshape` is a view if a
  shape, stride and offset can describe it; `roll`, `repeat`, `cat` and index lists always copy.
"""
COLUMNS = ("You write", "Shape", "Stride", "It is", "Shares memory", "Contiguous")


def lines(text: str) -> list[str]:
    """The lines of a table without the white space around them."""
    return [line.strip() for line in text.strip().splitlines()]


def run(line: str, torch: Any) -> tuple[Any, Any]:
    """What a line gives, and the tensor it was applied to, both made anew."""
    scope = {"torch": torch}
    exec(SETUP, scope)  # the lines of this file, nobody else's
    source = re.search(r"\b[atu]\b", line)
    assert source, f"{line} uses none of the three tensors"
    return eval(line, scope), scope[source[0]]


def shares(one: Any, other: Any) -> bool:
    """Whether two tensors lie in one storage."""
    return bool(one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr())


def kind(result: Any, source: Any) -> str:
    """View, copy, or what else `result` is to `source`."""
    if result is source:
        return "same object"
    if not shares(result, source):
        return "copy"
    owner = source if source._base is None else source._base
    return "view" if result._base is owner else "shares"


def row(line: str, torch: Any) -> str:
    """A row of a table of results."""
    result, source = run(line, torch)
    seen = "yes" if shares(result, source) else "**no**"
    contiguous = "yes" if result.is_contiguous() else "**no**"
    shape, stride = tuple(result.shape), tuple(result.stride())
    cells = (f"`{line}`", shape, stride, kind(result, source), seen, contiguous)
    return f"| {' | '.join(map(str, cells))} |"


def refusal(line: str, torch: Any) -> str:
    """A row of the table of errors; a line that raises nothing has no business there."""
    try:
        run(line, torch)
    except Exception as error:
        message = str(error).splitlines()[0]
        return f"| `{line}` | {type(error).__name__}: {message.replace('|', chr(92) + '|')} |"
    raise AssertionError(f"{line} raises nothing")


def sheet(torch: Any) -> str:
    """The whole page, as the library `torch` has it."""
    parts = [HEAD.format(setup=SETUP)]
    for title, text in LINES.items():
        head = [f"| {' | '.join(COLUMNS)} |", "|:--" * len(COLUMNS) + "|"]
        parts.append("\n".join([f"## {title}\n", *head, *(row(x, torch) for x in lines(text))]))
        parts[-1] += "\n"
    head = ["## What raises\n", "| You write | What you read |", "|:--|:--|"]
    parts.append("\n".join([*head, *(refusal(line, torch) for line in lines(REFUSED))]) + "\n")
    return "\n".join(parts)


def main(words: list[str]) -> int:
    """Write the page, or with `--check` only say whether it is up to date."""
    library = words[words.index("--on") + 1] if "--on" in words else "course_lib"
    sys.path.insert(0, str(ROOT))
    text = sheet(importlib.import_module(library))
    old = SHEET.read_text(encoding="utf-8") if SHEET.exists() else ""
    if "--check" not in words:
        SHEET.write_text(text, encoding="utf-8", newline="\n")
        print("nothing to change" if old == text else "changed: docs/cheat_sheet.md")
        return 0
    told = set(old.splitlines())
    differing = [line for line in text.splitlines() if line not in told]
    if old != text:
        print(f"docs/cheat_sheet.md is not what {library} does; write_cheat_sheet.py writes it")
        print(*differing, sep="\n")
    return int(old != text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
