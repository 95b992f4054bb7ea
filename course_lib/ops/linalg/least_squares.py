"""Pseudoinverses and least squares: the best approximation where there is no exact solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.return_types import return_type
from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory import dims, layout
from course_lib.ops.linalg.decompositions import adjoint, by_columns, decomposed
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = []


@op(
    kind="promote",
    name="linalg_pinv",
    node="LinalgPinvBackward0",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("self",),
    self=lambda grad, self, result, self_shape: pinv_gradient(grad, self, result, self_shape),
)
def pseudoinverse(self):
    """The Moore-Penrose pseudoinverse: what times B gives the least-squares solution."""
    left, s, vh = decomposed(self, False)
    inverse, _ = inverted(s, self.shape, None)
    return conjugate(vh) * inverse[..., None, :] @ conjugate(left)


def conjugate(matrix: Any) -> Any:
    """Rows and columns of an array swapped, and conjugated."""
    return np.conj(np.swapaxes(matrix, -1, -2))


def inverted(s: Any, shape: Any, rcond: Any) -> tuple[Any, Any]:
    """One over each singular value, 0 for those that count as 0; and which do not.

    By default, those count as 0 that rounding could have made of 0.
    """
    share = np.finfo(s.dtype).eps * max(shape[-2:]) if rcond is None else rcond
    kept = s > (share * s.max(-1, initial=0, keepdims=True)).astype(s.dtype)
    return np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype), kept


def pinv_gradient(grad: Any, a: Any, result: Any, shape: tuple) -> Any:
    """The gradient of the pseudoinverse of a matrix whose rank does not change nearby.

    After G. H. Golub and V. Pereyra, The Differentiation of Pseudo-Inverses and Nonlinear Least
    Squares Problems Whose Variables Separate (1973).
    """
    gradh, resulth = adjoint(grad), adjoint(result)
    if shape[-2] <= shape[-1]:
        k = gradh @ result
        kr = k @ resulth
        part = (resulth @ result) @ (gradh - k @ a)
        return kr - adjoint(result @ k) - (a @ result) @ kr + part
    k = result @ gradh
    rk = resulth @ k
    part = ((gradh - a @ k) @ result) @ resulth
    return part - adjoint(k @ result) + rk - (rk @ result) @ a


@op(
    kind="promote",
    name="linalg_lstsq",
    node="LinalgLstsqBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("self", "b"),
    refuses=errors.check_lstsq,
    returns=("solution", "residuals", "rank", "singular_values"),
    self=lambda grad, self, b: solution_gradients(grad, self, b)[0],
    b=lambda grad, self, b: solution_gradients(grad, self, b)[1],
)
def least_squares(self, b, rcond=None):
    """The least-squares solution, the rank, and two results that PyTorch leaves empty."""
    vector = b.ndim < self.ndim
    rows = b[..., None] if vector else b
    *batch, m, n = self.shape
    batch = list(dims.broadcast(self.shape[:-2], rows.shape[:-2]))
    self = np.broadcast_to(self, (*batch, m, n))
    u, s, vh = decomposed(self, False)
    inverse, kept = inverted(s, (m, n), rcond)
    rank = kept.sum(-1, dtype=np.int64) * bool(rows.size)
    found = by_columns(conjugate(vh) @ (conjugate(u) @ rows * inverse[..., None]), m)
    if vector:
        found = layout.restride(found, found.shape[:-1], found.strides[:-1], 0)
    left, values = (layout.empty((0,), s.dtype) for _ in range(2))
    return found, left, layout.owned(np.asarray(rank)), values


def solution_gradients(on_solution: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """The gradients of the least-squares solution."""
    vector = len(b.shape) < len(a.shape)
    if vector:
        b, on_solution = unsqueeze(b, -1), unsqueeze(on_solution, -1)
    inverse = pseudoinverse(a)
    on_b = adjoint(inverse) @ on_solution
    on_a = pinv_gradient(on_solution @ adjoint(b), a, inverse, a.shape)
    return on_a, on_b[..., 0] if vector else on_b


def lstsq(input: Tensor, b: Tensor, rcond: Any = None) -> Any:
    """The least-squares solution: the X for which ``A X`` is closest to B.

    It is computed from singular values.

    >>> A, B = torch.tensor([[1.], [1.]]), torch.tensor([[2.], [4.]])
    >>> torch.linalg.lstsq(A, B).solution.round()
    tensor([[3.]])
    """
    found = least_squares(input, b, rcond)
    values = (*found[:3], found[3].detach())  # these have no gradient
    names = ("solution", "residuals", "rank", "singular_values")
    return return_type("linalg_lstsq", names)(values)
