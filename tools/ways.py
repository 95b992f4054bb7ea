"""The ways of calling a function: its parameters and what it returns, as a stub has them.

They stand in PyTorch's own signatures (`course_lib/calls/signatures.txt`), the types of results in
`returns.txt`; where PyTorch says nothing, in the type hints of our function.
"""

import ast
import functools
import inspect
import itertools
import keyword
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from course_lib.calls.overloads import overloads
from course_lib.calls.signature import Param

# The names that our own type hints use; any other type is shown as Any.
HINTS = {
    **{name: name for name in ("Any", "None", "Tensor", "str", "tuple", "list", "dict")},
    **{name: name for name in ("Callable", "Iterator", "Sequence", "Self", "np.ndarray")},
    **{name: f"_{name}" for name in ("bool", "complex", "float", "int")},
    "device": "_Device",
    "dtype": "_DType",
    "DType": "_DType",
    "Generator": "_Generator",
    "memory_format": "_MemoryFormat",
    "Number": "_int | _float | _bool",
    "numpy.ndarray": "np.ndarray",
    "Size": "_Size",
}
BY_HAND = {
    ("Tensor", "size"): [("dim: None = None", "_Size"), ("dim: _int", "_int")],
    ("Tensor", "stride"): [("dim: None = None", "tuple[_int, ...]"), ("dim: _int", "_int")],
    ("Tensor", "tolist"): [("", "Any")],
    ("Tensor", "__new__"): [("*args: Any, **kwargs: Any", "Self")],
    ("Tensor", "__getitem__"): [("index: Any", "Tensor")],
    ("Tensor", "__eq__"): [("other: Any", "Tensor")],
    ("Tensor", "__ne__"): [("other: Any", "Tensor")],
    ("Tensor", "__hash__"): [("", "_int")],
    ("Tensor", "__repr__"): [("", "str")],
}
ARITHMETIC = "add and floordiv lshift matmul mod mul or pow rshift sub truediv xor".split()
BINARY = {f"__{side}{name}__" for name in ARITHMETIC for side in ("", "r", "i")}
BINARY |= {f"__{name}__" for name in ("lt", "le", "gt", "ge")}
UNARY = {"__abs__", "__invert__", "__neg__", "__pos__"}


class Way(NamedTuple):
    """One way to call a function: its parameters, as a stub has them, and the result's type."""

    params: tuple[str, ...]
    returns: str


# ---- results -------------------------------------------------------------------------------------


@functools.cache
def recorded_returns() -> dict[str, str]:
    """What PyTorch returns: ``{"torch.max(input, dim, keepdim)": "max(values, indices)"}``."""
    text = Path(__file__).with_name("returns.txt").read_text(encoding="utf-8")
    return dict(line.split(" -> ") for line in text.splitlines() if " -> " in line)


NAMED: dict[str, tuple[str, ...]] = {}  # the classes of named results that were asked for


def named(fields: tuple[str, ...]) -> str:
    """The class for results with these names; it stands in the stub of Tensor.

    >>> named(("values", "indices"))
    '_ValuesIndices'
    """
    name = "_" + "".join(field.title().replace("_", "") for field in fields)
    NAMED[name] = fields
    return name


def hint(text: Any) -> str:
    """A type hint of ours in the words of a stub; Any where it means nothing there.

    >>> hint("tuple[int, ...] | None")
    'tuple[_int, ...] | None'
    """
    if not isinstance(text, str):
        return "Any"
    words = re.findall(r"[A-Za-z_][\w.]*", text)
    if any(word not in HINTS for word in words):
        return "Any"
    return re.sub(r"[A-Za-z_][\w.]*", lambda match: HINTS[match[0]], text)


def result(place: str, name: str, names: list[str], function: Any) -> str:
    """The type of what a function returns when called with parameters of these names."""
    without_out = [word for word in names if word != "out"]
    for call in (", ".join(names), ", ".join(without_out), "..."):
        if found := recorded_returns().get(f"{place}.{name}({call})"):
            fields = re.fullmatch(r"\w+\((.*)\)", found)
            return named(tuple(fields[1].split(", "))) if fields else hint(found)
    op = getattr(function, "op", None)
    if op is not None and name == op.name:
        if op.returns:
            return named(tuple(op.returns))
        return "tuple[Tensor, ...]" if getattr(op, "many", False) else "Tensor"
    declared = hint(signature_of(function).return_annotation)
    return "Tensor" if declared in ("Any", "tuple[Any, ...]") else declared


# ---- parameters ----------------------------------------------------------------------------------


def type_of(param: Param) -> str:
    """The type of a parameter of one of PyTorch's signatures."""
    words = param.kind.hint
    if param.allows_numbers and param.name not in ("input", "out"):
        words += " | _Number"
    if param.size and param.word == "tuple of ints":
        words = f"_int | {words}"
    return words + " | None" if param.allows_none and words != "Any" else words


def value_of(text: str) -> str:
    """A default as a stub shows it."""
    try:
        return repr(ast.literal_eval(text.replace("{", "(").replace("}", ")")))
    except (SyntaxError, ValueError):
        return "..."


def recorded_ways(place: str, name: str, function: Any) -> Iterator[Way]:
    """The ways of calling a function that PyTorch's signatures list."""
    for signature in overloads(place, name).signatures:
        if signature.hidden or any(p.word in ("name", "tuple of names") for p in signature.params):
            continue
        returns = result(place, name, [p.name for p in signature.params], function)
        params, keyword_only = [], False
        for at, param in enumerate(signature.params):
            if param.keyword_only and not keyword_only:
                keyword_only = True
                params.append("*")
            later = signature.params[at:]
            optional = param.default is not None and all(
                p.default is not None or p.keyword_only != param.keyword_only for p in later
            )
            given = f" = {value_of(param.default or '')}" if optional else ""
            word = param.name + "_" * keyword.iskeyword(param.name)
            params.append(f"{word}: {type_of(param)}{given}")
        yield Way(tuple(params), returns)
        if signature.spreads:
            rest = [p for p in params[1:] if p != "*"]
            yield Way((f"*{signature.params[0].name}: _int", *rest), returns)


def signature_of(function: Any) -> inspect.Signature:
    """What our own function says; what it shows is read from the stub."""
    return inspect.signature(inspect.unwrap(function))


# What kernels have no hints for, and PyTorch no recorded signature.
INTEGERS = set("dim dim0 dim1 dim2 dimension k length offset start step".split())


def own_ways(place: str, name: str, function: Any) -> Iterator[Way]:
    """The one way that the signature of our own function shows."""
    signature, params, star = signature_of(function), [], False
    for at, param in enumerate(signature.parameters.values()):
        if at == 0 and place == "Tensor":
            continue
        word = "input" if at == 0 and param.name == "self" else param.name
        kind = hint(param.annotation)
        if kind == "Any" and word in INTEGERS and param.default.__class__ in (int, type):
            kind = "_int"
        if at == 0 and kind == "Any" and word in ("input", "tensor"):
            kind = "Tensor"
        star = star or param.kind is param.VAR_POSITIONAL
        if param.kind is param.KEYWORD_ONLY and not star:
            star = True
            params.append("*")
        dots = {param.VAR_POSITIONAL: "*", param.VAR_KEYWORD: "**"}.get(param.kind, "")
        given = "" if param.default is param.empty else f" = {value_of(repr(param.default))}"
        params.append(f"{dots}{word}: {kind}{given}")
    returns = hint(signature.return_annotation).replace("tuple[Any, ...]", "tuple[Tensor, ...]")
    if getattr(function, "op", None) is not None:
        returns = result(place, name, [], function)
    yield Way(tuple(params), returns)


def merged(ways: list[Way]) -> list[Way]:
    """The same ways in fewer: joined where one type differs, left out where another covers them."""
    out: list[Way] = []
    for way in ways:
        for at, other in enumerate(out):
            if covers(other, way):
                break
            if both := joined(other, way):
                out[at] = both
                break
        else:
            out.append(way)
    return out


def joined(one: Way, two: Way) -> Way | None:
    """One way that says what both say, or None if they differ in more than one type."""
    if len(one.params) != len(two.params) or one.returns != two.returns:
        return None
    params = list(one.params)
    apart = [at for at, param in enumerate(params) if param != two.params[at]]
    if len(apart) > 1:
        return None
    for at in apart:
        (name, kind, given), (name2, kind2, given2) = map(parted, (params[at], two.params[at]))
        if (name, given) != (name2, given2):
            return None
        kinds = set(f"{kind} | {kind2}".split(" | "))
        order = sorted(kinds, key=lambda kind: (kind == "None", kind != "Tensor", kind))
        params[at] = f"{name}: {' | '.join(order)}{given}"
    return Way(tuple(params), one.returns)


def covers(one: Way, two: Way) -> bool:
    """Whether every call that fits the second way fits the first one too."""
    own, others = list(map(parted, one.params)), list(map(parted, two.params))
    kinds = {name: set(kind.split(" | ")) for name, kind, _ in own}
    places = [[name for name, _, _ in params] for params in (own, others)]
    first, second = (list(itertools.takewhile(lambda name: name != "*", p)) for p in places)
    return (
        one.returns == two.returns
        and first[: len(second)] == second
        and all(n in kinds and kinds[n] >= set(k.split(" | ")) for n, k, _ in others)
        and all(given for name, _, given in own if name not in places[1] and name != "*")
    )


def parted(param: str) -> tuple[str, str, str]:
    """The name, the type and the default of a parameter.

    >>> parted("dim: _int | None = None")
    ('dim', '_int | None', ' = None')
    """
    declared, equals, value = param.partition(" = ")
    name, _, kind = declared.partition(": ")
    return name, kind, equals + value


def ways(place: str, name: str, function: Any) -> list[Way]:
    """All ways of calling a function (a method without its first parameter)."""
    if (place, name) in BY_HAND:
        listed = BY_HAND[place, name]
        return [Way(tuple(p for p in [params] if p), returns) for params, returns in listed]
    if name in BINARY:
        word = "exponent" if name in ("__pow__", "__ipow__") else "other"
        kind = "Tensor" if "matmul" in name else "Tensor | _Number"
        return [Way((f"{word}: {kind}",), "Tensor")]
    if name in UNARY:
        return [Way((), "Tensor")]
    if overloads(place, name).signatures:
        return merged(list(recorded_ways(place, name, function)))
    return list(own_ways(place, name, function))
