#!/usr/bin/env python3
"""Writes docs/lessons.md: the table of lessons, read from the lessons themselves.

    python tools/write_index.py               write it
    python tools/write_index.py --check       say whether it is up to date

Title, minutes, prerequisites and abilities stand in the first cell of every lesson, and only there.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INDEX = ROOT / "docs" / "lessons.md"
STAGES = {  # number of the first lesson: what the stage is called
    0: "Start",
    1: "A tensor is a window on storage",
    13: "A tensor remembers",
    21: "Build it",
    23: "Use it",
}
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


@dataclass(frozen=True)
class Lesson:
    """What the first cell of a lesson says."""

    path: Path
    title: str
    minutes: int
    deeper: int
    exercises: int
    needs: str
    abilities: tuple[str, ...]

    @property
    def number(self) -> int:
        return int(self.title[:2])


def lesson(path: Path) -> Lesson:
    """The lesson in this file; a ValueError says what its first cell lacks."""
    text = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    title = re.match(r"# (\d\d · .+)", text)
    facts = re.search(
        r"^\*\*Time\*\*: (\d+) minutes(?:, and (\d+) for the deeper parts)?\. "
        r"\*\*You need\*\*: (.+)\.$",
        text,
        re.MULTILINE,
    )
    abilities = re.findall(r"(?m)^\* (.+?)[;.]?$", text)
    if title is None or facts is None or not abilities:
        wanted = "`# 05 · Title`, `* ability;` and `**Time**: 20 minutes. **You need**: …`"
        raise ValueError(f"the first cell of {path.name} lacks one of {wanted}")
    minutes, deeper, needs = int(facts[1]), int(facts[2] or 0), facts[3]
    return Lesson(path, title[1], minutes, deeper, of_exercises(path), needs, tuple(abilities))


def of_exercises(path: Path) -> int:
    """The minutes that the questions of the lesson's set say they take; 0 without a set."""
    found = path.parents[1] / "exercises" / f"ex{path.name}"
    if not found.exists():
        return 0
    cells = json.loads(found.read_text(encoding="utf-8"))["cells"]
    words = "\n".join("".join(cell["source"]) for cell in cells)
    return sum(map(int, re.findall(r"difficulty \d of 5 · (\d+) minutes?$", words, re.MULTILINE)))


def row(found: Lesson) -> str:
    """The line of the table, its links seen from docs/."""
    name = f"[{found.title}](../notebooks/{found.path.name})"
    if (found.path.parents[1] / "exercises" / f"ex{found.path.name}").exists():
        name += f", [exercises](../exercises/ex{found.path.name})"
    needs = re.sub(r"\]\((?=\d\d_)", "](../notebooks/", found.needs)
    minutes = (str(n or "") for n in (found.minutes, found.deeper, found.exercises))
    cells = name, *minutes, needs, "<br>".join(found.abilities)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def index(folder: Path) -> str:
    """The text of the page for the lessons of a folder."""
    lessons, parts = [lesson(path) for path in sorted(folder.glob("*.ipynb"))], [HEAD]
    for stage, (first, title) in enumerate(STAGES.items()):
        after = [*STAGES, 100][stage + 1]
        members = [found for found in lessons if first <= found.number < after]
        path, deeper, exercises = (
            sum(getattr(found, part) for found in members)
            for part in ("minutes", "deeper", "exercises")
        )
        time = f"{path} minutes, {deeper} for the deeper parts, and {exercises} for the exercises"
        lines = [f"## {stage} · {title}", "", f"Together {time}.", "", COLUMNS]
        parts.append("\n".join([*lines, *map(row, members)]) + "\n")
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
