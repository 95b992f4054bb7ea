"""The backward graph: nodes, their edges, versions of memory.

    a = b * c              a._node ── MulBackward0 ──► (node of b, node of c)

A node is one application of an operation, run backwards: it takes the gradient of the operation's
output and gives the gradient of each input.  Its edges (`nodes` and `numbers`) lead to the nodes
of those inputs; a leaf that requires grad has an `AccumulateGrad` node, a constant has None.
"""

import itertools
import sys
import weakref
from typing import Any

from course_lib.calls.rules import refuse, refuse_type
from course_lib.memory.heap import free_step_by_step
from course_lib.words import errors

next_order = itertools.count().__next__  # nodes are numbered as they are made


class Version:
    """The number of in-place writes into one piece of memory.

    Note [Saved versions]: a tensor, its views and its `detach()` share one cell, so all of them
    see a write through any of them.  `.data` gets its own cell: that is why a write through it
    goes unnoticed.  The cell is made when first needed (`Tensor._share`); until then the version
    is 0.  A node that saves a tensor stores the version next to it.  If the version has changed by
    the time the value is needed, the gradient would be wrong, so backward raises an error instead.
    """

    __slots__ = ("value",)
    detached = False  # whether `detach_()` was called on a tensor that has this cell

    def __init__(self, value: int = 0):
        self.value = value

    def bump(self) -> None:
        """Count a write.  All code that changes memory calls this; nothing else counts writes."""
        self.value += 1


class Window:
    """Where a tensor begins in its storage: `offset` bytes after the start.

    `View` (`core/views.py`) adds the history that a differentiable view shares with its base.
    """

    __slots__ = ("offset",)
    base: Any = None  # the tensor that this is a differentiable view of
    leaf = True  # whether the tensor may have an AccumulateGrad
    lost: Any = None  # the node of a view whose history is lost: see `refuse`
    seen: Any = None  # the version at which the tensor's node was last known to be right

    def __init__(self, offset: int):
        self.offset = offset

    def tracks(self, tensor: Any) -> bool:
        """Whether operations on the tensor are recorded."""
        return tensor._requires_grad

    def refresh(self, tensor: Any) -> None:
        """Rebuild the tensor's node if `base` was written to."""

    def refuse(self, tensor: Any) -> None:
        """Raise if the tensor's history is lost; see `View.refuse`."""


# ---- nodes ---------------------------------------------------------------------------------------


class Node:
    """One application of an operation, in the backward graph."""

    __slots__ = ("nodes", "numbers", "order", "_shape", "_dtype", "extras")
    nodes: tuple[Any, ...]  # the next node of each input, or None
    numbers: tuple[int, ...]  # which output of that node the input was
    order: int
    _shape: Any  # of the output; a list of shapes if the operation can have several
    _dtype: Any
    extras: Any  # hooks and other rare things, or None: declare/extras.py

    label = "Node"
    saved: tuple[str, ...] = ()  # what backward frees
    runs_on_nothing = False  # whether it runs even if no gradient arrived

    if sys.platform == "emscripten":
        __del__ = free_step_by_step  # Note [Long chains]

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        """The gradients of the inputs, one (or None) per edge.

        `grad` is an array or a tensor (a list of them if `shape` is a list).  Saved values are
        forgotten afterwards unless `keep`.
        """
        raise NotImplementedError(self.label)

    @property
    def outputs(self) -> int:
        """How many outputs the operation had."""
        return len(self._shape) if isinstance(self._shape, list) else 1

    def name(self) -> str:
        """The node's name as PyTorch prints it."""
        own = self.label in ("AccumulateGrad", "CopySlices", "NotImplemented")
        return f"torch::autograd::{self.label}" if own else self.label

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """One `(node, output number)` per input; `(None, 0)` for an input without history."""
        return tuple(zip(self.nodes, self.numbers, strict=True))

    def enter(self, nodes: tuple, numbers: tuple, shape: Any, dtype: Any) -> None:
        """Enter the graph with these edges.  All nodes do so here, and are numbered here."""
        self.nodes, self.numbers, self.order = nodes, numbers, next_order()
        self._shape, self._dtype, self.extras = shape, dtype, None

    def run(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        """`apply` for an array; nodes of most operations have a shorter way: `saved.py`."""
        return self.apply(grad, keep)

    make_extras: Any = None  # set by declare/extras.py

    def more(self) -> Any:
        """The rarely used part, made on first use."""
        if self.extras is None:
            self.extras = Node.make_extras()
        return self.extras

    def __repr__(self) -> str:
        return f"<{self.label} object at {id(self):#x}>"


class AccumulateGrad(Node):
    """The end of an edge: adds what arrives to the `.grad` of its leaf.

    It holds the leaf; the leaf holds it weakly.  So it lives as long as some graph leads to it,
    and the two form no reference cycle.
    """

    __slots__ = ("variable", "writes", "__weakref__")
    label = "AccumulateGrad"
    nodes = numbers = ()
    runs_on_nothing = True  # for the hooks
    order = 1 << 62  # leaves run first, so that hooks fire in PyTorch's order

    def __init__(self, variable: Any):
        self.variable = variable
        self.writes: int | None = None  # set by the engine: Note [Gradients in place]
        self._shape, self._dtype, self.extras = variable._array.shape, variable._dtype, None

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        variable = self.variable
        if variable._node is not None or (variable._view is not None and variable.grad_fn):
            raise RuntimeError(errors.LEAF_MOVED)
        if variable._requires_grad and grad is not None:
            if grad.dtype is not self._dtype._numpy and not is_tensor(grad):
                grad = grad.astype(self._dtype.numpy)  # the leaf's data has been replaced since
            variable._accumulate(grad, self._dtype, self.writes)
        if hooks := variable._extras.post_accumulate:
            answer = variable
            for hook in list(hooks.values()):  # also called if the leaf stopped requiring grad
                new = hook(answer)
                answer = answer if new is None else check_hook(new, answer, hook)
            if answer is not variable:
                raise RuntimeError(errors.POST_HOOK_RESULT)
        return ()

    run = apply


def edge(tensor: Any) -> Any:
    """The node that a gradient for `tensor` goes to; None if it needs none."""
    view, node = tensor._view, tensor._node
    if view is not None:
        view.refresh(tensor)
        node = tensor._node
    if node is not None or not tensor._requires_grad:
        return node
    if view is not None:
        view.refuse(tensor)
        if not view.leaf:
            return None
    more = tensor._extras or tensor._more()
    node = more.accumulator and more.accumulator()
    if node is None:
        node = AccumulateGrad(tensor)
        more.accumulator = weakref.ref(node)
        if more.hooks:
            node.more().tensor[0] = more.hooks
    return node


def is_tensor(grad: Any) -> bool:
    """Whether a gradient (of a list: the first that is not None) is a tensor, not an array."""
    if isinstance(grad, list):
        grad = next((g for g in grad if g is not None), None)
    return hasattr(grad, "_requires_grad")


def check_hook(new: Any, old: Any, hook: Any) -> Any:
    """The gradient that a hook returned; raises if it cannot replace the one that the hook got."""
    name = getattr(hook, "__name__", type(hook).__name__)
    refuse(old is None, errors.HOOK_OF_NOTHING)
    refuse_type(not hasattr(new, "_requires_grad"), errors.hook_type, "Variable", new)
    refuse(new._array.shape != old._array.shape, errors.hook_size, name)
    if new._dtype is not old._dtype:
        raise RuntimeError(errors.hook_dtype(name=name, old=old._dtype, new=new._dtype))
    return new
