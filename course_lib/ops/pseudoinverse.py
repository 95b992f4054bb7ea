"""Pseudoinverses and least squares: the nearest thing to a solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts.return_types import return_type
from course_lib.forms.declare import op
from course_lib.forms.methods import attach_as
from course_lib.ops.decompositions import adjoint, checked, matrix_rank
from course_lib.ops.solving import times

__all__ = ["pinverse"]


@op(
    kind="promote",
    node="LinalgPinvBackward0",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("self",),
    check=checked("linalg.pinv"),
    self=lambda grad, self, result, self_shape: pinv_gradient(grad, self, result, self_shape),
)
def pseudoinverse(self: Any, rtol: Any, atol: Any) -> Any:
    """The matrix that comes nearest to an inverse."""
    u, s, vh = np.linalg.svd(self, full_matrices=False)
    largest = s.max(-1, keepdims=True, initial=0)
    limit = np.maximum(atol, rtol * largest)
    kept = np.where(s > limit, 1 / np.where(s > limit, s, 1), 0).astype(s.dtype)
    return np.conj(np.swapaxes(vh, -1, -2)) * kept[..., None, :] @ np.conj(np.swapaxes(u, -1, -2))


def pinv_gradient(grad: Any, a: Any, result: Any, shape: tuple) -> Any:
    """The gradient of the pseudoinverse of a matrix whose rank does not change nearby."""
    gradh, resulth = adjoint(grad), adjoint(result)
    if shape[-2] <= shape[-1]:
        k = times(gradh, result)
        kr = times(k, resulth)
        part = times(times(resulth, result), gradh - times(k, a))
        return kr - adjoint(times(result, k)) - times(times(a, result), kr) + part
    k = times(result, gradh)
    rk = times(resulth, k)
    part = times(times(gradh - times(a, k), result), resulth)
    return part - adjoint(times(k, result)) + rk - times(times(rk, result), a)


def pinv(
    A: Tensor,
    rcond: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
) -> Tensor:
    """The pseudoinverse: of an invertible matrix its inverse, of any other what comes nearest.

    >>> torch.linalg.pinv(torch.tensor([[2.], [0.]]))
    tensor([[0.5000, 0.0000]])
    """
    if hermitian:
        raise NotImplementedError("linalg.pinv(hermitian=True)")
    checked("linalg.pinv")(A)
    rtol = rcond if rtol is None else rtol
    absolute = 0.0 if atol is None else float(atol)
    if rtol is None:
        eps = np.finfo(A._array.dtype).eps
        rtol = 0.0 if absolute else float(eps) * max(A._array.shape[-2:], default=0)
    return pseudoinverse(A, float(rtol), absolute)


def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """The pseudoinverse; the same as `torch.linalg.pinv` with ``rtol=rcond``.

    >>> torch.pinverse(torch.tensor([[2.]]))
    tensor([[0.5000]])
    """
    return pinv(input, rtol=rcond)


def lstsq(A: Tensor, B: Tensor, rcond: Any = None, *, driver: str | None = None) -> Any:
    """The X for which ``A X`` comes nearest to B.

    >>> A, B = torch.tensor([[1.], [1.]]), torch.tensor([[2.], [4.]])
    >>> torch.linalg.lstsq(A, B).solution.round()
    tensor([[3.]])
    """
    checked("linalg.lstsq")(A)
    vector = A._array.ndim - 1 == B._array.ndim and A._array.shape[:-1] == B._array.shape
    rows = B.unsqueeze(-1) if vector else B  # type: ignore[attr-defined]
    solution = pinv(A, rtol=rcond) @ rows  # type: ignore[operator]
    m, n = A._array.shape[-2:]
    residuals = solution.new_zeros(0)
    rank = matrix_rank(A.detach())
    if m > n and bool((rank == n).all()) and driver not in (None, "gelsy"):  # type: ignore[attr-defined]
        left = A @ solution - rows  # type: ignore[operator]
        residuals = (left.abs() ** 2).sum(-2)
    values = (solution.squeeze(-1) if vector else solution, residuals, rank, A.new_zeros(0))  # type: ignore[attr-defined]
    names = ("solution", "residuals", "rank", "singular_values")
    return return_type("linalg_lstsq", names)(values)


attach_as("pinverse", pinverse)
