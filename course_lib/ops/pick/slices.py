"""Views of a part: one index, a range, a diagonal."""

from typing import Any

import numpy as np

from course_lib.calls.rules import refuse, refuse_index, refuse_type
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op, view_op
from course_lib.memory.dims import wrap_dim
from course_lib.memory.meta import MetaArray
from course_lib.words import errors

__all__ = ["diagonal", "narrow", "select"]


def embedding(view: str) -> Any:
    """The adjoint of a view of a part, under the name that PyTorch gives its node."""

    @op(
        layout="contiguous",
        method=False,
        name=f"_embed_{view}",
        node=f"{view}BackwardBackward0",
        self=lambda grad, view, args: view(grad, *args),
    )
    def embed(self, shape, view, args):
        """Zeros of `shape` with `self` at the place of the part."""
        if isinstance(self, MetaArray):
            return MetaArray(shape, self.dtype)
        whole = np.zeros(shape, self.dtype)
        part = view.op.native and view.op.native(whole, *args)
        (part[0] if part else view(whole, *args))[...] = self
        return whole

    return embed


_embed_select, _embed_slice = embedding("Select"), embedding("Slice")
_embed_diagonal = embedding("Diagonal")


@op(layout="contiguous", method=False, operands=("self",))
def blank_of(self, shape):
    """Zeros of another shape, of the dtype and device of `self`."""
    return np.zeros_like(self, shape=shape, order="C", subok=False)


WHOLE = slice(None)


def one_of(array: Any, dim: int, index: int) -> Any:
    """The fast path of `select`, by NumPy; the `...` keeps a single element an array."""
    if dim.__class__ is not int or dim < 0 or index.__class__ is not int:
        return None
    part = array[(WHOLE,) * dim + (index, ...)] if dim else array[index, ...]
    return part, (index if index >= 0 else index + array.shape[dim]) * array.strides[dim]


@view_op(
    native=one_of,
    self=lambda grad, self_shape, dim, index: _embed_select(grad, self_shape, select, (dim, index)),
)
def select(self, dim, index):
    """A view of the entries at `index` along `dim`, without that dimension.

    >>> torch.tensor([[1, 2], [3, 4]]).select(1, 0)
    tensor([1, 3])
    """
    refuse_index(not self.ndim, errors.of_scalar, "select")
    refuse_type(index.__class__ is not int, errors.dim_type, index)
    at, place = wrap_dim(dim, self.ndim), index
    size, step = self.shape[at], self.strides[at]
    refuse_index(not -size <= place < size, errors.select_range, place, self.shape, at)
    start = (place + size if place < 0 else place) * step
    shape = (*self.shape[:at], *self.shape[at + 1 :])
    return shape, (*self.strides[:at], *self.strides[at + 1 :]), start


def range_of(array: Any, dim: int, start: int, end: int, step: int) -> Any:
    """The fast path of `slice`, by NumPy."""
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
def slice_(self, dim, start, end, step):
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
    """A view of `length` entries along `dim`, beginning at `start`.

    >>> torch.tensor([0, 1, 2, 3]).narrow(0, 1, 2)
    tensor([1, 2])
    """
    refuse(not self.ndim, errors.of_scalar, "narrow")
    refuse(length < 0, errors.NARROW_LENGTH)
    if isinstance(start, Tensor):
        refuse(start._array.ndim or start._dtype.category != 1, errors.NARROW_START)
        start = start.item()
    at = wrap_dim(dim, self.ndim)
    size = self.shape[at]
    refuse_index(not -size <= start <= size, errors.start_range, size, start)
    start = start + size if start < 0 else start
    refuse(start + length > size, errors.narrow_range, start, length, size)
    return slice_(self, dim, start, start + length, 1)


@view_op(
    self=lambda grad, self_shape, offset, dim1, dim2: _embed_diagonal(
        grad, self_shape, diagonal, (offset, dim1, dim2)
    )
)
def diagonal(self, offset=0, dim1=0, dim2=1):
    """A view of a diagonal of the matrices in `dim1` and `dim2`, as the last dimension.

    >>> torch.tensor([[1, 2], [3, 4]]).diagonal()
    tensor([1, 4])
    """
    refuse_type(offset.__class__ is not int, errors.dim_type, offset)
    a, b = wrap_dim(dim1, self.ndim), wrap_dim(dim2, self.ndim)
    refuse(a == b, errors.diagonal_dims, dim1, dim2)
    rows, columns = self.shape[a], self.shape[b]
    down, right = self.strides[a], self.strides[b]
    count = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    start = 0
    if count:
        start = offset * right if offset >= 0 else -offset * down
    kept = [d for d in range(self.ndim) if d not in (a, b)]
    shape = (*(self.shape[d] for d in kept), count)
    return shape, (*(self.strides[d] for d in kept), down + right), start
