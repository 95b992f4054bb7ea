"""Declaring a function that is composed of operations: it has no node of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts.arguments import Signature
from course_lib.forms.refusal import as_function, as_method


def composite(varargs: str | None = None, method: bool = True) -> Callable:
    """Declare a function made of operations, as a function and (with `method`) a method.

    Arguments are bound as an operation's are: `input=` stands for the tensor, and integers at the
    place of `varargs` are gathered into a tuple.
    """

    def declare(body: Callable) -> Callable:
        signature = Signature(body.__name__, body, varargs)

        def function(*args: Any, **kwargs: Any) -> Any:
            return body(**signature.bind(args, kwargs))

        name = body.__name__
        if method:
            setattr(Tensor, name, named(as_method(function, name), body))
        place = signature.names.index(varargs) if varargs else 0
        return named(as_function(function, name, place), body)

    return declare


def dispatcher(body: Callable) -> Callable:
    """Declare a function that chooses an operation by its arguments, as `max` does."""
    name = body.__name__
    setattr(Tensor, name, named(as_method(body, name), body))
    return named(as_function(body, name), body)


def named(function: Any, body: Callable) -> Callable:
    """The function with the name, text and signature of `body`."""
    if function is body:
        return body
    function.__name__ = function.__qualname__ = body.__name__
    function.__doc__, function.__module__ = body.__doc__, body.__module__
    function.__wrapped__ = body  # where `inspect.signature` looks
    wrapped: Callable = function
    return wrapped


__all__ = ["composite", "dispatcher"]
