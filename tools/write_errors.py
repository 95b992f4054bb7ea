#!/usr/bin/env python3
"""Writes docs/errors/README.md and pictures/, runs the code of all pages, stores what it shows.

    python tools/write_errors.py             write the index and the pictures
    python tools/write_errors.py --check     say whether they are up to date
    python tools/write_errors.py --run       say which block shows something else than its page says
    PYTORCH  tools/write_errors.py --store   write below each block what PyTorch shows; a Python
                                             that has torch runs the blocks with it

A page is one file, the only source of what it says: the sentence as its title, with `…` for what
varies; a line with the kind, the subject and the lesson; blocks of code, each followed by what it
shows. A comment `<!-- draw_…(…) -->` becomes a picture of what the first block has made.
"""

import contextlib
import importlib.util
import io
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "errors"
INDEX = FOLDER / "README.md"
SILENT = "No error, a wrong number"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)
LINE = re.compile(
    r"^(`\w+`|No error, a wrong number) · ([\w -]+) · \[lesson (\d\d) · .+?\]\((\S+)\)$"
)
PICTURE = re.compile(r"^<!-- (draw_.+?) -->\n(?:<img .*\n)?", re.M)
SUBJECTS = (
    *("Gradients", "In-place writes", "Shapes", "Views", "Indexing and joining"),
    *("Numbers and dtypes", "Devices", "Layers and models", "Losses", "Training", "Data and files"),
)
HEAD = """\
# When something goes wrong

An index of the errors that people meet most often, and of mistakes that raise no error at all.
Each page has the smallest code that leads there, what happened, and the usual causes with the cure
for each. Every block of code runs, with PyTorch 2.13 and with this course's library, and shows
what the page says; in the course, write `import course_lib as torch` instead of `import torch`.

You have a message in front of you? Type `course explain` and some of its words in a terminal,
search for them on the course's home page, or look below. In a notebook, `explain()` from
`course_lib.viz` looks at your own tensors.

<!-- Written by tools/write_errors.py from the pages; do not edit. -->
"""


@dataclass(frozen=True)
class Page:
    """A page of the index, as its file has it."""

    path: Path
    text: str

    @property
    def title(self) -> str:
        """The sentence, or the mistake."""
        return self.text.partition("\n")[0].removeprefix("# ")

    @property
    def line(self) -> tuple[str, str, str, str]:
        """The kind of error, the subject, the number of the lesson, and the link to it."""
        found = LINE.match(self.text.split("\n")[2])
        if not found or found[2] not in SUBJECTS:
            raise ValueError(f"{self.path.name}: the third line has no kind, subject and lesson")
        return found[1].strip("`"), found[2], found[3], found[4]

    @property
    def blocks(self) -> list[tuple[str, str]]:
        """Each block of code, and what stands below it."""
        return [(code, shown) for code, shown in BLOCK.findall(self.text)]


def pages() -> list[Page]:
    """All pages, by their file's name."""
    found = sorted(path for path in FOLDER.glob("*.md") if path != INDEX)
    return [Page(path, path.read_text(encoding="utf-8")) for path in found]


# ---- code ---------------------------------------------------------------------------------------


def library() -> Any:
    """PyTorch where this Python has it, else the course's; blocks find it as `torch`."""
    if importlib.util.find_spec("torch"):
        import torch
    else:
        import course_lib as torch

        sys.modules["torch"] = torch
    torch.set_warn_always(True)
    return torch


def shown(code: str, scope: dict[str, Any] | None = None) -> str:
    """What a block prints, its warnings, and the last line of its traceback."""
    out, scope = io.StringIO(), {"__name__": "block"} if scope is None else scope
    last = ""
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(out):
        warnings.simplefilter("always")
        try:
            exec(compile(code, "block", "exec"), scope)
        except Exception as error:
            last = f"{type(error).__name__}: {error}"
    told = [f"{one.category.__name__}: {one.message}" for one in warned]
    told = [re.sub(r" \(Triggered internally at .*?\)", "", one, flags=re.S) for one in told]
    lines = [*out.getvalue().splitlines(), *told, *([last] if last else [])]
    return "".join(f"{line.rstrip()}\n" for text in lines for line in text.split("\n"))


def run(page: Page) -> list[str]:
    """The blocks of a page that show something else than the page says."""
    found = [(code, said, shown(code)) for code, said in page.blocks]
    return [
        f"{page.path.name}: {code.splitlines()[-1]}\nthe page:\n{said}it is:\n{seen}"
        for code, said, seen in found
        if seen != said
    ]


def stored(page: Page) -> str:
    """The page with what its blocks show today."""

    def anew(found: re.Match[str]) -> str:
        seen = shown(found[1])
        return f"```python\n{found[1]}```\n" + (f"\n```text\n{seen}```\n" if seen else "")

    return BLOCK.sub(anew, page.text)


# ---- what is written ----------------------------------------------------------------------------


def index(all_pages: list[Page]) -> str:
    """The page that lists all others, by subject and by the alphabet."""
    parts = [HEAD]
    for subject in SUBJECTS:
        here = [page for page in all_pages if page.line[1] == subject]
        silent = [page for page in here if page.line[0] == SILENT]
        parts += [f"## {subject}\n", *listed(page for page in here if page not in silent)]
        if silent:
            parts += ["\nNo error, a wrong number:\n", *listed(silent)]
        parts.append("")
    parts += ["## All, by the alphabet\n", *listed(all_pages)]
    return "\n".join(parts) + "\n"


def listed(some: Any) -> Iterator[str]:
    """A line for each page, in the order of the alphabet."""
    for page in sorted(some, key=lambda page: re.sub(r"\W", "", page.title).lower()):
        yield f"* [{page.title}]({page.path.name})"


def drawn(page: Page) -> tuple[str, dict[Path, str]]:
    """The page with its picture, and the picture's file."""
    files: dict[Path, str] = {}

    def anew(found: re.Match[str]) -> str:
        scope: dict[str, Any] = {"__name__": "block"}
        library().manual_seed(0)
        shown(page.blocks[0][0], scope)
        exec("from course_lib.viz import *", scope)
        picture = eval(found[1], scope)
        path = FOLDER / "pictures" / f"{page.path.stem}.svg"
        files[path] = f"{picture.svg}\n"
        alt = escape(" ".join(picture.alt.split()))
        return f'<!-- {found[1]} -->\n<img src="pictures/{path.name}" alt="{alt}">\n'

    return PICTURE.sub(anew, page.text), files


def written() -> dict[Path, str]:
    """Every file that is made from the pages, and the pages with their pictures."""
    files = {INDEX: index(pages())}
    for page in pages():
        text, pictures = drawn(page)
        files |= {page.path: text, **pictures}
    return files


def main(words: list[str]) -> int:
    """Write, check, run or store."""
    sys.path.insert(0, str(ROOT))
    library()
    if words == ["--run"]:
        wrong = [said for page in pages() for said in run(page)]
        print(*wrong, f"{len(pages())} pages, {len(wrong)} blocks that differ", sep="\n")
        return int(bool(wrong))
    files = {page.path: stored(page) for page in pages()} if words == ["--store"] else written()
    old = {path: path.read_text(encoding="utf-8") if path.exists() else None for path in files}
    left = [path for path in (FOLDER / "pictures").glob("*.svg") if path not in files]
    left = [] if words == ["--store"] else left
    changed = [path for path, text in files.items() if old[path] != text]
    for path in [*changed, *left]:
        print(f"changed: {path.relative_to(ROOT).as_posix()}")
    if words == ["--check"]:
        return int(bool(changed or left))
    (FOLDER / "pictures").mkdir(exist_ok=True)
    for path in changed:
        path.write_text(files[path], encoding="utf-8", newline="\n")
    for path in left:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
