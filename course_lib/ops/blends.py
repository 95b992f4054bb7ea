"""Functions of two or three tensors at once, and the S-shaped ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.special import erf_of, erfc_of
from course_lib.forms.composite import composite
from course_lib.forms.declare import op
from course_lib.forms.inplace import call_inplace
from course_lib.forms.methods import attach_as
from course_lib.ops.masks import masked, negated
from course_lib.ops.powers import exp, exp2, log, logarithm

__all__ = [
    "addcdiv",
    "addcmul",
    "erf",
    "erfc",
    "lerp",
    "logaddexp",
    "logaddexp2",
    "sigmoid",
    "sigmoid_",
    "xlogy",
]

# ---- three operands ------------------------------------------------------------------------------


@op(
    kind="promote",
    method=False,
    inplace=False,
    node="LerpBackward0",
    operands=("self", "end"),
    check=errors.check_lerp,
    self=lambda grad, weight: grad * (1 - weight),
    end=lambda grad, weight: grad * weight,
    holomorphic=True,
)
def lerp_number(self: Any, end: Any, weight: Any) -> Any:
    """From `self` to `end` by the share `weight`, a number."""
    return interpolated(self, end, weight)


@op(
    kind="promote",
    method=False,
    inplace=False,
    node="LerpBackward1",
    check=errors.check_lerp,
    self=lambda grad, weight: grad * (1 - weight),
    end=lambda grad, weight: grad * weight,
    weight=lambda grad, self, end: grad * (end - self),
    holomorphic=True,
)
def lerp_tensor(self: Any, end: Any, weight: Any) -> Any:
    """From `self` to `end` by the share `weight`, a tensor."""
    return interpolated(self, end, weight)


def interpolated(start: Any, end: Any, weight: Any) -> Any:
    """Counted from the nearer end, so that weight 1 gives `end` itself."""
    weight = np.asarray(weight, start.dtype)
    step = end - start
    near_end = end - step * (1 - weight)
    return np.where(np.abs(weight) < 0.5, start + weight * step, near_end)[()]


@composite()
def lerp(input: Tensor, end: Tensor, weight: Any, *, out: Tensor | None = None) -> Tensor:
    """Linear interpolation: ``input + weight * (end - input)``.

    >>> torch.lerp(torch.tensor([0., 10.]), torch.tensor([10., 20.]), 0.5)
    tensor([ 5., 15.])
    """
    which = lerp_tensor if isinstance(weight, Tensor) else lerp_number
    return which(input, end, weight, out=out)


def lerp_(self: Tensor, end: Tensor, weight: Any) -> Tensor:
    """`lerp`, written into the tensor itself; gives that tensor."""
    which = lerp_tensor if isinstance(weight, Tensor) else lerp_number
    return call_inplace(which.op, (self, end, weight), {})


@op(
    kind="promote",
    operands=("self", "tensor1", "tensor2"),
    check=errors.check_addcmul,
    self=lambda grad: grad,
    tensor1=lambda grad, tensor2, value: grad * (tensor2 * value),
    tensor2=lambda grad, tensor1, value: grad * (tensor1 * value),
    holomorphic=True,
)
def addcmul(self: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """``self + value * tensor1 * tensor2``.

    >>> torch.addcmul(torch.tensor([1.]), torch.tensor([2.]), torch.tensor([3.]), value=10)
    tensor([61.])
    """
    return self + self.dtype.type(value) * tensor1 * tensor2


@op(
    kind="promote",
    operands=("self", "tensor1", "tensor2"),
    check=errors.check_addcdiv,
    self=lambda grad: grad,
    tensor1=lambda grad, tensor2, value: grad * (value / tensor2),
    tensor2=lambda grad, tensor1, tensor2, value: -grad * (value * tensor1 / (tensor2 * tensor2)),
    holomorphic=True,
)
def addcdiv(self: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """``self + value * tensor1 / tensor2``.

    >>> torch.addcdiv(torch.tensor([1.]), torch.tensor([6.]), torch.tensor([3.]), value=10)
    tensor([21.])
    """
    return self + self.dtype.type(value) * tensor1 / tensor2


# ---- logarithms of sums --------------------------------------------------------------------------


@op(
    kind="promote",
    inplace=False,
    check=errors.unless("logaddexp_cpu", "bool", "integer"),
    self=lambda grad, self, other: grad / (1 + exp(other - self)),
    other=lambda grad, self, other: grad / (1 + exp(self - other)),
    holomorphic=True,
)
def logaddexp(self: Tensor, other: Tensor) -> Any:
    """``log(exp(self) + exp(other))``, also where the exponentials would overflow.

    >>> torch.logaddexp(torch.tensor([1000.]), torch.tensor([1000.]))
    tensor([1000.6932])
    """
    if self.dtype.kind != "c":
        return np.logaddexp(self, other)
    larger = np.where(np.real(self) > np.real(other), self, other)
    smaller = np.where(np.real(self) > np.real(other), other, self)
    return larger + np.log1p(np.exp(smaller - larger))


@op(
    kind="promote",
    inplace=False,
    check=errors.unless("logaddexp2_cpu", "bool", "integer", "complex"),
    self=lambda grad, self, other: grad / (1 + exp2(other - self)),
    other=lambda grad, self, other: grad / (1 + exp2(self - other)),
)
def logaddexp2(self: Tensor, other: Tensor) -> Any:
    """``log2(2 ** self + 2 ** other)``, also where the powers would overflow.

    >>> torch.logaddexp2(torch.tensor([1.]), torch.tensor([1.]))
    tensor([2.])
    """
    return np.logaddexp2(self, other)


@op(
    kind="float",
    check=errors.unless("xlogy_cpu", "complex"),
    self=lambda grad, self, other: masked(
        grad * (logarithm(other) if isinstance(other, (int, float)) else log(other)),
        negated((self == 0) & (other <= 0)),
    ),
    other=lambda grad, self, other: grad * self / other,
)
def xlogy(self: Any, other: Any) -> Any:
    """``self * log(other)``, and 0 wherever `self` is 0.

    >>> torch.xlogy(torch.tensor([0., 2.]), torch.tensor([0., 1.]))
    tensor([0., 0.])
    """
    if isinstance(other, (int, float)):
        other = self.dtype.type(other)  # np.log(2) would be a float64
    product = np.where(np.equal(self, 0), self.dtype.type(0), self * np.log(other))
    return np.where(np.isnan(other), np.multiply(self, other), product)[()]


# ---- S-shaped functions --------------------------------------------------------------------------


@op(
    kind="same",
    node="SigmoidBackwardBackward0",
    method=False,
    inplace=False,
    holomorphic=True,
    self=lambda grad, other: sigmoid_slope(grad, other),
    other=lambda grad, self, other: grad * self * (-2 * other + 1),
)
def sigmoid_slope(self: Any, other: Any) -> Any:
    """`self` times the derivative of sigmoid where its value is `other`: its gradient."""
    return self * (1 - other) * other


@op(kind="float", self=lambda grad, result: sigmoid_slope(grad, result), holomorphic=True)
def sigmoid(self: Any) -> Any:
    """``1 / (1 + exp(-x))``, between 0 and 1.

    >>> torch.sigmoid(torch.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """
    return 1 / (1 + np.exp(-self))


@op(
    kind="float",
    check=errors.unless("erf_vml_cpu", "complex"),
    self=lambda grad, self: 2 / math.sqrt(math.pi) * exp(-(self * self)) * grad,
)
def erf(self: Any) -> Any:
    """The error function: how much of the normal distribution lies within `self` * sqrt(2).

    >>> torch.erf(torch.tensor([0., 1.]))
    tensor([0.0000, 0.8427])
    """
    return erf_of(self)


@op(
    kind="float",
    check=errors.unless("erfc_cpu", "complex"),
    self=lambda grad, self: -2 / math.sqrt(math.pi) * exp(-(self * self)) * grad,
)
def erfc(self: Any) -> Any:
    """``1 - erf(x)``, exact also for large x.

    >>> torch.erfc(torch.tensor([0., 1.]))
    tensor([1.0000, 0.1573])
    """
    return erfc_of(self)


attach_as("lerp_", lerp_)
sigmoid_ = Tensor.sigmoid_  # type: ignore[attr-defined]
