"""Inverses, systems of equations, powers of matrices, cross products."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors, layout
from course_lib.facts.dims import wrap_dim
from course_lib.facts.meta import MetaArray
from course_lib.forms.declare import op
from course_lib.forms.methods import attach_as
from course_lib.ops.matmul import flipped, matmul, product
from course_lib.ops.squeezing import unsqueeze

__all__ = ["cross", "inverse", "matrix_power"]


def times(a: Any, b: Any) -> Any:
    """The product of (batches of) matrices, arrays or tensors."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return matmul(a, b)
    return product(a, b)


def by_columns(array: Any) -> Any:
    """The same matrices with their columns contiguous: how LAPACK leaves its results."""
    if array.__class__ is not np.ndarray:
        return array
    order = [*range(array.ndim - 2), array.ndim - 1, array.ndim - 2]
    laid = layout.empty_permuted(array.shape, order, array.dtype)
    laid[...] = array
    return laid


def first_singular(array: np.ndarray) -> tuple[int | None, int]:
    """Which matrix of a batch has no inverse (None: there is no batch), and its zero pivot."""
    size = array.shape[-1]
    for at, matrix in enumerate(array.reshape(-1, size, size)):
        rest = matrix.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
        for k in range(size):
            row = k + int(np.argmax(np.abs(rest[k:, k])))
            if rest[row, k] == 0:
                return (at if array.ndim > 2 else None), k + 1
            rest[[k, row]] = rest[[row, k]]
            rest[k + 1 :] -= np.outer(rest[k + 1 :, k] / rest[k, k], rest[k])
    return (0 if array.ndim > 2 else None), size


# ---- inverses ------------------------------------------------------------------------------------


def check_inv(self: Any) -> None:
    """Raise PyTorch's error unless there may be an inverse."""
    errors.check_square("linalg.inv", self)
    errors.check_precision("linalg.inv", self)


@op(
    kind="promote",
    node="LinalgInvExBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    check=check_inv,
    self=lambda grad, result: -times(flipped(result), times(grad, flipped(result))),
    holomorphic=True,
)
def inv(self: Any) -> Any:
    """The inverse of a square matrix, or of each matrix of a batch.

    >>> torch.linalg.inv(torch.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    if self.__class__ is MetaArray:
        return MetaArray(self.shape, self.dtype)
    try:
        return by_columns(np.linalg.inv(self))
    except np.linalg.LinAlgError:
        where, pivot = first_singular(self)
        raise errors.singular("linalg.inv", errors.zero_pivot(pivot), where) from None


def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix; the same as `torch.linalg.inv`.

    >>> torch.inverse(torch.tensor([[4.]]))
    tensor([[0.2500]])
    """
    return inv(input, out=out)


def check_solve(A: Any, B: Any, left: bool) -> None:
    """Raise PyTorch's error unless the equations fit."""
    errors.check_float("linalg.solve", A)
    errors.check_square("linalg.solve", A)
    if A._dtype is not B._dtype:
        raise RuntimeError(errors.solve_dtypes(A, B))
    a, b = A._array.shape, B._array.shape
    vector = is_vector(a, b)
    if not vector:
        errors.check_matrix("linalg.solve", B, "B")
    rows = (*b, 1) if vector else b
    if rows[-2 if left else -1] != a[-1]:
        raise RuntimeError(errors.solve_shapes(left, a, rows))


def is_vector(a: tuple, b: tuple) -> bool:
    """Whether the right-hand side is a vector, or one vector for each matrix."""
    return len(b) == 1 or (len(a) - 1 == len(b) and b == a[:-1])


@op(
    kind="promote",
    node="LinalgSolveExBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("A", "B"),
    check=check_solve,
    A=lambda grad, A, result, A_shape, B_shape, left: solve_gradient(
        grad, A, result, is_vector(A_shape, B_shape), left
    ),
    B=lambda grad, A, left: solved(flipped(A), grad, left),
    holomorphic=True,
)
def solved(A: Any, B: Any, left: bool) -> Any:
    """The X of ``A X = B``, or of ``X A = B``."""
    if is_vector(A.shape, B.shape):
        found = solved_array(A, B[..., None])[..., 0]
        return by_columns(found) if found.ndim > 1 else found.copy()
    if left:
        return by_columns(solved_array(A, B))
    turned = solved_array(flipped(A), flipped(B))
    return layout.owned(np.ascontiguousarray(flipped(turned)))


def solved_array(A: Any, B: Any) -> Any:
    """The X of ``A X = B`` for arrays."""
    try:
        return np.linalg.solve(A, B)
    except np.linalg.LinAlgError:
        where, _ = first_singular(A)
        raise errors.singular("torch.linalg.solve", errors.SOLVE_SINGULAR, where) from None


def solve_gradient(grad: Any, A: Any, result: Any, vector: bool, left: bool) -> Any:
    """The gradient of a solution for the matrix of the equations."""
    inner = solved(flipped(A), grad, left)
    if vector:
        return -(unsqueeze(inner, -1) * unsqueeze(result, -2))
    return -times(inner, flipped(result)) if left else -times(flipped(result), inner)


def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Tensor | None = None) -> Tensor:
    """The X of ``A X = B`` (or, not `left`, of ``X A = B``), for a square matrix or a batch.

    >>> torch.linalg.solve(torch.tensor([[2., 0.], [0., 4.]]), torch.tensor([1., 1.]))
    tensor([0.5000, 0.2500])
    """
    errors.require_tensors("linalg_solve", A=A, B=B)
    return solved(A, B, left, out=out)


# ---- powers --------------------------------------------------------------------------------------


def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """The product of `n` equal matrices; of their inverses if `n` is negative.

    >>> torch.matrix_power(torch.tensor([[1, 1], [0, 1]]), 5)
    tensor([[1, 5],
            [0, 1]])
    """
    if not isinstance(n, int) or isinstance(n, bool):
        raise TypeError(errors.power_not_int(n))
    errors.check_square("linalg.matrix_power", input)
    result = powered(input, n)
    if out is not None:
        from course_lib.forms.out import put

        put(out, result._array)
        return out
    return result


def powered(A: Any, n: int) -> Any:
    """`A` to the power `n`, by squaring."""
    if n == 0:
        ones = Tensor._make(np.eye(A._array.shape[-1], dtype=A._array.dtype), A._dtype)
        return A.clone().copy_(ones)
    if n == 1:
        return A.clone()
    if n < 0:
        A, n = inv(A), -n
        if n == 1:
            return A
    if n == 2:
        return matmul(A, A)
    if n == 3:
        return matmul(matmul(A, A), A)
    result, square = None, None
    while n:
        square = A if square is None else matmul(square, square)
        if n & 1:
            result = square if result is None else matmul(result, square)
        n >>= 1
    return result


# ---- cross products ------------------------------------------------------------------------------


def check_cross(self: Any, other: Any, dim: int) -> None:
    """Raise PyTorch's error unless there are vectors of three along `dim`."""
    errors.require_tensors("linalg_cross", self=self, other=other)
    a, b = self._array, other._array
    if a.ndim != b.ndim:
        raise RuntimeError(errors.CROSS_RANKS)
    at = wrap_dim(dim, a.ndim)
    if not a.ndim or a.shape[at] != 3 or b.shape[at] != 3:
        sizes = (1, 1) if not a.ndim else (a.shape[at], b.shape[at])
        raise RuntimeError(errors.cross_length(dim, *sizes))
    errors.check_broadcast([a, b])
    if self._dtype is not other._dtype:
        raise RuntimeError(errors.expected_scalar_type(self, other))


@op(
    kind="promote",
    node="LinalgCrossBackward0",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("self", "other"),
    check=check_cross,
    self=lambda grad, other, dim: linalg_cross(other, grad, dim),
    other=lambda grad, self, dim: linalg_cross(grad, self, dim),
    holomorphic=True,
)
def linalg_cross(self: Any, other: Any, dim: int) -> Any:
    """The cross product of vectors of three along `dim`."""
    return np.cross(self, other, axis=dim)


def linalg_cross_product(
    input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None
) -> Tensor:
    """The cross product of vectors of three along `dim`: perpendicular to both.

    >>> torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """
    return linalg_cross(input, other, dim, out=out)


def cross(
    input: Tensor, other: Tensor, dim: int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The cross product along `dim`; without it, PyTorch takes the first dimension of size 3.

    >>> torch.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]), dim=0)
    tensor([0, 0, 1])
    """
    if dim is None:
        errors.warn(errors.CROSS_DEPRECATED)
        if 3 not in input._array.shape:
            raise RuntimeError(errors.CROSS_NO_DIM)
        dim = input._array.shape.index(3)
    return linalg_cross(input, other, dim, out=out)


for _name, _method in {
    "inverse": inverse,
    "matrix_power": matrix_power,
    "cross": cross,
}.items():
    attach_as(_name, _method)
