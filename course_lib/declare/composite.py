"""Declaring a function that is composed of operations: it has no node of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.calls.arguments import Signature
from course_lib.declare.fronts import named, of_function
from course_lib.declare.methods import attach_as, method


def composite(varargs: str | None = None, method: bool = True) -> Callable:
    """Declare a function made of operations, as a function and (with `method`) a method.

    Arguments are bound as an operation's are: `input=` names the tensor, and integers at the
    position of `varargs` are gathered into a tuple.
    """

    def declare(body: Callable) -> Callable:
        name = body.__name__
        signature = Signature(name, body, varargs)
        function: Any = named(signature.binding(body), body)
        if method:
            attach_as(name, of_function(function, "Tensor", name))
        function.front = of_function(function, "torch", name, signature.place)
        return function

    return declare


dispatcher = method  # for a function that chooses an operation by its arguments, as `max` does
__all__ = ["composite", "dispatcher"]
