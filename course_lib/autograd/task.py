"""The state of a running backward pass.

The engine knows nodes and gradients.  A `Task` belongs to one run of the engine and knows the rest:
whether a node will run, and whether this is a whole pass.
"""

from __future__ import annotations

from typing import Any

from course_lib.core import engine
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
    """The result of `engine.run`, run as a task."""
    outer = modes.task
    task = Task(roots, captures, outer)
    modes.now.task = task
    try:
        return engine.run(roots, grads, keep, create_graph, captures)
    finally:
        modes.now.task = outer


__all__ = ["Task", "run"]
