#!/usr/bin/env python3
"""Writes docs/lessons.md: the table of lessons, and the commands for those who learn with them.

    python tools/write_index.py               write it
    python tools/write_index.py --check       say whether it is up to date

Title, minutes, prerequisites and abilities stand in the first cell of every lesson, and only there.
"""

import re
import sys
from pathlib import Path

from course_lib.classroom.lessons import STAGES, Lesson, lesson, stage_of
from course_lib.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
INDEX = ROOT / "docs" / "lessons.md"
HEAD = """\
# The lessons

In this order each one needs only what came before. Every lesson ends with a table of its rules, and
leads to the next. The path is what everyone reads, guesses and runs, in minutes. Parts that are
called "Deeper" can be skipped; no later path needs them. The exercises come on top.

<!-- Written by tools/write_index.py from the first cells of the lessons; do not edit. -->
"""
COLUMNS = """\
| Lesson | Path | Deeper | Exercises | You need | Afterwards you can |
|:--|--:|--:|--:|:--|:--|"""

TERMINAL = """\
## In the terminal

`python3 start.py` installs the course into its own folder the first time, and opens it. On Windows
write `py start.py`. With a word more it does this; the pictures alone come
[with pip](gallery.md#with-real-pytorch):
"""
FIRST_OF_TEACHERS = "release"


def row(found: Lesson) -> str:
    """The line of the table, its links seen from docs/."""
    name = f"[{found.title}](../notebooks/{found.path.name})"
    if found.exercises:
        name += f", [exercises](../exercises/ex{found.path.name})"
    needs = re.sub(r"\]\((?=\d\d_)", "](../notebooks/", found.needs)
    minutes = (str(n or "") for n in (found.minutes, found.deeper, found.exercises))
    cells = name, *minutes, needs, "<br>".join(found.abilities)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def index(folder: Path) -> str:
    """The text of the page for the lessons of a folder."""
    lessons, parts = [lesson(path) for path in sorted(folder.glob("*.ipynb"))], [HEAD]
    for place, stage in enumerate(STAGES):
        members = [found for found in lessons if stage_of(found.path.stem) == stage]
        path, deeper, exercises = (
            sum(getattr(found, part) for found in members)
            for part in ("minutes", "deeper", "exercises")
        )
        time = f"{path} minutes, {deeper} for the deeper parts, and {exercises} for the exercises"
        lines = [f"## {place} · {stage.title}", "", f"Together {time}.", "", COLUMNS]
        parts.append("\n".join([*lines, *map(row, members)]) + "\n")
    parts.append(TERMINAL)
    names = [command.name for command in COMMANDS]
    for command in COMMANDS[: names.index(FIRST_OF_TEACHERS)]:
        examples = [f"* `python3 start.py {typed}`: {says}" for typed, says in command.examples]
        parts.append("\n".join([f"### `{command.name}`: {command.summary}", "", *examples]) + "\n")
    return "\n".join(parts)


def main(words: list[str]) -> int:
    """Write the page, or with `--check` only say whether it is up to date."""
    text = index(ROOT / "notebooks")
    old = INDEX.read_text(encoding="utf-8") if INDEX.exists() else ""
    if words != ["--check"]:
        INDEX.write_text(text, encoding="utf-8", newline="\n")
        print("nothing to change" if old == text else "changed: docs/lessons.md")
        return 0
    if old != text:
        print("docs/lessons.md is not up to date; run: python tools/write_index.py")
        known = set(old.splitlines())
        print(*(line for line in text.splitlines() if line not in known), sep="\n")
    return int(old != text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
