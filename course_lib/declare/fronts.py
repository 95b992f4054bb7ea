"""Fronts: the functions that students call, which turn a failed call into PyTorch's error.

Most calls are right, and checking costs time.  So only the first call with arguments of some
classes is checked in advance (Note [Calls that would pass]).  If a call fails, whatever the error,
its arguments are parsed as PyTorch parses them (`calls/overloads.py`).  If they do not fit,
PyTorch's message replaces the error; if they do, the error stays.  After a TypeError the call is
tried once more with converted arguments, such as an integer tensor as a size.

The library itself does not need fronts: there, a declared operation is the bare function, which
also runs on arrays.  `publish` replaces the bare functions of a module by their fronts.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any

from course_lib.calls.overloads import Overloads, overloads, refusal
from course_lib.core.engine import ARRAYS
from course_lib.core.tensor import Tensor
from course_lib.declare.shown import present_as
from course_lib.memory import devices
from course_lib.memory.dims import in_pytorch_words
from course_lib.words import errors, notes


class Doubt(AttributeError):
    """A function was called with an array, `obj`, where PyTorch takes only tensors."""


SUSPECT = ARRAYS | {tuple}


def without_tensor(result: Any) -> bool:
    """Whether a result consists of arrays: then no tensor was among the arguments."""
    first = result[0] if result.__class__ is tuple and result else result
    return first.__class__ in ARRAYS


def front_of(function: Any, place: str, name: str) -> Any:
    """The front of a function, as a function (`place` is "torch" or "F") or a method ("Tensor").

    A function that parses its arguments by these signatures (`accepts`) is not examined again.
    """
    own, method = overloads(place, name), place == "Tensor"
    bare = getattr(function, "bare", function)
    seen, parses = own.seen, getattr(bare, "overloads", None) is own

    def front(*args: Any, **kwargs: Any) -> Any:
        try:
            if method and not (args and isinstance(args[0], Tensor)):
                raise TypeError(name)
            if not parses and (kwargs or (len(args) > 1 and (*map(type, args),) not in seen)):
                own.examine(args, kwargs)
            result = bare(*args, **kwargs)
            if result.__class__ in SUSPECT and not method and without_tensor(result):
                raise Doubt(obj=[*args, *kwargs.values()][0])
            return result
        except Exception as error:
            return retry(bare, own, args, kwargs, error)

    shown: Any = present(front, function) if isinstance(function, FunctionType) else front
    shown.bare, shown.spoken = bare, f"{place}.{name}"
    return set_name(shown, name)


def common_first(run: Callable, count: int, front: Any) -> Any:
    """`front`, in whose place `run` is called with so many arguments, if they come by position."""

    def quick(*args: Any, **kwargs: Any) -> Any:
        return front(*args, **kwargs) if kwargs or len(args) != count else run(*args)

    return stand_in(quick, front)


def stand_in(call: Any, front: Any) -> Any:
    """`call`, which answers in the place of `front` and shows itself as that."""
    if call is front:
        return front
    present(call, front)
    vars(call).update(vars(front))
    return set_name(call, front.__name__)


def set_name(function: Any, name: str) -> Any:
    """The function under a name, which tracebacks and profilers tell too."""
    function.__name__ = name
    function.__code__ = function.__code__.replace(co_name=name)
    return function


def present(front: Any, function: Any) -> Any:
    """The front, with the name, docstring and signature of its function."""
    front.__name__, front.__qualname__ = function.__name__, function.__qualname__
    front.__doc__, front.__module__ = function.__doc__, function.__module__
    front.__wrapped__ = function  # where `inspect.signature` looks
    return front


def retry(bare: Callable, own: Overloads, args: tuple, kwargs: dict, error: Exception) -> Any:
    """The result of a failed call on a second try; otherwise the error to show is raised."""
    tensor, given = (args[:1], args[1:]) if own.place == "Tensor" else ((), args)
    if own.place == "Tensor" and not (args and isinstance(args[0], Tensor)):
        raise TypeError(errors.no_tensor_to_call(own.name, args)) from None
    try:
        values = own.fit(given, kwargs)
    except Exception as refusal:
        notes.add(refusal)
        raise refusal from None
    if isinstance(error, TypeError) and (lacking := absent_parameters(bare, own, kwargs)):
        raise NotImplementedError(errors.absent_call(own.place, own.name, lacking)) from None
    doubtful = isinstance(error, (Doubt, TypeError))
    if values is not None and (doubtful or has_converted(values, given, kwargs)):
        if own.place != "Tensor" and "input" in values:
            tensor = (values.pop("input"),)
        try:
            return bare(*tensor, **values)
        except TypeError as second:
            if lost := absent_parameters(bare, own, values):
                raise NotImplementedError(errors.absent_call(own.place, own.name, lost)) from None
            error = second if isinstance(error, Doubt) else error
    shown = error
    if isinstance(error, (ValueError, MemoryError)):
        shown = in_pytorch_words(error)
    elif isinstance(error, Doubt) or (own.place == "F" and isinstance(error, AttributeError)):
        shown = errors.untensored(bare, own.name, args, kwargs, error)
    notes.add(shown)
    try:
        if shown is error:
            raise error
        raise shown from None
    finally:
        del error, shown  # its traceback holds this frame: a reference cycle


def absent_parameters(bare: Callable, own: Overloads, given: dict) -> dict[str, Any]:
    """Those of the arguments for which PyTorch has a parameter and the course has none."""
    made = getattr(bare, "args", (bare,))[0]  # of a partial call: the operation
    params = inspect.signature(getattr(made, "kernel", made)).parameters
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in params.values()):
        return {}
    theirs = re.findall(r"(\w+)(?=[=,)])", " ".join(own.lines))
    known = {*params, "input", "self", *(["out"] * hasattr(bare, "op"))}  # `out` is derived
    return {key: given[key] for key in given if key not in known and key in theirs}


def has_converted(values: dict[str, Any], args: tuple, kwargs: dict) -> bool:
    """Whether parsing replaced an argument by an integer: an integer tensor by a size, say."""
    given = {id(value) for value in (*args, *kwargs.values())}
    return any(id(value) not in given and value.__class__ is int for value in values.values())


def publish(names: dict[str, Any], place: str = "torch") -> None:
    """Replace the functions of a module (its `globals()`) by their fronts."""
    for name, function in list(names.items()):
        names[name] = make_public(function, place, name, names["__name__"])


def make_public(function: Any, place: str, name: str, module: str) -> Any:
    """What students get under a name: a function's front, anything else as it is."""
    if not is_ours(name, function):
        return function
    known = (function, getattr(function, "front", None))
    fronts = [one for one in known if getattr(one, "spoken", "") == f"{place}.{name}"]
    front = fronts[0] if fronts else front_of(function, place, name)
    front.__module__ = module or front.__module__  # where `pickle` looks up the name
    front.__name__, front.__qualname__ = name, f"Tensor.{name}" if place == "Tensor" else name
    present_as(front, place, name)
    return front


def is_ours(name: str, function: Any) -> bool:
    """Whether this is a public function of this library."""
    return (
        isinstance(function, FunctionType)
        and not name.startswith("_")
        and function.__module__.startswith("course_lib.")
    )


def no_device(args: tuple, kwargs: dict) -> str:
    """PyTorch's words for arguments that make no `torch.device`."""
    return refusal(overloads("torch", "device").signatures, args, kwargs)


devices.misfit = no_device  # which is below the signatures: they know devices

__all__ = ["common_first", "stand_in", "front_of", "present", "publish", "make_public"]
