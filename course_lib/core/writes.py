"""Writes: what happens when numbers change in place.

`x.mul_(2)`, `x[0] = 1`, `torch.exp(x, out=y)` change memory that other tensors may share and that
nodes may have saved.  So a write has four parts.  First it is refused if a gradient would be
silently wrong: a leaf, a view of one, memory in which elements overlap.  Then the numbers change.
The version goes up, so that a node that saved the old numbers notices.  Finally the write enters
the graph: the tensor, or the base of the view, becomes the output of the write's node.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core import engine
from course_lib.core.graph import Node, Window, edge, next_order
from course_lib.core.op import Op, compute, record, wants_grad
from course_lib.core.tensor import Tensor, new
from course_lib.core.views import AsStridedBackward0, View, ViewOp, replay, way
from course_lib.dtypes import dtypes, kinds
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.words import errors


def call_inplace(op: Op, *args: Any, **kwargs: Any) -> Tensor:
    """Call `x.op_(…)`: returns x, whose memory, version and history have changed."""
    values = op.signature.bind(args, kwargs)
    self = values[op.params[0]]
    given = tuple(values.values())
    recorded = bool(op.formulas) and wants_grad(op, given)
    check_inplace(self, recorded)
    check_memory(self, values.values())
    if recorded:
        for name, value in values.items():  # reported before any error that follows
            if isinstance(value, Tensor) and value._view is not None:
                edge(value)
            if isinstance(value, Tensor) and value.is_inference() and not self.is_inference():
                if saves(op, values, name):
                    raise RuntimeError(errors.INFERENCE_SAVED)
    try:
        array, mixed = compute(op, given)
    except NotImplementedError:  # what cannot be written is reported before a missing kernel
        found = [v for v in given if isinstance(v, (Tensor, *kinds.NUMBERS))]
        check_written(op, kinds.folded(found), self)
        raise
    if array.shape != self._array.shape:
        raise RuntimeError(errors.inplace_shape(self._array.shape, array.shape, op.name))
    if values.get("dtype") not in (None, self._dtype):  # `cumsum_`, say, computed in this dtype
        raise RuntimeError(errors.inplace_dtype(self._dtype, values["dtype"]))
    check_written(op, dtypes.of_numpy(array.dtype), self)
    node = record_write(op, values, mixed) if recorded else None
    return write(self, elements_of(array), node)


def check_written(op: Op, made: Any, self: Tensor) -> None:
    """Raise if results of dtype `made` cannot be written into `self`."""
    if made.category > self._dtype.category:
        raise RuntimeError(errors.cannot_hold(op.name, made, self._dtype)) from None


def saves(op: Op, values: dict[str, Any], name: str) -> bool:
    """Whether the node of this call needs the value called `name`."""
    tracked = (n for n in op.formulas if getattr(values[n], "requires_grad", False))
    return any(name in op.needs[n] for n in tracked)


def record_write(op: Op, values: dict[str, Any], mixed: bool) -> Node:
    """The node of a write that is about to happen to the first of `values`.

    If a formula needs the numbers that will be overwritten, a copy of them is saved.  Only the
    first argument is copied: in ``x.mul_(x)`` the second x is saved as it is, and backward finds
    it stale.
    """
    first = op.params[0]
    self, kept = values[first], None
    if first in op.Node.tensors:
        kept = tuple({**values, first: self.clone()}.values())
    return record(op, tuple(values.values()), [self], mixed, kept)


def write(self: Tensor, change: Callable[[Any], None], node: Node | None = None) -> Tensor:
    """Let `change` write into the memory of `self`, count the write, make `node` the history."""
    self._share()
    if self._array.__class__ is np.ndarray:
        change(self._array)
    self._bump()
    if node is not None:
        rebase(self, node)
    return self


def elements_of(array: Any) -> Callable[[Any], None]:
    """A function that copies the elements of `array` into memory, cast as C casts."""
    return lambda memory: np.copyto(memory, array, casting="unsafe")


def rebase(self: Tensor, node: Any) -> None:
    """Make `node` the history of a tensor that was just written to; see Note [Rebasing history]."""
    if "result" in node.saved:
        node.result_, node.cell, node.result_version = self._array, self._cell, self._version
    view = self._view
    if view is None or view.base is None:
        self._set_history(node)
        return
    base = view.base
    slices = CopySlices(base, self, node)
    base._set_history(slices)
    if view.origin or base._dtype is not self._dtype:
        view.refresh(self)
    else:  # what `view.refresh` would find, with the steps that are known already
        seen = new(AsStridedBackward0)
        seen.nodes, seen.numbers, seen.order = (slices,), (0,), next_order()
        seen.shape, seen.dtype, seen.extras = self._array.shape, self._dtype, None
        seen.like, seen.steps = slices.like, slices.steps
        self._set_history(seen)
        view.seen = self._cell.value
    if self._node.__class__ is AsStridedBackward0 and "result" in node.saved:
        node.more().window = weakref.ref(self._node)


class CopySlices(Node):
    """The history of a base after a write through one of its views.

    Note [Rebasing history]: ``v.mul_(2)``, where v is a view of b, changes part of b.  So b becomes
    the output of this node.  Backward copies the gradient of b.  The part that v shows goes through
    the write's own node (`inner`), whose result replaces that part.  The rest passes unchanged to
    the node that b had before.
    """

    __slots__ = ("steps", "inner", "like")
    label = "CopySlices"

    def __init__(self, base: Any, tensor: Any, inner: Node):
        before, array = base._node or edge(base), base._array
        self.nodes = (before, *inner.nodes[1:])
        self.numbers = (0 if before is None else base._output_nr, *inner.numbers[1:])
        self.order, self.shape, self.dtype, self.extras = next_order(), array.shape, base._dtype, None
        like = before.like if before.__class__ is CopySlices else None
        if like is None or like.shape != array.shape or like.strides != array.strides:
            like = base._meta()
        self.inner, self.like, self.steps = inner, like, way(base, tensor)

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        if self.inner is None:
            raise RuntimeError(errors.BACKWARD_TWICE)
        result = laid_out(grad, self.like)
        window = replay(self.steps, result)[-1]
        if self.nodes[0] is not None and layout.overlaps_itself(engine.array(window)):
            raise RuntimeError(errors.OVERLAP_SELF)
        # `inner` keeps what it saved: a second derivative may reach it as a node of its own, too.
        part, *others = engine.evaluate(self.inner, copy(window), True)
        if isinstance(window, Tensor):
            window.zero_() if part is None else window.copy_(part)
        else:
            window[...] = 0 if part is None else part
        if not keep:
            self.inner = None
        return (result, *others)


def laid_out(value: Any, like: Any) -> Any:
    """A copy of an array or a tensor in new memory, with the strides of `like`."""
    array = layout.strided(like.shape, like.strides, like.dtype)
    if layout.overlaps_itself(array):
        raise RuntimeError(errors.OVERLAP_SELF)
    if isinstance(value, Tensor):
        return Tensor._make(array, value._dtype).copy_(value)
    array[...] = value
    return array


def copy(value: Any) -> Any:
    """A copy of an array or a tensor, so that views can be taken of it."""
    return value.clone() if isinstance(value, Tensor) else layout.owned(np.array(value))


# ---- what is refused ----------------------------------------------------------------------------


def check_inplace(self: Tensor, recorded: bool) -> None:
    """Raise PyTorch's error if autograd does not allow a write into this tensor."""
    if recorded:
        check_recorded(self)
    if modes.now.before_write is not None:
        modes.now.before_write(self)


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

    A view learns of a write into its base only when its history is needed.  PyTorch's own checks
    do not look at the history, so for them such a view is still a leaf.
    """
    return self._node is None and (self._view is None or self._view.lost is None)


def check_memory(self: Tensor, others: Any, apart: bool = False) -> None:
    """Raise PyTorch's error if overlapping memory would make the order of the writes matter.

    Others may be `self` or show the very same elements, unless all have to lie `apart`.
    """
    array = self._array
    if array.__class__ is np.ndarray and layout.overlaps_itself(array):
        raise RuntimeError(errors.OVERLAP_SELF)
    if apart and any(value is self for value in others):
        raise RuntimeError(errors.OVERLAP_PARTIAL)
    if array.__class__ is not np.ndarray:
        return
    for value in others:
        if isinstance(value, Tensor) and value is not self:
            errors.check_overlap(array, value._array, apart)


# ---- view operations in place --------------------------------------------------------------------


def call_view_inplace(op: ViewOp, *args: Any, **kwargs: Any) -> Tensor:
    """Call `x.t_()` and the like: x itself gets another shape and other strides."""
    values = op.signature.bind(args, kwargs)
    self, *rest = values.values()
    given = tuple(rest)
    recorded = modes.now.grad and self.requires_grad
    check_inplace(self, recorded)
    self._share()
    [(shape, strides, offset)] = op.geometry(self._array, given)
    node = record(op, tuple(values.values()), [self]) if recorded else None
    start = offset + self._offset()
    self._array = layout.restride(self._array, shape, strides, start)
    self._bump()
    view = self._view
    if view is not None and view.base is not None:
        self._view = View(view.base, view, op, given, start)
        self._view.seen, self._view.origin = view.seen, view.origin
    elif start:
        self._view = Window(start)
    if node is not None:
        node.shape = shape
        # Not `_set_history`: a retained gradient stays what it was, of the shape from before.
        self._node, self._output_nr, self._requires_grad = node, 0, True
        if view is not None and view.base is not None:
            self._view.seen = self._cell.value
    return self


__all__ = ["CopySlices", "call_inplace", "call_view_inplace", "check_inplace", "check_memory"]
__all__ += ["elements_of", "rebase", "record_write", "seems_leaf", "write"]
