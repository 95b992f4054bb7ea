"""Turn a student's answer into plain data: the first half of a check; `verdict.py` is the second.

Note [Probe and judge]
A check cell never compares anything. It calls the answer and shows what comes back; this module
writes that down as JSON. The verdict is made from two such descriptions, so it can be made later,
elsewhere, by a process in which none of the student's code ever ran.

Nothing here calls `repr`, `==` or `bool` of an object it does not know: those may be the
student's own, may raise, and may never return.
"""

import builtins
import itertools
import linecache
import math
import random
import sys
from collections.abc import Callable
from types import CodeType, FunctionType, TracebackType
from typing import Any

from course_lib.classroom.stop import ordinary_settings, time_limit

Data = dict[str, Any]  # one described value, or all that one check showed; always JSON

PLACES = 1000  # values kept of one answer: enough to compare, and a bound for the record
DEPTH = 6  # lists in lists in lists …
LETTERS = 2000
DIMENSIONS = 64  # as many as PyTorch allows
TRUTHS = {"true": True, "yes": True, "1": True, "1.0": True}
TRUTHS |= {"false": False, "no": False, "0": False, "0.0": False}
DIGITS = 6  # two right ways of adding up may differ in the last digit of a float32


def describe(value: object) -> Data:
    """`value` as JSON: its kind, and what can be compared. Never raises, never changes it.

    >>> describe([1, 2.5])
    {'kind': 'list', 'items': [{'kind': 'int', 'value': 1}, {'kind': 'float', 'value': 2.5}]}
    >>> describe(object())
    {'kind': 'object', 'type': 'object'}
    """
    try:
        return _describe(value, DEPTH, [PLACES])
    except Exception:  # whatever a hostile attribute raises
        return {"kind": "unreadable", "type": type_name(value)}


def type_name(value: object) -> str:
    """The name of the type, asked of `type` itself: a metaclass cannot answer in its place.

    >>> type_name(3)
    'int'
    """
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name[:80]


def _is_genuine(kind: type) -> bool:
    """True for a tensor of the library or of PyTorch, or an array of NumPy's own.

    A class that is derived from them, or only looks like them, may say of itself what it likes. So
    the place where one is looked for is not any module that it names: it may have been put there.
    """
    parts = ("__module__", "__qualname__", "__flags__")
    module, name, flags = (type.__dict__[part].__get__(kind) for part in parts)
    if not flags & _OF_A_PROGRAM:
        return str(module).startswith("numpy")
    return module in _LIBRARIES and getattr(sys.modules.get(module), name, None) is kind


_OF_A_PROGRAM = 1 << 9  # Python's flag of classes that are not built in
_LIBRARIES = ("course_lib", "course_lib.nn.parameter", "torch", "torch.nn.parameter")


def _describe(value: Any, depth: int, room: list[int]) -> Data:
    kind = type(value)
    room[0] -= 1
    if value is None or value is ...:
        return {"kind": "None" if value is None else "..."}
    if kind is bool:
        return {"kind": "bool", "value": value}
    if issubclass(kind, int):
        return _integer(int.__index__(value))
    if issubclass(kind, float):
        return {"kind": "float", "value": _float(float.__float__(value))}
    if issubclass(kind, complex):
        return {"kind": "complex", "value": _plain(complex.__complex__(value))}
    if issubclass(kind, str):
        return _string(str.__str__(value))
    for plain in (list, tuple, dict):
        if issubclass(kind, plain):
            return _items(value, plain, depth, room)
    if all(hasattr(kind, name) for name in ("shape", "dtype", "tolist")) and _is_genuine(kind):
        return _tensor(value)
    if type_name(value) in ("dtype", "device", "layout"):
        return {"kind": "name", "value": str(value)[:80]}
    if hasattr(kind, "next_functions"):
        return {"kind": "node", "value": str(value.name())[:80]}
    return {"kind": "object", "type": type_name(value)}


# ---- numbers, text, containers -------------------------------------------------------------------


def _integer(value: int) -> Data:
    if value.bit_length() > 256:
        return {"kind": "int", "bits": value.bit_length()}
    return {"kind": "int", "value": value}


def _float(value: float) -> float | str:
    if not math.isfinite(value):
        return str(value)  # JSON has no word for nan and inf
    return float(f"{value:.{DIGITS}g}") + 0.0  # + 0.0 makes -0.0 an ordinary zero


def _plain(value: Any) -> Any:
    """One element of `tolist()` as JSON. Its type is asked for, as `isinstance` believes a lie."""
    kind = type(value)
    if kind is complex:
        return [_float(value.real), _float(value.imag)]
    if kind is float:
        return _float(value)
    if kind in (bool, int):
        return value
    if kind in (str, type(None)):  # an array of objects
        return None if value is None else value[:LETTERS]
    raise TypeError("no number")


def _string(value: str) -> Data:
    if len(value) > LETTERS:
        return {"kind": "str", "value": value[:LETTERS], "length": len(value)}
    return {"kind": "str", "value": value}


def _items(value: Any, plain: Any, depth: int, room: list[int]) -> Data:
    """What is in a list, a tuple or a dict, asked of that class itself."""
    data: Data = {"kind": plain.__name__, "items": []}
    for item in dict.items(value) if plain is dict else plain.__iter__(value):
        if depth == 0 or room[0] <= 0:
            return data | {"length": plain.__len__(value)}
        pair = [_describe(one, depth - 1, room) for one in (item if plain is dict else (item,))]
        data["items"].append(pair if plain is dict else pair[0])
    return data


# ---- tensors and arrays --------------------------------------------------------------------------


def _tensor(value: Any) -> Data:
    shape = [int(size) for size in itertools.islice(value.shape, DIMENSIONS)]
    data: Data = {"kind": "array", "shape": shape, "dtype": str(value.dtype)[:40]}
    if hasattr(type(value), "requires_grad"):
        data |= {"kind": "tensor", "requires_grad": bool(value.requires_grad)}
        value = value.detach()
    device = str(getattr(value, "device", "cpu"))
    if device != "cpu":
        data["device"] = device[:40]
    if device != "meta":
        data["values"] = _values(value, shape)
    return data


def graph(value: Any) -> Data:
    """The graph behind a tensor or a node: each node's name, and the places of those before it.

    Nodes come in the order of a walk from the newest, breadth first; an input that needs no
    gradient has no node, and stands as None.
    """
    start = value if hasattr(type(value), "next_functions") else getattr(value, "grad_fn", None)
    if start is None:
        return {"kind": "graph", "nodes": []}
    order, places = [start], {start: 0}
    nodes: list[Any] = []
    for node in order:  # grows while it is walked
        before: list[int | None] = []
        for following, _ in node.next_functions:
            if following is not None and following not in places and len(order) < PLACES:
                places[following] = len(order)
                order.append(following)
            before.append(places.get(following))
        nodes.append([str(node.name()).rpartition("::")[2][:80], before])
        if getattr(node, "_saved_alpha", 1) != 1:
            nodes[-1].append("ordered")  # `alpha` multiplies the second operand alone
    return {"kind": "graph", "nodes": nodes}


def _values(value: Any, shape: list[int]) -> list[Any]:
    """The elements in order, the first of them when there are more than `PLACES`."""
    if math.prod(shape) > PLACES:
        value, shape = _corner(value, shape)
    flat = [value.tolist()]
    for size in shape:
        if any(type(row) is not list or len(row) != size for row in flat):
            raise TypeError("no tensor: its numbers do not fill its shape")
        flat = [item for row in flat for item in row]
    return [_plain(item) for item in flat]


def _corner(value: Any, shape: list[int]) -> tuple[Any, list[int]]:
    """A view of the first elements: `tolist()` of all would take gigabytes of an expanded one."""
    room = PLACES
    sizes: list[int] = []
    for size in reversed(shape):
        sizes.insert(0, min(size, room))
        room = max(1, room // max(1, sizes[0]))
    return value[tuple(slice(0, size) for size in sizes)], sizes


# ---- one check -----------------------------------------------------------------------------------


class Show:
    """What a check cell is given: `show(label, value)` writes one value down.

    `show.random` is a `random.Random`. Its seed belongs to the question; grading uses another, so
    that a remembered output is worth nothing.

    >>> show = Show("demo-1")
    >>> show("two", 2)
    >>> show.entries
    [{'label': 'two', 'value': {'kind': 'int', 'value': 2}}]
    """

    def __init__(self, question: str, seed: str = "course") -> None:
        self.random = random.Random(f"{seed}/{question}")
        self.entries: list[Data] = []

    def __call__(self, label: str, value: object) -> None:
        self._write(label, describe(value))

    def _write(self, label: str, data: Data) -> None:
        if len(self.entries) < PLACES:
            self.entries.append({"label": str(label)[:LETTERS], "value": data})

    @staticmethod
    def truths(words: Any) -> list[Any]:
        """Predicted truth values, also written as text or numbers; other words stay as they are.

        >>> Show.truths("true, no"), Show.truths([1, "False", "p"])
        ([True, False], [True, False, 'p'])
        """
        if isinstance(words, str):
            words = words.replace(",", " ").split()
        return [TRUTHS.get(str(word).strip().lower(), word) for word in words]

    @staticmethod
    def names(words: Any, letters: bool = False) -> list[str]:
        """Predicted names in any order: those of a list, or of a text with spaces and commas.

        With `letters` every name is one letter, and the spaces between them may be missing.

        >>> Show.names("h, r and X"), Show.names("bac", letters=True), Show.names(["nothing"])
        (['h', 'r', 'x'], ['a', 'b', 'c'], [])
        """
        text = words if isinstance(words, str) else " ".join(words)
        found = set(text.lower().replace(",", " ").split()) - {"and", "none", "nothing"}
        return sorted(set("".join(found)) if letters else found)

    def graph(self, label: str, value: object) -> None:
        """Write down the whole graph behind a tensor or a node, not the newest node alone."""
        try:
            self._write(label, graph(value))
        except Exception:  # only looks like a tensor
            self._write(label, {"kind": "unreadable", "type": type_name(value)})


def probe(
    look: Callable[[Show], object],
    question: str,
    seed: str = "course",
    names: dict[str, Any] | None = None,
) -> Data:
    """All that the check `look` shows, and the error that stopped it, if one did.

    `names` are those of the answer, if the check has others.

    >>> data = probe(lambda show: show("half", 1 / 0), "demo-1")
    >>> data["entries"], data["error"]["type"], data["error"]["message"]
    ([], 'ZeroDivisionError', 'division by zero')
    """
    show = Show(question, seed)
    try:
        with ordinary_settings(), time_limit(_code(look)):
            look(show)
        data: Data = {"entries": show.entries, "error": None}
    except BaseException as error:  # exit() and the stop button are answers too
        data = {"entries": show.entries, "error": check_error(error, look, names)}
    unset = _unset(look)
    return data | {"unset": unset} if unset else data


def _code(look: object) -> CodeType | None:
    """The check's own code; None for what is no function, but was called as a check."""
    return look.__code__ if type(look) is FunctionType else None


def _codes(look: object) -> list[CodeType]:
    """The check's own code, with the comprehensions and functions written inside it."""
    codes = [code for code in (_code(look),) if code is not None]
    for code in codes:  # which grows meanwhile
        codes += [inner for inner in code.co_consts if type(inner) is CodeType]
    return codes


def with_pythons_own(look: Any, answers: list[str]) -> tuple[Any, dict[str, Any]]:
    """The check with Python's `range`, `sum` and so on, and the notebook's names, which hid them.

    `from course_lib import *` does, and `max = 3`. Where the question asks for such a name, that
    stays.

    >>> names = {"range": None}
    >>> exec("def look(show): show('two', range(3)[2])", names)
    >>> with_pythons_own(names["look"], [])[0](print)
    two 2
    """
    namespace = _namespace(look)
    used = {name for code in _codes(look) for name in code.co_names} - {*answers}
    hidden = used & vars(builtins).keys() & namespace.keys()
    if hidden:
        names = {name: value for name, value in namespace.items() if name not in hidden}
        parts = (look.__name__, look.__defaults__, look.__closure__)
        look = FunctionType(look.__code__, names, *parts)
    return look, namespace


def _namespace(look: object) -> dict[str, Any]:
    return look.__globals__ if type(look) is FunctionType else {}


def _unset(look: object) -> list[str]:
    """The names that the check uses and that are still `...`, or a list with one in it."""
    code, namespace = _code(look), _namespace(look)
    return [name for name in (code.co_names if code else ()) if _is_open(namespace.get(name))]


def _is_open(value: object) -> bool:
    """Whether this is ``...``, or a list or tuple that holds it, or one that holds such a list."""
    items = [value]
    for item in items:  # which grows meanwhile, but not for ever: a list may hold itself
        if item is ... or len(items) > LOOKED_AT:
            return item is ...
        if type(item) is list or type(item) is tuple:
            items += item
    return False


LOOKED_AT = 1000  # parts of one answer, in search of dots that are left


def check_error(error: BaseException, look: object, names: dict[str, Any] | None = None) -> Data:
    """An error that stopped the check `look`, with the line of the notebook that raised it."""
    data = error_in(error, _namespace(look), names, own=_codes(look))
    if "line" not in data and type(error) is NameError:
        data["missing"] = str(error.name)  # the check itself found no such name
    return data


def error_in(error: BaseException, *namespaces: Any, own: list[CodeType] | None = None) -> Data:
    """An error that stopped a cell of the notebook whose names these are, or the check in `own`."""
    data: Data = {"type": type_name(error), "message": _message(error)}
    place = _innermost(_own(error, "__traceback__"), namespaces, own or [])
    if own is None and isinstance(error, SyntaxError):  # the cell itself is no Python
        data["message"] = str(error.msg)
        place = (error.lineno or 0, (error.text or "").strip()[:200]) if error.lineno else None
    if place is not None:
        data["line"], data["code"] = place
    return data


def _own(error: BaseException, name: str) -> Any:
    """What Python itself keeps in an error, whatever a class of the student's says."""
    return BaseException.__dict__[name].__get__(error)


def _message(error: BaseException) -> str:
    """The text of the error; that of a class of the student's own only from plain arguments."""
    if any(type(part) not in (str, int, float, bool, type(None)) for part in _own(error, "args")):
        return ""
    built_in = vars(builtins).get(type_name(error)) is type(error)
    try:
        return (str(error) if built_in else BaseException.__str__(error))[:LETTERS]
    except Exception:
        return ""


def _innermost(
    trace: TracebackType | None, namespaces: tuple[Any, ...], own: list[CodeType]
) -> tuple[int, str] | None:
    """Number and text of the innermost line of the notebook, the check's `own` lines left out."""
    place = None
    while trace is not None:
        code = trace.tb_frame.f_code
        here = any(trace.tb_frame.f_globals is one for one in namespaces)
        if here and code not in own:
            text = linecache.getline(code.co_filename, trace.tb_lineno)
            place = (trace.tb_lineno, text.strip()[:200])
        trace = trace.tb_next
    return place
