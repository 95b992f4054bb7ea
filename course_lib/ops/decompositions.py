"""Decompositions of matrices: singular values, eigenvalues, triangular factors.

Values come from LAPACK through NumPy.  Gradients are there for singular values, for symmetric
eigenvalues and their vectors, and for Cholesky factors; where one is missing, a matrix that
requires grad is refused rather than forgotten.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors, layout
from course_lib.facts.meta import MetaArray
from course_lib.facts.modes import modes
from course_lib.facts.return_types import return_type
from course_lib.forms.declare import op
from course_lib.ops.matmul import conjugable, flipped
from course_lib.ops.solving import by_columns, inv, times
from course_lib.ops.squeezing import unsqueeze

__all__: list[str] = []


def checked(name: str, square: bool = False) -> Any:
    """A check that the argument is a matrix of floats, square if it must be."""

    def check(self: Any, **_: Any) -> None:
        (errors.check_square if square else errors.check_matrix)(name, self)
        errors.check_precision(name, self)

    return check


def refuse_gradient(name: str, *inputs: Tensor) -> None:
    """Raise if a gradient would be wanted that is not there."""
    if modes.grad and any(x.requires_grad for x in inputs):
        raise NotImplementedError(errors.no_gradient(name))


def adjoint(x: Any) -> Any:
    """Rows and columns swapped, and conjugated if complex."""
    return flipped(x).conj() if conjugable(x) else flipped(x)


# ---- singular values -----------------------------------------------------------------------------


@op(
    kind="promote",
    node="LinalgSvdBackward0",
    layout="contiguous",
    method=False,
    inplace=False,
    check=checked("linalg.svd"),
    self=lambda grad, self: svdvals_gradient(grad, *factors(self)),
)
def svdvals(self: Any) -> Any:
    """The singular values of a matrix, largest first.

    >>> torch.linalg.svdvals(torch.tensor([[3., 0.], [0., 4.]]))
    tensor([4., 3.])
    """
    return np.linalg.svd(self, compute_uv=False)


@op(kind="promote", layout="contiguous", method=False, inplace=False, returns=("U", "Vh"))
def factors(self: Any) -> Any:
    """The singular vectors: the columns of U, the rows of Vh."""
    u, _, vh = np.linalg.svd(self, full_matrices=False)
    return u, vh


def svdvals_gradient(grad: Any, u: Any, vh: Any) -> Any:
    """The gradient of singular values: each changes along its pair of vectors."""
    return times(u * unsqueeze(grad, -2), vh)


def svd(A: Tensor, full_matrices: bool = True, *, driver: Any = None) -> Any:
    """The factors of ``A = U @ diag(S) @ Vh``, U and Vh orthogonal, S falling.

    >>> U, S, Vh = torch.linalg.svd(torch.tensor([[3., 0.], [0., 4.]]))
    >>> S
    tensor([4., 3.])
    """
    checked("linalg.svd")(A)
    refuse_gradient("singular vectors", A)
    u, s, vh = np.linalg.svd(plain(A), full_matrices=full_matrices)
    return results("linalg_svd", A, U=by_columns(u), S=s, Vh=by_columns(vh))


def plain(x: Tensor) -> np.ndarray:
    """The elements of a tensor for LAPACK."""
    if x._array.__class__ is MetaArray:
        raise NotImplementedError(errors.META_COPY)
    return np.asarray(x._array)


def results(name: str, like: Tensor, **arrays: Any) -> Any:
    """Arrays as the named tuple of tensors that a decomposition returns."""
    from course_lib.core.op import wrap

    return return_type(name, tuple(arrays))([wrap(np.asarray(a)) for a in arrays.values()])


def pinv_rank(name: str, A: Tensor, rtol: Any, atol: Any) -> tuple[Any, Any]:
    """The singular values of a matrix, and below which one counts as 0."""
    s = np.linalg.svd(plain(A), compute_uv=False)
    largest = s.max(-1, keepdims=True, initial=0)
    absolute = 0.0 if atol is None else float(atol)
    if rtol is None:
        relative = 0.0 if absolute else np.finfo(s.dtype).eps * max(A._array.shape[-2:])
    else:
        relative = float(rtol)
    return s, np.maximum(absolute, relative * largest)


def matrix_rank(
    A: Tensor, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None
) -> Tensor:
    """How many singular values are not 0, up to rounding.

    >>> torch.linalg.matrix_rank(torch.ones(2, 3))
    tensor(1)
    """
    checked("linalg.matrix_rank")(A)
    s, limit = pinv_rank("linalg.matrix_rank", A, rtol, tol if tol is not None else atol)
    from course_lib.core.op import wrap

    return wrap(layout.owned(np.asarray((s > limit).sum(-1, dtype=np.int64))))


def cond(A: Tensor, p: Any = None) -> Tensor:
    """How much an error in B can grow when ``A X = B`` is solved.

    >>> torch.linalg.cond(torch.tensor([[4., 0.], [0., 2.]]))
    tensor(2.)
    """
    from course_lib.ops.norms import matrix_norm

    if p in (None, 2, -2):
        values = svdvals(A)
        ends = values.narrow(-1, 0, 1), values.narrow(-1, -1, 1)
        first, last = ends[::-1] if p == -2 else ends
        return (first / last).squeeze(-1)
    return matrix_norm(A, p) * matrix_norm(inv(A), p)


# ---- triangular factors --------------------------------------------------------------------------


def qr(A: Tensor, mode: str = "reduced") -> Any:
    """The factors of ``A = Q @ R``: Q with orthonormal columns, R upper triangular.

    >>> Q, R = torch.linalg.qr(torch.tensor([[3., 1.], [4., 2.]]))
    >>> (Q @ R).round()
    tensor([[3., 1.],
            [4., 2.]])
    """
    if mode not in ("reduced", "r", "complete"):
        raise RuntimeError(errors.qr_mode(mode))
    checked("linalg.qr")(A)
    refuse_gradient("the QR decomposition", A)
    if mode == "r":
        q, r = layout.empty((0,), plain(A).dtype), np.linalg.qr(plain(A), mode="r")
    else:
        q, r = np.linalg.qr(plain(A), mode=mode)
        q = by_columns(q)
    return results("linalg_qr", A, Q=q, R=by_columns(r))


@op(
    kind="promote",
    node="LinalgCholeskyExBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("self",),
    check=checked("linalg.cholesky", square=True),
    self=lambda grad, result, upper: cholesky_gradient(grad, result, upper),
)
def cholesky_factor(self: Any, upper: bool) -> Any:
    """The triangular factor of a positive-definite matrix."""
    try:
        lower = np.linalg.cholesky(self)
    except np.linalg.LinAlgError:
        raise not_positive(self) from None
    return by_columns(np.conj(np.swapaxes(lower, -1, -2)) if upper else lower)


def not_positive(array: np.ndarray) -> Exception:
    """The error for a matrix that is not positive-definite: where that shows first."""
    size = array.shape[-1]
    for at, matrix in enumerate(array.reshape(-1, size, size)):
        for order in range(1, size + 1):
            try:
                np.linalg.cholesky(matrix[:order, :order])
            except np.linalg.LinAlgError:
                where = at if array.ndim > 2 else None
                return errors.singular(
                    "linalg.cholesky", errors.not_positive_definite(order), where
                )
    return errors.singular("linalg.cholesky", errors.not_positive_definite(size), None)


@op(kind="same", method=False, layout="contiguous", inplace=False, self=lambda grad: half(grad))
def half(self: Any) -> Any:
    """The lower triangle with half of the diagonal."""
    return np.tril(self) - np.where(np.eye(self.shape[-1], dtype=bool), self / 2, 0)


def cholesky_gradient(grad: Any, factor: Any, upper: bool) -> Any:
    """The gradient of the triangular factor; symmetric, as its argument is."""
    if upper:
        grad, factor = adjoint(grad), adjoint(factor)
    inverse = inv(factor)
    phi = half(times(adjoint(factor), grad))
    whole = times(times(adjoint(inverse), phi), inverse)
    return (whole + adjoint(whole)) * 0.5


def cholesky(A: Tensor, *, upper: bool = False, out: Tensor | None = None) -> Tensor:
    """The lower triangular L with ``A = L @ L.mH``, for a positive-definite A.

    >>> torch.linalg.cholesky(torch.tensor([[4., 2.], [2., 2.]]))
    tensor([[2., 0.],
            [1., 1.]])
    """
    return cholesky_factor(A, upper, out=out)


# ---- eigenvalues ---------------------------------------------------------------------------------


@op(
    kind="promote",
    name="linalg_eigh",
    node="LinalgEighBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("self",),
    check=checked("linalg.eigh", square=True),
    returns=("eigenvalues", "eigenvectors"),
    self=lambda grads, self, UPLO: eigh_gradient(grads, *linalg_eigh(self, UPLO)),
)
def linalg_eigh(self: Any, UPLO: str = "L") -> Any:
    """The eigenvalues, rising, and the eigenvectors, in columns, of a symmetric matrix.

    >>> torch.linalg.eigh(torch.tensor([[2., 0.], [0., 1.]])).eigenvalues
    tensor([1., 2.])
    """
    values, vectors = np.linalg.eigh(self, UPLO)
    return values, by_columns(vectors)


def eigh_gradient(grads: Any, values: Any, vectors: Any) -> Any:
    """The gradient of a symmetric matrix's eigenvalues and eigenvectors."""
    on_values, on_vectors = grads
    inner = None
    if on_vectors is not None:
        inner = times(adjoint(vectors), on_vectors)
        inner = (inner - adjoint(inner)) * 0.5 * gaps(values)  # vectors turn, they do not grow
    if on_values is not None:
        diagonal = unit(values) * unsqueeze(on_values, -2)
        inner = diagonal if inner is None else inner + diagonal
    if inner is None:
        return None
    return times(vectors, times(inner, adjoint(vectors)))


@op(kind="same", method=False, layout="contiguous", inplace=False)
def unit(self: Any) -> Any:
    """The unit matrix of as many rows as there are eigenvalues."""
    return np.broadcast_to(np.eye(self.shape[-1], dtype=self.dtype), (*self.shape, self.shape[-1]))


def gaps(values: Any) -> Any:
    """``1 / (value j - value i)``, and 0 on the diagonal."""
    from course_lib.ops.masks import masked

    off = unit(values) == 0
    return masked(1 / (unsqueeze(values, -2) - unsqueeze(values, -1)), off)


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """The eigenvalues of a symmetric matrix, rising.

    >>> torch.linalg.eigvalsh(torch.tensor([[2., 0.], [0., 1.]]))
    tensor([1., 2.])
    """
    found: Tensor = linalg_eigh(A, UPLO)[0]
    return found


def eig(A: Tensor) -> Any:
    """The eigenvalues and eigenvectors of any square matrix: complex numbers.

    >>> torch.linalg.eig(torch.tensor([[2., 0.], [0., 1.]])).eigenvalues
    tensor([2.+0.j, 1.+0.j])
    """
    checked("linalg.eig", square=True)(A)
    refuse_gradient("eigenvectors", A)
    values, vectors = np.linalg.eig(plain(A))
    kind = A._dtype.to_complex().numpy
    values, vectors = values.astype(kind), by_columns(vectors.astype(kind))
    return results("linalg_eig", A, eigenvalues=values, eigenvectors=vectors)


def eigvals(A: Tensor) -> Tensor:
    """The eigenvalues of any square matrix: complex numbers.

    >>> torch.linalg.eigvals(torch.tensor([[2., 0.], [0., 1.]]))
    tensor([2.+0.j, 1.+0.j])
    """
    found: Tensor = eig(A)[0]
    return found
