"""The row: all that is known of a graded submission, as JSON, without who handed it in."""

from __future__ import annotations

from typing import Any

from course_grading.data import letters
from course_grading.lateness import number
from course_grading.paper import plural
from course_grading.reference import Exercise
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED, as_text

SCHEMA = 1
GRADED, MISSING, OTHER, NOT_RUN = "graded", "missing", "other", "not run"
FOR_A_PERSON = "for a person"  # the word of a question that no check judges
SHOWN = 40  # values of one check that a page shows
TEXT = 6000  # letters of an answer that a page shows


def unread(status: str, reason: str, review: Any = ()) -> Data:
    """The row of what could not be graded."""
    reason = letters(reason, 600)
    return {
        "schema": SCHEMA,
        "set": "",
        "status": status,
        "reason": reason,
        "review": [letters(one, 300) for one in review] or [reason],
        **total([]),
        "questions": [],
        "notes": [],
    }


def graded(
    exercise: Exercise, notes: list[Any], questions: list[Data], minutes: Any = None
) -> Data:
    """The row of a submission that was taken apart; `minutes` is what the notebook tells."""
    review = [f"{one['question']}: {reason}" for one in questions for reason in one["review"]]
    return {
        "schema": SCHEMA,
        "set": exercise.name,
        "status": GRADED,
        "reason": "" if any(one["word"] != NOT_ATTEMPTED for one in questions) else _NOT_BEGUN,
        "review": review,
        **total(questions),
        "questions": questions,
        "notes": [letters(str(one), 300) for one in notes[:20]],
        "minutes": minutes if type(minutes) is int and 0 <= minutes < 100_000 else None,
    }


def total(questions: list[Data]) -> Data:
    """What a row has reached. An answer that waits for its mark is neither reached nor missed."""
    marked = [one for one in questions if not waits(one)]
    possible = sum(one["possible"] for one in marked)
    return {
        "points": number(round(sum(one["points"] for one in marked), 2)),
        "possible": possible,
        "open": sum(one["possible"] for one in questions) - possible,
    }


def waits(one: Data) -> bool:
    """Whether a person has still to mark this answer."""
    return one["word"] == FOR_A_PERSON and "override" not in one


def score(made: Data) -> str:
    """What a row has reached, in words.

    >>> score({"points": 9, "possible": 9, "open": 3})
    '9 of 9 points so far, 3 open'
    """
    said = f"{made['points']} of {plural(made['possible'], 'point')}"
    return f"{said} so far, {made['open']} open" if made["open"] else said


_NOT_BEGUN = "every answer is still as it was handed out"


def question(exercise: Exercise, part: Data, answer: Any) -> Data:
    """One question of a row."""
    verdict = answer.verdict
    possible = exercise.worth[answer.question]
    values = verdict.data["entries"]
    return {
        "question": answer.question,
        "word": verdict.word,
        "points": possible if verdict.word == CORRECT else number(answer.points),
        "possible": possible,
        "reason": letters(answer.reason or _reason(verdict), 1000),
        "message": verdict.message if verdict.word in (NOT_YET, RAISED) else "",
        "review": [letters(one, 300) for one in answer.review],
        "notes": [
            *([answer.credit] if answer.credit else []),
            *(letters(str(one), 300) for one in part["notes"][:10]),
        ],
        "cells": _cells(part["shown"]),
        "borrowed": part["borrowed"][:50],
        "place": verdict.place,
        "differences": [letters(one, 1000) for one in verdict.differences],
        "values": [[letters(one["label"], 300), as_text(one["value"])] for one in values[:SHOWN]],
        "marks": list(verdict.marks[:SHOWN]),
    }


def by_hand(name: str, possible: int, cells: list[Any]) -> Data:
    """One question of a row that a person marks: what was written, and that it waits."""
    return {
        "question": name,
        "word": FOR_A_PERSON if cells else NOT_ATTEMPTED,
        "points": None if cells else 0,
        "possible": possible,
        "reason": "",
        "message": "",
        "review": [],
        "notes": [],
        "cells": _cells(cells),
        "borrowed": [],
        "place": None,
        "differences": [],
        "values": [],
        "marks": [],
    }


def _cells(cells: list[Any]) -> list[Any]:
    """The student's own cells, the first letters of them."""
    room, kept = TEXT, []
    for cell, text in cells[:20]:
        if room > 0:
            kept.append([cell, letters(text, room) + (" …" if len(text) > room else "")])
        room -= len(text)
    return kept


def _reason(verdict: Any) -> str:
    """One sentence for the table: what differs, or what was raised."""
    if verdict.word in (CORRECT, NOT_ATTEMPTED):
        return ""
    error = verdict.data["error"]
    if error:
        said = f"{error['type']}: {error['message']}" if error["message"] else error["type"]
        return f"line {error['line']}: {said}" if "line" in error else str(said)
    return str(verdict.differences[0]) if verdict.differences else "it shows something else"
