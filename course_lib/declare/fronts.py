"""Fronts: the functions that students call, which turn a failed call into PyTorch's error.

Most calls are right, and checking costs time.  So only the first call with arguments of some
classes is checked in advance (Note [Calls that would pass]).  If a call fails, whatever the error,
its arguments are parsed as PyTorch parses them (`calls/overloads.py`).  If they do not fit,
PyTorch's message replaces the error; if they do, the error stays.  After a TypeError the call is
tried once more with converted arguments, such as an integer tensor as a size.

The library itself does not need fronts: there, a declared operation is the bare function, which
also runs on arrays.  `publish` replaces the bare functions of a module by their fronts.
"""

import inspect
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any

from course_lib.calls.overloads import Overloads, overloads
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
            result, error = retry(bare, own, args, kwargs, error)
            if error is not None:
                raise error
            return result

    shown: Any = present(front, function if isinstance(function, FunctionType) else front, name)
    shown.bare, shown.spoken = bare, f"{place}.{name}"
    return shown


def common_first(run: Callable, count: int, front: Any) -> Any:
    """`front`, in whose place `run` is called with so many arguments, if they come by position."""

    def quick(*args: Any, **kwargs: Any) -> Any:
        return front(*args, **kwargs) if kwargs or len(args) != count else run(*args)

    return stand_in(quick, front)


def stand_in(call: Any, front: Any) -> Any:
    """`call`, which answers in the place of `front` and shows itself as that."""
    if call is front:
        return front
    vars(call).update(vars(front))
    return present(call, front)


def present(front: Any, function: Any, name: str = "") -> Any:
    """The front, with the docstring and signature of its function, and its name or another.

    Tracebacks and profilers tell the name that is in the code.
    """
    name = name or function.__name__
    front.__code__ = front.__code__.replace(co_name=name)
    front.__name__ = front.__qualname__ = name
    front.__doc__, front.__module__ = function.__doc__, function.__module__
    if front is not function:
        front.__wrapped__ = function  # where `inspect.signature` looks
    return front


def retry(bare: Callable, own: Overloads, args: tuple, kwargs: dict, error: Any) -> tuple[Any, Any]:
    """The result of a failed call on a second try, and None; or None and the error to raise.

    The error is not raised here: this frame, which holds it, would be in its traceback, and nothing
    in that circle would be freed.
    """
    method = own.place == "Tensor"
    if method and not (args and isinstance(args[0], Tensor)):
        raise TypeError(errors.no_tensor_to_call(own.name, args)) from None
    try:
        values = own.fit(args[method:], kwargs)
    except Exception as refusal:
        notes.add(refusal)
        raise refusal from None
    if isinstance(error, TypeError):
        refuse_absent(bare, own, kwargs)
    doubtful = isinstance(error, (Doubt, TypeError))
    if values is not None and (doubtful or has_converted(values, args[method:], kwargs)):
        first = args[:1] if method else [values.pop("input")] if "input" in values else ()
        try:
            return bare(*first, **values), None
        except TypeError as second:
            refuse_absent(bare, own, values)
            error = second if isinstance(error, Doubt) else error
    shown = error
    if isinstance(error, (ValueError, MemoryError)):
        shown = in_pytorch_words(error)
    elif isinstance(error, Doubt) or (own.place == "F" and isinstance(error, AttributeError)):
        shown = errors.untensored(bare, own.name, args, kwargs, error)
    if shown is not error:
        shown.__cause__ = None  # as after `from None`
    notes.add(shown)
    return None, shown


def refuse_absent(bare: Callable, own: Overloads, given: dict) -> None:
    """Raise if PyTorch has a parameter for one of the arguments, and the course has none."""
    made = getattr(bare, "args", (bare,))[0]  # of a partial call: the operation
    params = inspect.signature(getattr(made, "kernel", made)).parameters
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in params.values()):
        return
    theirs = re.findall(r"(\w+)(?=[=,)])", " ".join(own.lines))
    known = {*params, "input", "self", *(["out"] * hasattr(bare, "op"))}  # `out` is derived
    if lacking := [key for key in given if key not in known and key in theirs]:
        raise NotImplementedError(errors.absent_call(own.place, own.name, lacking)) from None


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


# In a file below the signatures, which know devices.
devices.accepted = lambda args, kwargs: overloads("torch", "device").fit(args, kwargs)
