"""The fast engine: does what `core/engine.py` does, in the same order, with fewer steps per node.

On a chain every node gets its only gradient and runs at once: no heap, no sums, no counting down.
Leaves run before all others, so they need no heap either.
"""

from __future__ import annotations

import heapq
from sys import getrefcount
from typing import Any

from course_lib.core.engine import HERE, add, capture, count, expected, fit, idle
from course_lib.core.graph import AccumulateGrad, Node, is_tensor


def walk(
    roots: list[tuple[Any, int]],
    grads: list[Any],
    keep: bool,
    history: bool,
    captures: dict[tuple[Any, int], list[int]] | None,
) -> list[Any]:
    """`core.engine.walk`, with the newest ready node in local names instead of on the heap.

    For each node that will run, `waits` holds how many gradients it still waits for, and `sums`
    the sum of those that have arrived and how often it was written to: Note [Gradients in place].
    On a chain `sums` and `heap` stay empty: each node gets its only gradient and runs at once.
    """
    waits, ends = count(roots, captures)
    sums: dict[Any, list[Any]] = {}
    simple = captures is None and not history
    found: list[Any] = [None] * (sum(map(len, captures.values())) if captures else 0)
    for (node, number), grad in zip(roots, grads, strict=True):
        if node in waits:
            add(sums, node, number, fit(grad, expected(node, number), node.dtype, grads, node))
    heap = [
        (-node.order, turn, node, *sums.pop(node))
        for turn, node in enumerate(dict.fromkeys(node for node, _ in roots))
        if node in waits and not waits[node]
    ]
    heapq.heapify(heap)
    turn = len(heap)
    upcoming = coming = written = None  # the newest ready node, its gradient and its writes
    leaves: list[tuple] = []
    while heap or upcoming is not None:
        if upcoming is None:
            _, _, node, grad, writes = heapq.heappop(heap)
        elif heap and heap[0][0] <= -upcoming.order:
            entry: Any = (-upcoming.order, turn, upcoming, coming, written)
            _, _, node, grad, writes = heapq.heappushpop(heap, entry)
            turn, upcoming, coming, entry = turn + 1, None, None, None
        else:
            node, grad, writes, upcoming, coming = upcoming, coming, written, None, None
        if captures is not None and node not in ends:
            capture(found, captures, node, grad, writes)
        if node.extras is not None:
            if grad is None and isinstance(node.shape, list):
                grad = [None] * node.outputs
            before = id(grad)
            grad = node.extras.arrived(grad)
            writes = writes if id(grad) == before else 0
        if not node.nodes:
            node.writes = writes if getrefcount(grad) <= HERE else None
        if simple and node.extras is None and grad is not None and grad.__class__ is not list:
            results, nodes = node.run(grad, keep), node.nodes
            while not heap and (len(nodes) == 1 or (len(nodes) == 2 and nodes[1] is None)):
                nxt, result = nodes[0], results[0]  # the only edge
                if nxt is None or result is None or waits[nxt] > 1 or nxt in sums:
                    break
                if nxt.extras is not None or not nxt.nodes or result.shape != nxt.shape:
                    break
                writes = writes if result is grad and node.passes else 0
                node, grad, results, result = nxt, result, None, None
                results, nodes = node.run(grad, keep), node.nodes
        else:
            if node in ends:
                capture(found, captures, node, grad, writes)
                continue
            results = evaluate(node, grad, keep)
        for nxt, number, result in zip(node.nodes, node.numbers, results):
            if nxt is None or (left := waits.get(nxt)) is None:
                continue  # a constant, or not on a path to a captured node
            times, several = writes if result is grad and node.passes else 0, False
            if result is not None and (history or result.shape != nxt.shape):
                result = fit(result, expected(nxt, number), nxt.dtype, results, node)
                times, several = 0, isinstance(nxt.shape, list)
            if left > 1 or several or nxt in sums:
                if result is not None:
                    add(sums, nxt, number, result, times, results)
                if left > 1:
                    waits[nxt] = left - 1
                    continue
                result, times = sums.pop(nxt, (None, 0))
            if simple and not nxt.nodes and nxt.extras is None and result is not None:
                leaves.append((nxt, result, times))
                continue
            if upcoming is not None:
                heapq.heappush(heap, (-upcoming.order, turn, upcoming, coming, written))
                turn += 1
            upcoming, coming, written = nxt, result, times
        results = result = None  # drop our references to what was passed on
        while leaves:  # they run before all others
            leaf, grad, times = leaves.pop(0)
            leaf.writes = times if getrefcount(grad) <= HERE else None
            leaf.apply(grad, keep)
    return found


def evaluate(node: Any, grad: Any, keep: bool) -> Any:
    """`core.engine.evaluate`, with the compiled `run` of a node if the gradient is an array."""
    several = isinstance(grad, list)
    run = node.apply if several or is_tensor(grad) else node.run
    if node.extras is not None:
        return node.extras.around(node, grad, keep, run)
    return (None,) * len(node.nodes) if idle(node, grad) else run(grad, keep)


def apply(node: Any, grad: Any, keep: bool) -> Any:
    """The `run` of a node that has no faster one (`speed/backward.py`)."""
    return node.apply(grad, keep)


# `passes`: if a node returns the gradient that it got, whether that is unchanged.  It is not where
# dead gradients are overwritten.
for _name, _value in {"passes": True, "run": apply}.items():
    setattr(Node, _name, _value)
AccumulateGrad.run = AccumulateGrad.apply

__all__ = ["evaluate", "walk"]
