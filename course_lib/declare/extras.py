"""What only some nodes have: hooks, the stack of their forward call, a need to run on tensors.

A node makes its `Extras` when one of these is first needed; the engine knows only that it may have
to call `arrived` and `around`.
"""

import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls.rules import refuse_type
from course_lib.core import engine
from course_lib.core.graph import Node, Version, check_hook, is_tensor
from course_lib.core.saved import OpNode
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.modes import modes, switched
from course_lib.words import errors


class Extras:
    """The rarely used part of a node."""

    def __init__(self) -> None:
        self.pre: dict[int, Callable] = {}  # node.register_prehook
        self.post: dict[int, Callable] = {}  # node.register_hook
        self.tensor: dict[int, dict[int, Callable]] = {}  # tensor.register_hook, per output
        self.retain: dict[int, Any] = {}  # weak reference to the tensor that retains its grad
        self.metadata: dict = {}
        self.window: Any = None  # after a write through a view, a weak reference to its new node
        self.kept = False  # whether somebody kept a gradient that went through: `arrays_of`
        self.mixed = False  # formulas run on tensors: Note [One formula, two ways to run]

    def remember(self) -> None:
        """Remember where this node was made, for anomaly mode."""
        self.metadata["traceback_"] = errors.forward_stack()
        if modes.task is not None and modes.task.node is not None:
            # the node whose backward makes this one
            self.metadata["parent_"] = modes.task.node

    def arrived(self, node: Any, grad: Any, held: list[int]) -> tuple[Any, list[int]]:
        """The gradient after the hooks of the tensors it belongs to have run; who else holds it.

        `autograd.grad` gets it after the hooks only if the walk ends here, as in PyTorch.
        """
        if grad is None and node._shape.__class__ is list:
            grad = [None] * node.outputs
        grads, history = grad if grad.__class__ is list else [grad], is_tensor(grad)
        if node not in modes.task.ends:
            capture(node, grads, held)
        for number, hooks in self.tensor.items():
            for hook in list(hooks.values()):
                seen = [as_tensor(grads[number])]
                new = hook(seen[0])
                if new is not None:
                    seen, held, new = [check_hook(new, seen[0], hook)], [0, 0], None
                self.kept = False
                grads[number] = seen[0] if history else self.arrays_of(seen)[0]
                held[0] += self.kept
        for number, reference in self.retain.items():
            if (owner := reference()) is not None and grads[number] is not None:
                more, copy = owner._more(), as_tensor(grads[number]).contiguous().clone()
                more.grad = copy if more.grad is None else more.grad + copy
        if node in modes.task.ends:
            capture(node, grads, held)
        return grad if grads is grad else grads[0], held

    def around(self, node: Any, grad: Any, keep: bool) -> Any:
        """Run `node` on the gradient that arrived, between its hooks; see `engine.evaluate`."""
        came, many, history, self.kept = grad, isinstance(grad, list), is_tensor(grad), False
        if node in modes.task.ends:
            return ()
        if self.pre:
            grads = self.called(self.pre, list(grad) if many else [grad], (), history)
            grad = grads if many else grads[0]
            if self.kept and not node.nodes:
                node.writes = None
        task = modes.task
        try:
            before, task.node = task.node, node
            if self.mixed and not history:
                results = on_tensors(node, grad, keep)
                ours = isinstance(node, OpNode)  # else a user's Function
                results = [array(r) for r in results] if ours else self.arrays_of(results)
            else:
                results = engine.run(node, grad, keep)
                self.kept = self.kept and any([one is grad for one in results])
            if modes.anomaly and modes.check_nan:
                check_nan(node, [array(r) for r in results])
        except Exception:
            if modes.anomaly:
                show_origin(node)
            raise
        finally:
            task.node = before
        if self.post:
            incoming = tuple(map(as_tensor, grad if many else [grad]))
            outgoing = list(fit_gradients(node, tuple(map(as_tensor, results))))
            for index, nxt in enumerate(node.nodes):
                if task.captures and nxt not in task.waits:
                    outgoing[index] = None  # hooks see only the gradients that this pass needs
            results = self.called(self.post, outgoing, (incoming,), history)
        fresh = [id(one) for one in results if one is not None and one is not came]
        self.kept = self.kept or len(set(fresh)) < len(fresh)  # a gradient came twice
        return results

    def called(self, hooks: dict, grads: list[Any], others: tuple, history: bool) -> list[Any]:
        """The gradients after the hooks of a node have seen them; the list is emptied."""
        seen = tuple(map(as_tensor, grads))
        grads.clear()
        for hook in list(hooks.values()):
            new = hook(seen, *others)
            seen = seen if new is None else check_node_hook(new, seen, hook)
        grads, seen, new = list(seen), (), None
        return grads if history else self.arrays_of(grads)

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


def check_node_hook(new: Any, old: tuple, hook: Any) -> tuple:
    """The gradients that a node hook returned; raises if they cannot replace those it got."""
    refuse_type(not isinstance(new, tuple), errors.hook_type, "tuple", new)
    if len(new) != len(old):
        name = getattr(hook, "__name__", type(hook).__name__)
        raise RuntimeError(errors.node_hook_count(name, len(new), len(old)))
    for one, other in zip(new, old, strict=True):
        if one is not None:
            check_hook(one, other, hook)
    return new


def check_nan(node: Any, arrays: list[Any]) -> None:
    """Raise if a node returned a gradient that contains a NaN."""
    for number, array in enumerate(arrays):
        if array is not None and as_tensor(np.isnan(array).any()).item():
            raise RuntimeError(errors.nan_returned(node.name(), number))


def show_origin(node: Any) -> None:
    """Warn with the forward call of a node that failed, and of the nodes that made it.

    If warnings are errors, the texts are printed instead: the error to raise is the failure itself.
    """
    failed = True
    while node is not None and node.extras is not None:
        known = node.extras.metadata
        stack = "".join(known["traceback_"]) if "traceback_" in known else None
        text = errors.anomaly_trace(node, stack, failed)
        node, failed = known.get("parent_"), False
        try:
            errors.warn(text)
        except UserWarning as refused:
            print(f"UserWarning: {refused}", file=sys.stderr)


def on_tensors(node: Any, grad: Any, keep: bool) -> list[Any]:
    """Run a node's formulas on tensors without recording, to get PyTorch's promotion."""
    with switched(grad=False):
        grads = [as_tensor(g) for g in grad] if isinstance(grad, list) else as_tensor(grad)
        return list(fit_gradients(node, engine.run(node, grads, keep)))


def fit_gradients(node: Any, grads: tuple) -> tuple:
    """The gradients that a node gives, each in the shape and dtype of the output it belongs to.

    Inside `CopySlices` it may not broadcast to that shape, as it belongs to a part of the output.
    """
    found = list(grads)
    for index, (nxt, grad) in enumerate(zip(node.nodes, grads, strict=True)):
        if grad is not None and nxt is not None and not isinstance(nxt._shape, list):
            shape = grad._array.shape
            shape = nxt._shape if layout.expandable(nxt._shape, shape) else shape
            found[index] = engine.fit(grad, shape, nxt._dtype, grads, node)
    return tuple(found)


def array(value: Any) -> Any:
    """A gradient as an array."""
    return value._array if isinstance(value, Tensor) else value


def as_tensor(value: Any) -> Any:
    """A gradient as a tensor."""
    if value is None or isinstance(value, Tensor):
        return value
    return Tensor._make(value, dtypes.of_numpy(value.dtype))


def capture(node: Any, grads: list[Any], held: list[int]) -> None:
    """Note the gradients of a node that `autograd.grad` asks for, which holds them from now on."""
    task = modes.task
    for number, places in task.captures.get(node, {}).items():
        for position in places:
            task.found[position] = out = as_tensor(grads[number])
            if held[1] and not isinstance(grads[number], Tensor):
                out._cell = Version(held[1])
        held[0] += 1


Node.make_extras = Extras
