"""Distances: between two tensors, and between all rows of two matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.dims import check_broadcast
from course_lib.ops.elementwise.zeroing import masked
from course_lib.ops.linalg.matmul import flipped
from course_lib.ops.linalg.norms import length, norm_gradient
from course_lib.ops.reduce.adjoints import gathered_sum
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = [
    "cdist",
]


@op(
    kind="promote",
    node="CdistBackward0",
    layout="contiguous",
    inplace=False,
    method=False,
    operands=("x1", "x2"),
    x1=lambda grad, x1, x2, result, p: gathered_sum(
        pairs_gradient(grad, x1, x2, result, p), result.shape, -2, False
    ),
    x2=lambda grad, x1, x2, result, p: gathered_sum(
        -pairs_gradient(grad, x1, x2, result, p), result.shape, -3, False
    ),
)
def distances(x1, x2, p):
    """The `p`-norms of the differences between all rows of `x1` and all rows of `x2`."""
    if x1.shape[-2] > x2.shape[-2]:  # the longer side innermost: NumPy loops over the other one
        return np.swapaxes(pairs(x2, x1, p), -1, -2)
    return pairs(x1, x2, p)


def pairs(few: Any, many: Any, p: Any) -> Any:
    """The same, with the coordinates as the first dimension while it computes."""
    rank = max(few.ndim, many.ndim)
    one, other = (
        np.moveaxis(rows.reshape((1,) * (rank - rows.ndim) + rows.shape), -1, 0)
        for rows in (few, many)
    )
    return length(one[..., :, None] - np.ascontiguousarray(other)[..., None, :], p, (0,), False)


def pairs_gradient(grad: Any, x1: Any, x2: Any, result: Any, p: Any) -> Any:
    """The gradient for each difference between two rows."""
    difference = unsqueeze(x1, -2) - unsqueeze(x2, -3)
    return norm_gradient(unsqueeze(grad, -1), difference, unsqueeze(result, -1), p, "pairs")


@op(
    kind="promote",
    name="_euclidean_dist",
    node="EuclideanDistBackward0",
    layout="contiguous",
    inplace=False,
    method=False,
    operands=("x1", "x2"),
    x1=lambda grad, x1, x2, result: pulled(shares(grad, result), x1, x2),
    x2=lambda grad, x1, x2, result: pulled(flipped(shares(grad, result)), x2, x1),
)
def by_products(x1, x2):
    """The distances between all rows, each from |x|² - 2 x·y + |y|², by one matrix product."""
    one, other = (np.add.reduce(x * x, axis=-1, keepdims=True) for x in (x1, x2))
    left = np.concatenate([x1 * -2, one, np.ones_like(one)], axis=-1)
    right = np.concatenate([x2, np.ones_like(other), other], axis=-1)
    result = np.matmul(left, np.swapaxes(right, -1, -2))
    np.maximum(result, 0, out=result)  # rounding may leave less than nothing
    return np.sqrt(result, out=result)


def shares(grad: Any, result: Any) -> Any:
    """The gradient of each distance over the distance; 0 at a distance of 0."""
    return masked(grad / result, result != 0)


def pulled(ratio: Any, x: Any, y: Any) -> Any:
    """The sum of ``ratio * (x - y)`` for each row of `x` with all rows of `y`."""
    return x * gathered_sum(ratio, ratio.shape, -1, True) - ratio @ y


MANY = 25  # rows: with more, PyTorch takes a matrix product, which is faster and less exact


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The distance (the `p`-norm of the difference) of each row of `x1` to each row of `x2`.

    Euclidean distances of more than 25 rows come from a matrix product: small distances between
    large rows are less exact then.

    >>> torch.cdist(torch.tensor([[0., 0.]]), torch.tensor([[3., 4.], [0., 1.]]))
    tensor([[5., 1.]])
    """
    errors.require_tensors("cdist", x1=x1, x2=x2)
    errors.check_cdist(x1, x2, p)
    check_broadcast([x1._array[..., :1, :1], x2._array[..., :1, :1]])
    (*one, rows, size), (*other, columns, _) = x1._array.shape, x2._array.shape
    products = p == 2 and max(rows, columns) > MANY and 0 not in x1._array.shape + x2._array.shape
    errors.check_cdist_dtypes(x1, x2, products)
    if not products:
        return distances(x1, x2, p)
    batch = np.broadcast_shapes(tuple(one), tuple(other))
    count = math.prod(batch)
    if count > 1:
        x1 = x1.expand(*batch, rows, size).contiguous().view(count, rows, size)
        x2 = x2.expand(*batch, columns, size).contiguous().view(count, columns, size)
    return by_products(x1, x2).view(*batch, rows, columns)
