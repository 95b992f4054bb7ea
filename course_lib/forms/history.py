"""The history of views: what a write through one view changes, and how the others notice.

Four sentences hold it all.  A view knows its base and the steps from there.  A write through a
view makes the *base* the output of a new node (`CopySlices`).  The shared version number tells
every view that this happened.  A view whose number is old replaces its own node by a window on the
base (`AsStridedBackward0`) when it is next asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core import engine
from course_lib.core.graph import Node, Window, edge, next_order
from course_lib.core.tensor import Tensor
from course_lib.facts import errors, layout
from course_lib.facts.dtypes import FLOATING
from course_lib.facts.later import attached
from course_lib.forms.extras import array_of


class View(Window):
    """How a tensor came to be a window on the memory of `base`.

    `base` is never itself a view; following `parent` gives the steps from base to here.  `seen`
    is the version at which the tensor's node was last right.  `origin` ("no_grad", "many", "") says
    why writing through the view is refused, if it is.  `leaf`: the user called `requires_grad_` on
    the view itself; one that only looks tracked because its base is has no node to send to.
    """

    __slots__ = ("base", "parent", "step", "args", "seen", "origin", "leaf", "lost")  # type: ignore[misc]

    def __init__(self, base: Any, parent: View | None, step: Any, args: tuple, offset: int):
        self.base, self.parent, self.step, self.args = base, parent, step, args
        self.offset, self.seen, self.origin, self.leaf = offset, 0, "", False
        self.lost: Any = None  # the node of a view that `refuse` is about

    def steps(self) -> list[tuple[Any, tuple]]:
        """The view operations that lead from the base to this view, in order."""
        steps = []
        view: View | None = self
        while view is not None:
            steps.append((view.step, view.args))
            view = view.parent
        return steps[::-1]

    def refresh(self, tensor: Any) -> None:
        """Make the history of a view right again after somebody wrote into its base.

        Note [Rebuilding a stale view]: a write through one view changes the history of the base
        and of every other view.  They are not searched for; each notices, when its history is
        asked for, that the version has moved on since `seen`, and is then what it is: a window on
        the base.
        """
        base, version, node = self.base, tensor._cell.value, tensor._node
        if node is not None and self.seen == version:
            return  # it is right as it is, and tracked
        tracked = base._requires_grad and tensor._dtype.category >= FLOATING
        if self.seen != version and (tracked or node is not None):
            if self.origin:  # not an error before somebody asks for the node: `refuse`
                self.lost, tensor._node = node or self.lost, None
            else:
                self.seen = version
                tensor._set_history(AsStridedBackward0(base, tensor))
        tensor._requires_grad = self.tracks(tensor)

    def tracks(self, tensor: Any) -> bool:
        """Whether operations on the view are recorded: its base may have begun to be after it."""
        if tensor._node is not None or self.lost is not None or self.leaf:
            return True
        return self.base._requires_grad and tensor._dtype.category >= FLOATING

    def refuse(self, tensor: Any) -> None:
        """Raise if the view's history cannot be made right again; call after `refresh`."""
        if not self.origin or self.seen == tensor._cell.value:
            return
        if self.lost is not None or self.base._requires_grad:
            raise RuntimeError(errors.forbidden_view(self, tensor, self.lost, indirect=True))


def replay(steps: list[tuple[Any, tuple]], value: Any) -> list[Any]:
    """Apply view operations to an array or a tensor; gives every stage, `value` first."""
    stages = [value]
    for step, args in steps:
        stages.append(step(stages[-1], *args))
    return stages


def way(base: Any, tensor: Any) -> list[tuple[Any, tuple]]:
    """How to find in memory laid out as that of `base` what `tensor` shows of `base`.

    One step, by sizes and strides, however long the chain of views was; unless the view reads the
    memory as another dtype (`real`, `view_as_real`): then the chain itself.
    """
    if base._dtype is not tensor._dtype:
        return tensor._view.steps()
    array, start = tensor._array, tensor._view.offset - base._offset()
    return [one_step(base._dtype.itemsize, array.shape, array.strides, start)]


def one_step(itemsize: int, shape: Any, strides: Any, start: int) -> tuple[Any, tuple]:
    """`as_strided` to a place given in bytes."""
    steps = tuple(stride // itemsize for stride in strides)
    return attached("as_strided").op, (shape, steps, start // itemsize)


def spot(base: Any, tensor: Any) -> tuple[Any, ...] | None:
    """Shape, strides and start, in bytes, of what `tensor` shows of `base`.

    None unless the elements of `base` lie row by row and `tensor` shows each at most once: then
    backward of the nodes below on arrays is an assignment to a window.
    """
    array, whole, view = tensor._array, base._array, tensor._view
    if base._dtype is not tensor._dtype or not (whole.__class__ is array.__class__ is np.ndarray):
        return None
    shape, strides, start = array.shape, array.strides, view.offset - base._offset()
    reach = 0  # bytes from the first element to the last
    for stride, size in sorted(zip(strides, shape)):
        if size > 1:
            if stride <= reach:
                return None
            reach += stride * (size - 1)
    if not 0 <= start <= whole.nbytes - whole.itemsize - reach or not whole.flags.c_contiguous:
        return None
    if whole.dtype.kind == "V":  # bfloat16 has no buffer protocol
        return None
    return shape, strides, start


class AsStridedBackward0(Node):
    """The history of a rebuilt view: the gradient of a window, put back into its base."""

    __slots__ = ("steps", "like", "spot", "__weakref__")
    label = "AsStridedBackward0"

    def __init__(self, base: Any, tensor: Any):
        self.nodes, self.numbers = (edge(base),), (base._output_nr,)
        self.order = next_order()
        self.shape, self.dtype, self.extras = tensor._array.shape, tensor._dtype, None
        self.like, self.spot = base._meta(), spot(base, tensor)
        self.steps = way(base, tensor) if self.spot is None else ()

    def run(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        if self.spot is None:
            return self.apply(grad, keep)
        shape, strides, start = self.spot
        result = np.zeros(self.like.shape, grad.dtype)
        np.ndarray(shape, grad.dtype, result, start, strides)[...] = grad
        return (result,)

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        # The adjoint of a chain of views is the chain of their adjoints, last one first.
        steps = self.steps or [one_step(self.like.itemsize, *self.spot)]
        stages = replay(steps[:-1], self.like)
        for (step, args), start in zip(reversed(steps), reversed(stages), strict=True):
            grad = step.pull_back(grad, start, args)
        return (grad,)


class CopySlices(Node):
    """The history of a base after a write through one of its views.

    Note [Rebasing history]: ``v.mul_(2)``, v a view of b, changes part of b.  So b becomes the
    output of this node.  Backward: the gradient of b is copied; the part seen through v goes
    through the write's own node (`inner`) and its result replaces that part; all the rest passes
    unchanged to the b of before.
    """

    __slots__ = ("steps", "inner", "like", "spot")
    label = "CopySlices"

    def __init__(self, base: Any, tensor: Any, inner: Node):
        before = edge(base)
        self.nodes = (before, *inner.nodes[1:])
        self.numbers = (base._output_nr if before else 0, *inner.numbers[1:])
        self.order = next_order()
        self.shape, self.dtype, self.extras = base._array.shape, base._dtype, None
        self.inner, self.like, self.spot = inner, base._meta(), spot(base, tensor)
        self.steps = way(base, tensor) if self.spot is None else ()

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def run(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        inner = self.inner
        if self.spot is None or inner is None or inner.extras is not None:
            return self.apply(grad, keep)
        shape, strides, start = self.spot
        result = np.array(grad, self.like.dtype, order="C")
        window = np.ndarray(shape, result.dtype, result, start, strides)
        part, *others = inner.run(window.copy("C"), keep)
        window[...] = 0 if part is None else part
        if not keep:
            self.inner = None
        return (result, *others)

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        if self.inner is None:
            raise RuntimeError(errors.BACKWARD_TWICE)
        result = laid_out(grad, self.like)
        steps = self.steps or [one_step(self.like.itemsize, *self.spot)]
        window = replay(steps, result)[-1]
        part, *others = engine.evaluate(self.inner, copy(window), keep)
        write(window, part)
        if not keep:
            self.inner = None
        return (result, *others)


def laid_out(value: Any, like: Any) -> Any:
    """A copy of an array or a tensor in memory of its own, with the strides of `like`."""
    array = layout.strided(like.shape, like.strides, like.dtype)
    if layout.overlaps_itself(array):
        raise RuntimeError(errors.OVERLAP_SELF)
    if isinstance(value, Tensor):
        return Tensor._make(array, value._dtype).copy_(value)  # type: ignore[attr-defined]
    array[...] = value
    return array


def copy(value: Any) -> Any:
    """A copy of an array or a tensor, of which views can be taken."""
    return value.clone() if isinstance(value, Tensor) else layout.owned(np.array(value))


def write(window: Any, part: Any) -> None:
    """Put `part` (None: zeros) into a window of an array or a tensor."""
    if layout.overlaps_itself(array_of(window)):
        raise RuntimeError(errors.OVERLAP_SELF)
    if isinstance(window, Tensor):
        window.zero_() if part is None else window.copy_(part)
    else:
        window[...] = 0 if part is None else part
