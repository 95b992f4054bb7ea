"""What only some nodes have: hooks, the stack of their forward call, a need to run on tensors.

A node makes its `Extras` when one of these is first needed; the engine knows only that it may have
to call `arrived` and `around`.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

from course_lib.core import engine
from course_lib.core.graph import Node, is_tensor
from course_lib.core.saved import OpNode
from course_lib.core.tensor import Tensor
from course_lib.memory import layout
from course_lib.modes import modes, switched
from course_lib.words import errors


class Extras:
    """The rarely used part of a node."""

    __slots__ = (
        *("pre", "post", "tensor", "retain", "metadata"),
        *("stack", "parent", "mixed", "window", "kept"),
    )

    def __init__(self) -> None:
        self.pre: dict[int, Callable] = {}  # node.register_prehook
        self.post: dict[int, Callable] = {}  # node.register_hook
        self.tensor: dict[int, dict[int, Callable]] = {}  # tensor.register_hook, per output
        self.retain: dict[int, Any] = {}  # weak reference to the tensor that retains its grad
        self.metadata: dict = {}
        self.stack: str | None = None  # of the forward call, in anomaly mode
        self.parent: Any = None  # the node whose backward made this one, in anomaly mode
        self.window: Any = None  # after a write through a view, a weak reference to its new node
        self.kept = False  # whether somebody kept a gradient that went through: `arrays_of`
        self.mixed = False  # formulas run on tensors: Note [One formula, two ways to run]

    def remember(self) -> None:
        """Remember where this node was made, for anomaly mode."""
        self.stack = errors.forward_stack()
        self.parent = modes.task.node if modes.task is not None else None

    def arrived(self, node: Any, grad: Any, writes: int | None) -> tuple[Any, int | None]:
        """The gradient after the hooks of the tensors it belongs to have run, and its writes.

        These are None if a hook kept the tensor: Note [Gradients in place].
        """
        if grad is None and node.shape.__class__ is list:
            grad = [None] * node.outputs
        many, history = grad.__class__ is list, is_tensor(grad)
        if self.tensor or self.retain:
            grads = grad if many else [grad]
            for number, hooks in self.tensor.items():
                for hook in list(hooks.values()):
                    seen = [engine.tensor(grads[number])]
                    new = hook(seen[0])
                    if new is not None:
                        seen, writes, new = [errors.check_hook(new, seen[0], hook)], 0, None
                    self.kept = False
                    grads[number] = seen[0] if history else self.arrays_of(seen)[0]
                    writes = None if self.kept else writes
            for number, reference in self.retain.items():
                owner = reference()
                if owner is not None and grads[number] is not None:
                    retain(owner, grads[number])
            grad = grads if many else grads[0]
        return grad, writes

    def around(self, node: Any, grad: Any, keep: bool, run: Callable) -> Any:
        """Run `node` on the gradient that arrived, between its hooks; see `engine.evaluate`."""
        many, history, self.kept = isinstance(grad, list), is_tensor(grad), False
        if self.pre:
            incoming = tuple(map(engine.tensor, grad if many else [grad]))
            for hook in list(self.pre.values()):
                incoming = as_grads(hook(incoming), incoming, hook)
            seen, incoming = list(incoming), ()
            seen = seen if history else self.arrays_of(seen)
            grad = seen if many else seen[0]
            if self.kept and not node.nodes:
                node.writes = None
        task = modes.task
        try:
            before, task.node = task.node, node
            if engine.idle(node, grad):
                results = (None,) * len(node.nodes)
            elif self.mixed and not history:
                results = on_tensors(node, grad, keep)
                ours = isinstance(node, OpNode)  # else a user's Function
                results = [array(r) for r in results] if ours else self.arrays_of(results)
            else:
                results = run(grad, keep)
            if modes.anomaly and modes.check_nan:
                errors.check_nan(node, [array(r) for r in results])
        except Exception:
            if modes.anomaly:
                show_origin(node)
            raise
        finally:
            task.node = before
        if self.post:
            incoming = tuple(map(engine.tensor, grad if many else [grad]))
            outgoing = fitted(node, tuple(map(engine.tensor, results)))
            if task.captures is not None:  # hooks see only the gradients that this pass needs
                outgoing = tuple(
                    grad if task.will_run(nxt) else None
                    for nxt, grad in zip(node.nodes, outgoing, strict=True)
                )
            for hook in list(self.post.values()):
                outgoing = as_grads(hook(outgoing, incoming), outgoing, hook)
            results, outgoing = list(outgoing), ()
            results = results if history else self.arrays_of(results)
        return results

    def arrays_of(self, seen: list[Any]) -> list[Any]:
        """The arrays of gradients that user code has seen as tensors; the list is emptied.

        If a tensor lives on, or has shared its memory, then somebody may have kept it: Note
        [Gradients in place].
        """
        tensors = [one for one in seen if isinstance(one, Tensor)]
        watches = [weakref.ref(one) for one in tensors]
        shared = any([one._cell is not None for one in tensors])
        arrays = [array(one) for one in seen]
        tensors.clear()
        seen.clear()
        self.kept = self.kept or shared or any([watch() is not None for watch in watches])
        return arrays


def show_origin(node: Any) -> None:
    """Warn with the forward call of a node that failed, and of the nodes that made it.

    If warnings are errors, the texts are printed instead: the error to raise is the failure itself.
    """
    texts = [errors.anomaly_trace(node, node.extras.stack)]
    parent = node.extras.parent
    while parent is not None and parent.extras is not None:
        texts.append(errors.anomaly_parent(parent, parent.extras.stack))
        parent = parent.extras.parent
    for text in texts:
        try:
            errors.warn(text)
        except UserWarning as refused:
            print(f"UserWarning: {refused}", file=sys.stderr)


def as_grads(new: Any, old: tuple, hook: Callable) -> tuple:
    """The gradients that a node hook returned, checked; if it returned None, those it got."""
    return old if new is None else errors.check_node_hook(new, old, hook)


def on_tensors(node: Any, grad: Any, keep: bool) -> list[Any]:
    """Run a node's formulas on tensors without recording, to get PyTorch's promotion."""
    with switched(grad=False):
        grads = [engine.tensor(g) for g in grad] if isinstance(grad, list) else engine.tensor(grad)
        return list(fitted(node, node.apply(grads, keep)))


def fitted(node: Any, grads: tuple) -> tuple:
    """The gradients that a node gives, each in the shape and dtype of the output it belongs to."""
    return tuple(
        engine.fit(grad, shape_for(grad, nxt), nxt.dtype, grads, node)
        if grad is not None and nxt is not None and not isinstance(nxt.shape, list)
        else grad
        for nxt, grad in zip(node.nodes, grads, strict=True)
    )


def shape_for(grad: Any, nxt: Any) -> tuple:
    """The shape a gradient is summed to: that of the next node's output, if it broadcasts to it.

    It does not broadcast inside `CopySlices`: there the gradient belongs to a part of the output.
    """
    shape = grad._array.shape
    return nxt.shape if layout.expandable(nxt.shape, shape) else shape


def array(value: Any) -> Any:
    """A gradient as an array."""
    return value._array if isinstance(value, Tensor) else value


def retain(tensor: Tensor, grad: Any) -> None:
    """Keep the gradient of a non-leaf: a copy in row order, added to an earlier one."""
    more = tensor._more()
    copy = engine.tensor(grad).contiguous().clone()
    more.grad = copy if more.grad is None else more.grad + copy


Node.make_extras = Extras
