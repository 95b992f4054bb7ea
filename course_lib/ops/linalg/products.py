"""The trace of a matrix, and the cross product."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.memory.dims import wrap_dim
from course_lib.words import errors

__all__ = ["cross", "trace"]


@op(
    kind="sum",
    layout="contiguous",
    inplace=False,
    refuses=errors.check_trace,
    self=lambda grad, self_shape: on_diagonal(grad, self_shape),
)
def trace(self):
    """The sum of the elements on the diagonal.

    >>> torch.trace(torch.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
    return np.trace(self, dtype=self.dtype)


@op(
    kind="same",
    layout="contiguous",
    inplace=False,
    method=False,
    operands=("self",),
    self=lambda grad: trace(grad),
)
def on_diagonal(self, size):
    """A matrix with one number everywhere on its diagonal: the gradient of `trace`."""
    return np.eye(*size, dtype=self.dtype) * self


def check_cross(self: Any, other: Any, dim: int) -> None:
    """Raise PyTorch's error unless there are vectors of size 3 along `dim`."""
    errors.require_tensors("linalg_cross", self=self, other=other)
    a, b = self._array, other._array
    if a.ndim != b.ndim:
        raise RuntimeError(errors.CROSS_RANKS)
    at = wrap_dim(dim, a.ndim)
    if not a.ndim or a.shape[at] != 3 or b.shape[at] != 3:
        sizes = (1, 1) if not a.ndim else (a.shape[at], b.shape[at])
        raise RuntimeError(errors.cross_length(dim, *sizes))
    errors.check_broadcast([a, b])
    errors.refuse_bool("cross", self)
    if self._dtype is not other._dtype:
        raise RuntimeError(errors.expected_scalar_type(self, other))


@op(
    kind="promote",
    node="LinalgCrossBackward0",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("self", "other"),
    refuses=check_cross,
    self=lambda grad, other, dim: linalg_cross(other, grad, dim=dim),
    other=lambda grad, self, dim: linalg_cross(grad, self, dim=dim),
    holomorphic=True,
)
def linalg_cross(self, other, *, dim=-1):
    """The cross product of vectors of size 3 along `dim`, perpendicular to both.

    >>> torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """
    return np.cross(self, other, axis=dim)


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The cross product along `dim`; without it, PyTorch takes the first dimension of size 3.

    >>> torch.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]), dim=0)
    tensor([0, 0, 1])
    """
    if dim is None:
        errors.warn_once(errors.CROSS_DEPRECATED)
        if 3 not in input._array.shape:
            raise RuntimeError(errors.CROSS_NO_DIM)
        dim = input._array.shape.index(3)
    return linalg_cross(input, other, dim=dim)


attach_as("cross", cross)
