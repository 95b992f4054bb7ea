"""Norms of vectors and matrices, and distances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors, parser
from course_lib.facts.dims import wrap_dim
from course_lib.facts.kinds import NUMBERS
from course_lib.forms.declare import op
from course_lib.forms.methods import attach_as
from course_lib.ops.adjoints import axes, gathered_sum, spread
from course_lib.ops.masks import blank, masked
from course_lib.ops.rounding import sgn
from course_lib.ops.squeezing import unsqueeze

__all__ = ["cdist", "dist", "norm"]

# ---- vectors -------------------------------------------------------------------------------------


@op(
    kind="sum",
    node="LinalgVectorNormBackward0",
    method=False,
    inplace=False,
    layout="contiguous",
    operands=("self",),
    check=errors.check_vector_norm,
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
def linalg_vector_norm(
    self: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Any:
    """The `ord`-norm of the vectors along `dim`; of all elements if `dim` is None.

    >>> torch.linalg.vector_norm(torch.tensor([3., 4.]))
    tensor(5.)
    """
    return length(self, ord, axes(dim, self.ndim), keepdim)


def length(x: Any, ord: Any, along: tuple[int, ...], keepdims: bool) -> Any:
    """The `ord`-norm of an array along some axes."""
    size = np.abs(x)
    how = {"axis": along, "keepdims": keepdims}
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
    """How the `p`-norm changes with `x`; `grad` and `norm` in the shape of `x`; 0 where it is 0."""
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
    """How much of a largest (or smallest) element each one is: those that are equal share."""
    shape = x.shape
    hit = at_norm(x, norm)
    if isinstance(dim, str):  # pairs of rows, in `cdist`
        return hit
    return hit / spread(gathered_sum(hit, shape, dim, False), shape, dim, False)


@op(kind="same", method=False, inplace=False)
def at_norm(self: Any, norm: Any) -> Any:
    """1 where an element has the size of the norm, else 0."""
    size = np.abs(self)
    return (size == norm).astype(size.dtype)


def vector_norm(
    x: Tensor,
    ord: Any = 2,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The `ord`-norm of the vectors along `dim`; of all elements if `dim` is None.

    >>> torch.linalg.vector_norm(torch.tensor([3., -4.]), 1)
    tensor(7.)
    """
    return linalg_vector_norm(x, ord, dim, keepdim, dtype=dtype, out=out)


# ---- matrices ------------------------------------------------------------------------------------


def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of the matrices in the two dimensions `dim`.

    `ord` is "fro", "nuc", 1, 2, inf, or the negative of one of these numbers.

    >>> torch.linalg.matrix_norm(torch.tensor([[3., 0.], [0., 4.]]))
    tensor(5.)
    """
    result = matrix_size(A, ord, tuple(dim), keepdim, dtype)
    if out is not None:
        from course_lib.forms.out import put

        put(out, result._array)
        return out
    return result


def matrix_size(A: Any, ord: Any, dim: tuple, keepdim: bool, dtype: Any) -> Any:
    """What `matrix_norm` gives."""
    errors.check_matrix("linalg.matrix_norm", A)
    errors.check_float("linalg.matrix_norm", A)
    if len(dim) != 2:
        raise RuntimeError(errors.matrix_norm_pair(dim))
    pair = tuple(wrap_dim(d, A._array.ndim) for d in dim)
    if pair[0] == pair[1]:
        raise RuntimeError(errors.matrix_norm_same(pair))
    if ord == "fro":
        return linalg_vector_norm(A, 2, pair, keepdim, dtype=dtype)
    if isinstance(ord, str) and ord != "nuc":
        raise RuntimeError(errors.matrix_norm_order(ord))
    if ord == "nuc" or abs(ord) == 2:
        return spectral(A, ord, pair, keepdim, dtype)
    if abs(ord) not in (1, math.inf):
        raise RuntimeError(errors.matrix_norm_order(ord))
    first, second = pair if abs(ord) == 1 else pair[::-1]
    sums = linalg_vector_norm(A, 1, (first,), keepdim, dtype=dtype)
    if not keepdim and first < second:
        second -= 1
    return (sums.amax if ord > 0 else sums.amin)(second, keepdim)


def spectral(A: Any, ord: Any, pair: tuple, keepdim: bool, dtype: Any) -> Any:
    """The norms that singular values give: their sum, the largest, the smallest."""
    from course_lib.ops.decompositions import svdvals

    ndim = A._array.ndim
    order = (*(d for d in range(ndim) if d not in pair), *pair)
    if dtype is not None:
        A = A.to(dtype)
    values = svdvals(A.permute(order))
    if ord == "nuc":
        result = values.sum(-1, keepdim)
    else:
        result = (values.amax if ord > 0 else values.amin)(-1, keepdim)
    if not keepdim:
        return result
    return result.unsqueeze(-1).permute(tuple(sorted(range(ndim), key=order.__getitem__)))


def linalg_norm(
    A: Tensor,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of a vector or a matrix.

    Without `ord` the 2-norm of all elements (along `dim`); with it, a matrix norm if there are two
    dimensions.

    >>> torch.linalg.norm(torch.tensor([3., 4.]))
    tensor(5.)
    """
    ndim = A._array.ndim
    dims = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(errors.norm_dims(dims))
    if isinstance(ord, str):
        return matrix_norm(A, ord, dims or (0, 1), keepdim, dtype=dtype, out=out)
    if ord is not None and dims is None and ndim not in (1, 2):
        raise RuntimeError(errors.norm_rank(ndim))
    if ord is not None and (len(dims) == 2 if dims else ndim == 2):
        return matrix_norm(A, ord, dims or (0, 1), keepdim, dtype=dtype, out=out)
    return vector_norm(A, 2 if ord is None else ord, dims, keepdim, dtype=dtype, out=out)


def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Tensor | None = None,
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
        parser.fit("linalg", "vector_norm", (input, p, dims, keepdim), {})
    return vector_norm(input, p, dims, keepdim, dtype=dtype, out=out)


def _norm(
    self: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """The norm of all elements, or of the vectors along `dim`.

    >>> torch.tensor([3., 4.]).norm()
    tensor(5.)
    """
    return norm(self, p, dim, keepdim, dtype=dtype)


attach_as("norm", _norm)

# ---- distances -----------------------------------------------------------------------------------


@op(
    kind="promote",
    layout="contiguous",
    inplace=False,
    operands=("self", "other"),
    check=errors.check_dist,
    self=lambda grad, self, other, result, p: norm_gradient(grad, self - other, result, p),
    other=lambda grad, self, other, result, p: -norm_gradient(grad, self - other, result, p),
)
def dist(self: Any, other: Any, p: Any = 2) -> Any:
    """The `p`-norm of ``self - other``.

    >>> torch.dist(torch.tensor([1., 1.]), torch.tensor([4., 5.]))
    tensor(5.)
    """
    errors.check_broadcast([self, other])
    return length(self - other, p, axes(None, max(self.ndim, other.ndim)), False)


@op(
    kind="promote",
    node="CdistBackward0",
    layout="contiguous",
    inplace=False,
    method=False,
    operands=("x1", "x2"),
    check=errors.check_cdist,
    x1=lambda grad, x1, x2, result, p: gathered_sum(
        pairs_gradient(grad, x1, x2, result, p), result.shape, -2, False
    ),
    x2=lambda grad, x1, x2, result, p: (
        -gathered_sum(pairs_gradient(grad, x1, x2, result, p), result.shape, -3, False)
    ),
)
def distances(x1: Any, x2: Any, p: Any) -> Any:
    """The `p`-norms of the differences between all rows of `x1` and all rows of `x2`."""
    errors.check_broadcast([x1[..., :1, :1], x2[..., :1, :1]])
    return length(x1[..., :, None, :] - x2[..., None, :, :], p, (-1,), False)


def pairs_gradient(grad: Any, x1: Any, x2: Any, result: Any, p: Any) -> Any:
    """The gradient for each difference between two rows."""
    difference = unsqueeze(x1, -2) - unsqueeze(x2, -3)
    return norm_gradient(unsqueeze(grad, -1), difference, unsqueeze(result, -1), p, "pairs")


MODES = (
    "use_mm_for_euclid_dist_if_necessary",
    "use_mm_for_euclid_dist",
    "donot_use_mm_for_euclid_dist",
)


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = MODES[0]) -> Tensor:
    """The distance (the `p`-norm of the difference) of each row of `x1` to each row of `x2`.

    `compute_mode` is accepted as in PyTorch; here every mode takes the differences themselves.

    >>> torch.cdist(torch.tensor([[0., 0.]]), torch.tensor([[3., 4.], [0., 1.]]))
    tensor([[5., 1.]])
    """
    if compute_mode not in MODES:
        raise ValueError(errors.compute_mode(compute_mode))
    errors.require_tensors("cdist", x1=x1, x2=x2)
    return distances(x1, x2, p)
