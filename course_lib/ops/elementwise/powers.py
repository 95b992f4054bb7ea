"""Powers and roots."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.graph import is_tensor
from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace
from course_lib.declare.composite import composite
from course_lib.declare.fronts import front_of
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.dtypes.kinds import NUMBERS
from course_lib.ops.elementwise.exponentials import log, logarithm
from course_lib.ops.elementwise.rounding import conj
from course_lib.ops.elementwise.zeroing import blank, is_complex, masked, negated, not_negative
from course_lib.ops.make.fill import fits
from course_lib.words import errors

__all__ = ["pow", "rsqrt", "sqrt", "square"]

# ---- powers --------------------------------------------------------------------------------------


def power(base: Any, exponent: Any) -> Any:
    """`base` to the power `exponent`, arrays of one dtype; integers may have negative exponents."""
    if base.dtype.kind == "b":
        return np.logical_or(base, np.logical_not(exponent))
    if base.dtype.kind not in "iu":
        return np.power(base, exponent)
    if base.dtype.kind == "u" or not np.any(exponent < 0):
        return np.power(base, exponent)
    # 1 / base ** n, rounded towards zero, is 0 unless the base is 1 or -1
    positive = np.power(base, np.where(exponent < 0, 0, exponent))
    flipped = np.where(base == 1, 1, np.where(base == -1, np.where(exponent % 2 == 0, 1, -1), 0))
    return np.where(exponent < 0, flipped, positive).astype(base.dtype)[()]


SIMPLE = {
    0.5: np.sqrt,
    2: lambda x: x * x,
    3: lambda x: x * x * x,
    -0.5: lambda x: x.dtype.type(1) / np.sqrt(x),
    -1: lambda x: x.dtype.type(1) / x,
    -2: lambda x: x.dtype.type(1) / (x * x),
}


def complex_like(base: Any, exponent: Any) -> Any:
    """`base`, complex if the exponents are: then a negative number has a logarithm."""
    return base + blank(exponent) if is_complex(exponent) else base


def check_exponent(self: Any, exponent: Any) -> None:
    """Raise for an integer that is a negative exponent of integers, or too large for the dtype."""
    if isinstance(exponent, int) and exponent < 0 and self._dtype.category < 2:
        raise RuntimeError(errors.NEGATIVE_POWER)
    if exponent.__class__ is int and exponent > 127:
        fits(exponent, self._dtype)


@op(
    kind="power",
    node="PowBackward0",
    method=False,
    inplace=False,
    operands=("self",),
    refuses=check_exponent,
    self=lambda grad, self, exponent: (
        # A shortcut for arrays; with history, the gradient of a square saves what PyTorch's does.
        grad * (self * 2)
        if exponent == 2 and not is_tensor(grad)
        else power_gradient(grad, self, exponent)
    ),
    holomorphic=True,
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
    return grad * (pow_number(base, exponent - 1) * exponent)


@op(
    kind="promote",
    node="PowBackward1",
    method=False,
    inplace=False,
    refuses=errors.unless("pow", "bool"),
    self=lambda grad, self, exponent: masked(
        grad * (exponent * self ** (exponent - 1)), exponent != 0
    ),
    exponent=lambda grad, self, exponent, result: masked(
        # `self` comes as its conjugate, but the logarithm of a negative number is that of `self`.
        grad * (result * conj(log(complex_like(conj(self), exponent)))),
        negated((self == 0) & not_negative(exponent)),
    ),
    holomorphic=True,
)
def pow_tensor(self, exponent):
    """A tensor to the power of a tensor."""
    if self.dtype.kind == "f" and np.any(root := exponent == 0.5):
        # NumPy may take a root here, which has a sign for -0.0 and is nan for -inf; powers do not.
        self = np.where(root & ((self == 0) | (self == -np.inf)), np.abs(self), self)
    return power(self, exponent)


def conjugate_of(base: Any) -> complex:
    """The conjugate of a real base, which lies below the cut of the logarithm; a complex one is it.

    >>> conjugate_of(-2.0)
    (-2-0j)
    """
    return complex(base.real, base.imag or -0.0)


@op(
    kind="power",
    node="PowBackward2",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("exponent",),
    refuses=errors.unless("pow", "bool"),
    exponent=lambda grad, self, exponent, result: (
        grad * (result * logarithm(conjugate_of(self) if is_complex(exponent) else self))
        if self != 0
        else masked(grad * (result * logarithm(self)), negated(not_negative(exponent)))
    ),
    holomorphic=True,
)
def number_pow(self, exponent):
    """A number to the power of a tensor."""
    return power(kinds.scalar(self, exponent.dtype), exponent)


@composite()
def pow(input: Any, exponent: Any, *, out: Tensor | None = None) -> Any:
    """`input` to the power `exponent`; one of the two may be a number; ``input ** exponent``.

    >>> torch.tensor([1., 2., 3.]) ** 2
    tensor([1., 4., 9.])
    >>> 2 ** torch.tensor([1, 2, 3])
    tensor([2, 4, 8])
    """
    which = pow_number
    if isinstance(exponent, Tensor):
        which = pow_tensor if isinstance(input, Tensor) else number_pow
    elif not isinstance(exponent, NUMBERS) or not isinstance(input, Tensor):
        raise TypeError(errors.pow_arguments(input, exponent, out))
    return which(input, exponent) if out is None else which(input, exponent, out=out)


def pow_(self: Tensor, exponent: Any) -> Tensor:
    """`pow` in place; returns the tensor itself."""
    which = pow_tensor if isinstance(exponent, Tensor) else pow_number
    return call_inplace(which.op, self, exponent)


@composite()
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element times itself.

    >>> torch.square(torch.tensor([3., -2.]))
    tensor([9., 4.])
    """
    return pow(input, 2, out=out)


def square_(self: Tensor) -> Tensor:
    """`square` in place; returns the tensor itself."""
    return pow_(self, 2)


# ---- roots ---------------------------------------------------------------------------------------


@op(kind="float", plain=np.sqrt, self=lambda grad, result: grad / (2 * result), holomorphic=True)
def sqrt(self):
    """The square root of each element; nan for negative numbers.

    >>> torch.sqrt(torch.tensor([4., 2.]))
    tensor([2.0000, 1.4142])
    """
    return np.sqrt(self)


@op(kind="float", self=lambda grad, result: -0.5 * grad * pow_number(result, 3), holomorphic=True)
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


def power_in_place(self: Tensor, exponent: Any) -> Any:
    """``self **= exponent``."""
    return pow_(self, exponent) if isinstance(exponent, (Tensor, *NUMBERS)) else NotImplemented


def reflected_power(self: Tensor, base: Any) -> Any:
    """``base ** self`` for a number."""
    return pow(base, self) if isinstance(base, NUMBERS) else NotImplemented


for _name, _function in {
    "__pow__": power_operator,
    "__rpow__": reflected_power,
    "__ipow__": power_in_place,
    "pow_": front_of(pow_, "Tensor", "pow_"),
    "square_": square_,
}.items():
    attach_as(_name, _function)
