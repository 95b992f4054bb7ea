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

from __future__ import annotations

import collections
import heapq
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.memory import layout
from course_lib.words import errors


class Pass:
    """One backward pass: how many gradients each node waits for, and what has arrived so far.

    Only the nodes in `waits` run.  Those in `ends` just receive (`autograd/backward.py: restrict`).
    """

    def __init__(self, roots: list[Any], outer: Pass | None):
        self.waits = count(roots)
        self.sums: dict[Any, tuple] = {}  # of the gradients that have arrived, if more are to come
        self.leaves: collections.deque[tuple] = collections.deque()  # ready, the first one first
        self.ready: list[tuple] = []  # a heap, the node made last first
        self.outer, self.node = outer, None  # the pass it began in; the node whose hooks run
        self.captures, self.found, self.ends = {}, {}, ()  # type: dict, dict, Any

    def arrive(self, node: Any, number: int, grad: Any, held: list[int]) -> None:
        """Add a gradient to what has arrived at a node.  With the last one the node is ready."""
        before = self.sums.pop(node, None)
        if node.shape.__class__ is list:
            many = [None] * node.outputs if before is None else before[0]
            many[number], _ = added(many[number], [2, 0], grad, held)
            grad, held = many, [1, 0]
        elif before is not None:
            grad, held = added(*before, grad, held)
        self.waits[node] -= 1
        if self.waits[node]:
            self.sums[node] = grad, held
        elif node.nodes:
            heapq.heappush(self.ready, (-node.order, node, grad, held))
        else:
            self.leaves.append((0, node, grad, held))

    def send(self, node: Any, grad: Any, held: list[int], results: Any, history: bool) -> None:
        """Hand on what a node gave for `grad`: one gradient for each of its edges."""
        kept = node.extras is not None and node.extras.kept
        held[0] += kept
        for result in results:
            held[0] += result is grad
        for nxt, number, result in zip(node.nodes, node.numbers, results):
            hold = held if result is grad else [1 + kept, 0]
            if nxt not in self.waits:  # a constant, or on no path to a captured node
                hold[0] -= 1
                continue
            if result is not None and (history or result.shape != nxt.shape):
                shape = nxt.shape[number] if nxt.shape.__class__ is list else nxt.shape
                if (fitting := fit(result, shape, nxt.dtype, results, node)) is not result:
                    hold[0] -= 1
                    result, hold = fitting, [1 + kept, 0]
            self.arrive(nxt, number, result, hold)


def walk(task: Pass, keep: bool, history: bool) -> None:
    """Run the nodes of a pass, on arrays or, with `history`, on tensors."""
    waits, leaves, ready = task.waits, task.leaves, task.ready
    while leaves or ready:
        _, node, grad, held = leaves.popleft() if leaves else heapq.heappop(ready)
        held[0] -= 1  # from here on, it counts the others
        if node.extras is not None:
            grad, held = node.extras.arrived(node, grad, held)
        if node in task.ends:
            continue
        if not node.nodes:
            node.writes = None if held[0] else held[1]
            evaluate(node, grad, keep)
            continue
        results = evaluate(node, grad, keep)
        while not (leaves or ready or history):  # along a chain, it is handed on at once
            nxt, result = node.nodes[0], results[0]
            several = len(results) > 1 and node.nodes[1:] != (None,)
            if several or waits.get(nxt) != 1 or nxt in task.sums or nxt.extras is not None:
                break
            if not nxt.nodes or result is None or result.shape != nxt.shape:
                break
            node, grad, held = nxt, result, held if result is grad else [0, 0]
            results = node.run(grad, keep)
        task.send(node, grad, held, results, history)


def count(roots: list[Any]) -> dict[Any, int]:
    """How many gradients each node gets in a pass from these roots, which get the first ones."""
    waits, stack = {}, list(roots)  # type: dict[Any, int], list[Any]
    for node in stack:  # it grows during the loop
        if node in waits:
            waits[node] += 1
        elif node is not None:
            waits[node] = 1
            stack += node.nodes
    return waits


def added(old: Any, held: list[int], grad: Any, others: list[int]) -> tuple[Any, list[int]]:
    """The sum of two gradients and who holds it; in place if only one node holds the first one."""
    if old is None or grad is None:
        return (grad, others) if old is None else (old, held)
    alone, array = held[0] == 1, old.__class__ is np.ndarray
    held[0] -= 1
    others[0] -= 1
    if not alone or (array and (old.base is not None or old.dtype != grad.dtype)):
        return old + grad, [1, 0]
    return np.add(old, grad, out=old) if array else old + grad, [1, held[1] + 1]


def fit(grad: Any, shape: tuple, dtype: Any, among: Any, source: Any) -> Any:
    """A gradient (one of `among`, which `source` gave) in the shape and dtype of its output.

    This undoes broadcasting: an input that was stretched to the result's shape was used once per
    copy, so its gradient is the sum over the copies.
    """
    if grad.shape != shape:
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
    if isinstance(grad, (np.ndarray, np.generic)):
        return node.run(grad, keep)
    many = grad if grad.__class__ is list else [grad]
    if not node.runs_on_nothing and all(one is None for one in many):
        return (None,) * len(node.nodes)
    return node.apply(grad, keep)
