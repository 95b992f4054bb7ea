"""Declaring operations: `op` and `view_op`."""

from __future__ import annotations

import operator as operators
from collections.abc import Callable
from typing import Any

from course_lib.core.op import TABLE, Op
from course_lib.core.tensor import Tensor
from course_lib.core.views import ViewOp, call_view
from course_lib.core.writes import call_view_inplace
from course_lib.declare import faster
from course_lib.declare.faster import call_inplace
from course_lib.declare.fronts import marked, of_operation, of_runner
from course_lib.declare.methods import attach_as
from course_lib.declare.out import call_out
from course_lib.dtypes.kinds import NUMBERS
from course_lib.words import notes

FACTS = (
    "name",
    "layout",
    "varargs",
    "returns",
    "node",
    "check",
    "operands",
    "holomorphic",
    "saves",
    "several",
    "tensors_only",
)
ELEMENTWISE = ("promote", "float", "compare")
ARITHMETIC = ("add", "sub", "mul", "truediv", "neg")  # Python's own operators compute these


def op(
    kind: str,
    operator: str = "",
    commutative: bool = False,
    inplace: bool | None = None,
    method: bool = True,
    product: Callable | None = None,
    plain: Callable | None = None,
    **given: Any,
) -> Callable:
    """Declare an operation; see the top of `core/op.py`.

    `kind` is its dtype rule (`dtypes/kinds.py`), `operator` the name of a Python operator without
    underscores (`commutative`: also reflected), `inplace` whether there is a trailing-underscore
    form (default: elementwise kinds), `method` whether it is a method of Tensor; `product` gives
    the result for plain operands, or None (`speed/calls.py`); `plain` is a C function that equals
    the kernel on floating numbers with no further arguments, which saves a Python call.  The other
    keywords are facts named in `FACTS`, or formulas.
    """
    facts = {name: given.pop(name) for name in FACTS if name in given}
    if operator in ARITHMETIC:
        plain = getattr(operators, operator)

    def declare(kernel: Callable) -> Callable:
        made: Any = Op(kernel, kind, given, **facts)
        faster.backward(made)
        faster.calls(made, product, plain)
        least, most = made.reach
        TABLE[made.name] = made
        writes = made.layout == "inputs" and kind in ELEMENTWISE if inplace is None else inplace

        def bare(*args: Any, out: Any = None, **kwargs: Any) -> Any:
            if out is not None:
                return call_out(made, args, kwargs, out)
            if not kwargs and least <= len(args) <= most:
                return made.quick(*args)
            return made.run(*args, **kwargs)

        def operated(self: Any, *other: Any) -> Any:
            if other and not isinstance(other[0], (Tensor, *NUMBERS)):
                return NotImplemented
            try:
                return (made.careful if faster.ONE else made.run)(self, *other)
            except Exception as error:
                notes.add(error)
                raise

        def operated_(self: Any, other: Any) -> Any:
            if not isinstance(other, (Tensor, *NUMBERS)):
                return NotImplemented
            return call_inplace(made, self, other)

        exact = faster.is_exact(made)
        function: Any = faster.function(made, bare) if exact or faster.ONE else bare
        present(function, kernel, made)
        for place in ("torch", "Tensor") if method else ("torch",):
            front = of_operation(made, function, place)
            if exact:
                quick = faster.function(made, front)
                front = marked(quick, function, f"{place}.{made.name}")
            present(front, kernel, made)
            if place == "Tensor":
                attach_as(made.name, front)
            else:
                function.front = front
        written = of_runner(call_inplace, made, "Tensor", made.name + "_")
        if writes and made.params[:2] == ("self", "other") and made.signature.positional == 2:
            written = faster.written(made, written)
            operated_ = faster.written(made, operated_)
        if writes:
            present_inplace(written, kernel, made)
            function.inplace = written
        if operator:
            names = [f"__{operator}__", f"__r{operator}__"] if commutative else [f"__{operator}__"]
            for name in names:
                attach_as(name, faster.operator(made, operated))
            if writes and made.signature.positional == 2:
                attach_as(f"__i{operator}__", operated_)
        return function

    return declare


def view_op(
    varargs: str | None = None,
    inplace: str = "",
    method: bool = True,
    many: bool = False,
    name: str = "",
    node: str = "",
    native: Callable | None = None,
    **formulas: Callable,
) -> Callable:
    """Declare a view operation; its kernel gives ``(shape, strides, offset)`` in bytes.

    With `many` it gives a list of those, and its formula takes `grads`, a list with None for each
    view that received no gradient.  `inplace` names the nodes of the trailing-underscore form.
    `native` is a faster NumPy way to make the view of an array: it gives the view and its start, in
    bytes after that of the array.  To leave a case to the kernel, it returns None or raises
    ValueError or IndexError.
    """

    def declare(kernel: Callable) -> Callable:
        facts: dict[str, Any] = {"varargs": varargs, "name": name, "node": node}
        made: Any = ViewOp(kernel, formulas, many, **facts)
        made.native = native
        if not many:
            faster.backward(made)
        TABLE[made.name] = made

        def slow(*args: Any, **kwargs: Any) -> Any:
            return call_view(made, *args, **kwargs)

        if not hasattr(made, "view"):
            from course_lib.core.views import viewing

            made.view = viewing(made)
        function: Any = faster.view(made, slow, inner=True)
        present(function, kernel, made)
        for place in ("torch", "Tensor") if method else ("torch",):
            front: Any = of_runner(call_view, made, place, made.name)
            if place == "Tensor" or not made.signature.place:
                front = marked(faster.view(made, front), front.bare, front.spoken)
            present(front, kernel, made)
            if place == "Tensor":
                attach_as(made.name, front)
            else:
                function.front = front
        if inplace:
            written: Any = ViewOp(kernel, formulas, many, **{**facts, "node": inplace})
            written.native = native
            from course_lib.core.views import viewing

            written.view = viewing(written)
            faster.backward(written)
            function.inplace = of_runner(call_view_inplace, written, "Tensor", made.name + "_")
            present_inplace(function.inplace, kernel, written)
        return function

    return declare


def present(function: Any, kernel: Callable, made: Op) -> None:
    """Give a generated function the name, docstring and signature of its kernel."""
    function.__name__ = function.__qualname__ = made.name
    function.__doc__, function.__module__ = kernel.__doc__, kernel.__module__
    function.__wrapped__ = kernel  # where `inspect.signature` looks
    function.op = made


def present_inplace(function: Any, kernel: Callable, made: Op) -> None:
    """Attach the in-place form as a method."""
    function.__wrapped__ = kernel
    function.__name__ = function.__qualname__ = made.name + "_"
    function.__doc__ = f"`{made.name}`, in place; returns the tensor itself."
    function.op = made
    if not made.name.startswith("_"):
        attach_as(made.name + "_", function)
