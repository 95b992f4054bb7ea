"""The gradebook: marks as tables, totals, and the sheets of a learning platform that they go into.

Moodle's sheet is the grading worksheet of an assignment, Canvas's the export of the gradebook. Both
are known by their first line, and tell who is in the class. Everything in them but the grade and
Moodle's comment stays as it was.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_grading import row, tables
from course_grading.lateness import Rules, moment
from course_grading.reference import Exercise
from course_grading.roster import Named, Person, Roster
from course_grading.row import plural
from course_grading.submissions import visible
from course_lib.classroom.credit import number
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble
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


def reasons(made: Data) -> str:
    """Why a row has not all points, and what a person has decided or has to look at."""
    said = [] if made["reason"] in made["review"] else [made["reason"]]
    said += [one for one in made["review"] if not _of_a_question(one, made)]
    if made["late"]:
        late = made["late"]
        said.append(f"{plural(late['days'], 'day')} late: {number(late['percent'])} % taken off")
    for one in made["questions"]:
        if told := _describe(one):
            said.append(f"{one['question']}: {told}")
    return "; ".join(part for part in said if part)


def _of_a_question(said: str, made: Data) -> bool:
    return any(said.startswith(f"{one['question']}: ") for one in made["questions"])


def _describe(one: Data) -> str:
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

    def __init__(self, worth: dict[str, float]) -> None:
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

    def marks(self, zero: bool = False) -> "dict[str, Mark]":
        """A mark for each student; nothing handed in is no mark, or `zero`."""
        possible = sum(self._worth[name] for name in self._sets)
        return {student: _mark(rows, possible, zero) for student, rows in self._rows.items()}


def _mark(rows: list[Data], possible: float, zero: bool) -> "Mark":
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


MOODLE, CANVAS = "Moodle", "Canvas"
_MOODLE_ID, _FULL_NAME, _GRADE, _MOST = "Identifier", "Full name", "Grade", "Maximum Grade"
_COMMENT, _EMAIL, _HANDED_IN = "Feedback comments", "Email address", "Last modified (submission)"
_STUDENT, _CANVAS_ID = "Student", "ID"
_LAST, _FIRST = "LastName", "FirstName"  # in place of Student, where Canvas is asked for both
_KEPT = ("EX", "N/A")  # Canvas: excused, or not assigned to this student
_LOGINS = ("SIS User ID", "SIS Login ID")
_ASSIGNMENT = re.compile(r".*\((\d+)\)")  # Canvas numbers every assignment
_POINTS = "points possible"  # the first cell of Canvas's second line


@dataclass(frozen=True)
class Mark:
    """What a student has reached in all that was graded; no points where there can be none."""

    points: float | None
    possible: float
    comment: str = ""


@dataclass
class Sheet:
    """One sheet as it was downloaded."""

    path: Path
    platform: str
    lines: list[tuple[int, list[str]]] = field(repr=False)  # with the blanks around cells
    column: int = -1  # of the grade

    @property
    def heads(self) -> list[str]:
        """The names of the columns."""
        return [head.strip() for head in self.lines[0][1]]

    def cell(self, cells: list[str], column: str) -> str:
        """What a line has in that column, "" where there is none."""
        place = self.heads.index(column) if column in self.heads else len(cells)
        return cells[place].strip() if place < len(cells) else ""

    def people(self) -> Roster:
        """Everybody whom the sheet lists."""
        return Roster([self._person(cells) for _, cells in self._students()])

    def handed_in(self, roster: Roster, rules: Rules) -> None:
        """Tell the rules when students handed in, where Moodle's sheet says so."""
        for _, cells in self._students():
            said = self.cell(cells, _HANDED_IN)
            when = moment(said) if said not in ("", "-") else None
            if when and (student := self._who(cells, roster)):
                rules.times.setdefault(student, rules.local(when))

    def filled(self, marks: Mapping[str, Mark], roster: Roster) -> str:
        """The sheet with grades and comments, to be uploaded."""
        filled = []
        most = self._most_of_all()
        for place, cells in self.lines:
            cells = [*cells, *[""] * (len(self.heads) - len(cells))]
            known = self._who(cells, roster) if self._is_student(place, cells) else None
            if known is not None and known in marks:
                self._fill(cells, marks[known], most)
            filled.append(cells)
        return tables.as_text(filled)

    def feedback(self, students: Iterable[str], roster: Roster) -> Iterator[tuple[str, str]]:
        """Students, and the folder that each has in a zip file of feedback as Moodle takes it."""
        wanted = set(students)
        for _, cells in self._students() if self.platform == MOODLE else ():
            student = self._who(cells, roster)
            if student in wanted:
                name = re.sub(r"[_/\\]", " ", self.cell(cells, _FULL_NAME)) or "Participant"
                yield student, f"{name}_{self._number_of(cells)}_assignsubmission_file_"

    def _fill(self, cells: list[str], mark: Mark, most: float | None) -> None:
        if self.platform == MOODLE:
            most = _number(self.cell(cells, _MOST))
            if _COMMENT in self.heads and mark.comment:
                said = html.escape(mark.comment, quote=False)  # Moodle reads comments as HTML
                cells[self.heads.index(_COMMENT)] = said
        if mark.points is not None and cells[self.column].strip() not in _KEPT:
            share = most / mark.possible if most and mark.possible else 1.0
            cells[self.column] = f"{number(round(mark.points * share, 2))}"

    def _most_of_all(self) -> float | None:
        for _, cells in self.lines[1:3]:
            if self.platform == CANVAS and cells[0].strip().lower() == _POINTS:
                return _number(cells[self.column]) if self.column < len(cells) else None
        return None

    def _students(self) -> list[tuple[int, list[str]]]:
        return [(line, cells) for line, cells in self.lines[1:] if self._is_student(line, cells)]

    def _is_student(self, line: int, cells: list[str]) -> bool:
        if line == self.lines[0][0]:
            return False
        if self.platform == MOODLE:
            return bool(self._number_of(cells))
        return self.cell(cells, _CANVAS_ID).isdecimal()

    def _number_of(self, cells: list[str]) -> str:
        if self.platform == CANVAS:
            return self.cell(cells, _CANVAS_ID)
        found = re.search(r"\d+$", self.cell(cells, _MOODLE_ID))
        return found[0] if found else ""

    def _names(self, cells: list[str]) -> list[str]:
        if self.platform == MOODLE:
            return [self.cell(cells, _FULL_NAME), self.cell(cells, _EMAIL)]
        name = self.cell(cells, _STUDENT)
        if _LAST in self.heads:
            name = f"{self.cell(cells, _LAST)}, {self.cell(cells, _FIRST)}"
        return [name, *(self.cell(cells, login) for login in _LOGINS)]

    def _person(self, cells: list[str]) -> Person:
        name, *others = self._names(cells)
        last, comma, first = name.partition(",")
        whole = f"{first.strip()} {last}" if comma else name
        one = Person(visible(whole) or self._number_of(cells), whole)
        one.known_as(whole, *others)
        one.numbers.add(self._number_of(cells))
        return one

    def _who(self, cells: list[str], roster: Roster) -> str | None:
        name, *others = self._names(cells)
        for word in (*others, name):
            found = roster.find(Named(self.platform, word, self._number_of(cells)))
            if len(found) == 1:
                return found[0].student
        return None


def read_sheet(path: Path, column: str = "") -> Sheet | None:
    """The sheet in a file; None where it is no platform's. Raises `Trouble`.

    `column` names the assignment in an export of Canvas that has several.
    """
    lines = tables.rows(path, strip=False)
    heads = [head.strip() for head in lines[0][1]] if lines else []
    if _MOODLE_ID in heads and _GRADE in heads:
        return Sheet(path, MOODLE, lines, heads.index(_GRADE))
    if heads[:1] in ([_STUDENT], [_LAST]) and _CANVAS_ID in heads:
        return Sheet(path, CANVAS, lines, _assignment(path, heads, column))
    return None


def _assignment(path: Path, heads: list[str], column: str) -> int:
    """Which column of Canvas's export is the assignment that was graded."""
    all_of_them = [head for head in heads if _ASSIGNMENT.fullmatch(head)]
    those = [head for head in all_of_them if column.lower() in head.lower()] or []
    if column in heads:
        those = [column]
    if len(those) == 1:
        return heads.index(those[0])
    listed = ", ".join(all_of_them[:12]) or "none that ends with Canvas's number, as Lab 1 (4711)"
    said = f"{column!r} means {len(those)} of its columns" if column else "which assignment is it?"
    raise Trouble(f'{path}: {said} In rules.toml write column = "…". It has: {listed}', 2)


def _number(written: str) -> float | None:
    try:
        return float(written.replace(",", "."))
    except ValueError:
        return None
