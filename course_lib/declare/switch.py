"""One switch: with the fast paths, or without them.

Note [Plain]: `core/` says what a call and a backward pass do.  By default a faster copy of that
runs, generated for each operation (`unrolled`, `compiled`, `fast`) or written with more local names
(`speed/engine.py`), and tests check that it does the same.  `plain()` turns the copies off, so that
a debugger steps from a call into the core.  With ``COURSE_PLAIN=1`` in the environment they are not
even imported.
"""

from __future__ import annotations

import os
from typing import Any

PLAIN = os.environ.get("COURSE_PLAIN", "0") not in ("", "0")  # whether Python started that way

_plain = PLAIN
# Each owner of attributes that have a fast path, and their values in the other mode.
_others: list[tuple[Any, dict[str, Any]]] = []


class plain:
    """Turn the fast paths off: every call and every backward pass goes through `core/`.

    Like `set_grad_enabled` it acts at once, but for all threads; after a ``with`` block the mode is
    what it was before.  ``plain(False)`` turns the fast paths on again.

    >>> import course_lib
    >>> with course_lib.plain():
    ...     torch.ones(2) * 3
    tensor([3., 3.])
    """

    def __init__(self, mode: bool = True):
        if PLAIN and not mode:
            raise RuntimeError(
                "Python was started with COURSE_PLAIN=1, so the fast paths have not been loaded. "
                "Start it without COURSE_PLAIN to use them."
            )
        self.before = _plain
        switch(mode)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        switch(self.before)


def is_plain() -> bool:
    """Whether the fast paths are off at the moment."""
    return _plain


def faster(owner: Any, **quick: Any) -> None:
    """Replace attributes of `owner` by faster ones, unless `plain` is on."""
    others = dict(quick)
    _others.append((owner, others))
    if not _plain:
        exchange(owner, others)


def switch(mode: bool) -> None:
    """Turn plain mode on or off."""
    global _plain
    if mode is not _plain:
        for owner, others in _others:
            exchange(owner, others)
        _plain = mode


def exchange(owner: Any, others: dict[str, Any]) -> None:
    """Give the owner its other attributes, and store the present ones in their place."""
    for name, value in others.items():
        others[name] = getattr(owner, name)
        setattr(owner, name, value)


__all__ = ["PLAIN", "faster", "is_plain", "plain"]
