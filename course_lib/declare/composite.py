"""Declaring a function that is composed of operations: it has no node of its own."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from course_lib.calls.arguments import Parameters
from course_lib.core.writes import call_inplace
from course_lib.declare.fronts import present
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
            return body(*(own.gather_varargs(args) if own.gathers else args), **kwargs)

        function: Callable = present(bound, body)
        if method:
            attach_as(body.__name__, function)
        return function

    return declare


def choice(pick: Callable) -> Callable:
    """Declare a function that stands for several operations, as a function and a method.

    `pick` gets the arguments and gives the operation and the arguments to call it with.  From it
    come ``out=``, which `pick` ignores, and the in-place form.
    """

    def run(*args: Any, out: Any = None, **named: Any) -> Any:
        which, *given = pick(*args, **named)
        return which(*given) if out is None else which(*given, out=out)

    def write(*args: Any, **named: Any) -> Any:
        which, *given = pick(*args, **named)
        return call_inplace(which.op, *given)

    name = pick.__name__
    function: Any = composite()(wraps(pick)(run))
    function.inplace = wraps(pick)(write)
    write.__name__ = write.__qualname__ = f"{name}_"
    write.__doc__ = f"`{name}` in place; returns the tensor itself."
    attach_as(f"{name}_", write)
    return function
