"""Predictions in a handout: each value that would answer one lies there as a salted digest.

Note [A seal stops reading, not trying]
A check has to know the right prediction, so a handout has to hold something of it. What it holds
opens only with the value itself: the digest of each number, text or truth value, and each
message for a wrong guess encrypted with that guess. Nobody reads an answer by opening the file.
Somebody who lets a program try all guesses finds it, as they would with the check itself.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from course_lib.classroom.mistakes import explain_places, places

Data = dict[str, Any]
Leaf = Callable[[Data, Data, str], Data]  # a value, what was shown in its place, and the place

HIDDEN = "sealed"  # the kind of a value whose kind alone would answer the question
_SHUT = object()  # equal to nothing that an answer can show
_NEAR = 1e-5  # as far apart as a check lets two floats be
_PLAIN = ("None", "...")


class Unsealable(Exception):
    """A sentence: why a prediction cannot be handed out sealed."""


def seal_record(record: Data, salt: str) -> Data:
    """The record of a prediction in which no value and no message can be read.

    Kinds, labels and lengths stay: a check tells them after a wrong guess. Raises `Unsealable`.
    """
    right = record["solution"]["data"]
    kinds = {kind for entry in right["entries"] for kind in _kinds(entry["value"])}
    if "graph" in kinds:
        raise Unsealable("it shows a graph, which can be written down in several ways")
    hide = bool(kinds.intersection(_PLAIN))

    wrong = []
    for number, one in enumerate(record["wrong"]):
        place = f"{salt}/wrong {number}"
        data, texts = _shut(one["data"], place, hide)
        message = _crypt(one["message"].encode(), place, texts).hex()
        wrong.append(one | {"data": data, "message": message})
    known = []
    for number, (where, value, message) in enumerate(explain_places(record)):
        place = f"{salt}/place {number}"
        data, texts = _shut(_alone(value), place, hide)
        known.append([where, data, _crypt(message.encode(), place, texts).hex()])
    solution = record["solution"] | {"data": _shut(right, f"{salt}/right", hide)[0]}
    return record | {"sealed": salt, "solution": solution, "wrong": wrong, "places": known}


def open_record(record: Data, data: Data) -> Data:
    """The record as far as what a check showed opens it; a record without a seal as it is.

    >>> shown = {"entries": [{"label": "x", "value": {"kind": "int", "value": 7}}], "error": None}
    >>> handout = seal_record({"solution": {"data": shown}, "wrong": []}, "salt")
    >>> "value" in handout["solution"]["data"]["entries"][0]["value"]
    False
    >>> open_record(handout, shown)["solution"]["data"] == shown
    True
    """
    salt = record.get("sealed")
    if not salt:
        return record

    wrong = []
    for number, one in enumerate(record["wrong"]):
        place = f"{salt}/wrong {number}"
        shown, texts = _try_to_open(one["data"], data, place)
        wrong.append(one | {"data": shown, "message": _read(one["message"], place, texts)})
    mine, known = places(data), []
    for number, (where, value, message) in enumerate(record["places"]):
        place, yours = f"{salt}/place {number}", mine.get((where[0], where[1]))
        texts = _try_to_open(value, _alone(yours), place)[1] if yours else None
        if said := _read(message, place, texts):
            known.append(((where[0], where[1]), yours, said))
    solution = record["solution"]
    solution = solution | {"data": _try_to_open(solution["data"], data, f"{salt}/right")[0]}
    return record | {"solution": solution, "wrong": wrong, "places": known}


def _shut(data: Data, place: str, hide: bool) -> tuple[Data, list[str]]:
    """What a check showed with digests in place of its values, and the texts that open them.

    With `hide` a kind is no longer told either: it alone would answer.
    """
    texts: list[str] = []

    def lock(value: Data, _: Data, at: str) -> Data:
        if "value" not in value and value["kind"] not in _PLAIN:
            return value  # an object, of which no more than its type is compared
        texts.append(_text(value))
        kept = {key: one for key, one in value.items() if key not in ("kind", "value")}
        kind = HIDDEN if hide and value["kind"] else value["kind"]
        return {"kind": kind, "digest": _digest(at, texts[-1]), **kept}

    return _replace_leaves(data, data, place, lock), texts


def _try_to_open(shut: Data, shown: Data, place: str) -> tuple[Data, list[str] | None]:
    """What `shown` opens, and the texts that did so, None where one lock stays shut."""
    texts: list[str | None] = []

    def key(value: Data, yours: Data, at: str) -> Data:
        if "digest" not in value:
            return value
        for scale in (1.0, 1 + _NEAR, 1 - _NEAR):
            if _digest(at, _text(yours, scale)) == value["digest"]:
                texts.append(_text(yours, scale))
                return yours
        texts.append(None)
        kind = yours["kind"] if value["kind"] == HIDDEN else value["kind"]
        return value | {"kind": kind, "value": _SHUT}

    data = _replace_leaves(shut, shown, place, key)
    found = [text for text in texts if text is not None]
    return data, found if len(found) == len(texts) else None


def _read(message: str, place: str, texts: list[str] | None) -> str:
    if texts is None:
        return ""
    return _crypt(bytes.fromhex(message), place, texts).decode("utf-8", "replace")


def _alone(value: Data) -> Data:
    """A value as what a check shows that shows nothing else."""
    return {"entries": [{"label": "", "value": value}], "error": None}


def _kinds(value: Data) -> set[str]:
    """The kinds of a value and of all that is inside it."""
    return {value["kind"]}.union(*(_kinds(part) for part in _parts(value)))


# ---- one value after the other -------------------------------------------------------------------


def _replace_leaves(data: Data, yours: Data, place: str, leaf: Leaf) -> Data:
    """What a check showed, each leaf replaced; `yours` is what another check showed."""
    entries = []
    for number, entry in enumerate(data["entries"]):
        other = (yours["entries"][number : number + 1] or [_NOTHING])[0]
        shown = other["value"] if other["label"] == entry["label"] else _NO_VALUE
        entries.append(entry | {"value": _walk(entry["value"], shown, f"{place}/{number}", leaf)})
    return data | {"entries": entries}


def _walk(value: Data, yours: Data, place: str, leaf: Leaf) -> Data:
    if "items" not in value and "values" not in value:
        return leaf(value, yours, place)
    theirs = _parts(yours) if yours["kind"] == value["kind"] else []
    made = []
    for number, part in enumerate(_parts(value)):
        other = theirs[number] if number < len(theirs) else _NO_VALUE
        made.append(_walk(part, other, f"{place}/{number}", leaf))
    if "values" in value:
        return value | {"values": [one.get("value", one) for one in made]}
    return value | {"items": [one["items"] if one["kind"] == _PAIR else one for one in made]}


def _parts(value: Data) -> list[Data]:
    """What is inside a list, dict or tensor, each as a value of its own."""
    if "values" in value:
        return [one if type(one) is dict else {"kind": "", "value": one} for one in value["values"]]
    items: list[Any] = value.get("items", [])
    if value["kind"] == "dict":
        return [{"kind": _PAIR, "items": pair} for pair in items]
    return items


_PAIR = "pair"
_NO_VALUE: Data = {"kind": ""}
_NOTHING: Data = {"label": None, "value": _NO_VALUE}


def _text(value: Data, scale: float = 1.0) -> str:
    """A value in the one way of writing it that its digest is made of: floats to five digits."""

    def rounded(number: Any) -> Any:
        if isinstance(number, list):  # a complex number
            return [rounded(part) for part in number]
        if not isinstance(number, float):
            return repr(number)
        return f"{0.0 if abs(number) < _NEAR / 10 else number * scale:.4e}"

    return f"{value['kind']} {rounded(value.get('value'))}"


def _digest(place: str, text: str) -> str:
    return hashlib.sha256(f"{place}\0{text}".encode("utf-8", "replace")).hexdigest()[:32]


def _crypt(message: bytes, place: str, texts: list[str]) -> bytes:
    """The message, encrypted or decrypted with the texts: the same both times."""
    key = "\0".join([f"{place}/message", *texts]).encode("utf-8", "replace")
    stream = hashlib.shake_256(key).digest(len(message))
    return bytes(one ^ other for one, other in zip(message, stream, strict=True))
