"""The lessons and their stages: what the first cell of a lesson says of it, and only that cell."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from course_lib.classroom import content


@dataclass(frozen=True)
class Stage:
    """Some lessons with one aim; `afterwards` says to whoever finished them what they can do."""

    first: int  # the number of its first lesson
    title: str
    afterwards: str


STAGES = (
    Stage(
        0,
        "Start",
        "You can run, change and check code here, and you have trained a first model.",
    ),
    Stage(
        1,
        "A tensor is a window on storage",
        "Of any tensor you can now say where its numbers lie, who else sees them, and what copies.",
    ),
    Stage(
        13,
        "A tensor remembers",
        "You can now follow a graph by hand, say what it saved, and find the line that spoils it.",
    ),
    Stage(
        21,
        "Build it",
        "You have built an autograd engine, and you can prove that its gradients are right.",
    ),
    Stage(
        23,
        "Use it",
        "You can now train a model on data of your own. Change `import course_lib as torch` to "
        "`import torch`: nothing else is needed.",
    ),
)


def stage_of(stem: str) -> Stage | None:
    """The stage of the lesson, or of the set, in a file of that name.

    >>> stage_of("ex05_storage_and_strides").title
    'A tensor is a window on storage'
    """
    number = content.number(stem)
    begun = [stage for stage in STAGES if number is not None and stage.first <= number]
    return begun[-1] if begun else None


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


def lesson(path: Path) -> Lesson:
    """The lesson in this file; a ValueError says what its first cell lacks."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "".join(cells[0]["source"]) if cells else ""
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
    told = r"difficulty \d of 5 ·(?: \d+ points? ·)? (\d+) minutes?$"
    return sum(map(int, re.findall(told, words, re.MULTILINE)))
