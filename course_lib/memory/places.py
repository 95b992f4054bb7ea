"""Elements that an index names along one dimension: `x[i, index[i, j]]` for all i and j.

Note [Places]: NumPy can look them up with one index for each dimension, but counts through all of
these for every element.  Where memory is row-major, one number per element says its place, and
looking up by that takes a third of the time.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np


def flat_places(index: Any, axis: int, shape: tuple[int, ...]) -> Any:
    """The places, in row-major memory of `shape`, of what `index` names along `axis`.

    >>> flat_places(np.array([[2], [0]]), 1, (2, 3)).tolist()
    [[2], [3]]
    """
    first = (remembered if index.size < MANY else starts)(index.shape, axis, shape)
    step = math.prod(shape[axis + 1 :])
    if step == 1:
        return index + first
    places = np.multiply(index, step, dtype=np.int64)
    places += first
    return places


def starts(sizes: tuple[int, ...], axis: int, shape: tuple[int, ...]) -> Any:
    """Where each of the lines along `axis` begins that an index with these sizes counts in."""
    found: Any = 0
    for dim, size in enumerate(sizes):
        jump = math.prod(shape[dim + 1 :])
        if dim != axis and size > 1 and jump:
            along = np.arange(0, size * jump, jump)
            found = found + along.reshape(-1, *[1] * (len(sizes) - dim - 1))
    return found


MANY = 10_000  # elements
remembered = functools.lru_cache(maxsize=64)(starts)


def taken(array: Any, index: Any, axis: int) -> Any:
    """The elements that `index`, which is in range, names along `axis`.

    >>> taken(np.array([[1, 2], [3, 4]]), np.array([[1], [0]]), 1).tolist()
    [[2], [3]]
    """
    if array.__class__ is not np.ndarray:
        return np.take_along_axis(array, index, axis)
    if not array.flags.c_contiguous:
        return array[along(index, axis)]
    return array.reshape(-1).take(flat_places(index, axis, array.shape), mode="wrap")


def along(index: Any, axis: int) -> tuple[Any, ...]:
    """The same places as an index for NumPy."""
    grid: list[Any] = list(np.ogrid[tuple([slice(n) for n in index.shape])])
    grid[axis] = index
    return tuple(grid)
