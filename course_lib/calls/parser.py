"""What PyTorch's functions accept, and PyTorch's message when a call does not fit.

    fit("torch", "sin", (1.0,), {})    raises    sin(): argument 'input' (position 1) must be …

The signatures are PyTorch's own (`signatures.txt`), and so are the rules that match arguments to
them.  Only calls that failed need them, and first calls with arguments of some classes, so nothing
is read before one of these.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from course_lib.dtypes import dtypes
from course_lib.words import errors

TYPES = {
    "Tensor": "Tensor",
    "Scalar": "Number",
    "int64_t": "int",
    "SymInt": "int",
    "double": "float",
    "complex": "complex",
    "TensorList": "tuple of Tensors",
    "c10::List<::std::optional<Tensor>>": "tuple of Tensors",
    "IntArrayRef": "tuple of ints",
    "SymIntArrayRef": "tuple of ints",
    "ArrayRef<double>": "tuple of floats",
    "ScalarList": "tuple of Scalars",
    "Generator": "torch.Generator",
    "bool": "bool",
    "Storage": "torch.Storage",
    "PyObject*": "object",
    "ScalarType": "torch.dtype",
    "Layout": "torch.layout",
    "MemoryFormat": "torch.memory_format",
    "Device": "torch.device",
    "Stream": "torch.Stream",
    "Dimname": "name",
    "DimnameList": "tuple of names",
    "std::string": "str",
    "c10::string_view": "str",
}
NUMPY_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}
NUMBERS_AS_TENSORS = re.compile(
    "(add|sub|subtract|mul|multiply|div|divide|true_divide|floor_divide|copy|to)_?"
)
MISSING = object()


class Param(NamedTuple):
    """One parameter of one signature."""

    name: str
    type: str  # as in PyTorch's sources
    size: int  # 1 for `IntArrayRef[1]`, where a single integer is allowed; 0 if there is none
    default: str | None  # its text; None if the argument is required
    allows_none: bool
    keyword_only: bool
    allows_numbers: bool

    @property
    def word(self) -> str:
        """The name of the type in messages."""
        return TYPES[self.type]


class Signature:
    """One way to call a function."""

    def __init__(self, text: str):
        self.name, _, rest = text.partition("(")
        listed, _, flag = rest.rpartition(")")
        self.hidden, self.last = bool(flag), flag == "|deprecated"
        self.params: list[Param] = []
        keyword_only = False
        for part in re.split(r", (?![^{]*\})", listed) if listed else ():
            if part == "*":
                keyword_only = True
                continue
            declared, equals, default = part.partition("=")
            kind, _, name = declared.rpartition(" ")
            allows_none = kind.endswith("?") or default == "None"
            kind, _, size = kind.rstrip("?").rstrip("]").partition("[")
            numbers = kind == "Tensor" and bool(NUMBERS_AS_TENSORS.fullmatch(self.name))
            param = Param(
                name, kind, int(size or 0), default if equals else None, allows_none,
                keyword_only, numbers,
            )  # fmt: skip
            self.params.append(param)
        self.positional = sum(not p.keyword_only for p in self.params)
        self.required = sum(p.default is None for p in self.params)
        self.spreads = self.positional == 1 and self.params[0].word == "tuple of ints"

    def __str__(self) -> str:
        words = []
        for param in self.params:
            if param.keyword_only and "*" not in words:
                words.append("*")
            default = "" if param.default is None else f" = {param.default}"
            words.append(f"{param.word} {param.name}{default}")
        return f"({', '.join(words)})"

    def bind(self, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any] | str:
        """The arguments by parameter name, or the message that says why they do not fit."""
        if len(args) > self.positional:
            if not self.spreads or refuses(self.params[0], args, 0):
                return errors.other_count(self, len(args))
        values: dict[str, Any] = {}
        at, unused = 0, len(kwargs)
        for index, param in enumerate(self.params):
            named = at >= len(args)
            if not named and param.keyword_only:
                return errors.other_count(self, len(args))
            value = look_up(param, kwargs) if named else args[at]
            if value is MISSING and param.default is not None:
                continue
            if value is MISSING:
                lacking = [p.name for p in self.params[index:] if p.default is None]
                return errors.lacks_arguments(self.name, lacking)
            if not (value is None and param.allows_none):
                bad = refuses(param, value, index)
                if bad and self.spreads and at == 0 and not named:
                    if refuses(param, args, index) is None:
                        values[param.name], at = args, len(args)
                        continue
                    bad = "element"
                if bad:
                    place = None if named else at + 1
                    return errors.other_type(self.name, param, place, value, bad)
            values[param.name] = value
            at, unused = (at, unused - 1) if named else (at + 1, unused)
        if unused:
            return errors.unfit_keyword(self, kwargs, len(args))
        return values


def look_up(param: Param, kwargs: dict[str, Any]) -> Any:
    """A keyword argument, also under NumPy's name for it; MISSING if it was not given."""
    for name in (param.name, *NUMPY_NAMES.get(param.name, ())):
        if name in kwargs:
            return kwargs[name]
    return MISSING


# ---- which values a type accepts -----------------------------------------------------------------


def refuses(param: Param, value: Any, index: int) -> str | None:
    """None if the value may be given, else "type", or "element" if its first element is wrong."""
    word = param.word
    if word == "tuple of ints":
        if isinstance(value, (tuple, list)):
            return None if not value or is_index(value[0]) else "element"
        return None if param.size and is_index(value) else "type"
    if word == "tuple of Tensors":
        if not isinstance(value, (tuple, list)):
            return "type"
        for at, one in enumerate(value):
            if not is_tensor(one):
                raise TypeError(errors.element_no_tensor(at, index, one))
        return None
    if word == "int" and param.type == "SymInt":
        return None if is_index(value) else "type"
    if word == "Tensor" and param.allows_numbers and is_number(value):
        return None
    return None if ACCEPTS[word](value) else "type"


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor (this file cannot import the core, which is above it)."""
    return hasattr(type(value), "_requires_grad")


def stands_for_number(value: Any) -> bool:
    """Whether a value is a tensor that is accepted as a number."""
    return is_tensor(value) and not value.requires_grad and value.dim() == 0


def is_int(value: Any) -> bool:
    """Whether a value is an integer, and not a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_integer(value: Any) -> bool:
    """Whether a value is an integer, or a tensor that is accepted as one."""
    return is_int(value) or (stands_for_number(value) and value.dtype.category == dtypes.INTEGER)


def is_index(value: Any) -> bool:
    """Whether a value can be a size: an integer, or an object with `__index__`, but not a bool."""
    if is_int(value):
        return True
    if isinstance(value, (bool, np.bool_, type)) or not hasattr(value, "__index__"):
        return False
    try:
        value.__index__()
    except Exception:  # as in PyTorch: whatever the error, it is not an index
        return False
    return True


def is_real(value: Any) -> bool:
    """Whether a value is a real number, or a tensor that is accepted as a number."""
    return isinstance(value, (float, int, np.floating, np.integer)) or stands_for_number(value)


def is_number(value: Any) -> bool:
    """Whether a value is a Python or NumPy number."""
    return isinstance(value, (float, int, complex, np.number, np.bool_))


def named(*kinds: str) -> Callable[[Any], bool]:
    """A test of the name of a value's type, since its class is in a file above this one."""
    return lambda value: type(value).__name__ in kinds


def all_of(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test of the elements of a tuple or list."""
    return lambda value: isinstance(value, (tuple, list)) and all(map(test, value))


ACCEPTS: dict[str, Callable[[Any], bool]] = {
    "Tensor": is_tensor,
    "Number": lambda value: is_number(value) or is_real(value),
    "complex": lambda value: isinstance(value, complex) or is_real(value),
    "float": is_real,
    "int": is_integer,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "object": lambda value: True,
    "name": lambda value: isinstance(value, str),
    "tuple of names": all_of(lambda value: isinstance(value, str)),
    "tuple of floats": all_of(is_real),
    "tuple of Scalars": all_of(is_number),
    "torch.dtype": lambda value: (
        isinstance(value, dtypes.dtype)
        or any(value is kind for kind in (float, int, bool, complex))
    ),
    "torch.layout": named("layout"),
    "torch.memory_format": named("memory_format"),
    "torch.device": lambda v: is_int(v) or isinstance(v, str) or type(v).__name__ == "device",
    "torch.Generator": named("Generator"),
    "torch.Storage": named("UntypedStorage", "TypedStorage"),
    "torch.Stream": named("Stream"),
}


# ---- the table -----------------------------------------------------------------------------------


def text() -> str:
    """The text of `signatures.txt`."""
    with open(os.path.join(os.path.dirname(__file__), "signatures.txt"), encoding="utf-8") as file:
        return file.read()


@functools.cache
def names(place: str) -> frozenset[str]:
    """All public names that PyTorch has in a module (say "torch"), or as attributes of Tensor."""
    start = f"names {place}: "
    lines = [line.removeprefix(start) for line in text().splitlines() if line.startswith(start)]
    return frozenset(" ".join(lines).split())


@functools.cache
def table() -> dict[str, list[str]]:
    """The lines of `signatures.txt` by name: ``"torch.sin"``, ``"Tensor.sin"``, ``"F.relu"``."""
    known: dict[str, list[str]] = {}
    for line in text().splitlines():
        place, _, rest = line.removeprefix("def ").partition(".")
        name = rest.partition("(")[0].removeprefix(place + "_")
        if not line.startswith(("#", "names ")):
            known.setdefault(f"{place}.{name}", []).append(line)
    return known


def recorded(place: str, name: str) -> list[str]:
    """The signature lines of a function or method; if PyTorch has it in Python, only that one."""
    known = table()
    lines = known.get(f"{place}.{name}", [])
    if not lines and place == "F":
        lines = known.get(f"nn.{name}") or known.get(f"torch.{name}", [])
    written = [line for line in lines if line.startswith("def ")]
    return written or lines


def fit(
    place: str, name: str, args: tuple, kwargs: dict[str, Any], quiet: bool = False
) -> dict[str, Any] | None:
    """The arguments by name, by the first signature that fits; None if there is nothing to bind.

    That is so if no signature is known, or if PyTorch has the function in Python.  The arguments of
    a method come without the tensor itself.  Raises TypeError with PyTorch's message if no
    signature fits; warns, unless `quiet`, if only a deprecated one does.
    """
    lines = recorded(place, name)
    if not lines:
        return None
    if lines[0].startswith("def "):
        compiled = [line for line in table().get(f"{place}.{name}", []) if line not in lines]
        if len(args) == 1 and not kwargs and f"{place}.{name}(Tensor input)" in compiled:
            choose([Signature(line.partition(".")[2]) for line in compiled], args, kwargs)
        else:
            call_shell(lines[0], args, kwargs)
        return None
    if lines == [f"Tensor.{name}()"] and (args or kwargs):
        raise TypeError(errors.takes_nothing(name, len(args), kwargs))
    signatures = [Signature(line.partition(".")[2]) for line in lines]
    return choose(sorted(signatures, key=lambda s: s.last), args, kwargs, quiet)


def choose(
    signatures: list[Signature], args: tuple, kwargs: dict[str, Any], quiet: bool = False
) -> dict[str, Any]:
    """The arguments by name, bound by the first signature that they fit; else TypeError."""
    count = len(args) + len(kwargs)
    for signature in signatures:
        found = signature.bind(args, kwargs)
        if isinstance(found, dict):
            if signature.last and not quiet:
                errors.warn_once(
                    errors.deprecated_overload(signature, signatures), key="deprecated overload"
                )
            return unpacked(signature, found)
    shown = [s for s in signatures if not s.hidden]
    plausible = [s for s in shown if s.required <= count <= len(s.params)]
    if len(signatures) == 1:
        plausible = signatures
    if len(plausible) == 1:
        raise TypeError(plausible[0].bind(args, kwargs))
    raise TypeError(errors.no_signature_fits(signatures[0].name, shown, args, kwargs))


def unpacked(signature: Signature, values: dict[str, Any]) -> dict[str, Any]:
    """The values, converted to the integers they stand for; each element of a tuple is checked."""
    out = dict(values)
    for param in signature.params:
        value = values.get(param.name)
        if param.word == "tuple of ints" and isinstance(value, (tuple, list)):
            for at, one in enumerate(value):
                if not is_index(one) and not isinstance(one, bool):
                    raise TypeError(errors.not_unpacked(signature.name, param.name, at + 1, one))
            out[param.name] = tuple(one.__index__() for one in value)
        elif value is None or value.__class__ is int:
            pass
        elif param.word == "int" or param.word == "tuple of ints":
            out[param.name] = value.__index__()
        elif param.word == "Number" and is_tensor(value):
            out[param.name] = value.item()
    return out


def call_shell(line: str, args: tuple, kwargs: dict[str, Any]) -> None:
    """Raise Python's error for a wrong call of a function that PyTorch has in Python."""
    match = re.fullmatch(r"(\w+)\.(\w+)(\(.*\))(?: = (\S+))?", line.removeprefix("def "))
    if match is None:
        raise AssertionError(line)
    place, name, params, qualname = match.groups()
    names: dict[str, Any] = {}
    exec(f"def {name}{params}: pass", names)
    shell: FunctionType = names[name]
    shell.__qualname__ = qualname or (f"Tensor.{name}" if place == "Tensor" else name)
    if place == "Tensor":
        args = (None, *args)
    shell(*args, **kwargs)
    if params.startswith(("(*tensors", "(*matrices")):
        listed = name == "meshgrid" and len(args) == 1 and isinstance(args[0], (tuple, list))
        given = args[0] if listed else args
        for at, one in enumerate(given):
            if not is_tensor(one):
                raise TypeError(errors.element_no_tensor(at, 0, one))
