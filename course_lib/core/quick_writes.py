"""The common case of a write in place: a plain tensor, and a number or a tensor of its dtype."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.quick_views import spot, window
from course_lib.core.tensor import Tensor, new
from course_lib.core.writes import CopySlices, rebase
from course_lib.memory.layout import overlaps_itself
from course_lib.modes import modes

ndarray, copyto = np.ndarray, np.copyto
WRITES = {getattr(operator, n): getattr(operator, f"i{n}") for n in "add sub mul truediv".split()}


def writable(self: Any, now: Any) -> bool:
    """Whether a write into this tensor is a common one, as far as the tensor is concerned."""
    if not isinstance(self, Tensor) or not self._dtype.plain or now.special or now.inference:
        return False
    array, extras, view = self._array, self._extras, self._view
    if array.__class__ is not ndarray or (extras is not None and (extras.inference or extras.retains)):
        return False
    if array.base is not None and not array.flags.c_contiguous and overlaps_itself(array):
        return False
    if not now.grad:
        return True
    if view is None or view.base is None:
        return self._node is not None or not self._requires_grad  # else a leaf: refused
    base = view.base
    extras = base._extras
    if view.origin or base._dtype is not self._dtype or (extras is not None and extras.retains):
        return False
    if not base._requires_grad:
        return not self._requires_grad
    if base._node is None or self._node is None:
        return False  # a view of a leaf: refused
    view.refresh(self)
    return True


def readable(other: Any, self: Any) -> bool:
    """Whether the elements of `other`, of the same dtype, can be read while `self` is written."""
    if other._dtype is not self._dtype or other is self:
        return False
    right, extras = other._array, other._extras
    if right.__class__ is not ndarray and not isinstance(right, np.generic):
        return False
    if extras is not None and extras.inference:
        return False
    if other._cell is not None and other._cell is self._cell:
        mine, its = self._view, other._view
        return mine is not None and its is not None and mine.base is its.base and apart(
            self._array, mine.offset, right, its.offset
        )
    return right.base is None or right.base is not self._array.base


def apart(one: Any, start: int, other: Any, its_start: int) -> bool:
    """Whether two arrays are equal or disjoint, given the byte offsets of their starts."""
    if start == its_start:
        return bool(one.shape == other.shape and one.strides == other.strides)
    if not (one.flags.c_contiguous and other.flags.c_contiguous):
        return False
    return start + one.nbytes <= its_start or its_start + other.nbytes <= start


def writing(op: Any, slow: Callable, fits: Any = None, alone: bool = False) -> Callable:
    """The in-place call of an operation: `mul_`, `+=`; with `fits` or `alone`, `copy_` or `zero_`.

    `fits(memory, array)`: what is written has to fit; `alone`: no gradient goes to what is written.
    """
    kernel, Node, puts = op.kernel, op.Node, fits is not None or alone
    straight = np.copyto if puts else WRITES.get(op.plain)
    needs = [op.needs.get(n, ()) for n in ("self", "other")]
    saves = {*needs[0], *needs[1]}
    if not puts and (set(op.formulas) != {"self", "other"} or "result" in saves):
        return slow
    if not puts and ("self" in needs[0] or not saves <= {"self", "other", *op.signature.defaults}):
        return slow
    keeps_self, keeps_other = not puts and "self" in needs[1], not puts and "other" in saves
    constants = [(f"{n}_", v) for n, v in op.signature.defaults.items() if n in saves]
    other_for_self = "other" in needs[0] or "other" in op.always

    def run(self: Any, other: Any, *rest: Any, **named: Any) -> Any:
        now = modes.now
        number = other.__class__ is float or other.__class__ is int
        if rest or named or not writable(self, now) or number and fits is not None:
            return slow(self, other, *rest, **named)
        if not number and not (isinstance(other, Tensor) and readable(other, self)):
            return slow(self, other)
        left, right, second = self._array, other if number else other._array, None
        if fits is not None and not fits(left, right):
            return slow(self, other)
        if not number and now.grad and other.requires_grad:
            second = edge(other)
            if keeps_self or second is None:
                return slow(self, other)  # overwritten numbers are needed
        version = -1 if number else 0 if other._cell is None else other._cell.value
        cell, refused = self._cell or self._share(), False
        try:
            if straight is not None:
                now.quiet(straight, left, right)
            else:
                array = now.quiet(kernel, left, right)
                refused = array.shape != left.shape
                if not refused:
                    left[...] = array
        except Exception:  # nothing is written yet: `slow` raises it again
            refused = True
        if refused:
            return slow(self, other)
        cell.value += 1
        first = self._node
        if now.grad and (first is not None or second is not None):
            node: Any = new(Node)
            one = 0 if first is None else self._output_nr
            two = 0 if second is None else other._output_nr
            node.nodes = (first,) if alone else (first, second)
            node.numbers = (one,) if alone else (one, two)
            node.order = next_order()
            node.shape = left.shape
            node.dtype = self._dtype
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
            rebase(self, node)
        return self

    return run


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
