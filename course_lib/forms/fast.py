"""The hot path of writes in place: what `forms/inplace.py` does, in a hurry, for plain operands.

A tensor of a floating dtype that is no view, and a number or a tensor of that dtype, need no
binding, no promotion and no tables.  Whatever is special, and what the kernel refuses, goes to
`fallback`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.tensor import Tensor
from course_lib.facts.modes import modes
from course_lib.forms.becoming import in_place_of
from course_lib.forms.fronts import NOTHING, Doubt, marked
from course_lib.forms.fronts import named as named_as

ndarray = np.ndarray
TWO = (0, 0)  # shared by most nodes: which output of the next node each input was
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
    }
    quick = in_place_of(fallback, written, op.name + "_", names)
    if not hasattr(fallback, "spoken"):
        return quick
    return marked(named_as(quick, fallback), fallback.bare, fallback.spoken)


# What `written` finds under these names is that of its operation; see `fast_inplace`.
Node: Any = None
write: Any = None
slow: Any = None
constants: list[tuple[str, Any]] = []
keeps_self = keeps_other = other_for_self = False


def written(self: Any = NOTHING, other: Any = NOTHING, *rest: Any, **named: Any) -> Any:
    try:
        if not isinstance(self, Tensor):
            raise Doubt
        now, more = modes.now, self._extras
        left, dtype = self._array, self._dtype
        if (
            rest
            or named
            or self._view is not None
            or not dtype.plain
            or now.special
            or now.inference
            or left.__class__ is not ndarray
            or not (left.base is None or left.flags.c_contiguous)  # it may overlap itself
            or (more is not None and (more.inference or more.retains))
        ):
            raise Doubt
        recording = now.grad
        first = self._node  # the nodes that gradients go to: here, and for `other`
        second = None
        if first is None and self._requires_grad and recording:
            raise Doubt  # a leaf: refused
        if other.__class__ is float or other.__class__ is int:
            right, version = other, -1
        elif not isinstance(other, Tensor):
            raise Doubt
        else:
            right, more, cell = other._array, other._extras, other._cell
            version = 0 if cell is None else cell.value
            if (
                other._dtype is not dtype
                or other._view is not None
                or other is self
                or not (right.__class__ is ndarray or isinstance(right, np.generic))
                or (right.base is not None and right.base is left.base)
                or (more is not None and more.inference)
            ):
                raise Doubt
            if other._requires_grad and recording:
                if keeps_self:
                    raise Doubt  # what is overwritten is needed
                second = other._node or edge(other)
        cell = self._cell or self._share()
        try:
            now.quiet(write, left, right)
        except Exception:  # nothing is written yet: `slow` raises it anew
            raise Doubt from None
    except Doubt:
        given = [value for value in (self, other) if value is not NOTHING]
    else:
        if recording and (first is not None or second is not None):
            node: Any = Node()
            node.nodes = (first, second)
            node.numbers = TWO
            if self._output_nr or (second is not None and other._output_nr):
                node.numbers = (self._output_nr, 0 if second is None else other._output_nr)
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
            self._node = node
            self._output_nr = 0
            self._requires_grad = True
        cell.value += 1
        return self
    return slow(*given, *rest, **named)
