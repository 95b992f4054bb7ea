"""Angles: circular and hyperbolic functions and their inverses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.faster import call_inplace
from course_lib.declare.fronts import as_function, of_runner
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op, present_inplace
from course_lib.ops.elementwise.arithmetic import reciprocal
from course_lib.ops.elementwise.powers import rsqrt, sqrt
from course_lib.ops.elementwise.zeroing import masked, no_formula
from course_lib.words import errors

__all__ = [
    "acos",
    "acosh",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "deg2rad",
    "hypot",
    "rad2deg",
    "sin",
    "sinh",
    "tan",
    "tanh",
]


@op(kind="float", plain=np.sin, self=lambda grad, self: grad * cos(self), holomorphic=True)
def sin(self):
    """The sine of each element, an angle in radians.

    >>> torch.sin(torch.tensor([0., 1.]))
    tensor([0.0000, 0.8415])
    """
    return np.sin(self)


@op(kind="float", plain=np.cos, self=lambda grad, self: grad * -sin(self), holomorphic=True)
def cos(self):
    """The cosine of each element, an angle in radians.

    >>> torch.cos(torch.tensor([0., 1.]))
    tensor([1.0000, 0.5403])
    """
    return np.cos(self)


@op(
    kind="float",
    plain=np.tan,
    self=lambda grad, result: grad * (1 + result * result),
    holomorphic=True,
)
def tan(self):
    """The tangent of each element, an angle in radians.

    >>> torch.tan(torch.tensor([0., 1.]))
    tensor([0.0000, 1.5574])
    """
    return np.tan(self)


@op(kind="float", self=lambda grad, self: grad * rsqrt(1 - self * self), holomorphic=True)
def asin(self):
    """The inverse of the sine: the angle in radians, from -pi/2 to pi/2.

    >>> torch.asin(torch.tensor([0., 1.]))
    tensor([0.0000, 1.5708])
    """
    return np.arcsin(self)


@op(kind="float", self=lambda grad, self: grad * -rsqrt(1 - self * self), holomorphic=True)
def acos(self):
    """The inverse of the cosine: the angle in radians, from 0 to pi.

    >>> torch.acos(torch.tensor([0., 1.]))
    tensor([1.5708, 0.0000])
    """
    return np.arccos(self)


@op(kind="float", self=lambda grad, self: grad / (self * self + 1), holomorphic=True)
def atan(self):
    """The inverse of the tangent: the angle in radians, from -pi/2 to pi/2.

    >>> torch.atan(torch.tensor([0., 1.]))
    tensor([0.0000, 0.7854])
    """
    return np.arctan(self)


@op(kind="float", plain=np.sinh, self=lambda grad, self: grad * cosh(self), holomorphic=True)
def sinh(self):
    """The hyperbolic sine of each element.

    >>> torch.sinh(torch.tensor([0., 1.]))
    tensor([0.0000, 1.1752])
    """
    return np.sinh(self)


@op(kind="float", plain=np.cosh, self=lambda grad, self: grad * sinh(self), holomorphic=True)
def cosh(self):
    """The hyperbolic cosine of each element.

    >>> torch.cosh(torch.tensor([0., 1.]))
    tensor([1.0000, 1.5431])
    """
    return np.cosh(self)


@op(
    kind="same",
    node="TanhBackwardBackward0",
    method=False,
    inplace=False,
    holomorphic=True,
    self=lambda grad, other: tanh_slope(grad, other),
    other=lambda grad, self, other: grad * (-2 * other * self),
)
def tanh_slope(self, other):
    """The gradient of `tanh`: `self` times the derivative where the tanh is `other`."""
    return self * (1 - other * other)


@op(
    kind="float",
    plain=np.tanh,
    self=lambda grad, result: tanh_slope(grad, result),
    holomorphic=True,
)
def tanh(self):
    """The hyperbolic tangent of each element, between -1 and 1.

    >>> torch.tanh(torch.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """
    return np.tanh(self)


def written_over(function: Any) -> None:
    """Give a function its in-place form, for which PyTorch has a node without a derivative."""
    name = function.op.name

    @op(
        kind="float",
        name=f"{name}_in_place",
        node=f"{name.title()}Backward1",
        method=False,
        inplace=False,
        self=lambda grad: no_formula(f"inplace version of {name}"),
    )
    def overwriting(self):
        return function.op.kernel(self)

    runner = of_runner(call_inplace, overwriting.op, "Tensor", f"{name}_")
    present_inplace(runner, function.op.kernel, function.op)


@op(
    kind="float",
    inplace=False,
    self=lambda grad, self: grad * rsqrt(self * self + 1),
    holomorphic=True,
)
def asinh(self):
    """The inverse hyperbolic sine of each element.

    >>> torch.asinh(torch.tensor([0., 1.]))
    tensor([0.0000, 0.8814])
    """
    return np.arcsinh(self)


@op(
    kind="float",
    inplace=False,
    self=lambda grad, self: grad / (sqrt(self - 1) * sqrt(self + 1)),
    holomorphic=True,
)
def acosh(self):
    """The inverse hyperbolic cosine of each element.

    >>> torch.acosh(torch.tensor([1., 2.]))
    tensor([0.0000, 1.3170])
    """
    return np.arccosh(self)


@op(
    kind="float",
    inplace=False,
    self=lambda grad, self: grad / (1 - self * self),
    holomorphic=True,
)
def atanh(self):
    """The inverse hyperbolic tangent of each element.

    >>> torch.atanh(torch.tensor([0., 0.5]))
    tensor([0.0000, 0.5493])
    """
    return np.arctanh(self)


for _function in (asinh, acosh, atanh):
    written_over(_function)


# ---- two operands, and degrees -------------------------------------------------------------------


def over_square(self: Any, other: Any) -> Any:
    """One over the squared length of the vector (self, other); 0 for a length of 0."""
    square = self * self + other * other
    return masked(reciprocal(square), square != 0)


@op(
    kind="float",
    tensors_only=("self", "other"),
    check=errors.unless("atan2_cpu", "complex"),
    self=lambda grad, self, other: grad * other * over_square(self, other),
    other=lambda grad, self, other: grad * -self * over_square(self, other),
)
def atan2(self, other):
    """The angle of the point (x=other, y=self) in radians, from -pi to pi.

    >>> torch.atan2(torch.tensor([1., 0.]), torch.tensor([1., -1.]))
    tensor([0.7854, 3.1416])
    """
    return np.arctan2(self, other)


@op(
    kind="promote",
    tensors_only=("self", "other"),
    check=errors.unless("hypot_cpu", "bool", "integer", "complex"),
    self=lambda grad, self, result: grad * self / result,
    other=lambda grad, other, result: grad * other / result,
)
def hypot(self, other):
    """The length of the vector (self, other): ``sqrt(self ** 2 + other ** 2)``.

    >>> torch.hypot(torch.tensor([3.]), torch.tensor([4.]))
    tensor([5.])
    """
    return np.hypot(self, other)


@op(
    kind="float",
    node="Deg2RadBackward0",
    check=errors.unless("", "complex", text=errors.DEGREES_COMPLEX, error=RuntimeError),
    self=lambda grad: grad * (math.pi / 180),
)
def deg2rad(self):
    """Degrees converted to radians.

    >>> torch.deg2rad(torch.tensor([180., 90.]))
    tensor([3.1416, 1.5708])
    """
    return self * self.dtype.type(math.pi / 180)


@op(
    kind="float",
    node="Rad2DegBackward0",
    check=errors.unless("", "complex", text=errors.RADIANS_COMPLEX, error=RuntimeError),
    self=lambda grad: grad * (180 / math.pi),
)
def rad2deg(self):
    """Radians converted to degrees.

    >>> torch.rad2deg(torch.tensor([3.1416, 0.]))
    tensor([180.0004,   0.0000])
    """
    return self * self.dtype.type(180 / math.pi)


arcsin = asin
arccos = acos
arctan = atan
arcsinh = asinh
arccosh = acosh
arctanh = atanh
arctan2 = as_function(atan2, "arctan2")

for _name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2"):
    for _form in ("", "_"):
        _alias = f"arc{_name[1:]}{_form}"
        attach_as(_alias, getattr(Tensor, _name + _form))
