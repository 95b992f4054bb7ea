"""Determinants, their logarithms, and the gradients of both."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.declare.out import into
from course_lib.ops.linalg.lapack import times
from course_lib.ops.linalg.matmul import flipped
from course_lib.ops.linalg.solve import inv
from course_lib.ops.reduce.adjoints import gathered_sum
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = [
    "det",
]


def check_det(self: Any) -> None:
    """Raise PyTorch's error unless there is a determinant."""
    errors.check_square("linalg.det", self)
    errors.check_float("linalg.det", self)
    errors.check_kernel("lu_cpu", self)


@op(
    kind="promote",
    node="LinalgDetBackward0",
    layout="contiguous",
    inplace=False,
    check=check_det,
    self=lambda grad, self: unsqueeze(unsqueeze(grad, -1), -1) * cofactors(self),
    holomorphic=True,
)
def det(self):
    """The determinant of a square matrix, or of each matrix of a batch.

    >>> torch.det(torch.tensor([[2., 0.], [0., 4.]]))
    tensor(8.)
    """
    return np.linalg.det(self)


def linalg_det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The determinant of a square matrix, or of each matrix of a batch.

    >>> torch.linalg.det(torch.tensor([[2., 0.], [0., 4.]]))
    tensor(8.)
    """
    return into(out, det(A), "linalg_det")


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    inplace=False,
    self=lambda grad, self, result: cofactors_gradient(grad, flipped(inv(self)), result),
    holomorphic=True,
)
def cofactors(self):
    """The derivative of the determinant by each element; defined for singular matrices too."""
    u, s, vh = np.linalg.svd(self)
    size = s.shape[-1]
    others = np.where(np.eye(size, dtype=bool), s.dtype.type(1), s[..., None, :]).prod(-1)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    # of A = U S V: the cofactors of U and V are their conjugates times their determinants
    return sign[..., None, None] * (np.conj(u) * others[..., None, :]) @ np.conj(vh)


def cofactors_gradient(grad: Any, inverse: Any, result: Any) -> Any:
    """The gradient of the cofactors, for a matrix that has an inverse (given transposed)."""
    total = summed(grad * inverse)
    return total * result - times(result, times(flipped(grad), inverse))


def summed(x: Any) -> Any:
    """The sum over the last two dimensions, which stay."""
    return gathered_sum(x, x.shape, (-2, -1), True)
