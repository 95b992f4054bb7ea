"""Exponentials and logarithms."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from course_lib.declare.op import op

__all__ = [
    "exp",
    "expm1",
    "log",
    "log10",
    "log1p",
    "log2",
]


LN2, LN10 = math.log(2), math.log(10)


def logarithm(number: Any) -> Any:
    """The natural logarithm of a Python number; nan for a negative real one."""
    if isinstance(number, complex):
        return cmath.log(number)
    if number > 0:
        return math.log(number)
    return math.nan if number < 0 else -math.inf


@op(kind="float", plain=np.exp, self=lambda grad, result: grad * result, holomorphic=True)
def exp(self):
    """The exponential: e to the power of each element.

    >>> torch.exp(torch.tensor([0., 1.]))
    tensor([1.0000, 2.7183])
    """
    return np.exp(self)


@op(kind="float", self=lambda grad, result: grad * (result + 1), holomorphic=True)
def expm1(self):
    """``exp(x) - 1``, accurate even for small x.

    >>> torch.expm1(torch.tensor([0., 1.]))
    tensor([0.0000, 1.7183])
    """
    return np.expm1(self)


@op(kind="float", plain=np.log, self=lambda grad, self: grad / self, holomorphic=True)
def log(self):
    """The natural logarithm of each element.

    >>> torch.log(torch.tensor([1., 10.]))
    tensor([0.0000, 2.3026])
    """
    return np.log(self)


@op(kind="float", self=lambda grad, self: grad / (self * LN2), holomorphic=True)
def log2(self):
    """The logarithm of each element to base 2.

    >>> torch.log2(torch.tensor([1., 8.]))
    tensor([0., 3.])
    """
    return np.log2(self)


@op(kind="float", self=lambda grad, self: grad / (self * LN10), holomorphic=True)
def log10(self):
    """The logarithm of each element to base 10.

    >>> torch.log10(torch.tensor([2., 5.]))
    tensor([0.3010, 0.6990])
    """
    return np.log10(self)


@op(
    kind="float",
    node="Log1PBackward0",
    self=lambda grad, self: grad / (self + 1),
    holomorphic=True,
)
def log1p(self):
    """``log(1 + x)``, accurate even for small x.

    >>> torch.log1p(torch.tensor([0., 1.]))
    tensor([0.0000, 0.6931])
    """
    if self.dtype.kind != "c":
        return np.log1p(self)
    # The length of 1 + z, without the 1 in which a small z would drown.
    real, imaginary = np.real(self), np.imag(self)
    length = 0.5 * np.log1p(real * (real + 2) + imaginary * imaginary)
    return (length + 1j * np.arctan2(imaginary, real + 1)).astype(self.dtype)[()]
