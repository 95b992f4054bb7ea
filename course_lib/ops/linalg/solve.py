"""Inverses, systems of equations, powers of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.declare.out import into
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray
from course_lib.ops.linalg.lapack import adjoint, by_columns, times
from course_lib.ops.linalg.matmul import flipped, matmul
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = ["inverse", "matrix_power"]


def first_singular(array: np.ndarray) -> tuple[int | None, int]:
    """The first singular matrix of a batch (None without a batch), and its zero pivot from 1."""
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


def check_inv(A: Any, **_: Any) -> None:
    """Raise PyTorch's error unless the argument has the shape and dtype for an inverse."""
    errors.check_square("linalg.inv", A)
    errors.check_precision("linalg.inv", A)


@op(
    kind="promote",
    name="linalg_inv_ex",
    node="LinalgInvExBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("A",),
    check=check_inv,
    returns=("inverse", "info"),
    A=lambda grad, inverse: -times(adjoint(inverse), times(grad, adjoint(inverse))),
)
def inverted(A, infinite=False):
    """The inverse of each matrix, and where it has none the number of the zero pivot.

    The inverse of a singular matrix is an error, or with `infinite` a matrix of inf.
    """
    if A.__class__ is MetaArray:
        return MetaArray(A.shape, A.dtype), MetaArray(A.shape[:-2], np.int32)
    info = np.zeros(A.shape[:-2], np.int32)
    try:
        return by_columns(np.linalg.inv(A)), info
    except np.linalg.LinAlgError:
        where, pivot = first_singular(A)
        if not infinite:
            raise errors.singular("linalg.inv", errors.zero_pivot(pivot), where) from None
    found = np.full_like(A, np.inf)
    for at in np.ndindex(info.shape):
        try:
            found[at] = np.linalg.inv(A[at])
        except np.linalg.LinAlgError:
            info[at] = pivot
    return by_columns(found), info


def inv(A: Any, *, out: Tensor | None = None) -> Any:
    """The inverse of a square matrix, or of each matrix of a batch.

    >>> torch.linalg.inv(torch.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return into(out, inverted(A)[0], "linalg_inv", "linalg_inv_ex", True)


def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix; the same as `torch.linalg.inv`.

    >>> torch.inverse(torch.tensor([[4.]]))
    tensor([[0.2500]])
    """
    return inv(input, out=out)


def check_solve(A: Any, B: Any, left: bool) -> None:
    """Raise PyTorch's error unless the dtypes and shapes of the equations fit."""
    errors.check_float("linalg.solve", A)
    errors.check_square("linalg.solve", A)
    errors.check_kernel("lu_cpu", A)
    if A._dtype is not B._dtype:
        raise RuntimeError(errors.solve_dtypes(A, B))
    a, b = A._array.shape, B._array.shape
    vector = is_vector(a, b)
    if not vector:
        errors.check_matrix("linalg.solve", B, "B")
    rows = (*b, 1) if vector else b
    if rows[-2 if left else -1] != a[-1]:
        raise RuntimeError(errors.solve_shapes(left, a, rows))
    errors.check_broadcast([np.empty(rows[:-2]), np.empty(a[:-2])])


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
def solved(A, B, left):
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
    """The X of ``A X = B`` (``X A = B`` if `left` is False), for a square matrix or a batch.

    >>> torch.linalg.solve(torch.tensor([[2., 0.], [0., 4.]]), torch.tensor([1., 1.]))
    tensor([0.5000, 0.2500])
    """
    errors.require_tensors("linalg_solve", A=A, B=B)
    return solved(A, B, left, out=out)


# ---- powers --------------------------------------------------------------------------------------


def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """The matrix to the power `n`; of its inverse if `n` is negative.

    >>> torch.matrix_power(torch.tensor([[1, 1], [0, 1]]), 5)
    tensor([[1, 5],
            [0, 1]])
    """
    if not isinstance(n, int) or isinstance(n, bool):
        raise TypeError(errors.power_not_int(n))
    errors.check_square("linalg.matrix_power", input)
    result = powered(input, n)
    return into(out, result, "matrix_power")


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


for _name, _method in {
    "inverse": inverse,
    "matrix_power": matrix_power,
}.items():
    attach_as(_name, _method)
