"""Errors for shapes that do not fit."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from course_lib.words.errors.sentence import Sentence


def broadcast(a: tuple, b: tuple) -> str | None:
    """PyTorch's message if two shapes do not broadcast, else None."""
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


not_a_shape = Sentence(
    "Input shapes should be of type ints, a tuple of ints, or a list of ints, got {value}"
)


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


def inplace_shape(shape: tuple, wide: tuple, name: str = "") -> str:
    """`name`: the operation that was to write a result of shape `wide` into a tensor of `shape`."""
    if name in ("addmm", "addmv", "baddbmm"):
        return (
            f"Bad in-place call: input tensor size {list(shape)} and output tensor size "
            f"{list(wide)} should match"
        )
    if name == "addr":
        if len(shape) != 2:
            return f"2D tensor expected, got {len(shape)}D tensor for input"
        return f"size mismatch, input: {list(shape)}, v1: [{wide[0]}], v2: [{wide[1]}]"
    return f"output with shape {list(shape)} doesn't match the broadcast shape {list(wide)}"


def dim_range(dim: int, ndim: int) -> str:
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    return f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"


expand_size = Sentence(
    "The expanded size of the tensor ({wanted}) must match the existing size ({n}) at "
    "non-singleton dimension {dim}.  Target sizes: {size:list}.  Tensor sizes: {shape:list}"
)

NEGATIVE_LENGTH = "Attempting to broadcast a dimension with negative length!"


def mismatched_shape(size: int, dim: int, number: int, shape: Any, found: Any) -> str:
    return (
        f"Attempting to broadcast a dimension of length {size} at {dim}! Mismatching argument at "
        f"index {number} had {tuple(shape)}; but expected shape should be broadcastable to "
        f"{list(found)}"
    )


size_item = Sentence("torch.Size() takes an iterable of 'int' (item {at} is '{value:type}')")
size_and_other = Sentence("can only concatenate tuple (not {value:type}) to torch.Size")

TOO_MANY_DIMS = (
    "course_lib's tensors have at most 64 dimensions, as NumPy's arrays do; PyTorch's may have more"
)


def no_memory(error: MemoryError) -> str:
    shape, dtype = getattr(error, "shape", ()), getattr(error, "dtype", None)
    size = math.prod(shape) * (dtype.itemsize if dtype is not None else 1)
    return (
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
        f"you tried to allocate {size} bytes. Error code 12 (Cannot allocate memory)"
    )


def translated(error: Exception) -> Exception:
    """An error of NumPy's in PyTorch's words; any other error as it is."""
    if isinstance(error, np.exceptions.AxisError):
        return IndexError(dim_range(error.axis, error.ndim))
    if isinstance(error, MemoryError):
        return RuntimeError(no_memory(error))
    if "maximum supported dimension" in str(error):
        return RuntimeError(TOO_MANY_DIMS)
    shapes = re.findall(r"\(([\d,]*)\)", str(error))
    if "could not be broadcast" not in str(error) or len(shapes) != 2:
        return error
    one, two = (tuple(int(n) for n in s.split(",") if n) for s in shapes)
    return RuntimeError(broadcast(one, two) or str(error))
