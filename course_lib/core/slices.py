"""Two nodes for memory that is seen through views: what a write makes, and what a stale view gets.

`CopySlices` is the history of a base after a write through one of its views (`writes.py`), and
`AsStridedBackward0` that of a view whose base was written to (`View.refresh`).  Both know the way
from the base to the view.  On arrays that lie row by row, which most do, this is one window on
memory: `spot`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core import engine
from course_lib.core.graph import Node, edge
from course_lib.core.tensor import Tensor
from course_lib.core.views import View
from course_lib.lazy import attached
from course_lib.memory import layout
from course_lib.words import errors

ndarray = np.ndarray


def replay(steps: list[tuple[Any, tuple]], value: Any) -> list[Any]:
    """Every stage of applying view operations to an array or a tensor, `value` first."""
    stages = [value]
    for step, args in steps:
        stages.append(step(stages[-1], *args))
    return stages


def way(base: Any, tensor: Any) -> list[tuple[Any, tuple]]:
    """The steps that take from memory laid out like `base` the part that `tensor` shows.

    This is one step, by sizes and strides, however long the chain of views was.  If the view reads
    the memory as another dtype (`real`, `view_as_real`), it is the chain itself.
    """
    if base._dtype is not tensor._dtype:
        return tensor._view.steps()
    array, start = tensor._array, tensor._view.offset - base._offset()
    itemsize = base._dtype.itemsize
    steps = tuple([stride // itemsize for stride in array.strides])
    return [(attached("as_strided").op, (array.shape, steps, start // itemsize))]


class AsStridedBackward0(Node):
    """The history of a rebuilt view: the gradient of a window, put back into its base."""

    __slots__ = ("steps", "like", "__weakref__")
    label = "AsStridedBackward0"

    def __init__(self, base: Any, tensor: Any, slices: Any = None):
        self.link((base,), tensor._array.shape, tensor._dtype)
        if slices is None:
            self.like, self.steps = base._meta(), way(base, tensor)
        else:  # this very view was written to
            self.like, self.steps = slices.like, slices.steps

    def run(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        if grad.__class__ is not ndarray:
            return self.apply(grad, keep)
        result = np.zeros(self.like.shape, grad.dtype)
        part = part_of(self, result)
        if part is None:
            return self.apply(grad, keep)
        part[...] = grad
        return (result,)

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        # The adjoint of a chain of views is the chain of their adjoints, the last one first.
        stages = replay(self.steps[:-1], self.like)
        for (step, args), start in zip(reversed(self.steps), reversed(stages), strict=True):
            grad = step.pull_back(grad, start, args)
        return (grad,)


View.rebuilt = AsStridedBackward0  # `ops/shape/complex_views.py` adds what changes the dtype


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
        before = edge(base)
        numbers = (0 if before is None else base._output_nr, *inner.numbers[1:])
        self.enter((before, *inner.nodes[1:]), numbers, base._array.shape, base._dtype)
        self.inner, self.like, self.steps = inner, base._meta(), way(base, tensor)

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def run(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        inner, part = self.inner, None
        if inner is not None and inner.extras is None and grad.__class__ is ndarray:
            result = np.array(grad, order="C")
            part = part_of(self, result)
        if part is None:
            return self.apply(grad, keep)
        found, *others = inner.run(part.copy("C"), True)
        part[...] = 0 if found is None else found
        if not keep:
            self.inner = None
        return (result, *others)

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        if self.inner is None:
            raise RuntimeError(errors.BACKWARD_TWICE)
        result = laid_out(grad, self.like)
        window = replay(self.steps, result)[-1]
        if self.nodes[0] is not None and layout.overlaps_itself(getattr(window, "_array", window)):
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


# ---- the common case: arrays that lie row by row -------------------------------------------------


def part_of(node: Any, memory: Any) -> Any:
    """The part of row-major memory that the node's view shows; None if it is not one window."""
    (step, args), like = node.steps[0], node.like
    if len(node.steps) > 1 or step.name != "as_strided" or not layout.lies_in_rows(like):
        return None
    if memory.dtype != like.dtype or like.dtype.kind == "V":
        return None
    shape, steps, start = args
    itemsize = like.itemsize
    strides = tuple([step * itemsize for step in steps])
    try:
        part = ndarray(shape, like.dtype, memory, start * itemsize, strides)
    except ValueError:  # the view reaches beyond its base
        return None
    return None if layout.overlaps_itself(part) else part
