"""Elements along one dimension: those that an index names, `x[i, index[i, j]]`, and their order."""

from typing import Any

import numpy as np


def flat_places(index: Any, axis: int, shape: tuple[int, ...]) -> Any:
    """The places, in row-major memory of `shape`, of what `index` names along `axis`.

    >>> flat_places(np.array([[2], [0]]), 1, (2, 3)).tolist()
    [[2], [3]]
    """
    return np.ravel_multi_index(along(index, axis), shape)


def take_along(array: Any, index: Any, axis: int) -> Any:
    """The elements that `index`, which is in range, names along `axis`.

    >>> take_along(np.array([[1, 2], [3, 4]]), np.array([[1], [0]]), 1).tolist()
    [[2], [3]]
    """
    return array[along(index, axis)]


def along(index: Any, axis: int) -> tuple[Any, ...]:
    """The same places as an index for NumPy."""
    ones = (1,) * (index.ndim - 1)
    grid: list[Any] = [np.arange(n).reshape(-1, *ones[d:]) for d, n in enumerate(index.shape)]
    grid[axis] = index
    return tuple(grid)


# ---- order ---------------------------------------------------------------------------------------


def largest(array: Any, axis: int) -> Any:
    """The largest element along an axis, which is kept."""
    return np.maximum.reduce(array, axis=axis, keepdims=True)


def order(array: Any, axis: int, descending: bool) -> Any:
    """Indices that sort along `axis`; equal elements keep their order, nan is the largest."""
    if not descending:
        return array.argsort(axis, "stable").astype(np.int64, copy=False)
    back = (slice(None),) * (axis % array.ndim) + (slice(None, None, -1),)
    return array.shape[axis] - 1 - order(array[back], axis, False)[back]
