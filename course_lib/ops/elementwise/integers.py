"""Common divisors of integers; neighbours, mantissa and exponent of floating-point numbers."""

from __future__ import annotations

import math

import numpy as np

from course_lib.declare.op import op
from course_lib.ops.elementwise.exponentials import exp2
from course_lib.ops.elementwise.zeroing import blank, masked
from course_lib.words import errors

__all__ = ["frexp", "gcd", "heaviside", "lcm", "ldexp", "nextafter"]


@op(
    kind="promote",
    tensors_only=("self", "other"),
    check=errors.unless("gcd_cpu", "bool", "floating", "complex"),
)
def gcd(self, other):
    """The greatest common divisor of two integers, element by element.

    >>> torch.gcd(torch.tensor([6, 10]), torch.tensor([4, 15]))
    tensor([2, 5])
    """
    return np.gcd(self, other)


@op(
    kind="promote",
    tensors_only=("self", "other"),
    check=errors.unless("lcm_cpu", "bool", "floating", "complex"),
)
def lcm(self, other):
    """The least common multiple of two integers, element by element.

    >>> torch.lcm(torch.tensor([6, 10]), torch.tensor([4, 15]))
    tensor([12, 30])
    """
    return np.lcm(self, other)


@op(
    kind="promote",
    tensors_only=("self", "values"),
    check=errors.check_heaviside,
    operands=("self", "values"),
)
def heaviside(self, values):
    """The step function: 0 below zero, 1 above, and at zero the element of `values`.

    >>> torch.heaviside(torch.tensor([-1., 0., 2.]), torch.tensor([0.5, 0.5, 0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    return np.where(np.equal(self, 0), values, np.greater(self, 0).astype(self.dtype))[()]


# ---- floating numbers ----------------------------------------------------------------------------


@op(kind="same", method=False, inplace=False, operands=("self", "other"))
def differs(self, other):
    """Where two elements are not equal."""
    return np.not_equal(self, other)


@op(
    kind="promote",
    tensors_only=("self", "other"),
    inplace=True,
    check=errors.unless("nextafter_cpu", "bool", "integer", "complex"),
    self=lambda grad, self, other: masked(grad, differs(self, other)),
    other=lambda grad, self, other: blank(grad),
)
def nextafter(self, other):
    """The next floating-point number after each element, in the direction of `other`.

    >>> torch.nextafter(torch.tensor([1.]), torch.tensor([2.])) - 1
    tensor([1.1921e-07])
    """
    return np.nextafter(self, other)


@op(
    kind="float",
    tensors_only=("self", "other"),
    check=errors.check_ldexp,
    self=lambda grad, other: grad * exp2(other),
    other=lambda grad, result: grad * result * math.log(2),
    holomorphic=True,
)
def ldexp(self, other):
    """``self * 2 ** other``.

    >>> torch.ldexp(torch.tensor([1., 3.]), torch.tensor([4, -1]))
    tensor([16.0000,  1.5000])
    """
    return self * np.power(other.dtype.type(2), other)


@op(
    kind="float",
    tensors_only=("self",),
    returns=("mantissa", "exponent"),
    operands=("self",),
    inplace=False,
    check=errors.unless("", "bool", "integer", "complex", text=errors.FREXP, error=RuntimeError),
    self=lambda grad, exponent: scaled_down(grad, exponent),
)
def frexp(self):
    """The mantissa m and exponent e of each element ``m * 2 ** e``, with m in [0.5, 1).

    >>> mantissa, exponent = torch.frexp(torch.tensor([1., 10.]))
    >>> mantissa, exponent
    (tensor([0.5000, 0.6250]), tensor([1, 4], dtype=torch.int32))
    """
    mantissa, exponent = np.frexp(self)
    return mantissa, exponent.astype(np.int32)


@op(
    kind="float",
    method=False,
    inplace=False,
    operands=("self",),
    saves=("exponent",),
    self=lambda grad, exponent: scaled_down(grad, exponent),
)
def scaled_down(self, exponent):
    """`self` divided by a power of 2."""
    return np.ldexp(self, -np.asarray(exponent))
