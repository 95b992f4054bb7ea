"""Views of a part: one index, a range, a diagonal, sliding windows, any geometry."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors, layout
from course_lib.facts.dims import wrap_dim
from course_lib.forms.composite import composite
from course_lib.forms.declare import op, view_op

__all__ = ["as_strided", "diagonal", "narrow", "select"]


def embedding(name: str, node: str) -> Any:
    """The adjoint of a view of a part, under the name that PyTorch gives its node."""

    @op(
        kind="same",
        layout="contiguous",
        method=False,
        name=name,
        node=node,
        operands=("self",),
        self=lambda grad, view, args: view(grad, *args),
    )
    def embed(self: Any, shape: Any, view: Any, args: tuple) -> Any:
        """Zeros of `shape` with `self` at the place of the part."""
        if isinstance(self, (np.ndarray, np.generic)):
            whole = np.zeros(shape, self.dtype)
        else:
            whole = np.zeros_like(self, shape=shape, order="C")
        view(whole, *args)[...] = self
        return whole

    return embed


_embed = embedding("_embed", "EmbedBackward0")
_embed_select = embedding("_embed_select", "SelectBackwardBackward0")
_embed_slice = embedding("_embed_slice", "SliceBackwardBackward0")
_embed_diagonal = embedding("_embed_diagonal", "DiagonalBackwardBackward0")


def selected_in_zeros(self: Any, shape: Any, view: Any, args: tuple) -> Any:
    """`_embed_select` of an array in backward, in a hurry."""
    dim, index = args
    whole = np.zeros(shape, self.dtype)
    whole[(WHOLE,) * (dim if dim >= 0 else dim + len(shape)) + (index,)] = self
    return whole


def range_in_zeros(self: Any, shape: Any, view: Any, args: tuple) -> Any:
    """`_embed_slice` of an array in backward, in a hurry."""
    dim, start, end, step = args
    whole = np.zeros(shape, self.dtype)
    whole[(WHOLE,) * (dim if dim >= 0 else dim + len(shape)) + (slice(start, end, step),)] = self
    return whole


_embed_select.op.on_arrays, _embed_slice.op.on_arrays = selected_in_zeros, range_in_zeros


@op(kind="same", layout="contiguous", method=False, operands=("self",))
def _blank(self: Any, shape: Any) -> Any:
    """Zeros of another shape, of the dtype and device of `self`."""
    return np.zeros_like(self, shape=shape, order="C")


WHOLE = slice(None)


def one_of(array: Any, dim: int, index: int) -> Any:
    """`select` as NumPy does it; the `...` keeps one element an array."""
    if dim < 0 or index.__class__ is not int:
        return None
    part = array[(WHOLE,) * dim + (index, ...)] if dim else array[index, ...]
    return part, (index if index >= 0 else index + array.shape[dim]) * array.strides[dim]


@view_op(
    native=one_of,
    self=lambda grad, self_shape, dim, index: _embed_select(grad, self_shape, select, (dim, index)),
)
def select(self: Any, dim: int, index: int) -> Any:
    """A view of everything that has `index` in dimension `dim`, without that dimension.

    >>> torch.tensor([[1, 2], [3, 4]]).select(1, 0)
    tensor([1, 3])
    """
    if not self.ndim:
        raise IndexError(errors.SELECT_SCALAR)
    at, place = wrap_dim(dim, self.ndim), int(index)
    size, step = self.shape[at], self.strides[at]
    if not -size <= place < size:
        raise IndexError(errors.select_range(place, self.shape, at))
    start = (place + size if place < 0 else place) * step
    shape = (*self.shape[:at], *self.shape[at + 1 :])
    return shape, (*self.strides[:at], *self.strides[at + 1 :]), start


def range_of(array: Any, dim: int, start: int, end: int, step: int) -> Any:
    """`slice` as NumPy does it."""
    if not 0 <= dim < array.ndim:
        return None
    part = array[(WHOLE,) * dim + (slice(start, end, step),)] if dim else array[start:end:step]
    if not part.size:
        return None
    return part, (start if start >= 0 else max(start + array.shape[dim], 0)) * array.strides[dim]


@view_op(
    method=False,
    name="slice",
    native=range_of,
    self=lambda grad, self_shape, dim, start, end, step: _embed_slice(
        grad, self_shape, slice_, (dim, start, end, step)
    ),
)
def slice_(self: Any, dim: int, start: int, end: int, step: int) -> Any:
    """A view of the range ``start:end:step`` of dimension `dim`; ends out of range are clipped."""
    at = wrap_dim(dim, self.ndim)
    size = self.shape[at]
    first = min(max(start + size if start < 0 else start, 0), size)
    last = min(max(end + size if end < 0 else end, first), size)
    count = (last - first + step - 1) // step
    shape = (*self.shape[:at], count, *self.shape[at + 1 :])
    strides = (*self.strides[:at], self.strides[at] * step, *self.strides[at + 1 :])
    return shape, strides, first * self.strides[at]


@composite()
def narrow(self: Any, dim: int, start: Any, length: int) -> Any:
    """A view of `length` places of dimension `dim`, from `start` on.

    >>> torch.tensor([0, 1, 2, 3]).narrow(0, 1, 2)
    tensor([1, 2])
    """
    if not self.ndim:
        raise RuntimeError(errors.NARROW_SCALAR)
    if length < 0:
        raise RuntimeError(errors.NARROW_LENGTH)
    if isinstance(start, Tensor):
        if start._array.ndim or start._dtype.category != 1:
            raise RuntimeError(errors.NARROW_START)
        start = start.item()  # type: ignore[attr-defined]
    at = wrap_dim(dim, self.ndim)
    size = self.shape[at]
    if not -size <= start <= size:
        raise IndexError(errors.start_range(start, size))
    start = start + size if start < 0 else start
    if start + length > size:
        raise RuntimeError(errors.narrow_range(start, length, size))
    return slice_(self, dim, start, start + length, 1)


@view_op(
    self=lambda grad, self_shape, offset, dim1, dim2: _embed_diagonal(
        grad, self_shape, diagonal, (offset, dim1, dim2)
    )
)
def diagonal(self: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A view of a diagonal of the matrices in `dim1` and `dim2`, as the last dimension.

    >>> torch.tensor([[1, 2], [3, 4]]).diagonal()
    tensor([1, 4])
    """
    a, b = wrap_dim(dim1, self.ndim), wrap_dim(dim2, self.ndim)
    if a == b:
        raise RuntimeError(errors.diagonal_dims(dim1, dim2))
    rows, columns = self.shape[a], self.shape[b]
    down, right = self.strides[a], self.strides[b]
    count = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    start = 0
    if count:
        start = offset * right if offset >= 0 else -offset * down
    kept = [d for d in range(self.ndim) if d not in (a, b)]
    shape = (*(self.shape[d] for d in kept), count)
    return shape, (*(self.strides[d] for d in kept), down + right), start


# ---- sliding windows -----------------------------------------------------------------------------


@view_op(
    self=lambda grad, self_shape, dimension, size, step: _unfold_backward(
        grad, self_shape, dimension, size, step
    )
)
def unfold(self: Any, dimension: int, size: int, step: int) -> Any:
    """A view of all windows of `size` along a dimension, `step` apart, as a last dimension.

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
def _unfold_backward(self: Any, shape: Any, dimension: int, size: int, step: int) -> Any:
    """The adjoint of `unfold`: each window added back where it was seen."""
    if not shape:
        return np.sum(self)
    at = wrap_dim(dimension, len(shape))
    whole = np.zeros_like(self, shape=shape, order="C")
    windows, count = np.moveaxis(whole, at, -1), self.shape[at]
    parts = np.moveaxis(self, at, -2)
    for place in range(size):
        windows[..., place : place + (count - 1) * step + 1 : step] += parts[..., place]
    return whole


# ---- any geometry --------------------------------------------------------------------------------


@view_op(
    inplace="AsStridedBackward1",
    self=lambda grad, self_shape, self_strides, self_offset, size, stride, storage_offset: (
        _as_strided_backward(
            grad, self_shape, self_strides, self_offset, size, stride, storage_offset
        )
    ),
)
def as_strided(self: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
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
def _as_strided_backward(
    self: Any, shape: Any, strides: Any, start: int, size: Any, stride: Any, storage_offset: Any
) -> Any:
    """The adjoint of `as_strided`: add into the storage as seen, read it as the input saw it.

    An element of the input that shares its place with others gets an equal part of the sum.
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
def _as_strided_again(
    self: Any, strides: Any, start: int, size: Any, stride: Any, storage_offset: Any
) -> Any:
    """What `as_strided` shows of a storage that is 0 but for a tensor of the given geometry."""
    geometry = (self.shape, strides, start, size, stride, storage_offset, self.itemsize)
    own, view, count = both(*geometry)
    storage = np.zeros(count, self.dtype)
    storage[own] = self
    return storage[view]


def both(
    shape: Any, strides: Any, start: int, size: Any, stride: Any, offset: Any, itemsize: int
) -> tuple[Any, Any, int]:
    """The places in the storage of an input and of a view on it, and how many there are."""
    first = start // itemsize
    seen = first if offset is None else offset
    low = min(first, seen)
    own = places(shape, [s // itemsize for s in strides], first - low)
    view = places(size, stride, seen - low)
    return own, view, 1 + max((int(p.max()) for p in (own, view) if p.size), default=0)


def places(shape: Any, strides: Any, offset: int) -> Any:
    """For each index, the element of the storage that it shows."""
    found = np.full(shape, offset, np.int64)
    for dim, (n, step) in enumerate(zip(shape, strides, strict=True)):
        found += (np.arange(n) * step).reshape((n,) + (1,) * (len(shape) - dim - 1))
    return found
