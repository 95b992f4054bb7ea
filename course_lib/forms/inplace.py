"""The in-place form: the same kernel, written back through the memory of the first argument."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from course_lib.core.graph import edge
from course_lib.core.op import Op, compute, record, wants_grad
from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors, layout
from course_lib.facts.modes import modes
from course_lib.forms.history import CopySlices


def call_inplace(op: Op, args: tuple, kwargs: dict) -> Tensor:
    """Call `x.op_(…)`: gives x, whose memory, version and history have changed."""
    values = op.signature.bind(args, kwargs)
    self = values[op.params[0]]
    recorded = bool(op.formulas) and wants_grad(op, values)
    check_inplace(self, recorded)
    check_memory(self, values.values())
    if recorded:
        for value in values.values():  # a lost history is an error before anything else is
            if isinstance(value, Tensor) and value._view is not None:
                edge(value)
    array, mixed = compute(op, values)
    made = dtypes.of_numpy(array.dtype)
    if made.category > self._dtype.category:
        raise RuntimeError(errors.cannot_cast(made, self._dtype))
    if array.shape != self._array.shape:
        raise RuntimeError(errors.inplace_shape(self._array.shape, array.shape))
    if not recorded:
        write(self, array)
        return self
    if op.params[0] in op.Node.tensors:
        # The formula needs the value that is about to be overwritten.  Only this argument is
        # replaced by a copy: in x.mul_(x) the second x is saved as it is, and seen to be stale.
        values = {**values, op.params[0]: before_write(self)}
    node = enter_from(self, record(op, values, [self], mixed))
    write(self, array)
    rebase(self, node)
    return self


def before_write(self: Tensor) -> Tensor:
    """A copy of `self` with the history of `self`: what a formula saves of a value that goes."""
    copy: Tensor = self.clone()  # type: ignore[attr-defined]
    return copy


def enter_from(self: Tensor, node: Any) -> Any:
    """`node` with its first edge from `self`, not from the copy that it may have saved."""
    if next(iter(node.needs)) == node.op.params[0]:
        before = edge(self)
        node.nodes = (before, *node.nodes[1:])
        node.numbers = (0 if before is None else self._output_nr, *node.numbers[1:])
    return node


def check_inplace(self: Tensor, recorded: bool) -> None:
    """Raise PyTorch's error if autograd does not allow a write into this tensor."""
    if self.is_inference() and not modes.inference:
        raise RuntimeError(errors.INFERENCE_INPLACE)
    if recorded:
        check_recorded(self)
    if modes.before_write is not None:
        modes.before_write(self)


def check_recorded(self: Tensor) -> None:
    """Raise PyTorch's error if a write into this tensor cannot be recorded."""
    view = self._view
    if view is not None and view.base is not None:
        if view.origin:
            raise RuntimeError(errors.forbidden_view(view, self, self._node or view.lost))
        if self.requires_grad and view.base.is_leaf:
            raise RuntimeError(errors.VIEW_OF_LEAF)
    if self.requires_grad and seems_leaf(self):
        raise RuntimeError(errors.LEAF_INPLACE)


def seems_leaf(self: Tensor) -> bool:
    """Whether the tensor is a leaf, as far as it knows.

    A view learns of a write into its base when its history is asked for.  PyTorch's own checks do
    not ask, so that such a view still counts as a leaf.
    """
    return self._node is None and (self._view is None or self._view.lost is None)


def check_memory(self: Tensor, others: Any) -> None:
    """Raise PyTorch's error if writing element by element would depend on the order."""
    array = self._array
    if array.__class__ is not np.ndarray:
        return
    if layout.overlaps_itself(array):
        raise RuntimeError(errors.OVERLAP_SELF)
    for value in others:
        if isinstance(value, Tensor) and value is not self:
            errors.check_overlap(array, value._array)


def write(self: Tensor, array: Any) -> None:
    """Write `array` through `self` and count the write."""
    cell = self._share()
    if self._array.__class__ is np.ndarray:
        np.copyto(self._array, array, casting="unsafe")
    cell.value += 1


def rebase(self: Tensor, node: Any) -> None:
    """Make `node` the history of a tensor that was just written to; see Note [Rebasing history]."""
    if "result" in node.saved:
        node.result_, node.cell, node.result_version = self._array, self._cell, self._version
    view = self._view
    if view is None or view.base is None:
        self._set_history(node)
        return
    view.base._set_history(CopySlices(view.base, self, node))
    view.refresh(self)
    if self._node is not None and "result" in node.saved:
        node.more().window = weakref.ref(self._node)


__all__ = [
    "before_write",
    "call_inplace",
    "check_inplace",
    "check_memory",
    "enter_from",
    "rebase",
    "seems_leaf",
    "write",
]
