"""Backward: walk the graph once to count, then once to run.

Each node can turn the gradient of its output into the gradients of its inputs; what is left to do
is to call the nodes in the right order.  If a value was used twice, two gradients arrive at its
node, and the node has to wait for both, because what it sends on belongs to their sum.  So the
first walk counts how many gradients each node will get, and the second runs the nodes.

A node may run when every node that sends it a gradient has run.  Among the ready nodes, leaves run
first, then the node made last.  This is PyTorch's order, so hooks fire in the same order too.
Nothing recurses: a chain of 100 000 operations is a loop of 100 000 iterations.

Note [Gradients in place]: a sum that only one node holds is updated in place, and a gradient that
only its leaf holds becomes the `.grad` without a copy.  Both show in `x.grad._version`.  So a list
`held` goes with each gradient: how many hold it, and how often it was written to.
"""

from heapq import heappop, heappush
from typing import Any

import numpy as np

from course_lib.core.graph import Node
from course_lib.core.tensor import Tensor
from course_lib.memory import layout
from course_lib.words import errors

ARRAYS = frozenset({np.ndarray, *np.sctypeDict.values()})


class Pass:
    """One backward pass: how many gradients each node waits for, and what has arrived so far.

    The root is a node with an edge to each tensor that the pass begins at.  Only the nodes in
    `waits` run; those in `ends` receive, but give nothing (`autograd/backward.py: restrict`).
    """

    def __init__(self, root: Node, outer: "Pass | None"):
        self.root, self.waits = root, count(root)
        self.sums: dict[Any, tuple] = {}  # of the gradients that have arrived, if more are to come
        self.outer, self.node = outer, None  # the pass it began in; the node whose hooks run
        self.captures, self.found, self.ends = {}, {}, ()  # type: dict, dict, Any

    def fitting(
        self, node: Any, number: int, grad: Any, held: list[int], source: Node, among: Any
    ) -> tuple[Any, list[int]]:
        """A gradient for output `number` of a node, in its shape and dtype, and who holds it.

        A node with several outputs gets a list: what has arrived so far, for each of them.
        """
        several = node._shape.__class__ is list
        fitted = fit(
            grad, node._shape[number] if several else node._shape, node._dtype, among, source
        )
        if fitted is not grad:
            held[0] -= 1
            held = [1, 0]
        if not several:
            return fitted, held
        many, own = self.sums.pop(node, None) or ([None] * node.outputs, [1, 0])
        if fitted is not None:
            many[number] = fitted if many[number] is None else many[number] + fitted
        return many, own


def add(old: Any, own: list[int], grad: Any, held: list[int]) -> tuple[Any, list[int]]:
    """The sum of what has arrived at a node and of one gradient more, and who holds it."""
    if old is None or grad is None:
        return (grad, held) if old is None else (old, own)
    array = old.__class__ is np.ndarray
    if own[0] > 1 or (array and (old.base is not None or old.dtype != grad.dtype)):
        own[0] -= 1
        held[0] -= 1
        return old + grad, [1, 0]
    own[1] += 1
    held[0] -= 1
    return np.add(old, grad, old) if array else old + grad, own


def walk(task: Pass, grads: list[Any], keep: bool, history: bool) -> None:
    """Send `grads` (arrays, or tensors with `history`) back from the root, node by node.

    A round of the loop hands on what a node gave, and then runs the next node that is ready.
    """
    waits, sums, ready = task.waits, task.sums, []  # type: dict, dict, list[tuple]
    node, grad, held, results, kept = task.root, None, [0, 0], grads, True  # the caller holds them
    while True:
        leaves = []
        for nxt, number, result in zip(node.nodes, node.numbers, results):
            if (left := waits.get(nxt)) is None:  # a constant, or on no path to a captured node
                held[0] -= result is grad
                continue
            hold = held if result is grad else [1 + kept, 0]
            if history or result is None or result.shape != nxt._shape:
                result, hold = task.fitting(nxt, number, result, hold, node, results)
            if nxt in sums:
                result, hold = add(*sums.pop(nxt), result, hold)
            if left > 1:
                waits[nxt], sums[nxt] = left - 1, (result, hold)
            elif nxt.nodes:
                heappush(ready, (-nxt.order, nxt, result, hold))
            else:
                leaves.append((nxt, result, hold))
        for leaf, result, hold in leaves:
            hold[0] -= 1  # from here on, it counts the others
            if leaf.extras is not None:
                result, hold = leaf.extras.arrived(leaf, result, hold)
            leaf.writes = None if hold[0] else hold[1]
            evaluate(leaf, result, keep) if leaf.extras is not None else leaf.run(result, keep)
        if not ready:
            return
        _, node, grad, held = heappop(ready)
        held[0] -= 1
        extras, kept = node.extras, False
        if extras is not None:
            grad, held = extras.arrived(node, grad, held)
            results, kept = extras.around(node, grad, keep), extras.kept
            held[0] += kept
        else:
            results = node.run(grad, keep) if grad.__class__ in ARRAYS else run(node, grad, keep)
        # Along a chain, a gradient is handed on at once.
        while not history and (len(results) == 1 or (len(results) == 2 and node.nodes[1] is None)):
            nxt, result = node.nodes[0], results[0]
            if waits.get(nxt) != 1 or nxt in sums or nxt.extras is not None or not nxt.nodes:
                break
            if result is None or result.shape != nxt._shape or (ready and -nxt.order > ready[0][0]):
                break
            node, grad, held = nxt, result, held if result is grad else [kept, 0]
            results, kept = node.run(grad, keep), False
        for result in results:
            if result is grad:
                held[0] += 1


def count(root: Any) -> dict[Any, int]:
    """How many gradients each node gets in a pass that begins at `root`."""
    waits, stack = {}, list(root.nodes)  # type: dict[Any, int], list[Any]
    for node in stack:  # it grows during the loop
        if node in waits:
            waits[node] += 1
        elif node is not None:
            waits[node] = 1
            stack += node.nodes
    return waits


def fit(grad: Any, shape: tuple, dtype: Any, among: Any, source: Any) -> Any:
    """A gradient, or None, in the shape and dtype of its output; `source` gave it, and `among`.

    This undoes broadcasting: an input that was stretched to the result's shape was used once per
    copy, so its gradient is the sum over the copies.
    """
    if grad is not None and grad.shape != shape:
        if not layout.expandable(shape, grad.shape):
            index = [one is grad for one in among].index(True)
            raise RuntimeError(errors.invalid_gradient(source, index, grad.shape, shape))
        grad = grad.sum_to_size(shape) if isinstance(grad, Tensor) else layout.sum_to(grad, shape)
    if isinstance(grad, Tensor) and grad._dtype is not dtype:
        grad = grad.real if grad._dtype.is_complex and not dtype.is_complex else grad
        grad = grad.to(dtype)
    return grad


def evaluate(node: Any, grad: Any, keep: bool) -> Any:
    """The gradients of a node's inputs, with its hooks called before and after."""
    return run(node, grad, keep) if node.extras is None else node.extras.around(node, grad, keep)


def run(node: Any, grad: Any, keep: bool) -> Any:
    """The gradients of a node's inputs; None for each if no gradient arrived."""
    if grad.__class__ in ARRAYS:
        return node.run(grad, keep)
    many = grad if grad.__class__ is list else [grad]
    if not node.runs_on_nothing and all(one is None for one in many):
        return (None,) * len(node.nodes)
    return node.apply(grad, keep)
