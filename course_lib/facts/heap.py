"""Keep the memory of freed arrays for the next ones.

Note [Fresh pages]: when an array of megabytes is freed, the C library gives its memory back to the
system, and the next array gets pages that the system clears one by one: on Linux that costs five
times as much as the arithmetic.  A training step frees and asks for the same sizes again and
again.  So the C library is told to keep what is freed (`man mallopt`): at most `KEPT` bytes that
are not in use.  That holds for the whole process, and changes no result; who has chosen already,
by an environment variable, is left alone.
"""

from __future__ import annotations

import os
import sys

KEPT = 256 << 20  # bytes
LARGEST = 32 << 20  # what the C library allows; larger arrays get pages of their own
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # the names that malloc.h gives these numbers
CHOICES = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


def keep_freed_memory() -> bool:
    """Tell the C library; False where there is nothing to tell."""
    if not sys.platform.startswith("linux") or any(name in os.environ for name in CHOICES):
        return False
    import ctypes  # which NumPy has loaded

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
    if mallopt is None:
        return False
    return bool(mallopt(TRIM_THRESHOLD, KEPT) and mallopt(MMAP_THRESHOLD, LARGEST))
