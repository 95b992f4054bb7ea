"""Backward: walk the graph once to count, once to run.

A node may run when every node that sends it a gradient has run.  Among those ready the one made
last runs first (leaves before all), which is PyTorch's order, and so the order in which hooks
fire.  Nothing recurses: a chain of 100 000 operations is a loop of 100 000 turns.
"""

from __future__ import annotations

import heapq
from sys import getrefcount
from typing import Any

import numpy as np

from course_lib.core.graph import Version, is_tensor
from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors, layout
from course_lib.facts.modes import modes


def run(
    roots: list[tuple[Any, int]],
    grads: list[Any],
    keep: bool,
    create_graph: bool,
    captures: dict[tuple[Any, int], list[int]] | None = None,
) -> list[Any]:
    """Send `grads` (arrays, or tensors with `create_graph`) back from `roots`.

    `captures` maps ``(node, output number)`` to positions in the returned list: the gradients
    that `autograd.grad` asks for.  With them, only nodes on a way to a captured one run.
    """
    previous, modes.grad = (modes.grad, modes.packing, modes.special), create_graph
    try:
        with np.errstate(all="ignore"):
            return walk(roots, grads, keep, create_graph, captures)
    except ValueError as error:
        raise errors.translated(error) from None
    finally:
        modes.grad, modes.packing, modes.special = previous  # whatever hooks did to them


def walk(
    roots: list[tuple[Any, int]],
    grads: list[Any],
    keep: bool,
    history: bool,
    captures: dict[tuple[Any, int], list[int]] | None,
) -> list[Any]:
    """The loop of `run`.

    `states` has, for each node to run, how many gradients it still waits for, their sum, and how
    often that sum was written to: see Note [Gradients in place].
    """
    states, ends = count(roots, captures)
    simple = captures is None and not history
    found: list[Any] = [None] * (sum(map(len, captures.values())) if captures else 0)
    for (node, number), grad in zip(roots, grads, strict=True):
        if node in states:
            deliver(states[node], node, number, grad, node)
    heap = [
        (-node.order, turn, node)
        for turn, node in enumerate(dict.fromkeys(node for node, _ in roots))
        if node in states and not states[node][0]
    ]
    heapq.heapify(heap)
    turn = len(heap)
    upcoming = following = None  # a node that may run at once, without a turn in the heap
    while heap or upcoming is not None:
        if upcoming is None:
            node = heapq.heappop(heap)[2]
            state = states[node]
        else:
            node, state, upcoming = upcoming, following, None
        _, grad, writes = state
        state[1] = None
        if not node.nodes and node.extras is None:
            node.writes = writes if getrefcount(grad) <= HERE else None
        if simple and node.extras is None and grad is not None and grad.__class__ is not list:
            results = node.run(grad, keep)
        else:
            if node.extras is not None and grad is not None:
                grad = node.extras.arrived(grad)
                if not node.nodes:
                    node.writes = writes if getrefcount(grad) <= HERE else None
            if captures is not None:
                for number in range(node.outputs):
                    for position in captures.get((node, number), ()):
                        found[position] = seen(grad, number, writes)
                if node in ends:
                    continue
            results = evaluate(node, grad, keep)
        for nxt, number, result in zip(node.nodes, node.numbers, results):
            if nxt is None or (state := states.get(nxt)) is None:
                continue  # a constant, or on no way to a captured node
            if result is not None:
                if history or result.shape != nxt.shape:
                    deliver(state, nxt, number, result, node)
                elif (old := state[1]) is None:
                    state[1] = result
                    if writes and result is grad:
                        state[2] = writes
                else:
                    state[1] = None
                    join(state, old, result, results[0] is old)
            if state[0] > 1:
                state[0] -= 1
            elif heap or upcoming is not None:
                if upcoming is not None:
                    heapq.heappush(heap, (-upcoming.order, turn, upcoming))
                    upcoming = None
                heapq.heappush(heap, (-nxt.order, turn + 1, nxt))
                turn += 2
            else:
                upcoming, following = nxt, state
        results = result = old = None  # what was handed on is no longer held here
    return found


def count(roots: list[tuple[Any, int]], captures: Any) -> tuple[dict[Any, list], set]:
    """The state of every node to run: how many gradients it waits for, and none yet.

    With captures only the nodes on a way to a captured one; also those where all ways end, which
    need not run themselves (they do if nothing is to be put in the answer: `backward(inputs=…)`).
    """
    states: dict[Any, list] = {node: [0, None, 0] for node, _ in roots}
    stack = list(states)
    for node in stack:  # which grows meanwhile
        for nxt in node.nodes:
            if nxt is not None:
                if nxt in states:
                    states[nxt][0] += 1
                else:
                    states[nxt] = [1, None, 0]
                    stack.append(nxt)
    if captures is None:
        return states, set()
    parents: dict[Any, list[Any]] = {}
    for node in states:
        for nxt in node.nodes:
            if nxt is not None:
                parents.setdefault(nxt, []).append(node)
    useful = {node for node, _ in captures}
    passed = set()  # nodes with a captured one behind them
    stack = list(useful)
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent not in passed:
                passed.add(parent)
                stack.append(parent)
    kept = {node: [0, None, 0] for node in states if node in useful or node in passed}
    for node in passed:
        for nxt in node.nodes:
            if nxt in kept:
                kept[nxt][0] += 1
    ends = {node for (node, _), places in captures.items() if places}
    return kept, ends - passed


def deliver(state: list, node: Any, number: int, grad: Any, source: Any) -> None:
    """Add a gradient to what a node has got so far: in its shape, at its output number."""
    several = isinstance(node.shape, list)
    shape = node.shape[number] if several else node.shape
    grad = fit(grad, shape, node.dtype, number, source)
    if not several:
        old = state[1]
        if old is None:
            state[1] = grad
        else:
            state[1] = None
            join(state, old, grad)
        return
    if state[1] is None:
        state[1] = [None] * node.outputs
    old = state[1][number]
    state[1][number] = grad if old is None else old + grad


def join(state: list, old: Any, new: Any, listed: bool = False) -> None:
    """Add a gradient to the sum that waits for a node (`listed`: the caller's tuple has it too).

    Note [Gradients in place]: a sum that nobody else holds is added to where it is, and a
    gradient that nobody else holds becomes the `.grad` of its leaf without a copy.  PyTorch
    decides by counting references, and what it decides shows in `x.grad._version`; so we count
    the same way.
    """
    alone = getrefcount(old) <= PASSED + listed
    if alone and old.__class__ is not np.ndarray:
        state[1], state[2] = old + new, state[2] + 1
    elif alone and old.base is None and old.dtype == new.dtype:
        state[1], state[2] = np.add(old, new, out=old), state[2] + 1
    else:
        state[1], state[2] = old + new, 0


def held_here() -> int:
    """The reference count of a value that only one local name holds."""
    value = object()
    return getrefcount(value)


def held_passed() -> int:
    """The same for a value that a caller's local name and our parameter hold."""
    value = object()
    return (lambda passed: getrefcount(passed))(value)


HERE, PASSED = held_here(), held_passed()


def fit(grad: Any, shape: tuple, dtype: Any, number: int, source: Any) -> Any:
    """A gradient in the shape and dtype of the output it is for: broadcasting, undone.

    An input that was stretched to the result's shape was used once per copy; its gradient is the
    sum over the copies.
    """
    if grad.shape != shape:
        if not layout.expandable(shape, grad.shape):
            raise RuntimeError(errors.invalid_gradient(source, number, grad.shape, shape))
        grad = grad.sum_to_size(shape) if isinstance(grad, Tensor) else layout.sum_to(grad, shape)
    if not isinstance(grad, Tensor):
        return grad
    if grad._dtype is not dtype and grad._dtype.category >= dtypes.FLOATING:
        grad = grad.real if grad._dtype.is_complex and not dtype.is_complex else grad
        grad = grad.to(dtype)
    return grad


# ---- one node ------------------------------------------------------------------------------------


def evaluate(node: Any, grad: Any, keep: bool) -> Any:
    """Run one node on what arrived, with the hooks around it.

    Tensors in, tensors out (recorded if grad mode is on); arrays in, arrays out.
    """
    several = isinstance(grad, list)
    nothing = grad is None or (several and all(g is None for g in grad))
    if nothing and not node.runs_on_nothing:
        return (None,) * len(node.nodes)
    run = node.apply if several or is_tensor(grad) else node.run
    return run(grad, keep) if node.extras is None else node.extras.around(node, grad, keep, run)


def tensor(value: Any) -> Any:
    """A gradient as a tensor."""
    if value is None or isinstance(value, Tensor):
        return value
    return Tensor._make(value, dtypes.of_numpy(value.dtype))


def seen(grad: Any, number: int, writes: int) -> Any:
    """A captured gradient as a tensor."""
    if isinstance(grad, list):
        grad = grad[number]
    if isinstance(grad, Tensor) or grad is None:
        return grad
    out = tensor(grad)
    out._cell = Version(writes) if writes else None
    return out
