"""The signatures of a function, written as PyTorch writes them, and the error if none fits.

    eye = Overloads("eye", "int n, *, Tensor out = None", "int n, int m, *, Tensor out = None")
    eye.parse((2, 3), {})    gives    {"n": 2, "m": 3}

The texts are those that PyTorch's messages show, so the messages are made from them too.  A
question mark (``bool? requires_grad = False``) allows None although the default is something else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from course_lib.calls.parser import ACCEPTS, TYPES, Signature, choose, is_index
from course_lib.dtypes import dtypes
from course_lib.memory import devices
from course_lib.memory.size import Size
from course_lib.words import errors

F = TypeVar("F", bound=Callable)

FACTORY = (
    "Tensor out = None, torch.dtype dtype = None, torch.layout layout = None, "
    "torch.device device = None, bool? pin_memory = False, bool? requires_grad = False"
)
FACTORY_LIKE = (
    "torch.memory_format memory_format = None, torch.dtype dtype = None, "
    "torch.layout layout = None, torch.device device = None, bool? pin_memory = False, "
    "bool? requires_grad = False"
)
FACTORY_NEW = (
    "torch.dtype dtype = None, torch.layout layout = None, torch.device device = None, "
    "bool? pin_memory = False, bool? requires_grad = False"
)


class Param(NamedTuple):
    """One parameter of one signature."""

    name: str
    type: str
    default: str | None  # its text; None if the argument is required
    allows_none: bool
    keyword_only: bool


class Overload:
    """One signature: its parameters, and how many of them have to be given."""

    def __init__(self, text: str):
        self.text = as_in_sources(text)
        self.params: list[Param] = []
        keyword_only = False
        for part in filter(None, text.split(", ")):
            if part == "*":
                keyword_only = True
                continue
            declared, _, default = part.partition(" = ")
            kind, _, name = declared.rpartition(" ")
            allows_none = default == "None" or kind.endswith("?")
            param = Param(name, kind.rstrip("?"), default or None, allows_none, keyword_only)
            self.params.append(param)
        self.by_name = {p.name: p for p in self.params}
        self.positional = sum(not p.keyword_only for p in self.params)
        self.needed = {p.name for p in self.params if p.default is None}
        self.required = len(self.needed)
        self.varargs = self.positional == 1 and self.params[0].type == "tuple of ints"

    def match(self, args: tuple, kwargs: dict) -> dict[str, Any] | None:
        """The arguments that were given, converted, by parameter name; None if they do not fit."""
        if len(args) > self.positional and not self.varargs:
            return None
        given: dict[str, Any] = {}
        if self.varargs and args:
            size = args[0]
            if len(args) > 1 or not isinstance(size, (tuple, list)):
                size = args
            if not is_size(size):
                return None
            given[self.params[0].name] = size
        else:
            for param, value in zip(self.params, args, strict=False):
                if not accepts_value(param, value):
                    return None
                given[param.name] = value
        for name, value in kwargs.items():
            found = self.by_name.get(name)
            if found is None or name in given or not accepts_value(found, value):
                return None
            given[name] = value
        for param in self.params:
            if param.default is None and param.name not in given:
                return None
        return given

    def pairs(self, args: tuple, kwargs: dict) -> Iterator[tuple[Param, Any]]:
        """Each argument with its parameter, as far as there is one."""
        yield from zip(self.params, args)
        yield from ((self.by_name[n], value) for n, value in kwargs.items() if n in self.by_name)

    def hesitates(self, args: tuple, kwargs: dict) -> bool:
        """Whether arguments that do not fit would, with other values of the same classes."""
        pairs = list(self.pairs(args, kwargs))
        given = {param.name for param, _ in pairs}
        if len(pairs) < len(args) + len(kwargs) or not self.needed <= given:
            return False
        return any(value_decides(param, value) for param, value in pairs)


def as_in_sources(text: str) -> str:
    """A signature with the C++ names of the types, which `parser.Signature` reads."""
    parts = []
    for part in filter(None, text.split(", ")):
        declared, equals, default = part.partition(" = ")
        kind, _, name = declared.rpartition(" ")
        none = "?" if kind.endswith("?") else ""
        parts.append(f"{SOURCES.get(kind.rstrip('?'), kind)}{none} {name}".strip())
        parts[-1] += f"={default}" if equals else ""
    return ", ".join(parts)


SOURCES = {word: kind for kind, word in reversed(TYPES.items())} | {"Operand": "Tensor"}


# Whether sizes are given one by one; for each argument, the name of its parameter ("" to leave it
# out) and how it is converted.
Plan = tuple[bool, list[tuple[str, Callable | None]]]


class Unplanned(Exception):
    """Raised by conversions that do not know an argument, although its class was seen before."""


def follow(plan: Plan, args: tuple, kwargs: dict) -> dict[str, Any]:
    """The arguments by name, converted."""
    gathers, steps = plan
    given = {}
    for (name, convert), value in zip(steps, ((args,) if gathers else args) + (*kwargs.values(),)):
        if name:
            given[name] = value if convert is None else convert(value)
    return given


class Overloads:
    """The signatures of one function; a call uses the first that fits."""

    def __init__(self, name: str, *texts: str):
        self.name = name
        self.overloads = [Overload(text) for text in texts]
        self.bare = self.overloads[0].required == 0  # whether a call needs no arguments
        self.plans: dict[tuple, Plan] = {}  # by the classes of the arguments, and their names

    def parse(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """The given arguments by name, converted to the values that the function computes with.

        An argument is left out if it is None and that means the default.  Raises TypeError with
        PyTorch's message if no signature fits.
        """
        if self.bare and not args and not kwargs:
            return {}
        kinds = (*map(type, args),)
        if kwargs:
            kinds += (*kwargs, *map(type, kwargs.values()))
        plan = self.plans.get(kinds)
        if plan is not None:
            try:
                return follow(plan, args, kwargs)
            except Unplanned:
                pass
        overload, given = self.chosen(args, kwargs)
        if plan is None and (plan := self.plan(overload, args, kwargs)) is not None:
            self.plans[kinds] = plan
        by_name = overload.by_name
        return {
            name: value if (param := by_name[name]).type in AS_GIVEN else self.convert(param, value)
            for name, value in given.items()
            if value is not None or not by_name[name].allows_none
        }

    def chosen(self, args: tuple, kwargs: dict) -> tuple[Overload, dict[str, Any]]:
        """The first signature that fits, and the arguments by name."""
        for overload in self.overloads:
            given = overload.match(args, kwargs)
            if given is not None:
                return overload, given
        raise TypeError(self.refusal(args, kwargs))

    def plan(self, fits: Overload, args: tuple, kwargs: dict) -> Plan | None:
        """How to bind other arguments of the same classes; None if their values matter, too."""
        before = self.overloads[: self.overloads.index(fits)]
        if any(overload.hesitates(args, kwargs) for overload in before):
            return None
        gathers = fits.varargs and {*map(type, args)} == ONLY_INTS
        steps: list[tuple[str, Callable | None]] = []
        for param, value in fits.pairs((args,) if gathers else args, kwargs):
            kinds = param.type, value.__class__
            if value is None and param.allows_none:
                steps.append(("", None))
            elif param.type in BY_CLASS or (gathers and value is args):
                steps.append((param.name, None))
            elif kinds in CONVERSIONS:
                steps.append((param.name, CONVERSIONS[kinds]))
            else:
                return None
        return gathers, steps

    def refusal(self, args: tuple, kwargs: dict) -> str:
        """The error message for arguments that fit no signature."""
        signatures = [Signature(f"{self.name}({o.text})") for o in self.overloads]
        try:
            choose(signatures, args, kwargs)
        except TypeError as refused:
            return str(refused)
        raise AssertionError(f"{self.name}: {args} {kwargs} fit")

    def convert(self, param: Param, value: Any) -> Any:
        """An accepted argument as the value it stands for."""
        kind = param.type
        if kind == "tuple of ints":
            return self.size(param, value)
        if kind == "int":
            value = value if value.__class__ is int else int(value)
            if not -(2**63) <= value < 2**63:
                raise ValueError(errors.LONG_OVERFLOW)
            return value
        if kind == "float":
            return float(value)
        if kind == "Number":
            value = value.item() if hasattr(value, "item") else value
            if isinstance(value, int) and not -(2**63) <= value < 2**64:
                raise OverflowError("int too big to convert")
            return value
        if kind == "torch.dtype":
            return OF_PYTHON.get(value, value)
        if kind == "torch.device":
            return devices.device(value)
        return bool(value) if kind == "bool" else value

    def size(self, param: Param, value: Any) -> tuple[int, ...]:
        """The sizes as a tuple of integers; so far only the first one has been checked."""
        sizes = []
        if not isinstance(value, (tuple, list)):
            return (int(value),)
        for at, one in enumerate(value):
            if one.__class__ is not int:
                if not is_index(one) and not isinstance(one, bool):
                    raise TypeError(errors.not_unpacked(self.name, param.name, at + 1, one))
                one = int(one)
            sizes.append(one)
        return tuple(sizes)


def accepts(*texts: str, name: str | None = None) -> Callable[[F], F]:
    """A decorator that parses the arguments of each call by these signatures.

    The function gets the parameters of the signature by keyword; if it has a parameter `*size`,
    that one takes the sizes.
    """

    def decorate(function: F) -> F:
        overloads = Overloads(name or function.__name__, *texts)
        spread = (
            function.__code__.co_flags & 0x04
            and function.__code__.co_varnames[
                function.__code__.co_argcount + function.__code__.co_kwonlyargcount
            ]
        )

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            if spread and not kwargs and {*map(type, args)} == ONLY_INTS:
                return function(*args)
            given = overloads.parse(args, kwargs)
            if spread:
                return function(*given.pop(spread), **given)
            return function(**given)

        return checked

    return decorate


def accepts_method(*texts: str, name: str | None = None) -> Callable[[F], F]:
    """`accepts` for a method: the tensor itself comes first and is not part of the signatures."""

    def decorate(function: F) -> F:
        overloads = Overloads(name or function.__name__, *texts)

        @functools.wraps(function)
        def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
            return function(self, **overloads.parse(args, kwargs))

        return checked

    return decorate


# ---- which values a type accepts -----------------------------------------------------------------


def accepts_value(param: Param, value: Any) -> bool:
    """Whether an argument may be given for a parameter."""
    return (value is None and param.allows_none) or CHECKS[param.type](value)


def is_size(value: Any) -> bool:
    """Whether a value is a tuple or list that begins with an integer or is empty."""
    if not isinstance(value, (tuple, list)):
        return False
    return not value or value[0].__class__ is int or is_index(value[0])


def is_dtype(value: Any) -> bool:
    """Whether a value is a dtype, or a Python type that means one."""
    return isinstance(value, dtypes.dtype) or (isinstance(value, type) and value in OF_PYTHON)


OF_PYTHON = dtypes.OF_PYTHON
AS_GIVEN = {"Tensor", "Operand", "bool", "str", "object", "torch.layout", "torch.memory_format"}
AS_GIVEN |= {"torch.Generator"}
CHECKS: dict[str, Callable[[Any], bool]] = {
    **ACCEPTS,
    "tuple of ints": is_size,
    "torch.dtype": is_dtype,
    "Operand": lambda value: ACCEPTS["Tensor"](value) or ACCEPTS["Number"](value),
}


# ---- arguments that are known by their class -----------------------------------------------------


def sizes(value: Any) -> tuple[int, ...]:
    """A tuple or list of integers as a tuple."""
    if not all([one.__class__ is int for one in value]):
        raise Unplanned
    return tuple(value)


def long(value: int) -> int:
    """An integer of 64 bits."""
    if not -(2**63) <= value < 2**63:
        raise Unplanned
    return value


ONLY_INTS = {int}
BY_CLASS = {"Tensor", "str", "object", "torch.Generator", "torch.layout", "torch.memory_format"}
CONVERSIONS: dict[tuple[str, type], Callable | None] = {
    ("tuple of ints", tuple): sizes,
    ("tuple of ints", list): sizes,
    ("tuple of ints", Size): tuple,
    ("int", int): long,
    ("float", float): None,
    ("float", int): float,
    ("Number", int): long,
    ("Number", float): None,
    ("Number", bool): None,
    ("bool", bool): None,
    ("torch.dtype", dtypes.dtype): None,
    ("torch.device", devices.device): None,
    ("torch.device", str): devices.device,
}


def value_decides(param: Param, value: Any) -> bool:
    """Whether another value of the same class might be accepted where this one is not."""
    if isinstance(value, (tuple, list)):
        return param.type == "tuple of ints"
    return param.type in ("int", "float", "Number") and ACCEPTS["Tensor"](value)
