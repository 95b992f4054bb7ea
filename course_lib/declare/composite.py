"""Declaring a function that is composed of operations: it has no node of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.calls.arguments import Parameters
from course_lib.declare.fronts import named
from course_lib.declare.methods import attach_as


def composite(varargs: str | None = None, method: bool = True) -> Callable:
    """Declare a function made of operations, as a function and (with `method`) a method.

    Arguments are known as an operation's are: `input=` names the tensor, and integers at the
    position of `varargs` are gathered into a tuple.
    """

    def declare(body: Callable) -> Callable:
        own = Parameters(body, varargs)

        def bound(*args: Any, **kwargs: Any) -> Any:
            if kwargs:
                kwargs = {own.known(key): value for key, value in kwargs.items()}
            return body(*(own.gathered(args) if own.gathers else args), **kwargs)

        function: Callable = named(bound, body)
        if method:
            attach_as(body.__name__, function)
        return function

    return declare


def dispatcher(body: Callable) -> Callable:
    """Declare a function that chooses an operation by its arguments, as `max` does."""
    attach_as(body.__name__, body)
    return body


__all__ = ["composite", "dispatcher"]
