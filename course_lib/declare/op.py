"""Declaring operations: `op` and `view_op`."""

import operator as operators
from collections.abc import Callable
from functools import partial
from typing import Any

from course_lib.core.calls import calling, is_elementwise
from course_lib.core.careful import call
from course_lib.core.engine import ARRAYS
from course_lib.core.op import TABLE, Op
from course_lib.core.tensor import Tensor
from course_lib.core.views import ViewOp, call_view, viewing
from course_lib.core.writes import call_inplace, writing
from course_lib.declare.fronts import common_first, front_of, present, stand_in
from course_lib.declare.methods import attach_as
from course_lib.declare.out import call_out
from course_lib.declare.rare import call_view_inplace
from course_lib.dtypes.kinds import NUMBERS
from course_lib.words import notes

FACTS = "name layout varargs returns node refuses operands holomorphic saves several".split()
FACTS += ["tensors_only", "product", "on_arrays", "shows"]
ARITHMETIC = ("add", "sub", "mul", "truediv", "neg")  # Python's own operators compute these


def op(
    kind: str = "same",
    operator: str = "",
    commutative: bool = False,
    inplace: bool | None = None,
    method: bool = True,
    plain: Callable | None = None,
    **given: Any,
) -> Callable:
    """Declare an operation; see the top of `core/op.py`.

    `kind` is its dtype rule (`dtypes/kinds.py`; default: none), `operator` the name of a Python
    operator without underscores (`commutative`: also reflected), `inplace` whether there is a
    trailing-underscore form (default: elementwise kinds), `method` whether it is a method of
    Tensor; `plain` is a C function that equals the kernel on floating numbers alone, which saves
    a Python call.  The other keywords are facts named in `FACTS`, or formulas.
    """
    facts = {name: given.pop(name) for name in FACTS if name in given}
    if operator in ARITHMETIC:
        plain = getattr(operators, operator)

    def declare(kernel: Callable) -> Callable:
        made = Op(kernel, kind, given, plain=plain, **facts)
        made.call = calling(made)
        function: Any = publish(made, bare_of(made), partial(common_front, made), method)
        if operator:
            names = [f"__{operator}__", f"__r{operator}__"] if commutative else [f"__{operator}__"]
            for name in names:
                attach_as(name, calling(made, as_operator(partial(call, made))))
        if is_elementwise(made) if inplace is None else inplace:
            function.inplace = in_place(made, operator)
        return function

    return declare


def publish(made: Op, function: Any, front_for: Callable, method: bool) -> Any:
    """`function`, which calls the operation, with its fronts as a function and as a method."""
    TABLE[made.name] = made
    name, function.op = made.name, made
    present(function, made.kernel, name)
    for place in ("torch", "Tensor") if method else ("torch",):
        front = present(front_for(function, place), made.kernel, name)
        front.op = made
        if place == "Tensor":
            attach_as(name, front)
        else:
            function.front = front
    return function


def common_front(made: Op, function: Callable, place: str) -> Any:
    """The front of an operation; where all arguments are operands, common calls go straight."""
    front = front_of(function, place, made.name)
    least, most = made.signature.reach
    if not (least == most == len(made.operands) and is_elementwise(made)):
        return front
    run = calling(made, front)
    return stand_in(run, front) if most == 1 else common_first(run, most, front)


def bare_of(made: Op) -> Callable:
    """The operation as formulas and the library call it: arrays go straight to the kernel."""
    (least, most), gathers = made.signature.reach, made.signature.gathers
    common = frozenset(() if gathers else made.params[:most])  # what may be named, by position
    on_arrays, call_common = made.on_arrays, made.call
    counts = () if gathers else tuple(range(max(least, 1), most + 1))

    def bare(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        if kwargs or out is not None or len(args) not in counts:
            if out is not None:
                return call_out(made, args, kwargs, out)
            if kwargs and common.issuperset(kwargs) and args and isinstance(args[0], Tensor):
                return call_common(*made.signature.placed(args, kwargs)[:most])
            return call(made, *args, **kwargs)
        if args[0].__class__ not in ARRAYS:
            return call_common(*args)
        if len(args) == 1:
            return on_arrays(args[0])
        for value in args:
            if isinstance(value, Tensor):
                return call_common(*args)
        return on_arrays(*args)

    return bare


def as_operator(function: Callable, *also: type) -> Callable:
    """`function` as a Python operator, which returns NotImplemented for foreign objects."""
    known = (Tensor, *NUMBERS, *also)

    def operated(self: Any, *other: Any) -> Any:
        if other and not isinstance(other[0], known):
            return NotImplemented
        try:
            return function(self, *other)
        except Exception as error:
            notes.add(error)
            raise

    return operated


def in_place(made: Op, operator: str) -> Callable:
    """The trailing-underscore form of an operation, as a method and an operator such as ``+=``."""
    careful = partial(call_inplace, made)
    front = front_of(careful, "Tensor", made.name + "_")
    binary = made.params[:2] == ("self", "other") and made.signature.positional == 2
    if binary:
        front = stand_in(writing(made, front), front)
    present_inplace(front, made)
    if operator and made.signature.positional == 2:
        operated = as_operator(careful)
        attach_as(f"__i{operator}__", writing(made, operated) if binary else operated)
    return front


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
        facts: dict[str, Any] = {"varargs": varargs, "name": name, "node": node, "native": native}
        made = ViewOp(kernel, formulas, many, **facts)
        function: Any = publish(made, made.call, partial(view_front, made), method)
        if inplace:
            facts |= {"name": made.name, "node": inplace}
            written = ViewOp(kernel, formulas, many, **facts)
            run = partial(call_view_inplace, written)
            function.inplace = front_of(run, "Tensor", made.name + "_")
            present_inplace(function.inplace, written)
        return function

    return declare


def view_front(made: ViewOp, function: Callable, place: str) -> Any:
    """The front of a view operation, whose common calls go straight."""
    front = front_of(partial(call_view, made), place, made.name)
    straight = place == "Tensor" or not made.signature.place
    return stand_in(viewing(made, front), front) if straight else front


def present_inplace(function: Any, made: Op) -> None:
    """Attach the in-place form as a method."""
    function.op, name = made, made.name + "_"
    present(function, made.kernel, name)
    function.__doc__ = f"`{made.name}`, in place; returns the tensor itself."
    if not name.startswith("_"):
        attach_as(name, function)
