"""Triangles and diagonals of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls.overloads import FACTORY, accepts
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_memory
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.declare.out import into
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.memory.meta import MetaArray
from course_lib.ops.make.creation import finish, located
from course_lib.ops.pick.slices import _embed, diagonal
from course_lib.ops.shape.reshape import reshape
from course_lib.ops.shape.strided import as_strided
from course_lib.words import errors

__all__ = ["diag", "diag_embed", "diagflat", "tril", "tril_indices", "triu", "triu_indices"]


def cut_off(self: Any, kept: Any, name: str) -> Any:
    """`self` with zeros where `kept`, a mask of one matrix, is false."""
    if self.ndim < 2:
        raise RuntimeError(errors.triangle_rank(name))
    return np.where(kept(*self.shape[-2:]), self, np.zeros((), self.dtype))


@op(
    kind="same",
    layout="contiguous",
    inplace=True,
    operands=("self",),
    self=lambda grad, diagonal: tril(grad, diagonal),
)
def tril(self, diagonal=0):
    """The lower triangle of each matrix, up to a diagonal; the rest is 0.

    >>> torch.tril(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 0],
            [3, 4]])
    """
    return cut_off(self, lambda n, m: np.tri(n, m, diagonal, bool), "tril")


@op(
    kind="same",
    layout="contiguous",
    inplace=True,
    operands=("self",),
    self=lambda grad, diagonal: triu(grad, diagonal),
)
def triu(self, diagonal=0):
    """The upper triangle of each matrix, from a diagonal on; the rest is 0.

    >>> torch.triu(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 2],
            [0, 4]])
    """
    return cut_off(self, lambda n, m: ~np.tri(n, m, diagonal - 1, bool), "triu")


INDICES = "int row, int col, int offset = 0, *, " + FACTORY.removeprefix("Tensor out = None, ")


@accepts(INDICES)
def tril_indices(row: int, col: int, offset: int = 0, **options: Any) -> Tensor:
    """The rows and columns of the elements of a lower triangle.

    >>> torch.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return indices("tril", row, col, lambda: np.tri(row, col, offset, bool), **options)


@accepts(INDICES)
def triu_indices(row: int, col: int, offset: int = 0, **options: Any) -> Tensor:
    """The rows and columns of the elements of an upper triangle.

    >>> torch.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    return indices("triu", row, col, lambda: ~np.tri(row, col, offset - 1, bool), **options)


def indices(
    name: str,
    row: int,
    col: int,
    mask: Callable[[], Any],
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    **options: Any,
) -> Tensor:
    """The places where `mask()` is true, row by row."""
    for side, value in (("row", row), ("col", col)):
        if value < 0:
            raise RuntimeError(errors.negative_sides(side, value))
    wanted = dtype or dtypes.int64
    if wanted not in (dtypes.int32, dtypes.int64):
        kind = errors.type_word(wanted)
        raise NotImplementedError(f"\"{name}_indices\" not implemented for '{kind}'")
    found = np.stack(np.nonzero(mask())).astype(wanted.numpy)
    if located(device):
        return finish(MetaArray(found.shape, found.dtype), wanted, requires_grad)
    return finish(layout.owned(found), wanted, requires_grad)


# ---- diagonals -----------------------------------------------------------------------------------


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    self=lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2),
)
def diag_embed(self, offset=0, dim1=-2, dim2=-1):
    """Matrices in dimensions `dim1` and `dim2` with the last dimension as their diagonal.

    >>> torch.diag_embed(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    ndim = self.ndim + 1
    first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if first == second:
        raise RuntimeError(errors.diagonal_dims(dim1, dim2))
    size = (self.shape[-1] if self.ndim else 1) + abs(offset)
    shape = list(self.shape[:-1])
    for dim in sorted((first, second)):
        shape.insert(dim, size)
    whole = np.zeros_like(self, shape=tuple(shape), order="C")
    diagonal(whole, offset, first, second)[...] = self
    return whole


@op(
    kind="same",
    layout="contiguous",
    method=False,
    node="DiagonalBackward0_copy",
    operands=("self",),
    self=lambda grad, self_shape, offset, dim1, dim2: _embed(
        grad, self_shape, diagonal, (offset, dim1, dim2)
    ),
)
def diagonal_copy(self, offset=0, dim1=0, dim2=1):
    """A copy of a diagonal."""
    return diagonal(self, offset, dim1, dim2)


@composite()
def diag(self: Any, diagonal: int = 0, *, out: Any = None) -> Any:
    """The diagonal of a matrix, copied; a vector on the diagonal of a matrix.

    >>> torch.diag(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    if self.ndim == 1:
        if out is not None:
            check_memory(out, ())
        return into(out, diag_embed(self, diagonal), "diag")
    if self.ndim != 2:
        raise RuntimeError(errors.diag_rank(self.ndim))
    return diagonal_copy(self, diagonal, out=out)


@composite()
def diagflat(self: Any, offset: int = 0) -> Any:
    """A matrix with all elements on its diagonal.

    >>> torch.diagflat(torch.tensor([[1, 2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    return diag_embed(reshape(self, (-1,)), offset)


def _fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """The tensor itself, with one value on its diagonal.

    With `wrap`, the diagonal of a tall matrix starts again below, after one row.

    >>> torch.zeros(2, 2).fill_diagonal_(5)
    tensor([[5., 0.],
            [0., 5.]])
    """
    shape, ndim = self._array.shape, self._array.ndim
    if ndim < 2:
        raise RuntimeError(errors.FILL_DIAGONAL_RANK)
    if ndim > 2 and len(set(shape)) > 1:
        raise RuntimeError(errors.FILL_DIAGONAL_SIZES)
    strides = [s // self._dtype.itemsize for s in self._array.strides]
    step, side, start = sum(strides), min(shape), self._offset() // self._dtype.itemsize
    as_strided(self, (side,), (step,), start).fill_(fill_value)
    height, width = shape[:2]
    if wrap and ndim == 2 and height > width + 1:
        count = (height * width + width) // (width + 1) - side
        start += strides[0] * (width + 1)
        as_strided(self, (count,), (step,), start).fill_(fill_value)
    return self


_fill_diagonal_.__name__ = "fill_diagonal_"
attach_as("fill_diagonal_", _fill_diagonal_)
