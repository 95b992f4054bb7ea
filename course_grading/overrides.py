"""Marks that people have given: they stand above the grader's, and say by whom and why."""

import difflib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from course_grading import tables
from course_grading.row import total, waits
from course_lib.classroom.credit import number
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble

FILE = "overrides.csv"
Overrides = dict[tuple[str, str], Data]  # by student, group or EVERYBODY, and question


EVERYBODY = "*"  # in place of a student: all who handed in the set, and have no line of their own
TO_MARK = "to_mark.csv"
COLUMNS = ("student", "question", "items", "points", "reason", "who", "rubric", "answer")
Rubrics = dict[str, list[Any]]  # of each question that a person marks: points and words


def read(
    path: Path, worth: dict[str, float], rubrics: Rubrics, student: Callable[..., str]
) -> Overrides:
    """The decisions in `overrides.csv`. Raises `Trouble`, which names the line.

    `worth` says how many points each question has; `student` names whom a line means, which may be
    a group. A line in which nothing is decided yet is passed over. What is wrong with any line is
    told at once.
    """
    found: Overrides = {}
    wrong: list[str] = []
    for line in list(tables.read(path, ["student", "question", "who"], COLUMNS)):
        if not any(line[column] for column in ("items", "points", "reason")):
            continue
        try:
            _read(line, worth, rubrics, student, found)
        except Trouble as trouble:
            wrong.append(str(trouble))
    if wrong:
        raise Trouble("\n".join(wrong), 2)
    return found


def _read(
    line: tables.Line,
    worth: dict[str, float],
    rubrics: Rubrics,
    student: Callable[[tables.Line], str],
    found: Overrides,
) -> None:
    """Add what a line decides to what was `found`. Raises `Trouble`."""
    question = line.needed("question")
    if question not in worth:
        near = difflib.get_close_matches(question, worth) or list(worth)[:6]
        raise line.wrong(f"there is no question {question}; name one such as {', '.join(near)}")
    key = (EVERYBODY if line["student"] == EVERYBODY else student(line)), question
    if key in found:
        before = found[key]["line"]
        raise line.wrong(f"line {before} decides about {question} of {key[0]} too; keep one")
    points, reason = (
        _items(line, rubrics.get(question, []))
        if line["items"]
        else (_points(line, worth[question]), line.needed("reason"))
    )
    found[key] = {
        "points": points,
        "reason": reason,
        "who": line.needed("who"),
        "line": line.number,
    }


def _items(line: tables.Line, rubric: list[Any]) -> tuple[float, str]:
    """The sum of the items of the rubric that a line names, and their words."""
    if not rubric:
        raise line.wrong(f"{line['question']} has no rubric; give points and a reason")
    if line["points"]:
        raise line.wrong("it has items and points; leave one of the two empty")
    met: list[int] = []
    for word in re.split(r"[\s,;]+", line["items"].strip()):
        if word != "0" and (not word.isdecimal() or int(word) > len(rubric)):
            last = len(rubric)
            raise line.wrong(f"items are {line['items']}; expected numbers from 1 to {last}, or 0")
        met += [int(word)] if word != "0" else []
    words = [rubric[place - 1][1] for place in sorted(set(met))]
    said = "; ".join(words) or "none of the rubric"
    reason = f"{line['reason']} ({said})" if line["reason"] else said
    points = sum(rubric[place - 1][0] for place in set(met))
    return number(round(points, 2)), reason


def to_mark(student: str, made: Data, rubrics: Rubrics) -> list[list[str]]:
    """A line for each answer of a row that waits for a person, to be filled in.

    `student` may be a group: then the line holds for each of its members.
    """
    return [
        [
            *(student, one["question"], "", "", "", ""),
            "; ".join(
                f"{place}: {words} ({points})"
                for place, (points, words) in enumerate(rubrics.get(one["question"], []), 1)
            ),
            "\n".join(text for _, text in one["cells"]),
        ]
        for one in made["questions"]
        if waits(one)
    ]


def _points(line: tables.Line, most: float) -> float:
    written = line.needed("points")
    try:
        points = float(written.replace(",", "."))
    except ValueError:
        points = -1.0
    if not 0 <= points <= most:
        raise line.wrong(f"points are {written}; expected a number from 0 to {most}")
    return number(points)


def apply(made: Data, names: Sequence[str], decided: Overrides) -> Data:
    """The row with the decisions about a student in it; a question that has one needs nobody.

    Of the `names` that a student goes by, as a member of a group and as one of all, the first
    that a line has counts. What the grader had found stays in the question, beside the decision.
    """
    questions = []
    settled: list[str] = []
    for one in made["questions"]:
        keys = [(name, one["question"]) for name in names if (name, one["question"]) in decided]
        if keys and not _is_so_already(keys[0], decided, one):
            decision = decided[keys[0]]
            settled += [f"{one['question']}: {reason}" for reason in one["review"]]
            by = {key: decision[key] for key in ("points", "reason", "who")}
            by["was"] = one["points"]
            one = one | {"points": decision["points"], "review": [], "override": by}
        questions.append(one)
    review = [reason for reason in made["review"] if reason not in settled]
    return made | {"questions": questions, "review": review, **total(questions)}


def _is_so_already(key: tuple[str, str], decided: Overrides, one: Data) -> bool:
    """Whether a decision about everybody changes nothing for the student of this answer."""
    return key[0] == EVERYBODY and decided[key]["points"] == one["points"] and not one["review"]


def unused_decisions(decided: Overrides, applied: set[tuple[str, str]]) -> list[str]:
    """Sentences about decisions that no hand-in was there for."""
    return [
        f"line {decision['line']} of {FILE}: {student} has handed in no answer to {question}"
        for (student, question), decision in decided.items()
        if student != EVERYBODY and (student, question) not in applied
    ]
