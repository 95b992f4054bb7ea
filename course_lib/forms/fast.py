"""The hot paths: what `core.op.call` does, in a hurry, for the most common operations.

One or two operands of one floating dtype (or a Python number) need no binding, no promotion and no
tables.  Whatever is special goes to `fallback`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.op import Op
from course_lib.core.tensor import Tensor
from course_lib.facts.dtypes import FLOATING
from course_lib.facts.modes import modes

ndarray = np.ndarray
ARRAYS = (np.ndarray, np.generic)
ONE, TWO = (0,), (0, 0)  # shared by most nodes: which output of the next node each input was


def fast_inplace(op: Op, fallback: Callable) -> Callable:
    """`call_inplace` for a plain tensor and a number, or a tensor of its dtype and shape."""
    kernel, cls = op.kernel, op.Node
    saves = {*op.needs.get("self", ()), *op.needs.get("other", ())}
    if set(op.formulas) != {"self", "other"} or "result" in saves or "self" in op.needs["self"]:
        return fallback
    keeps_self, keeps_other = "self" in op.needs["other"], "other" in saves
    if not saves <= {"self", "other", *op.signature.defaults}:
        return fallback
    constants = [(f"{n}_", v) for n, v in op.signature.defaults.items() if n in saves]
    other_for_self = "other" in op.needs["self"] or "other" in op.always

    def call(self: Any, other: Any) -> Any:
        dtype, left, now = self._dtype, self._array, modes.now
        if (
            dtype.category != FLOATING
            or dtype.reduced
            or left.__class__ is not ndarray
            or not (left.base is None or left.flags.c_contiguous)  # it may overlap itself
            or self._view is not None
            or now.special
            or now.inference
            or now.before_write is not None
            or ((more := self._extras) is not None and (more.inference or more.retains))
        ):
            return fallback(self, other)
        second = None  # the node that a gradient for `other` goes to
        if other.__class__ is float or other.__class__ is int:
            right = other
        elif (
            isinstance(other, Tensor)
            and other._dtype is dtype
            and other._view is None
            and other is not self
            and (right := other._array).shape == left.shape
            and (right.base is None or right.base is not left.base)
            and (other._extras is None or not other._extras.inference)
        ):
            if other._requires_grad and now.grad:
                if keeps_self or (self._requires_grad and self._node is None):
                    return fallback(self, other)  # what is overwritten is needed; or refused
                second = edge(other)
        else:
            return fallback(self, other)
        first = self._node
        if self._requires_grad and first is None and now.grad:
            return fallback(self, other)  # a leaf: refused
        array = now.quiet(kernel, left, right)
        cell = self._cell or self._share()
        if (first is not None or second is not None) and now.grad:
            node: Any = cls()
            node.nodes, node.numbers = (first, second), TWO
            if self._output_nr or (second is not None and other._output_nr):
                node.numbers = (self._output_nr, 0 if second is None else other._output_nr)
            node.order = next_order()
            node.shape, node.dtype, node.extras = left.shape, dtype, None
            if keeps_self:
                node.self_ = None
                node.self_version = -1
            if keeps_other:
                kept = other_for_self and first is not None
                node.other_ = other if kept else None
                node.other_version = other._version if kept and right is not other else -1
            for name, value in constants:
                setattr(node, name, value)
            self._node, self._output_nr, self._requires_grad = node, 0, True
        left[...] = array
        cell.value += 1
        return self

    return call
