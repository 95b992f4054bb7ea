"""Write the results: grades.csv, grades.json, a page for each student and an overview.

Every file is complete or absent. Rows are unpacked one by one, so memory stays small.

The results without names are the same pages and tables, in which each student is an id. Which id is
whose is written to a key file among the results with names, which stay with the instructor. Ids are
drawn once and kept, so a second run gives everybody the same one.
"""

import contextlib
import csv
import hashlib
import json
import os
import re
import secrets
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course_grading import report, walls
from course_grading.class_folder import ClassFolder
from course_grading.gradebook import MOODLE, Mark, Table, Totals
from course_grading.joining import CHANGED, CHANGES, Before, Joined
from course_grading.lateness import Rules
from course_grading.overrides import COLUMNS as MARKING
from course_grading.overrides import TO_MARK, to_mark
from course_grading.tables import as_text, plain
from course_grading.tally import Tally
from course_grading.unit import Course
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble, writing

if TYPE_CHECKING:
    from course_grading.folder import Outcome

SCHEMA = "course-grades/3"
STUDENTS, UPLOAD = "students", "upload"


def write_results(
    outcome: "Outcome", joined: "Joined | Anonymous", course: Course, class_folder: ClassFolder
) -> None:
    """Write everything into the folder of the `outcome`, and count there what was written."""
    folder, tally = outcome.folder, Tally(course, class_folder.rules)
    table, changes = Table(course.exercises), []
    waiting: dict[tuple[str, str], list[str]] = {}  # by who handed it in, and the question
    rules = class_folder.rules
    worth = {name: rules.of(name).possible(one.marks) for name, one in course.exercises.items()}
    totals = Totals(worth)
    with writing(folder):
        (folder / STUDENTS).mkdir(parents=True, exist_ok=True)
        with whole(folder / "grades.json") as listing:
            listing.write(_head(course, outcome.holds))
            between = ""
            for student in joined.people:
                rows = joined.rows(student)
                page = page_name(student)
                for made in rows:
                    about = {"student": student, "page": f"{STUDENTS}/{page}", **made}
                    listing.write(between + json.dumps(about, ensure_ascii=False))
                    between = ",\n"
                    table.add(student, made)
                    team, by = class_folder.roster.team(student), made["by"] or student
                    for line in to_mark(team, made, class_folder.rubrics):
                        waiting.setdefault((by, line[1]), line)
                    tally.add(student, f"{STUDENTS}/{page}", made)
                totals.add(student, rows)
                found = [
                    (student, made["set"], *difference)
                    for made in rows
                    for difference in joined.before.differences(student, made)
                ]
                changes += found
                outcome.changed += bool(found)
                with whole(folder / STUDENTS / page) as file:
                    file.write(report.feedback(student, rows, course))
            listing.write("\n]}\n")
        write_table(folder / "grades.csv", table.lines())
        outcome.open = tally.waiting = len(waiting)
        if class_folder.rubrics:
            write_table(folder / TO_MARK, [MARKING, *waiting.values()])
        if joined.before.known:
            write_table(folder / CHANGES, [CHANGED, *changes])
        marks = totals.marks(class_folder.rules.zero)
        outcome.uploads = _uploads(folder / UPLOAD, totals, marks, class_folder)
        for mark in marks.values():
            tally.add_mark(mark.points, mark.possible)
        counted = tally.as_data()
        with whole(folder / "overview.json") as file:
            file.write(json.dumps(counted, ensure_ascii=False, indent=1) + "\n")
        with whole(folder / "index.html") as file:
            file.write(report.overview(counted, outcome.holds))
        _remove_others(folder / STUDENTS, {page_name(student) for student in joined.people})
    outcome.review = tally.review


def write_without_names(
    outcome: "Outcome", results: Path, joined: Joined, course: Course, rules: Rules
) -> None:
    """Write the results without names, and the key to them into the folder `results`."""
    folder, path = outcome.folder, results / KEY
    known = draw_ids(path, joined.people)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lines = sorted((ident, student) for student, ident in known.items())
        write_table(path, [KEY_COLUMNS, *lines])
    hidden = Anonymous(joined, known, Before(folder))
    write_results(outcome, hidden, course, ClassFolder(rules=rules))


def _uploads(
    folder: Path, totals: Totals, marks: dict[str, Mark], class_folder: ClassFolder
) -> list[Path]:
    """Fill in the sheets of the class folder, each under its own name."""
    made = []
    for sheet in class_folder.sheets:
        folder.mkdir(exist_ok=True)
        with whole(folder / sheet.path.name) as file:
            file.write("\ufeff" if sheet.platform == MOODLE else "")
            file.write(sheet.filled(marks, class_folder.roster))
        made.append(folder / sheet.path.name)
        pages = dict(sheet.feedback(totals.handed_in(), class_folder.roster))
        if pages:
            made.append(folder / f"{sheet.path.stem} feedback.zip")
            _pack(made[-1], folder.parent / STUDENTS, pages)
    return made


def _pack(path: Path, students: Path, pages: dict[str, str]) -> None:
    """Pack the students' pages, each in the folder that its platform wants."""
    with whole(path, binary=True) as file, zipfile.ZipFile(file, "w", _DEFLATED) as archive:
        for student, home in pages.items():
            archive.write(students / page_name(student), f"{home}/feedback.html")


_DEFLATED = zipfile.ZIP_DEFLATED
_TEXT: Data = {"mode": "w", "encoding": "utf-8", "errors": "replace", "newline": ""}


@contextlib.contextmanager
def whole(path: Path, binary: bool = False) -> Iterator[Any]:
    """A file to write, which takes the place of the old one when it is complete."""
    made = path.with_name(f".{path.name}.new")
    with open(made, **({"mode": "wb"} if binary else _TEXT)) as file:
        yield file
    os.replace(made, path)


def write_table(path: Path, lines: Any) -> None:
    """Write a table for spreadsheets: with their mark at its beginning, and without formulas."""
    with whole(path) as file:
        file.write("\ufeff")  # without it Excel takes UTF-8 for something else
        file.write(as_text(lines))


_PAGE = re.compile(r"(?P<page>[^.].*-[0-9a-f]{6}\.html)|\.(?P<begun>.*-[0-9a-f]{6}\.html)\.new")


def _remove_others(students: Path, pages: set[str]) -> None:
    """Remove what an earlier run has written about students who are no longer handed in.

    A page proves itself: its name follows from the student in its title. All else stays.
    """
    for entry in list(os.scandir(students)):
        found = _PAGE.fullmatch(entry.name)
        if not found or found["page"] in pages or not entry.is_file(follow_symlinks=False):
            continue
        path = Path(entry.path)
        if found["begun"] or _is_page(path):
            path.unlink()


def _is_page(path: Path) -> bool:
    student = report.student_of(path.read_bytes().decode("utf-8", "replace"))
    return student is not None and page_name(student) == path.name


def page_name(student: str) -> str:
    """A file name for a student of any name: readable, and different for different students.

    >>> page_name("../Zoë O'Neil")
    'zoë-o-neil-99db2d.html'
    """
    slug = re.sub(r"[\W_]+", "-", student.lower()).strip("-")[:40] or "student"
    return f"{slug}-{hashlib.sha256(student.encode()).hexdigest()[:6]}.html"


def _head(course: Course, holds: walls.Holds) -> str:
    """The beginning of grades.json, up to its rows."""
    exercises = {
        name: {"digest": one.digest, "notebook": one.file, "questions": one.marks}
        for name, one in course.exercises.items()
    }
    about = {
        "schema": SCHEMA,
        **walls.report(holds),
        "limits": asdict(course.limits),
        "exercises": exercises,
    }
    return json.dumps(about, ensure_ascii=False, indent=1)[:-2] + ',\n "rows": [\n'


KEY = "anonymous-ids.csv"
KEY_COLUMNS = ("id", "student")
_LETTERS = "bcdfghjkmnpqrstvwxz"  # no vowels, so no words
_KEPT = ("set", "status", "question", "word", "notebook", "handed_in")  # say nothing of a name


def draw_ids(path: Path, students: Collection[str]) -> dict[str, str]:
    """The id of each student: those in the key file at `path`, and new ones for everybody else.

    Raises `Trouble` if the file cannot be read.
    """
    before = _read_key(path) if path.is_file() else {}
    taken, known = set(before.values()), {}
    for student in sorted(students):
        drawn = before.get(str(plain(student)), "")
        while not drawn or drawn in taken - set(before.values()):
            drawn = "student-" + "".join(secrets.choice(_LETTERS) for _ in range(5))
        taken.add(drawn)
        known[student] = drawn
    return known


def _read_key(path: Path) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return {line["student"]: line["id"] for line in csv.DictReader(file)}
    except (OSError, ValueError, KeyError, AttributeError):
        said = f"{path} should have the columns {' and '.join(KEY_COLUMNS)}; mend it, or delete it"
        raise Trouble(f"{said} to give everybody a new id", 2) from None


class Anonymous:
    """The same students and rows under their ids, in the order of the ids.

    `before` is what an earlier run has left in the folder without names.
    """

    def __init__(self, named: Joined, known: dict[str, str], before: Before) -> None:
        self._named, self._known, self.before = named, known, before
        self._student = {known[student]: student for student in named.people}
        self.people = {one: named.people[self._student[one]] for one in sorted(self._student)}
        self._names = _names_of(named.people)
        self._groups: dict[str, str] = {}  # a group that handed in under its own name, by its id

    def rows(self, ident: str) -> list[Data]:
        """A student's rows, without the names of students and of their files."""
        student = self._student[ident]
        return [self._hidden(made, student, ident) for made in self._named.rows(student)]

    def _hidden(self, made: Data, student: str, ident: str) -> Data:
        parts = {made["file"], made["file"].rpartition("/")[2]} - {""}
        files = sorted(map(self._rename, parts), key=len, reverse=True)
        own = sorted({part for part in re.split(r"[\W\d_]+", student) if len(part) > 2})

        def clean(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: one if key in _KEPT else clean(one) for key, one in value.items()}
            if isinstance(value, list):
                return [clean(one) for one in value]
            if not isinstance(value, str):
                return value
            value = self._rename(value)
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

    def _rename(self, text: str) -> str:
        return self._names.sub(lambda found: self._known[found[0]], text)


def _names_of(students: Collection[str]) -> re.Pattern[str]:
    """Matches the whole name of anybody, the longest first."""
    names = sorted(students, key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names) or r"(?!)")
