"""The order of elements along a dimension, and the largest of them: nan is the largest."""

from __future__ import annotations

from typing import Any

import numpy as np


def largest(array: Any, axis: int) -> Any:
    """The largest element along an axis, which is kept."""
    return np.maximum.reduce(array, axis=axis, keepdims=True)


def order(array: Any, axis: int, descending: bool) -> Any:
    """Indices that sort along `axis`; equal elements keep their order, nan is the largest."""
    if not descending:
        return array.argsort(axis, "stable").astype(np.int64, copy=False)
    back = (slice(None),) * (axis % array.ndim) + (slice(None, None, -1),)
    return array.shape[axis] - 1 - order(array[back], axis, False)[back]
