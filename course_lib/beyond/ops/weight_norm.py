"""Weights as a direction and a length: what `torch.nn.utils.weight_norm` computes."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.ops.elementwise.powers import rsqrt
from course_lib.ops.reduce.sums import sum_along

__all__ = ["norm_except_dim"]


def norm_except_dim(v: Any, pow: int = 2, dim: int = 0) -> Tensor:
    """The norm over all dimensions but one, which stays; over all with `dim` -1.

    >>> torch.norm_except_dim(torch.tensor([[3., 4.], [0., 2.]]))
    tensor([[5.],
            [2.]])
    """
    if dim == -1:
        return v.norm(pow)
    last = v.dim() - 1
    if dim not in (0, last):
        return norm_except_dim(v.transpose(0, dim), pow, 0).transpose(0, dim)
    shape = [1] * v.dim()
    shape[dim] = v.size(dim)
    rows = v.contiguous()
    rows = rows.view(v.size(0), -1) if dim == 0 else rows.view(-1, v.size(dim))
    return rows.norm(pow, 1 if dim == 0 else 0).view(shape)


def others(shape: Any, dim: int) -> tuple[int, ...]:
    """All dimensions but `dim`."""
    return tuple(d for d in range(len(shape)) if d != dim % len(shape))


def squares(v: Any, dim: int) -> Any:
    """The squared length of each part of `v`."""
    return sum_along(v * v, others(v.shape, dim), True)


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    node="WeightNormInterfaceBackward0",
    operands=("self", "g"),
    self=lambda grad, self, g, dim: (
        (grad - self * (along(grad, self, dim) / squares(self, dim)))
        * (g * rsqrt(squares(self, dim)))
    ),
    g=lambda grad, self, dim: along(grad, self, dim) * rsqrt(squares(self, dim)),
)
def weight_norm_interface(self, g, dim):
    norm = np.sqrt(np.sum(np.square(self), axis=others(self.shape, dim), keepdims=True))
    return self * (g / norm)


def along(grad: Any, v: Any, dim: int) -> Any:
    """How much of a gradient points in the direction of `v`, times the length of `v`."""
    return sum_along(grad * v, others(v.shape, dim), True)


def weight_norm(v: Any, g: Any, dim: int = 0) -> Any:
    """`v` with the length `g` in each part along `dim`."""
    if dim in (0, v.dim() - 1):
        return weight_norm_interface(v, g, dim)
    return v * (g / norm_except_dim(v, 2, dim))
