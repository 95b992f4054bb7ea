"""Handles, which remove hooks."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any


class RemovableHandle:
    """Removes a hook: ``handle.remove()``, or at the end of a ``with`` block."""

    numbers = itertools.count()

    def __init__(self, hooks: dict[int, Callable], hook: Callable):
        self.id = next(RemovableHandle.numbers)
        self._hooks = hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: Any) -> None:
        self.remove()
