"""Views by their strides: `as_strided`, and the sliding windows of `unfold`."""

import math
from typing import Any

import numpy as np

from course_lib.calls.rules import refuse
from course_lib.declare.op import op, view_op
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.memory.meta import MetaArray
from course_lib.words import errors

__all__ = ["as_strided"]


# ---- their adjoints ------------------------------------------------------------------------------


@op(
    layout="kernel",
    method=False,
    name="_unfold_backward",
    self=lambda grad, source, target, shared: restore(grad, target, source, shared),
)
def restore(self, source, target, shared):
    """An adjoint: what lies at the places `source` of a storage, read at the places `target`.

    What lies at one place is added up; elements of the input that share a place there get equal
    parts: `shared` says for each place how many they are.
    """
    if self.__class__ is MetaArray:
        return MetaArray(target.shape, self.dtype)
    storage = np.zeros(len(shared), self.dtype)
    np.add.at(storage, source.ravel(), np.ravel(self))
    return (storage / shared.astype(self.real.dtype)).astype(self.dtype)[target]


def of_windows(shape: Any, dimension: int, size: int, step: int) -> tuple[Any, Any, Any]:
    """For `unfold`, what `restore` takes: the places of the windows, and those of the input."""
    own = np.arange(math.prod(shape)).reshape(shape)
    return unfold(own, dimension, size, step), own, np.ones(own.size)


def of_strides(own: tuple, view: tuple, itemsize: int) -> tuple[Any, Any, Any]:
    """For `as_strided`, what `restore` takes: the places of the view, and those of the input.

    Both are given by sizes, strides and offset, those of the input in bytes.
    """
    shape, strides, start = own
    first = start // itemsize
    seen = first if view[2] is None else view[2]
    least = min(first, seen)
    own = shape, [n // itemsize for n in strides], first - least
    view = *view[:2], seen - least
    storage = np.arange(max(at + layout.extent(n, by, 1) for n, by, at in (own, view)))
    step = storage.itemsize
    places = [
        layout.restride(storage, tuple(n), tuple(s * step for s in by), at * step)
        for n, by, at in (view, own)
    ]
    return *places, np.maximum(np.bincount(places[1].ravel(), minlength=len(storage)), 1)


# ---- views ---------------------------------------------------------------------------------------


@view_op(
    self=lambda grad, self_shape, dimension, size, step: restore(
        grad, *of_windows(self_shape, dimension, size, step)
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
    refuse(size < 0, errors.unfold_number, "size", size, ">= 0")
    refuse(size > length, errors.unfold_size, at, length, size)
    refuse(step <= 0, errors.unfold_number, "step", step, "> 0")
    count = (length - size) // step + 1
    if not self.ndim:
        return (size,), (stride,), 0
    shape = (*self.shape[:at], count, *self.shape[at + 1 :], size)
    return shape, (*self.strides[:at], stride * step, *self.strides[at + 1 :], stride), 0


@view_op(
    inplace="AsStridedBackward1",
    self=lambda grad, self_shape, self_strides, self_offset, size, stride, storage_offset: restore(
        grad,
        *of_strides(
            (self_shape, self_strides, self_offset), (size, stride, storage_offset), grad.itemsize
        ),
    ),
)
def as_strided(self, size, stride, storage_offset=None):
    """A view of the storage with any sizes, strides and offset, all counted in elements.

    >>> torch.tensor([1, 2, 3, 4]).as_strided((2, 2), (1, 2))
    tensor([[1, 3],
            [2, 4]])
    """
    refuse(len(size) != len(stride), errors.STRIDED_LENGTHS)
    itemsize, start = self.itemsize, layout.offset_of(self)
    refuse(any(s < 0 for s in size), errors.strided_sizes, size, stride)
    refuse(any(s < 0 for s in stride), errors.negative_stride, stride)
    offset = start // itemsize if storage_offset is None else storage_offset
    refuse(offset < 0, errors.strided_offset, offset)
    strides = tuple(s * itemsize for s in stride)
    if self.__class__ is np.ndarray:
        there = (self if self.base is None else self.base).nbytes
        needed = layout.extent(tuple(size), strides, itemsize)
        if needed and offset * itemsize + needed > there:
            needed += offset * itemsize
            raise RuntimeError(errors.strided_bounds(size, stride, offset, itemsize, needed, there))
    return tuple(size), strides, offset * itemsize - start
