"""Two nodes for memory that is seen through views: what a write makes, and what a stale view gets.

`CopySlices` is the history of a base after a write through one of its views (`writes.py`), and
`AsStridedBackward0` that of a view whose base was written to (`View.refresh`).  Both know the way
from the base to the view: `way`.  In memory that lies row by row, as most does, what the view shows
is one window, `part_of`.
"""

from typing import Any

import numpy as np

from course_lib.core import engine
from course_lib.core.graph import Node, edge
from course_lib.core.tensor import Tensor
from course_lib.core.views import View
from course_lib.lazy import own_attribute
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray
from course_lib.words import errors

ndarray = np.ndarray


def replay(steps: list[tuple[Any, tuple]], value: Any) -> list[Any]:
    """Every stage of applying view operations to an array or a tensor, `value` first."""
    stages = [value]
    for step, args in steps:
        stages.append(step(stages[-1], *args))
    return stages


def way(base: Any, tensor: Any) -> tuple[Any, tuple]:
    """Where the part that `tensor` shows lies in memory laid out like `base`, and that layout.

    However long the chain of views was, this is one window: sizes, strides and start, in bytes.
    If the view reads the memory as another dtype (`real`, `view_as_real`), it is the chain itself.
    """
    array, seen = base._array, tensor._array
    like = (array.shape, array.dtype, array.strides)
    if base._dtype is not tensor._dtype:
        return tensor._view.steps(), like
    start = 0 if array.base is None and base._view is None else base._offset()
    return (seen.shape, seen.strides, tensor._view.offset - start), like


def steps_of(part: Any, dtype: np.dtype) -> list[tuple[Any, tuple]]:
    """The way to a part as view operations, from the base on."""
    if part.__class__ is list:
        return list(part)
    shape, strides, start = part
    steps = tuple([stride // dtype.itemsize for stride in strides])
    return [(own_attribute("as_strided").op, (shape, steps, start // dtype.itemsize))]


class AsStridedBackward0(Node):
    """The history of a rebuilt view: the gradient of a window, put back into its base."""

    __slots__ = ("way", "__weakref__")
    label = "AsStridedBackward0"

    def __init__(self, base: Any, tensor: Any, slices: Any = None):
        to = slices or edge(base)
        numbers = (base._output_nr if to else 0,)
        self.enter((to,), numbers, tensor._array.shape, tensor._dtype)
        self.way = slices.way if slices else way(base, tensor)  # the view itself was written to

    def run(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        if grad.__class__ is not ndarray:
            return self.apply(grad, keep)
        result = np.zeros(self.way[1][0], grad.dtype)
        part = part_of(self.way, result)
        if part is None:
            return self.apply(grad, keep)
        part[...] = grad
        return (result,)

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        # The adjoint of a chain of views is the chain of their adjoints, the last one first.
        part, like = self.way
        steps = steps_of(part, like[1])
        stages = replay(steps[:-1], MetaArray(*like))
        for (step, args), start in zip(reversed(steps), reversed(stages), strict=True):
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

    __slots__ = ("inner", "way")
    label = "CopySlices"

    def __init__(self, base: Any, tensor: Any, inner: Node):
        before = edge(base)
        numbers = (0 if before is None else base._output_nr, *inner.numbers[1:])
        self.enter((before, *inner.nodes[1:]), numbers, base._array.shape, base._dtype)
        self.inner, self.way = inner, way(base, tensor)

    def run(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        inner, part = self.inner, None
        if inner is not None and inner.extras is None and grad.__class__ is ndarray:
            result = np.array(grad, order="C")
            part = part_of(self.way, result)
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
        part, (shape, dtype, strides) = self.way
        result = copy_into(grad, shape, strides, dtype)
        window = replay(steps_of(part, dtype), result)[-1]
        if self.nodes[0] is not None and layout.overlaps_itself(getattr(window, "_array", window)):
            raise RuntimeError(errors.OVERLAP_SELF)
        # `inner` keeps what it saved: a second derivative may reach it as a node of its own, too.
        tensor = isinstance(window, Tensor)
        copy = window.clone() if tensor else layout.own_array(window.copy())
        part, *others = engine.evaluate(self.inner, copy, True)
        if tensor:
            window.zero_() if part is None else window.copy_(part)
        else:
            window[...] = 0 if part is None else part
        if not keep:
            self.inner = None
        return (result, *others)


def copy_into(value: Any, shape: Any, strides: Any, dtype: np.dtype) -> Any:
    """An array or a tensor, copied into new memory with these sizes and strides."""
    memory: Any = MetaArray(shape, dtype, strides)
    if getattr(value, "_array", value).__class__ is not MetaArray:
        memory = layout.strided(shape, strides, dtype, np.zeros)
    if layout.overlaps_itself(memory):
        raise RuntimeError(errors.OVERLAP_SELF)
    if isinstance(value, Tensor):
        return Tensor._make(memory, value._dtype).copy_(value)
    memory[...] = value
    return memory


# ---- the common case: arrays that lie row by row -------------------------------------------------


def part_of(way: tuple[Any, tuple], memory: Any) -> Any:
    """The part of new memory that a view shows; None if it is not one window on rows."""
    part, (_, dtype, strides) = way
    if part.__class__ is list or memory.strides != strides or memory.dtype != dtype:
        return None
    if dtype.kind == "V":
        return None
    shape, steps, start = part
    try:
        seen = ndarray(shape, dtype, memory, start, steps)
    except ValueError:  # the view reaches beyond its base
        return None
    return None if layout.overlaps_itself(seen) else seen
