"""The page of one student: each answer with its verdict, and the place where it differs."""

from __future__ import annotations

import html
import re

from course_grading import marks, row
from course_grading.paper import code, document, escape, kind, plural, word, words
from course_grading.reference import Exercise
from course_grading.unit import Course
from course_lib.classroom import content
from course_lib.classroom.page import inline
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED

_STATUS = {
    "unreadable": "could not be read",
    "empty": "is empty",
    "foreign": "belongs to no exercise",
    "missing": "was not handed in",
    "not run": "was not run",
}


_TITLE = "Feedback for "


def page(student: str, rows: list[Data], course: Course) -> str:
    """The whole page: what the student wrote and what that showed; no solution, no seed."""
    whole = {key: sum(made[key] for made in rows) for key in ("points", "possible", "open")}
    body = [f"<h1>{escape(student)}</h1>"]
    if whole["possible"] or whole["open"]:
        body.append(f"<p>{row.score(whole)}</p>")
    for made in rows:
        body.append(_set(made, course))
    return document(_TITLE + student, "\n".join(body))


def student_of(text: str) -> str | None:
    """Whom a page is about, None where the text is no such page.

    >>> student_of(document("Feedback for Ada & Bob", "")), student_of("<p>notes</p>")
    ('Ada & Bob', None)
    """
    found = re.search(f"<title>{_TITLE}(.*?)</title>", text, re.DOTALL)
    return html.unescape(found[1]) if found else None


def _set(made: Data, course: Course) -> str:
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
    if said := marks.lateness(made):
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
    if said := marks.decision(one):
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
