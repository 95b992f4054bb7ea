"""Shapes that do not fit."""

from __future__ import annotations

import re
from typing import Any

import numpy as np


def broadcast(a: tuple, b: tuple) -> str | None:
    """PyTorch's sentence if two shapes do not broadcast, else None."""
    ndim = max(len(a), len(b))
    wide_a, wide_b = (1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b
    for dim in range(ndim - 1, -1, -1):
        m, n = wide_a[dim], wide_b[dim]
        if m != n and 1 not in (m, n):
            return (
                f"The size of tensor a ({m}) must match the size of tensor b ({n}) at "
                f"non-singleton dimension {dim}"
            )
    return None


def check_broadcast(arrays: list[Any]) -> None:
    """Raise PyTorch's error if the arrays' shapes do not broadcast."""
    shape: tuple = ()
    for array in arrays:
        other = getattr(array, "shape", ())
        if other and other != shape:
            if not shape:
                shape = other
                continue
            if text := broadcast(shape, other):
                raise RuntimeError(text)
            shape = tuple(np.broadcast_shapes(shape, other))


def inplace_shape(shape: tuple, wide: tuple) -> str:
    return f"output with shape {list(shape)} doesn't match the broadcast shape {list(wide)}"


def dim_range(dim: int, ndim: int) -> str:
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    return f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"


def expand_size(wanted: int, n: int, dim: int, size: Any, shape: Any) -> str:
    return (
        f"The expanded size of the tensor ({wanted}) must match the existing size ({n}) at "
        f"non-singleton dimension {dim}.  Target sizes: {list(size)}.  Tensor sizes: {list(shape)}"
    )


NEGATIVE_LENGTH = "Attempting to broadcast a dimension with negative length!"


def mismatched_shape(size: int, dim: int, number: int, shape: Any, found: Any) -> str:
    return (
        f"Attempting to broadcast a dimension of length {size} at {dim}! Mismatching argument at "
        f"index {number} had {tuple(shape)}; but expected shape should be broadcastable to "
        f"{list(found)}"
    )


def size_item(at: int, value: Any) -> str:
    return f"torch.Size() takes an iterable of 'int' (item {at} is '{type(value).__name__}')"


def size_and_other(value: Any) -> str:
    return f"can only concatenate tuple (not {type(value).__name__}) to torch.Size"


def translated(error: ValueError) -> Exception:
    """NumPy's complaint about shapes that do not broadcast, in PyTorch's words."""
    shapes = re.findall(r"\(([\d,]*)\)", str(error))
    if "could not be broadcast" not in str(error) or len(shapes) != 2:
        return error
    one, two = (tuple(int(n) for n in s.split(",") if n) for s in shapes)
    return RuntimeError(broadcast(one, two) or str(error))
