"""The state of a running backward pass, and the callbacks for its end.

The engine knows nodes and gradients.  A `Task` belongs to one run of the engine and knows the rest:
the callbacks for its end, whether a node will run, whether this is a whole pass, and how deeply
calls of backward are nested.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core import engine
from course_lib.modes import modes
from course_lib.words import errors

DEEPEST = 30  # passes inside passes on one thread; Python allows some 1 000 calls, a pass takes 15


class Task:
    """One backward pass."""

    def __init__(self, roots: list[tuple[Any, int]], captures: dict | None, outer: Task | None):
        self.roots, self.captures = roots, captures
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.callbacks: list[Callable] = []
        self.whole: bool = captures is None and (outer is None or outer.whole)
        self.node: Any = None  # the node that is running, if it has extras
        self._nodes: Any = None

    def will_run(self, node: Any) -> bool:
        """Whether `node` runs in this pass."""
        if self._nodes is None:
            self._nodes = engine.count(self.roots, self.captures)[0].keys()
        return node in self._nodes


def run(
    roots: list[tuple[Any, int]],
    grads: list[Any],
    keep: bool,
    create_graph: bool,
    captures: dict | None = None,
) -> list[Any]:
    """The result of `engine.walk`, run as a task, with its callbacks at the end."""
    outer = modes.now.task
    task = Task(roots, captures, outer)
    if task.depth and task.depth % DEEPEST == 0:
        return elsewhere(lambda: passed(task, grads, keep, create_graph), outer)
    return passed(task, grads, keep, create_graph)


def passed(task: Task, grads: list[Any], keep: bool, create_graph: bool) -> list[Any]:
    """The result of the task, run on this thread; recorded with `create_graph`."""
    now = modes.now
    outer, grad, packing = now.task, now.grad, now.packing
    now.task, now.grad = task, create_graph
    try:
        try:
            with np.errstate(all="ignore"):
                found = engine.walk(task.roots, grads, keep, create_graph, task.captures)
        except ValueError as error:
            raise errors.translated(error) from None
        now.grad = grad
        for callback in task.callbacks:  # a callback may add another one
            callback()
    finally:
        now.task, now.grad = outer, grad
        if now.packing is not packing:
            modes.exchange({"packing": packing})
    return found


def elsewhere(work: Callable, outer: Task | None) -> Any:
    """The result of `work`, run on another thread in the modes of this one.

    Note [Backward inside backward]: a node may call backward, whose nodes may call it again.  Each
    nested call uses up some of Python's recursion limit.  So every `DEEPEST` levels a new thread,
    with its own stack, does the work while this one waits.  PyTorch does the same.
    """
    names = ("grad", "inference", "packing", "anomaly", "check_nan")
    here = {name: getattr(modes.now, name) for name in names}
    answer: list[Any] = []
    failure: list[BaseException] = []

    def target() -> None:
        modes.exchange({**here, "task": outer})
        try:
            answer.append(work())
        except BaseException as error:  # raised again below, on the calling thread
            failure.append(error)

    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    if failure:
        raise failure.pop()
    return answer[0]


def queue_callback(callback: Callable) -> None:
    """Call ``callback()`` at the end of the innermost running backward pass."""
    if modes.task is None:
        raise RuntimeError(errors.CALLBACK_OUTSIDE)
    modes.task.callbacks.append(callback)


__all__ = ["Task", "queue_callback", "run"]
