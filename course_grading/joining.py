"""The rows of one student: attempts, lateness and people's decisions joined to what was graded.

And whose mark is another one than in the results that lay in the folder before, and why.
"""

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from course_grading import lateness, overrides, row
from course_grading.class_folder import ClassFolder
from course_grading.lateness import Attempt
from course_grading.reference import Exercise
from course_grading.row import Journal, total
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import NOT_ATTEMPTED


class Joined:
    """Students and their rows."""

    def __init__(
        self,
        graded: Iterable[Any],
        journal: Journal,
        exercises: dict[str, Exercise],
        sets: tuple[str, ...],
        class_folder: ClassFolder,
        before: "Before",
        anew: tuple[str, ...] = (),
    ) -> None:
        self._journal, self._exercises, self._sets = journal, exercises, sets
        self._class, self._anew = class_folder, anew
        self.before = before
        self._order = list(exercises)
        self._untimed: set[str] = set()  # notebooks with a deadline and no time
        self.people: dict[str, list[Any]] = {one.student: [] for one in class_folder.roster}
        graded = list(graded)
        self._marking = {said.platform for one in graded if (said := one.submission.said).late}
        for one in graded:
            for student in class_folder.roster.group(one.submission.student):
                self.people.setdefault(student, []).append(one)
        self.people = dict(sorted(self.people.items()))

    def rows(self, student: str) -> list[Data]:
        """A student's rows, one for each set, with the file that each was made from."""
        by_set: dict[str, list[Attempt]] = {}
        rest: list[Attempt] = []
        for one in self.people[student]:
            attempt = self._attempt(student, one)
            if attempt.row["status"] != row.OTHER:
                by_set.setdefault(attempt.row["set"], []).append(attempt)
        rest = by_set.pop("", [])
        rows = {name: self._counting(name, attempts) for name, attempts in by_set.items()}
        left = _few([one.row for one in rest if not self._is_over(one, by_set, rows)])
        known = bool(self._class.roster)  # then whoever is missing is known to be, and needs nobody
        names = [name for name in self._sets if name not in rows] if not rest else []
        missing = [_missing(name, known) for name in names]
        if not rows and not left and not missing:
            missing = [_missing("", known)]
        made = [*(rows[name] for name in self._order if name in rows), *missing, *left]
        made = self._decided_rows(student, made)
        mine = (student, self._class.roster.team(student), overrides.EVERYBODY)
        return [
            lateness.take_off(overrides.apply(one, mine, self._class.overrides)) for one in made
        ]

    @property
    def untimed(self) -> int:
        """Notebooks that a deadline holds for and that have no time; a group's counts once."""
        return len(self._untimed)

    def unused(self) -> list[str]:
        """Sentences about decisions of people that nothing was handed in for."""
        decided, is_group = self._class.overrides, self._class.roster.is_group
        known = {key for key in decided if key[0] in self.people or is_group(key[0])}
        return overrides.unused_decisions(decided, known)

    def _attempt(self, student: str, one: Any) -> Attempt:
        """One notebook of the student with its time, and with what that costs."""
        submission, rules = one.submission, self._class.rules
        made = self._dealt(student, one.row or self._journal.row(one.key))
        when = submission.when
        review, notes = list(made["review"]), list(made["notes"])
        if submission.doubt:
            review.append(submission.doubt)
        late = None
        if made["set"] and rules.of(made["set"]).deadline:
            group = self._class.roster.group(student)
            late = rules.late(made["set"], group, when)
            if when is None and submission.said.late:
                said = f"{submission.said.platform} marks it as late and does not say how late"
                review.append(f"{said}; write the time into {lateness.TIMES}")
            elif when is None and submission.said.platform in self._marking:
                notes.append(f"{submission.said.platform} does not mark it as late")
            elif when is None:
                notes.append("when it was handed in is not known, so it counts as on time")
                self._untimed.add(submission.file)
        about = {
            "file": submission.file,
            "handed_in": when.isoformat() if when else None,
            "late": late,
            "by": submission.student if submission.student != student else "",
            "notebook": one.notebook,
        }
        joined = about | made | {"review": review, "notes": notes}
        joined = self.before.merge_rows(student, joined, self._anew)
        return Attempt(lateness.take_off(joined), when, one.key or submission.file)

    def _dealt(self, student: str, made: Data) -> Data:
        """The row without questions of a pool of which the student was dealt another one."""
        rule, team = self._class.rules.of(made["set"]), self._class.roster.team(student)
        if not rule.pools:
            return made
        own = {one["question"]: rule.dealt(one["question"], team) for one in made["questions"]}
        kept = [one for one in made["questions"] if own[one["question"]] == one["question"]]
        others = [one["question"] for one in made["questions"] if one not in kept]
        review = [said for said in made["review"] if said.partition(": ")[0] not in others]
        review += [
            f"{one['question']} was answered, and {own[one['question']]} was dealt to {team}"
            for one in made["questions"]
            if one["question"] in others and one["word"] != NOT_ATTEMPTED
        ]
        return made | {"questions": kept, "review": review, **total(kept)}

    def _counting(self, name: str, attempts: list[Attempt]) -> Data:
        if len(attempts) == 1:
            return attempts[0].row
        return lateness.choose(attempts, self._class.rules.of(name))

    def _is_over(
        self, one: Attempt, by_set: dict[str, list[Attempt]], rows: dict[str, Data]
    ) -> bool:
        """True for a broken notebook that was handed in again; the row that counts tells of it."""
        if len(rows) != 1 or len(self._exercises) > 1 and len(self._sets) != 1:
            return False
        ((name, attempts),) = by_set.items()
        later = [other for other in attempts if other.when and one.when and other.when >= one.when]
        if later:
            said = f"{one.row['file']}, handed in before, could not be used: {one.row['reason']}"
            rows[name] = rows[name] | {"notes": [said[:300], *rows[name]["notes"]]}
        return bool(later)

    def _decided_rows(self, student: str, made: list[Data]) -> list[Data]:
        """Rows for sets that a person has given points for, though nothing could be graded."""
        graded = {one["set"] for one in made if one["status"] == row.GRADED}
        names = {student, self._class.roster.team(student)}
        meant = {question for name, question in self._class.overrides if name in names}
        for name, exercise in self._exercises.items():
            if name in graded or not meant.intersection(exercise.marks):
                continue
            old = next((one for one in made if one["set"] in ("", name)), None)
            made = [one for one in made if one is not old]
            made.append(self._dealt(student, _by_hand(exercise, old)))
        return made


_FEW = 3  # rows of one student's files that could not be graded


def _few(rows: list[Data]) -> list[Data]:
    """The rows, or the first of many with a word about the others."""
    if len(rows) <= _FEW:
        return rows
    said = f"{rows[0]['reason']}; {len(rows) - 1} more files could not be graded either"
    return [rows[0] | {"reason": said, "review": [said]}]


_NOTHING: Data = {"file": "", "handed_in": None, "late": None, "by": "", "notebook": ""}


def _missing(name: str, known: bool) -> Data:
    said = "this set was not handed in" if name else "nothing was handed in"
    made = {**_NOTHING, **row.unread(row.MISSING, said), "set": name}
    return made | {"review": []} if known else made


def _by_hand(exercise: Exercise, old: Data | None) -> Data:
    """A row with nothing in it but what a person decides about."""
    questions = [row.by_hand(name, points, []) for name, points in exercise.marks.items()]
    made = _NOTHING | row.make_row(exercise, [], questions)
    if old:
        kept = {key: old[key] for key in _NOTHING}
        notes = [f"marked by hand: {old['reason']}"]
        made |= kept | {"reason": old["reason"], "notes": notes}
    return made


CHANGES = "changes.csv"
CHANGED = ("student", "set", "question", "before", "now", "why")
_KEPT_BEFORE = ("points", "possible", "status", "reason", "notebook", "late", "questions")


class Before:
    """The rows that an earlier run has left in `grades.json`; none where there is no such file.

    `whole` keeps all of them, as grading one question anew has to; else only the marks.
    """

    def __init__(self, folder: Path, whole: bool = False) -> None:
        self._rows: dict[tuple[str, str], Data] = {}
        path = folder / "grades.json"
        self.known = path.is_file()
        if not self.known:
            return
        with row.reading(path), open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith('{"student"'):  # one row a line: memory holds one at a time
                    self._add(json.loads(line.rstrip().rstrip(",")), whole)

    def _add(self, made: Data, whole: bool) -> None:
        kept = {key: made.get(key) for key in _KEPT_BEFORE}
        marks = [
            {key: one[key] for key in ("question", "points", "word")}
            | {"override": one.get("override")}
            for one in made["questions"]
        ]
        if not whole:
            kept["questions"] = marks
        self._rows[made["student"], made["set"]] = kept

    def merge_rows(self, student: str, made: Data, anew: Collection[str]) -> Data:
        """A row in which only the questions `anew` are of this run, all others as they were.

        A notebook that was not there before is of this run as a whole.
        """
        old = self._rows.get((student, made["set"]))
        if not anew or old is None or not made["questions"] or old["notebook"] != made["notebook"]:
            return made
        before = {one["question"]: _without_decisions(one) for one in old["questions"]}
        questions = [
            one if one["question"] in anew else before.get(one["question"], one)
            for one in made["questions"]
        ]
        own = [f"{one['question']}: {said}" for one in made["questions"] for said in one["review"]]
        now = [f"{one['question']}: {said}" for one in questions for said in one["review"]]
        others = [said for said in made["review"] if said not in own]
        return made | {"questions": questions, "review": [*others, *now], **total(questions)}

    def differences(self, student: str, made: Data) -> list[tuple[str, str, str, str]]:
        """Question, mark before, mark now and reason, for every mark of a row that is another."""
        old = self._rows.get((student, made["set"]))
        if not self.known:
            return []
        if old is None:
            return [("", "", _mark(made), f"new: {made['status']}")]
        before = {one["question"]: one for one in old["questions"]}
        found = []
        for one in made["questions"]:
            was = before.get(one["question"])
            if was is None or was["points"] != one["points"]:
                found.append((one["question"], _points(was), _points(one), _why(one, was)))
        if _mark(made) != _mark(old):
            found.append(("", _mark(old), _mark(made), _why_all(made, old)))
        return found


def _without_decisions(one: Data) -> Data:
    """A question without what a person has decided: that is read anew."""
    decided = one.get("override")
    if not decided:
        return one
    kept = {key: value for key, value in one.items() if key != "override"}
    return kept | {"points": decided["was"]}


def _points(one: Data | None) -> str:
    if one is None:
        return ""
    return "open" if one["points"] is None else f"{one['points']}"


def _mark(made: Data) -> str:
    return f"{made['points']} of {made['possible']}" if made["possible"] else str(made["status"])


def _why(one: Data, was: Data | None) -> str:
    decided = one.get("override")
    if decided:
        return f"decided by {decided['who']}: {decided['reason']}"
    if was is None:
        return "a new question"
    if was.get("override"):
        return "the decision of a person is gone"
    return f"{was['word']}, now {one['word']}" if was["word"] != one["word"] else "graded anew"


def _why_all(made: Data, old: Data) -> str:
    if made["notebook"] != old["notebook"]:
        return "another notebook counts"
    if made["late"] != old["late"]:
        return "late" if made["late"] else "no longer late"
    return "the sum of its questions"
