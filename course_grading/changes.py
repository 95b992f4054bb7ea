"""Whose mark is another one than in the results that lay in the folder before, and why."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from course_grading.row import total
from course_lib.classroom.probe import Data

FILE = "changes.csv"
COLUMNS = ("student", "set", "question", "before", "now", "why")
_KEPT = ("points", "possible", "status", "reason", "notebook", "late", "questions")


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
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith('{"student"'):  # one row a line: memory holds one at a time
                    self._add(json.loads(line.rstrip().rstrip(",")), whole)

    def _add(self, made: Data, whole: bool) -> None:
        kept = {key: made.get(key) for key in _KEPT}
        if not whole:
            kept["questions"] = [
                {key: one.get(key) for key in ("question", "points", "word", "override")}
                for one in made["questions"]
            ]
        self._rows[made["student"], made["set"]] = kept

    def row(self, student: str, name: str) -> Data | None:
        """What the row of a student and a set was, None where there was none."""
        return self._rows.get((student, name))

    def merged(self, student: str, made: Data, anew: Collection[str]) -> Data:
        """A row in which only the questions `anew` are of this run, all others as they were.

        A notebook that was not there before is of this run as a whole.
        """
        old = self.row(student, made["set"])
        if not anew or old is None or not made["questions"] or old["notebook"] != made["notebook"]:
            return made
        before = {one["question"]: _as_graded(one) for one in old["questions"]}
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
        old = self.row(student, made["set"])
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


def _as_graded(one: Data) -> Data:
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
