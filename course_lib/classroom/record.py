"""The record of an exercise set: what each question's answers showed when it was released.

One JSON file per set, in the hidden folder `.records` beside the released notebooks. It holds the
solution too, which `solution(…)` shows on request. `nearest` says what a misspelled name may mean.
"""

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.trouble import Trouble

FOLDER = ".records"
SCHEMA = 1
NONE: Mapping[int | None, str] = {}


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
    if type(question) is not str or not question:
        raise NoRecord('a question is named in quotes, as in "welcome-1"')
    folders = _folders(near or Path.cwd())
    for folder in folders if re.fullmatch(r"\w+-\w+", question) else ():
        path = folder / f"{set_of(question)}.json"
        if path.is_file():
            questions = _read(path)["questions"]
            if question not in questions:
                known = ", ".join(questions)
                raise NoRecord(f"there is no question {question}; this set has {known}")
            found: dict[str, Any] = questions[question]
            return found
    records = [_read(path) for folder in folders for path in sorted(folder.glob("*.json"))]
    names = [name for record in records for name in record["questions"]]
    numbers = {content.number(one.get("notebook", "")): one.get("set", "") for one in records}
    said = ask_nearest(question, names, numbers) or "is the name spelled right?"
    raise NoRecord(f"there is no question {question} here; {said}")


def nearest(word: str, names: Sequence[str], numbers: Mapping[int | None, str] = NONE) -> list[str]:
    """The names that `word` may stand for: in other signs, by number, begun or misspelled.

    >>> names, numbers = ["views", "views-1", "views-2"], {6: "views"}
    >>> nearest("Views2", names), nearest("06-1", names, numbers), nearest("vi", names)
    (['views-2'], ['views-1'], ['views'])
    >>> nearest("viws", names), nearest("other", names)
    (['views'], [])
    """
    found = re.match(r"(?:ex)?(\d+)(?!\w)", word.lower())
    if found and (name := numbers.get(int(found[1]))):
        word = name + word[found.end() :]
    bare = _bare(word)
    near = [name for name in names if _bare(name) == bare]
    if not near:
        near = [name for name in names if bare and _bare(name).startswith(bare)]
        near = [name for name in near if not any(name.startswith(f"{one}-") for one in near)]
    return near or difflib.get_close_matches(word.lower(), names, n=1)


def ask_nearest(word: str, names: Sequence[str], numbers: Mapping[int | None, str] = NONE) -> str:
    """The question whether one of the nearest names was meant, or "" if none is near.

    >>> ask_nearest("viws", ["views", "views-1"]), ask_nearest("other", ["views"])
    ('did you mean views?', '')
    """
    near = nearest(word, names, numbers)
    return f"did you mean {' or '.join(near[:3])}?" if near else ""


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _folders(near: Path) -> list[Path]:
    folders = [near / FOLDER]
    try:
        folders.append(content.root() / "exercises" / FOLDER)
    except Trouble:  # an installation without lessons still checks an instructor's own sets
        pass
    return folders


def _read(path: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        schema, _ = record["schema"], record["questions"]
    except (OSError, ValueError, KeyError, TypeError):
        raise NoRecord(f"the record {path} cannot be read: release the set again") from None
    if schema != SCHEMA:
        raise NoRecord(f"the record {path} was made by another version: release the set again")
    return record
