"""Sheets of a learning platform: they tell who is in the class, and come back with grades in them.

Moodle's is the grading worksheet of an assignment, Canvas's the export of the gradebook. Both are
known by their first line. Everything in them but the grade and Moodle's comment stays as it was.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from course_grading import tables
from course_grading.lateness import Rules, moment, number
from course_grading.platforms import Named
from course_grading.roster import Person, Roster
from course_grading.submissions import visible
from course_lib.classroom.trouble import Trouble

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


def read(path: Path, column: str = "") -> Sheet | None:
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
