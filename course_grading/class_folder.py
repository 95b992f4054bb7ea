"""What an instructor says about a class, in one folder: who is in it, deadlines, own decisions.

    roster.csv      student, and what else is known: name, email, username, id, github, group
    rules.toml      deadline, grace, penalty, …
    extensions.csv  student, until, and if you like set, reason
    times.csv       student, handed_in
    overrides.csv   student, question, points, reason, who
    *.csv           Moodle's grading worksheet, Canvas's gradebook, as they were downloaded

Each is optional. Every run reads them anew and none changes them, so decisions are kept.

Note [Pools]
`rules.toml` may name questions of which every student has one. Which one follows from the name of
the student or the group alone: `export` leaves the others out of the notebook and of the record
that a student gets, and `grade` leaves them out of the student's row. Nothing has to be remembered.
"""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from course_grading import gradebook, lateness, overrides, reference, roster, row, tables
from course_grading.archives import safe_parts
from course_grading.lateness import Rules
from course_grading.overrides import Overrides, Rubrics
from course_grading.reference import Exercise
from course_grading.roster import Named, Roster
from course_grading.submissions import Submission
from course_lib.classroom.probe import Data
from course_lib.classroom.record import FOLDER, as_json
from course_lib.classroom.trouble import Trouble

FILES = (roster.FILE, lateness.FILE, lateness.EXTENSIONS, lateness.TIMES, overrides.FILE)


@dataclass
class ClassFolder:
    """The class, as far as its folder tells; without a folder everything is empty."""

    roster: Roster = field(default_factory=Roster)
    rules: Rules = field(default_factory=Rules)
    overrides: Overrides = field(default_factory=dict)
    sheets: list[gradebook.Sheet] = field(default_factory=list)
    rubrics: Rubrics = field(default_factory=dict)  # the sets', not the folder's

    def identify(self, found: Iterable[Submission]) -> list[Submission]:
        """The submissions under the names that the class has for its students, with their times."""
        return sorted(self._identify(one) for one in found)

    def _identify(self, one: Submission) -> Submission:
        student, doubt = one.student, ""
        if group := self.roster.find_group(one.said):
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
        when = self._hand_in_time(student, one)
        return replace(one, student=student, when=when, doubt=doubt)

    def _hand_in_time(self, student: str, one: Submission) -> datetime | None:
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
        _check_pools(path, made.rules, exercises)
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
        _check_dealt(path, made, exercises)
    for sheet in made.sheets:
        sheet.handed_in(made.roster, made.rules)
    return made


def _check_pools(path: Path, rules: Rules, exercises: dict[str, Exercise]) -> None:
    """Raise `Trouble` unless whoever gets one question of a pool may get any other of it."""
    for pool in {pool for rule in (rules.rule, *rules.sets.values()) for pool in rule.pools}:
        marks = next((one.marks for one in exercises.values() if pool[0] in one.marks), {})
        if any(name not in marks or marks[name] != marks[pool[0]] for name in pool):
            said = "questions of one set that bring the same points"
            raise Trouble(f"{path}: the pool {', '.join(pool)} cannot be meant; expected {said}", 2)


def _check_dealt(path: Path, about: ClassFolder, exercises: dict[str, Exercise]) -> None:
    """Raise `Trouble` for decisions about questions of a pool that the student does not have."""
    whose = {question: one.name for one in exercises.values() for question in one.marks}
    for (student, question), decision in about.overrides.items():
        team = about.roster.team(student)
        dealt = about.rules.of(whose[question]).dealt(question, team)
        if student != overrides.EVERYBODY and dealt != question:
            said = f"{student} has the question {dealt}, and not {question}"
            raise Trouble(f"{path}, line {decision['line']}: {said}", 2)


def copies(folder: Path, handout: Path, graded: Path | None) -> dict[Path, str]:
    """The files for each student of the class, below their name, with their text; Note [Pools].

    `handout` is what `release` made without solutions, `graded` the same with them.
    """
    exercises, _ = reference.load(graded)
    about = read(folder, exercises)
    if not about.roster:
        raise Trouble(f"{folder} has no {roster.FILE}, so nobody is known to be in the class", 2)
    made: dict[Path, str] = {}
    for person in about.roster:
        home, team = Path("_".join(safe_parts(person.student))), about.roster.team(person.student)
        for name, one in exercises.items():
            dealt = {question: about.rules.of(name).dealt(question, team) for question in one.marks}
            others = {question for question, other in dealt.items() if question != other}
            notebook = _read_handout(handout / one.file)
            notebook["cells"] = _without(notebook["cells"], others)
            path = Path(FOLDER, f"{name}.json")
            record = _read_handout(handout / path)
            for kind in {"questions", "by_hand"} & set(record):
                known = record[kind].items()
                record[kind] = {asked: facts for asked, facts in known if asked not in others}
            made |= {home / one.file: as_json(notebook), home / path: as_json(record)}
    return made


def _read_handout(path: Path) -> Data:
    """A notebook or a record of the handout. Raises `Trouble` where it is none."""
    absent = f"there is no {path}; name the folder that `release` made"
    made: Data = row.read_json(path, absent, "release it again")
    if any("code" in one["solution"] for one in made.get("questions", {}).values()):
        raise Trouble(f"{path} holds solutions; name the folder made for students", 2)
    return made


def _without(cells: list[Data], others: set[str]) -> list[Data]:
    """The cells without those of some questions: all from a prompt on, but words below its check.

    Given code belongs to the question that it follows.
    """
    whose = [cell["metadata"].get("course", {}).get("question", "") for cell in cells]
    ends = {question: place for place, question in enumerate(whose)}
    kept, current = [], ""
    for place, cell in enumerate(cells):
        current = whose[place] or current
        words = cell["cell_type"] != "code" and place > ends.get(current, 0)
        if current not in others or words:
            kept.append(cell)
    return kept


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
