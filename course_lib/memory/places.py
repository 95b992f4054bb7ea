"""Elements along one dimension: those that an index names, `x[i, index[i, j]]`, and their order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def flat_places(index: Any, axis: int, shape: tuple[int, ...]) -> Any:
    """The places, in row-major memory of `shape`, of what `index` names along `axis`.

    >>> flat_places(np.array([[2], [0]]), 1, (2, 3)).tolist()
    [[2], [3]]
    """
    steps = [math.prod(shape[dim + 1 :]) for dim in range(len(shape))]
    return sum(one * step for one, step in zip(along(index, axis), steps, strict=True))


def taken(array: Any, index: Any, axis: int) -> Any:
    """The elements that `index`, which is in range, names along `axis`.

    >>> taken(np.array([[1, 2], [3, 4]]), np.array([[1], [0]]), 1).tolist()
    [[2], [3]]
    """
    if array.__class__ is not np.ndarray:
        return np.take_along_axis(array, index, axis)
    return array[along(index, axis)]


def along(index: Any, axis: int) -> tuple[Any, ...]:
    """The same places as an index for NumPy."""
    axis, tail = axis % index.ndim, (-1, *[1] * (index.ndim - 1))
    return tuple(
        [
            index if dim == axis else np.arange(n).reshape(tail[: index.ndim - dim])
            for dim, n in enumerate(index.shape)
        ]
    )


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
