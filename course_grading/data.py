"""Believe nothing that came out of a child: read its lines, check each for the shape it must have.

A student's code may write to the grader's pipe whatever it likes. What `verdict.py` is given has
been through here, so that comparing and showing it cannot fail, and takes no longer than it should.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from course_grading import decoy
from course_lib.classroom.probe import DEPTH, DIMENSIONS, LETTERS, PLACES, Data

ODD_LETTERS = re.compile(  # control characters, and those that turn the direction of text
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff]"
)
_SHAPES = 10_000  # a tensor without elements may be of any size, and be slow to write out


_PLAIN = ("bool", "int", "float", "complex", "str", "name", "node")


class Malformed(ValueError):
    """It is not what a check shows."""


@dataclass
class Told:
    """What one run said, once it is known to be well-formed."""

    data: Data | None = None
    at: int | None = None  # the cell that was begun last; 0 for the check
    raised: list[tuple[int, Data]] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    holds: list[str] = field(default_factory=list)  # what no answer needs
    decoys: dict[str, Data | None] = field(default_factory=dict)  # None: it came to nothing else
    broke: str = ""
    ended: bool = False
    forged: str = ""  # why the lines are not only the grader's own


def letters(text: Any, most: int = LETTERS) -> str:
    """Text that every file and terminal can hold: no control characters, no halves of letters.

    >>> letters("a\\x1b[31m\\ud800b")
    'a�[31m?b'
    """
    if type(text) is not str:
        raise Malformed("no text")
    return ODD_LETTERS.sub("\ufffd", text[:most]).encode("utf-8", "replace").decode("utf-8")


def genuine(said: bytes, key: str) -> str:
    """The lines that a run wrote itself, without their seals; a "?" where another one begins.

    >>> seal = hashlib.blake2b(b'{"at": 3}', key=b"k", digest_size=8).hexdigest()
    >>> genuine(f'{seal} {{"at": 3}}\\n{seal} {{"at": 0}}\\n'.encode(), b"k".hex())
    '{"at": 3}\\n?\\n'
    """
    seal = hashlib.blake2b(key=bytes.fromhex(key), digest_size=8)
    found = []
    for row in said.split(b"\n")[:-1]:  # the last may be cut short where the process was ended
        told, _, text = row.partition(b" ")
        seal.update(text)
        if told != seal.hexdigest().encode():
            found.append("?")
            break
        found.append(text.decode())
    return "".join(one + "\n" for one in found)


def lines(said: str, questions: list[Any]) -> dict[str, Told]:
    """Read the lines of one run: what was told of each question and its cells, in this order.

    A run says the same lines in the same order, whatever the answer is. A line that is missing,
    twice or in another place was not written by the grader's own code.

    >>> said = '{"question": "a-1"}\\n{"at": 3}\\n{"at": 0}\\nnonsense'
    >>> lines(said, [["a-1", [[3, ""]]]])["a-1"].at
    0
    """
    found: dict[str, Told] = {}
    following = iter(questions)
    told = Told(ended=True)  # nothing is told of what is before the first
    expected: Iterator[tuple[str, Any]] = iter(())
    rows = said.split("\n")
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            message = json.loads(row, parse_constant=_no_number)
            if type(message) is dict and "question" in message:
                name, cells = next(following, ("", []))
                if message["question"] != name or not told.ended:
                    raise Malformed("not the question that follows")
                told = found[name] = Told()
                expected = _order(cells)
            else:
                expected = _line(message, told, expected)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError):
            if number < len(rows):  # the last line may be cut short where the process was ended
                told.forged = "something else was written to where results go"
        if told.forged:
            break
    return found


def _order(cells: list[Any]) -> Iterator[tuple[str, Any]]:
    """The lines of one question: what each is, and the number or the name in it."""
    for number, _ in cells:
        yield "at", number
        yield "raised", number
    yield "at", 0
    yield "data", None
    for kind in decoy.KINDS:
        yield "decoy", kind
    yield "end", None


def _no_number(word: str) -> Any:
    raise Malformed(word)


def _line(
    message: Any, told: Told, expected: Iterator[tuple[str, Any]]
) -> Iterator[tuple[str, Any]]:
    """Take in one line, which has to be the next of the `expected` ones; those that follow it."""
    if type(message) is not dict:
        raise Malformed("no line of the grader's")
    if "broke" in message:
        told.broke = letters(message["broke"], 500)
        return iter(())
    kind, which = next(expected, ("", None))
    if kind == "raised" and "raised" not in message:  # only where something was raised
        kind, which = next(expected)
    if kind not in message:
        raise Malformed("not the line that follows")
    if kind == "at":
        told.at = _the(which, message["at"])
    elif kind == "raised":
        number, error = message["raised"]
        if len(told.raised) < 20:
            told.raised.append((_the(which, number), _error(error)))
    elif kind == "data":
        told.data = rebuild_data(message["data"])
        told.changed += _sentences(message["changed"])
        told.holds = _sentences(message["holds"])
    elif kind == "decoy":
        told_by = message["data"]
        told.decoys[_the(which, message["decoy"])] = (
            None if told_by is None else rebuild_data(told_by)
        )
    else:
        told.changed += _sentences(message["changed"])
        told.ended = True
    return expected


def _the(which: Any, said: Any) -> Any:
    if type(said) is not type(which) or said != which:
        raise Malformed("the number or name of another line")
    return which


def _sentences(found: Any) -> list[str]:
    if type(found) is not list:
        raise Malformed("no sentences")
    return [letters(one, 120) for one in found[:20]]


def _count(number: Any) -> int:
    if type(number) is not int or not 0 <= number <= 10**6:
        raise Malformed("no number of a cell")
    return number


# ---- what a check shows --------------------------------------------------------------------------


def rebuild_data(data: Any) -> Data:
    """The data of one check, made anew from what is well-formed. Raises `Malformed`.

    >>> entry = {"label": "x", "value": {"kind": "int", "value": 2}}
    >>> rebuild_data({"entries": [entry], "error": None})
    {'entries': [{'label': 'x', 'value': {'kind': 'int', 'value': 2}}], 'error': None}
    """
    if type(data) is not dict or type(data["entries"]) is not list:
        raise Malformed("no data")
    entries = [
        {"label": letters(entry["label"]), "value": value(entry["value"], DEPTH + 1)}
        for entry in data["entries"][: PLACES + 1]
    ]
    made: Data = {"entries": entries, "error": None}
    if data["error"] is not None:
        made["error"] = _error(data["error"])
    if data.get("unset"):
        made["unset"] = _sentences(data["unset"])
        if not all(map(str.isidentifier, made["unset"])):
            raise Malformed("no names")
    return made


def _error(error: Any) -> Data:
    made: Data = {"type": letters(error["type"], 80), "message": letters(error["message"])}
    for key, most in (("code", 200), ("missing", 80)):
        if key in error:
            made[key] = letters(error[key], most)
    if "line" in error:
        made["line"] = _count(error["line"])
    return made


def value(data: Any, depth: int) -> Data:
    """One described value, made anew."""
    if type(data) is not dict or depth < 0:
        raise Malformed("no value")
    kind = letters(data["kind"], 40)
    if kind in ("tensor", "array"):
        return _tensor(data, kind)
    if kind in ("list", "tuple", "dict"):
        return _items(data, kind, depth)
    if kind == "graph":
        return {"kind": kind, "nodes": [_node(node) for node in data["nodes"][:PLACES]]}
    made: Data = {"kind": kind}
    if kind in _PLAIN and not (kind == "int" and "bits" in data):
        made["value"] = _number(data["value"])
    elif kind in ("object", "unreadable"):
        made["type"] = letters(data["type"], 80)
    elif kind not in ("int", "None", "..."):
        raise Malformed("no kind of value")
    for key in ("bits", "length"):
        if key in data:
            made[key] = _whole(data[key])
    return made


def _whole(number: Any) -> int:
    if type(number) is not int or number.bit_length() > 512:
        raise Malformed("no whole number")
    return number


def _number(data: Any) -> Any:
    if type(data) is list:
        if len(data) != 2:
            raise Malformed("no complex number")
        return [_number(part) for part in data]
    if type(data) is str:
        return letters(data)
    if type(data) is int:
        return _whole(data)
    if data is None or type(data) in (bool, float):
        return data
    raise Malformed("no number")


def _items(data: Data, kind: str, depth: int) -> Data:
    if type(data["items"]) is not list or len(data["items"]) > PLACES + 1:
        raise Malformed("no items")
    items: list[Any]
    if kind == "dict":
        items = [[value(key, depth - 1), value(one, depth - 1)] for key, one in data["items"]]
    else:
        items = [value(one, depth - 1) for one in data["items"]]
    made: Data = {"kind": kind, "items": items}
    if "length" in data:
        made["length"] = _whole(data["length"])
    return made


def _tensor(data: Data, kind: str) -> Data:
    shape = [_whole(size) for size in data["shape"]]
    if len(shape) > DIMENSIONS or any(size < 0 for size in shape):
        raise Malformed("no shape")
    made: Data = {"kind": kind, "shape": shape, "dtype": letters(data["dtype"], 40)}
    if "requires_grad" in data:
        made["requires_grad"] = bool(data["requires_grad"])
    if "device" in data:
        made["device"] = letters(data["device"], 40)
    if "values" in data:
        values = [_number(one) for one in data["values"]]
        full = math.prod(shape)
        if len(values) > PLACES or (len(values) != full and full <= PLACES) or len(values) > full:
            raise Malformed("its numbers do not fill its shape")
        if full == 0 and math.prod(size for size in shape if size) > _SHAPES:
            return {"kind": "object", "type": f"{kind} of an enormous empty shape"}
        made["values"] = values
    return made


def _node(node: Any) -> Any:
    name, before, *ordered = node
    inputs = [None if one is None else _count(one) for one in before[:PLACES]]
    return [letters(name, 80), inputs, *(letters(one, 20) for one in ordered[:1])]
