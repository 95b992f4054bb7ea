"""One engine: see `engine.py`, whose `walk` and `evaluate` these replace."""

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
    """The loop of `run`: the newest ready node runs, and its gradients go one edge further.

    For each node that will run, `waits` holds how many gradients it still waits for, and `sums`
    the sum of those that have arrived and how often it was written to: Note [Gradients in place].
    Most nodes get one gradient and are the next to run, so they are handed over as `held`, and
    only what has to wait goes through `sums` and the heap `ready`.
    """
    waits, ends = count(roots, captures)
    sums: dict[Any, list[Any]] = {}
    found: list[Any] = [None] * (sum(map(len, captures.values())) if captures else 0)
    for (node, number), grad in zip(roots, grads, strict=True):
        if node in waits:
            add(sums, node, number, fit(grad, expected(node, number), node.dtype, grads, node))
    first = [node for node in dict.fromkeys(node for node, _ in roots) if waits.get(node) == 0]
    ready = [(-node.order, turn, node, *sums.pop(node)) for turn, node in enumerate(first)]
    heapq.heapify(ready)
    turn, held = len(ready), None  # `held`: the newest node that is ready, and its gradient
    while ready or held:
        if held is None:
            held = heapq.heappop(ready)
        elif ready and ready[0] < held:
            held = heapq.heappushpop(ready, held)
        _, _, node, grad, writes = held
        held = None
        if captures is not None and node not in ends:
            capture(found, captures, node, grad, writes)
        if node.extras is not None:
            if grad is None and isinstance(node.shape, list):
                grad = [None] * node.outputs
            before = id(grad)
            grad = node.extras.arrived(grad)
            writes = writes if id(grad) == before else 0
        if captures is not None and node in ends:
            capture(found, captures, node, grad, writes)
            continue
        if not node.nodes:
            node.writes = writes if getrefcount(grad) <= HERE else None
        if node.extras is not None or history or grad is None or grad.__class__ is list:
            results = evaluate(node, grad, keep)
        else:
            results = node.run(grad, keep)
            while not ready and captures is None:  # along a chain, hand over at once
                nodes = node.nodes
                if len(nodes) == 1 or (len(nodes) == 2 and nodes[1] is None):
                    nxt, result = nodes[0], results[0]
                else:
                    break
                if nxt is None or result is None or waits[nxt] > 1 or nxt in sums:
                    break
                if nxt.extras is not None or not nxt.nodes or result.shape != nxt.shape:
                    break
                writes = writes if result is grad else 0
                node, grad, results, result = nxt, result, None, None
                results = node.run(grad, keep)
        for nxt, number, result in zip(node.nodes, node.numbers, results):
            left = waits.get(nxt)
            if left is None:
                continue  # a constant, or not on a path to a captured node
            times = writes if result is grad else 0
            if result is not None and (history or result.shape != nxt.shape):
                result, times = fit(result, expected(nxt, number), nxt.dtype, results, node), 0
            if left > 1 or nxt in sums or nxt.shape.__class__ is list:
                if result is not None:
                    add(sums, nxt, number, result, times, results)
                if left > 1:
                    waits[nxt] = left - 1
                    continue
                result, times = sums.pop(nxt, (None, 0))
            turn += 1
            arrival = (-nxt.order, turn, nxt, result, times)
            if held is None:
                held = arrival
            else:
                heapq.heappush(ready, arrival)
            arrival = None
        results = result = None  # drop our references to what was passed on
    return found


def evaluate(node: Any, grad: Any, keep: bool) -> Any:
    """Run one node on the gradient that arrived, with its hooks before and after."""
    run = node.apply if isinstance(grad, list) or is_tensor(grad) else node.run
    if node.extras is not None:
        return node.extras.around(node, grad, keep, run)
    return (None,) * len(node.nodes) if idle(node, grad) else run(grad, keep)


def apply(node: Any, grad: Any, keep: bool) -> Any:
    """The `run` of a node that has no shorter one."""
    return node.apply(grad, keep)


Node.run = apply
AccumulateGrad.run = AccumulateGrad.apply
