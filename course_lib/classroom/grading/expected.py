"""What right, wrong and untouched answers show for the secret seed: recorded anew for each grading.

A warm process of its own runs the course's answers, behind the same walls; it never meets a
student's code, and no process that does ever meets these.
"""

from __future__ import annotations

import threading
from typing import Any, Protocol

from course_lib.classroom.grading import data, warm
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.reference import Exercise
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import CORRECT, judge

RUNS = 2  # runs with different seeds that each answer has to stand


class Foretold(Protocol):
    """What a unit of work has to know."""

    seeds: list[str]

    def of(self, name: str) -> list[Data]:
        """For each seed, the records of the set's questions by name."""


class Expected:
    """Records for the secret seed, made when a set is first needed, or all at once."""

    def __init__(
        self,
        exercises: dict[str, Exercise],
        records: dict[str, Data],
        seed: str,
        limits: Limits,
    ) -> None:
        self.seeds = [f"{seed}/{number}" for number in range(1, RUNS + 1)]
        self._exercises, self._records, self._limits = exercises, records, limits
        self._made: dict[str, list[Data]] = {}
        self._lock = threading.Lock()
        self._warm: warm.Asked | None = None

    def of(self, name: str) -> list[Data]:
        """For each seed, the records of the set's questions by name."""
        with self._lock:
            if name not in self._made:
                exercise = self._exercises[name]
                self._made[name] = [self._recorded(exercise, seed) for seed in self.seeds]
            return self._made[name]

    def as_data(self) -> Data:
        """All that it has recorded, as JSON."""
        return {"seeds": self.seeds, "records": self._made}

    def close(self) -> None:
        """End the process, if one was started."""
        with self._lock:
            if self._warm is not None:
                self._warm.close()
                self._warm = None

    def _recorded(self, exercise: Exercise, seed: str) -> Data:
        made = {}
        for question in exercise.questions:
            known = self._records[exercise.name]["questions"][question]
            right = self._run(exercise, question, seed, known["solution"]["code"])
            solution = right.data
            if solution is None or solution["error"] or not solution["entries"]:
                raise Trouble(
                    f"the solution of {question} does not run here, so it cannot be graded: "
                    f"{_why(right)}"
                )
            record: Data = {
                "type": known["type"],
                "answers": known["answers"],
                "solution": {"data": solution},
                "stub": {
                    "code": known["stub"]["code"],
                    "data": self._data(exercise, question, seed, known["stub"]["code"]),
                },
                "wrong": [
                    {
                        "data": self._data(exercise, question, seed, wrong["code"]),
                        "message": wrong["message"],
                    }
                    for wrong in known["wrong"]
                    if "code" in wrong and seed == self.seeds[0]  # once is enough to know it by
                ],
            }
            record["decoys"] = [
                name
                for name, shown in right.decoys.items()
                if judge(question, shown, record).word != CORRECT
            ]
            made[question] = record
        return made

    def _data(self, exercise: Exercise, question: str, seed: str, code: str) -> Data:
        found = self._run(exercise, question, seed, code).data
        return found or {"entries": [], "error": {"type": "TookTooLong", "message": "no data"}}

    def _run(self, exercise: Exercise, question: str, seed: str, code: str) -> data.Told:
        if self._warm is None:
            kits = {name: one.kit for name, one in self._exercises.items()}
            self._warm = warm.start(kits, self._limits, slot=999)
        job = run_job(exercise.name, question, seed, [[1, code]], self._limits)
        try:
            return data.lines(self._warm.ask(job)["said"])
        except warm.Lost:
            return data.Told(broke="the process that ran it was lost")


class Recorded:
    """The same, from what another process recorded.

    >>> Recorded({"seeds": ["a/1"], "records": {"demo": [{}]}}).of("demo")
    [{}]
    """

    def __init__(self, data: Data) -> None:
        self.seeds: list[str] = data["seeds"]
        self._records: dict[str, list[Data]] = data["records"]

    def of(self, name: str) -> list[Data]:
        """For each seed, the records of the set's questions by name."""
        return self._records[name]


def run_job(
    name: str, question: str, seed: str, cells: Any, limits: Limits, seconds: float | None = None
) -> Data:
    """The job of running one question once."""
    return {
        "kind": "run",
        "set": name,
        "question": question,
        "seed": seed,
        "cells": cells,
        "seconds": limits.seconds if seconds is None else seconds,
        "patience": limits.patience,
    }


def _why(told: data.Told) -> str:
    if told.broke:
        return told.broke
    errors = [error for _, error in told.raised] + [(told.data or {}).get("error")]
    known = [f"{error['type']}: {error['message']}" for error in errors if error]
    return known[0] if known else "it shows nothing"
