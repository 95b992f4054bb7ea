"""Eigenvalues and eigenvectors, of symmetric matrices and of any others."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.ops.elementwise.zeroing import is_complex
from course_lib.ops.linalg.lapack import adjoint, by_columns, phaseless, times
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__: list[str] = []

# ---- diagonals -----------------------------------------------------------------------------------


@op(kind="same", method=False, layout="contiguous", inplace=False)
def unit(self):
    """The identity matrix with as many rows as there are elements in a row of `self`."""
    return np.broadcast_to(np.eye(self.shape[-1], dtype=self.dtype), (*self.shape, self.shape[-1]))


def diagonal_matrix(x: Any) -> Any:
    """The matrix with these elements on its diagonal and zeros beside it."""
    return unit(x) * unsqueeze(x, -2)


@op(
    kind="same",
    method=False,
    layout="contiguous",
    inplace=False,
    self=lambda grad: diagonal_matrix(grad),
    holomorphic=True,
)
def on_diagonal(self):
    """The diagonal of each matrix, as a copy."""
    return np.diagonal(self, axis1=-2, axis2=-1).copy()


def pairs(values: Any) -> Any:
    """``1 / (value k - value j)`` in row j and column k, and 0 on the diagonal."""
    ones = unit(values)
    return (1 - ones) / (unsqueeze(values, -2) - unsqueeze(values, -1) + ones)


# ---- symmetric matrices --------------------------------------------------------------------------


def check_eigh(self: Any, UPLO: str) -> None:
    """Raise PyTorch's error unless this is a matrix with eigenvalues, and one of its triangles."""
    errors.check_square("linalg.eigh", self)
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(errors.which_triangle(UPLO))
    errors.check_kernel("linalg_eigh_cpu", self, floats_only=True)


@op(
    kind="promote",
    name="linalg_eigh",
    node="LinalgEighBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("self",),
    check=check_eigh,
    returns=("eigenvalues", "eigenvectors"),
    self=lambda grads, eigenvalues, eigenvectors: eigh_gradient(grads, eigenvalues, eigenvectors),
)
def linalg_eigh(self, UPLO="L"):
    """The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, in columns.

    >>> torch.linalg.eigh(torch.tensor([[2., 0.], [0., 1.]])).eigenvalues
    tensor([1., 2.])
    """
    values, vectors = np.linalg.eigh(self, UPLO)
    return layout.owned(values), by_columns(vectors)


def eigh_gradient(grads: Any, values: Any, vectors: Any) -> Any:
    """The gradient of a symmetric matrix's eigenvalues and eigenvectors."""
    on_values, on_vectors = grads
    if on_vectors is None:
        if on_values is None:
            return None
        return times(vectors * unsqueeze(on_values, -2), adjoint(vectors))
    inner = times(adjoint(vectors), on_vectors)
    if is_complex(vectors):
        phaseless(on_diagonal(inner).imag, "linalg_eigh_backward: The eigenvectors")
    inner = (inner - adjoint(inner)) * 0.5 * pairs(values)  # vectors turn, they do not grow
    if on_values is not None:
        inner = inner + diagonal_matrix(on_values)
    return times(vectors, times(inner, adjoint(vectors)))


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """The eigenvalues of a symmetric matrix, in ascending order.

    >>> torch.linalg.eigvalsh(torch.tensor([[2., 0.], [0., 1.]]))
    tensor([1., 2.])
    """
    return linalg_eigh(A, UPLO)[0]
