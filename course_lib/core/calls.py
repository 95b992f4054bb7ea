"""The call of an operation: the most common calls written straight, all others to `careful.py`.

At its declaration an operation knows nearly all there is to know about its calls: how many tensors
it takes, what its node has to save, whether it broadcasts.  So `calling` makes a function for it,
whose first lines ask whether this call is common: tensors of one dtype, mostly a floating one (the
second may be a number), no unusual mode.  If it is, the steps compute, wrap and record are a few
lines each.  If it is not, or if the kernel refuses, `careful` makes the whole call.  Nothing has
happened by then, since kernels write nothing.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_lib.core.careful import PLAIN, call, lay_out
from course_lib.core.graph import edge
from course_lib.core.op import NOTHING, Op
from course_lib.core.tensor import Tensor, new
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.modes import modes

ndarray, bool_, made_over = np.ndarray, dtypes.bool_, Tensor._make
LEAST, MOST = -(1 << 63), 1 << 64  # of the whole numbers that fit an element


def calling(op: Op, careful: Callable | None = None) -> Callable:
    """The function that answers calls of `op`; `careful` answers those that are not common."""
    careful = careful or partial(call, op)
    common = not (op.lists or op.several or op.saves or op.signature.gathers)
    common = common and op.signature.defaults.keys() >= {*op.params[op.signature.positional :]}
    if common and set(op.formulas) <= set(op.operands):
        if op.operands == ("self",) == op.params[:1]:
            return of_one(op, careful)
        if is_binary(op):
            return of_two(op, careful)
    return careful


def is_elementwise(op: Op) -> bool:
    """Whether the result has an element for each element of the operands."""
    return op.layout == "inputs" and op.kind_name in ("promote", "float", "compare")


def is_binary(op: Op) -> bool:
    """Whether this is an elementwise operation on two tensors, or a tensor and a number."""
    if op.operands != ("self", "other") or "other" in op.tensors_only or not is_elementwise(op):
        return False
    return op.signature.positional == 2 and (op.kind_name == "compare" or len(op.formulas) == 2)


# ---- two tensors, or a tensor and a number -------------------------------------------------------


def of_two(op: Op, careful: Callable) -> Callable:
    """The call of an elementwise operation such as `mul`."""
    kernel, compares, fits, record = op.plain, op.kind_name == "compare", whole(op), of_pair(op)
    to_self, to_other = "self" in op.formulas, "other" in op.formulas

    def run(self: Any, other: Any) -> Any:
        now = modes.now
        if now.special or not isinstance(self, Tensor):
            return careful(self, other)
        dtype, left = self._dtype, self._array
        if isinstance(other, Tensor):
            right, number = other._array, False
            if other._dtype is not dtype:
                return mixed(self, other)
        elif other.__class__ is float or (other.__class__ is int and LEAST <= other < MOST):
            right, number = other, True
        else:
            return careful(self, other)
        if not dtype.plain and not fits(self, other):
            return careful(self, other)
        try:
            array = now.quiet(kernel, left, right)
        except Exception:  # whatever it is, nothing has happened: `careful` meets it again, after
            array = None  # the handler, and says it in PyTorch's words
        if array is None:
            return careful(self, other)
        if array.__class__ is ndarray and (
            array.ndim != 1 or array.base is not None or not array.size
        ):
            array = layout.elementwise(array, (left, right))
        out: Any = new(Tensor)
        out._array = array
        out._dtype = bool_ if compares else dtype
        out._cell = out._view = out._node = out._extras = None
        out._output_nr, out._requires_grad = 0, False
        if now.grad:
            view = self._view
            one = to_self and (self._requires_grad if view is None else view.tracks(self))
            two = (to_other and not number) and (
                other._requires_grad if other._view is None else other._view.tracks(other)
            )
            if one or two:
                out._node = record(self, other, one, two, number, array)
                if out._node is None:
                    return careful(self, other)
                out._requires_grad = True
        return out

    mixed = of_kinds(op, run, careful)
    return run


def of_kinds(op: Op, run: Callable, careful: Callable) -> Callable:
    """`run` for a floating operand and one of whole numbers or bools, which is cast."""

    def mixed(self: Any, other: Any) -> Any:
        lower = self if self._dtype.category < other._dtype.category else other
        dtype, array = (other if lower is self else self)._dtype, lower._array
        if not dtype.plain or lower._dtype.category >= dtypes.FLOATING or lower._extras is not None:
            return careful(self, other)
        if array.__class__ is not ndarray or not array.flags.c_contiguous or 1 in array.shape:
            return careful(self, other)
        if op.check is not None:
            op.check(self, other, *op.extra)
        copy = made_over(array.astype(dtype.numpy), dtype)
        out = run(copy, other) if lower is self else run(self, copy)
        node, name = out._node, "self" if lower is self else "other"
        if node is not None:
            node.more().mixed = True  # formulas promote as operations do
            if name in node._tensors and getattr(node, f"{name}_") is copy:
                setattr(node, f"{name}_", lower)
                setattr(node, f"{name}_version", lower._version)
        return out

    return mixed


def of_pair(op: Op) -> Callable:
    """How `of_two` makes a node; None if an input was made in inference mode."""
    Node: Any = op.Node
    saves_self, saves_other, saves_result = [n in Node.saved for n in ("self", "other", "result")]
    # Whether the gradient of the first operand needs the first, the second; likewise the second's.
    (self_self, self_other), (other_self, other_other) = [
        [n in op.always or n in op.needs.get(of, ()) for n in ("self", "other")]
        for of in ("self", "other")
    ]
    constants = [(f"{n}_", v) for n, v in op.signature.defaults.items() if n in Node.saved]

    def record(self: Any, other: Any, one: bool, two: bool, number: bool, array: Any) -> Any:
        if self._extras is not None and self._extras.inference:
            return None
        if not number and other._extras is not None and other._extras.inference:
            return None
        node: Any = new(Node)
        nodes = (edge(self) if one else None, edge(other) if two else None)
        first, second = self._output_nr if one else 0, other._output_nr if two else 0
        numbers = (first, second) if first or second else (0, 0)
        node.enter(nodes, numbers, array.shape, self._dtype)
        if saves_self:
            kept = (one and self_self) or (two and other_self)
            node.self_ = self if kept else None
            node.self_version = 0 if self._cell is None else self._cell.value
        if saves_other:
            kept = (one and self_other) or (two and other_other)
            node.other_ = other if kept else None
            node.other_version = -1 if number else 0 if other._cell is None else other._cell.value
        if saves_result:  # only the array: the result holds the node
            node.result_, node.cell, node.result_version = array, None, 0
        for slot, value in constants:
            setattr(node, slot, value)
        return node

    return record


def whole(op: Op) -> Callable:
    """A test of operands that are not floating: whether the kernel takes them as they are."""
    allowed: tuple = (dtypes.int64,) if op.kind_name == "sum" else ()
    if op.layout == "inputs" and op.kind_name in ("promote", "compare"):
        allowed = (dtypes.int64, dtypes.int32)
        allowed += (bool_,) if op.kind_name == "compare" else ()
    check, rest, limit = op.check, op.extra, 1 << 31

    def fits(self: Any, *others: Any) -> bool:
        dtype = self._dtype
        if dtype not in allowed:
            return False
        for other in others:
            if not isinstance(other, Tensor):
                if other.__class__ is not int or not -limit < other < limit or dtype is bool_:
                    return False
        if check is not None and op.layout == "inputs":
            check(self, *others, *rest)
        return True

    return fits


# ---- one tensor, and perhaps plain values --------------------------------------------------------


def of_one(op: Op, careful: Callable) -> Callable:
    """The call of an operation such as `sin`, `sum` or `pow`."""
    kernel, compares, recorded = op.plain, op.kind_name == "compare", bool(op.formulas)
    elementwise, fits, record = is_elementwise(op), whole(op), of_alone(op)
    most = op.signature.positional  # what may come after these has to be named
    count, check, named_only = most - 1, op.check, op.extra[most - 1 :]
    tails = {given: tail[: most - given] for given, tail in op.tails.items()}
    if elementwise and not count:
        check = None
    anything = op.kind_name == "same"
    alike = compares or (not anything and recorded)

    def run(self: Any = NOTHING, /, *rest: Any, **named: Any) -> Any:
        now = modes.now
        if named or now.special or not isinstance(self, Tensor):
            return careful(*(() if self is NOTHING else (self,)), *rest, **named)
        dtype, given, args = self._dtype, self._array, rest
        if not (dtype.plain or anything or fits(self)):
            return careful(self, *rest)
        if len(args) != count:
            args += tails.get(len(args) + 1, ())
            if len(args) != count:
                return careful(self, *rest)
        for value in args:
            if value.__class__ not in PLAIN and not is_plain(value):
                return careful(self, *rest)
        if check is not None:
            check(self, *args, *named_only)
        try:
            array = now.quiet(kernel, given, *args) if args else now.quiet(kernel, given)
        except Exception:  # whatever it is, nothing has happened: `careful` meets it again, after
            array = None  # the handler, and says it in PyTorch's words
        if array is None:
            return careful(self, *rest)
        if array.__class__ is ndarray and (
            not elementwise or array.ndim != 1 or array.base is not None or not array.size
        ):
            array = lay_out(op, array, (given,))
        kind = bool_ if compares else dtype if alike else dtypes.of_numpy(array.dtype)
        out: Any = new(Tensor)
        out._array = array
        out._dtype = kind
        out._cell = out._view = out._node = out._extras = None
        out._output_nr, out._requires_grad = 0, False
        if (
            recorded
            and now.grad
            and (self._requires_grad if self._view is None else self._view.tracks(self))
        ):
            out._node = record(self, args, array, kind)
            if out._node is None:
                return careful(self, *rest)
            out._requires_grad = True
        return out

    return run


def of_alone(op: Op) -> Callable:
    """How `of_one` makes a node; None if the tensor was made in inference mode."""
    Node: Any = op.Node
    params, most = op.params, op.signature.positional
    saves_self, saves_result = "self" in Node.saved, "result" in Node.saved
    places = [(slot, at - 1) for slot, at in op.saved_values if 0 < at < most]
    constants = [(f"{n}_", op.signature.defaults[n]) for n in Node.saved if n in params[most:]]
    facts = [(slot, read) for slot, *_, read in op.saved_facts]

    def record(self: Any, args: tuple, array: Any, dtype: Any) -> Any:
        if self._extras is not None and self._extras.inference:
            return None
        node: Any = new(Node)
        number = self._output_nr
        node.enter((edge(self),), (number,) if number else (0,), array.shape, dtype)
        if saves_self:
            node.self_ = self
            node.self_version = 0 if self._cell is None else self._cell.value
        if saves_result:  # only the array: the result holds the node
            node.result_, node.cell, node.result_version = array, None, 0
        for slot, read in facts:
            setattr(node, slot, read(self))
        for slot, at in places:
            setattr(node, slot, args[at])
        for slot, value in constants:
            setattr(node, slot, value)
        return node

    return record


def is_plain(value: Any) -> bool:
    """Whether an argument is a tuple or list of plain values."""
    return value.__class__ in (tuple, list) and all([one.__class__ in PLAIN for one in value])
