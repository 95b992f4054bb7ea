"""Views by their strides: `as_strided`, and the sliding windows of `unfold`."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.op import op, view_op
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.words import errors

__all__ = ["as_strided"]


@view_op(
    self=lambda grad, self_shape, dimension, size, step: _unfold_backward(
        grad, self_shape, dimension, size, step
    )
)
def unfold(self, dimension, size, step):
    """A view of the windows of `size` elements along a dimension, `step` apart.

    The elements of each window form a new last dimension.

    >>> torch.tensor([1, 2, 3, 4]).unfold(0, 2, 1)
    tensor([[1, 2],
            [2, 3],
            [3, 4]])
    """
    at = wrap_dim(dimension, self.ndim)
    length = self.shape[at] if self.ndim else 1
    stride = self.strides[at] if self.ndim else self.itemsize
    if size < 0 or size > length:
        raise RuntimeError(errors.unfold_size(size, length, at))
    if step <= 0:
        raise RuntimeError(errors.unfold_step(step))
    count = (length - size) // step + 1
    if not self.ndim:
        return (size,), (stride,), 0
    shape = (*self.shape[:at], count, *self.shape[at + 1 :], size)
    return shape, (*self.strides[:at], stride * step, *self.strides[at + 1 :], stride), 0


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, dimension, size, step: unfold(grad, dimension, size, step),
)
def _unfold_backward(self, shape, dimension, size, step):
    """The adjoint of `unfold`: each window added back where it was taken from."""
    if not shape:
        return np.sum(self)
    at = wrap_dim(dimension, len(shape))
    whole = np.zeros_like(self, shape=shape, order="C")
    windows, count = np.moveaxis(whole, at, -1), self.shape[at]
    parts = np.moveaxis(self, at, -2)
    for place in range(size):
        windows[..., place : place + (count - 1) * step + 1 : step] += parts[..., place]
    return whole


@view_op(
    inplace="AsStridedBackward1",
    self=lambda grad, self_shape, self_strides, self_offset, size, stride, storage_offset: (
        _as_strided_backward(
            grad, self_shape, self_strides, self_offset, size, stride, storage_offset
        )
    ),
)
def as_strided(self, size, stride, storage_offset=None):
    """A view of the storage with any sizes, strides and offset, all counted in elements.

    >>> torch.tensor([1, 2, 3, 4]).as_strided((2, 2), (1, 2))
    tensor([[1, 3],
            [2, 4]])
    """
    if len(size) != len(stride):
        raise RuntimeError(errors.STRIDED_LENGTHS)
    itemsize, start = self.itemsize, layout.offset_of(self)
    if any(s < 0 for s in size):
        raise RuntimeError(errors.strided_sizes(size, stride))
    if any(s < 0 for s in stride):
        raise RuntimeError(errors.negative_stride(stride))
    offset = start // itemsize if storage_offset is None else storage_offset
    if offset < 0:
        raise RuntimeError(errors.strided_offset(offset))
    strides = tuple(s * itemsize for s in stride)
    if self.__class__ is np.ndarray:
        there = (self if self.base is None else self.base).nbytes
        needed = layout.extent(tuple(size), strides, itemsize)
        if needed and offset * itemsize + needed > there:
            needed += offset * itemsize
            raise RuntimeError(errors.strided_bounds(size, stride, offset, itemsize, needed, there))
    return tuple(size), strides, offset * itemsize - start


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, strides, start, size, stride, storage_offset: _as_strided_again(
        grad, strides, start, size, stride, storage_offset
    ),
)
def _as_strided_backward(self, shape, strides, start, size, stride, storage_offset):
    """The adjoint of `as_strided`: add into a storage through the view, read it like the input.

    Input elements that share a place in the storage get equal parts of the sum.
    """
    own, view, count = both(shape, strides, start, size, stride, storage_offset, self.itemsize)
    storage = np.zeros(count, self.dtype)
    np.add.at(storage, view, self)
    shared = np.bincount(own.ravel(), minlength=count)
    return (storage / np.maximum(shared, 1).astype(self.real.dtype)).astype(self.dtype)[own]


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, self_shape, strides, start, size, stride, storage_offset: (
        _as_strided_backward(grad, self_shape, strides, start, size, stride, storage_offset)
    ),
)
def _as_strided_again(self, strides, start, size, stride, storage_offset):
    """`as_strided` of a storage that holds `self` in the given geometry, and zeros elsewhere."""
    geometry = (self.shape, strides, start, size, stride, storage_offset, self.itemsize)
    own, view, count = both(*geometry)
    storage = np.zeros(count, self.dtype)
    storage[own] = self
    return storage[view]


def both(
    shape: Any, strides: Any, start: int, size: Any, stride: Any, offset: Any, itemsize: int
) -> tuple[Any, Any, int]:
    """The storage places of an input and of a view of it, and the size of that storage."""
    first = start // itemsize
    seen = first if offset is None else offset
    low = min(first, seen)
    own = places(shape, [s // itemsize for s in strides], first - low)
    view = places(size, stride, seen - low)
    return own, view, 1 + max((int(p.max()) for p in (own, view) if p.size), default=0)


def places(shape: Any, strides: Any, offset: int) -> Any:
    """For each index, the place of its element in the storage."""
    found = np.full(shape, offset, np.int64)
    for dim, (n, step) in enumerate(zip(shape, strides, strict=True)):
        found += (np.arange(n, dtype=np.int64) * step).reshape((n,) + (1,) * (len(shape) - dim - 1))
    return found
