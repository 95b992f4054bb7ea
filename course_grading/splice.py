"""Find a student's answers in a notebook, whatever happened to its cells.

Runs in a child: the text is the student's. Nothing is executed. What comes out is, for each
question, the code cells that make its answer, in the order to run them. An answer is found by what
its cell says, else by metadata, else by its place between a question and its check. Cells that
were split, moved, duplicated or merged with a check still count. What the exercise itself brings
(first cell, given cells, checks) is left out: it comes from the exercise, unchanged.
"""

import ast
import functools
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from course_grading.notebook import Cell, Unreadable, minutes, read
from course_grading.screen import find_odd
from course_grading.statements import Statement, as_python, parse, select_needed, statements
from course_lib.classroom.edits import binds, of_the_course
from course_lib.classroom.probe import Data

_ANSWER = re.compile(r"^\s*#+\s*answer\s+to\s+(\w+-\w+)\b", re.IGNORECASE | re.MULTILINE)
_CHECK = re.compile(r"""^\s*@check\(\s*["'](\w+-\w+)["']\s*\)""", re.MULTILINE)
_PROMPT = re.compile(r"`(\w+-\w+)` · ")
TEXT = 60_000  # letters of one question that are run, and shown to a person


@dataclass
class Part:
    """One cell that belongs to a question."""

    cell: int
    text: str
    marked: bool  # it says itself, or by metadata, that it answers the question


@dataclass
class Place:
    """What was found of one question."""

    parts: list[Part] = field(default_factory=list)
    seen: bool = False  # an answer cell is there, whatever it says
    checks: list[int] = field(default_factory=list)
    altered: bool = False


def splice(job: Data, exercises: dict[str, Data]) -> Data:
    """What the notebook in `job` is: its set, and for each question what to run.

    >>> splice({"notebook": b"".hex()}, {})["status"]
    'unreadable'
    """
    try:
        cells, notes = read(bytes.fromhex(job["notebook"]))
    except Unreadable as why:
        return {"status": "unreadable", "reason": str(why)}
    if not cells:
        return {"status": "empty", "reason": "it has no cells; hand in the notebook you worked in"}
    name, others = _which(cells, exercises)
    if not name:
        reason = "no cell of it belongs to an exercise; hand in the exercise's own notebook"
        return {"status": "foreign", "reason": reason, "cells": len(cells)}
    if others:
        notes.append(f"it also holds questions of {', '.join(others)}; only {name} was graded here")
    exercise = exercises[name]
    places, loose = _places(cells, exercise)
    questions = {
        question: _question(question, places[question], places, loose, exercise)
        for question in exercise["questions"]
    }
    by_hand = _by_hand(cells, exercise)
    return {
        "status": "read",
        "set": name,
        "questions": questions,
        "by_hand": by_hand,
        "notes": notes,
        "minutes": minutes(cells),
    }


def to_run(plan: Data) -> list[list[Any]]:
    """The questions of a plan that anything was written for, and the cells to run for each."""
    return [
        [name, part["cells"]] for name, part in plan["questions"].items() if not part["untouched"]
    ]


# ---- which exercise, which question --------------------------------------------------------------


def _which(cells: list[Cell], exercises: dict[str, Data]) -> tuple[str, list[str]]:
    """The set that most cells belong to, and the others that some belong to."""
    owner = {
        question: name
        for name, one in exercises.items()
        for question in (*one["questions"], *one.get("by_hand", ()))
    }
    votes: Counter[str] = Counter()
    for cell in cells:
        told = {*_ANSWER.findall(cell.text), *_CHECK.findall(cell.text), cell.question}
        if cell.kind == "markdown":
            told.update(_PROMPT.findall(cell.text))
        votes.update({owner[question] for question in told if question in owner})
    ranked = [name for name, _ in votes.most_common()]
    return (ranked[0], ranked[1:3]) if ranked else ("", [])


def _places(cells: list[Cell], exercise: Data) -> tuple[dict[str, Place], list[Statement]]:
    """Where each question's cells are, and the statements that belong to none."""
    known = exercise["questions"]
    places = {question: Place() for question in known}
    given = {
        one for question in known.values() for text in given_cells(question) for one in same(text)
    }
    loose: list[Statement] = []
    current = ""
    for cell in cells:
        if cell.kind == "markdown":
            current = next((name for name in _PROMPT.findall(cell.text) if name in known), current)
        if cell.kind != "code":
            continue
        text, checks, altered = _without_checks(as_python(cell.text), known)
        for question in checks:
            places[question].checks.append(cell.number)
            places[question].altered |= altered
        named = [name for name in dict.fromkeys(_ANSWER.findall(text)) if name in known]
        if not named and cell.role == "answer" and cell.question in known:
            named = [cell.question]
        marked = bool(named)
        for question in named:
            places[question].seen = True
        named = named or checks or ([current] if current else [])
        current = named[-1] if named else current
        if not plain(text):
            continue
        own = [one for one in statements(cell.number, text) if one.same not in given]
        if not marked and (cell.ident in exercise["idents"] or not named):
            loose += own
        elif own or parse(text) is None:  # else it is a copy of what the exercise brings
            for question in named:
                places[question].parts.append(Part(cell.number, text, marked))
    return places, loose


def _by_hand(cells: list[Cell], exercise: Data) -> dict[str, list[Any]]:
    """What was written to each question that a person marks; nothing where it is as handed out.

    Code below an answer is no part of it, unless the cell says that it is, and a Markdown cell of
    the exercise's own ends it.
    """
    stubs = exercise.get("by_hand", {})
    found: dict[str, list[Any]] = {name: [] for name in stubs}
    current = ""
    for cell in cells if stubs else ():
        named = _ANSWER.findall(cell.text)
        ends = cell.text.strip() in exercise["between"] or _PROMPT.search(cell.text)
        if named or ends or _CHECK.search(cell.text):
            current = named[0] if named and named[0] in stubs else ""
        written = _ANSWER.sub("", cell.text, count=1).strip() if current else ""
        is_part = named or cell.kind != "code"
        if written and is_part and cell.text.strip() != stubs[current]:
            found[current].append([cell.number, cell.text])
    return {name: _cut(parts) for name, parts in found.items()}


def _without_checks(text: str, known: Any) -> tuple[str, list[str], bool]:
    """The cell without its checks, whose they are, and whether one is not as it was given."""
    named = [name for name in _CHECK.findall(text) if name in known]
    if not named:
        return text, [], False
    tree = parse(text)
    if tree is None:  # no Python any more: what stands above the check may still be an answer
        begins = _CHECK.search(text)
        return text[: begins.start() if begins else 0].strip(), named, True
    kept, altered = [], False
    for node in tree.body:
        question = _is_checked(node)
        if question is None:
            kept.append(node)
        elif question in known:
            altered |= ast.dump(node) != same(known[question]["check"])[0]
    answer = "\n".join(line for line in text.split("\n") if _ANSWER.match(line))
    return "\n".join([answer, *(ast.unparse(node) for node in kept)]).strip(), named, altered


def given_cells(question: Data) -> list[str]:
    """The exercise's own cells for a question, without its check."""
    return [*question["before"], *question["between"]]


@functools.cache
def same(text: str) -> tuple[str, ...]:
    """Equal for statements that mean the same; no two versions of Python write it alike."""
    return tuple(ast.dump(node) for node in ast.parse(text).body)


def _is_checked(node: ast.stmt) -> str | None:
    if isinstance(node, ast.FunctionDef):
        for one in node.decorator_list:
            if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "check" and one.args:
                return str(getattr(one.args[0], "value", ""))
    return None


# ---- what makes an answer ------------------------------------------------------------------------


def _question(
    name: str, place: Place, places: dict[str, Place], loose: list[Statement], exercise: Data
) -> Data:
    """The cells to run for a question, and what a person should know about them."""
    known = exercise["questions"][name]
    notes, doubts = _missing(name, place), list[str]()
    own = _choose_cells(place, known, notes, doubts)
    untouched = [part for part in own if part.marked and plain(part.text) == known["stub_plain"]]
    rest = [part for part in own if part not in untouched and plain(part.text)]
    touched = any(part.marked for part in rest) or bool(
        {bound for part in rest for one in statements(part.cell, part.text) for bound in one.binds}
        & set(known["answers"])
    )
    made = [one for one in loose if one.binds & set(known["answers"])]
    if made and not touched:
        if untouched:
            where = f"cell {made[-1].cell}"
            doubts.append(f"{where} makes its answer too, but its own is as it was handed out")
        else:
            rest, touched = [Part(one.cell, one.text, False) for one in made], True
    notes += doubts
    told: Data = {"notes": notes, "doubts": doubts, "untouched": not touched, "cells": []}
    if place.altered:
        notes.append("its check cell was changed; the exercise's own was used")
    if not touched:
        cells = [[part.cell, part.text] for part in untouched]
        return told | {"shown": cells, "borrowed": [], "odd": []}
    if not any(part.marked for part in rest):
        notes.append(f"no cell says that it is the answer; it was found in cell {rest[-1].cell}")
    cells = [[part.cell, part.text] for part in rest]
    borrowed = _borrow_definitions(name, rest, places, loose, known)
    kept = _cut(borrowed + cells)
    if len(kept) < len(borrowed + cells):
        notes.append(f"more than {TEXT} letters were cut")
    told["cells"] = [[number, of_the_course(text)] for number, text in kept]
    told["shown"] = _cut(cells)
    told["borrowed"] = sorted({number for number, _ in borrowed})
    tools, allowed = set(known["tools"]), set(known["screened"])
    told["odd"] = find_odd(told["cells"], tools, allowed, known["used"])
    return told


def _cut(cells: list[Any]) -> list[Any]:
    room, kept = TEXT, []
    for number, text in cells:
        if len(text) <= room:
            kept.append([number, text])
            room -= len(text)
    return kept


def _missing(name: str, place: Place) -> list[str]:
    notes = []
    if not place.seen and not place.parts:
        notes.append(f"there is no cell “# Answer to {name}” any more")
    if not place.checks:
        notes.append("its check cell is gone; the exercise's own was used")
    if len(place.checks) > 1:
        notes.append(
            f"cells {_list_numbers(place.checks)} are all its check; the exercise's own was used"
        )
    return notes


def _choose_cells(place: Place, known: Data, notes: list[str], doubts: list[str]) -> list[Part]:
    """The cells above the check, as in a run from the top; else those below it."""

    def is_answer(part: Part) -> bool:
        return part.marked or any(binds(part.text, name) for name in known["answers"])

    def real(parts: list[Part]) -> dict[str, int]:
        texts = [(plain(part.text), part.cell) for part in parts if is_answer(part)]
        return {text: cell for text, cell in texts if text != known["stub_plain"]}

    last = max(place.checks, default=math.inf)
    above = [part for part in place.parts if part.cell <= last]
    below = [part for part in place.parts if part.cell > last and is_answer(part)]
    chosen = above
    if not real(above) and real(below):
        unmarked = [part for part in above if not part.marked]
        chosen = unmarked + below
        notes.append(f"the answer stands below its check, in cell {min(real(below).values())}")
    elif others := [cell for text, cell in real(below).items() if text not in real(above)]:
        doubts.append(f"cell {min(others)} answers it too, but below its check, and was not run")
    answers = [part.cell for part in chosen if part.marked and plain(part.text) in real(chosen)]
    if len(answers) > 1:
        notes.append(
            f"cells {_list_numbers(answers)} all say that they answer it; they ran in that order"
        )
    return chosen


def _list_numbers(numbers: list[int]) -> str:
    words = [str(number) for number in numbers]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _borrow_definitions(
    name: str, rest: list[Part], places: dict[str, Place], loose: list[Statement], known: Data
) -> list[Any]:
    """Imports and functions of the student's, from elsewhere in the notebook, that are needed."""
    own = [one for part in rest for one in statements(part.cell, part.text)]
    bound = {name for one in own for name in one.binds}
    needs = {name for one in own for name in one.needs} | set(known["answers"])
    here = {part.cell for part in rest}
    elsewhere = list(loose)
    for other, place in places.items():
        for part in place.parts:
            if part.cell not in here and (other != name or not part.marked):
                elsewhere += statements(part.cell, part.text)
    elsewhere.sort(key=lambda one: one.cell)
    first = min(here, default=0)
    above = [one for one in elsewhere if one.cell < first]
    given = set(known["binds"]) | bound
    found = select_needed(needs, above, given)
    found_names = {bound for one in found for bound in one.binds}
    missing = (needs | {n for one in found for n in one.needs}) - given - found_names
    found += select_needed(
        missing, [one for one in elsewhere if one.cell > first], given | found_names
    )
    return [[one.cell, one.text] for one in found]


def plain(text: str) -> str:
    """The text without what does not count: comments, blank lines, spaces at the ends."""
    lines = (line.split("#")[0].rstrip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
