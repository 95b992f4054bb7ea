"""Powers, roots, exponentials and logarithms."""

import cmath
import math
from typing import Any

import numpy as np

from course_lib.calls.rules import unless
from course_lib.core.graph import is_tensor
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import choice
from course_lib.declare.methods import attach_as
from course_lib.declare.op import as_operator, op
from course_lib.dtypes import kinds
from course_lib.dtypes.kinds import NUMBERS
from course_lib.ops.elementwise.zeroing import (
    blank,
    inner,
    is_complex,
    masked,
    negated,
    no_gradient,
    plus,
    times,
)
from course_lib.ops.make.fill import fits
from course_lib.words import errors

__all__ = ["exp", "expm1", "log", "log10", "log1p", "log2", "pow", "rsqrt", "sqrt", "square"]

# ---- exponentials and logarithms -----------------------------------------------------------------

LN2, LN10 = math.log(2), math.log(10)


def logarithm(number: Any) -> Any:
    """The natural logarithm of a Python number; nan for a negative real one."""
    if isinstance(number, complex):
        return cmath.log(number)
    if number > 0:
        return math.log(number)
    return -math.inf if number == 0 else math.nan


@op(kind="float", plain=np.exp, self=lambda grad, result: grad * result)
def exp(self):
    """The exponential: e to the power of each element.

    >>> torch.exp(torch.tensor([0., 1.]))
    tensor([1.0000, 2.7183])
    """
    return np.exp(self)


@op(kind="float", self=lambda grad, result: grad * plus(result, 1))
def expm1(self):
    """``exp(x) - 1``, accurate even for small x.

    >>> torch.expm1(torch.tensor([0., 1.]))
    tensor([0.0000, 1.7183])
    """
    return np.expm1(self)


@op(kind="float", plain=np.log, self=lambda grad, self: grad / self)
def log(self):
    """The natural logarithm of each element.

    >>> torch.log(torch.tensor([1., 10.]))
    tensor([0.0000, 2.3026])
    """
    return np.log(self)


@op(kind="float", self=lambda grad, self: grad / times(self, LN2))
def log2(self):
    """The logarithm of each element to base 2.

    >>> torch.log2(torch.tensor([1., 8.]))
    tensor([0., 3.])
    """
    return np.log2(self)


@op(kind="float", self=lambda grad, self: grad / times(self, LN10))
def log10(self):
    """The logarithm of each element to base 10.

    >>> torch.log10(torch.tensor([2., 5.]))
    tensor([0.3010, 0.6990])
    """
    return np.log10(self)


@op(kind="float", node="Log1PBackward0", self=lambda grad, self: grad / plus(self, 1))
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


# ---- powers --------------------------------------------------------------------------------------


def power(base: Any, exponent: Any) -> Any:
    """`base` to the power `exponent`, arrays of one dtype; integers may have negative exponents."""
    if base.dtype.kind == "b":
        return np.logical_or(base, np.logical_not(exponent))
    if base.dtype.kind != "i" or not np.any(exponent < 0):
        return np.power(base, exponent)
    # 1 / base ** n, rounded towards zero, is 0 unless the base is 1 or -1
    found = np.power(base, np.abs(exponent))
    return np.where((exponent < 0) & (np.abs(base) != 1), base.dtype.type(0), found)[()]


SIMPLE = {
    0.5: np.sqrt,
    2: lambda x: x * x,
    3: lambda x: x * x * x,
    -0.5: lambda x: x.dtype.type(1) / np.sqrt(x),
    -1: lambda x: x.dtype.type(1) / x,
    -2: lambda x: x.dtype.type(1) / (x * x),
}


def not_negative(exponent: Any) -> Any:
    """Where exponents are at least zero; for complex ones the course has no gradient."""
    return no_gradient("complex exponents") if is_complex(exponent) else exponent >= 0


def check_exponent(self: Any, exponent: Any) -> None:
    """Raise for an integer that is a negative exponent of integers, or too large for the dtype."""
    if isinstance(exponent, int) and exponent < 0 and self._dtype.category < 2:
        raise RuntimeError(errors.NEGATIVE_POWER)
    if exponent.__class__ is int and exponent > 127:
        fits(exponent, self._dtype)


@inner(
    kind="all",
    node="PowBackward0",
    refuses=check_exponent,
    self=lambda grad, self, exponent: (
        # A shortcut for arrays; with history, the gradient of a square saves what PyTorch's does.
        grad * (self * 2)
        if exponent == 2 and not is_tensor(grad)
        else power_gradient(grad, self, exponent)
    ),
)
def pow_number(self, exponent):
    """A tensor to the power of a number."""
    simple = SIMPLE.get(exponent)
    if simple is not None and self.dtype.kind in "fc":
        return simple(self)
    return power(self, kinds.scalar(exponent, self.dtype))


def power_gradient(grad: Any, base: Any, exponent: Any) -> Any:
    """``exponent * base ** (exponent - 1)``, and 0 for an exponent of 0, even at a base of 0."""
    if exponent == 0:
        return blank(grad)
    return grad * times(pow_number(base, exponent - 1), exponent)


@inner(
    kind="promote",
    node="PowBackward1",
    refuses=unless("pow", "bool"),
    self=lambda grad, self, exponent, result: masked(  # PyTorch checks the result here, too
        grad * (exponent * self ** (exponent - 1)), exponent != 0
    ),
    exponent=lambda grad, self, exponent, result: (
        grad * masked(result * log(self), negated((self == 0) & not_negative(exponent)))
    ),
)
def pow_tensor(self, exponent):
    """A tensor to the power of a tensor."""
    if self.dtype.kind == "f" and np.any(root := exponent == 0.5):
        # NumPy may take a root here, which has a sign for -0.0 and is nan for -inf; powers do not.
        self = np.where(root & ((self == 0) | (self == -np.inf)), np.abs(self), self)
    return power(self, exponent)


@inner(
    kind="all",
    node="PowBackward2",
    layout="contiguous",
    refuses=unless("pow", "bool"),
    exponent=lambda grad, self, exponent, result: (
        # At a base of 0 the gradient of 0 ** x is 0, unless x is negative.
        grad * masked(times(result, logarithm(self)), negated(not_negative(exponent)))
        if self == 0 or is_complex(exponent)
        else grad * times(result, logarithm(self))
    ),
)
def number_pow(self, exponent):
    """A number to the power of a tensor."""
    return power(kinds.scalar(self, exponent.dtype), exponent)


@choice
def pow(input: Any, exponent: Any, *, out: Tensor | None = None) -> Any:
    """`input` to the power `exponent`; one of the two may be a number; ``input ** exponent``.

    >>> torch.tensor([1., 2., 3.]) ** 2
    tensor([1., 4., 9.])
    >>> 2 ** torch.tensor([1, 2, 3])
    tensor([2, 4, 8])
    """
    if isinstance(exponent, Tensor):
        return pow_tensor if isinstance(input, Tensor) else number_pow, input, exponent
    return pow_number, input, exponent


@choice
def square(input: Tensor, *, out: Tensor | None = None) -> Any:
    """Each element times itself.

    >>> torch.square(torch.tensor([3., -2.]))
    tensor([9., 4.])
    """
    return pow_number, input, 2


# ---- roots ---------------------------------------------------------------------------------------


@op(kind="float", plain=np.sqrt, self=lambda grad, result: grad / times(result, 2))
def sqrt(self):
    """The square root of each element; nan for negative numbers.

    >>> torch.sqrt(torch.tensor([4., 2.]))
    tensor([2.0000, 1.4142])
    """
    return np.sqrt(self)


@op(kind="float", self=lambda grad, result: -0.5 * grad * pow_number(result, 3))
def rsqrt(self):
    """One divided by the square root of each element.

    >>> torch.rsqrt(torch.tensor([4., 1.]))
    tensor([0.5000, 1.0000])
    """
    return np.true_divide(self.dtype.type(1), np.sqrt(self))


def power_operator(self: Tensor, exponent: Any) -> Any:
    """``self ** exponent``."""
    if exponent.__class__ is int or exponent.__class__ is float:
        return pow_number.op.call(self, exponent)
    if not isinstance(exponent, (Tensor, *NUMBERS)):
        return NotImplemented
    return pow(self, exponent)


attach_as("__pow__", power_operator)
attach_as("__rpow__", as_operator(lambda self, base: pow(base, self)))
attach_as("__ipow__", as_operator(pow.inplace))
