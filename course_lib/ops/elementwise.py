"""Arithmetic and elementary functions, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.forms.declare import op

__all__ = ["add", "cos", "div", "exp", "log", "mul", "neg", "sin", "sub", "tanh"]

# ---- arithmetic ----------------------------------------------------------------------------------


@op(
    kind="promote",
    operator="add",
    commutative=True,
    self=lambda grad: grad,
    other=lambda grad, alpha: grad if alpha == 1 else grad * alpha,
)
def add(self: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The sum ``self + alpha * other``.

    >>> torch.add(torch.tensor([1, 2]), torch.tensor([10, 20]), alpha=2)
    tensor([21, 42])
    """
    return self + other if alpha == 1 else self + alpha * other


@op(
    kind="promote",
    operator="sub",
    self=lambda grad: grad,
    other=lambda grad, alpha: -grad if alpha == 1 else grad * -alpha,
)
def sub(self: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The difference ``self - alpha * other``.

    >>> torch.tensor([3, 2]) - 1
    tensor([2, 1])
    """
    return self - other if alpha == 1 else self - alpha * other


@op(
    kind="promote",
    operator="mul",
    commutative=True,
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
)
def mul(self: Any, other: Any) -> Any:
    """The product, element by element.

    >>> torch.tensor([1, 2]) * torch.tensor([3, 4])
    tensor([3, 8])
    """
    return self * other


@op(
    kind="float",
    operator="truediv",
    self=lambda grad, other: grad / other,
    other=lambda grad, self, other: -grad * ((self / other) / other),
)
def div(self: Any, other: Any) -> Any:
    """The quotient; integers give a floating result.

    >>> torch.tensor([1, 2]) / 2
    tensor([0.5000, 1.0000])
    """
    return np.true_divide(self, other)


@op(kind="promote", operator="neg", self=lambda grad: -grad)
def neg(self: Any) -> Any:
    """The negative.

    >>> -torch.tensor([1, -2])
    tensor([-1,  2])
    """
    return -self


# ---- elementary functions ------------------------------------------------------------------------


@op(kind="float", self=lambda grad, result: grad * result)
def exp(self: Any) -> Any:
    """e to the power of each element.

    >>> torch.exp(torch.tensor([0., 1.]))
    tensor([1.0000, 2.7183])
    """
    return np.exp(self)


@op(kind="float", self=lambda grad, self: grad / self)
def log(self: Any) -> Any:
    """The natural logarithm.

    >>> torch.log(torch.tensor([1., 10.]))
    tensor([0.0000, 2.3026])
    """
    return np.log(self)


@op(kind="float", self=lambda grad, self: grad * cos(self))
def sin(self: Any) -> Any:
    """The sine.

    >>> torch.sin(torch.tensor([0., 1.]))
    tensor([0.0000, 0.8415])
    """
    return np.sin(self)


@op(kind="float", self=lambda grad, self: grad * -sin(self))
def cos(self: Any) -> Any:
    """The cosine.

    >>> torch.cos(torch.tensor([0., 1.]))
    tensor([1.0000, 0.5403])
    """
    return np.cos(self)


@op(kind="float", self=lambda grad, result: grad * (1 - result * result))
def tanh(self: Any) -> Any:
    """The hyperbolic tangent.

    >>> torch.tanh(torch.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """
    return np.tanh(self)
