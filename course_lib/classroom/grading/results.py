"""Write the results: grades.csv, grades.json, a page for each student and an overview.

Every file is complete or absent. Rows come from the journal one by one, so memory stays flat.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from course_lib.classroom.grading import feedback, overview, row, walls
from course_lib.classroom.grading.journal import Journal
from course_lib.classroom.grading.unit import Course
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import cannot_write

SCHEMA = "course-grades/1"
STUDENTS = "students"


def write_results(
    folder: Path,
    graded: list[Any],
    journal: Journal,
    course: Course,
    holds: walls.Holds,
    sets: tuple[str, ...],
) -> int:
    """Write everything into `folder`; how many rows need a person."""
    people = _people(graded)
    order = list(course.exercises)
    tally = overview.Tally(course, holds)
    try:
        (folder / STUDENTS).mkdir(parents=True, exist_ok=True)
        with (
            whole(folder / "grades.csv") as table,
            whole(folder / "grades.json") as listing,
        ):
            table.write("\ufeff")  # without it Excel takes UTF-8 for something else
            sheet = csv.writer(table)
            most = max((len(one.questions) for one in course.exercises.values()), default=0)
            sheet.writerow([*_COLUMNS, *(f"question_{number}" for number in range(1, most + 1))])
            listing.write(_head(course, holds))
            before = ""
            for student, handed_in in people.items():
                rows = _rows_of(handed_in, journal, sets, order)
                page = page_name(student)
                for made in rows:
                    sheet.writerow([plain(cell) for cell in _cells(student, made, most)])
                    about = {"student": student, "page": f"{STUDENTS}/{page}", **made}
                    listing.write(before + json.dumps(about, ensure_ascii=False))
                    before = ",\n"
                    tally.add(student, f"{STUDENTS}/{page}", made)
                with whole(folder / STUDENTS / page) as file:
                    file.write(feedback.page(student, rows, course))
            listing.write("\n]}\n")
        with whole(folder / "index.html") as file:
            file.write(tally.page())
        _remove_others(folder / STUDENTS, {page_name(student) for student in people})
    except OSError as error:
        raise cannot_write(folder, error) from None
    return tally.review


@contextlib.contextmanager
def whole(path: Path) -> Iterator[io.TextIOBase]:
    """A file to write, which takes the place of the old one when it is complete."""
    made = path.with_name(f".{path.name}.new")
    with open(made, "w", encoding="utf-8", errors="replace", newline="") as file:
        yield file
    os.replace(made, path)


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
    student = feedback.student_of(path.read_bytes().decode("utf-8", "replace"))
    return student is not None and page_name(student) == path.name


def page_name(student: str) -> str:
    """A file name for a student of any name: readable, and different for different students.

    >>> page_name("../Zoë O'Neil")
    'zoë-o-neil-99db2d.html'
    """
    slug = re.sub(r"[\W_]+", "-", student.lower()).strip("-")[:40] or "student"
    return f"{slug}-{hashlib.sha256(student.encode()).hexdigest()[:6]}.html"


# ---- who handed in what --------------------------------------------------------------------------


def _people(graded: Iterable[Any]) -> dict[str, list[Any]]:
    people: dict[str, list[Any]] = {}
    for one in graded:
        people.setdefault(one.submission.student, []).append(one)
    return people


def _rows_of(
    handed_in: list[Any], journal: Journal, sets: tuple[str, ...], order: list[str]
) -> list[Data]:
    """A student's rows, one for each set, with the file that each was made from."""
    rows: list[Data] = []
    for one in handed_in:
        made = one.row or journal.row(one.key)
        if made["status"] != row.OTHER:
            rows.append({"file": one.submission.file, **made})
    kept: dict[str, Data] = {}
    rest: list[Data] = []
    for made in rows:
        name = made["set"]
        if not name:
            rest.append(made)
        elif name in kept:
            kept[name] = _better(kept[name], made)
        else:
            kept[name] = made
    missing = [_missing(name) for name in sets if name not in kept] if not rest else []
    return [*sorted(kept.values(), key=lambda made: order.index(made["set"])), *missing, *rest]


def _better(one: Data, other: Data) -> Data:
    """Two notebooks of one set: the one with more points counts, and a person is told."""
    first, second = sorted((one, other), key=lambda made: -made["points"])
    said = f"two notebooks of this set were handed in; {first['file']} counts, not {second['file']}"
    return first | {"review": [*first["review"], said]}


def _missing(name: str) -> Data:
    return {"file": "", **row.unread(row.MISSING, "this set was not handed in"), "set": name}


# ---- the table -----------------------------------------------------------------------------------

_COLUMNS = ("student", "set", "status", "review", "points", "possible", "reason", "file")


def _cells(student: str, made: Data, most: int) -> list[Any]:
    points = [one["points"] for one in made["questions"]]
    head = [
        student,
        made["set"],
        made["status"],
        "yes" if made["review"] else "no",
        made["points"],
        made["possible"],
        "; ".join(made["review"]) or made["reason"],
        made["file"],
    ]
    return head + points + [""] * (most - len(points))


def plain(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula.

    >>> plain("=1+1"), plain(3)
    ("'=1+1", 3)
    """
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\r", " ").replace("\n", " ")
    return f"'{text}" if text.lstrip()[:1] in ("=", "+", "-", "@", "\t", "|", "%") else text


def _head(course: Course, holds: walls.Holds) -> str:
    """The beginning of grades.json, up to its rows."""
    exercises = {
        name: {
            "digest": one.digest,
            "notebook": one.file,
            "questions": one.worth,
        }
        for name, one in course.exercises.items()
    }
    about = {
        "schema": SCHEMA,
        "sandbox": {wall: why or "holds" for wall, why in holds.items()},
        "promises": {name: bool(by) for name, by in walls.holding(holds).items()},
        "limits": course.limits.as_data(),
        "exercises": exercises,
    }
    return json.dumps(about, ensure_ascii=False, indent=1)[:-2] + ',\n "rows": [\n'
