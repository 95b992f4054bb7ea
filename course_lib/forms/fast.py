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
from course_lib.core.tensor import Tensor, new
from course_lib.facts import layout
from course_lib.facts.dtypes import FLOATING, bool_
from course_lib.facts.modes import modes

ndarray = np.ndarray
ARRAYS = (np.ndarray, np.generic)
ONE, TWO = (0,), (0, 0)  # shared by most nodes: which output of the next node each input was


def fast_binary(op: Op, fallback: Callable) -> Callable:
    """`general` for two operands of one floating dtype (or a Python number), without recursion
    into tables: this is what every `a * b` runs."""
    kernel, cls, comparing = op.kernel, op.Node, op.kind_name == "compare"
    formulas = tuple(op.formulas)
    self_saves, other_saves = op.needs.get("self", ()), op.needs.get("other", ())
    saves = {*self_saves, *other_saves}
    keeps_self, keeps_other = "self" in saves, "other" in saves
    always_self, always_other = "self" in op.always, "other" in op.always
    left_keeps_self, left_keeps_other = "self" in self_saves, "other" in self_saves
    right_keeps_self, right_keeps_other = "self" in other_saves, "other" in other_saves
    keeps_result = "result" in saves
    constants = [
        (f"{n}_", op.signature.defaults[n]) for n in sorted(saves) if n in op.signature.defaults
    ]
    simple = saves <= {"self", "other", "result", *op.signature.defaults}
    alone = formulas == ("self",)  # the other operand is a number, without an edge of its own
    if formulas and not (simple and "self" in formulas and ("other" in formulas or alone)):
        return fallback

    def call(self: Any, other: Any) -> Any:
        if not isinstance(self, Tensor):
            if isinstance(self, ARRAYS) and not isinstance(other, Tensor):
                return kernel(self, other)  # within a formula
            return fallback(self, other)
        dtype, now = self._dtype, modes.now
        if dtype.category != FLOATING or dtype.reduced or now.special:
            return fallback(self, other)
        if self._view is not None:
            self._view.refresh(self)
        left, number = self._requires_grad, False
        try:
            if isinstance(other, Tensor):
                if other._dtype is not dtype or alone:
                    return fallback(self, other)
                if other._view is not None:
                    other._view.refresh(other)
                right = other._requires_grad
                array = now.quiet(kernel, self._array, other._array)
            elif other.__class__ is float or other.__class__ is int:
                right, number = False, True
                array = now.quiet(kernel, self._array, other)
            else:
                return fallback(self, other)
        except ValueError:  # shapes that do not broadcast
            return fallback(self, other)
        shape: tuple = ()
        if array.__class__ is ndarray:
            shape = array.shape
            if len(shape) > 1 or 0 in shape:
                array = layout.elementwise(array, [self._array, other if number else other._array])
        out: Any = new(Tensor)
        out._array = array
        out._dtype = bool_ if comparing else dtype
        out._cell = out._view = out._extras = None
        out._output_nr = 0
        if not (left or right) or comparing or not now.grad:
            out._node, out._requires_grad = None, False
            if now.inference:
                out._more().inference = True
            return out
        if (more := self._extras) is not None and more.inference:
            return fallback(self, other)  # which knows what to say
        if not number and (more := other._extras) is not None and more.inference:
            return fallback(self, other)
        node: Any = cls()
        one = (self._node or edge(self)) if left else None
        two = (other._node or edge(other)) if right else None
        if alone:
            node.nodes, node.numbers = (one,), (self._output_nr,)
        else:
            node.nodes, node.numbers = (one, two), TWO
            if self._output_nr or (right and other._output_nr):
                node.numbers = (self._output_nr, other._output_nr if right else 0)
        node.order = next_order()
        node.shape, node.dtype, node.extras = shape, dtype, None
        if keeps_self:
            node.self_ = None
            if always_self or (one and left_keeps_self) or (two and right_keeps_self):
                node.self_, cell = self, self._cell
                node.self_version = 0 if cell is None else cell.value
        if keeps_other:
            node.other_ = None
            if always_other or (one and left_keeps_other) or (two and right_keeps_other):
                node.other_, node.other_version = other, -1  # a number has no version
                if not number:
                    cell = other._cell
                    node.other_version = 0 if cell is None else cell.value
        if keeps_result:
            node.result_, node.cell, node.result_version = array, None, 0
        for name, value in constants:
            setattr(node, name, value)
        out._node, out._requires_grad = node, True
        return out

    return call


def fast_unary(op: Op, fallback: Callable) -> Callable:
    """`general` for one floating operand."""
    kernel, cls = op.kernel, op.Node
    saves = op.needs.get("self", ())
    keeps_self, keeps_result = "self" in saves, "result" in saves
    if tuple(op.formulas) != ("self",) or not set(saves) <= {"self", "result"}:
        return fallback

    def call(self: Any) -> Any:
        if not isinstance(self, Tensor):
            return kernel(self) if isinstance(self, ARRAYS) else fallback(self)
        dtype = self._dtype
        if dtype.category != FLOATING or dtype.reduced:
            return fallback(self)
        if self._view is not None:
            self._view.refresh(self)
        left, now = self._array, modes.now
        array = now.quiet(kernel, left)
        if array.__class__ is ndarray and (array.ndim > 1 or not array.size):
            array = layout.elementwise(array, [left])
        out: Any = new(Tensor)
        out._array = array
        out._dtype = dtype
        out._cell = out._view = out._extras = None
        out._output_nr = 0
        if not self._requires_grad or not now.grad:
            out._node, out._requires_grad = None, False
            if now.inference:
                out._more().inference = True
            return out
        if now.special:
            return fallback(self)
        node: Any = cls()
        node.nodes = (self._node or edge(self),)
        node.numbers = (self._output_nr,) if self._output_nr else ONE
        node.order = next_order()
        node.shape, node.dtype, node.extras = array.shape, dtype, None
        if keeps_self:
            node.self_ = self
            cell = self._cell
            node.self_version = 0 if cell is None else cell.value
        if keeps_result:
            node.result_, node.cell, node.result_version = array, None, 0
        out._node, out._requires_grad = node, True
        return out

    return call


def fast_with_number(op: Op, fallback: Callable) -> Callable:
    """`general` for one floating operand and one Python number, as in ``x ** 2``."""
    kernel, cls, slot = op.kernel, op.Node, op.params[1] + "_"
    saves = op.needs.get("self", ())
    keeps_self, keeps_number = "self" in saves, op.params[1] in saves
    if tuple(op.formulas) != ("self",) or not set(saves) <= {"self", op.params[1]}:
        return fallback

    def call(self: Any, number: Any) -> Any:
        now = modes.now
        if not isinstance(self, Tensor) or now.special or now.inference:
            if isinstance(self, ARRAYS) and not isinstance(number, Tensor):
                return kernel(self, number)
            return fallback(self, number)
        dtype = self._dtype
        if dtype.category != FLOATING or dtype.reduced or number.__class__ not in (int, float):
            return fallback(self, number)
        if self._view is not None:
            self._view.refresh(self)
        left = self._array
        array = now.quiet(kernel, left, number)
        if array.__class__ is ndarray and (array.ndim > 1 or not array.size):
            array = layout.elementwise(array, [left])
        out: Any = Tensor._make(array, dtype)
        if not self._requires_grad or not now.grad:
            return out
        node: Any = cls()
        node.nodes = (self._node or edge(self),)
        node.numbers = (self._output_nr,) if self._output_nr else ONE
        node.order = next_order()
        node.shape, node.dtype, node.extras = array.shape, dtype, None
        if keeps_self:
            node.self_ = self
            cell = self._cell
            node.self_version = 0 if cell is None else cell.value
        if keeps_number:
            setattr(node, slot, number)
        out._node, out._requires_grad = node, True
        return out

    return call


def fast_whole(op: Op, fallback: Callable) -> Callable:
    """`general` for a reduction of one floating operand to one number, as in ``x.sum()``."""
    kernel, cls = op.kernel, op.Node
    if tuple(op.formulas) != ("self",) or op.needs["self"] != ("self_shape",):
        return fallback

    def call(self: Any) -> Any:
        if not isinstance(self, Tensor):
            return kernel(self) if isinstance(self, ARRAYS) else fallback(self)
        dtype, left, now = self._dtype, self._array, modes.now
        if dtype.category != FLOATING or dtype.reduced or now.special or now.inference:
            return fallback(self)
        if self._view is not None:
            self._view.refresh(self)
        out: Any = Tensor._make(now.quiet(kernel, left), dtype)
        if not self._requires_grad or not now.grad:
            return out
        node: Any = cls()
        node.nodes = (self._node or edge(self),)
        node.numbers = (self._output_nr,) if self._output_nr else ONE
        node.order = next_order()
        node.shape, node.dtype, node.extras = (), dtype, None
        node.self_shape_ = left.shape
        out._node, out._requires_grad = node, True
        return out

    return call


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
