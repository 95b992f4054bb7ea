"""Backward: walk the graph once to count, then once to run.

Each node can turn the gradient of its output into the gradients of its inputs; what is left to do
is to call the nodes in the right order.  If a value was used twice, two gradients arrive at its
node, and the node has to wait for both, because what it sends on belongs to their sum.  So the
first walk counts how many gradients each node will get, and the second runs the nodes.

A node may run when every node that sends it a gradient has run.  Among the ready nodes, leaves run
first, then the node made last.  This is PyTorch's order, so hooks fire in the same order too.
Nothing recurses: a chain of 100 000 operations is a loop of 100 000 iterations.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from course_lib.core.graph import Version, is_tensor
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.words import errors


def walk(
    roots: list[tuple[Any, int]], grads: list[Any], keep: bool, history: bool, captures: Any = None
) -> list[Any]:
    """Send `grads` (arrays, or tensors with `history`) back from `roots`, node by node.

    `captures` maps ``(node, output number)`` to positions in the returned list: the gradients
    that `autograd.grad` asks for.  With them, only nodes on a path to a captured one run.

    For each node that will run, `waits` holds how many gradients it still waits for, and `sums`
    the sum of those that have arrived and how often it was written to.  The newest node that is
    ready is `held`, with its gradient; older ones are in the heap `ready`.
    """
    waits, ends = count(roots, captures)
    sums, shared, ready, held, turn = {}, {}, [], None, 0  # type: dict, dict, list, Any, int
    found: list[Any] = [None] * (sum(map(len, captures.values())) if captures else 0)
    for (node, number), grad in zip(roots, grads, strict=True):
        if node in waits:
            add(sums, shared, node, number, grad, None)  # the caller holds it, too
    for node, _ in roots:
        if node in sums and not waits[node]:
            turn += 1
            heapq.heappush(ready, (-node.order, turn, node, *sums.pop(node)))
    while ready or held:
        held = heapq.heappushpop(ready, held) if held else heapq.heappop(ready)
        (_, _, node, grad, writes), held = held, None
        others = shared.pop(id(grad), 1) - 1 if shared else 0
        if captures is not None and node not in ends:
            writes = capture(found, captures, node, grad, writes)
        if node.extras is not None:
            grad, writes = node.extras.arrived(node, grad, writes)
        if captures is not None and node in ends:
            capture(found, captures, node, grad, writes)
            continue
        if not node.nodes:
            node.writes = None if others else writes
        if node.extras is None and not history and grad is not None and grad.__class__ is not list:
            results = node.run(grad, keep)
            while not (ready or shared or captures):  # along a chain, hand over at once
                if len(node.nodes) != 1 and (len(node.nodes) != 2 or node.nodes[1] is not None):
                    break
                nxt, result = node.nodes[0], results[0]
                if result is None or waits.get(nxt, 2) > 1 or nxt in sums or not nxt.nodes:
                    break
                if nxt.extras is not None or result.shape != nxt.shape:
                    break
                writes = writes if result is grad else 0
                node, grad = nxt, result
                results = node.run(grad, keep)
        else:
            results = evaluate(node, grad, keep)
        kept = node.extras is not None and node.extras.kept
        if others or (len(results) > 1 and (results[0] is results[1] or len(results) > 2)):
            others += sum([result is grad for result in results])
            if others > 1:
                shared[id(grad)] = others
        for nxt, number, result in zip(node.nodes, node.numbers, results):
            left = waits.get(nxt)
            if left is None:
                continue  # a constant, or not on a path to a captured node
            times = None if kept else writes if result is grad else 0
            if result is not None and (history or result.shape != nxt.shape):
                given, result = result, fit(result, expected(nxt, number), nxt.dtype, results, node)
                times = times if given is result else 0
            if left > 1 or nxt in sums or nxt.shape.__class__ is list:
                if result is not None:
                    add(sums, shared, nxt, number, result, times)
                if left > 1:
                    waits[nxt] = left - 1
                    continue
                result, times = sums.pop(nxt, (None, 0))
            turn += 1
            if held is not None:
                heapq.heappush(ready, held)
            held = (-nxt.order, turn, nxt, result, times)
    return found


def count(roots: list[tuple[Any, int]], captures: dict | None) -> tuple[dict[Any, int], set]:
    """How many gradients each node that will run waits for, and the nodes where the walk ends.

    With captures, only nodes on a path to a captured one will run.  The walk ends at captured nodes
    that are on no path to another one: these need not run themselves.  (They do run if the answer
    does not include their gradients: `backward(inputs=…)`.)
    """
    waits: dict[Any, int] = {node: 0 for node, _ in roots}
    stack = list(waits)
    for node in stack:  # it grows during the loop
        for nxt in node.nodes:
            if nxt is not None:
                if nxt not in waits:
                    stack.append(nxt)
                waits[nxt] = waits.get(nxt, 0) + 1
    for node in waits if modes.now.anomaly else ():
        node.more()  # even one that was recorded before the mode was on is watched
    if captures is None:
        return waits, set()
    useful, passed = {node for node, _ in captures}, set()
    for node in sorted(waits, key=lambda node: node.order):  # inputs before what was made of them
        if any(nxt in useful or nxt in passed for nxt in node.nodes):
            passed.add(node)
    kept = {node: 0 for node in waits if node in useful or node in passed}
    for node in passed:
        for nxt in node.nodes:
            if nxt in kept:
                kept[nxt] += 1
    return kept, {node for (node, _), places in captures.items() if places} - passed


def add(sums: dict, shared: dict, node: Any, number: int, grad: Any, writes: int | None) -> None:
    """Add a gradient to what a node has received so far.

    Note [Gradients in place]: a sum that nothing else holds is updated in place, and a gradient
    that nothing else holds becomes the `.grad` of its leaf without a copy.  Both show in
    `x.grad._version`, so we count as PyTorch does.  With each gradient goes the number of writes
    into it: None if the user may hold it.  A gradient that a node passes on to several others is
    in `shared`, with how many still have it.
    """
    state = sums.get(node)
    if node.shape.__class__ is list:
        state = sums.setdefault(node, [[None] * node.outputs, 0])
        old = state[0][number]
        state[0][number] = grad if old is None else old + grad
    elif state is None:
        sums[node] = [grad, writes]
    else:
        old, before = state
        alone = before is not None
        if shared:
            alone = taken(shared, old) and alone
            taken(shared, grad)
        if alone and old.__class__ is not np.ndarray:
            state[:] = old + grad, before + 1
        elif alone and old.base is None and old.dtype == grad.dtype:
            state[:] = np.add(old, grad, out=old), before + 1
        else:
            state[:] = old + grad, 0


def taken(shared: dict[int, int], grad: Any) -> bool:
    """Take a gradient from one of the places that hold it; whether that was the last one."""
    left = shared.pop(id(grad), 1) - 1
    if left > 1:
        shared[id(grad)] = left
    return not left


def expected(node: Any, number: int) -> Any:
    """The shape of one output of a node."""
    return node.shape[number] if node.shape.__class__ is list else node.shape


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
    """Run one node on the gradient that arrived, with its hooks before and after.

    Tensors in, tensors out (recorded if grad mode is on); arrays in, arrays out.  If no gradient
    arrived, the hooks are called all the same, with None.
    """
    run = node.apply if grad.__class__ is list or is_tensor(grad) else node.run
    if node.extras is not None:
        return node.extras.around(node, grad, keep, run)
    return (None,) * len(node.nodes) if idle(node, grad) else run(grad, keep)


def idle(node: Any, grad: Any) -> bool:
    """Whether no gradient arrived at a node that needs one to run."""
    none = all(g is None for g in grad) if grad.__class__ is list else grad is None
    return none and not node.runs_on_nothing


def tensor(value: Any) -> Any:
    """A gradient as a tensor."""
    if value is None or isinstance(value, Tensor):
        return value
    return Tensor._make(value, dtypes.of_numpy(value.dtype))


def capture(found: list[Any], captures: dict, node: Any, grad: Any, writes: Any) -> Any:
    """Note a gradient that `autograd.grad` wants; returns the writes into it, None if it does."""
    wanted = False
    for number in range(node.outputs):
        for position in captures.get((node, number), ()):
            wanted, out = True, tensor(grad[number] if grad.__class__ is list else grad)
            if writes and not isinstance(grad, Tensor):
                out._cell = Version(writes)
            found[position] = out
    return None if wanted else writes
