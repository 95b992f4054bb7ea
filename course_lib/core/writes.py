"""Writes: what happens when numbers change in place.

`x.mul_(2)`, `x[0] = 1`, `torch.exp(x, out=y)` change memory that other tensors may share and that
nodes may have saved.  So a write has four parts.  First it is refused if a gradient would be
silently wrong: a leaf, a view of one, memory in which elements overlap.  Then the numbers change.
The version goes up, so that a node that saved the old numbers notices.  Finally the write enters
the graph: the tensor, or the base of the view, becomes the output of the write's node.
"""

import operator
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_lib.calls.rules import refuse
from course_lib.core.calls import LEAST, MOST
from course_lib.core.careful import compute, record, wants_grad
from course_lib.core.graph import Node, edge
from course_lib.core.op import NOTHING, Op
from course_lib.core.saved import NUMBER
from course_lib.core.slices import AsStridedBackward0, CopySlices
from course_lib.core.tensor import Tensor, new
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
            lost = isinstance(value, Tensor) and value.is_inference() and not self.is_inference()
            refuse(lost and saves(op, values, name), errors.INFERENCE_SAVED)
    try:
        array, mixed = compute(op, given)
    except NotImplementedError:  # what cannot be written is reported before a missing kernel
        found = [v for v in given if isinstance(v, (Tensor, *kinds.NUMBERS))]
        check_written(op, kinds.promote_all(found), self)
        raise
    shape = self._array.shape
    refuse(array.shape != shape, errors.inplace_shape, shape, array.shape, op.name)
    if values.get("dtype") not in (None, self._dtype):  # `cumsum_`, say, computed in this dtype
        raise RuntimeError(errors.inplace_dtype(self._dtype, values["dtype"]))
    check_written(op, dtypes.of_numpy(array.dtype), self)
    node = record_write(op, values, mixed) if recorded else None
    return write(self, copy_elements, node, array)


def check_written(op: Op, made: Any, self: Tensor) -> None:
    """Raise if results of dtype `made` cannot be written into `self`."""
    if made.category > self._dtype.category:
        says = errors.HIGHER.get(op.name, errors.cannot_cast)
        raise RuntimeError(says(made=made, given=self._dtype, wanted=self._dtype)) from None


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
    if first in op.Node._tensors:
        kept = tuple({**values, first: self.clone()}.values())
    return record(op, tuple(values.values()), [self], mixed, kept)


def write(self: Tensor, change: Callable, node: Node | None = None, value: Any = None) -> Tensor:
    """Write into the memory of `self`, count the write, make `node` the history.

    ``change(memory)``, or ``change(memory, value)``, does it, quietly: Note [Quiet kernels].
    """
    if self._cell is None or self._array.__class__ is not np.ndarray:
        self._share()
    memory, quiet = self._array, modes.now.quiet
    if memory.__class__ is np.ndarray:
        quiet(change, memory) if value is None else quiet(change, memory, value)
    self._cell.bump() if self._extras is None else self._bump()
    if node is not None:
        rebase(self, node)
    return self


def rebase(self: Tensor, node: Any) -> None:
    """Make `node` the history of a tensor that was just written to; see Note [Rebasing history]."""
    if "result" in node.saved:
        node.result_, node.cell, node.result_version = self._array, self._cell, self._version
    view = self._view
    if view is None or view.base is None:
        self._set_history(node)
        return
    slices = CopySlices(view.base, self, node)
    view.base._set_history(slices)
    if view.origin or view.base._dtype is not self._dtype:
        view.refresh(self)
    else:  # what `refresh` would find, without looking for the way again
        self._set_history(AsStridedBackward0(view.base, self, slices))
        view.seen = self._cell.value
    if self._node.__class__ is AsStridedBackward0 and "result" in node.saved:
        node.more().window = weakref.ref(self._node)


# ---- the common case: a number, or a tensor of the same floating dtype --------------------------


def writing(op: Op, careful: Callable, fits: Any = None, alone: bool = False) -> Callable:
    """The in-place call of an operation: `mul_`, `+=`; with `fits` or `alone`, `copy_` or `zero_`.

    `fits(memory, array)`: what is written has to fit; `alone`: no gradient goes to what is written.
    Whatever is not common goes to `careful`, before anything is written.
    """
    puts = fits is not None or alone
    change: Any = np.copyto if puts else WRITES.get(op.plain) or by_kernel(op)
    record = of_write(op, alone, puts)
    if record is None:
        return careful

    def run(self: Any = NOTHING, other: Any = NOTHING, /, *rest: Any, **named: Any) -> Any:
        if rest or named or other is NOTHING:
            return careful(*[v for v in (self, other) if v is not NOTHING], *rest, **named)
        now, tracked, node = modes.now, False, None
        number = other.__class__ is float or (other.__class__ is int and LEAST <= other < MOST)
        if not writable(self, now) or (number and fits is not None):
            return careful(self, other)
        if not number and not (isinstance(other, Tensor) and readable(other, self)):
            return careful(self, other)
        right = other if number else other._array
        if fits is not None and not fits(self._array, right):
            return careful(self, other)
        if now.grad:
            if not number:
                tracked = other._requires_grad if other._view is None else other.requires_grad
            if tracked or self._node is not None:
                node = record(self, other, edge(other) if tracked else None)
                if node is None:
                    return careful(self, other)
        try:
            return write(self, change, node, right)
        except Exception:  # of NumPy, which looks at shapes before it writes: nothing has happened
            pass
        return careful(self, other)  # after the handler: raises what there is to raise

    return run


copy_elements = partial(np.copyto, casting="unsafe")  # into memory, cast as C casts
WRITES = {getattr(operator, n): getattr(operator, f"i{n}") for n in "add sub mul truediv".split()}


def by_kernel(op: Op) -> Callable:
    """How to write the result of a kernel over its first argument."""

    def change(memory: Any, other: Any) -> None:
        array = op.kernel(memory, other)
        if array.shape != memory.shape:
            raise ValueError(array.shape)
        memory[...] = array

    return change


def of_write(op: Op, alone: bool, puts: bool) -> Callable | None:
    """How `writing` makes a node; None if that needs the numbers that are overwritten.

    What makes the node gives None, too, if this call needs them.
    """
    Node: Any = op.Node
    needs = [op.needs.get(name, ()) for name in ("self", "other")]
    saves = {*needs[0], *needs[1]}
    if not puts and (len(op.formulas) != 2 or "self" in needs[0] or "result" in saves):
        return None
    if not saves <= {"self", "other", *op.signature.defaults}:
        return None
    keeps_self, keeps_other = "self" in needs[1], "other" in saves
    constants = [(f"{n}_", v) for n, v in op.signature.defaults.items() if n in saves]
    always = "other" in needs[0] or "other" in op.always

    def record(self: Any, other: Any, second: Any) -> Any:
        first = self._node
        if second is None:
            if isinstance(other, Tensor) and other._requires_grad:
                return None
        elif keeps_self:
            return None
        node: Any = new(Node)
        one, two = self._output_nr, 0 if second is None else other._output_nr
        numbers = (one, two) if one or two else (0, 0)
        nodes, numbers = ((first,), numbers[:1]) if alone else ((first, second), numbers)
        node.enter(nodes, numbers, self._array.shape, self._dtype)
        if keeps_self:
            node.self_, node.self_version = None, NUMBER
        if keeps_other:
            kept = always and first is not None
            node.other_ = other if kept else None
            node.other_version = NUMBER
            if kept and isinstance(other, Tensor):
                node.other_version = 0 if other._cell is None else other._cell.value
        for slot, value in constants:
            setattr(node, slot, value)
        return node

    return record


def writable(self: Any, now: Any) -> bool:
    """Whether a write into this tensor is a common one, as far as the tensor is concerned."""
    if not isinstance(self, Tensor) or now.special or now.before_write is not None:
        return False
    array, extras, view = self._array, self._extras, self._view
    if not self._dtype.plain or array.__class__ is not np.ndarray:
        return False
    if extras is not None and (extras.inference or extras.retains):
        return False
    if array.base is not None and not array.flags.c_contiguous and layout.overlaps_itself(array):
        return False
    if not now.grad:
        return True
    if view is None or view.base is None:
        return self._node is not None or not self._requires_grad  # else a leaf: refused
    base = view.base
    if view.origin or base._dtype is not self._dtype:
        return False
    if not base._requires_grad:
        return not self._requires_grad
    if base._node is None or self._node is None or (base._extras and base._extras.retains):
        return False  # a view of a leaf: refused
    view.refresh(self)
    return True


def readable(other: Any, self: Any) -> bool:
    """Whether the elements of `other`, of the same dtype, can be read while `self` is written."""
    if other._dtype is not self._dtype or other is self:
        return False
    right, extras = other._array, other._extras
    if right.__class__ is not np.ndarray and not isinstance(right, np.generic):
        return False
    if extras is not None and extras.inference:
        return False
    if other._cell is not None and other._cell is self._cell:
        mine, its = self._view, other._view
        if mine is None or its is None or mine.base is not its.base:
            return False
        return are_disjoint(self._array, mine.offset, right, its.offset)
    return right.base is None or right.base is not self._array.base


def are_disjoint(one: Any, start: int, other: Any, its_start: int) -> bool:
    """Whether two arrays are equal or disjoint, given the byte offsets of their starts."""
    if start == its_start:
        return bool(one.shape == other.shape and one.strides == other.strides)
    if not (one.flags.c_contiguous and other.flags.c_contiguous):
        return False
    return start + one.nbytes <= its_start or its_start + other.nbytes <= start


# ---- what is refused ----------------------------------------------------------------------------


def check_inplace(self: Tensor, recorded: bool) -> None:
    """Raise PyTorch's error if autograd does not allow a write into this tensor."""
    view = self._view
    if recorded and view is not None and view.base is not None:
        if view.origin:
            raise RuntimeError(errors.forbidden_view(view, self, self._node or view.lost))
        refuse(self.requires_grad and view.base.is_leaf, errors.VIEW_OF_LEAF)
    refuse(recorded and self.requires_grad and seems_leaf(self), errors.LEAF_INPLACE)
    if modes.now.before_write is not None:
        modes.now.before_write(self)


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
    several = array.__class__ is np.ndarray and layout.overlaps_itself(array)
    refuse(several, errors.OVERLAP_SELF)
    for value in others:
        bad = apart
        if value is not self:
            bad = isinstance(value, Tensor) and layout.overlap(array, value._array, apart)
        refuse(bad, errors.OVERLAP_PARTIAL)
