"""Points: of a right answer, and of another one where the question says what brings how many.

The notes of a question say so in two ways: `#### Partial credit` with the words "each value", and
points in the heading of a wrong answer, as `#### Wrong answer: only doubled (1 point)`.

Note [Values that need no work]
A check may show an argument afterwards, or a shape that stays. What the stub gets right, or a
function that gives back its first argument, is no part of an answer and brings no points.
"""

import ast
import re

from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import NOT_YET, RAISED, Verdict, rows_right, same

EACH_VALUE = "each value"
_POINTS = re.compile(r"\((\d+(?:\.\d+)?) points?\)$")


def worth(facts: Data) -> float:
    """The points of a right answer: as many as its question is difficult, unless it says others.

    >>> worth({"difficulty": 2}), worth({"difficulty": 2, "points": 0})
    (2, 0)
    """
    return number(facts["points"] if "points" in facts else facts["difficulty"])


def number(value: float) -> float:
    """A number of points, without a point where it is whole.

    >>> number(2.0), number(2.5)
    (2, 2.5)
    """
    return int(value) if value == int(value) else value


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


def no_work(stub: str) -> str:
    """The stub with functions that give back their first argument; Note [Values that need no work].

    >>> no_work("# Answer to demo-1\\ndef twice(x, y=2):\\n    ...")
    'def twice(x, y=2):\\n    return x'
    """
    tree = ast.parse(stub)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (first := node.args.posonlyargs + node.args.args):
            node.body = [ast.Return(ast.Name(first[0].arg, ast.Load()))]
    return ast.unparse(ast.fix_missing_locations(tree))


def counting(right: Data, *without_work: Data) -> list[bool]:
    """For each value of the right answer, whether it counts; Note [Values that need no work]."""
    counts = [True] * len(right["entries"])
    for shown in without_work:
        for place, is_right in enumerate(rows_right(right, shown)[: len(counts)]):
            counts[place] &= not is_right
    return counts


def of_values(verdict: Verdict, record: Data, possible: float) -> tuple[float, int, int]:
    """Points in proportion to the values that are right, how many these are, and of how many."""
    counts = record.get("counts", ())
    right = sum(one and two for one, two in zip(verdict.marks, counts, strict=False))
    if verdict.word not in (NOT_YET, RAISED) or not any(counts):
        return 0.0, right, sum(counts)
    return int(100 * possible * right / sum(counts)) / 100, right, sum(counts)


def best(verdicts: list[tuple[Verdict, Data]], possible: float) -> tuple[float, str]:
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
    rest = "" if all(record["counts"]) else ", leaving out those that need no work"
    return points, f"{points:g} of {possible} points: {right} of {count} values are right{rest}"
