"""Backward: walk the graph once to count, once to run.

A node may run when every node that sends it a gradient has run.  Among those ready the one made
last runs first (leaves before all), which is PyTorch's order, and so the order in which hooks
fire.  Nothing recurses: a chain of 100 000 operations is a loop of 100 000 turns.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from course_lib.core.graph import Node
from course_lib.core.tensor import Tensor
from course_lib.facts import errors, layout
from course_lib.facts.modes import modes

ndarray = np.ndarray


def run(
    roots: list[tuple[Any, int]],
    grads: list[Any],
    keep: bool,
    create_graph: bool,
    captures: dict[tuple[Any, int], list[int]] | None = None,
    accumulate: bool = True,
) -> list[Any]:
    """Send `grads` (arrays, or tensors with `create_graph`) back from `roots`.

    `captures` maps ``(node, output number)`` to positions in the returned list: the gradients
    that `autograd.grad` asks for.  With them, only nodes on a way to a captured one run, and
    leaves are left alone unless they are `accumulate`d into.
    """
    pending, useful = count(roots, captures)
    found: list[Any] = [None] * (sum(map(len, captures.values())) if captures else 0)
    inbox: dict[Any, Any] = {}
    for (node, number), grad in zip(roots, grads, strict=True):
        add(inbox, node, number, grad)
    heap: list[tuple[int, int, Any]] = []
    for node in dict.fromkeys(node for node, _ in roots):
        if not pending.get(node):
            heapq.heappush(heap, (-node.order, id(node), node))
    upcoming = None  # a node that may run at once, without a turn through the heap
    while heap or upcoming is not None:
        if upcoming is not None:
            node, upcoming = upcoming, None
        else:
            node = heapq.heappop(heap)[2]
        grad = inbox.pop(node, None)
        if captures is not None:
            if node.extras is not None and grad is not None:
                grad = before(node, grad, create_graph)
            for number in range(node.outputs):
                for position in captures.get((node, number), ()):
                    found[position] = grad[number] if node.outputs > 1 and grad else grad
            if useful is not None and node not in useful:
                if not (accumulate and node.outputs == 1 and not node.nodes):
                    for nxt in node.nodes:
                        _ = nxt
                    continue
            results = evaluate(node, grad, keep, create_graph, checked=True)
        elif node.extras is None and not create_graph and grad is not None:
            results = node.apply(grad, keep)
        else:
            results = evaluate(node, grad, keep, create_graph)
        if not results:
            continue
        for nxt, number, result in zip(node.nodes, node.numbers, results):
            if nxt is None:
                continue
            if useful is not None and nxt not in useful:
                continue
            if result is not None:
                if result.__class__ is not Tensor:
                    if nxt.outputs == 1 and result.shape != nxt.shape:
                        result = fit(result, nxt, number, node)
                    elif nxt.outputs > 1 and result.shape != nxt.shape[number]:
                        result = fit(result, nxt, number, node)
                else:
                    result = fit(result, nxt, number, node)
                if nxt.outputs == 1 and nxt not in inbox:
                    inbox[nxt] = result
                else:
                    add(inbox, nxt, number, result)
            left = pending[nxt] - 1
            pending[nxt] = left
            if not left:
                if upcoming is None and not heap:
                    upcoming = nxt
                else:
                    if upcoming is not None:
                        heapq.heappush(heap, (-upcoming.order, id(upcoming), upcoming))
                        upcoming = None
                    heapq.heappush(heap, (-nxt.order, id(nxt), nxt))
    return found


def count(roots: list[tuple[Any, int]], captures: Any) -> tuple[dict[Any, int], set | None]:
    """How many gradients each node waits for; with captures, which nodes lead to one."""
    pending: dict[Any, int] = {}
    stack = list(dict.fromkeys(node for node, _ in roots))
    seen = set(stack)
    visited = []
    while stack:
        node = stack.pop()
        visited.append(node)
        for nxt in node.nodes:
            if nxt is not None:
                if nxt in pending:
                    pending[nxt] += 1
                else:
                    pending[nxt] = 1
                    if nxt not in seen:
                        seen.add(nxt)
                        stack.append(nxt)
    if captures is None:
        return pending, None
    useful = {node for node, _ in captures}
    parents: dict[Any, list[Any]] = {}
    for node in visited:
        for nxt in node.nodes:
            if nxt is not None:
                parents.setdefault(nxt, []).append(node)
    stack = list(useful)
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent not in useful:
                useful.add(parent)
                stack.append(parent)
    pending = {}
    for node in visited:
        if node in useful:
            for nxt in node.nodes:
                if nxt in useful:
                    pending[nxt] = pending.get(nxt, 0) + 1
    return pending, useful


def add(inbox: dict[Any, Any], node: Any, number: int, grad: Any) -> None:
    """Put a gradient into a node's inbox; several for one output add up."""
    if node.outputs == 1:
        old = inbox.get(node)
        inbox[node] = grad if old is None else old + grad
        return
    slots = inbox.get(node)
    if slots is None:
        slots = inbox[node] = [None] * node.outputs
    old = slots[number]
    slots[number] = grad if old is None else old + grad


def fit(grad: Any, node: Any, number: int, source: Any) -> Any:
    """A gradient in the shape and dtype of the output it is for: broadcasting, undone.

    An input that was stretched to the result's shape was used once per copy; its gradient is the
    sum over the copies.
    """
    shape = node.shape if node.outputs == 1 else node.shape[number]
    if isinstance(grad, Tensor):
        if grad._array.shape != shape:
            if not expandable(shape, grad._array.shape):
                raise RuntimeError(errors.invalid_gradient(source, number, grad, shape))
            grad = grad.sum_to_size(shape)
        if grad._dtype is not node.dtype and node.outputs == 1:
            grad = (
                grad.to(node.dtype)
                if not grad._dtype.is_complex or node.dtype.is_complex
                else (grad.real.to(node.dtype))
            )
        return grad
    lead = grad.ndim - len(shape)
    axes = (*range(lead), *(d + lead for d, n in enumerate(shape) if n == 1 < grad.shape[d + lead]))
    return grad.sum(axes, keepdims=True).reshape(shape) if axes else grad.reshape(shape)


def expandable(shape: tuple, wide: tuple) -> bool:
    """Whether `shape` broadcasts to `wide`."""
    if len(shape) > len(wide):
        return False
    return all(n in (1, w) for n, w in zip(reversed(shape), reversed(wide)))


# ---- nodes with hooks, and gradients with history ------------------------------------------------


def evaluate(node: Any, grad: Any, keep: bool, create_graph: bool, checked: bool = False) -> Any:
    """Run one node: hooks, then its formulas on arrays or on tensors, then hooks."""
    extras = node.extras
    if extras is not None and not checked and grad is not None:
        grad = before(node, grad, create_graph)
    if grad is None or (node.outputs > 1 and all(g is None for g in grad)):
        results: Any = (None,) * len(node.nodes)
    elif create_graph or (extras is not None and extras.mixed):
        results = on_tensors(node, grad, keep, create_graph)
    else:
        results = node.apply(grad, keep)
    if extras is not None and extras.post:
        results = after(extras, results, grad, create_graph)
    return results


def on_tensors(node: Any, grad: Any, keep: bool, create_graph: bool) -> Any:
    """Run a node's formulas on tensors; recorded if `create_graph`."""
    before_grad = modes.grad
    modes.grad = create_graph
    try:
        grads = [tensor(g, node) for g in grad] if node.outputs > 1 else tensor(grad, node)
        if hasattr(node, "call_formulas"):
            results = node.call_formulas(grads, keep)
        else:
            results = node.apply(grads, keep)
    finally:
        modes.grad = before_grad
    return results if create_graph else tuple(array_of(r) for r in results)


def before(node: Any, grad: Any, create_graph: bool) -> Any:
    """Run the hooks that see a gradient before its node does; gives what they made of it."""
    extras = node.extras
    if not (extras.tensor or extras.pre or extras.retain):
        return grad
    many = node.outputs > 1
    grads = [tensor(g, node) for g in grad] if many else [tensor(grad, node)]
    for number, hooks in extras.tensor:
        for hook in list(hooks.values()):
            if grads[number] is not None:
                new = hook(grads[number])
                if new is not None:
                    grads[number] = errors.check_hook(new, grads[number])
    for hook in list(extras.pre.values()):
        new = hook(tuple(grads))
        if new is not None:
            grads = list(new) if isinstance(new, tuple) else [new]
    for number, reference in extras.retain:
        owner = reference()
        if owner is not None and grads[number] is not None:
            owner._accumulate(grads[number] if create_graph else array_of(grads[number]))
    if not create_graph:
        grads = [array_of(g) for g in grads]
    return grads if many else grads[0]


def after(extras: Any, results: Any, grad: Any, create_graph: bool) -> Any:
    """Run `node.register_hook` hooks."""
    wrapped = tuple(tensor(r) for r in results)
    incoming = tuple(tensor(g) for g in (grad if isinstance(grad, list) else [grad]))
    for hook in list(extras.post.values()):
        new = hook(wrapped, incoming)
        if new is not None:
            wrapped = tuple(new) if isinstance(new, (tuple, list)) else (new,)
    return wrapped if create_graph else tuple(array_of(r) for r in wrapped)


def tensor(value: Any, node: Any = None) -> Any:
    """A gradient as a tensor."""
    if value is None or isinstance(value, Tensor):
        return value
    from course_lib.facts import dtypes

    return Tensor._make(value, dtypes.of_numpy(value.dtype))


def array_of(value: Any) -> Any:
    """A gradient as an array."""
    return value._array if isinstance(value, Tensor) else value


def call_node(node: Node, grads: list[Any], keep: bool = True, edge: Any = None) -> Any:
    """Run one node by itself: for CopySlices, and for `node(grad)` in the user's hands."""
    create = any(isinstance(g, Tensor) for g in grads)
    grad = grads if node.outputs > 1 else grads[0]
    if edge is not None and node.nodes[0] is not edge:
        node.nodes = (edge, *node.nodes[1:])
    return evaluate(node, grad, keep, create)


# ---- what CopySlices needs, on arrays and on tensors ---------------------------------------------


def plain_copy(value: Any) -> Any:
    """A copy of an array or a tensor."""
    return value.clone() if isinstance(value, Tensor) else value.copy()


def writable_copy(value: Any) -> Any:
    """A copy whose memory views can be taken of."""
    return value.clone() if isinstance(value, Tensor) else layout.owned(np.array(value))


def write(window: Any, part: Any) -> None:
    """Put `part` (None: zeros) into a window of an array or a tensor."""
    if isinstance(window, Tensor):
        window.zero_() if part is None else window.copy_(part)
    else:
        window[...] = 0 if part is None else part
