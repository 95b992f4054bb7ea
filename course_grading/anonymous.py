"""Results without names: the same pages and tables, in which each student is an id.

Which id is whose is written to a key file among the results with names, which stay with the
instructor. Ids are drawn once and kept, so a second run gives everybody the same one.
"""

from __future__ import annotations

import csv
import re
import secrets
from collections.abc import Collection
from pathlib import Path
from typing import Any, Protocol

from course_grading.changes import Before
from course_grading.tables import plain
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble

KEY = "anonymous-ids.csv"
COLUMNS = ("id", "student")
_LETTERS = "bcdfghjkmnpqrstvwxz"  # no vowels, so no words
_KEPT = ("set", "status", "question", "word", "notebook", "handed_in")  # say nothing of a name


class Rows(Protocol):
    """Students and their rows."""

    people: dict[str, list[Any]]

    def rows(self, student: str) -> list[Data]:
        """A student's rows."""


def ids(path: Path, students: Collection[str]) -> dict[str, str]:
    """The id of each student: those in the key file at `path`, and new ones for everybody else.

    Raises `Trouble` if the file cannot be read.
    """
    before = _read(path) if path.is_file() else {}
    taken, known = set(before.values()), {}
    for student in sorted(students):
        drawn = before.get(str(plain(student)), "")
        while not drawn or drawn in taken - set(before.values()):
            drawn = "student-" + "".join(secrets.choice(_LETTERS) for _ in range(5))
        taken.add(drawn)
        known[student] = drawn
    return known


def _read(path: Path) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return {line["student"]: line["id"] for line in csv.DictReader(file)}
    except (OSError, ValueError, KeyError, AttributeError):
        said = f"{path} should have the columns {' and '.join(COLUMNS)}; mend it, or delete it"
        raise Trouble(f"{said} to give everybody a new id", 2) from None


class Anonymous:
    """The same students and rows under their ids, in the order of the ids.

    `before` is what an earlier run has left in the folder without names.
    """

    def __init__(self, named: Rows, known: dict[str, str], before: Before) -> None:
        self._named, self._known, self.before = named, known, before
        self._student = {known[student]: student for student in named.people}
        self.people = {one: named.people[self._student[one]] for one in sorted(self._student)}
        self._names = _pattern(named.people)
        self._groups: dict[str, str] = {}  # a group that handed in under its own name, by its id

    def rows(self, ident: str) -> list[Data]:
        """A student's rows, without the names of students and of their files."""
        student = self._student[ident]
        return [self._hidden(made, student, ident) for made in self._named.rows(student)]

    def _hidden(self, made: Data, student: str, ident: str) -> Data:
        parts = {made["file"], made["file"].rpartition("/")[2]} - {""}
        files = sorted(map(self._renamed, parts), key=len, reverse=True)
        own = sorted({part for part in re.split(r"[\W\d_]+", student) if len(part) > 2})

        def clean(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: one if key in _KEPT else clean(one) for key, one in value.items()}
            if isinstance(value, list):
                return [clean(one) for one in value]
            if not isinstance(value, str):
                return value
            value = self._renamed(value)
            for file in files:
                value = value.replace(file, "the notebook")
            value = re.sub(r"; there is .*?(?=; )", "", value)  # which names other files
            return re.sub(rf"\b({'|'.join(own)})\b", ident, value) if own else value

        return clean(made) | {"file": "", "by": self._by(made["by"])}

    def _by(self, name: str) -> str:
        """The id of who handed in: a student, or a group, whose members are no copies."""
        if not name or name in self._known:
            return self._known.get(name, "")
        return self._groups.setdefault(name, f"group-{len(self._groups) + 1}")

    def _renamed(self, text: str) -> str:
        return self._names.sub(lambda found: self._known[found[0]], text)


def _pattern(students: Collection[str]) -> re.Pattern[str]:
    """Matches the whole name of anybody, the longest first."""
    names = sorted(students, key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names) or r"(?!)")
