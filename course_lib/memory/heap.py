"""Memory that is no longer used: kept for the next arrays, and freed step by step.

Note [Fresh pages]: when an array of megabytes is freed, the C library gives its memory back to the
system, and the next array gets pages that the system clears one by one: on Linux that costs five
times as much as the arithmetic.  A training step frees and allocates the same sizes again and
again.  So the C library is told to keep freed memory (`man mallopt`), up to `KEPT` unused bytes.
This affects the whole process but changes no result.  If a user has set one of the environment
variables for this, their setting is respected.
"""

import functools
import os
import sys
from typing import Any

KEPT = 256 << 20  # bytes
LARGEST = 32 << 20  # the maximum the C library allows; larger arrays get their own pages
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD in malloc.h
CHOICES = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


def keep_freed_memory() -> bool:
    """Tell the C library to keep freed memory; returns whether it agreed."""
    if not sys.platform.startswith("linux") or any(name in os.environ for name in CHOICES):
        return False
    import ctypes  # no extra cost: NumPy has loaded it

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
    if mallopt is None:
        return False
    return bool(mallopt(TRIM_THRESHOLD, KEPT) and mallopt(MMAP_THRESHOLD, LARGEST))


# ---- freeing a long chain ------------------------------------------------------------------------

_left: list[list[Any]] = []  # what freed objects held and nothing has let go of yet
_freeing = False


def free_step_by_step(self: Any) -> None:
    """A `__del__` for objects of long chains: frees a chain in a loop, however long it is.

    Note [Long chains]: an object that goes away lets go of what it holds, which may go away, too,
    and so on.  CPython keeps these nested calls from filling the stack.  In a browser, the stack
    is the browser's own and much smaller, and 2 000 objects in a row end the program.  So what an
    object holds is moved to a list, and the first of the nested calls empties it.
    """
    global _freeing
    _left.append([getattr(self, name, None) for name in _slots(type(self))])
    if not _freeing:
        _freeing = True
        try:
            while _left:
                _left.pop()
        finally:
            _freeing = False


@functools.cache
def _slots(kind: type) -> tuple[str, ...]:
    names = [name for base in kind.__mro__ for name in base.__dict__.get("__slots__", ())]
    return tuple(dict.fromkeys([*names, "__dict__"]))
