"""Pseudoinverses and least squares: the best approximation where there is no exact solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.return_types import return_type
from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory import dims, layout
from course_lib.ops.linalg.lapack import adjoint, by_columns, decomposed, times
from course_lib.ops.linalg.singular import limits
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = []

# ---- pseudoinverses ------------------------------------------------------------------------------


@op(
    kind="promote",
    name="linalg_pinv",
    node="LinalgPinvBackward0",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("self",),
    check=errors.check_pinv,
    self=lambda grad, self, result, self_shape: pinv_gradient(grad, self, result, self_shape),
)
def pseudoinverse(self, rtol, atol, hermitian=False):
    """The Moore-Penrose pseudoinverse; of a Hermitian matrix, from its lower triangle."""
    if not self.size:
        return np.zeros((*self.shape[:-2], *self.shape[:-3:-1]), self.dtype)
    if hermitian:
        values, left = np.linalg.eigh(self)
        s, right = np.abs(values), left * np.sign(values)[..., None, :]
    else:
        left, s, vh = decomposed(self, full_matrices=False)
        right = np.conj(np.swapaxes(vh, -1, -2))
    bound = limits(self.shape, s, atol, rtol)[..., None]
    errors.check_broadcast([s, bound])
    kept = s > bound
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype)
    return right * inverse[..., None, :] @ np.conj(np.swapaxes(left, -1, -2))


def pinv_gradient(grad: Any, a: Any, result: Any, shape: tuple) -> Any:
    """The gradient of the pseudoinverse of a matrix whose rank does not change nearby.

    After G. H. Golub and V. Pereyra, The Differentiation of Pseudo-Inverses and Nonlinear Least
    Squares Problems Whose Variables Separate (1973).
    """
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


# ---- least squares -------------------------------------------------------------------------------


@op(
    kind="promote",
    name="linalg_lstsq",
    node="LinalgLstsqBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("self", "b"),
    check=errors.check_lstsq,
    returns=("solution", "residuals", "rank", "singular_values"),
    self=lambda grads, self, b, solution: solution_gradients(grads, self, b, solution)[0],
    b=lambda grads, self, b, solution: solution_gradients(grads, self, b, solution)[1],
)
def least_squares(self, b, rcond=None, driver=None):
    """The least-squares solution, the squares that are left, the rank, the singular values."""
    vector = b.ndim < self.ndim
    rows = b[..., None] if vector else b
    *batch, m, n = self.shape
    batch = list(dims.broadcast(self.shape[:-2], rows.shape[:-2]))
    self = np.broadcast_to(self, (*batch, m, n))
    rows = np.broadcast_to(rows, (*batch, *rows.shape[-2:]))
    u, s, vh = decomposed(self, full_matrices=False)
    kept = s > (0 if driver == "gels" else limits((m, n), s, None, rcond)[..., None])
    rank = kept.sum(-1, dtype=np.int64) * bool(rows.size)
    if driver == "gels" and self.size and not kept.all():
        at = int((~kept.all(-1)).reshape(-1).argmax())
        where = at if batch else None
        text = errors.not_full_rank(int(kept.reshape(-1, s.shape[-1])[at].sum()) + 1)
        raise errors.singular("torch.linalg.lstsq", text, where)
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype)
    turned = np.conj(np.swapaxes(u, -1, -2)) @ rows * inverse[..., None]
    found = by_columns(np.conj(np.swapaxes(vh, -1, -2)) @ turned, m)
    left = layout.empty((0,), s.dtype)
    if m > n and driver not in (None, "gelsy") and (rank == n).all():
        left = np.square(np.abs(self @ found - rows)).sum(-2)
    rank = layout.empty((0,), np.dtype(np.int64)) if driver == "gels" else rank
    values = s if driver in ("gelsd", "gelss") else layout.empty((0,), s.dtype)
    if vector:
        found = layout.restride(found, found.shape[:-1], found.strides[:-1], 0)
    return found, layout.owned(left), layout.owned(np.asarray(rank)), layout.owned(values)


def solution_gradients(grads: Any, a: Any, b: Any, solution: Any) -> tuple[Any, Any]:
    """The gradients of the least-squares solution and of the squares that are left."""
    on_solution, on_squares = grads[:2]
    vector = len(b.shape) < len(a.shape)
    if vector:
        b, solution = unsqueeze(b, -1), unsqueeze(solution, -1)
        on_solution = None if on_solution is None else unsqueeze(on_solution, -1)
    on_a = on_b = None
    if on_solution is not None:
        inverse = pseudoinverse(a, None, None)
        on_b = times(adjoint(inverse), on_solution)
        on_inverse = times(on_solution, adjoint(b))
        on_a = pinv_gradient(on_inverse, a, inverse, a.shape)
    if on_squares is not None and 0 not in on_squares.shape:
        error = 2 * (times(a, solution) - b) * unsqueeze(on_squares, -2)
        also = times(error, adjoint(solution))
        on_a, on_b = (also, -error) if on_a is None else (on_a + also, on_b - error)
    return on_a, on_b[..., 0] if vector and on_b is not None else on_b


def lstsq(
    input: Tensor, b: Tensor, rcond: Any = None, *, driver: str | None = None, out: Any = None
) -> Any:
    """The least-squares solution: the X for which ``A X`` is closest to B.

    It is computed from singular values, whichever `driver` is named; the driver decides what else
    is returned.

    >>> A, B = torch.tensor([[1.], [1.]]), torch.tensor([[2.], [4.]])
    >>> torch.linalg.lstsq(A, B).solution.round()
    tensor([[3.]])
    """
    if out is not None:
        return least_squares(input, b, rcond, driver, out=out)
    found = least_squares(input, b, rcond, driver)
    values = (*found[:3], found[3].detach())  # these have no gradient
    names = ("solution", "residuals", "rank", "singular_values")
    return return_type("linalg_lstsq", names)(values)
