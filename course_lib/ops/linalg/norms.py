"""Norms of vectors and matrices, and the distances between the rows of two matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import Rule
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes.kinds import NUMBERS
from course_lib.memory.adding import added
from course_lib.memory.dims import check_broadcast, wrap_dim, wrap_dims
from course_lib.ops.elementwise.compare import require_tensors
from course_lib.ops.elementwise.rounding import sgn
from course_lib.ops.elementwise.zeroing import blank, masked
from course_lib.ops.linalg.decompositions import check_float, check_matrix, svd
from course_lib.ops.linalg.matmul import dense, differ, flipped
from course_lib.ops.reduce.adjoints import axes, gathered_sum, spread
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = ["cdist", "norm"]

# ---- vectors -------------------------------------------------------------------------------------


def check_dtype(op: str, self: Any, dtype: Any) -> None:
    """Raise PyTorch's error unless a norm of this tensor can be computed, in `dtype` if given."""
    check_float(op, self, precise=False)
    if dtype is None:
        return
    if not isinstance(dtype, type(self._dtype)):
        raise TypeError(errors.norm_dtype_type(dtype))
    if dtype.category < 2:
        raise RuntimeError(errors.norm_dtype_integer(op, dtype))
    if dtype.is_complex != self._dtype.is_complex:
        kind = "complex" if self._dtype.is_complex else "real"
        raise RuntimeError(errors.norm_dtype_kind(op, kind, dtype))
    if dtype.itemsize < self._dtype.itemsize:
        raise RuntimeError(errors.norm_dtype_narrower(op, self, dtype))


def check_empty(self: Any, ord: Any, dim: Any) -> None:
    """Raise PyTorch's error if there is no number whose size could be the norm."""
    shape = self._array.shape
    dims = () if dim is None else wrap_dims(dim, len(shape))
    if 0 <= ord < math.inf:
        return
    if not dims and 0 in shape:
        raise RuntimeError(errors.norm_of_nothing(ord))
    for dim in dims:
        if shape and shape[dim] == 0:
            raise RuntimeError(errors.norm_of_no_vector(ord, dim))


@op(
    kind="sum",
    name="linalg_vector_norm",
    method=False,
    inplace=False,
    layout="contiguous",
    refuses=(
        Rule(lambda ord: isinstance(ord, str), errors.NORM_TEXT_ORDER, TypeError),
        Rule(lambda ord: isinstance(ord, complex), errors.NORM_COMPLEX_ORDER),
        lambda self, dtype: check_dtype("linalg.vector_norm", self, dtype),
        check_empty,
    ),
    self=lambda grad, self, result, self_shape, ord, dim, keepdim: (
        norm_gradient(
            spread(grad, self_shape, dim, keepdim),
            self,
            spread(result, self_shape, dim, keepdim),
            ord,
            dim,
        )
        if ord != 0
        else None
    ),
)
def vector_norm(self, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The `ord`-norm of the vectors along `dim`; of all elements if `dim` is None.

    >>> torch.linalg.vector_norm(torch.tensor([3., 4.]))
    tensor(5.)
    """
    return length(self, ord, axes(dim, self.ndim), keepdim)


def length(x: Any, ord: Any, along: tuple[int, ...], keepdims: bool) -> Any:
    """The `ord`-norm of an array along some axes."""
    how = {"axis": along, "keepdims": keepdims}
    if ord == 2 and x.dtype.kind == "f":
        return np.sqrt(added(x * x, along, keepdims))
    size = np.abs(x)
    if ord == math.inf:
        return np.maximum.reduce(size, **how)
    if ord == -math.inf:
        return np.minimum.reduce(size, **how)
    if ord == 0:
        return np.add.reduce((size != 0).astype(size.dtype), **how)
    if ord == 1:
        return np.add.reduce(size, **how)
    if ord == 2:
        return np.sqrt(np.add.reduce(size * size, **how))
    return np.power(np.add.reduce(np.power(size, ord), **how), 1 / ord)


def norm_gradient(grad: Any, x: Any, norm: Any, p: Any, dim: Any) -> Any:
    """The gradient of the `p`-norm, for `grad` and `norm` in the shape of `x`; 0 at a norm of 0."""
    if p == 0:
        return blank(x)
    if p == 1:
        return sgn(x) * grad
    if p == 2:
        return masked(x / norm, norm != 0) * grad
    if math.isinf(p):
        return sgn(x) * (grad * share(x, norm, dim))
    if p < 1:
        return masked(sgn(x) * abs(x) ** (p - 1), x != 0) * (grad * norm ** (1 - p))
    scale = masked(grad / norm ** (p - 1), norm != 0)
    if p < 2:
        return sgn(x) * abs(x) ** (p - 1) * scale
    return x * abs(x) ** (p - 2) * scale


def share(x: Any, norm: Any, dim: Any) -> Any:
    """The share of the gradient of the largest (or smallest) element; equal ones share it."""
    shape = x.shape
    hit = at_norm(x, norm)
    if isinstance(dim, str):  # pairs of rows, in `cdist`
        return hit
    return hit / spread(gathered_sum(hit, shape, dim, False), shape, dim, False)


@op(kind="same", method=False, inplace=False)
def at_norm(self, norm):
    """1 where an element has the size of the norm, or both are nan, else 0."""
    size = np.abs(self)
    return ((size == norm) | ((size != size) & (norm != norm))).astype(size.dtype)


# ---- matrices ------------------------------------------------------------------------------------


def matrix_norm(
    A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of the matrices in the two dimensions `dim`.

    `ord` is "fro", "nuc", 1, 2, inf, or the negative of one of these numbers.

    >>> torch.linalg.matrix_norm(torch.tensor([[3., 0.], [0., 4.]]))
    tensor(5.)
    """
    if ord not in ("fro", "nuc") and (isinstance(ord, str) or abs(ord) not in (1, 2, math.inf)):
        raise RuntimeError(errors.matrix_norm_order(ord if isinstance(ord, str) else f"{ord:g}"))
    check_matrix("linalg.matrix_norm", A)
    check_float("linalg.matrix_norm", A, precise=False)
    if len(dim) != 2:
        raise RuntimeError(errors.matrix_norm_pair(" ".join(map(str, dim))))
    pair = tuple(wrap_dim(d, A._array.ndim) for d in dim)
    if pair[0] == pair[1]:
        raise RuntimeError(errors.matrix_norm_same(pair))
    check_dtype("linalg.matrix_norm", A, dtype)
    if ord == "fro":
        return vector_norm(A, 2, pair, keepdim, dtype=dtype)
    if ord == "nuc" or abs(ord) == 2:
        check_float("linalg.matrix_norm", A)
        return spectral(A if dtype is None else A.to(dtype), ord, pair, keepdim)
    first, second = pair if abs(ord) == 1 else pair[::-1]
    sums = vector_norm(A, 1, (first,), keepdim, dtype=dtype)
    return furthest(sums, ord, second - (not keepdim and first < second), keepdim)


def furthest(values: Any, ord: Any, dim: int, keepdim: bool) -> Any:
    """The largest value along a dimension (0 if there is none); the least for a negative order."""
    if ord < 0:
        return values.amin(dim, keepdim)
    return values.amax(dim, keepdim) if values._array.shape[dim] else values.sum(dim, keepdim)


def spectral(A: Any, ord: Any, pair: tuple, keepdim: bool) -> Any:
    """The norms from singular values: their sum, the largest, or the smallest."""
    others = [d for d in range(A._array.ndim) if d not in pair]
    values = svd(A.permute((*others, *pair)), False)[1]
    result = values.sum(-1) if ord == "nuc" else furthest(values, ord, -1, False)
    for d in sorted(pair) if keepdim else ():
        result = result.unsqueeze(d)
    return result


def linalg_norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of a vector or a matrix.

    Without `ord`, the 2-norm of all elements (along `dim`).  With `ord`, a matrix norm if there are
    two dimensions, else a vector norm.

    >>> torch.linalg.norm(torch.tensor([3., 4.]))
    tensor(5.)
    """
    ndim = A._array.ndim
    dims = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(errors.norm_dims(dims))
    if ord is not None and dims is None and ndim not in (1, 2):
        raise RuntimeError(errors.norm_rank(ndim))
    matrices = len(dims) == 2 if dims else ndim == 2
    if isinstance(ord, str) or (ord is not None and matrices):
        return matrix_norm(A, ord, dims or (0, 1), keepdim, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dims, keepdim, dtype=dtype)


def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """The norm of all elements, or of the vectors along `dim`.

    >>> torch.norm(torch.tensor([[3., 4.]]))
    tensor(5.)
    """
    dims = [dim] if isinstance(dim, int) else dim
    if isinstance(p, str):
        if p == "fro" and (dims is None or len(dims) <= 2):
            return vector_norm(input, 2, dims, keepdim, dtype=dtype)
        every = range(input._array.ndim) if dims is None else dims
        return matrix_norm(input, p, tuple(every), keepdim, dtype=dtype)
    p = 2 if p is None else p
    if not isinstance(p, NUMBERS) or (dims and any(d.__class__ is not int for d in dims)):
        overloads("linalg", "vector_norm").fit((input, p, dims, keepdim), {})
    return vector_norm(input, p, dims, keepdim, dtype=dtype)


attach_as("norm", norm)


# ---- distances -----------------------------------------------------------------------------------


@dense(
    node="CdistBackward0",
    method=False,
    x1=lambda grad, x1, x2, result, p: gathered_sum(
        pairs_gradient(grad, x1, x2, result, p), result.shape, -2, False
    ),
    x2=lambda grad, x1, x2, result, p: gathered_sum(
        -pairs_gradient(grad, x1, x2, result, p), result.shape, -3, False
    ),
)
def distances(x1, x2, p):
    """The `p`-norms of the differences between all rows of `x1` and all rows of `x2`."""
    difference = x1[..., :, None, :] - x2[..., None, :, :]
    coordinates = np.ascontiguousarray(np.moveaxis(difference, -1, 0))  # added one by one
    return length(coordinates, p, (0,), False)


def pairs_gradient(grad: Any, x1: Any, x2: Any, result: Any, p: Any) -> Any:
    """The gradient for each difference between two rows."""
    difference = unsqueeze(x1, -2) - unsqueeze(x2, -3)
    return norm_gradient(unsqueeze(grad, -1), difference, unsqueeze(result, -1), p, "pairs")


@dense(
    name="_euclidean_dist",
    method=False,
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


def check_cdist(x1: Any, x2: Any, p: Any) -> None:
    """Raise PyTorch's error unless the rows of both have distances."""
    require_tensors("cdist", x1=x1, x2=x2)
    both = (("X1", x1), ("X2", x2))
    for name, x in both:
        if x._array.ndim < 2:
            raise RuntimeError(errors.cdist_rank(name, x))
    m, n = x1._array.shape[-1], x2._array.shape[-1]
    if m != n:
        raise RuntimeError(errors.cdist_columns(m, n))
    for name, x in both:
        if x._dtype.category != 2:
            raise RuntimeError(errors.cdist_dtype(name, x))
    if p < 0:
        raise RuntimeError(errors.CDIST_POWER)
    check_broadcast([x1._array[..., :1, :1], x2._array[..., :1, :1]])


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The distance (the `p`-norm of the difference) of each row of `x1` to each row of `x2`.

    Euclidean distances of more than 25 rows come from a matrix product: small distances between
    large rows are less exact then.

    >>> torch.cdist(torch.tensor([[0., 0.]]), torch.tensor([[3., 4.], [0., 1.]]))
    tensor([[5., 1.]])
    """
    check_cdist(x1, x2, p)
    (*one, rows, size), (*other, columns, _) = x1._array.shape, x2._array.shape
    products = p == 2 and max(rows, columns) > MANY and 0 not in x1._array.shape + x2._array.shape
    if differ(x1, x2):  # the sentence is that of the product of two matrices, or of two batches
        matrices = products and not one and not other
        raise RuntimeError((errors.two_dtypes if matrices else errors.expected_scalar_type)(x1, x2))
    if not products:
        return distances(x1, x2, p)
    batch = np.broadcast_shapes(tuple(one), tuple(other))
    count = math.prod(batch)
    if count > 1:
        x1 = x1.expand(*batch, rows, size).contiguous().view(count, rows, size)
        x2 = x2.expand(*batch, columns, size).contiguous().view(count, columns, size)
    return by_products(x1, x2).view(*batch, rows, columns)
