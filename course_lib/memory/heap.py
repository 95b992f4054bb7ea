"""Keep the memory of freed arrays for the next ones.

Note [Fresh pages]: when an array of megabytes is freed, the C library gives its memory back to the
system, and the next array gets pages that the system clears one by one: on Linux that costs five
times as much as the arithmetic.  A training step frees and allocates the same sizes again and
again.  So the C library is told to keep freed memory (`man mallopt`), up to `KEPT` unused bytes.
This affects the whole process but changes no result.  If a user has set one of the environment
variables for this, their setting is respected.
"""

from __future__ import annotations

import os
import sys

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
