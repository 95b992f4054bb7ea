"""Norms of vectors and matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes.kinds import NUMBERS
from course_lib.memory.adding import added
from course_lib.memory.dims import wrap_dim
from course_lib.ops.elementwise.rounding import sgn
from course_lib.ops.elementwise.zeroing import blank, masked
from course_lib.ops.linalg.decompositions import svd
from course_lib.ops.reduce.adjoints import axes, gathered_sum, spread
from course_lib.words import errors

__all__ = ["norm"]

# ---- vectors -------------------------------------------------------------------------------------


@op(
    kind="sum",
    name="linalg_vector_norm",
    node="LinalgVectorNormBackward0",
    method=False,
    inplace=False,
    layout="contiguous",
    operands=("self",),
    refuses=errors.check_vector_norm,
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


def norm_gradient(grad: Any, x: Any, norm: Any, p: Any, dim: Any = None) -> Any:
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
    """1 where an element has the size of the norm, else 0."""
    size = np.abs(self)
    return (size == norm).astype(size.dtype)


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
        raise RuntimeError(errors.matrix_norm_order(ord))
    errors.check_matrix("linalg.matrix_norm", A)
    errors.check_float("linalg.matrix_norm", A)
    if len(dim) != 2:
        raise RuntimeError(errors.matrix_norm_pair(dim))
    ndim = A._array.ndim
    pair = tuple(wrap_dim(d, ndim) for d in dim)
    if pair[0] == pair[1]:
        raise RuntimeError(errors.matrix_norm_same(pair))
    errors.check_norm_dtype("linalg.matrix_norm", A, dtype)
    if ord == "fro":
        return vector_norm(A, 2, pair, keepdim, dtype=dtype)
    if ord == "nuc" or abs(ord) == 2:
        errors.check_precision("linalg.matrix_norm", A)
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
    A: Tensor,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
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
    if isinstance(ord, str):
        return matrix_norm(A, ord, dims or (0, 1), keepdim, dtype=dtype)
    if ord is not None and (len(dims) == 2 if dims else ndim == 2):
        return matrix_norm(A, ord, dims or (0, 1), keepdim, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dims, keepdim, dtype=dtype)


def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
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
