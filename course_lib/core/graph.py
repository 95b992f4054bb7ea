"""The backward graph: nodes, the values they saved, versions, views.

    a = b * c              a._node ── MulBackward0 ──► (node of b, node of c)

A node is one application of an operation, run backwards: it takes the gradient of the operation's
output and gives the gradient of each input.  Its edges (`nodes` and `numbers`) lead to the nodes
of those inputs; a leaf that requires grad has an `AccumulateGrad` node, a constant has None.
"""

from __future__ import annotations

import itertools
import sys
import weakref
from typing import Any

from course_lib.dtypes.dtypes import FLOATING
from course_lib.memory.heap import free_step_by_step
from course_lib.modes import modes
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

    def bump(self, writes: int = 1) -> None:
        """Count writes.  All code that changes memory calls this; nothing else counts writes."""
        self.value += writes


class Window:
    """Where a tensor begins in its storage: `offset` bytes after the start.

    `View` (`core/views.py`) adds the history that a differentiable view shares with its base.
    """

    __slots__ = ("offset",)
    base: Any = None  # the tensor that this is a differentiable view of
    leaf = True  # whether the tensor may have an AccumulateGrad
    lost: Any = None  # the node of a view whose history is lost: see `refuse`

    def tracks(self, tensor: Any) -> bool:
        """Whether operations on the tensor are recorded."""
        return tensor._requires_grad

    def refuse(self, tensor: Any) -> None:
        """Raise if the tensor's history is lost; see `View.refuse`."""

    def __init__(self, offset: int):
        self.offset = offset

    def refresh(self, tensor: Any) -> None:
        """Rebuild the tensor's node if `base` was written to."""


# ---- nodes ---------------------------------------------------------------------------------------


class Node:
    """One application of an operation, in the backward graph."""

    __slots__ = ("nodes", "numbers", "order", "shape", "dtype", "extras")
    nodes: tuple[Any, ...]  # the next node of each input, or None
    numbers: tuple[int, ...]  # which output of that node the input was
    order: int
    shape: Any  # of the output; a list of shapes if the operation can have several
    dtype: Any
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
        return len(self.shape) if isinstance(self.shape, list) else 1

    def name(self) -> str:
        """The node's name as PyTorch prints it."""
        return self.label

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """One `(node, output number)` per input; `(None, 0)` for an input without history."""
        return tuple(zip(self.nodes, self.numbers, strict=True))

    def link(self, inputs: Any, shape: Any = (), dtype: Any = None) -> None:
        """Enter the graph: an edge to where each input (a tensor, or None) comes from."""
        self.nodes = tuple([None if t is None else edge(t) for t in inputs])
        numbers = [t._output_nr if node else 0 for node, t in zip(self.nodes, inputs, strict=True)]
        self.numbers, self.order = tuple(numbers), next_order()
        self.shape, self.dtype, self.extras = shape, dtype, None

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
        self.shape, self.dtype, self.extras = variable._array.shape, variable._dtype, None

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        variable = self.variable
        if variable._node is not None or (variable._view is not None and variable.grad_fn):
            raise RuntimeError(errors.LEAF_MOVED)
        if variable._requires_grad and grad is not None:
            if grad.dtype is not self.dtype._numpy and not is_tensor(grad):
                grad = grad.astype(self.dtype.numpy)  # the leaf's data has been replaced since
            variable._accumulate(grad, self.writes)
        if hooks := variable._extras.post_accumulate:
            answer = variable
            for hook in list(hooks.values()):  # also called if the leaf stopped requiring grad
                new = hook(answer)
                answer = answer if new is None else errors.check_hook(new, answer, hook)
            if answer is not variable:
                raise RuntimeError(errors.POST_HOOK_RESULT)
        return ()


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
    node = more.accumulator()
    if node is None:
        node = AccumulateGrad(tensor)
        more.accumulator = weakref.ref(node)
        if more.hooks:
            node.more().tensor[0] = more.hooks
    return node


# ---- the nodes of declared operations ------------------------------------------------------------


class _Freed:
    """Replaces a freed saved tensor: every version check fails on it."""

    _view = None

    class _cell:
        value = -2


FREED = _Freed()
PACKED = -3  # the "version" of a value that `saved_tensors_hooks` have replaced


class OpNode(Node):
    """A node of a declared operation; `Op` makes a subclass for each (`MulBackward0`).

    Slots of a subclass: ``<name>_`` for each saved name, ``<name>_version`` if it is a tensor.
    A saved input is the tensor itself.  A saved `result` is only the array: the result holds this
    node, so holding the tensor here would be a reference cycle.  Its version cell is in `cell`.
    """

    __slots__ = ("self_", "self_version", "other_", "other_version")
    __slots__ += ("result_", "result_version", "cell", "self_shape_")
    op: Any  # the declaration
    needs: dict[str, tuple[str, ...]] = {}  # per formula, the names it needs
    tensors: tuple[str, ...] = ()  # the saved names that are tensors

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        op = self.op
        gives_tensors = is_tensor(grad)
        # Note [Complex gradients]: PyTorch's gradient of a complex z is the conjugate of df/dz.
        # So for a holomorphic operation the formula for real numbers is right if it is applied
        # to the conjugates of what was saved; `abs`, `real` and the like have their own formulas.
        results: list[Any] = []
        values = {name: self.unpack(name, gives_tensors) for name in self.saved}
        if op.holomorphic and self.dtype.is_complex:
            values = {name: conjugated(value) for name, value in values.items()}
        for index, (name, names) in enumerate(self.needs.items()):
            if name not in op.lists and self.nodes[index] is None:
                results.append(None)
                continue
            given = {n: values[n] for n in names}
            for word in op.gradients[name]:
                given[word] = grad[0] if word == "grad" and isinstance(grad, list) else grad
            result = op.formulas[name](**given)
            results.extend(result) if name in op.lists else results.append(result)
        if not keep:
            self.release()
        return tuple(results)

    def unpack(self, name: str, as_tensor: bool = True) -> Any:
        """A saved value, its version checked: a tensor with its history, or just its array."""
        value = getattr(self, name + "_")
        if name not in self.tensors or (value is None and name != "result"):
            return value
        version = getattr(self, name + "_version")
        if version == PACKED and value is not None:
            packed, unhook = value
            value = unhook(packed)
            if not is_tensor(value):
                raise TypeError(errors.unpacked_not_tensor(value))
            return self.again(value, name) if self.gave(name, value) else value
        if name == "result":
            cell = self.cell
            if value is None or (cell is not None and cell.value != version):
                raise stale(self, name)
            return self.op.reattach(self.maker(), value, cell, self.dtype) if as_tensor else value
        if version < 0:  # a Python number
            return value
        cell = value._cell
        if cell is not None and (cell.value != version or (cell.detached and cut(self, name))):
            raise stale(self, name)
        if not as_tensor:
            return value._array
        return self.again(value, name) if self.gave(name, value) else value

    def maker(self) -> Node:
        """The node that the result has: its view's, if it was written into one that still is."""
        window = None if self.extras is None else self.extras.window
        return self if window is None else window() or self

    def gave(self, name: str, value: Any) -> bool:
        """Whether a saved value is an output of this node, which has a gradient."""
        return name == "result" or (name in self.op.returns and value._dtype.category >= FLOATING)

    def again(self, value: Any, name: str) -> Any:
        """A saved output, with its place in the graph."""
        number = self.op.returns.index(name) if name in self.op.returns else 0
        return self.op.reattach(self, value._array, value._cell, value._dtype, number)

    def release(self) -> None:
        """Forget the saved tensors; reading them is an error from now on."""
        for name in self.tensors:
            if name == "result":
                self.result_, self.cell = None, FREED._cell
            elif getattr(self, name + "_") is not None:
                setattr(self, name + "_", FREED)
                setattr(self, name + "_version", 0)


def conjugated(value: Any) -> Any:
    """The conjugate of a tensor, an array or a complex number; any other value itself."""
    if isinstance(value, complex):
        return value.conjugate()
    return value.conj() if hasattr(value, "conj") else value


def is_tensor(grad: Any) -> bool:
    """Whether a gradient (of a list: the first that is not None) is a tensor, not an array."""
    if isinstance(grad, list):
        grad = next((g for g in grad if g is not None), None)
    return hasattr(grad, "_requires_grad")


def cut(node: OpNode, name: str) -> bool:
    """Whether a saved argument had a history and lost it to `detach_()`."""
    before = dict(zip(node.needs, node.nodes)).get(name)
    if before is None or isinstance(before, AccumulateGrad):
        return False
    return getattr(node, name + "_").grad_fn is None


def stale(node: OpNode, name: str) -> Exception:
    """The error for a saved value that was freed or overwritten; see Note [Saved versions]."""
    value: Any = getattr(node, name + "_")
    if value is None or value is FREED:
        return RuntimeError(errors.BACKWARD_TWICE)
    if name != "result" and cut(node, name):
        return RuntimeError(errors.DETACHED_SAVED)
    if name == "result":
        legacy, shape, cell = node.dtype.legacy, value.shape, node.cell
        maker, number = node.maker(), 0
    else:
        legacy, shape, cell = value._dtype.legacy, value._array.shape, value._cell
        value = node.again(value, name) if node.gave(name, value) else value
        maker, number = value.grad_fn, value._output_nr
    made_by = maker.name() if maker is not None else None
    expected = getattr(node, name + "_version")
    text = errors.stale_value(
        legacy, shape, made_by, number, cell.value, expected, modes.now.anomaly
    )
    return RuntimeError(text)
