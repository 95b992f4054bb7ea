"""What LAPACK computes: inverses, singular values, eigenvalues of symmetric matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.zeroing import is_complex
from course_lib.ops.linalg.matmul import flipped
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = ["inverse"]


def adjoint(x: Any) -> Any:
    """Rows and columns swapped, and conjugated if complex."""
    return flipped(x).conj() if is_complex(x) else flipped(x)


def by_columns(array: Any, rows: int = 0) -> Any:
    """The same matrices with their columns contiguous: how LAPACK leaves its results.

    `rows`: how many rows there is memory for, if that is more than the matrices have.
    """
    if array.__class__ is not np.ndarray:
        return array
    *batch, m, n = array.shape
    memory = np.empty(math.prod((*batch, n, max(m, rows))), array.dtype)
    step = array.itemsize
    strides = layout.contiguous_strides((*batch, n, max(m, rows)), step)
    laid = layout.restride(memory, array.shape, (*strides[:-2], step, strides[-2]), 0)
    laid[...] = array
    return laid


def factors(name: str, node: str, **facts: Any) -> Any:
    """Declare an operation with several results, which lie in memory as LAPACK leaves them."""
    how: dict[str, Any] = {"method": False, "inplace": False, "layout": "kernel"}
    return op(kind="promote", name=name, node=node, operands=("A",), **how, **facts)


def refuse_complex(vectors: Any, name: str) -> None:
    """Raise if a gradient passes through complex vectors, whose phase means nothing."""
    if is_complex(vectors):
        raise NotImplementedError(errors.absent(f"the gradient of the complex vectors of {name}"))


# ---- inverses ------------------------------------------------------------------------------------


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


def check_inv(A: Any) -> None:
    """Raise PyTorch's error unless the argument has the shape and dtype for an inverse."""
    errors.check_square("linalg.inv", A)
    errors.check_precision("linalg.inv", A)


@factors(
    "linalg_inv_ex",
    "LinalgInvExBackward0",
    refuses=check_inv,
    returns=("inverse", "info"),
    A=lambda grad, inverse: -(adjoint(inverse) @ (grad @ adjoint(inverse))),
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


def inv(A: Any) -> Any:
    """The inverse of a square matrix, or of each matrix of a batch.

    >>> torch.linalg.inv(torch.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return inverted(A)[0]


def inverse(input: Tensor) -> Tensor:
    """The inverse of a square matrix; the same as `torch.linalg.inv`.

    >>> torch.inverse(torch.tensor([[4.]]))
    tensor([[0.2500]])
    """
    return inv(input)


attach_as("inverse", inverse)


# ---- diagonals -----------------------------------------------------------------------------------


@op(kind="same", method=False, layout="contiguous", inplace=False)
def unit(self):
    """The identity matrix with as many rows as there are elements in a row of `self`."""
    return np.broadcast_to(np.eye(self.shape[-1], dtype=self.dtype), (*self.shape, self.shape[-1]))


def diagonal_matrix(x: Any) -> Any:
    """The matrix with these elements on its diagonal and zeros beside it."""
    return unit(x) * unsqueeze(x, -2)


def pairs(values: Any) -> Any:
    """``1 / (value k - value j)`` in row j and column k, and 0 on the diagonal."""
    ones = unit(values)
    return (1 - ones) / (unsqueeze(values, -2) - unsqueeze(values, -1) + ones)


# ---- symmetric matrices --------------------------------------------------------------------------


def check_eigh(A: Any, UPLO: str) -> None:
    """Raise PyTorch's error unless this is a matrix with eigenvalues, and one of its triangles."""
    errors.check_square("linalg.eigh", A)
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(errors.which_triangle(UPLO))
    errors.check_kernel("linalg_eigh_cpu", A, floats_only=True)


@factors(
    "linalg_eigh",
    "LinalgEighBackward0",
    refuses=check_eigh,
    returns=("eigenvalues", "eigenvectors"),
    A=lambda grads, eigenvalues, eigenvectors: eigh_gradient(grads, eigenvalues, eigenvectors),
)
def eigh(A, UPLO="L"):
    """The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, in columns.

    >>> torch.linalg.eigh(torch.tensor([[2., 0.], [0., 1.]])).eigenvalues
    tensor([1., 2.])
    """
    values, vectors = np.linalg.eigh(A, UPLO)
    return layout.owned(values), by_columns(vectors)


def eigh_gradient(grads: Any, values: Any, vectors: Any) -> Any:
    """The gradient of a symmetric matrix's eigenvalues and eigenvectors."""
    on_values, on_vectors = grads
    if on_vectors is None:
        if on_values is None:
            return None
        return (vectors * unsqueeze(on_values, -2)) @ adjoint(vectors)
    refuse_complex(vectors, "eigh")
    inner = adjoint(vectors) @ on_vectors
    inner = (inner - adjoint(inner)) * 0.5 * pairs(values)  # vectors turn, they do not grow
    if on_values is not None:
        inner = inner + diagonal_matrix(on_values)
    return vectors @ (inner @ adjoint(vectors))


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """The eigenvalues of a symmetric matrix, in ascending order.

    >>> torch.linalg.eigvalsh(torch.tensor([[2., 0.], [0., 1.]]))
    tensor([1., 2.])
    """
    return eigh(A, UPLO)[0]


# ---- singular values -----------------------------------------------------------------------------


def check_svd(A: Any, **_: Any) -> None:
    """Raise PyTorch's error unless there is a decomposition."""
    errors.check_matrix("linalg.svd", A)
    errors.check_float("linalg.svd", A)
    errors.check_kernel("linalg_svd_cpu", A)
    errors.check_precision("linalg.svd", A)


@factors(
    "linalg_svd",
    "LinalgSvdBackward0",
    refuses=check_svd,
    returns=("U", "S", "Vh"),
    A=lambda grads, U, S, Vh, full_matrices: svd_gradient(grads, U, S, Vh),
)
def svd(A, full_matrices=True):
    """The factors of ``A = U @ diag(S) @ Vh``: U and Vh orthogonal, S in descending order.

    >>> U, S, Vh = torch.linalg.svd(torch.tensor([[3., 0.], [0., 4.]]))
    >>> S
    tensor([4., 3.])
    """
    u, s, vh = decomposed(A, full_matrices)
    return by_columns(u), layout.owned(s), by_columns(vh)


def decomposed(array: Any, full_matrices: bool) -> Any:
    """NumPy's `svd` of an array, or PyTorch's error if it does not converge."""
    try:
        return np.linalg.svd(array, full_matrices=full_matrices)
    except np.linalg.LinAlgError:
        bad = np.isnan(array).any((-2, -1)).reshape(-1)
        where = int(bad.argmax()) if array.ndim > 2 else None
        raise errors.singular("linalg.svd", errors.SVD_NOT_FINITE, where) from None


def svd_gradient(grads: Any, u: Any, s: Any, vh: Any) -> Any:
    """The gradient of singular values and vectors; vectors beyond the last value have none.

    After J. Townsend, Differentiating the Singular Value Decomposition (2016).
    """
    on_u, on_s, on_vh = grads
    count = s.shape[-1]
    u, vh = u[..., :count], vh[..., :count, :]
    core: Any = 0.0 if on_s is None else diagonal_matrix(on_s)
    if on_u is None and on_vh is None:
        return None if on_s is None else (u * unsqueeze(on_s, -2)) @ vh
    refuse_complex(u, "svd")
    apart = pairs(s * s)  # in row j and column k: 1 / (s_k² - s_j²), and 0 where j is k
    rest: Any = 0.0
    if on_u is not None:
        on_u = on_u[..., :count]
        inner = flipped(u) @ on_u
        core = core + (inner - flipped(inner)) * apart * unsqueeze(s, -2)
        rest = rest + ((on_u - u @ inner) / unsqueeze(s, -2)) @ vh
    if on_vh is not None:
        on_v = flipped(on_vh[..., :count, :])
        inner = vh @ on_v
        core = core + unsqueeze(s, -1) * ((inner - flipped(inner)) * apart)
        rest = rest + (u / unsqueeze(s, -2)) @ flipped(on_v - flipped(vh) @ inner)
    return u @ core @ vh + rest
