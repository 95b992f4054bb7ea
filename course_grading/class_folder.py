"""What an instructor says about a class, in one folder: who is in it, deadlines, own decisions.

    roster.csv      student, and what else is known: name, email, username, id, github, group
    rules.toml      deadline, grace, penalty, …
    extensions.csv  student, until, and if you like set, reason
    times.csv       student, handed_in
    overrides.csv   student, question, points, reason, who
    *.csv           Moodle's grading worksheet, Canvas's gradebook, as they were downloaded

Each is optional. Every run reads them anew and none changes them, so decisions are kept.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from course_grading import gradebook, lateness, overrides, roster, tables
from course_grading.lateness import Rules
from course_grading.overrides import Rubrics
from course_grading.reference import Exercise
from course_grading.roster import Named, Roster
from course_grading.submissions import Submission
from course_lib.classroom.trouble import Trouble

FILES = (
    roster.FILE,
    lateness.FILE,
    lateness.EXTENSIONS,
    lateness.TIMES,
    overrides.FILE,
)


@dataclass
class ClassFolder:
    """The class, as far as its folder tells; without a folder everything is empty."""

    roster: Roster = field(default_factory=Roster)
    rules: Rules = field(default_factory=Rules)
    overrides: overrides.Overrides = field(default_factory=dict)
    sheets: list[gradebook.Sheet] = field(default_factory=list)
    rubrics: Rubrics = field(default_factory=dict)  # the sets', not the folder's

    def identify(self, found: Iterable[Submission]) -> list[Submission]:
        """The submissions under the names that the class has for its students, with their times."""
        return sorted(self._identified(one) for one in found)

    def _identified(self, one: Submission) -> Submission:
        student, doubt = one.student, ""
        if group := self.roster.group_named(one.said):
            student = group
        elif self.roster:
            people = self.roster.find(one.said)
            if len(people) == 1:
                student = people[0].student
            elif people:
                names = ", ".join(person.student for person in people[:5])
                doubt = f"who handed it in? The class has several of this name: {names}"
            else:
                doubt = f"{student} is not in the class's list"
        when = self._when(student, one)
        return replace(one, student=student, when=when, doubt=doubt)

    def _when(self, student: str, one: Submission) -> datetime | None:
        rules = self.rules
        members = [student] if student in rules.times else self.roster.group(student)
        if known := [rules.times[member] for member in members if member in rules.times]:
            return max(known)
        if one.said.when:
            return rules.local(one.said.when)
        if rules.files and not one.problem:
            modified = one.path.lstat().st_mtime
            return datetime.fromtimestamp(modified, rules.zone).astimezone(rules.zone)
        return None


def read(folder: Path | None, exercises: dict[str, Exercise]) -> ClassFolder:
    """What the folder says. Raises `Trouble`, which names the file, the line and what to do."""
    made = ClassFolder()
    made.rubrics = {
        name: facts.get("rubric", [])
        for one in exercises.values()
        for name, facts in one.by_hand.items()
    }
    if folder is None:
        return made
    if not folder.is_dir():
        raise Trouble(f"there is no folder {folder}; name the one with roster.csv and the like", 2)
    sets = list(exercises)
    worth = {name: points for one in exercises.values() for name, points in one.marks.items()}
    if (path := folder / lateness.FILE).is_file():
        made.rules = lateness.read(path, sets)
    if (path := folder / roster.FILE).is_file():
        made.roster = roster.read(path)
    made.sheets = list(_sheets(folder, made.rules))
    for sheet in made.sheets:
        made.roster.add(sheet.people())

    def student(line: tables.Line) -> str:
        return whom(line, made.roster)

    if (path := folder / lateness.EXTENSIONS).is_file():
        lateness.read_extensions(path, made.rules, sets, student)
    if (path := folder / lateness.TIMES).is_file():
        lateness.read_times(path, made.rules, student)
    if (path := folder / overrides.FILE).is_file():
        made.overrides = overrides.read(
            path, worth, made.rubrics, lambda line: whom(line, made.roster, groups=True)
        )
    for sheet in made.sheets:
        sheet.handed_in(made.roster, made.rules)
    return made


def _sheets(folder: Path, rules: Rules) -> Iterable[gradebook.Sheet]:
    for path in sorted(folder.iterdir()):
        if path.name in FILES or path.name.startswith("."):
            continue
        if path.suffix.lower() == ".toml":
            raise Trouble(f"there is no use for {path}; rules are in {lateness.FILE}", 2)
        if path.suffix.lower() != ".csv":
            _not_a_table(path)
            continue
        sheet = gradebook.read_sheet(path, rules.column)
        if sheet is None:
            near = difflib.get_close_matches(path.name, FILES, 1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(FILES)}"
            raise Trouble(
                f"there is no use for {path}: {hint}. Moodle's worksheet begins with Identifier, "
                "Canvas's gradebook with Student and ID; download it with the platform in English",
                2,
            )
        yield sheet


def _not_a_table(path: Path) -> None:
    """Raise `Trouble` for a spreadsheet or a rule under another ending; notes may lie here."""
    stem = path.name.lower().partition(".")[0]
    meant = next((name for name in FILES if Path(name).stem == stem), "")
    if meant or path.suffix.lower() in (".xlsx", ".xls", ".ods", ".numbers"):
        name = meant or f"{path.stem}.csv"
        raise Trouble(f"{path} is no CSV file; save it as {name}, or move it elsewhere", 2)


def whom(line: tables.Line, people: Roster, groups: bool = False) -> str:
    """Whom a line means. Without a list of the class every name is taken as it stands."""
    said = line.needed("student")
    if not people or groups and people.is_group(said):
        return said
    known = [one.student for one in people]
    if said in known:
        return said
    if people.is_group(said):
        members = ", ".join(people.group(said)[:6])
        raise line.wrong(f"{said} is a group; name a student of it: {members}")
    found = people.find(Named("", said, said if said.isdecimal() else ""))
    if len(found) == 1:
        return found[0].student
    if found:
        names = ", ".join(one.student for one in found)
        raise line.wrong(f"{said} may be any of {names}; write one of these")
    near = ", ".join(difflib.get_close_matches(said, known, 3, 0.5) or known[:3])
    raise line.wrong(f"there is no student {said} in this class; name one such as {near}")
