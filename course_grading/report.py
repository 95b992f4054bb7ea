"""The pages: the overview for the instructor, and each student's answers with their verdicts.

What they say stands in `pages/`; here is what their templates ask for.
"""

import html
import re
from collections.abc import Iterator

from course_grading import row, walls
from course_grading.paper import PAGES
from course_grading.tally import WORDS
from course_grading.unit import Course
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED

_STATUS = {
    "unreadable": "could not be read",
    "empty": "is empty",
    "foreign": "belongs to no exercise",
    "missing": "was not handed in",
    row.NOT_RUN: "was not run",
}
_UNREAD = ("unreadable", "empty", "foreign", row.NOT_RUN)
_NAMED = 12  # students behind a mistake who are named at once
_TITLE = "Feedback for "


def overview(data: Data, holds: walls.Holds) -> str:
    """The whole page, from what a `Tally` has counted. It begins with what answers could reach."""
    said, warned = walls.words(holds)
    needing: dict[str, list[str]] = {}
    for one in data["rows"]:
        if one["review"] and one["status"] not in _UNREAD:
            needing.setdefault(one["student"], []).extend(one["review"])
    return PAGES.get_template("overview.html").render(
        title="Grades",
        data=data,
        said=said,
        warned=warned,
        pages={one["student"]: one["page"] for one in data["rows"]},
        needing=needing,
        unread=[one for one in data["rows"] if one["status"] in _UNREAD],
        hardest=_hardest,
        named=_NAMED,
        score=row.score,
    )


def feedback(student: str, rows: list[Data], course: Course) -> str:
    """The whole page: what the student wrote and what that showed; no solution, no seed."""
    return PAGES.get_template("student.html").render(
        feedback_for=_TITLE,
        student=student,
        rows=rows,
        whole={key: sum(made[key] for made in rows) for key in ("points", "possible", "open")},
        exercises=course.exercises,
        status=_STATUS,
        score=row.score,
        waits=row.waits,
        CORRECT=CORRECT,
        NOT_ATTEMPTED=NOT_ATTEMPTED,
    )


def student_of(text: str) -> str | None:
    """Whom a page is about, None where the text is no such page.

    >>> student_of("<title>Feedback for Ada &amp; Bob</title>"), student_of("<p>notes</p>")
    ('Ada & Bob', None)
    """
    found = re.search(f"<title>{_TITLE}(.*?)</title>", text, re.DOTALL)
    return html.unescape(found[1]) if found else None


def _hardest(questions: list[Data]) -> Iterator[tuple[float, int, int, str, Data]]:
    """Each question with the share and the number of right answers, of how many, and the others."""

    def share(one: Data) -> float:
        return float(one[CORRECT]) / max(1, sum(one[word] for word in WORDS))

    for one in sorted(questions, key=share):
        others = ", ".join(f"{one[word]} {word}" for word in WORDS[1:] if one[word])
        yield share(one), one[CORRECT], sum(one[word] for word in WORDS), others, one
