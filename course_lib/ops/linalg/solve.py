"""Inverses, and systems of equations."""

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
from course_lib.ops.linalg.matmul import flipped
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = [
    "inverse",
]


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
def inverted(A):
    """The inverse of each matrix, and a 0 for each, since an inverse exists."""
    if A.__class__ is MetaArray:
        return MetaArray(A.shape, A.dtype), MetaArray(A.shape[:-2], np.int32)
    try:
        return by_columns(np.linalg.inv(A)), np.zeros(A.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        where, pivot = first_singular(A)
        raise errors.singular("linalg.inv", errors.zero_pivot(pivot), where) from None


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


attach_as("inverse", inverse)
