"""One switch: with what is only faster, or without it.

Note [Plain]: `core/` says what a call and a backward pass do.  What runs by default is a copy of
that, generated for each operation (`unrolled`, `compiled`, `fast`) or written with more local names
(`speed/engine.py`), and tests prove that it does the same.  `plain()` leaves the copies out, so
that a debugger steps from a call into the core.  With ``COURSE_PLAIN=1`` in the environment they
are not even imported.
"""

from __future__ import annotations

import os
from typing import Any

PLAIN = os.environ.get("COURSE_PLAIN", "0") not in ("", "0")  # whether Python started that way

_plain = PLAIN
# Whoever has attributes that are faster in one mode, and what these are in the other mode.
_others: list[tuple[Any, dict[str, Any]]] = []


class plain:
    """Leave out what is only faster: every call and every backward pass goes through `core/`.

    Like `set_grad_enabled` it acts at once, for all threads, and after a ``with`` everything is as
    it was before.  ``plain(False)`` brings the fast paths back.

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
    """Whether what is only faster is left out at the moment."""
    return _plain


def faster(owner: Any, **quick: Any) -> None:
    """Give `owner` faster attributes in the place of those that it has, unless `plain` is on."""
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
    """Give the owner the other attributes, and keep those that it had."""
    for name, value in others.items():
        others[name] = getattr(owner, name)
        setattr(owner, name, value)


__all__ = ["PLAIN", "faster", "is_plain", "plain"]
