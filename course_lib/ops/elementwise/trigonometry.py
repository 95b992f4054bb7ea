"""Angles: circular and hyperbolic functions and their inverses."""

from typing import Any

import numpy as np

from course_lib.calls.rules import unless
from course_lib.declare.op import op
from course_lib.ops.elementwise.arithmetic import reciprocal
from course_lib.ops.elementwise.powers import pow_number, rsqrt
from course_lib.ops.elementwise.zeroing import inner, masked, plus

__all__ = ["acos", "atan2", "cos", "sin", "tan", "tanh"]


@op(kind="float", plain=np.sin, self=lambda grad, self: grad * cos(self))
def sin(self):
    """The sine of each element, an angle in radians.

    >>> torch.sin(torch.tensor([0., 1.]))
    tensor([0.0000, 0.8415])
    """
    return np.sin(self)


@op(kind="float", plain=np.cos, self=lambda grad, self: grad * -sin(self))
def cos(self):
    """The cosine of each element, an angle in radians.

    >>> torch.cos(torch.tensor([0., 1.]))
    tensor([1.0000, 0.5403])
    """
    return np.cos(self)


@op(kind="float", plain=np.tan, self=lambda grad, result: grad * plus(pow_number(result, 2), 1))
def tan(self):
    """The tangent of each element, an angle in radians.

    >>> torch.tan(torch.tensor([0., 1.]))
    tensor([0.0000, 1.5574])
    """
    return np.tan(self)


@op(kind="float", self=lambda grad, self: grad * -rsqrt(plus(-self * self, 1)))
def acos(self):
    """The inverse of the cosine: the angle in radians, from 0 to pi.

    >>> torch.acos(torch.tensor([0., 1.]))
    tensor([1.5708, 0.0000])
    """
    return np.arccos(self)


@inner(
    node="TanhBackwardBackward0",
    self=lambda grad, other: tanh_slope(grad, other),
    other=lambda grad, self, other: grad * (-2 * other * self),
)
def tanh_slope(self, other):
    """The gradient of `tanh`: `self` times the derivative where the tanh is `other`."""
    return self * (1 - other * other)


@op(kind="float", plain=np.tanh, self=lambda grad, result: tanh_slope(grad, result))
def tanh(self):
    """The hyperbolic tangent of each element, between -1 and 1.

    >>> torch.tanh(torch.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """
    return np.tanh(self)


def over_square(self: Any, other: Any) -> Any:
    """One over the squared length of the vector (self, other); 0 for a length of 0."""
    square = self * self + other * other
    return masked(reciprocal(square), square != 0)


@op(
    kind="float",
    tensors_only=("self", "other"),
    refuses=unless("atan2_cpu", "complex"),
    self=lambda grad, self, other: grad * other * over_square(self, other),
    other=lambda grad, self, other: grad * -self * over_square(self, other),
)
def atan2(self, other):
    """The angle of the point (x=other, y=self) in radians, from -pi to pi.

    >>> torch.atan2(torch.tensor([1., 0.]), torch.tensor([1., -1.]))
    tensor([0.7854, 3.1416])
    """
    return np.arctan2(self, other)
