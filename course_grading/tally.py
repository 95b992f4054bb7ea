"""What a class has done, in numbers: counted row by row, then written down as JSON."""

import statistics
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from course_grading import row
from course_grading.alike import Alike
from course_grading.lateness import Rules
from course_grading.reference import Exercise
from course_grading.unit import Course
from course_lib.classroom.probe import Data
from course_lib.classroom.source import STUB
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED

SCHEMA = "course-overview/3"
TENTHS = 10
WORDS = (CORRECT, NOT_YET, RAISED, NOT_ATTEMPTED)
SAID = 300  # letters of a mistake
MISTAKES = 15  # of a set
ALIKE = 40  # pairs of a set
ENOUGH = 10  # students, for a correlation to say anything


Wrong = tuple[str, str, bool]  # the question, what is said, and whether the set says it


@dataclass
class _Set:
    """Counts of one set over all students."""

    points: list[float] = field(default_factory=list)
    each: list[dict[str, float]] = field(default_factory=list)  # the same, by question
    passed: int = 0
    open: Counter[str] = field(default_factory=Counter)  # answers that wait, by question
    spent: list[float] = field(default_factory=list)  # minutes
    words: dict[str, Counter[str]] = field(default_factory=dict)  # by question
    wrong: dict[Wrong, list[str]] = field(default_factory=dict)  # who made a mistake
    alike: Alike = field(default_factory=Alike)


class Tally:
    """Counts, row by row; of a row it keeps what the overview shows of it."""

    def __init__(self, course: Course, rules: Rules | None = None) -> None:
        self._course, self._rules = course, rules or Rules()
        self._term = {"students": 0, "passed": 0}  # in all sets together
        self._sets: dict[str, _Set] = {}
        self._rows: list[Data] = []
        self._status: Counter[str] = Counter()
        self.review = 0
        self.waiting = 0  # answers that a person has to mark; that of a group is one

    def add(self, student: str, page: str, made: Data) -> None:
        """Count one row."""
        self._status[made["status"]] += 1
        self.review += bool(made["review"])
        kept = ("set", "status", "points", "possible", "open", "review", "reason", "file")
        self._rows.append({"student": student, "page": page, **{key: made[key] for key in kept}})
        if made["status"] != row.GRADED:
            return
        exercise = self._course.exercises[made["set"]]
        counts = self._sets.get(made["set"])
        if counts is None:
            counts = self._sets[made["set"]] = _Set(alike=_make_comparison(exercise))
        counts.points.append(made["points"])
        waits = [one["question"] for one in made["questions"] if row.waits(one)]
        counts.open.update(waits)
        points = {one["question"]: one["points"] for one in made["questions"]}
        counts.each.append({name: one for name, one in points.items() if name not in waits})
        counts.passed += not waits and self._rules.passes(made["set"], made)
        if made.get("minutes") is not None:
            counts.spent.append(made["minutes"])
        for one in made["questions"]:
            counts.words.setdefault(one["question"], Counter())[one["word"]] += 1
            if one["word"] in (NOT_YET, RAISED):
                said = one["message"] or one["reason"] or (one["differences"] or [""])[0]
                wrong = (one["question"], said[:SAID], bool(one["message"]))
                counts.wrong.setdefault(wrong, []).append(student)
        counts.alike.add(student, made, made.get("by") or student, made.get("notebook", ""))

    def add_mark(self, points: float | None, possible: float) -> None:
        """What one student has reached in all sets together; None as long as that is open."""
        if points is not None:
            reached = {"points": points, "possible": possible}
            self._term["students"] += 1
            self._term["passed"] += self._rules.passes("", reached)

    def as_data(self) -> Data:
        """All of it, as JSON."""
        names = [name for name in self._course.exercises if name in self._sets]
        return {
            "schema": SCHEMA,
            "status": dict(sorted(self._status.items())),
            "review": self.review,
            "open": self.waiting,
            "term": self._term if self._rules.rule.passing else None,
            "sets": [self._set(name, self._sets[name]) for name in names],
            "rows": self._rows,
        }

    def _set(self, name: str, counts: _Set) -> Data:
        """The counts of one set. A question with answers that wait is left out for everybody."""
        exercise = self._course.exercises[name]
        rule = self._rules.of(name)
        left = [one for one in exercise.marks if counts.open.keys() & set(rule.pool(one))]
        possible = rule.possible(exercise.marks, without=left)
        points = [
            max(0.0, reached - sum(given[one] for one in left if one in given))
            for reached, given in zip(counts.points, counts.each, strict=True)
        ]
        tenths = Counter(int(TENTHS * one / (possible or 1) + 1e-9) for one in points)
        return {
            "set": name,
            "notebook": exercise.file,
            "students": len(points),
            "possible": possible,
            "passed": counts.passed if rule.passing else None,
            "open": dict(sorted(counts.open.items())),
            "mean": round(statistics.fmean(points), 2),
            "median": round(statistics.median(points), 2),
            "distribution": [tenths[tenth] for tenth in range(TENTHS + 1)],
            "minutes": _minutes(counts.spent),
            "questions": [
                {
                    "question": question,
                    "title": exercise.titles.get(question, ""),
                    "points": worth,
                    **{word: counts.words.get(question, Counter())[word] for word in WORDS},
                    "with_the_rest": _with_the_rest(question, counts),
                }
                for question, worth in exercise.worth.items()
            ],
            "mistakes": _mistakes(counts.wrong),
            "alike": _pairs(counts.alike),
        }


def _with_the_rest(question: str, counts: _Set) -> float | None:
    """How a question goes with the others: the correlation of its points with theirs together.

    None for few students, and where all have the same points.
    """
    both = [
        (one[question], sum(one.values()) - one[question])
        for one in ({k: v for k, v in each.items() if k not in counts.open} for each in counts.each)
        if question in one
    ]
    own, others = zip(*both, strict=True) if both else ((), ())
    if len(both) < ENOUGH or len(set(own)) == 1 or len(set(others)) == 1:
        return None
    return round(statistics.correlation(own, others), 2)


def _make_comparison(exercise: Exercise) -> Alike:
    """An empty comparison that knows what was handed out."""
    made = Alike()
    for question, kit in exercise.kit["questions"].items():
        given = [*kit["before"], *kit["between"], kit["stub_plain"], STUB[0]]
        made.note_handed_out(question, given, kit["answers"])
    return made


def _mistakes(wrong: dict[Wrong, list[str]]) -> list[Data]:
    ranked = sorted(wrong.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [
        {"question": question, "said": said, "known": known, "students": students}
        for (question, said, known), students in ranked[:MISTAKES]
    ]


def _pairs(alike: Alike) -> Data:
    found = alike.pairs()
    return {
        "limit": round(alike.limit, 1),
        "more": max(0, len(found) - ALIKE),
        "pairs": [asdict(one) for one in found[:ALIKE]],
    }


def _minutes(spent: list[float]) -> dict[str, Any] | None:
    """Where at least one notebook tells it."""
    if not spent:
        return None
    return {"known": len(spent), "median": round(statistics.median(spent)), "most": max(spent)}
