"""Memory formats: the possible orders of the elements of a batch of images in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.memory import layout
from course_lib.words import errors


class memory_format:
    """An order of the elements in memory; its only instances are the four below."""

    __slots__ = ("name", "order")

    def __init__(self, name: str, order: tuple[int, ...] | None = None):
        self.name = name
        self.order = order  # the dimensions from the slowest to the fastest

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return named, (self.name,)


contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last", (0, 2, 3, 1))
channels_last_3d = memory_format("channels_last_3d", (0, 2, 3, 4, 1))


def named(name: str) -> memory_format:
    """The memory format called `name`."""
    return globals()[name]


def order_of(wanted: memory_format, ndim: int) -> tuple[int, ...]:
    """The dimensions from the slowest to the fastest; RuntimeError if `ndim` does not fit."""
    order = wanted.order or tuple(range(ndim))
    if len(order) != ndim:
        raise RuntimeError(errors.format_rank(len(order), wanted.name))
    return order


# ---- results for images --------------------------------------------------------------------------


def has_channels_last(array: Any) -> bool:
    """Whether the channels of each pixel lie side by side; where sizes of 1 leave it open, no."""
    shape, strides = array.shape, array.strides
    if len(shape) not in (4, 5) or 0 in shape or not strides[1]:
        return False
    span = 0  # what the dimensions so far take, from the fastest to the slowest
    for dim in (1, *range(len(shape) - 1, 1, -1), 0):
        if strides[dim] < span or (dim == 0 and span == strides[1]):
            return False
        span = strides[dim] * shape[dim]
    return True


def in_format_of(result: Any, image: Any) -> Any:
    """The result of a kernel, with the channels last if those of `image` are, else row-major."""
    if result.__class__ is not np.ndarray or image.__class__ is not np.ndarray:
        return result
    if result.ndim != image.ndim or not has_channels_last(image):
        return layout.owned(result)
    order = [0, *range(2, result.ndim), 1]
    whole = layout.empty_permuted(result.shape, order, result.dtype)
    whole[...] = result
    return whole
