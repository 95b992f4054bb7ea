"""The graph that remembers: nodes, what they saved, versions, views.

    a = b * c              a._node ── MulBackward0 ──► (node of b, node of c)

A node is one application of an operation, seen from behind: it takes the gradient of the
operation's output and gives the gradient of each input.  Its edges (`nodes` and `numbers`) lead
to the nodes of those inputs; a leaf that requires grad has an `AccumulateGrad` node, a constant
has None.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from course_lib.facts import errors
from course_lib.facts.modes import modes

next_order = itertools.count().__next__  # nodes are numbered as they are made
ZEROS: list[tuple[int, ...]] = [(0,) * n for n in range(8)]  # shared `numbers` of common nodes


class Version:
    """The number of in-place writes into one piece of memory.

    Note [Saved versions]: a tensor, its views and its `detach()` share one cell, so a write
    through any of them is seen by all.  `.data` gets a cell of its own: that is why a write
    through it goes unnoticed.  The cell is made when first needed (`Tensor._share`); until then
    the version is 0.  A node that saves a tensor notes the version next to it; when the value is
    needed and the number has moved on, the gradient would be wrong, so it is an error instead.
    """

    __slots__ = ("value",)

    def __init__(self, value: int = 0):
        self.value = value


class View:
    """How a tensor came to be a window on the memory of `base`.

    `base` is never itself a view; following `parent` gives the steps from base to here.  `seen`
    is the version at which the tensor's node was last right: Note [Rebuilding a stale view].
    `base` is None for `detach()` and the like: memory is shared, history is not.
    """

    __slots__ = ("args", "base", "offset", "op", "origin", "parent", "seen")

    def __init__(self, base: Any, parent: View | None, op: Any, args: tuple, offset: int):
        self.base, self.parent, self.op, self.args = base, parent, op, args
        self.offset = offset  # bytes from the start of the storage
        self.seen = 0
        self.origin = ""  # "", or why writing through it is refused: see op.check_inplace

    def steps(self) -> list[tuple[Any, tuple]]:
        """The view operations that lead from the base to this view, in order."""
        steps = []
        view: View | None = self
        while view is not None:
            steps.append((view.op, view.args))
            view = view.parent
        return steps[::-1]


# ---- nodes ---------------------------------------------------------------------------------------


class Extras:
    """What few nodes have: hooks, metadata, the stack of the forward call."""

    __slots__ = ("metadata", "mixed", "post", "pre", "retain", "stack", "tensor")

    def __init__(self) -> None:
        self.pre: dict[int, Callable] = {}  # node.register_prehook
        self.post: dict[int, Callable] = {}  # node.register_hook
        self.tensor: list[tuple[int, dict[int, Callable]]] = []  # tensor.register_hook, per output
        self.retain: list[tuple[int, Any]] = []  # weak references of tensors that retain grad
        self.metadata: dict = {}
        self.stack: str | None = None
        self.mixed = False  # see Note [One formula, two ways to run]


class Node:
    """One application of an operation, in the backward graph.

    Subclasses are made by `op.py`, one per operation: they know which values were saved and
    have `apply(grad, keep)`, which gives one gradient (or None) per edge.
    """

    __slots__ = ("dtype", "extras", "nodes", "numbers", "order", "shape")
    nodes: tuple[Any, ...]  # the next node of each input, or None
    numbers: tuple[int, ...]  # which output of that node the input was
    order: int
    shape: Any  # of the output (a list of shapes if there are several)
    dtype: Any
    extras: Extras | None

    label = "Node"
    outputs = 1
    saved: tuple[str, ...] = ()  # attributes that backward frees

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        raise NotImplementedError(self.label)

    def __call__(self, *grads: Any) -> Any:
        from course_lib.core import engine

        results = engine.call_node(self, list(grads))
        return results[0] if len(results) == 1 else results

    def name(self) -> str:
        """The node's name as PyTorch prints it."""
        return self.label

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """One `(node, output number)` per input; `(None, 0)` for an input without history."""
        return tuple(zip(self.nodes, self.numbers, strict=True))

    @property
    def metadata(self) -> dict:
        """A dictionary for the user's own notes."""
        return self.more().metadata

    @property
    def requires_grad(self) -> bool:
        return True

    def _sequence_nr(self) -> int:
        return self.order

    def more(self) -> Extras:
        """The rarely used part, made on first use."""
        if self.extras is None:
            self.extras = Extras()
        return self.extras

    def register_hook(self, hook: Callable) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` after this node has run; gives a handle."""
        return Handle(self.more().post, hook)

    def register_prehook(self, hook: Callable) -> Any:
        """Call ``hook(grad_outputs)`` before this node runs; gives a handle."""
        return Handle(self.more().pre, hook)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            found = self.read_saved(name.removeprefix("_saved_"))
            if found is not Ellipsis:
                return found
        if name.startswith("_raw_saved_") and name.removeprefix("_raw_saved_") in self.saved:
            return SavedTensor(self, name.removeprefix("_raw_saved_"))
        raise AttributeError(errors.no_attribute(self.label, name))

    def __dir__(self) -> list[str]:
        saved = [f"_saved_{name}" for name in self.readable()]
        return sorted({*super().__dir__(), *saved, *(f"_raw{s}" for s in saved)})

    def readable(self) -> tuple[str, ...]:
        """The names `x` of which `_saved_x` exists."""
        return self.saved

    def read_saved(self, name: str) -> Any:
        """The value behind `_saved_<name>` (Ellipsis: there is none); errors as in backward."""
        return Ellipsis

    def __repr__(self) -> str:
        return f"<{self.label} object at {id(self):#x}>"


class SavedTensor:
    """What `_raw_saved_…` gives: a saved value that hooks can pack."""

    def __init__(self, node: Node, name: str):
        self._node, self._name = node, name


class Handle:
    """Removes a hook: ``handle.remove()``, or at the end of a ``with`` block."""

    numbers: Iterator[int] = itertools.count()

    def __init__(self, hooks: dict[int, Callable], hook: Callable):
        self.id = next(Handle.numbers)
        self._hooks = weakref.ref(hooks) if hasattr(hooks, "__weakref__") else (lambda: hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; a second call does nothing."""
        self._hooks().pop(self.id, None)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: Any) -> None:
        self.remove()


class AccumulateGrad(Node):
    """The end of an edge: adds what arrives to the `.grad` of its leaf.

    It holds the leaf; the leaf holds it weakly.  So it lives as long as some graph leads to it,
    and leaf and node never keep each other alive.
    """

    __slots__ = ("__weakref__", "variable")
    label = "AccumulateGrad"

    def __init__(self, variable: Any):
        self.variable = variable
        self.nodes = self.numbers = ()
        self.order = 1 << 62  # leaves come first, so that hooks fire in PyTorch's order
        self.dtype = variable._dtype
        self.extras = None

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.variable._array.shape

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        self.variable._accumulate(grad)
        return ()


def edge(tensor: Any) -> Any:
    """The node that a gradient for `tensor` goes to; None if it needs none."""
    if tensor._view is not None:
        refresh(tensor)
    node = tensor._node
    if node is None and tensor._requires_grad:
        return accumulator(tensor)
    return node


def accumulator(leaf: Any) -> AccumulateGrad:
    """The AccumulateGrad of a leaf, made on first use."""
    more = leaf._more()
    node = more.accumulator() if more.accumulator is not None else None
    if node is None:
        node = AccumulateGrad(leaf)
        more.accumulator = weakref.ref(node)
        if more.hooks:
            node.more().tensor.append((0, more.hooks))
        if more.post_accumulate:
            node.more()
    return node


# ---- history of views ----------------------------------------------------------------------------


def refresh(tensor: Any) -> None:
    """Make the history of a view right again after somebody wrote into its base.

    Note [Rebuilding a stale view]: a write through one view changes the history of the base and
    of every other view.  They are not searched for; each notices, when its history is asked for,
    that the version has moved on since `seen`, and is then what it is: a window on the base.
    """
    view = tensor._view
    base = view.base
    if base is None or view.seen == tensor._cell.value:
        return
    view.seen = tensor._cell.value
    if base._node is None and not base._requires_grad:
        return
    if not (base._dtype.category >= 2 and tensor._dtype.category >= 2):
        return
    if base._node is None and tensor._node is None and not tensor._requires_grad:
        return
    tensor._node = AsStrided(base, tensor)
    tensor._output_nr = 0
    tensor._requires_grad = True


class AsStrided(Node):
    """The history of a rebuilt view: the gradient of a window, put back into its base."""

    __slots__ = ("base_dtype", "base_shape", "base_strides", "steps")
    label = "AsStridedBackward0"

    def __init__(self, base: Any, tensor: Any):
        self.nodes, self.numbers = (edge(base),), (base._output_nr,)
        self.order = next_order()
        array = tensor._array
        self.shape, self.dtype, self.extras = array.shape, tensor._dtype, None
        self.steps = tensor._view.steps()
        self.base_shape, self.base_dtype = base._array.shape, base._dtype
        self.base_strides = base._array.strides

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        # The adjoint of a chain of views is the chain of their adjoints, last one first.
        shapes = [self.base_shape]
        blank = replay_shapes(self.steps, self.base_shape, self.base_dtype)
        for (op, args), like in zip(reversed(self.steps), reversed(blank), strict=True):
            grad = op.pull_back(grad, like, args)
        del shapes
        return (grad,)


def replay(steps: list[tuple[Any, tuple]], value: Any) -> Any:
    """Apply view operations to an array or a tensor."""
    for op, args in steps:
        value = op(value, *args)
    return value


def replay_shapes(steps: list[tuple[Any, tuple]], shape: Any, dtype: Any) -> list[Any]:
    """For each step the array it starts from, without memory behind it (for shape and dtype)."""
    from course_lib.facts.meta import MetaArray

    value: Any = MetaArray(shape, dtype.numpy)
    starts = []
    for op, args in steps:
        starts.append(value)
        value = op(value, *args)
    return starts


class CopySlices(Node):
    """The history of a base after a write through one of its views.

    Note [Rebasing history]: ``v.mul_(2)``, v a view of b, changes part of b.  So b becomes the
    output of this node.  Backward: the gradient of b is copied; the part seen through v goes
    through the write's own node (`inner`) and its result replaces that part; all the rest passes
    unchanged to the b of before.
    """

    __slots__ = ("inner", "steps")
    label = "CopySlices"

    def __init__(self, base: Any, view: Any, inner: Node):
        self.nodes = (edge(base), *inner.nodes[1:])
        self.numbers = (base._output_nr, *inner.numbers[1:])
        self.order = next_order()
        self.shape, self.dtype, self.extras = base._array.shape, base._dtype, None
        self.steps, self.inner = view._view.steps(), inner

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        from course_lib.core import engine

        result = engine.writable_copy(grad)
        window = replay(self.steps, result)
        inner = engine.call_node(self.inner, [engine.plain_copy(window)], keep, self.nodes[0])
        part = inner[0] if inner else None
        engine.write(window, part)
        return (result, *inner[1:])


# ---- checking what was saved ---------------------------------------------------------------------


class _Freed:
    """Stands where a saved value was: any version check fails on it."""

    class _cell:
        value = -2

    _view = None


FREED = _Freed()


def stale(node: Node, name: str) -> Exception:
    """The error for a saved value that is gone or was overwritten; see Note [Saved versions]."""
    value: Any = getattr(node, name + "_")
    if value is None or value is FREED:
        return RuntimeError(errors.BACKWARD_TWICE)
    if name == "result":
        legacy, shape, cell = node.dtype.legacy, value.shape, node.cell  # type: ignore[attr-defined]
        maker, number = node, 0
    else:
        legacy, shape, cell = value._dtype.legacy, value._array.shape, value._cell
        maker, number = value.grad_fn, value._output_nr
    expected = getattr(node, name + "_version")
    name_of_maker = maker.name() if maker is not None else None
    return RuntimeError(
        errors.stale_value(
            legacy, shape, name_of_maker, number, cell.value, expected, modes.anomaly
        )
    )
