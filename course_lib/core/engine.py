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
import itertools
from sys import getrefcount
from typing import Any

import numpy as np

from course_lib.core.graph import Version
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.modes import modes, switched
from course_lib.words import errors


def run(
    roots: list[tuple[Any, int]],
    grads: list[Any],
    keep: bool,
    create_graph: bool,
    captures: dict[tuple[Any, int], list[int]] | None = None,
) -> list[Any]:
    """Send `grads` (arrays, or tensors with `create_graph`) back from `roots`.

    `captures` maps ``(node, output number)`` to positions in the returned list: the gradients
    that `autograd.grad` asks for.  With them, only nodes on a path to a captured one run.
    """
    with switched(grad=create_graph, packing=modes.packing), np.errstate(all="ignore"):
        try:
            return walk(roots, grads, keep, create_graph, captures)
        except ValueError as error:
            raise errors.translated(error) from None


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
    """
    waits, ends = count(roots, captures)
    sums: dict[Any, list[Any]] = {}
    found: list[Any] = [None] * (sum(map(len, captures.values())) if captures else 0)
    for (node, number), grad in zip(roots, grads, strict=True):
        if node in waits:
            add(sums, node, number, fit(grad, expected(node, number), node.dtype, grads, node))
    turns = itertools.count()
    ready = [(-node.order, next(turns), node) for node in sums if not waits[node]]
    heapq.heapify(ready)
    while ready:
        node = heapq.heappop(ready)[2]
        grad, writes = sums.pop(node, (None, 0))
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
        results = evaluate(node, grad, keep)
        for nxt, number, result in zip(node.nodes, node.numbers, results):
            if nxt not in waits:
                continue  # a constant, or not on a path to a captured node
            if result is not None:
                times, shape = writes if result is grad else 0, expected(nxt, number)
                if history or result.shape != shape:
                    result, times = fit(result, shape, nxt.dtype, results, node), 0
                add(sums, nxt, number, result, times, results)
            waits[nxt] -= 1
            if not waits[nxt]:
                heapq.heappush(ready, (-nxt.order, next(turns), nxt))
        results = result = None  # drop our references to what was passed on
    return found


def count(roots: list[tuple[Any, int]], captures: Any) -> tuple[dict[Any, int], set]:
    """How many gradients each node that will run waits for, and the nodes where the walk ends.

    With captures, only nodes on a path to a captured one will run.  The walk ends at captured nodes
    that are on no path to another one: these need not run themselves.  (They do run if the answer
    does not include their gradients: `backward(inputs=…)`.)
    """
    waits: dict[Any, int] = dict.fromkeys((node for node, _ in roots), 0)
    stack = list(waits)
    for node in stack:  # it grows during the loop
        for nxt in node.nodes:
            if nxt is not None:
                if nxt not in waits:
                    stack.append(nxt)
                waits[nxt] = waits.get(nxt, 0) + 1
    for node in waits if modes.anomaly else ():
        node.more()  # even one that was recorded before the mode was on is watched
    if captures is None:
        return waits, set()
    parents: dict[Any, list[Any]] = {}
    for node in waits:
        for nxt in node.nodes:
            if nxt is not None:
                parents.setdefault(nxt, []).append(node)
    useful = {node for node, _ in captures}
    passed = set()  # nodes from which a captured one can be reached
    stack = list(useful)
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent not in passed:
                passed.add(parent)
                stack.append(parent)
    kept = {node: 0 for node in waits if node in useful or node in passed}
    for node in passed:
        for nxt in node.nodes:
            if nxt in kept:
                kept[nxt] += 1
    ends = {node for (node, _), places in captures.items() if places}
    return kept, ends - passed


def add(
    sums: dict, node: Any, number: int, grad: Any, writes: int = 0, among: tuple = (None,)
) -> None:
    """Add a gradient to what a node has received so far (`among`: a tuple that also holds it).

    Note [Gradients in place]: a sum without other references is updated in place, and a gradient
    without other references becomes the `.grad` of its leaf without a copy.  PyTorch decides by
    counting references, and its decision shows in `x.grad._version`; so we count the same way.
    """
    state = sums.get(node)
    if isinstance(node.shape, list):
        if state is None:
            state = sums[node] = [[None] * node.outputs, 0]
        old = state[0][number]
        state[0][number] = grad if old is None else old + grad
    elif state is None:
        sums[node] = [grad, writes]
    else:
        old, state[0] = state[0], None
        alone = getrefcount(old) <= HERE + (among[0] is old)
        if alone and old.__class__ is not np.ndarray:
            state[:] = old + grad, state[1] + 1
        elif alone and old.base is None and old.dtype == grad.dtype:
            state[:] = np.add(old, grad, out=old), state[1] + 1
        else:
            state[:] = old + grad, 0


def held_here() -> int:
    """The reference count of a value that a single local name refers to."""
    value = object()
    return getrefcount(value)


HERE = held_here()


def expected(node: Any, number: int) -> Any:
    """The shape of one output of a node."""
    return node.shape[number] if isinstance(node.shape, list) else node.shape


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
    if not isinstance(grad, Tensor):
        return grad
    if grad._dtype is not dtype:
        grad = grad.real if grad._dtype.is_complex and not dtype.is_complex else grad
        grad = grad.to(dtype)
    return grad


# ---- one node ------------------------------------------------------------------------------------


def evaluate(node: Any, grad: Any, keep: bool) -> Any:
    """Run one node on the gradient that arrived, with its hooks before and after.

    Tensors in, tensors out (recorded if grad mode is on); arrays in, arrays out.  If no gradient
    arrived, the hooks are called all the same, with None.
    """
    if node.extras is not None:
        return node.extras.around(node, grad, keep, node.apply)
    return (None,) * len(node.nodes) if idle(node, grad) else node.apply(grad, keep)


def idle(node: Any, grad: Any) -> bool:
    """Whether no gradient arrived at a node that needs one to run."""
    if node.runs_on_nothing:
        return False
    return all(g is None for g in grad) if isinstance(grad, list) else grad is None


def tensor(value: Any) -> Any:
    """A gradient as a tensor."""
    if value is None or isinstance(value, Tensor):
        return value
    return Tensor._make(value, dtypes.of_numpy(value.dtype))


def array(value: Any) -> Any:
    """A gradient as an array."""
    return value._array if isinstance(value, Tensor) else value


def capture(found: list[Any], captures: dict, node: Any, grad: Any, writes: int) -> None:
    """Note a gradient that `autograd.grad` wants; at a node that runs, as it was before hooks."""
    for number in range(node.outputs):
        for position in captures.get((node, number), ()):
            out = tensor(grad[number] if isinstance(grad, list) else grad)
            if writes and not isinstance(grad, Tensor):
                out._cell = Version(writes)
            found[position] = out
