#!/usr/bin/env python3
"""Says how long the lessons are: words, the share of their deeper parts, and minutes of the path.

    python tools/measure_lessons.py               all lessons
    python tools/measure_lessons.py 05_storage…   these, by the beginnings of their names

Words are those of sources and text outputs, split at white space. An honest minute: 130 words to
read, half a minute for a cell that is run, six seconds for a line of code, two minutes for a guess.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))


class Length(NamedTuple):
    """How long a lesson is; `deeper` is a share of its words, `path` are minutes without it."""

    words: int
    deeper: float
    path: float


def shown(output: dict[str, Any]) -> str:
    """The text that an output has, without the colours of a traceback."""
    lines = output.get("text") or output.get("data", {}).get("text/plain")
    text = "".join(lines) if lines else "\n".join(output.get("traceback", []))
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def length(path: Path) -> Length:
    """How long the lesson in this file is."""
    words = deeper = 0
    minutes, deep = 0.0, False
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            for heading in re.findall(r"^## (.*)", source, re.MULTILINE):
                deep = heading.startswith("Deeper")
        here = len(f"{source} {' '.join(map(shown, cell.get('outputs', [])))}".split())
        words, deeper = words + here, deeper + here * deep
        if not deep:
            lines = [line for line in source.splitlines() if line.strip()[:1] not in ("", "#")]
            guess = source.lstrip().startswith("guess(")
            run = 2.0 if guess else 0.5 + 0.1 * len(lines)
            minutes += here / 130 if cell["cell_type"] == "markdown" else run
    return Length(words, deeper / words, minutes)


def main(words: list[str]) -> None:
    """Print a line for each lesson, and the words of all."""
    total = 0
    for path in LESSONS:
        if not words or any(path.name.startswith(word) for word in words):
            found = length(path)
            total += found.words
            told = f"{found.words:5} words, {found.deeper:4.0%} deeper, {found.path:3.0f} minutes"
            print(f"{path.stem:24} {told}")
    print(f"{total} words")


if __name__ == "__main__":
    main(sys.argv[1:])
