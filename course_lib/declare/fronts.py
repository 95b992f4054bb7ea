"""Fronts: the functions that students call, which turn a failed call into PyTorch's error.

Most calls are right, and checking costs time.  So only the first call with arguments of some
classes is checked in advance (Note [Calls that would pass]).  If a call fails, whatever the error,
its arguments are parsed as PyTorch parses them (`calls/parser.py`).  If they do not fit, PyTorch's
message replaces the error; if they do, the error stays.  After a TypeError the call is tried once
more with converted arguments, such as an integer tensor as a size.

The library itself does not need fronts: there, a declared operation is the bare function, which
also runs on arrays.  `publish` replaces the bare functions of a module by their fronts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from course_lib.calls import parser
from course_lib.calls.arguments import Misfit
from course_lib.core.tensor import Tensor
from course_lib.declare.shown import present_as
from course_lib.dtypes.kinds import TAKE_NUMBERS
from course_lib.memory.dims import translated
from course_lib.words import errors, notes


class Doubt(Exception):
    """Raised to leave the fast path: PyTorch might refuse this call, or it is rare."""


ARRAYS = frozenset({np.ndarray, *np.sctypeDict.values()})
SUSPECT = ARRAYS | {tuple}


def without_tensor(result: Any) -> bool:
    """Whether a result consists of arrays: then no tensor was among the arguments."""
    first = result[0] if result.__class__ is tuple and result else result
    return first.__class__ in ARRAYS


class Accepted:
    """Which calls of one name PyTorch accepts, as far as calls have been seen.

    Note [Calls that would pass]: not every wrong call fails.  True passes for the dimension 1, and
    1 for True.  So the first call with arguments of some classes is compared with PyTorch's
    signatures, and those classes are remembered: a later call pays 0.3 µs to be looked up.
    """

    __slots__ = ("place", "name", "seen")

    def __init__(self, place: str, name: str):
        self.place, self.name = place, name
        self.seen: set[tuple] = set()  # the classes of positional arguments, then keywords likewise

    def examine(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Raise Doubt if PyTorch refuses this call."""
        kinds = (*map(type, args), *kwargs, *map(type, kwargs.values()))
        if kinds in self.seen:
            return
        try:
            parser.fit(self.place, self.name, args[self.place == "Tensor" :], kwargs, quiet=True)
        except TypeError:
            raise Doubt from None
        self.seen.add(kinds)


def front_of(
    run: Callable,
    place: str,
    name: str,
    *,
    bare: Callable | None = None,
    spread: int = 0,
    arrays: bool = False,
) -> Callable:
    """The front of `run`, as a function (`place` is "torch" or "F") or a method ("Tensor").

    `bare` is called again with converted arguments (by default `run`).  Only methods take sizes one
    by one; `spread` is the position where a function must not.  `arrays`: the result may be one.
    """
    accepts = Accepted(place, name)
    seen, bare = accepts.seen, bare or run
    alone = place == "Tensor" and name in TAKE_NUMBERS

    def front(*args: Any, **kwargs: Any) -> Any:
        try:
            if alone and not (args and isinstance(args[0], Tensor)):
                raise Doubt
            if spread and len(args) > spread and args[spread].__class__ is int:
                raise Doubt
            if kwargs or (len(args) > 1 and (*map(type, args),) not in seen):
                accepts.examine(args, kwargs)
            result = run(*args, **kwargs)
            if result.__class__ in SUSPECT and not arrays and without_tensor(result):
                if place == "F":  # an array came in, where none may
                    raise AttributeError(obj=[*args, *kwargs.values()][0])
                raise Doubt
            return result
        except Exception as error:
            return again(bare, place, name, args, kwargs, error)

    return marked(front, bare, f"{place}.{name}")


def of_function(function: Callable, place: str, name: str, spread: int = 0) -> Callable:
    """The front of a plain function."""
    front = front_of(function, place, name, spread=spread, arrays=place == "Tensor")
    return named(front, function)


def common_first(run: Callable, count: int, front: Any) -> Any:
    """`front`, in whose place `run` is called with so many arguments, if they come by position."""

    def quick(*args: Any, **kwargs: Any) -> Any:
        return front(*args, **kwargs) if kwargs or len(args) != count else run(*args)

    if hasattr(front, "spoken"):
        marked(quick, front.bare, front.spoken)
    return quick


def as_function(call: Callable, name: str) -> Callable:
    """The front of a function with another name: ``torch.subtract`` is `sub`."""
    return of_function(call, "torch", name)


def as_method(call: Callable, name: str) -> Callable:
    """The front of a function that is attached to Tensor without a declaration."""
    return of_function(call, "Tensor", name)


def marked(front: Any, bare: Callable, spoken: str) -> Callable:
    """The front, with its bare function and the name that messages use as attributes; tracebacks
    and profilers tell that name too."""
    front.bare, front.spoken = bare, spoken
    front.__code__ = front.__code__.replace(co_name=spoken.rpartition(".")[2])
    return front


def named(front: Any, function: Any) -> Callable:
    """The front, with the name, docstring and signature of its function."""
    front.__name__, front.__qualname__ = function.__name__, function.__qualname__
    front.__doc__, front.__module__ = function.__doc__, function.__module__
    front.__wrapped__ = function  # where `inspect.signature` looks
    return front


def again(
    bare: Callable, place: str, name: str, args: tuple, kwargs: dict, error: Exception
) -> Any:
    """The result of a failed call on a second try; otherwise the error to show is raised."""
    given = args
    if place == "Tensor":
        if not args or not isinstance(args[0], Tensor):
            raise TypeError(errors.no_tensor_to_call(name, args)) from None
        given = args[1:]
    try:
        values = parser.fit(place, name, given, kwargs)
    except TypeError as refusal:
        notes.add(refusal)
        raise refusal from None
    if isinstance(error, TypeError) and (lacking := absent_parameters(bare, place, name, kwargs)):
        raise NotImplementedError(errors.absent_call(place, name, lacking)) from None
    if values is None and isinstance(error, Doubt):
        result = bare(*args, **kwargs)
        if place == "Tensor" or result.__class__ not in SUSPECT or not without_tensor(result):
            return result
        array = [*args, *kwargs.values()][0]
        error = errors.untensored(bare, name, args, kwargs, AttributeError(obj=array))
    doubtful = isinstance(error, (Doubt, TypeError))
    if values is not None and (doubtful or converted(values, given, kwargs)):
        tensor = (
            args[:1] if place == "Tensor" else [values.pop(n) for n in ("input",) if n in values]
        )
        try:
            return bare(*tensor, **values)
        except Misfit:
            raise NotImplementedError(errors.absent_call(place, name, kwargs)) from None
        except TypeError as second:
            error = second if isinstance(error, Doubt) else error
    shown = error
    if isinstance(error, (ValueError, MemoryError)):
        shown = translated(error)
    elif place == "F" and isinstance(error, AttributeError):
        shown = errors.untensored(bare, name, args, kwargs, error)
    notes.add(shown)
    try:
        if shown is error:
            raise error
        raise shown from None
    finally:
        del error, shown  # its traceback holds this frame: a reference cycle


def absent_parameters(bare: Callable, place: str, name: str, kwargs: dict) -> dict[str, Any]:
    """Those of the arguments for which PyTorch has a parameter and the course has none."""
    own = inspect.signature(bare).parameters
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in own.values()):
        return {}
    recorded = " ".join(parser.recorded(place, name))
    known = {*own, "out"} if hasattr(bare, "op") else own  # `out` is derived
    return {key: kwargs[key] for key in kwargs if key not in known and f" {key}=" in recorded}


def converted(values: dict[str, Any], args: tuple, kwargs: dict) -> bool:
    """Whether parsing replaced an argument by an integer: an integer tensor by a size, say."""
    given = {id(value) for value in (*args, *kwargs.values())}
    return any(id(value) not in given and value.__class__ is int for value in values.values())


def publish(names: dict[str, Any], place: str = "torch") -> None:
    """Replace the functions of a module (its `globals()`) by their fronts."""
    for name, function in list(names.items()):
        names[name] = published(function, place, name, names["__name__"])


def published(function: Any, place: str, name: str, module: str) -> Any:
    """What a module has under a name: a function's front, anything else as it is."""
    if not is_ours(name, function):
        return function
    front = with_front(function, place, name)
    front.__module__ = module  # where `pickle` looks up the name
    front.__name__ = front.__qualname__ = name
    present_as(front, place, name)
    return front


def with_front(function: Any, place: str, name: str) -> Any:
    """The front for this name: the existing one, or a new one."""
    for front in (function, getattr(function, "front", None)):
        if getattr(front, "spoken", None) == f"{place}.{name}":
            return front
    bare = getattr(function, "bare", function)
    front = front_of(bare, place, name, arrays=place == "Tensor")
    return named(front, function)


def is_ours(name: str, function: Any) -> bool:
    """Whether this is a public function of this library."""
    return (
        isinstance(function, FunctionType)
        and not name.startswith("_")
        and function.__module__.startswith("course_lib.")
    )


__all__ = [
    "ARRAYS",
    "Doubt",
    "as_function",
    "as_method",
    "common_first",
    "front_of",
    "marked",
    "named",
    "of_function",
    "publish",
]
