"""Points for an answer that is not correct, where the question says what brings how many.

The notes of a question say so in two ways: `#### Partial credit` with the words "each value", and
points in the heading of a wrong answer, as `#### Wrong answer: only doubled (1 point)`.
"""

from __future__ import annotations

import re
from typing import Any

from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import NOT_YET, RAISED, Verdict, same

EACH_VALUE = "each value"
_POINTS = re.compile(r"\((\d+(?:\.\d+)?) points?\)$")


def near_miss(title: str) -> float | None:
    """The points in the heading of a wrong answer, None where it names none.

    >>> near_miss("only doubled (1.5 points)"), near_miss("only doubled")
    (1.5, None)
    """
    found = _POINTS.search(title)
    return float(found[1]) if found else None


def of_near_miss(verdict: Verdict, record: Data) -> float:
    """The points of the recorded wrong answer that shows the same; 0 where there is none."""
    if verdict.word not in (NOT_YET, RAISED):
        return 0.0
    alike = [wrong for wrong in record["wrong"] if same(wrong["data"], verdict.data)]
    told = [wrong for wrong in alike if wrong["message"] == verdict.message] or alike
    return min((float(wrong.get("points") or 0) for wrong in told), default=0.0)


def of_values(verdict: Verdict, record: Data, possible: int) -> tuple[float, int, int]:
    """Points in proportion to the values that are right, how many these are, and of how many."""
    values = len(record["solution"]["data"]["entries"])
    right = sum(verdict.marks)
    if record.get("partial") != EACH_VALUE or verdict.word not in (NOT_YET, RAISED) or not values:
        return 0.0, right, values
    return int(100 * possible * right / values) / 100, right, values


def best(verdicts: list[tuple[Verdict, Data]], possible: int) -> tuple[float, str]:
    """The points that several runs of one answer bring, and the sentence that says for what.

    Each run has inputs of its own. Wrong answers are recorded for those of the first alone; of
    values, the run with the fewest right ones counts.
    """
    (first, record), *_ = verdicts
    near = of_near_miss(first, record)
    values = min(of_values(verdict, other, possible) for verdict, other in verdicts)
    if near >= values[0]:
        return near, f"{near:g} of {possible} points for this near miss" if near else ""
    points, right, count = values
    return points, f"{points:g} of {possible} points: {right} of {count} values are right"


def facts(notes: dict[str, list[Any]]) -> Data:
    """What a record holds about partial credit: nothing for a question that gives none."""
    return {"partial": EACH_VALUE} if "partial credit" in notes else {}
