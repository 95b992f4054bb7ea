"""The state of a running backward pass.

The engine knows nodes and gradients.  A `Task` belongs to one run of the engine and knows the rest:
whether a node will run, and whether this is a whole pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core import engine
from course_lib.memory.dims import translated
from course_lib.modes import modes


class Task:
    """One backward pass."""

    def __init__(self, roots: list[tuple[Any, int]], captures: dict | None, outer: Task | None):
        self.roots, self.captures = roots, captures
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
    """The result of `engine.walk`, run as a task; recorded with `create_graph`."""
    now = modes.now
    outer, grad, packing = now.task, now.grad, now.packing
    now.task, now.grad = Task(roots, captures, outer), create_graph
    try:
        with np.errstate(all="ignore"):
            return engine.walk(roots, grads, keep, create_graph, captures)
    except ValueError as error:
        raise translated(error) from None
    finally:
        now.task, now.grad = outer, grad
        if now.packing is not packing:
            modes.exchange({"packing": packing})


__all__ = ["Task", "run"]
