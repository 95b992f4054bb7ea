"""Functions of three tensors at once: `lerp`, `addcmul`, `addcdiv`."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.words import errors

__all__ = ["addcdiv", "addcmul", "lerp"]


def interpolated(start: Any, end: Any, weight: Any) -> Any:
    """Interpolate from the nearer end, so that weight 1 gives `end` exactly."""
    weight = np.asarray(weight, start.dtype)
    step = end - start
    if not weight.ndim:
        return start + weight * step if np.abs(weight) < 0.5 else end - step * (1 - weight)
    near_end = end - step * (1 - weight)
    return np.where(np.abs(weight) < 0.5, start + weight * step, near_end)[()]


def towards(node: str, **formulas: Any) -> Any:
    """Declare linear interpolation from `self` to `end`, for a number or a tensor as `weight`."""

    @op(
        kind="promote",
        method=False,
        inplace=False,
        node=node,
        operands=("self", "end", *formulas),
        refuses=errors.check_lerp,
        self=lambda grad, weight: grad * (1 - weight),
        end=lambda grad, weight: grad * weight,
        holomorphic=True,
        **formulas,
    )
    def lerp(self, end, weight):
        return interpolated(self, end, weight)

    return lerp


lerp_number = towards("LerpBackward0")
lerp_tensor = towards("LerpBackward1", weight=lambda grad, self, end: grad * (end - self))


@composite()
def lerp(input: Tensor, end: Tensor, weight: Any, *, out: Tensor | None = None) -> Tensor:
    """Linear interpolation: ``input + weight * (end - input)``.

    >>> torch.lerp(torch.tensor([0., 10.]), torch.tensor([10., 20.]), 0.5)
    tensor([ 5., 15.])
    """
    which = lerp_tensor if isinstance(weight, Tensor) else lerp_number
    return which(input, end, weight, out=out)


def lerp_(self: Tensor, end: Tensor, weight: Any) -> Tensor:
    """`lerp` in place; returns the tensor itself."""
    which = lerp_tensor if isinstance(weight, Tensor) else lerp_number
    return call_inplace(which.op, self, end, weight)


@op(
    kind="promote",
    operands=("self", "tensor1", "tensor2"),
    refuses=errors.check_addcmul,
    self=lambda grad: grad,
    tensor1=lambda grad, tensor2, value: grad * (tensor2 * value),
    tensor2=lambda grad, tensor1, value: grad * (tensor1 * value),
    holomorphic=True,
)
def addcmul(self, tensor1, tensor2, *, value=1):
    """``self + value * tensor1 * tensor2``.

    >>> torch.addcmul(torch.tensor([1.]), torch.tensor([2.]), torch.tensor([3.]), value=10)
    tensor([61.])
    """
    return self + self.dtype.type(value) * tensor1 * tensor2


@op(
    kind="promote",
    operands=("self", "tensor1", "tensor2"),
    refuses=errors.check_addcdiv,
    self=lambda grad: grad,
    tensor1=lambda grad, tensor2, value: grad * (value / tensor2),
    tensor2=lambda grad, tensor1, tensor2, value: -grad * (value * tensor1 / (tensor2 * tensor2)),
    holomorphic=True,
)
def addcdiv(self, tensor1, tensor2, *, value=1):
    """``self + value * tensor1 / tensor2``.

    >>> torch.addcdiv(torch.tensor([1.]), torch.tensor([6.]), torch.tensor([3.]), value=10)
    tensor([21.])
    """
    return self + self.dtype.type(value) * tensor1 / tensor2


attach_as("lerp_", lerp_)
