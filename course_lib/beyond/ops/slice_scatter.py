"""A copy with one part replaced: the writing counterparts of `select`, slices and `diagonal`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from course_lib.memory import layout
from course_lib.ops.elementwise.zeroing import blank
from course_lib.ops.make.fill import written
from course_lib.ops.pick.slices import diagonal, select, slice_
from course_lib.ops.shape.strided import as_strided
from course_lib.words import errors

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]


def replace(window: Any, src: Any) -> None:
    """Write `src` into a view of exactly its shape."""
    if window.shape != np.shape(src):
        raise RuntimeError(errors.patch_shape(np.shape(src), window.shape))
    window[...] = src


@written(
    inplace=False,
    copy="exact",
    operands=("self",),
    self=lambda grad, src_shape, dim, index: select_scatter(
        grad, blank(select(grad, dim, index)), dim, index
    ),
    src=lambda grad, dim, index: select(grad, dim, index),
)
def select_scatter(self, src, dim, index):
    """A copy of `self` with `src` at `index` of dimension `dim`.

    >>> torch.zeros(2, 2).select_scatter(torch.ones(2), 0, 1)
    tensor([[0., 0.],
            [1., 1.]])
    """
    replace(select(self, dim, index), src)


@written(
    inplace=False,
    copy="exact",
    operands=("self",),
    self=lambda grad, dim, start, end, step: slice_scatter(
        grad, blank(ranged(grad, dim, start, end, step)), dim, start, end, step
    ),
    src=lambda grad, dim, start, end, step: ranged(grad, dim, start, end, step),
)
def slice_scatter(
    self,
    src,
    dim=0,
    start=None,
    end=None,
    step=1,
):
    """A copy of `self` with `src` in the range ``start:end:step`` of dimension `dim`.

    >>> torch.zeros(4).slice_scatter(torch.ones(2), 0, 1, 3)
    tensor([0., 1., 1., 0.])
    """
    if step < 1:
        raise RuntimeError(errors.PATCH_STEP)
    replace(ranged(self, dim, start, end, step), src)


def ranged(self: Any, dim: int, start: int | None, end: int | None, step: int) -> Any:
    """The view of a range whose ends may be left out."""
    return slice_(self, dim, start or 0, sys.maxsize if end is None else end, step)


@written(
    inplace=False,
    copy="exact",
    operands=("self",),
    self=lambda grad, offset, dim1, dim2: diagonal_scatter(
        grad, blank(diagonal(grad, offset, dim1, dim2)), offset, dim1, dim2
    ),
    src=lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2),
)
def diagonal_scatter(self, src, offset=0, dim1=0, dim2=1):
    """A copy of `self` with `src` on a diagonal.

    >>> torch.zeros(2, 2).diagonal_scatter(torch.ones(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    replace(diagonal(self, offset, dim1, dim2), src)


@written(
    inplace=False,
    copy="exact",
    operands=("self",),
    # NB: the true gradient is zero in the window and `grad` elsewhere; PyTorch has it the other
    # way round, and so have we.
    self=lambda grad, size, stride, storage_offset: as_strided_scatter(
        blank(rowwise(grad)),
        window(grad, size, stride, storage_offset),
        size,
        stride,
        storage_offset,
    ),
    src=lambda grad, size, stride, storage_offset: window(grad, size, stride, storage_offset),
)
def as_strided_scatter(self, src, size, stride, storage_offset=None):
    """A copy of `self` with `src` in the window that `size` and `stride` describe.

    >>> torch.zeros(4).as_strided_scatter(torch.ones(2), (2,), (2,))
    tensor([1., 0., 1., 0.])
    """
    replace(as_strided(self, tuple(size), tuple(stride), storage_offset), src)


def window(grad: Any, size: Any, stride: Any, storage_offset: int | None) -> Any:
    """The window of a gradient."""
    return as_strided(rowwise(grad), size, stride, storage_offset)


def rowwise(grad: Any) -> Any:
    """A gradient in row-major memory, which strides can describe."""
    return layout.owned(grad) if isinstance(grad, np.ndarray) else grad.contiguous()
