"""The pages: the overview for the instructor, and each student's answers with their verdicts.

What they say stands in `pages/`; here is what their templates ask for.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from markupsafe import Markup

from course_grading import gradebook, row, walls
from course_grading.paper import PAGES
from course_grading.tally import TENTHS, WORDS
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
        columns=_columns,
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
        lateness=gradebook.lateness,
        decision=gradebook.decision,
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


_WIDTH, _HEIGHT, _HEAD = 29, 120, 44  # of a column, of the plot, of what is above it


def _columns(one: Data) -> Markup:
    """A column for each tenth of the points; the table beside it has the numbers."""
    counts, possible = one["distribution"], one["possible"] or 1
    most, across, base = max(1, *counts), _WIDTH * len(counts), _HEAD + _HEIGHT
    drawn, words = [], []
    for place, number in enumerate(counts):
        left, high = place * _WIDTH, _HEIGHT * number / most
        middle = left + _WIDTH / 2
        width, top = _WIDTH - 6, base - high
        drawn.append(f'<rect x="{left + 3}" y="{top:.1f}" width="{width}" height="{high:.1f}"/>')
        words.append(_text(middle, top - 4, str(number) if number else ""))
        words.append(_text(middle, base + 15, "all" if place == TENTHS else str(place * 10)))
    for name, top in (("mean", 11), ("median", 24)):
        share = one[name] / possible
        x = across - _WIDTH / 2 if share >= 1 else share * (across - _WIDTH)
        side = -4 if x > across / 2 else 4
        drawn.append(f'<line class="{name}" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{base}"/>')
        words.append(_text(x + side, top, f"{name} {one[name]:g}", "end" if side < 0 else "start"))
    drawn.append(f'<line class="base" x1="0" x2="{across}" y1="{base}" y2="{base}"/>')
    words.append(_text(across / 2, base + 30, "percent of the points"))
    told = (
        f"How many students have which share of the points: mean {one['mean']:g}, median "
        f"{one['median']:g} of {possible}. The table has the numbers."
    )
    return Markup(
        f'<svg viewBox="0 -6 {across} {base + 42}" role="img" aria-label="{told}">'
        f"{''.join(drawn + words)}</svg>"
    )


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'
