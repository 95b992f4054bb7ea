"""Marks that people have given: they stand above the grader's, and say by whom and why."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

from course_lib.classroom.grading import tables
from course_lib.classroom.grading.lateness import number
from course_lib.classroom.probe import Data

FILE = "overrides.csv"
Overrides = dict[tuple[str, str], Data]  # by student and question


def read(path: Path, worth: dict[str, int], student: Callable[..., str]) -> Overrides:
    """The decisions in `overrides.csv`. Raises `Trouble`, which names the line.

    `worth` says how many points each question has; `student` names whom a line means.
    """
    found: Overrides = {}
    for line in tables.read(path, ["student", "question", "points", "reason", "who"]):
        question = line.needed("question")
        if question not in worth:
            near = difflib.get_close_matches(question, worth) or list(worth)[:6]
            raise line.wrong(f"there is no question {question}; name one such as {', '.join(near)}")
        key = student(line), question
        if key in found:
            before = found[key]["line"]
            raise line.wrong(f"line {before} decides about {question} of {key[0]} too; keep one")
        found[key] = {
            "points": _points(line, worth[question]),
            "reason": line.needed("reason"),
            "who": line.needed("who"),
            "line": line.number,
        }
    return found


def _points(line: tables.Line, most: int) -> float:
    written = line.needed("points")
    try:
        points = float(written.replace(",", "."))
    except ValueError:
        points = -1.0
    if not 0 <= points <= most:
        raise line.wrong(f"points are {written}; expected a number from 0 to {most}")
    return number(points)


def apply(made: Data, student: str, decided: Overrides) -> Data:
    """The row with the decisions about this student in it; a question that has one needs nobody.

    What the grader had found stays in the question, beside the decision.
    """
    questions = []
    settled: list[str] = []
    for one in made["questions"]:
        decision = decided.get((student, one["question"]))
        if decision:
            settled += [f"{one['question']}: {reason}" for reason in one["review"]]
            by = {key: decision[key] for key in ("points", "reason", "who")}
            one = one | {"points": decision["points"], "review": []}
            one["override"] = by | {"was": _was(made, one["question"])}
        questions.append(one)
    return made | {
        "questions": questions,
        "review": [reason for reason in made["review"] if reason not in settled],
        "points": number(round(sum(one["points"] for one in questions), 2)),
    }


def _was(made: Data, question: str) -> float:
    return next(one["points"] for one in made["questions"] if one["question"] == question)


def unused(decided: Overrides, applied: set[tuple[str, str]]) -> list[str]:
    """Sentences about decisions that no hand-in was there for."""
    return [
        f"line {decision['line']} of {FILE}: {student} has handed in no answer to {question}"
        for (student, question), decision in decided.items()
        if (student, question) not in applied
    ]
