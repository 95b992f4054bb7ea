"""A second look at a call that did not fit: PyTorch's sentence, or its conversions.

Calls are not checked in advance: most are right, and checking costs time.  If one fails with a
TypeError, its arguments are parsed as PyTorch parses them.  Either they do not fit, then the
error says so in PyTorch's words; or they do (an integer tensor as a size, say) and the call is
repeated with what they stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.signatures import SIGNATURES


def as_function(call: Callable, name: str, varargs: int = 0) -> Callable:
    """`call`, guarded, as a function of the tensor and its arguments.

    `varargs` is the place of the argument that the method takes as single integers; the function
    takes it as a tuple only.
    """
    if name not in SIGNATURES:
        return call

    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            if varargs and len(args) > varargs and args[varargs].__class__ is int:
                raise TypeError(varargs)
            return call(*args, **kwargs)
        except TypeError as error:
            return again(call, name, args, kwargs, error, method=False)

    return function


def as_method(call: Callable, name: str) -> Callable:
    """`call`, guarded, as a method."""
    if name.rstrip("_") not in SIGNATURES:
        return call

    def method(*args: Any, **kwargs: Any) -> Any:
        try:
            return call(*args, **kwargs)
        except TypeError as error:
            return again(call, name, args, kwargs, error, method=True)

    return method


def again(
    call: Callable, name: str, args: tuple, kwargs: dict, error: TypeError, method: bool
) -> Any:
    """Parse the arguments of a call that failed, and call once more if they fit."""
    from course_lib.facts.overloads import Overloads

    if args and not isinstance(args[0], Tensor) and hasattr(args[0], "strides"):
        raise error  # a formula called it on an array: a mistake of ours
    texts = SIGNATURES[name.rstrip("_")]
    if method:
        texts = tuple(of_method(text) for text in texts if not text.startswith("Number self"))
    else:
        texts = tuple(map(of_function, texts))
    given = args[1:] if method else args
    if method and texts == ("",) and (given or kwargs):
        raise TypeError(errors.no_arguments(name, len(given), kwargs)) from None
    values = Overloads(name, *texts).parse(given, kwargs)
    tensor = args[:1] if method else [values.pop(n) for n in ("input", "self") if n in values]
    try:
        return call(*tensor, **values)
    except TypeError:
        raise error from None


def of_function(text: str) -> str:
    """The signature of a function: that of the method, after the tensor itself."""
    if text.startswith(("tuple of Tensors tensors", "Number self")):
        return text
    return f"Tensor input, {text}".removesuffix(", ")


def of_method(text: str) -> str:
    """The signature of a method: it has no `out`."""
    parts = [part for part in text.split(", ") if not part.endswith("out = None")]
    return ", ".join(parts[:-1] if parts[-1:] == ["*"] else parts)
