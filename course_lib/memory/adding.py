"""Sums of many floating numbers that lie row by row.

Note [Sums in blocks]: NumPy's own sum adds in pairs of blocks, which is accurate, but one number at
a time.  `einsum` takes several at once, but adds along the whole row, which is not accurate.  A sum
of the sums of short blocks is both.
"""

import math
from typing import Any

import numpy as np

BLOCK, FEW = 256, 16
LEAST = 64  # elements of a row
MANY = 20_000  # elements; for fewer, the calls take longer than the sum


def add_along(array: Any, over: tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    """The sum over the dimensions `over` (None: all), which are counted from the front.

    >>> add_along(np.ones((2, 16384), np.float32), (1,)).tolist()
    [16384.0, 16384.0]
    """
    if array.size < MANY or not in_rows(array, over):
        return np.add.reduce(array, axis=over, keepdims=keepdims, dtype=array.dtype)
    kept = array.shape[: 0 if over is None else array.ndim - len(over)]
    total = of_rows(array.reshape(math.prod(kept), -1))
    return total.reshape(kept + (1,) * (array.ndim - len(kept)) * keepdims)[()]


def in_rows(array: Any, over: tuple[int, ...] | None) -> bool:
    """Whether each sum is over neighbours in memory, and enough of them."""
    if array.__class__ is not np.ndarray or array.dtype.kind != "f" or array.itemsize < 4:
        return False
    kept = 0 if over is None else array.ndim - len(over)
    last = over is None or set(over) == set(range(kept, array.ndim))
    return last and array.flags.c_contiguous and math.prod(array.shape[kept:]) >= LEAST


def of_rows(rows: Any) -> Any:
    """The sum of each row."""
    count, n = rows.shape
    parts = -(-n // BLOCK)
    width = BLOCK if n % parts else n // parts
    parts, rest = divmod(n, width)
    if rest and count > 1:
        blocks = rows[:, : n - rest].reshape(count, parts, width)
        total = np.einsum("ijk->ij", blocks)
    else:
        total = np.einsum("ij->i", rows[:, : n - rest].reshape(-1, width)).reshape(count, parts)
    total = np.einsum("ij->i", total) if parts < FEW else np.add.reduce(total, axis=1)
    return total + np.add.reduce(rows[:, n - rest :], axis=1) if rest else total
