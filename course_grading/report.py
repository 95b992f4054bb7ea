"""The pages: the overview for the instructor, and each student's answers with their verdicts."""

from __future__ import annotations

import html
import re
from typing import Any

from course_grading import gradebook, row, walls
from course_grading.paper import bar, code, document, escape, kind, plural, word, words
from course_grading.reference import Exercise
from course_grading.tally import TENTHS
from course_grading.unit import Course
from course_lib.classroom import content
from course_lib.classroom.page import inline
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED

_UNREAD = ("unreadable", "empty", "foreign", row.NOT_RUN)
_NAMED = 12  # students behind a mistake who are named at once


def overview(data: Data, holds: walls.Holds) -> str:
    """The whole page, from what a `Tally` has counted."""
    counted = ", ".join(f"{number} {status}" for status, number in data["status"].items())
    rows = data["rows"]
    pages = {one["student"]: one["page"] for one in rows}
    unread = [one for one in rows if one["status"] in _UNREAD]
    people = [one for one in rows if one["review"] and one["status"] not in _UNREAD]
    parts = [
        sandbox_line(holds),
        "<h1>Grades</h1>",
        f"<p>{plural(sum(data['status'].values()), 'row')}: {escape(counted)}. "
        f"{plural(data['review'], 'row needs', 'rows need')} a person.</p>",
        _premature(data["open"]),
        '<p class="soft">The same for spreadsheets and programs: <a href="grades.csv">grades.csv'
        '</a>, <a href="grades.json">grades.json</a>, <a href="overview.json">overview.json</a>.'
        "</p>",
        _contents(data),
        _table(
            "Needs a person",
            ("student", "set", "why"),
            [
                [_link(one), escape(one["set"]), escape("; ".join(one["review"])[:600])]
                for one in people
            ],
        ),
        _table(
            "Could not be read",
            ("student", "file", "what it is"),
            [_unread(one) for one in unread],
        ),
        *(_set_of_all(one, pages) for one in data["sets"]),
        _table(
            "Everyone",
            ("student", "set", "status", "points", "person"),
            [_line(one) for one in rows],
        ),
    ]
    return document("Grades", "\n".join(part for part in parts if part))


def sandbox_line(holds: walls.Holds) -> str:
    """The first line of the report: what answers could and could not reach."""
    said, warned = walls.words(holds)
    return f'<p class="first{" warn" if warned else ""}">{escape(said)}</p>'


def _premature(waiting: int) -> str:
    if not waiting:
        return ""
    return (
        f'<p class="note">{plural(waiting, "answer waits", "answers wait")} to be marked, in '
        "<code>to_mark.csv</code>. Until that is done, totals and sheets are premature.</p>"
    )


def _contents(data: Data) -> str:
    if len(data["sets"]) < 2:
        return ""
    links = (f'<a href="#{escape(one["set"])}">{escape(one["set"])}</a>' for one in data["sets"])
    return f"<p>Sets: {', '.join(links)}</p>"


def _link(one: Data) -> str:
    return f'<a href="{escape(one["page"])}">{escape(one["student"])}</a>'


def _unread(one: Data) -> list[str]:
    file = f"<code>{escape(one['file'])}</code>" if one["file"] else ""
    return [_link(one), file, f"{escape(one['status'])}: {escape(one['reason'])}"]


def _line(one: Data) -> list[str]:
    score = row.score(one) if one["status"] == row.GRADED else ""
    person = "yes" if one["review"] else ""
    return [_link(one), escape(one["set"]), escape(one["status"]), score, person]


# ---- one set -------------------------------------------------------------------------------------


def _set_of_all(one: Data, pages: dict[str, str]) -> str:
    title = content.label(one["notebook"])
    possible, minutes = one["possible"], one["minutes"]
    said = (
        f"{plural(one['students'], 'student')}. Of {plural(possible, 'point')}, the mean is "
        f"{one['mean']:g} and the median {one['median']:g}."
    )
    if one["open"]:
        names = ", ".join(f"{name} ({count})" for name, count in one["open"].items())
        said += f" Left out until every answer is marked: {escape(names)}."
    if minutes:
        known = plural(minutes["known"], "notebook tells", "notebooks tell")
        said += f" {known} when cells ran: half took {minutes['median']} minutes or less."
    return "\n".join(
        [
            f'<h2 id="{escape(one["set"])}">{escape(title)}</h2>',
            f"<p>{said}</p>",
            _distribution(one),
            _hardest(one["questions"]),
            _mistakes(one["mistakes"], pages),
            _alike(one["alike"], pages),
        ]
    )


def _distribution(one: Data) -> str:
    """A column for each tenth of the points, and the same as a table."""
    counts = one["distribution"]
    names = [f"{tenth * 10}–{tenth * 10 + 9} %" for tenth in range(TENTHS)] + ["all points"]
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td class="n">{number}</td></tr>'
        for name, number in zip(names, counts, strict=True)
    )
    head = '<tr><th scope="col">points</th><th scope="col">students</th></tr>'
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    return f'<div class="beside"><figure>{_columns(one)}</figure>{table}</div>'


_WIDTH, _HEIGHT, _HEAD = 29, 120, 44  # of a column, of the plot, of what is above it


def _columns(one: Data) -> str:
    counts, possible = one["distribution"], max(1, one["possible"])
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
    return (
        f'<svg viewBox="0 -6 {across} {base + 42}" role="img" aria-label="{told}">'
        f"{''.join(drawn + words)}</svg>"
    )


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _hardest(questions: list[Data]) -> str:
    def share(one: Data) -> float:
        return float(one[CORRECT]) / max(1, sum(one[word] for word in _WORDS))

    rows = []
    for one in sorted(questions, key=share):
        says = f"{one[CORRECT]} of {sum(one[word] for word in _WORDS)} correct"
        others = ", ".join(f"{one[word]} {word}" for word in _WORDS[1:] if one[word])
        name = f"<code>{escape(one['question'])}</code> {escape(one['title'])}"
        rows.append([name, f"{bar(share(one), says)}<br>{says}", escape(others)])
    return _table("Questions, the hardest first", ("question", "correct", "others"), rows, 3)


_WORDS = (CORRECT, NOT_YET, RAISED, NOT_ATTEMPTED)


def _mistakes(mistakes: list[Data], pages: dict[str, str]) -> str:
    rows = []
    for one in mistakes:
        number = len(one["students"])
        who = _students(one["students"], pages)
        if number > _NAMED:
            who = f"<details><summary>{number} students</summary>{who}</details>"
        name = f"<code>{escape(one['question'])}</code>"
        said = inline(one["said"]) if one["known"] else escape(one["said"])
        rows.append([said, name, str(number), who])
    heads = ("what was wrong", "question", "times", "who")
    return _table("Typical mistakes", heads, rows, 3)


def _students(students: list[str], pages: dict[str, str]) -> str:
    return ", ".join(
        f'<a href="{escape(pages[student])}">{escape(student)}</a>' for student in students
    )


def _alike(alike: Data, pages: dict[str, str]) -> str:
    strong = [one for one in alike["pairs"] if one["strong"] or one["same_file"]]
    weak = [one for one in alike["pairs"] if one not in strong]
    heads = ("students", "questions", "how unusual", "what hardly anyone else wrote")
    parts = [_table("", heads, [_pair(one, alike, pages) for one in strong], 3)]
    if weak:
        count = plural(len(weak), "more pair", "more pairs")
        table = _table("", heads, [_pair(one, alike, pages) for one in weak], 3)
        parts.append(f"<details><summary>{count}, which may be chance</summary>{table}</details>")
    if alike["more"]:
        parts.append(f"<p>{plural(alike['more'], 'pair is', 'pairs are')} not listed.</p>")
    if not alike["pairs"]:
        return ""
    return (
        "<h3>The same, or nearly</h3>\n<p>These pairs share code that few others wrote. Names, "
        "comments, layout, the order of lines and what was handed out do not count, and neither "
        "does an answer that many gave. It is a reason to look, not a proof.</p>" + "".join(parts)
    )


def _pair(one: Data, alike: Data, pages: dict[str, str]) -> list[str]:
    lines = "".join(
        f"<li><code>{escape(text)}</code> <span class=soft>{escape(question)}</span></li>"
        for question, text in one["lines"]
    )
    says = f"{one['evidence']:g} of {alike['limit']:g}"
    told = f"{bar(min(1.0, one['evidence'] / (2 * alike['limit'])), says)}<br>{one['evidence']:g}"
    if one["same_file"]:
        told = "<strong>the same file</strong>, byte for byte"
    together = "" if one["same_file"] else "each line is usual, all of them together are not"
    questions = ", ".join(f"<code>{escape(name)}</code>" for name in one["questions"])
    return [
        _students(one["students"], pages),
        questions,
        told,
        f"<ul>{lines}</ul>" if lines else together,
    ]


def _table(title: str, heads: tuple[str, ...], rows: list[list[Any]], level: int = 2) -> str:
    """A table; on a narrow screen each row becomes a block that names its columns."""
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td data-head="{escape(name)}">{cell}</td>' if cell else "<td></td>"
            for name, cell in zip(heads, cells, strict=True)
        )
        + "</tr>"
        for cells in rows
    )
    above = f"<h{level}>{escape(title)}</h{level}>" if title else ""
    return (
        f'{above}<table class="stacks"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )


_STATUS = {
    "unreadable": "could not be read",
    "empty": "is empty",
    "foreign": "belongs to no exercise",
    "missing": "was not handed in",
    "not run": "was not run",
}


_TITLE = "Feedback for "


def feedback(student: str, rows: list[Data], course: Course) -> str:
    """The whole page: what the student wrote and what that showed; no solution, no seed."""
    whole = {key: sum(made[key] for made in rows) for key in ("points", "possible", "open")}
    body = [f"<h1>{escape(student)}</h1>"]
    if whole["possible"] or whole["open"]:
        body.append(f"<p>{row.score(whole)}</p>")
    for made in rows:
        body.append(_set_of_one(made, course))
    return document(_TITLE + student, "\n".join(body))


def student_of(text: str) -> str | None:
    """Whom a page is about, None where the text is no such page.

    >>> student_of(document("Feedback for Ada & Bob", "")), student_of("<p>notes</p>")
    ('Ada & Bob', None)
    """
    found = re.search(f"<title>{_TITLE}(.*?)</title>", text, re.DOTALL)
    return html.unescape(found[1]) if found else None


def _set_of_one(made: Data, course: Course) -> str:
    if made["status"] == "missing" and made["set"]:
        return f"<h2>{escape(made['set'].replace('_', ' '))} was not handed in</h2>"
    if made["status"] != "graded":
        name = f" <code>{escape(made['file'])}</code>" if made["file"] else ""
        what = f"{escape(made['set'])} " if made["set"] else ""
        return (
            f"<h2>{what}{_STATUS[made['status']]}</h2>\n"
            f'<p class="note">{name} {escape(made["reason"])}.</p>'
        )
    exercise = course.exercises[made["set"]]
    title = content.label(exercise.file)
    file = escape(made["file"].rpartition("/")[2])
    parts = [f"<h2>{escape(title)}</h2>", f'<p class="soft">{row.score(made)} · {file}</p>']
    if made["reason"]:
        parts.append(f"<p>{escape(made['reason'].capitalize())}.</p>")
    if said := gradebook.lateness(made):
        parts.append(f'<p class="note">{escape(said)}</p>')
    if made["notes"]:
        parts.append(_list(made["notes"]))
    parts += [_question(one, exercise) for one in made["questions"]]
    return "\n".join(parts)


def _question(one: Data, exercise: Exercise) -> str:
    waits, possible = row.waits(one), plural(one["possible"], "point")
    points = possible if waits else f"{one['points']} of {possible}"
    title = exercise.titles.get(one["question"], "")
    name = f'{escape(title)} <span class="soft">{escape(one["question"])}</span>'
    parts = [
        f'<section class="question {kind(one["word"])}">',
        f'<div class="head"><h3>{name}</h3><span>{word(one["word"])} · {points}</span></div>',
    ]
    if said := gradebook.decision(one):
        parts.append(f'<p class="note">{escape(said)}</p>')
    elif waits:
        parts.append('<p class="note">This answer waits to be marked.</p>')
    elif one["review"]:
        parts.append('<p class="note">A person looks at this answer before its points count.</p>')
    if one["word"] != CORRECT:
        if one["message"]:
            parts.append(f"<p>{inline(one['message'])}</p>")
        if one["reason"] and one["reason"] not in one["differences"]:
            parts.append(f"<p>{escape(one['reason'])}</p>")
        if not one["values"]:
            parts += [f"<p>{escape(said)}</p>" for said in one["differences"]]
    parts.append(_values(one))
    parts.append(_cells(one, prose=one["question"] in exercise.by_hand))
    if one["notes"]:
        parts.append(_list(one["notes"]))
    return "\n".join([part for part in parts if part] + ["</section>"])


def _values(one: Data) -> str:
    """What the check showed. Each row says if it is right, where one is not."""
    rows = []
    right = one.get("marks") or []
    for place, (label, value) in enumerate(one["values"]):
        differs = place < len(right) and not right[place]
        mark = ("✗ " if differs else "✓ ") if False in right else ""
        said = "".join(
            f'<span class="said">↳ {escape(said)}</span>'
            for said in (one["differences"] if differs and place == one["place"] else ())
        )
        rows.append(
            f'<tr{" class=differs" if differs else ""}><th scope="row">{mark}<code>{escape(label)}'
            f'</code></th><td class="value"><code>{escape(value)}</code>{said}</td></tr>'
        )
    if not rows:
        return ""
    table = f'<div class="wide"><table class="values">{"".join(rows)}</table></div>'
    if one["word"] == CORRECT:
        return f"<details><summary>what the check showed</summary>{table}</details>"
    return table


def _cells(one: Data, prose: bool) -> str:
    written = words if prose else code
    shown = "".join(
        f'<p class="soft">Cell {number}</p>{written(text)}' for number, text in one["cells"]
    )
    if not shown:
        return ""
    opened = "" if one["word"] in (CORRECT, NOT_ATTEMPTED) else " open"
    return f"<details{opened}><summary>your answer</summary>{shown}</details>"


def _list(sentences: list[str]) -> str:
    return f'<ul class="soft">{"".join(f"<li>{escape(one)}</li>" for one in sentences)}</ul>'
