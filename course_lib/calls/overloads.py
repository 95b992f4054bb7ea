"""The signatures of a function, written as PyTorch writes them, and the error if none fits.

    eye = Overloads("eye", "int n, *, Tensor out = None", "int n, int m, *, Tensor out = None")
    eye.parse((2, 3), {})    gives    {"n": 2, "m": 3}

The texts are those that PyTorch's messages show, so the messages are made from them too.  A
question mark (``bool? requires_grad = False``) allows None although the default is something else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from course_lib.calls.parser import ACCEPTS, TYPES, Signature, choose, is_index
from course_lib.dtypes import dtypes
from course_lib.memory import devices
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
        self.required = sum(p.default is None for p in self.params)
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


class Overloads:
    """The signatures of one function; a call uses the first that fits."""

    def __init__(self, name: str, *texts: str):
        self.name = name
        self.overloads = [Overload(text) for text in texts]
        alone = [o.params[0].name for o in self.overloads if o.varargs and o.required == 1]
        self.sizes = alone[0] if alone else ""  # the parameter that takes sizes, and nothing else
        self.bare = self.overloads[0].required == 0  # whether a call needs no arguments
        self.plans: dict[tuple, tuple] = {}  # see `parse`

    def parse(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """The given arguments by name, converted to the values that the function computes with.

        An argument is left out if it is None and that means the default.  Raises TypeError with
        PyTorch's message if no signature fits.  Where the classes of the arguments say which one
        does, that is remembered.
        """
        if self.bare and not args and not kwargs:
            return {}
        if self.sizes and args and not kwargs:  # the commonest case of all: only sizes
            plain = args[0] if len(args) == 1 and args[0].__class__ in (tuple, list) else args
            if all([one.__class__ is int for one in plain]):
                return {self.sizes: tuple(plain)}
        classes = (*map(type, args), *kwargs, *map(type, kwargs.values()))
        plan = self.plans.get(classes)
        if plan is not None:
            values, (params, sizes) = (*args, *kwargs.values()), plan
            if all([begins_whole(values[at]) for at in sizes]):
                return {p.name: self.convert(p, v) for p, v in zip(params, values) if p is not None}
        for overload in self.overloads:
            given = overload.match(args, kwargs)
            if given is not None:
                break
        else:
            raise TypeError(self.refusal(args, kwargs))
        by_name = overload.by_name
        params = [
            by_name[name] if value is not None or not by_name[name].allows_none else None
            for name, value in given.items()
        ]
        whole = len(given) == len(args) + len(kwargs)  # sizes one by one would be gathered
        if whole and all([self.tells(by_name[name], value) for name, value in given.items()]):
            sizes = [at for at, v in enumerate(given.values()) if begins_whole(v)]
            self.plans[classes] = params, sizes
        return {p.name: self.convert(p, v) for p, v in zip(params, given.values()) if p is not None}

    def tells(self, param: Param, value: Any) -> bool:
        """Whether the class of a value decides which signature takes it.

        Of a tuple, the first element has to be a whole number too.
        """
        if param.type in ("Tensor", "object"):
            return all(overload.by_name.get(param.name) == param for overload in self.overloads)
        return value.__class__ in TELLING or begins_whole(value)

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
# Where it is only the class of a value that decides whether a type accepts it.
TELLING = frozenset({int, float, bool, str, type(None), dtypes.dtype})


def begins_whole(value: Any) -> bool:
    """Whether a value is a tuple or a list whose first element is an int."""
    return value.__class__ in (tuple, list) and len(value) > 0 and value[0].__class__ is int


CHECKS: dict[str, Callable[[Any], bool]] = {
    **ACCEPTS,
    "tuple of ints": is_size,
    "torch.dtype": is_dtype,
    "Operand": lambda value: ACCEPTS["Tensor"](value) or ACCEPTS["Number"](value),
}
