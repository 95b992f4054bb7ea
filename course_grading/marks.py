"""Marks as tables: a line for each student and set, and what each student has reached in all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from course_grading import row
from course_grading.lateness import number
from course_grading.reference import Exercise
from course_grading.uploads import Mark
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import CORRECT

_HEAD = (
    *("student", "set", "status", "review", "points", "possible", "open", "reason", "file"),
    *("handed_in", "days_late", "taken_off"),
)


WAITS = "it waits for its mark"


class Table:
    """The lines of grades.csv: first what each row has, then a column for each question."""

    def __init__(self, exercises: dict[str, Exercise]) -> None:
        self._exercises = exercises
        self._lines: list[tuple[list[Any], dict[str, float]]] = []
        self._sets: set[str] = set()

    def add(self, student: str, made: Data) -> None:
        """One more row."""
        if made["questions"]:
            self._sets.add(made["set"])
        graded = made["status"] == row.GRADED
        late = made["late"] or {}
        head = [
            student,
            made["set"],
            made["status"],
            "yes" if made["review"] else "no",
            made["points"] if graded else "",  # what could not be graded is no 0 of 0
            made["possible"] if graded else "",
            made["open"] if graded else "",
            reasons(made),
            made["file"],
            (made["handed_in"] or "").replace("T", " "),
            late.get("days", ""),
            late.get("taken_off", ""),
        ]
        self._lines.append((head, {one["question"]: one["points"] for one in made["questions"]}))

    def lines(self) -> Iterable[list[Any]]:
        """The names of the columns, and all lines."""
        sets = [one for name, one in self._exercises.items() if name in self._sets]
        questions = [question for one in sets for question in one.marks]
        yield [*_HEAD, *questions]
        for head, points in self._lines:
            yield [*head, *(points.get(question, "") for question in questions)]


def lateness(made: Data) -> str:
    """The sentence that says how late a hand-in is and what that costs, "" for one on time."""
    late = made.get("late")
    if not late:
        return ""
    days = "1 day" if late["days"] == 1 else f"{late['days']} days"
    points = "1 point" if late["taken_off"] == 1 else f"{late['taken_off']} points"
    cost = f"{points} ({number(late['percent'])} %)"
    return f"Handed in {days} late, counting each day begun: {cost} taken off."


def decision(one: Data) -> str:
    """The sentence that says what a person has decided about a question, "" where nobody has."""
    decided = one.get("override")
    if not decided:
        return ""
    was = "" if decided["was"] is None else f" (the grader gave {decided['was']})"
    return f"Points by {decided['who']}: {decided['reason']}{was}."


def reasons(made: Data) -> str:
    """Why a row has not all points, and what a person has decided or has to look at."""
    said = [] if made["reason"] in made["review"] else [made["reason"]]
    said += [one for one in made["review"] if not _of_a_question(one, made)]
    if made["late"]:
        late = made["late"]
        days = "1 day" if late["days"] == 1 else f"{late['days']} days"
        said.append(f"{days} late: {number(late['percent'])} % taken off")
    for one in made["questions"]:
        if told := _told(one):
            said.append(f"{one['question']}: {told}")
    return "; ".join(part for part in said if part)


def _of_a_question(said: str, made: Data) -> bool:
    return any(said.startswith(f"{one['question']}: ") for one in made["questions"])


def _told(one: Data) -> str:
    decided = one.get("override")
    if decided:
        return f"{decided['points']} by {decided['who']}: {decided['reason']}"
    parts = [*one["review"]]
    if row.waits(one):
        parts.append(WAITS)
    elif one["word"] != CORRECT:
        why = one["message"] or one["reason"]
        parts.append(f"{one['word']}: {why}" if why else one["word"])
    return "; ".join(parts)


class Totals:
    """What each student has reached in all sets together, as a platform wants it."""

    def __init__(self, worth: dict[str, int]) -> None:
        self._worth = worth
        self._rows: dict[str, list[Data]] = {}
        self._sets: set[str] = set()

    def add(self, student: str, rows: list[Data]) -> None:
        """All rows of one student; of each, what is needed."""
        kept = ("set", "status", "points", "possible", "open", "late", "reason", "review")
        self._rows[student] = [
            {key: made[key] for key in kept}
            | {"decided": [one["override"] for one in made["questions"] if "override" in one]}
            for made in rows
        ]
        self._sets.update(made["set"] for made in rows if made["set"])

    def handed_in(self) -> set[str]:
        """Who has handed in anything."""
        return {
            student
            for student, rows in self._rows.items()
            if any(made["status"] != row.MISSING or made["review"] for made in rows)
        }

    def marks(self, zero: bool = False) -> dict[str, Mark]:
        """A mark for each student; nothing handed in is no mark, or `zero`."""
        possible = sum(self._worth[name] for name in self._sets)
        return {student: _mark(rows, possible, zero) for student, rows in self._rows.items()}


def _mark(rows: list[Data], possible: int, zero: bool) -> Mark:
    graded = [made for made in rows if made["status"] == row.GRADED]
    waits = [made for made in rows if made["status"] != row.GRADED and made["review"]]
    waits += [made for made in graded if made["open"]]
    points: float | None = number(round(sum(made["points"] for made in graded), 2))
    if waits or not graded and not zero:
        points = None
    return Mark(points, possible, "; ".join(_comment(made) for made in rows))


def _comment(made: Data) -> str:
    """A sentence for the student."""
    name = f"{made['set']}: " if made["set"] else ""
    if made["status"] != row.GRADED:
        return f"{name}{made['reason']}"
    said = f"{name}{row.score(made)}"
    if made["late"]:
        said += f", {number(made['late']['taken_off'])} taken off for being late"
    decided = [one["reason"] for one in made["decided"]]
    return f"{said} ({'; '.join(decided)})" if decided else said
