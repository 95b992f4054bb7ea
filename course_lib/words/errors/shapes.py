"""Errors for shapes that do not fit."""

from __future__ import annotations

import math

from course_lib.words.errors.sentence import Sentence

broadcast_sizes = Sentence(
    "The size of tensor a ({m}) must match the size of tensor b ({n}) at non-singleton dimension "
    "{dim}"
)
not_a_shape = Sentence(
    "Input shapes should be of type ints, a tuple of ints, or a list of ints, got {value}"
)


def inplace_shape(shape: tuple, wide: tuple, name: str = "") -> str:
    """`name`: the operation that was to write a result of shape `wide` into a tensor of `shape`."""
    if name == "addmm":
        return (
            f"Bad in-place call: input tensor size {list(shape)} and output tensor size "
            f"{list(wide)} should match"
        )
    return f"output with shape {list(shape)} doesn't match the broadcast shape {list(wide)}"


def dim_range(dim: int, ndim: int) -> str:
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    return f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"


expand_size = Sentence(
    "The expanded size of the tensor ({wanted}) must match the existing size ({n}) at "
    "non-singleton dimension {dim}.  Target sizes: {size:list}.  Tensor sizes: {shape:list}"
)

NEGATIVE_LENGTH = "Attempting to broadcast a dimension with negative length!"


mismatched_shape = Sentence(
    "Attempting to broadcast a dimension of length {size} at {dim}! Mismatching argument at index "
    "{number} had {shape}; but expected shape should be broadcastable to {found:list}"
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
