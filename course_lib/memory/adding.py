"""Sums of many floating numbers that lie row by row.

Note [Sums in blocks]: NumPy's own sum adds in pairs of blocks, which is accurate, but one number at
a time.  `einsum` takes several at once, but adds along the whole row, which is not accurate.  A sum
of the sums of short blocks is both.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

BLOCK = 256
MANY = 1 << 13  # elements; for fewer, the calls take longer than the sum


def added(array: Any, over: tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    """The sum over the dimensions `over` (None: all), which are counted from the front.

    >>> added(np.ones((2, 8192), np.float32), (1,)).tolist()
    [8192.0, 8192.0]
    """
    if array.size < MANY or array.dtype.kind != "f" or not flat(array, over):
        return np.add.reduce(array, axis=over, keepdims=keepdims, dtype=array.dtype)
    shape = array.shape
    kept = 0 if over is None else array.ndim - len(over)
    rows = array.reshape(-1, math.prod(shape[kept:]))
    total = blockwise(rows) if rows.shape[1] > BLOCK else np.einsum("ij->i", rows)
    found = total.reshape(shape[:kept] + (1,) * (array.ndim - kept) * keepdims)
    return found if found.ndim else found[()]


def flat(array: Any, over: tuple[int, ...] | None) -> bool:
    """Whether each sum is over neighbours in memory, and enough of them."""
    if array.__class__ is not np.ndarray or array.itemsize < 4 or not array.flags.c_contiguous:
        return False
    if over is None:
        return True
    kept = array.ndim - len(over)
    return sorted(over) == list(range(kept, array.ndim)) and math.prod(array.shape[kept:]) >= 64


def blockwise(rows: Any) -> Any:
    """The sum of each row."""
    count, n = rows.shape
    parts = -(-n // BLOCK)
    width = BLOCK if n % parts else n // parts
    parts = n // width
    whole = rows[:, : parts * width]
    if count == 1 or n == parts * width:
        total = np.einsum("ij->i", whole.reshape(-1, width)).reshape(count, parts)
    else:
        total = np.einsum("ijk->ij", whole.reshape(count, parts, width))
    total = np.einsum("ij->i", total) if parts < 16 else np.add.reduce(total, axis=1)
    if n > parts * width:
        total += np.add.reduce(rows[:, parts * width :], axis=1)
    return total
