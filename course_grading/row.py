"""The row: all that is known of a graded submission, as JSON, without who handed it in.

Rows are kept in a journal as they are finished: what `--resume` finds. A line is written at once
and whole; a torn last line costs itself alone. Rows are named by their work (`Course.key`), not by
students, so what is unchanged is found again under any name. While a journal is open it is locked,
and the system unlocks it however its process ends: two graders never write into one folder.
"""

import contextlib
import json
import os
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from course_grading.data import letters
from course_grading.reference import Exercise
from course_lib.classroom.credit import number
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble, writing
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED, as_text

GRADED, MISSING, OTHER, NOT_RUN = "graded", "missing", "other", "not run"
FOR_A_PERSON = "for a person"  # the word of a question that no check judges
SHOWN = 40  # values of one check that a page shows
TEXT = 6000  # letters of an answer that a page shows


def unread(status: str, reason: str, review: Any = ()) -> Data:
    """The row of what could not be graded."""
    reason = letters(reason, 600)
    return {
        "set": "",
        "status": status,
        "reason": reason,
        "review": [letters(one, 300) for one in review] or [reason],
        **total([]),
        "questions": [],
        "notes": [],
    }


def make_row(
    exercise: Exercise, notes: list[Any], questions: list[Data], minutes: Any = None
) -> Data:
    """The row of a submission that was taken apart; `minutes` is what the notebook tells."""
    review = [f"{one['question']}: {reason}" for one in questions for reason in one["review"]]
    return {
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
    possible = number(round(sum(one["possible"] for one in marked), 2))
    return {
        "points": number(round(sum(one["points"] for one in marked), 2)),
        "possible": possible,
        "open": number(round(sum(one["possible"] for one in questions) - possible, 2)),
    }


def waits(one: Data) -> bool:
    """Whether a person has still to mark this answer."""
    return one["word"] == FOR_A_PERSON and "override" not in one


def plural(count: float, one: str, many: str = "") -> str:
    """A count with its noun.

    >>> plural(1, "row"), plural(2, "row")
    ('1 row', '2 rows')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


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
    possible = exercise.worth[verdict.question]
    values = verdict.data["entries"]
    return {
        "question": verdict.question,
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


def by_hand(name: str, possible: float, cells: list[Any]) -> Data:
    """One question of a row that a person marks: what was written, and that it waits."""
    nothing: Data = {"reason": "", "message": "", "place": None, "review": [], "notes": []}
    nothing |= {"borrowed": [], "differences": [], "values": [], "marks": []}
    return nothing | {
        "question": name,
        "word": FOR_A_PERSON if cells else NOT_ATTEMPTED,
        "points": None if cells else 0,
        "possible": possible,
        "cells": _cells(cells),
    }


def _cells(cells: list[Any]) -> list[Any]:
    """The student's own cells, the first letters of them."""
    room, kept = TEXT, []
    for cell, text in cells[:20]:
        if room > 0:
            kept.append([cell, letters(text, room) + (" …" if len(text) > room else "")])
        room -= len(text)
    return kept


def error_text(error: Data) -> str:
    """What was raised, as the last line of a traceback says it."""
    return f"{error['type']}: {error['message']}" if error["message"] else str(error["type"])


def _reason(verdict: Any) -> str:
    """One sentence for the table: what differs, or what was raised."""
    if verdict.word in (CORRECT, NOT_ATTEMPTED):
        return ""
    error = verdict.data["error"]
    if error:
        said = error_text(error)
        return f"line {error['line']}: {said}" if "line" in error else said
    return str(verdict.differences[0]) if verdict.differences else "it shows something else"


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Within the block, `Trouble` says what the grades in a file lack that somebody has changed."""
    try:
        yield
    except KeyError as missing:
        what = f"it has no {missing} where there should be one"
    except (AttributeError, TypeError, ValueError):
        what = "something in it is not as it was written"
    else:
        return
    remedy = "put it back as it was, or move it away and grade again"
    raise Trouble(f"{path} was changed by hand: {what}; {remedy}", 2)


FILE = ".journal.jsonl"
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Journal:
    """The rows of one folder of results, in a file, and packed in memory."""

    def __init__(self, folder: Path, resume: bool) -> None:
        path = folder / FILE
        self._rows: dict[str, bytes] = {}
        self._lock = threading.Lock()
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.fdopen(os.open(path, _OPEN, 0o644), "r+b")
        if not lock(self._file):
            self._file.close()
            raise Trouble(
                f"another `grade` is writing into {folder}: wait until it has finished, or name "
                "another folder after --out",
                2,
            )
        end = self._read() if resume else 0
        self._file.truncate(end)
        self._file.seek(end)

    def _read(self) -> int:
        """Take over the whole lines; the place behind the last of them."""
        end = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            try:
                self._rows[json.loads(line)["key"]] = zlib.compress(line)
            except (ValueError, KeyError, TypeError):
                pass  # a torn line in the middle: its row is made again
            end += len(line)
        return end

    def __contains__(self, key: str) -> bool:
        return key in self._rows

    def add(self, key: str, row: Data) -> None:
        """Write a row down; it survives whatever comes next."""
        line = json.dumps({"key": key, "row": row}).encode() + b"\n"
        with self._lock:
            if key not in self._rows:
                self._file.write(line)
                self._file.flush()
                self._rows[key] = zlib.compress(line)

    def row(self, key: str) -> Data:
        """A row that was written down."""
        made: Data = json.loads(zlib.decompress(self._rows[key]))["row"]
        return made

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: Any) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def keys(self) -> Iterator[str]:
        """The names of all rows."""
        return iter(self._rows)


def lock(file: BinaryIO) -> bool:
    """Lock an open file until it is closed; False where another process has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 40)  # beyond all rows: on Windows nobody else can read what is locked
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(0)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
