"""What LAPACK computes: inverses, eigenvalues, singular values, least squares."""

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, lacking, refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import method
from course_lib.declare.op import op
from course_lib.memory import dims, layout
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.zeroing import is_complex, no_gradient
from course_lib.ops.linalg.matmul import differ, swap_axes
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = ["inverse"]


class _LinAlgError(RuntimeError):
    """Raised for a matrix without the wanted inverse or form: `torch.linalg.LinAlgError`."""

    __module__ = "torch._C"


def adjoint(x: Any) -> Any:
    """Rows and columns swapped, and conjugated if complex."""
    return swap_axes(x).conj() if is_complex(x) else swap_axes(x)


def by_columns(array: Any, rows: int = 0) -> Any:
    """The same matrices with their columns contiguous: how LAPACK leaves its results.

    `rows`: how many rows there is memory for, if that is more than the matrices have.
    """
    *batch, m, n = array.shape
    made = MetaArray if array.__class__ is MetaArray else layout.empty
    memory = made((*batch, n, max(m, rows)), array.dtype)
    *steps, column, row = memory.strides
    laid = layout.restride(memory, array.shape, (*steps, row, column), 0)
    laid[...] = array
    return laid


def factors(name: str, **facts: Any) -> Any:
    """Declare an operation with several results, which lie in memory as LAPACK leaves them."""
    facts |= {"method": False, "inplace": False, "holomorphic": False}
    return op(kind="promote", name=name, layout="kernel", **facts)


def values_gradient(on_values: Any, on_vectors: tuple, left: Any, right: Any) -> Any:
    """The gradient of eigenvalues or singular values, from the vectors on both sides of them."""
    if any(grad is not None for grad in on_vectors):
        no_gradient("eigenvectors and singular vectors")
    return None if on_values is None else (left * unsqueeze(on_values, -2)) @ right


# ---- what they refuse ----------------------------------------------------------------------------


def check_matrix(op: str, A: Any, square: bool = False) -> None:
    """Raise PyTorch's error unless `A` is a (square) matrix or a batch of them."""
    refuse(A._array.ndim < 2, errors.matrix_rank, op)
    m, n = A._array.shape[-2:]
    refuse(square and m != n, errors.not_square, op, m, n)


def check_float(op: str, A: Any, precise: bool = True) -> None:
    """Raise PyTorch's error for integers, and unless `precise` is False for half precision."""
    refuse(A._dtype.category < 2, errors.float_needed, op, A)
    refuse(precise and A._dtype.reduced, errors.low_precision, op, A)


def check_kernel(kernel: str, A: Any, least: int = 0) -> None:
    """Raise PyTorch's error for half precision, and for dtypes below the category `least`."""
    lacking(A._dtype.reduced or A._dtype.category < least, errors.no_kernel, kernel, A)


def singular(op: str, what: str, where: Any) -> _LinAlgError:
    """The error for a matrix without an inverse; `where` is its place in a batch, or None."""
    batch = "" if where is None else f"(Batch element {where}): "
    return _LinAlgError(f"{op}: {batch}{what}")


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


@factors(
    "linalg_inv_ex",
    refuses=(
        lambda A: check_matrix("linalg.inv", A, square=True),
        lambda A: check_float("linalg.inv", A),
    ),
    returns=("inverse", "info"),
    A=lambda grad, inverse: -(adjoint(inverse) @ (grad @ adjoint(inverse))),
)
def inverted(A):
    """The inverse of each matrix, and a 0 for each, since an inverse exists."""
    if A.__class__ is MetaArray:
        return by_columns(A), MetaArray(A.shape[:-2], np.int32)
    try:
        return by_columns(np.linalg.inv(A)), np.zeros(A.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        where, pivot = first_singular(A)
        raise singular("linalg.inv", errors.zero_pivot(pivot), where) from None


def inv(A: Any) -> Any:
    """The inverse of a square matrix, or of each matrix of a batch.

    >>> torch.linalg.inv(torch.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return inverted(A)[0]


@method
def inverse(input: Tensor) -> Tensor:
    """The inverse of a square matrix; the same as `torch.linalg.inv`.

    >>> torch.inverse(torch.tensor([[4.]]))
    tensor([[0.2500]])
    """
    return inv(input)


# ---- symmetric matrices --------------------------------------------------------------------------


@factors(
    "linalg_eigh",
    refuses=(
        lambda A: check_matrix("linalg.eigh", A, square=True),
        lambda A: check_kernel("linalg_eigh_cpu", A, least=2),
    ),
    returns=("eigenvalues", "eigenvectors"),
    A=lambda grads, eigenvalues, eigenvectors: values_gradient(
        grads[0], grads[1:], eigenvectors, adjoint(eigenvectors)
    ),
)
def eigh(A):
    """The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, in columns.

    >>> torch.linalg.eigh(torch.tensor([[2., 0.], [0., 1.]])).eigenvalues
    tensor([1., 2.])
    """
    values, vectors = np.linalg.eigh(A)
    return layout.own_array(values), by_columns(vectors)


def eigvalsh(A: Tensor) -> Tensor:
    """The eigenvalues of a symmetric matrix, in ascending order.

    >>> torch.linalg.eigvalsh(torch.tensor([[2., 0.], [0., 1.]]))
    tensor([1., 2.])
    """
    return eigh(A)[0]


# ---- singular values -----------------------------------------------------------------------------


@factors(
    "linalg_svd",
    refuses=(
        lambda A: check_matrix("linalg.svd", A),
        lambda A: check_float("linalg.svd", A, precise=False),
        lambda A: check_kernel("linalg_svd_cpu", A),
    ),
    returns=("U", "S", "Vh"),
    shows={"S_sym_argsize_minus_1": lambda node: node._shape[1][-1]},
    A=lambda grads, U, S, Vh, full_matrices: values_gradient(
        grads[1], (grads[0], grads[2]), U[..., : S.shape[-1]], Vh[..., : S.shape[-1], :]
    ),
)
def svd(A, full_matrices=True):
    """The factors of ``A = U @ diag(S) @ Vh``: U and Vh orthogonal, S in descending order.

    >>> U, S, Vh = torch.linalg.svd(torch.tensor([[3., 0.], [0., 4.]]))
    >>> S
    tensor([4., 3.])
    """
    u, s, vh = decompose(A, full_matrices)
    return by_columns(u), layout.own_array(s), vh if vh.__class__ is MetaArray else by_columns(vh)


def decompose(array: Any, full_matrices: bool = False) -> Any:
    """NumPy's `svd` of an array, or PyTorch's error if it does not converge."""
    try:
        return np.linalg.svd(array, full_matrices=full_matrices)
    except np.linalg.LinAlgError:
        bad = np.isnan(array).any((-2, -1)).reshape(-1)
        where = int(bad.argmax()) if array.ndim > 2 else None
        raise singular("linalg.svd", errors.SVD_NOT_FINITE, where) from None


# ---- the best approximation where there is no exact solution -------------------------------------


def check_rows(self: Any, b: Any) -> None:
    """Raise PyTorch's error unless the matrix has a row for each row of `b`."""
    one, two = self._array.shape, b._array.shape
    refuse(not 0 <= len(one) - len(two) <= 1, errors.LSTSQ_RANKS)
    at = -1 if len(two) == 1 or two == one[:-1] else -2
    refuse(one[-2] != two[at], errors.lstsq_rows, at)


@factors(
    "linalg_lstsq",
    refuses=(
        Rule(lambda self: self._array.ndim < 2, errors.LSTSQ_DIMS),
        Rule(lambda b: not b._array.ndim, errors.LSTSQ_SCALAR),
        Rule(differ, errors.lstsq_dtypes, of=("self", "b")),
        check_rows,
        Rule(
            lambda self, rcond: rcond is None and (self._dtype.reduced or self._dtype.category < 2),
            errors.LSTSQ_TYPES,
        ),
        lambda self: check_float("linalg.lstsq", self),
    ),
    returns=("solution", "residuals", "rank", "singular_values"),
    self=lambda grad, self, b: no_gradient("torch.linalg.lstsq"),
    b=lambda grad, self, b: no_gradient("torch.linalg.lstsq"),
)
def lstsq(self, b, rcond=None):
    """The least-squares solution: the X for which ``A X`` is closest to B.

    It is computed from singular values.  Beside it there are the rank, and two results that PyTorch
    leaves empty.

    >>> A, B = torch.tensor([[1.], [1.]]), torch.tensor([[2.], [4.]])
    >>> torch.linalg.lstsq(A, B).solution.round()
    tensor([[3.]])
    """
    lacking(self.__class__ is MetaArray, errors.no_meta, "linalg_lstsq.out")
    vector = b.ndim < self.ndim
    rows = b[..., None] if vector else b
    *batch, m, n = self.shape
    batch = list(dims.broadcast(self.shape[:-2], rows.shape[:-2]))
    u, s, vh = decompose(np.broadcast_to(self, (*batch, m, n)))
    share = np.finfo(s.dtype).eps * max(m, n) if rcond is None else rcond
    kept = s > (share * s.max(-1, initial=0, keepdims=True)).astype(s.dtype)  # not 0 by rounding
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype)
    rank = kept.sum(-1, dtype=np.int64) * bool(rows.size)
    found = by_columns(adjoint(vh) @ (adjoint(u) @ rows * inverse[..., None]), m)
    left, values = (layout.empty((0,), s.dtype) for _ in range(2))
    return found[..., 0] if vector else found, left, layout.own_array(np.asarray(rank)), values
