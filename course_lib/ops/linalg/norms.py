"""Norms of vectors and matrices, and the distances between the rows of two matrices."""

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import Rule, lacking, refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import method
from course_lib.declare.op import op
from course_lib.dtypes.kinds import NUMBERS
from course_lib.memory.adding import add_along
from course_lib.memory.dims import check_broadcast, wrap_dim, wrap_dims
from course_lib.ops.elementwise.rounding import sgn
from course_lib.ops.elementwise.zeroing import blank, keep_at
from course_lib.ops.linalg.decompositions import check_float
from course_lib.ops.linalg.matmul import dense, differ, swap_axes
from course_lib.ops.pick.masking import masked_fill
from course_lib.ops.reduce.extremes import same, shared_out
from course_lib.ops.reduce.sums import axes, spread, sum_along
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = ["cdist", "norm"]

# ---- vectors -------------------------------------------------------------------------------------


def check_empty(self: Any, ord: Any, dim: Any) -> None:
    """Raise PyTorch's error if there is no number whose size could be the norm."""
    shape = self._array.shape
    dims = () if dim is None else wrap_dims(dim, len(shape))
    if 0 <= ord < math.inf:
        return
    refuse(not dims and 0 in shape, errors.norm_of_nothing, ord)
    for dim in dims:
        refuse(shape and shape[dim] == 0, errors.norm_of_no_vector, ord, dim)


@op(
    kind="sum",
    name="linalg_vector_norm",
    holomorphic=False,
    method=False,
    inplace=False,
    layout="contiguous",
    refuses=(
        Rule(lambda ord: isinstance(ord, complex), errors.NORM_COMPLEX_ORDER),
        lambda self: check_float("linalg.vector_norm", self, precise=False),
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
def vector_norm(self, ord=2, dim=None, keepdim=False):
    """The `ord`-norm of the vectors along `dim`; of all elements if `dim` is None.

    >>> torch.linalg.vector_norm(torch.tensor([3., 4.]))
    tensor(5.)
    """
    return length(self, ord, axes(dim, self.ndim), keepdim)


def length(x: Any, ord: Any, along: tuple[int, ...], keepdims: bool) -> Any:
    """The `ord`-norm of an array along some axes."""
    how = {"axis": along, "keepdims": keepdims}
    if ord == 2 and x.dtype.kind == "f":
        return np.sqrt(add_along(x * x, along, keepdims))
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
        return grad * masked_fill(x / norm, norm == 0, 0)
    if math.isinf(p):  # equal elements share it, but not those of pairs of rows, in `cdist`
        hit = same(abs(x), norm)
        return sgn(x) * ((grad if dim == "pairs" else shared_out(grad, hit, dim, True)) * hit)
    if p < 1:
        return sgn(x) * masked_fill(abs(x) ** (p - 1), x == 0, 0) * grad * norm ** (1 - p)
    direction = sgn(x) * abs(x) ** (p - 1) if p < 2 else x * abs(x) ** (p - 2)
    return direction * masked_fill(grad / norm ** (p - 1), norm == 0, 0)


# ---- vectors or matrices -------------------------------------------------------------------------


def linalg_norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The norm of a vector, or of all elements.

    Without `ord`, the 2-norm of all elements (along `dim`): for a matrix its Frobenius norm, "fro",
    which is the only norm of matrices here.

    >>> torch.linalg.norm(torch.tensor([3., 4.]))
    tensor(5.)
    """
    ndim = A._array.ndim
    dims = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    refuse(dims is not None and len(dims) not in (1, 2), errors.norm_dims, dims)
    refuse(ord is not None and dims is None and ndim not in (1, 2), errors.norm_rank, ndim)
    matrix = len(dims) == 2 if dims else ndim == 2
    if ord is None or (ord == "fro" and matrix):
        one, two = [wrap_dim(dim, ndim) for dim in dims] if ord and dims else (0, 1)
        refuse(one == two, errors.matrix_norm_dims, one, two)
        return vector_norm(A, 2 if ord else 2.0, dims, keepdim)
    refuse_order(ord, matrix or isinstance(ord, str))
    return vector_norm(A, ord, dims, keepdim)


ORDERS = ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)  # of matrices


def refuse_order(ord: Any, wrong: bool) -> None:
    """Raise for the norms of matrices that the course does not have."""
    refuse(wrong and ord not in ORDERS, errors.matrix_norm_order, ord)
    lacking(wrong, errors.absent, f"the norm of a matrix with ord={ord!r}")


@method
def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False) -> Tensor:
    """The norm of all elements, or of the vectors along `dim`.

    >>> torch.norm(torch.tensor([[3., 4.]]))
    tensor(5.)
    """
    dims = [dim] if isinstance(dim, int) else dim
    if isinstance(p, str):
        refuse_order(p, p != "fro")
        if dims is not None:
            refuse(len(dims) > 2, errors.matrix_norm_pair, " ".join(map(str, dims)))
    p = 2 if p is None or isinstance(p, str) else p
    listed = dims if isinstance(dims, (list, tuple)) else ()
    plain = (dims is None or listed is dims) and all(d.__class__ is int for d in listed)
    if not isinstance(p, NUMBERS) or not plain:
        overloads("linalg", "vector_norm").fit((input, p, dims, keepdim), {})
    return vector_norm(input, p, dims, keepdim)


# ---- distances -----------------------------------------------------------------------------------


@dense(
    node="CdistBackward0",
    method=False,
    x1=lambda grad, x1, x2, result, p: sum_along(pairs_gradient(grad, x1, x2, result, p), -2),
    x2=lambda grad, x1, x2, result, p: sum_along(-pairs_gradient(grad, x1, x2, result, p), -3),
)
def distances(x1, x2, p):
    """The `p`-norms of the differences between all rows of `x1` and all rows of `x2`."""
    difference = x1[..., :, None, :] - x2[..., None, :, :]
    coordinates = np.moveaxis(difference, -1, 0).copy()  # added one by one
    return length(coordinates, p, (0,), False)


def pairs_gradient(grad: Any, x1: Any, x2: Any, result: Any, p: Any) -> Any:
    """The gradient for each difference between two rows."""
    difference = unsqueeze(x1, -2) - unsqueeze(x2, -3)
    return norm_gradient(unsqueeze(grad, -1), difference, unsqueeze(result, -1), p, "pairs")


@dense(
    name="_euclidean_dist",
    method=False,
    x1=lambda grad, x1, x2, result: pull_rows(shares(grad, result), x1, x2),
    x2=lambda grad, x1, x2, result: pull_rows(swap_axes(shares(grad, result)), x2, x1),
)
def by_products(x1, x2):
    """The distances between all rows, each from |x|² - 2 x·y + |y|², by one matrix product."""
    one, other = (np.add.reduce(x * x, axis=-1, keepdims=True) for x in (x1, x2))
    left = np.concatenate([x1 * -2, one, np.ones_like(one)], axis=-1)
    right = np.concatenate([x2, np.ones_like(other), other], axis=-1)
    result = np.matmul(left, right.swapaxes(-1, -2))
    np.maximum(result, 0, out=result)  # rounding may leave less than nothing
    return np.sqrt(result, out=result)


def shares(grad: Any, result: Any) -> Any:
    """The gradient of each distance over the distance; 0 at a distance of 0."""
    return keep_at(grad / result, result != 0)


def pull_rows(ratio: Any, x: Any, y: Any) -> Any:
    """The sum of ``ratio * (x - y)`` for each row of `x` with all rows of `y`."""
    return x * sum_along(ratio, -1, True) - ratio @ y


MANY = 25  # rows: with more, PyTorch takes a matrix product, which is faster and less exact


def check_cdist(x1: Any, x2: Any, p: Any) -> None:
    """Raise PyTorch's error unless the rows of both have distances."""
    for at, (name, x) in enumerate((("x1", x1), ("x2", x2)), 1):
        if not isinstance(x, Tensor):
            raise TypeError(errors.other_argument("cdist", name, at, "Tensor", x))
    both = (("X1", x1), ("X2", x2))
    for name, x in both:
        refuse(x._array.ndim < 2, errors.cdist_rank, name, x)
    m, n = x1._array.shape[-1], x2._array.shape[-1]
    refuse(m != n, errors.cdist_columns, m, n)
    for name, x in both:
        refuse(x._dtype.category != 2, errors.cdist_dtype, name, x)
    refuse(p < 0, errors.CDIST_POWER)
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
