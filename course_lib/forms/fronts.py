"""The functions that students call: what answers if a call does not fit.

Calls are not checked in advance: most are right, and checking costs time.  If one fails, whatever
the error, its arguments are parsed as PyTorch parses them (`facts/parser.py`).  Either they do
not fit, then PyTorch's sentence takes the place of the error; or they do, then the error stands.
A TypeError is given a second chance with what the arguments stand for, such as an integer tensor
as a size.

Inside the library nobody needs this: a declared operation is the bare function there, which also
runs on arrays.  `publish` puts the fronts in the place of the bare functions of a module.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from course_lib.core.op import Op
from course_lib.core.tensor import Tensor
from course_lib.facts import errors, notes, parser
from course_lib.facts.arguments import Misfit, parameters
from course_lib.forms.out import call_out
from course_lib.forms.shown import present_as

NOTHING: Any = object()  # stands for an argument that was not given


class Doubt(Exception):
    """A call that has to be looked at: it would pass, though PyTorch may refuse it, or is rare."""


ARRAYS = frozenset({np.ndarray, *np.sctypeDict.values()})


def of_operation(op: Any, bare: Callable, place: str) -> Callable:
    """The front of an operation, as a function (`place` is "torch") or a method ("Tensor").

    Only methods take sizes one by one: `spread` is where a function must not.
    """
    spread = op.signature.place if place == "torch" else 0
    flag = op.params.index("keepdim") if "keepdim" in op.params else 0
    least, most = op.reach
    most = min(most, 1) if flag else most  # what comes with a flag needs a look: `odd`

    def front(*args: Any, **kwargs: Any) -> Any:
        try:
            if not kwargs and least <= len(args) <= most:
                result = op.quick(*args)
            else:
                result = called(args, kwargs)
            if result.__class__ in ARRAYS:
                raise Doubt  # there was no tensor among the arguments
            return result
        except Exception as error:
            return again(bare, place, op.name, args, kwargs, error)

    def called(args: tuple, kwargs: dict) -> Any:
        if spread and len(args) > spread and args[spread].__class__ is int:
            raise Doubt
        if flag and (kwargs or len(args) > 1) and odd(args, kwargs, flag):
            raise Doubt
        if kwargs and "out" in kwargs:
            out, kwargs = kwargs["out"], {k: v for k, v in kwargs.items() if k != "out"}
            if out is not None:
                return call_out(op, args, kwargs, out)
        return op.run(args, kwargs)

    return marked(front, bare, f"{place}.{op.name}")


def of_runner(run: Callable, op: Op, place: str, name: str) -> Callable:
    """The front of a view or an in-place form: of what runs as ``run(op, args, kwargs)``."""
    spread = op.signature.place if place == "torch" else 0

    def front(*args: Any, **kwargs: Any) -> Any:
        try:
            if spread and len(args) > spread and args[spread].__class__ is int:
                raise Doubt
            return run(op, args, kwargs)
        except Exception as error:
            return again(bare, place, name, args, kwargs, error)

    def bare(*args: Any, **kwargs: Any) -> Any:
        return run(op, args, kwargs)

    return marked(front, bare, f"{place}.{name}")


def of_function(function: Callable, place: str, name: str, spread: int = 0) -> Callable:
    """The front of a plain function."""
    names = parameters(getattr(function, "__wrapped__", function))
    flag = names.index("keepdim") if "keepdim" in names else 0

    def front(*args: Any, **kwargs: Any) -> Any:
        try:
            if spread and len(args) > spread and args[spread].__class__ is int:
                raise Doubt
            if flag and (kwargs or len(args) > 1) and odd(args, kwargs, flag):
                raise Doubt
            result = function(*args, **kwargs)
            if result.__class__ in ARRAYS and place == "torch":
                raise Doubt
            return result
        except Exception as error:
            return again(function, place, name, args, kwargs, error)

    return marked(named(front, function), function, f"{place}.{name}")


def marked(front: Any, bare: Callable, spoken: str) -> Callable:
    """The front, known by what it stands before and the name that it uses in messages."""
    front.bare, front.spoken = bare, spoken
    found: Callable = front
    return found


def named(front: Any, function: Any) -> Callable:
    """The front with the name, text and signature of its function."""
    front.__name__, front.__qualname__ = function.__name__, function.__qualname__
    front.__doc__, front.__module__ = function.__doc__, function.__module__
    front.__wrapped__ = function  # where `inspect.signature` looks
    found: Callable = front
    return found


def again(
    bare: Callable, place: str, name: str, args: tuple, kwargs: dict, error: Exception
) -> Any:
    """What a call that failed gives after all, or the error to show."""
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
    if values is None and isinstance(error, Doubt):
        return bare(*args, **kwargs)
    doubtful = isinstance(error, (Doubt, TypeError))
    if values is not None and (doubtful or converted(values, given, kwargs)):
        tensor = (
            args[:1] if place == "Tensor" else [values.pop(n) for n in ("input",) if n in values]
        )
        try:
            return bare(*tensor, **values)
        except Misfit:
            raise NotImplementedError(errors.left_out(name, kwargs)) from None
        except TypeError as second:
            error = second if isinstance(error, Doubt) else error
    notes.add(error)
    try:
        raise error
    finally:
        del error  # it knows the frames it came through; if one of them knew it, that were a cycle


def converted(values: dict[str, Any], args: tuple, kwargs: dict) -> bool:
    """Whether something stands for what was given: a size for an integer tensor, say."""
    given = {id(value) for value in (*args, *kwargs.values())}
    return any(id(value) not in given and value.__class__ is int for value in values.values())


def odd(args: tuple, kwargs: dict, flag: int) -> bool:
    """Whether `dim` is a bool, or `keepdim` (argument number `flag`) none: both need a look."""
    dim = args[1] if len(args) > 1 else kwargs.get("dim")
    keep = args[flag] if len(args) > flag else kwargs.get("keepdim", False)
    return dim.__class__ is bool or keep.__class__ is not bool


def publish(names: dict[str, Any], place: str = "torch") -> None:
    """Put fronts in the place of the functions of a module (its `globals()`)."""
    for name, function in list(names.items()):
        names[name] = published(function, place, name, names["__name__"])


def published(function: Any, place: str, name: str, module: str) -> Any:
    """What a module has under a name: a function's front, anything else as it is."""
    if not is_ours(name, function):
        return function
    front = with_front(function, place, name)
    front.__module__ = module  # `pickle` looks there, for the name
    front.__name__ = front.__qualname__ = name
    present_as(front, place, name)
    return front


def with_front(function: Any, place: str, name: str) -> Any:
    """The front that answers under this name: the one there is, or a new one."""
    for front in (function, getattr(function, "front", None)):
        if getattr(front, "spoken", None) == f"{place}.{name}":
            return front
    return named(of_function(getattr(function, "bare", function), place, name), function)


def is_ours(name: str, function: Any) -> bool:
    """Whether this is a public function of ours."""
    return (
        isinstance(function, FunctionType)
        and not name.startswith("_")
        and function.__module__.startswith("course_lib.")
    )


__all__ = [
    "NOTHING",
    "Doubt",
    "marked",
    "named",
    "of_function",
    "of_operation",
    "of_runner",
    "publish",
]
