"""What a correct answer leads to: why it is right, how far the set is done, and what is next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from course_lib.classroom import content, progress
from course_lib.classroom.lessons import stage_of
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
        one = place.question(verdict.question)
        ahead = way_on(place, one, verdict.question)
    except (Trouble, OSError, ValueError):
        ahead = ""
    praise = (
        "That was a hard one. Well done." if record.get("difficulty", 0) >= HARD else "Well done."
    )
    why = str(record.get("explanation", ""))
    return replace(verdict, message=f"{praise} {why}".strip(), onward=ahead)


def way_on(place: Desk, one: ExerciseSet, question: str) -> str:
    """How many questions of the set are solved, and a link to the next one or the next lesson."""
    known = place.journal.standings()
    known[question] = Standing(word=CORRECT, solved=True)
    solved = sum(name in known and known[name].solved for name in one.questions)
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


def link(one: ExerciseSet, question: str) -> str:
    """A link to a question, from one notebook of exercises to another.

    >>> from pathlib import Path
    >>> link(ExerciseSet({}, Path(), Path("ex00_welcome.ipynb"), ""), "welcome-3")
    '[welcome-3](ex00_welcome.ipynb)'
    """
    return f"[{one.title(question)}]({one.place(question)})"
