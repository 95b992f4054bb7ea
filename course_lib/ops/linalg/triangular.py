"""The QR decomposition: an orthogonal and a triangular factor."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.ops.elementwise.rounding import real_part
from course_lib.ops.elementwise.zeroing import is_complex
from course_lib.ops.linalg.lapack import adjoint, by_columns, checked, times
from course_lib.ops.linalg.solve import solved
from course_lib.ops.linalg.spectral import diagonal_matrix, on_diagonal
from course_lib.words import errors

__all__: list[str] = []

check_matrix = checked("linalg.qr", kernel="geqrf_cpu")


def check_qr(A: Any, mode: str) -> None:
    """Raise PyTorch's error unless the matrix has such a decomposition."""
    if mode not in ("reduced", "r", "complete"):
        raise RuntimeError(errors.qr_mode(mode))
    check_matrix(A=A)


@op(
    kind="promote",
    name="linalg_qr",
    node="LinalgQrBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("A",),
    check=check_qr,
    returns=("Q", "R"),
    A=lambda grads, Q, R, mode: qr_gradient(grads, Q, R, mode),
)
def qr(A, mode="reduced"):
    """The factors of ``A = Q @ R``: Q with orthonormal columns, R upper triangular.

    >>> Q, R = torch.linalg.qr(torch.tensor([[3., 1.], [4., 2.]]))
    >>> (Q @ R).round()
    tensor([[3., 1.],
            [4., 2.]])
    """
    if mode == "r":
        return layout.empty((0,), A.dtype), by_columns(np.linalg.qr(A, mode="r"))
    q, r = np.linalg.qr(A, mode=mode)
    return by_columns(q), by_columns(r)


def qr_gradient(grads: Any, q: Any, r: Any, mode: str) -> Any:
    """The gradient of the factors, for a matrix whose first columns are independent.

    After S. F. Walter and L. Lehmann, Algorithmic Differentiation of Linear Algebra Functions
    (2010); for wide matrices D. A. O. Roberts and L. R. Roberts, QR and LQ Decomposition Matrix
    Backpropagation Algorithms for Square, Wide, and Deep Matrices (2020).
    """
    if mode == "r":
        raise RuntimeError(errors.QR_ONLY_R)
    rows, columns = q.shape[-2], r.shape[-1]
    if mode == "complete" and rows > columns:
        raise RuntimeError(errors.QR_COMPLETE)
    on_q, on_r = grads
    if on_q is None and on_r is None:
        return None
    if rows >= columns:
        return tall_gradient(on_q, on_r, q, r)
    # [X | Y] = Q [U | V]: the columns of Y = Q V only turn with Q
    if on_r is None:
        return beside(tall_gradient(on_q, None, q, r[..., :rows]), columns)
    on_u, on_v = on_r[..., :rows], on_r[..., rows:]
    through = times(times(q, r[..., rows:]), adjoint(on_v))
    on_x = tall_gradient(through if on_q is None else on_q + through, on_u, q, r[..., :rows])
    return beside(on_x, columns) + beside(times(q, on_v), columns, rows)


def tall_gradient(on_q: Any, on_r: Any, q: Any, r: Any) -> Any:
    """The gradient of the factors of a matrix with at least as many rows as columns."""
    turn = 0.0 if on_r is None else times(on_r, adjoint(r))
    if on_q is not None:
        turn = turn - times(adjoint(q), on_q)
    inner = times(q, mirrored(triangle(turn, 0, True)))
    inner = inner if on_q is None else on_q + inner
    return by_columns(solved(adjoint(r), inner, False))


def mirrored(upper: Any) -> Any:
    """The Hermitian matrix with this upper triangle; what is not real on the diagonal is left."""
    middle = on_diagonal(upper)
    whole = upper + adjoint(upper)
    return whole - diagonal_matrix(real_part(middle) if is_complex(upper) else middle)


@op(
    kind="same",
    method=False,
    layout="contiguous",
    inplace=False,
    self=lambda grad, self_shape, start: grad[..., start : start + self_shape[-1]],
    holomorphic=True,
)
def beside(self, columns, start=0):
    """Matrices with this many columns: those of `self` from column `start` on, the others zero."""
    *batch, rows, own = self.shape
    wide = np.zeros((*batch, rows, columns), self.dtype)
    wide[..., start : start + own] = self
    return wide


@op(
    kind="same",
    method=False,
    layout="contiguous",
    inplace=False,
    self=lambda grad, first, upper: triangle(grad, first, upper),
    holomorphic=True,
)
def triangle(self, first=0, upper=False):
    """The lower or upper triangle of a matrix, from the diagonal number `first` on."""
    return np.triu(self, first) if upper else np.tril(self, first)
