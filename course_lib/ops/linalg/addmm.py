"""A product plus a tensor, as one operation: ``beta * self + alpha * (…)``."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.ops.elementwise import with_numbers
from course_lib.ops.linalg.matmul import (
    bmm,
    by_columns,
    flipped,
    mm,
    product,
    small_product,
)
from course_lib.words import errors

__all__ = ["addmm", "baddbmm"]


def scaled(array: Any, factor: Any) -> Any:
    """`array` times a number taken in the array's dtype."""
    return array if factor == 1 else array * kinds.scalar(factor, array.dtype)


def added(self: Any, result: Any, beta: Any, alpha: Any) -> Any:
    """``beta * self + alpha * result``; with a `beta` of 0, even a nan in `self` is ignored."""
    result = scaled(result, alpha)
    if beta == 0:
        return result
    return np.add(scaled(self, beta), result)


def times(grad: Any, factor: Any) -> Any:
    """A gradient times the factor of its term."""
    return grad if factor == 1 else with_numbers.times(grad, factor)


def small_sum(bias: Any, a: Any, b: Any) -> Any:
    """``bias + a @ b`` for matrices that fit and a bias per column, else None."""
    if bias.ndim != 1 or bias.shape[0] != b.shape[-1] or bias.__class__ is not np.ndarray:
        return None
    result = small_product(a, b)
    return None if result is None else np.add(result, bias, out=result)


@op(
    kind="promote",
    layout="contiguous",
    inplace=True,
    product=small_sum,
    operands=("self", "mat1", "mat2"),
    refuses=errors.check_addmm,
    self=lambda grad, beta: times(grad, beta),
    mat1=lambda grad, mat2, mat1_shape, mat1_strides, alpha: times(
        flipped(mm(mat2, flipped(grad)))
        if by_columns(grad, mat1_shape, mat1_strides)
        else mm(grad, flipped(mat2)),
        alpha,
    ),
    mat2=lambda grad, mat1, mat2_shape, mat2_strides, alpha: times(
        flipped(mm(flipped(grad), mat1))
        if by_columns(grad, mat2_shape, mat2_strides)
        else mm(flipped(mat1), grad),
        alpha,
    ),
    holomorphic=True,
)
def addmm(self, mat1, mat2, *, beta=1, alpha=1):
    """``beta * self + alpha * (mat1 @ mat2)``: what a linear layer computes.

    >>> x, w = torch.ones(2, 3), torch.ones(3, 2)
    >>> torch.addmm(torch.tensor([10., 20.]), x, w)
    tensor([[13., 23.],
            [13., 23.]])
    """
    return added(self, product(mat1, mat2), beta, alpha)


@op(
    kind="promote",
    layout="contiguous",
    inplace=True,
    operands=("self", "batch1", "batch2"),
    refuses=errors.check_baddbmm,
    self=lambda grad, beta: times(grad, beta),
    batch1=lambda grad, batch2, alpha: times(bmm(grad, flipped(batch2)), alpha),
    batch2=lambda grad, batch1, alpha: times(bmm(flipped(batch1), grad), alpha),
    holomorphic=True,
)
def baddbmm(self, batch1, batch2, *, beta=1, alpha=1):
    """``beta * self + alpha * bmm(batch1, batch2)``.

    >>> torch.baddbmm(torch.ones(1), torch.ones(2, 1, 3), torch.ones(2, 3, 1)).flatten()
    tensor([4., 4.])
    """
    return added(self, product(batch1, batch2), beta, alpha)
