"""The overview for the instructor: how it went, what was hard, who needs a person."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from course_lib.classroom.grading import walls
from course_lib.classroom.grading.paper import bar, document, escape, plural
from course_lib.classroom.grading.unit import Course
from course_lib.classroom.page import inline
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED

_TENTHS = 10
_COMMON = 12


@dataclass
class _Question:
    """Counts of one question over all students."""

    words: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    @property
    def correct(self) -> float:
        """The share of correct answers."""
        return self.words[CORRECT] / max(1, self.words.total())


class Tally:
    """Counts, row by row, and then writes the page; of a row it keeps one line."""

    def __init__(self, course: Course, holds: walls.Holds) -> None:
        self._course, self._holds = course, holds
        self._questions: dict[str, _Question] = {}
        self._shares: dict[str, Counter[int]] = {}
        self._status: Counter[str] = Counter()
        self._lines: list[str] = []
        self._people: list[str] = []
        self.review = 0

    def add(self, student: str, page: str, made: Data) -> None:
        """Count one row."""
        self._status[made["status"]] += 1
        if made["possible"]:
            share = made["points"] / made["possible"]
            self._shares.setdefault(made["set"], Counter())[int(share * _TENTHS)] += 1
        for one in made["questions"]:
            counts = self._questions.setdefault(one["question"], _Question())
            counts.words[one["word"]] += 1
            if one["word"] in (NOT_YET, RAISED):
                said = one["message"] or one["reason"] or (one["differences"] or [""])[0]
                counts.wrong[said[:200]] += 1
        link = f'<a href="{escape(page)}">{escape(student)}</a>'
        if made["review"]:
            self.review += 1
            said = "; ".join(made["review"])[:600]
            self._people.append(
                f"<tr><td>{link}</td><td>{escape(made['set'])}</td><td>{escape(said)}</td></tr>"
            )
        score = f"{made['points']} of {made['possible']}" if made["possible"] else ""
        self._lines.append(
            f"<tr><td>{link}</td><td>{escape(made['set'])}</td><td>{escape(made['status'])}</td>"
            f'<td class="n">{score}</td><td>{"yes" if made["review"] else ""}</td></tr>'
        )

    def page(self) -> str:
        """The whole page."""
        counted = ", ".join(f"{number} {status}" for status, number in sorted(self._status.items()))
        parts = [
            sandbox_line(self._holds),
            "<h1>Grades</h1>",
            f"<p>{plural(self._status.total(), 'row')}: {escape(counted)}. "
            f"{plural(self.review, 'row needs', 'rows need')} a person.</p>",
            '<p class="soft">The same in <a href="grades.csv">grades.csv</a> and '
            '<a href="grades.json">grades.json</a>.</p>',
            self._for_people(),
            self._distribution(),
            self._hardest(),
            self._common(),
            _table("Everyone", ("student", "set", "status", "points", "person"), self._lines),
        ]
        return document("Grades", "\n".join(part for part in parts if part))

    def _for_people(self) -> str:
        if not self._people:
            return ""
        return _table("Needs a person", ("student", "set", "why"), self._people)

    def _distribution(self) -> str:
        parts = []
        for name in (name for name in self._course.exercises if name in self._shares):
            counts = self._shares[name]
            most = max(counts.values())
            rows = []
            for tenth in range(_TENTHS + 1):
                number = counts[tenth]
                says = "all points" if tenth == _TENTHS else f"{tenth * 10}–{tenth * 10 + 9} %"
                drawn = bar(number / most, f"{says}: {number}")
                rows.append(f'<tr><td>{says}</td><td>{drawn}</td><td class="n">{number}</td></tr>')
            parts.append(f"<h3>{escape(name)}</h3><table>{''.join(rows)}</table>")
        return f"<h2>Distribution</h2>{''.join(parts)}" if parts else ""

    def _hardest(self) -> str:
        ranked = sorted(self._questions.items(), key=lambda pair: pair[1].correct)
        rows = []
        for name, counts in ranked[:20]:
            number, total = counts.words[CORRECT], counts.words.total()
            says = f"{number} of {total} correct"
            others = ", ".join(
                f"{counts.words[word]} {word}"
                for word in (NOT_YET, RAISED, NOT_ATTEMPTED)
                if counts.words[word]
            )
            rows.append(
                f"<tr><td><code>{escape(name)}</code></td><td>{bar(counts.correct, says)}</td>"
                f"<td>{says}</td><td>{escape(others)}</td></tr>"
            )
        return _table("Hardest questions", ("question", "correct", "", "others"), rows)

    def _common(self) -> str:
        found = [
            (number, name, said)
            for name, counts in self._questions.items()
            for said, number in counts.wrong.items()
        ]
        rows = [
            f'<tr><td class="n">{number}</td><td><code>{escape(name)}</code></td>'
            f"<td>{inline(said)}</td></tr>"
            for number, name, said in sorted(found, key=lambda one: (-one[0], one[1]))[:_COMMON]
        ]
        return _table("Common wrong answers", ("times", "question", "what was wrong"), rows)


def _table(title: str, heads: tuple[str, ...], rows: list[str]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    return (
        f'<h2>{escape(title)}</h2><div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def sandbox_line(holds: walls.Holds) -> str:
    """The first line of the report: what answers could and could not reach."""
    said, warned = walls.words(holds)
    return f'<p class="first{" warn" if warned else ""}">{escape(said)}</p>'
