"""A class as a learning platform gives it out: the download, its grading sheet, and the truth.

Students hand in late, twice, in groups, in a zip file, broken, under odd names, or not at all.
"""

import csv
import io
import json
import random
import zipfile
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from grading.submitting import Notebook, notebook, record

PLATFORMS = ("Moodle", "Canvas", "Blackboard", "Brightspace", "GitHub")
DUE = datetime(2026, 11, 20, 18, 0)
FIRST = "Ada Alan Grace Edsger Barbara Donald Zoë José Søren Anna-Lena Mary-Jane Yu".split()
LAST = (
    "Lovelace Turing Hopper Dijkstra Liskov Knuth O'Neil Núñez Müller García van-der-Berg".split()
)
RULES = """\
deadline = "2026-11-20 18:00"
timezone = "Europe/Berlin"
grace = 15
penalty = 10
most = 50
missing = "zero"
column = "Lab 1"
"""


@dataclass
class Student:
    """One student, what was handed in, and what comes of it."""

    first: str
    last: str
    number: int
    kind: str = "right"
    group: str = ""
    files: list[tuple[datetime, str, bytes]] = field(default_factory=list)  # when, name, content
    points: float | None = None
    status: str = "graded"
    days: int = 0

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def user(self) -> str:
        return f"{self.first[0].lower()}user{self.number}"


KINDS = (
    *("right", "right", "right", "wrong", "wrong", "blank", "late", "very late", "grace"),
    *("twice", "twice late", "extended", "zipped", "broken", "pdf", "nothing", "copy", "group"),
)


class MadeUp:
    """A class for one platform."""

    def __init__(self, platform: str, students: int, set_: str = "welcome", seed: int = 1) -> None:
        self.platform, self.set = platform, set_
        self.rng = random.Random(f"{seed}/{platform}")
        self.known = record(set_)["questions"]
        self.possible = sum(one["difficulty"] for one in self.known.values())
        self.students = [self._student(number) for number in range(students)]
        self._groups()
        for one in self.students:
            self._hand_in(one)

    # ---- who hands in what -----------------------------------------------------------------------

    def _student(self, number: int) -> Student:
        first, last = FIRST[number % len(FIRST)], LAST[number // len(FIRST) % len(LAST)]
        if number >= len(FIRST) * len(LAST):  # further ones get a second first name
            first = f"{first} {FIRST[(number * 5 + 1) % len(FIRST)]}"
        made = Student(first, last, 48213 + 7 * number)
        made.kind = KINDS[number % len(KINDS)]
        timed = self.platform in ("Blackboard", "Brightspace", "Moodle")
        if not timed and made.kind in ("late", "very late", "grace", "twice", "twice late"):
            made.kind = "right"
        if self.platform == "Moodle" and made.kind.startswith("twice"):
            made.kind = "right"  # Moodle gives out the last attempt alone
        return made

    def _groups(self) -> None:
        """Each member but the first of a group hands in nothing."""
        grouped = [one for one in self.students if one.kind == "group"]
        for number, one in enumerate(grouped):
            one.group = f"team {number // 2 + 1}"

    def _book(self, one: Student, answers: dict[str, str] | None = None) -> bytes:
        made: Notebook = notebook(self.set, answers)
        made["metadata"]["student"] = one.number  # so that no two are equal but by intent
        return json.dumps(made).encode()

    def _wrong(self, one: Student) -> tuple[bytes, int]:
        """A notebook with a wrong answer to a question that has one, and its points."""
        name = self.rng.choice([name for name, known in self.known.items() if known["wrong"]])
        code = self.rng.choice(self.known[name]["wrong"])["code"]
        return self._book(one, {name: code}), self.possible - self.known[name]["difficulty"]

    def _hand_in(self, one: Student) -> None:
        number = self.students.index(one)
        on_time = DUE - timedelta(minutes=self.rng.randrange(5, 5000))
        file = self.rng.choice(["work", "Untitled 1", "ex00_welcome (1)", "Ü"]) + ".ipynb"
        right, all_points = self._book(one), self.possible
        one.points = all_points
        match one.kind:
            case "wrong":
                book, one.points = self._wrong(one)
                one.files = [(on_time, file, book)]
            case "blank":
                stubs = {name: known["stub"]["code"] for name, known in self.known.items()}
                one.files, one.points = [(on_time, file, self._book(one, stubs))], 0
            case "grace":
                one.files = [(DUE + timedelta(minutes=14), file, right)]
            case "late" | "very late":
                one.days = 1 if one.kind == "late" else 9
                one.files = [(DUE + timedelta(days=one.days - 1, hours=3), file, right)]
                one.points = round(all_points * (1 - min(0.5, 0.1 * one.days)), 2)
            case "twice":  # the first is wrong, the second right and on time
                book, _ = self._wrong(one)
                one.files = [(on_time - timedelta(days=1), file, book), (on_time, file, right)]
            case "twice late":  # the second, which is right, is late: the first counts
                book, one.points = self._wrong(one)
                one.files = [(on_time, file, book), (DUE + timedelta(days=2), file, right)]
            case "extended":
                one.files = [(DUE + timedelta(days=3), file, right)]
            case "zipped":
                one.files = [(on_time, "hw.zip", packed({"hw/" + file: right, "hw/note.txt": b""}))]
            case "broken":
                one.files = [(on_time, file, right[: len(right) // 2])]
            case "pdf":
                one.files = [(on_time, "work.pdf", b"%PDF")]
            case "copy":
                one.files = [(on_time, file, self._book(self.students[number - 1]))]
            case "group":
                mates = [other for other in self.students if other.group == one.group]
                if one is mates[0]:
                    one.files = [(on_time, file, right)]
            case "right":
                one.files = [(on_time, file, right)]
        if one.kind in ("broken", "pdf", "nothing"):
            one.status = "unreadable" if one.kind == "broken" else "missing"
            one.points = None

    # ---- as the platform gives it out ------------------------------------------------------------

    def download(self) -> dict[str, bytes]:
        """The files of the download, by their names."""
        made: dict[str, bytes] = {}
        for one in self.students:
            for number, (when, name, content) in enumerate(one.files):
                made[self._path(one, when, name, number)] = content
            if self.platform == "GitHub" and one.files:
                made[f"lab-1-{one.user}/.git/HEAD"] = b"ref: refs/heads/main\n"
        return made

    def _path(self, one: Student, when: datetime, name: str, number: int) -> str:
        match self.platform:
            case "Moodle":
                return f"{one.name}_{one.number}_assignsubmission_file_/{name}"
            case "Canvas":
                plain = "".join(c for c in f"{one.last}{one.first}".lower() if c.isalnum())
                late = "LATE_" if when > DUE else ""
                return f"{plain}_{late}{one.number}_{9000 + one.number}_{name}"
            case "Blackboard":
                return f"Lab 1_{one.user}_attempt_{when:%Y-%m-%d-%H-%M-%S}_{name}"
            case "Brightspace":
                day = f"{when:%b} {when.day}, {when.year} {int(when.strftime('%I'))}{when:%M %p}"
                return f"{one.number}-99 - {one.name} - {day}/{name}"
            case _:
                return f"lab-1-{one.user}/{name}"

    def sheet(self) -> tuple[str, list[list[Any]]]:
        """The platform's own list of the class, with its file name."""
        if self.platform == "Moodle":
            heads = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,"
            heads += "Grade can be changed,Last modified (submission),Last modified (grade),"
            lines: list[list[Any]] = [f"{heads}Feedback comments".split(",")]
            for one in self.students:
                lines.append([f"Participant {one.number}", one.name, f"{one.user}@example.org"])
                last = max((when for when, _, _ in one.files), default=None)
                said = f"{last:%A, %d %B %Y, %I:%M %p}" if last else "-"
                lines[-1] += ["Submitted", "", "100.00", "Yes", said, "-", ""]
            return "Grades-CS101-Lab 1-4711.csv", lines
        heads = "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (4711),Quiz (12)"
        lines = [heads.split(","), ["    Points Possible", "", "", "", "", "20.00", "5.00"]]
        for one in self.students:
            name = f"{one.last}, {one.first}"
            lines.append([name, one.number, f"s{one.number}", one.user, "A", "", "3"])
        return "2026-11-21T0900_Grades-CS101.csv", lines

    def roster(self) -> list[list[Any]]:
        """roster.csv, line by line."""
        heads = ["student", "name", "email", "username", "group", "id"]
        lines = [
            [one.user, one.name, f"{one.user}@example.org", one.user, one.group, one.number]
            for one in self.students
        ]
        return [heads, *lines]

    def write(self, folder: Path) -> None:
        """Everything into a folder."""
        about = folder / "class"
        about.mkdir(parents=True, exist_ok=True)
        (folder / "download.zip").write_bytes(packed(self.download()))
        (about / "roster.csv").write_text(table(self.roster()), encoding="utf-8")
        (about / "rules.toml").write_text(RULES, encoding="utf-8")
        ill = [one for one in self.students if one.kind == "extended"]
        until = [["student", "until", "reason"], *([one.user, "2026-11-24", "ill"] for one in ill)]
        (about / "extensions.csv").write_text(table(until), encoding="utf-8")
        if self.platform in ("Moodle", "Canvas"):
            name, lines = self.sheet()
            (about / name).write_text(table(lines), encoding="utf-8-sig")
        if self.platform in ("Canvas", "GitHub"):
            there = [one for one in self.students if one.files]
            times = [[one.user, one.files[0][0].isoformat(" ")] for one in there]
            (about / "times.csv").write_text(table([["student", "handed_in"], *times]), "utf-8")


def packed(files: dict[str, bytes]) -> bytes:
    """A zip file with these files in it."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def table(lines: list[list[Any]]) -> str:
    """Lines as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(lines)
    return text.getvalue()
