"""The fast path of in-place writes: what `core/writes.py` does, for plain operands.

A tensor of a floating dtype (or of int64, for sums, products and writes without arithmetic), and a
number or a tensor of that dtype, need no binding, no promotion and no tables.  All other calls, and
those that the kernel refuses, go to `fallback`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.tensor import Tensor, new
from course_lib.core.views import AsStridedBackward0
from course_lib.core.writes import CopySlices
from course_lib.declare.fronts import NOTHING, Doubt, marked
from course_lib.declare.fronts import named as named_as
from course_lib.dtypes.dtypes import int32, int64
from course_lib.lazy import attached
from course_lib.memory.layout import overlaps_itself
from course_lib.modes import modes
from course_lib.speed.becoming import in_place_of
from course_lib.speed.views import spot, window

ndarray, copyto = np.ndarray, np.copyto
ONE, TWO = (0,), (0, 0)  # shared by most nodes: which output of the next node each input was
WHOLE = (operator.iadd, operator.isub, operator.imul)
WRITES = {getattr(operator, n): getattr(operator, f"i{n}") for n in "add sub mul truediv".split()}


def fast_inplace(op: Any, fallback: Any) -> Callable:
    """`call_inplace` for a plain tensor and a number, or a tensor of its dtype."""
    kernel = op.kernel
    saves = {*op.needs.get("self", ()), *op.needs.get("other", ())}
    if set(op.formulas) != {"self", "other"} or "result" in saves or "self" in op.needs["self"]:
        return fallback
    keeps_self, keeps_other = "self" in op.needs["other"], "other" in saves
    if not saves <= {"self", "other", *op.signature.defaults}:
        return fallback
    constants = [(f"{n}_", v) for n, v in op.signature.defaults.items() if n in saves]
    other_for_self = "other" in op.needs["self"] or "other" in op.always

    def compute_and_copy(left: Any, right: Any) -> None:
        array = kernel(left, right)
        if array.shape != left.shape:
            raise Doubt
        left[...] = array

    write = WRITES.get(op.plain, compute_and_copy) if op.plain else compute_and_copy
    names = {
        **globals(),
        "Node": op.Node,
        "write": write,
        "keeps_self": keeps_self,
        "keeps_other": keeps_other,
        "other_for_self": other_for_self,
        "constants": constants,
        "fits": None,
        "alone": False,
        "whole": write in WHOLE,
    }
    quick = in_place_of(fallback, written, op.name + "_", names)
    if not hasattr(fallback, "spoken"):
        return quick
    return marked(named_as(quick, fallback), fallback.bare, fallback.spoken)


def fast_put(op: Any, fallback: Any, fits: Callable | None, alone: bool) -> Callable:
    """A write of a value without arithmetic: `copy_`, `fill_`, `zero_`."""
    names = {**globals(), "Node": op.Node, "write": copyto, "fits": fits, "alone": alone}
    names["whole"] = True
    return named_as(in_place_of(fallback, written, op.name + "_", names), fallback)


def back_through_part(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
    """`CopySlices.apply` on an array."""
    inner = node.inner
    where = None if inner is None or inner.extras is not None else spot(node)
    if where is None or grad.__class__ is not ndarray or grad.dtype != node.like.dtype:
        return node.apply(grad, keep)
    result = np.array(grad, order="C")
    part = window(where, result)
    found, *others = inner.run(part.copy("C"), True)
    part[...] = 0 if found is None else found
    if not keep:
        node.inner = None
    return (result, *others)


CopySlices.run = back_through_part


# The globals of `written`: `fast_inplace` and `fast_put` set them for each operation.
Node: Any = None
write: Any = None
slow: Any = None
constants: list[tuple[str, Any]] = []
keeps_self = keeps_other = other_for_self = False
fits: Any = None  # tests whether an array fits the memory it goes into; None: numbers fit too
alone = False  # whether no gradient goes to the value that is written
whole = False  # whether int64 stays int64, and int32 as it is


def written(self: Any = NOTHING, other: Any = NOTHING, *rest: Any, **named: Any) -> Any:
    try:
        if not isinstance(self, Tensor):
            raise Doubt
        now, more = modes.now, self._extras
        left, dtype, view = self._array, self._dtype, self._view
        if (
            rest
            or named
            or not (dtype.plain or (whole and dtype in SURE))
            or now.special
            or now.inference
            or left.__class__ is not ndarray
            or (more is not None and (more.inference or more.retains))
        ):
            raise Doubt
        recording = now.grad
        base = None if view is None or not recording else base_of(self, view)
        if not (left.base is None or left.flags.c_contiguous) and overlaps_itself(left):
            raise Doubt
        first = self._node  # the nodes that gradients go to: here, and for `other`
        second = None
        if first is None and self._requires_grad and recording:
            raise Doubt  # a leaf: refused
        if other.__class__ is float or other.__class__ is int:
            if fits is not None:
                raise Doubt
            right, version = other, -1
        elif not isinstance(other, Tensor):
            raise Doubt
        else:
            right, more, cell = other._array, other._extras, other._cell
            version = 0 if cell is None else cell.value
            if (
                other._dtype is not dtype
                or other is self
                or not (right.__class__ is ndarray or isinstance(right, np.generic))
                or (more is not None and more.inference)
                or (cell is not None and cell is self._cell and not independent(self, other))
                or (right.base is not None and right.base is left.base and cell is not self._cell)
                or not (fits is None or fits(left, right))
            ):
                raise Doubt
            if recording and (other._requires_grad or other._view is not None):
                second = other._node if other._view is None else None
                second = second or edge(other)
                if other._requires_grad and (keeps_self or second is None):
                    raise Doubt  # overwritten numbers are needed, or `other` has lost its history
        cell = self._cell or self._share()
        try:
            now.quiet(write, left, right)
        except Exception:  # nothing is written yet: `slow` raises it again
            raise Doubt from None
    except Doubt:
        given = [value for value in (self, other) if value is not NOTHING]
    else:
        if recording and (first is not None or second is not None):
            node: Any = Node()
            node.nodes = (first,) if alone else (first, second)
            node.numbers = ONE if alone else TWO
            if self._output_nr or (second is not None and other._output_nr):
                mine = 0 if first is None else self._output_nr
                node.numbers = (mine, 0 if second is None else other._output_nr)[: len(node.nodes)]
            node.order = next_order()
            node.shape = left.shape
            node.dtype = dtype
            node.extras = None
            if keeps_self:
                node.self_ = None
                node.self_version = -1
            if keeps_other:
                kept = other_for_self and first is not None
                node.other_ = other if kept else None
                node.other_version = version if kept else -1
            for name, value in constants:
                setattr(node, name, value)
            if base is None:
                self._node = node
                self._output_nr = 0
                self._requires_grad = True
            else:
                rebase(self, base, view, node)
                view.seen = cell.value + 1
        cell.value += 1
        return self
    return slow(*given, *rest, **named)


def base_of(tensor: Any, view: Any) -> Any:
    """The base of a view that may be written through, its node brought up to date; else Doubt."""
    base = view.base
    if base is None:  # a window without a history
        return None
    more = base._extras
    if view.origin or base._dtype is not tensor._dtype or (more is not None and more.retains):
        raise Doubt
    if base._requires_grad:
        if base._node is None or tensor._node is None:
            raise Doubt  # a view of a leaf, or one that seems a leaf: refused where it is recorded
        if view.seen != tensor._cell.value:
            view.refresh(tensor)
    elif tensor._requires_grad:
        raise Doubt  # a leaf in its own right
    return base


def independent(one: Any, other: Any) -> bool:
    """Whether two views of one base are equal or disjoint, so that the order of writes is free."""
    mine, its = one._view, other._view
    if mine is None or its is None or mine.base is not its.base:
        return False
    return apart(one._array, mine.offset, other._array, its.offset)


def apart(one: Any, start: int, other: Any, its_start: int) -> bool:
    """Whether two arrays are equal or disjoint, given the byte offsets of their starts."""
    if start == its_start:
        return one.shape == other.shape and one.strides == other.strides
    if not (one.flags.c_contiguous and other.flags.c_contiguous):
        return False
    return start + one.nbytes <= its_start or its_start + other.nbytes <= start


def rebase(tensor: Any, base: Any, view: Any, node: Any) -> None:
    """`core.writes.rebase` for a view: new nodes for its base and for itself."""
    window = tensor._array
    slices = rebased(base, window, view.offset, node)
    seen: Any = new(AsStridedBackward0)
    seen.nodes = (slices,)
    seen.numbers = ONE
    seen.order = next_order()
    seen.shape = window.shape
    seen.dtype = slices.dtype
    seen.extras = None
    seen.like = slices.like
    seen.steps = slices.steps
    tensor._node = seen
    tensor._output_nr = 0
    tensor._requires_grad = True


def rebased(base: Any, window: Any, start: int, node: Any) -> Any:
    """The new node of a base, after the write `node` into a window that starts at byte `start`."""
    before, array = base._node, base._array
    itemsize = array.itemsize
    like = before.like if before.__class__ is CopySlices else None
    if like is None or like.shape != array.shape or like.strides != array.strides:
        like = base._meta()
    if array.base is not None:
        start -= base._offset()
    strides = tuple([stride // itemsize for stride in window.strides])
    slices: Any = new(CopySlices)
    slices.nodes = (before, *node.nodes[1:])
    slices.numbers = (0 if before is None else base._output_nr, *node.numbers[1:])
    slices.order = next_order()
    slices.shape = array.shape
    slices.dtype = base._dtype
    slices.extras = None
    slices.inner = node
    slices.like = like
    slices.steps = [(attached("as_strided").op, (window.shape, strides, start // itemsize))]
    base._node = slices
    base._output_nr = 0
    base._requires_grad = True
    return slices


# ---- x[3] = y ------------------------------------------------------------------------------------


def fast_assignment(op: Any, fallback: Callable) -> Callable:
    """``self[place] = value`` for whole numbers and a tensor that fits, or a number.

    The view `self[place]` would be thrown away, so it is not made.  `op` is that of `copy_`.  A
    number goes to slices too, unless a node has to be made for it.
    """
    Node = op.Node

    def assign(self: Any, place: Any, value: Any) -> None:
        try:
            now, more = modes.now, self._extras
            array, dtype, view = self._array, self._dtype, self._view
            if (
                not (dtype.plain or dtype in SURE)
                or now.special
                or now.inference
                or array.__class__ is not ndarray
                or (more is not None and (more.inference or more.retains))
                or (array.base is not None and overlaps_itself(array))
            ):
                raise Doubt
            recording = now.grad
            base = None if view is None or not recording else base_of(self, view)
            if recording and self._node is None and self._requires_grad:
                raise Doubt  # a leaf: refused
            cell = self._cell or self._share()
            if value.__class__ is float or value.__class__ is int:
                if (recording and self._node is not None) or not holds(dtype, value):
                    raise Doubt
                put_number(array, place, value)
                cell.value += 1
                return
            window, start = part_of(self, place)
            other, target = value._array, None
            if (
                not (other.__class__ is ndarray or isinstance(other, np.generic))
                or value._dtype is not dtype
                or window.shape != other.shape
                or ((more := value._extras) is not None and more.inference)
                or (value._cell is not cell and None is not other.base is array.base)
            ):
                raise Doubt
            if value._cell is cell:
                its = value._view
                if its is None or not apart(window, start, other, its.offset):
                    raise Doubt
            if recording and (value._requires_grad or value._view is not None):
                target = (value._node if value._view is None else None) or edge(value)
                if target is None and value._requires_grad:
                    raise Doubt
        except Doubt:
            window = None
        if window is None:  # after the handler: no traceback of the refusal shows the doubt
            fallback(self, place, value)
            return
        copyto(window, other)
        if recording and (self._node is not None or target is not None):
            node: Any = Node()
            node.nodes = (self._node, target)
            node.numbers = (self._output_nr, value._output_nr) if target is not None else TWO
            node.order = next_order()
            node.shape = window.shape
            node.dtype = dtype
            node.extras = None
            rebased(self if base is None else base, window, start, node)
        cell.value += 1

    return assign


def holds(dtype: Any, number: Any) -> bool:
    """Whether a dtype surely holds a number: one that is written without a warning or an error."""
    if dtype in SURE:
        return number.__class__ is int and -SURE[dtype] < number < SURE[dtype]
    return -1e38 < number < 1e38


SURE = {int64: 1 << 62, int32: 1 << 31}


def put_number(array: Any, place: Any, number: Any) -> None:
    """``array[place] = number`` for whole numbers and slices; else Doubt."""
    places = place if place.__class__ is tuple else (place,)
    for one in places:
        if one.__class__ is not int and (
            one.__class__ is not slice or not BOUNDS.issuperset(map(type, BOUNDS_OF(one)))
        ):
            raise Doubt
        if one.__class__ is slice and one.step is not None and one.step < 1:
            raise Doubt
    if not 0 < len(places) <= array.ndim:
        raise Doubt
    try:
        array[place] = number
    except IndexError:
        raise Doubt from None


BOUNDS, BOUNDS_OF = {int, type(None)}, operator.attrgetter("start", "stop", "step")


def part_of(tensor: Any, place: Any) -> tuple[Any, int]:
    """The part of an array that whole numbers name, and the byte where it begins; else Doubt."""
    array, start = tensor._array, tensor._offset()
    if place.__class__ is int and array.ndim and -len(array) <= place < len(array):
        return array[place, ...], start + (place + len(array) * (place < 0)) * array.strides[0]
    places = place if place.__class__ is tuple else (place,)
    if not 0 < len(places) <= array.ndim:
        raise Doubt
    for one, size, stride in zip(places, array.shape, array.strides):
        if one.__class__ is not int or not -size <= one < size:
            raise Doubt
        start += (one + size * (one < 0)) * stride
    return array[(*places, ...)], start
