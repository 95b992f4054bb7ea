"""The order of elements along a dimension, and the largest of them: nan is the largest."""

from __future__ import annotations

from typing import Any

import numpy as np

MANY = 1000  # elements: up to here, sorting all of them takes no longer

SHORT, LINES = 32, 16


def largest(array: Any, axis: int) -> Any:
    """The largest element along an axis, which is kept; of -0. and 0. it is either.

    NumPy has a cost per row.  So of many short rows the columns are compared, in a copy.
    """
    size = array.shape[axis]
    short = size <= SHORT and array.size >= LINES * size and axis in (-1, array.ndim - 1)
    if short and array.__class__ is np.ndarray and array.flags.c_contiguous and size:
        columns = array.reshape(-1, size).T.copy()
        return np.maximum.reduce(columns, axis=0).reshape(*array.shape[:-1], 1)
    return np.maximum.reduce(array, axis=axis, keepdims=True)


def order(array: Any, axis: int, descending: bool) -> Any:
    """Indices that sort along `axis`; equal elements keep their order, nan is the largest."""
    if not descending:
        return array.argsort(axis, "stable").astype(np.int64, copy=False)
    back = (slice(None),) * (axis % array.ndim) + (slice(None, None, -1),)
    return array.shape[axis] - 1 - order(array[back], axis, False)[back]


def leading(array: Any, axis: int, k: int, descending: bool) -> Any:
    """The first `k` of the indices that `order` gives.

    Note [Best of blocks]: the best element of each of several blocks is one element of its line, so
    the k-th of these is no better than the k-th of the line.  Only what is not worse than that has
    to be sorted: of many elements, hardly more than `k`.
    """
    if array.size < MANY:
        return order(array, axis, descending)[(slice(None),) * (axis % array.ndim) + (slice(k),)]
    lines = np.moveaxis(array, axis, -1)
    shape, n = lines.shape, lines.shape[-1]
    lines = lines.reshape(-1, n)
    blocks = min(n, 8 * k)
    width = n // blocks
    parts = lines[:, : width * blocks].reshape(-1, width, blocks)
    best = (np.maximum if descending else np.minimum).reduce(parts, axis=1)
    at = blocks - k if descending else k - 1
    bound = np.partition(best, at, axis=1)[:, at, None]
    worse = lines < bound if descending else lines > bound  # nan is not: `order` finds its place
    places = np.flatnonzero(~worse).astype(np.int64, copy=False)
    rows = places // n
    sorts = order(lines.reshape(-1)[places], 0, descending)
    sorts = sorts[np.argsort(rows[sorts], kind="stable")]
    first = np.searchsorted(rows, np.arange(len(lines)))
    found = places[sorts[first[:, None] + np.arange(k)]] % n
    return np.moveaxis(found.reshape(*shape[:-1], k), -1, axis)


def ranked(values: Any, most: int) -> Any:
    """Indices that sort whole numbers from 0 to `most`, by 16 binary digits at a time.

    >>> ranked(np.array([70000, 3, 70000, 2]), 70000).tolist()
    [3, 1, 0, 2]
    """
    found = np.argsort(values.astype(np.uint16), kind="stable")  # NumPy counts numbers so small
    for shift in range(16, most.bit_length(), 16):
        digits = (values >> shift).astype(np.uint16)
        found = found[np.argsort(digits[found], kind="stable")]
    return found
