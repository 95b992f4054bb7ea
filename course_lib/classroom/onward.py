"""What a correct answer leads to: why it is right, how far the set is done, and what is next.

Note [The moment]
Each right answer fills a square of its set. The last one is told what the lesson has promised, as
done, beside a picture from that lesson, which one can read now. The last one of the course is shown
the first picture of the course again. A picture here stands still: a film is ten times as heavy.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from course_lib.classroom import content, progress
from course_lib.classroom.lessons import lesson, stage_of
from course_lib.classroom.page import inline, squares
from course_lib.classroom.progress import Standing
from course_lib.classroom.sets import Desk, ExerciseSet, desk
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import CORRECT, Verdict

HARD = 4  # of 5: from this difficulty on a right answer is worth a word more


def leading_on(verdict: Verdict, record: dict[str, Any]) -> Verdict:
    """A correct verdict with its explanation and the way on; as it is where nobody keeps progress.

    An instructor who runs a set, a grader and the course's own tests keep none.
    """
    if progress.home() is None:
        return verdict
    try:
        place = desk(None)
        one, known = place.question(verdict.question), _known(place, verdict.question)
        ahead = way_on(place, one, verdict.question)
        solved = tuple(_solved(known, one))
        drawn = moment(place, one, known) if all(solved) else ""
    except (Trouble, OSError, ValueError):
        ahead, solved, drawn = "", (), ""
    praise = (
        "That was a hard one. Well done." if record.get("difficulty", 0) >= HARD else "Well done."
    )
    why = str(record.get("explanation", ""))
    return replace(
        verdict, message=f"{praise} {why}".strip(), onward=ahead, solved=solved, moment=drawn
    )


def way_on(place: Desk, one: ExerciseSet, question: str) -> str:
    """How many questions of the set are solved, and a link to the next one or the next lesson."""
    known = _known(place, question)
    solved = sum(_solved(known, one))
    count = f"{solved} of {len(one.questions)}"
    if following := one.next_question(known, question):
        return f"{count} · next: {link(one, following)} (`{following}`)"
    done = f"{count} · the set **{one.label}** is done."
    where = place.sets.index(one) + 1
    last = where == len(place.sets)
    stage = stage_of(one.notebook.stem)
    if stage and (last or place.sets[where].stage != one.stage):
        done += f" So is the stage “{stage.title}”. {stage.afterwards}"
    if last:
        return done
    after = place.sets[where]
    lesson = place.folder / "notebooks" / content.lesson_file(after.notebook.name)
    if lesson.is_file():
        return f"{done} Next: [lesson {after.label}](../notebooks/{lesson.name})"
    return f"{done} Next: [{after.label}]({after.notebook.name})"


def _known(place: Desk, question: str) -> dict[str, Standing]:
    return place.journal.standings() | {question: Standing(word=CORRECT, solved=True)}


def _solved(known: dict[str, Standing], one: ExerciseSet) -> list[bool]:
    return [name in known and known[name].solved for name in one.questions]


def moment(place: Desk, one: ExerciseSet, known: dict[str, Standing]) -> str:
    """HTML for a set that is done: what the lesson promised, a picture of it, and the stage."""
    try:
        path = content.root() / "notebooks" / content.lesson_file(one.notebook.name)
        points = "".join(f"<li>{inline(ability)}</li>" for ability in lesson(path).abilities)
        shown = f"<p><strong>Now you can</strong></p><ul>{points}</ul>{_picture(path)}"
    except (Trouble, OSError, ValueError, KeyError):  # a set of an instructor's has no lesson
        shown = ""
    done = [all(_solved(known, each)) for each in place.sets]
    stage = [ended for each, ended in zip(place.sets, done) if each.stage == one.stage]
    if len(stage) > 1:
        said = f"{sum(stage)} of {len(stage)} sets of “{escape(one.stage)}” are done."
        shown += f"<p>{squares(tuple(stage))}{said}</p>"
    return shown + (_whole_course(place) if all(done) else "")


def _whole_course(place: Desk) -> str:
    """HTML for a course that is done: its first picture, which one can make by oneself now."""
    first = content.root() / "notebooks" / content.lesson_file(place.sets[0].notebook.name)
    said = (
        f"<p><strong>All {len(place.sets)} sets are done, and with them the course.</strong> "
        "It began with this picture. Today you can write every line behind it yourself.</p>"
    )
    return said + _picture(first) if first.is_file() else said


def _picture(path: Path) -> str:
    """The first picture that the lesson shows, of a film the image; "" where it has none."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    shown = ["".join(output.get("data", {}).get("text/html", "")) for output in outputs]
    figure = next((html for html in shown if html.startswith("<figure")), "")
    image = re.search("<img [^>]*>", figure)
    still = re.sub('(?<=base64,)[^"]+', _still, image[0]) if image else ""
    return f'<figure style="margin:0.5em 0">{still}</figure>' if image else ""


def _still(found: re.Match[str]) -> str:
    """A drawing without what a film changes in it."""
    return b64encode(re.sub(b' data-changes="[^"]*"', b"", b64decode(found[0]))).decode()


def link(one: ExerciseSet, question: str) -> str:
    """A link to a question, from one notebook of exercises to another.

    >>> from pathlib import Path
    >>> link(ExerciseSet({}, Path(), Path("ex00_welcome.ipynb"), ""), "welcome-3")
    '[welcome-3](ex00_welcome.ipynb)'
    """
    return f"[{one.title(question)}]({one.place(question)})"
