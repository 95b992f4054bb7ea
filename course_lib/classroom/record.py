"""The record of an exercise set: what each question's answers showed when it was released.

One JSON file per set, in the hidden folder `.records` beside the released notebooks. It holds the
solution too: `solution(…)` shows it on request, but nobody meets it by opening a notebook.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.trouble import Trouble

FOLDER = ".records"
SCHEMA = 1


class NoRecord(LookupError):
    """A question that was never released, or whose record cannot be read. Says what to do."""


def set_of(question: str) -> str:
    """The set that a question belongs to: all before the last dash.

    >>> set_of("storage_and_strides-3")
    'storage_and_strides'
    """
    return question.rpartition("-")[0]


def as_json(record: dict[str, Any]) -> str:
    """The bytes of a record or notebook: the same for the same content, readable in a diff.

    >>> as_json({"b": 1, "a": "ä"})
    '{\\n "a": "ä",\\n "b": 1\\n}\\n'
    """
    return json.dumps(record, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def find(question: str, near: Path | None = None) -> dict[str, Any]:
    """The record of `question`: beside the notebook, else the course's own.

    Raises `NoRecord`, a sentence for the student, when there is none.
    """
    if type(question) is not str or not re.fullmatch(r"\w+-\w+", question):
        raise NoRecord('a question is named in quotes, as in "welcome-1"')
    name = f"{set_of(question)}.json"
    for folder in _folders(near or Path.cwd()):
        path = folder / name
        if path.is_file():
            return _question(path, question)
    raise NoRecord(f"there is no record of {question} here; is the name spelled right?")


def _folders(near: Path) -> list[Path]:
    folders = [near / FOLDER]
    try:
        folders.append(content.root() / "exercises" / FOLDER)
    except Trouble:  # an installation without lessons still checks an instructor's own sets
        pass
    return folders


def _question(path: Path, question: str) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        questions: dict[str, dict[str, Any]] = record["questions"]
        schema = record["schema"]
    except (OSError, ValueError, KeyError, TypeError):
        raise NoRecord(f"the record {path} cannot be read: release the set again") from None
    if schema != SCHEMA:
        raise NoRecord(f"the record {path} was made by another version: release the set again")
    if question not in questions:
        known = ", ".join(questions)
        raise NoRecord(f"there is no question {question}; this set has {known}")
    return questions[question]
