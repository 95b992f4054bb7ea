"""Compare what an answer showed with what was recorded, and say in words what differs.

Works on the JSON of `probe.py` alone (Note [Probe and judge]): no object of the student's, no
tensor library, no notebook. The four words are the whole scale; a verdict says *where* the data
differs, never only that it does.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from course_lib.classroom.graphs import align_operands
from course_lib.classroom.mistakes import explain_error, message_for, message_for_a_place, parts
from course_lib.classroom.near import observation, sorted_texts
from course_lib.classroom.numbers import CLOSE, CLOSE_TO_ANY, close
from course_lib.classroom.probe import Data
from course_lib.classroom.sealed import open_record

NOT_ATTEMPTED = "not attempted"
NOT_YET = "not yet"
RAISED = "your code raised"
CORRECT = "correct"
SYMBOLS = {NOT_ATTEMPTED: "○", NOT_YET: "◐", RAISED: "!", CORRECT: "✓"}

# The value is the question: showing the expected one would answer it.
GUESSED = ("predict", "read the graph")
BUG = "fix the bug"  # its cell does something as it is handed out, and that is shown

# Errors that nobody raised in a line of the answer.
STOPPED = ("KeyboardInterrupt", "TookTooLong", "SystemExit", "MemoryError", "RecursionError")

UNCHANGED = "The result is still that of the cell as it was given to you"
EMPTY = "The result is the same as with `...` in place of an answer"
STILL_STOPS = "The check still stops with the same error as before you changed the cell"


@dataclass(frozen=True)
class Verdict:
    """What is said about one answer. `word` is one of the four, "" where nothing was recorded."""

    question: str
    word: str
    data: Data
    differences: list[str] = field(default_factory=list)  # of the entry that differs first
    place: int = 0  # which entry that is
    message: str = ""  # for the student who made a known mistake, or has not begun
    marks: tuple[bool, ...] = ()  # for each entry, whether it is as it should be
    onward: str = ""  # what comes next, with a link
    solved: tuple[bool, ...] = ()  # the questions of the set
    moment: str = ""  # HTML, once all of them are: what one can do now
    expected: Data = field(default_factory=dict)  # of the entry that differs; {} if it is kept back

    @property
    def title(self) -> str:
        """Symbol, question and word on one line."""
        if not self.word:
            return self.question
        return f"{SYMBOLS[self.word]} {self.question}: {self.word}"


def judge(
    question: str, data: Data, record: Data, edited: bool = False, source: str = ""
) -> Verdict:
    """The verdict about `data`, given the record of the question.

    `edited` says that the cell of the answer is known to be another than the one handed out, so
    that an answer that shows no more than that one still is an attempt. `source` is that cell,
    where it is known: it helps to tell mistakes apart that show the same.

    >>> right = {"entries": [{"label": "x", "value": {"kind": "int", "value": 2}}], "error": None}
    >>> stub = {"entries": [{"label": "x", "value": {"kind": "..."}}], "error": None}
    >>> record = {"type": "puzzle", "answers": ["x"], "solution": {"data": right},
    ...           "stub": {"data": stub}, "wrong": []}
    >>> judge("demo-1", right, record).word, judge("demo-1", stub, record).word
    ('correct', 'not attempted')
    """
    record = open_record(record, data)  # predictions are handed out sealed
    expected = record["solution"]["data"]
    if same(expected, data) and not data.get("unset"):  # a check may take `...` for a False
        return Verdict(question, CORRECT, data)
    missing = (data["error"] or {}).get("missing")
    if missing in record["answers"]:
        run_it = f"There is no `{missing}` yet: run the cell of your answer, then this one."
        return Verdict(question, NOT_ATTEMPTED, data, message=run_it)
    marks = rows_right(expected, data)
    if told := _describe_untouched(data):
        if not _is_begun(record["stub"]["data"], data):
            return Verdict(question, NOT_ATTEMPTED, data, message=told)
        data = data | {"error": None}  # that the check could not use `...` is no news
        return Verdict(question, NOT_YET, data, [told], len(marks), marks=marks)
    message, hide = _find_mistake(data, record, source), record["type"] in GUESSED
    stub, error = record["stub"]["data"], data["error"]
    if same(stub, data) and not stub.get("unset"):  # the `...` is gone, whatever came in its place
        if not edited:
            return _as_given(question, data, record)
        message = message or _without_effect(data, record, source)
    if error:
        message = message or explain_error(error)
        if "line" in error or error["type"] in STOPPED:
            so_far = {"entries": expected["entries"][: len(marks)]}
            message = message or observation(so_far, data, marks, hide)
            return Verdict(question, RAISED, data, message=message, marks=marks)
        unused = f"The check could not go on with what your answer gave it: {_said(error)}"
        return Verdict(question, NOT_YET, data, [unused], len(marks), message, marks)
    place, found = _first_difference(expected, data, hide)
    shown = _beside(expected, data)
    message = message or observation(expected, shown, marks, hide)
    wanted = {} if hide else _expected_entry(expected, shown, place)
    return Verdict(question, NOT_YET, shown, found, place, message, marks, expected=wanted)


def _find_mistake(data: Data, record: Data, source: str) -> str:
    """What is recorded about the mistake that the student made, "" where that is not certain."""
    alike = [wrong for wrong in record["wrong"] if same(wrong["data"], data)]
    if not alike and record["type"] in GUESSED:
        return message_for_a_place(data, record)
    return message_for(data, record, alike, source)


def _as_given(question: str, data: Data, record: Data) -> Verdict:
    """The verdict about a cell that nobody has changed yet."""
    if record["type"] != BUG:
        return Verdict(question, NOT_ATTEMPTED, data, message=f"{UNCHANGED}.")
    expected, error = record["solution"]["data"], data["error"]
    (place, found), marks = _first_difference(expected, data, False), rows_right(expected, data)
    shown = _beside(expected, data)
    if error and all(marks):  # what stops it is wrong, not that rows are missing
        found, place = [] if "line" in error else [f"The check stops: {_said(error)}"], len(marks)
    told = "You have not changed anything yet, and this is what goes wrong."
    wanted = _expected_entry(expected, shown, place)
    return Verdict(question, NOT_ATTEMPTED, shown, found, place, told, marks, expected=wanted)


def _without_effect(data: Data, record: Data, source: str) -> str:
    """What is said where a cell was changed and shows the same as before."""
    empty = record["stub"]["code"].endswith("    ...")
    model = record["solution"].get("code", "") or "return"
    if empty and "return" in parts(model) - parts(source):
        return f"{EMPTY}: does your function `return` something?"
    if data["error"]:
        return f"{STILL_STOPS}. {explain_error(data['error'])}".rstrip()
    return f"{EMPTY if empty else UNCHANGED}."


def _said(error: Data) -> str:
    return f"{error['type']}: {error['message']}".removesuffix(": ")


def _expected_entry(expected: Data, shown: Data, place: int) -> Data:
    """What the entry that differs should show, where both have one of that label."""
    pairs = list(zip(expected["entries"], shown["entries"], strict=False))[place : place + 1]
    return next((our["value"] for our, your in pairs if our["label"] == your["label"]), {})


def _is_begun(stub: Data, data: Data) -> bool:
    """Whether some of what the check uses is written, where the rest still is `...`."""
    open_, as_given = data.get("unset"), stub.get("unset", data.get("unset"))
    return bool(open_) and (open_ != as_given or data["entries"] != stub["entries"])


def rows_right(expected: Data, data: Data) -> tuple[bool, ...]:
    """For each entry of `data`, whether it is the expected one."""
    ours = expected["entries"]
    return tuple(
        place < len(ours)
        and ours[place]["label"] == entry["label"]
        and not differences(ours[place]["value"], entry["value"])
        for place, entry in enumerate(data["entries"])
    )


def same(expected: Data, data: Data) -> bool:
    """True when two checks showed the same: labels, values up to rounding, and error.

    >>> nothing = {"entries": [], "error": None}
    >>> same(nothing, nothing | {"error": {"type": "ValueError", "message": "no"}})
    False
    """
    ours, yours = expected["error"] or {}, data["error"] or {}
    if any(ours.get(key) != yours.get(key) for key in ("type", "message")):
        return False
    return not _first_difference(expected, data, hide=False)[1]


def _beside(expected: Data, data: Data) -> Data:
    """`data` with its graphs in the order in which the differences count nodes and inputs."""
    entries = [*data["entries"]]
    for place, (our, your) in enumerate(zip(expected["entries"], entries, strict=False)):
        if our["value"]["kind"] == your["value"]["kind"] == "graph":
            nodes = align_operands(our["value"]["nodes"], your["value"]["nodes"])
            entries[place] = your | {"value": {"kind": "graph", "nodes": nodes}}
    return data | {"entries": entries}


def _describe_untouched(data: Data) -> str:
    """Says so when the answer still is `...` somewhere, or tells that it is not written yet."""
    if data.get("unset"):
        names = " and ".join(f"`{name}`" for name in data["unset"])
        return f"There is still `...` in {names}: write your answer in its place and run that cell."
    error = data["error"] or {}
    # with a sentence it is the library's, such as that of a tensor that leaves meta
    if error.get("type") == "NotImplementedError" and not error["message"]:
        return "The answer still says that it is not written yet."
    if not error and any(entry["value"]["kind"] == "..." for entry in data["entries"]):
        return "What comes back still is `...`: write your answer in its place and run that cell."
    return ""


def _first_difference(expected: Data, data: Data, hide: bool) -> tuple[int, list[str]]:
    ours, yours = expected["entries"], data["entries"]
    for place, (our, your) in enumerate(zip(ours, yours, strict=False)):
        if our["label"] != your["label"]:
            if your["label"] in [later["label"] for later in ours[place:]]:
                return place, [f"your answer gave the check nothing to show as “{our['label']}”"]
            unknown = f"the check should not show “{your['label']}” here"
            return place, [f"{unknown}; if you changed its cell, copy it afresh"]
        found = differences(our["value"], your["value"], hide)
        if found:
            return place, found
    if len(ours) != len(yours):
        values = _many(len(ours), "value")
        return 0, [f"the check should show {values}, here it shows {len(yours)}"]
    return 0, []


# ---- one value against another -------------------------------------------------------------------


def differences(expected: Data, yours: Data, hide: bool = False) -> list[str]:
    """Sentences that say how `yours` differs, none when it does not.

    With `hide` the expected value is kept back: it is what the student was asked to predict.

    >>> differences({"kind": "int", "value": 2}, {"kind": "int", "value": 3})
    ['expected 2, yours is 3']
    >>> differences({"kind": "int", "value": 2}, {"kind": "int", "value": 3}, hide=True)
    ['3 is not it']
    >>> differences({"kind": "int", "value": 2}, {"kind": "list", "items": []})
    ['expected a value of type int, yours is a list']
    """
    if expected["kind"] != yours["kind"]:
        return [f"expected {_kind(expected)}, yours is {_kind(yours, bare=True)}"]
    if expected["kind"] == "graph":
        nodes = align_operands(expected["nodes"], yours["nodes"])
        return _graph_differences(expected["nodes"], nodes, hide)
    if expected["kind"] in ("tensor", "array"):
        return _tensor_differences(expected, yours, hide)
    if "items" in expected:
        return _item_differences(expected, yours, hide)
    if close(expected.get("value"), yours.get("value")) and all(
        expected.get(key) == yours.get(key) for key in ("type", "bits", "length")
    ):
        return []
    if hide:
        return [f"{as_text(yours)} is not it"]
    return [f"expected {as_text(expected)}, yours is {as_text(yours)}"]


def _kind(data: Data, bare: bool = False) -> str:
    kind = str(data.get("type") or data["kind"])
    if kind in ("None", "..."):
        return kind
    article = "an" if kind[0] in "aeiou" else "a"
    plain = bare or kind in ("tensor", "list", "tuple", "dict", "array", "node")
    return f"{article} {kind}" if plain else f"a value of type {kind}"


def _tensor_differences(expected: Data, yours: Data, hide: bool) -> list[str]:
    found = []
    for words in ("the shape", "the dtype", "the device", "requires_grad"):
        key = words.removeprefix("the ")
        ours, theirs = (({"device": "cpu"} | one).get(key) for one in (expected, yours))
        if ours != theirs:
            found.append(f"{words} should be {_short(ours)}, yours is {_short(theirs)}")
    if expected["shape"] != yours["shape"] or "values" not in expected or "values" not in yours:
        return found
    within = CLOSE.get(expected["dtype"], CLOSE_TO_ANY)
    pairs = list(zip(expected["values"], yours["values"], strict=True))
    wrong = [place for place, pair in enumerate(pairs) if not close(*pair, within)]
    if wrong:
        ours, theirs = (_number(number) for number in pairs[wrong[0]])
        where = f"at {_index(wrong[0], expected)}: " if len(pairs) > 1 else ""
        said = f"{theirs} is not it" if hide else f"expected {ours}, yours is {theirs}"
        count = f" ({len(wrong)} of {len(pairs)} places differ)" if len(pairs) > 1 else ""
        found.append(f"{'first difference ' if where else ''}{where}{said}{count}")
    return found


def _graph_differences(expected: list[Any], yours: list[Any], hide: bool) -> list[str]:
    """The first node, in the order of the walk, of another name, or else of other inputs.

    As long as all inputs were the same, the nodes of both graphs are in the same places.
    """
    ways: dict[int | None, str] = {0: "the newest node"}
    for place, (ours, theirs) in enumerate(zip(expected, yours, strict=False)):
        where = ways.get(place, f"node {place + 1}")
        if found := _other_name(where, ours, theirs, hide):
            return found
        for number, (our, their) in enumerate(zip(ours[1], theirs[1], strict=False)):
            way = f"input {number} of {ours[0]} (node {place + 1})"
            ways.setdefault(our, way)
            if our is not None and their is not None:
                if found := _other_name(way, expected[our], yours[their], hide):
                    return found
        if ours[1] != theirs[1]:
            return [f"{where}, {theirs[0]}, has other inputs: {_edges(theirs[1])}"]
    if not expected or not yours:
        which = "should have" if expected else "should have no"
        return [] if expected == yours else [f"it {which} a graph behind it"]
    return []


def _other_name(where: str, ours: list[Any], theirs: list[Any], hide: bool) -> list[str]:
    if ours[0] == theirs[0]:
        return []
    if hide:
        return [f"{where} is not {theirs[0]}"]
    return [f"{where} should be {ours[0]}, yours is {theirs[0]}"]


def _edges(places: list[int | None]) -> str:
    named = ["none" if place is None else f"node {place + 1}" for place in places]
    return ", ".join(named) or "none"


def _index(place: int, tensor: Data) -> str:
    """The index of a place in the flat list of values."""
    if len(tensor["values"]) < math.prod(tensor["shape"]):
        return f"place {place} of the part that was compared"
    index: list[int] = []
    for size in reversed(tensor["shape"]):
        place, rest = divmod(place, size)
        index.insert(0, rest)
    return str(index)


def _item_differences(expected: Data, yours: Data, hide: bool) -> list[str]:
    ours, theirs = expected["items"], yours["items"]
    names, wanted = sorted_texts(yours), None if hide else sorted_texts(expected)
    if names and wanted and (more := names - wanted):
        return [f"{min(more)!r} does not belong there"]
    lengths = [data.get("length", len(data["items"])) for data in (expected, yours)]
    if hide and not ours and theirs:
        return [f"{as_text(yours)} is not it"]  # that nothing is expected would be the answer
    if lengths[0] != lengths[1]:
        return [f"expected {_many(lengths[0], 'item')}, yours has {lengths[1]}"]
    for place, (our, their) in enumerate(zip(ours, theirs, strict=False)):
        if expected["kind"] == "dict":
            if differences(our[0], their[0]):
                return [f"key {place} differs: yours is {as_text(their[0])}"]
            where, our, their = as_text(our[0]), our[1], their[1]
        else:
            where = str(place)
        found = differences(our, their, hide)
        if found and hide and names and len(names) > 1 and our["kind"] == "str":
            return ["at least one of these names is not it"]  # their places say nothing
        if found:
            return [f"at [{where}]{_further(sentence)}" for sentence in found]
    return []


def _many(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _further(sentence: str) -> str:
    """What follows a place: the place inside it, if the sentence begins with one.

    >>> _further("at [0]: 7 is not it"), _further("7 is not it")
    ('[0]: 7 is not it', ': 7 is not it')
    """
    return sentence.removeprefix("at ") if sentence.startswith("at [") else f": {sentence}"


# ---- values in words -----------------------------------------------------------------------------


def as_text(data: Data, limit: int = 300) -> str:
    """One described value on one line.

    >>> as_text({"kind": "tensor", "shape": [2], "dtype": "torch.int64", "requires_grad": False,
    ...          "values": [1, 2]})
    '[1, 2], shape (2,), torch.int64'
    """
    text = _text(data)
    return text if len(text) <= limit else text[:limit] + " …"


def _text(data: Data) -> str:
    kind = data["kind"]
    if kind in ("tensor", "array"):
        return _tensor_text(data)
    if kind == "graph":
        rows = enumerate(data["nodes"], 1)
        told = "; ".join(f"{row} {node[0]} ← {_edges(node[1])}" for row, node in rows)
        return told or "no graph"
    if kind == "dict":
        return "{" + ", ".join(f"{_text(k)}: {_text(v)}" for k, v in data["items"]) + "}"
    if kind in ("list", "tuple"):
        more = ["…"] if "length" in data else []
        inside = ", ".join([_text(item) for item in data["items"]] + more)
        comma = "," if kind == "tuple" and len(data["items"]) == 1 else ""
        return f"[{inside}]" if kind == "list" else f"({inside}{comma})"
    if kind == "str":
        return repr(data["value"]) + ("…" if "length" in data else "")
    if "bits" in data:
        return f"a number of {data['bits']} bits"
    if "type" in data:
        return f"an object of type {data['type']}"
    return _number(data["value"]) if "value" in data else kind


def _tensor_text(data: Data) -> str:
    parts = [f"shape {_short(data['shape'])}", data["dtype"]]
    if data.get("requires_grad"):
        parts.append("requires_grad")
    if "device" in data:
        parts.append(data["device"])
    if "values" in data:
        parts.insert(0, _nest_values(data["values"], data["shape"]))
    return ", ".join(parts)


def _nest_values(values: list[Any], shape: list[int]) -> str:
    """Values with the brackets of their shape; the first of them when some were left out."""
    if len(values) < math.prod(shape):
        return "[" + ", ".join(map(_number, values[:12])) + ", …]"
    return _text(rows([{"kind": "number", "value": value} for value in values], shape))


def rows(items: list[Data], shape: list[int]) -> Data:
    """The items as lists in lists."""
    for depth in reversed(range(1, len(shape))):
        size, count = shape[depth], range(math.prod(shape[:depth]))
        parts = [items[row * size : (row + 1) * size] for row in count]
        items = [{"kind": "list", "items": part} for part in parts]
    return {"kind": "list", "items": items} if shape else items[0]


def _number(value: Any) -> str:
    if isinstance(value, list):
        return f"({value[0]}+{value[1]}j)"
    return str(value)


def _short(value: Any) -> str:
    return str(tuple(value)) if isinstance(value, list) else str(value)
