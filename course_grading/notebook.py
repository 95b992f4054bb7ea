"""Read a submission: bytes that may be a notebook become cells, or a sentence says why not.

Runs in a child, as the bytes may be anything; Note [Who knows what].
"""

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

CELLS = 3000
LETTERS = 200_000  # of one cell
PAUSE = 15 * 60  # seconds between two runs of cells that still count as time spent


class Unreadable(Exception):
    """A sentence: what is wrong with the file, and what to do."""


@dataclass
class Cell:
    """One cell of a submission, with all that may say which question it belongs to."""

    number: int  # counted from 1 over all cells, as a reader counts
    kind: str
    text: str
    ident: str = ""
    question: str = ""  # as its metadata has it
    role: str = ""
    times: list[float] = field(default_factory=list, repr=False)  # when it ran, if that is stored


AGAIN = "open it in JupyterLab, save it and hand it in again"


def read(data: bytes) -> tuple[list[Cell], list[str]]:
    """The cells, and sentences about what was odd. Raises `Unreadable`.

    >>> read(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["x"], "metadata": {}}]}')
    ([Cell(number=1, kind='code', text='x', ident='', question='', role='')], [])
    """
    notebook = _json(data)
    if isinstance(notebook.get("worksheets"), list):
        sheets = [sheet for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        raw: Any = [cell for sheet in sheets for cell in sheet.get("cells") or []]
    else:
        raw = notebook.get("cells")
    if not isinstance(raw, list):
        raise Unreadable(f"it is JSON, but no notebook: it has no cells; {AGAIN}")
    if len(raw) > CELLS:
        raise Unreadable(f"it has {len(raw)} cells, more than {CELLS}; delete what is no answer")
    cells, odd = [], []
    for number, one in enumerate(raw, 1):
        cell = _cell(number, one)
        if cell is None:
            odd.append(f"cell {number} is damaged and was passed over; {AGAIN}")
        else:
            cells.append(cell)
    return cells, odd[:10]


def minutes(cells: list[Cell]) -> int | None:
    """The time between runs of cells, without long pauses; None where nothing tells it.

    >>> minutes([Cell(1, "code", "", times=[0.0, 60.0]), Cell(2, "code", "", times=[7260, 7380])])
    3
    """
    times = sorted(time for cell in cells for time in cell.times)
    if len(times) < 2:
        return None
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return round(sum(gap for gap in gaps if gap <= PAUSE) / 60)


def _json(data: bytes) -> dict[str, Any]:
    if not data.strip(b"\0 \t\r\n"):
        raise Unreadable("the file is empty; hand in the notebook itself, after saving it")
    if data[:4] == b"PK\x03\x04" or data[:2] == b"\x1f\x8b":
        raise Unreadable("it is an archive, not a notebook; unpack it and hand in the .ipynb file")
    text = _text(data)
    if re.match(r"\s*<[!?a-z]", text, re.IGNORECASE):
        raise Unreadable("it is a web page, not a notebook; download the .ipynb file itself")
    if re.search(r"^<{7} .*^>{7} ", text, re.MULTILINE | re.DOTALL):
        raise Unreadable("it holds the marks of an unfinished git merge; settle the merge first")
    try:
        notebook = json.loads(text)
    except RecursionError:
        raise Unreadable(f"its JSON is nested without end; {AGAIN}") from None
    except ValueError as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        cut = isinstance(error, json.JSONDecodeError) and error.pos >= len(text.rstrip()) - 1
        what = "it ends in the middle" if cut else f"it is no valid JSON{where}"
        raise Unreadable(f"{what}; {AGAIN}") from None
    if not isinstance(notebook, dict):
        raise Unreadable(f"it is JSON, but no notebook; {AGAIN}")
    return notebook


def _text(data: bytes) -> str:
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return data.decode("utf-16" if marked else "utf-8-sig", "replace")


def _cell(number: int, raw: Any) -> Cell | None:
    if not isinstance(raw, dict):
        return None
    source = raw.get("source", raw.get("input"))
    if isinstance(source, list):
        if not all(isinstance(line, str) for line in source):
            return None
        source = "".join(source)
    kind = raw.get("cell_type")
    if not isinstance(source, str) or not isinstance(kind, str) or len(source) > LETTERS:
        return None
    text = source.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n")
    cell = Cell(number, kind, text.strip("\ufeff").rstrip())
    ident = raw.get("id")
    cell.ident = ident if isinstance(ident, str) else ""
    about = raw.get("metadata")
    if isinstance(about, dict):
        _identify(cell, about)
        cell.times = _times(about.get("execution"))
    return cell


def _times(execution: Any) -> list[float]:
    """When a cell ran: JupyterLab stores it if it is told to record timing."""
    found = []
    for stamp in list(execution.values())[:10] if isinstance(execution, dict) else ():
        try:
            found.append(datetime.fromisoformat(stamp).timestamp())
        except (TypeError, ValueError, OverflowError, OSError):
            continue
    return found


def _identify(cell: Cell, about: dict[str, Any]) -> None:
    """Question and role from metadata: ours, else nbgrader's."""
    course, nbgrader = about.get("course"), about.get("nbgrader")
    if isinstance(course, dict) and isinstance(course.get("question"), str):
        cell.question, cell.role = course["question"], str(course.get("role"))
    elif isinstance(nbgrader, dict) and isinstance(nbgrader.get("grade_id"), str):
        name, _, part = nbgrader["grade_id"].rpartition("-")
        if nbgrader.get("solution") is True:
            cell.question, cell.role = nbgrader["grade_id"], "answer"
        elif part in ("check", "prompt"):
            cell.question, cell.role = name, part
