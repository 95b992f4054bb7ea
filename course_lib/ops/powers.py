"""Powers, roots, exponentials and logarithms."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from course_lib.core.graph import is_tensor
from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors, kinds
from course_lib.facts.kinds import NUMBERS
from course_lib.forms.composite import composite
from course_lib.forms.declare import op
from course_lib.forms.inplace import call_inplace
from course_lib.forms.methods import attach_as
from course_lib.forms.refusal import as_method
from course_lib.ops.masks import blank, masked, negated, not_negative

__all__ = [
    "exp",
    "exp2",
    "expm1",
    "float_power",
    "log",
    "log10",
    "log1p",
    "log2",
    "pow",
    "rsqrt",
    "sqrt",
    "square",
]

# ---- powers --------------------------------------------------------------------------------------


def power(base: Any, exponent: Any) -> Any:
    """`base` to the power `exponent`, arrays of one dtype; integers do not overflow into errors."""
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


def check_exponent(self: Any, exponent: Any) -> None:
    """Raise for a negative integer exponent of integers."""
    if isinstance(exponent, int) and exponent < 0 and self._dtype.category < 2:
        raise RuntimeError(errors.NEGATIVE_POWER)


@op(
    kind="power",
    node="PowBackward0",
    method=False,
    inplace=False,
    operands=("self",),
    check=check_exponent,
    self=lambda grad, self, exponent: (
        # Short for arrays; with history the gradient of a square saves what PyTorch's does.
        grad * (self * 2)
        if exponent == 2 and not is_tensor(grad)
        else power_gradient(grad, self, exponent)
    ),
    holomorphic=True,
)
def pow_number(self: Any, exponent: Any) -> Any:
    """A tensor to the power of a number."""
    simple = SIMPLE.get(exponent)
    if simple is not None and self.dtype.kind in "fc":
        return simple(self)
    return power(self, kinds.scalar(exponent, self.dtype))


def power_gradient(grad: Any, base: Any, exponent: Any) -> Any:
    """``exponent * base ** (exponent - 1)``, and 0 for the exponent 0, also where the base is."""
    if exponent == 0:
        return blank(grad)
    return grad * (pow_number(base, exponent - 1) * exponent)


@op(
    kind="promote",
    node="PowBackward1",
    method=False,
    inplace=False,
    check=errors.unless("pow", "bool"),
    self=lambda grad, self, exponent: masked(
        grad * (exponent * self ** (exponent - 1)), exponent != 0
    ),
    exponent=lambda grad, self, exponent, result: masked(
        grad * (result * log(self)), negated((self == 0) & not_negative(exponent))
    ),
    holomorphic=True,
)
def pow_tensor(self: Any, exponent: Any) -> Any:
    """A tensor to the power of a tensor."""
    return power(self, exponent)


@op(
    kind="power",
    node="PowBackward2",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("exponent",),
    check=errors.unless("pow", "bool"),
    exponent=lambda grad, self, exponent, result: (
        grad * (result * logarithm(self))
        if self != 0
        else masked(grad * (result * logarithm(self)), negated(not_negative(exponent)))
    ),
    holomorphic=True,
)
def number_pow(self: Any, exponent: Any) -> Any:
    """A number to the power of a tensor."""
    return power(kinds.scalar(self, exponent.dtype), exponent)


def logarithm(number: Any) -> Any:
    """The natural logarithm of a Python number; nan for a negative real one."""
    if isinstance(number, complex):
        return cmath.log(number)
    if number > 0:
        return math.log(number)
    return math.nan if number < 0 else -math.inf


@composite()
def pow(input: Any, exponent: Any, *, out: Tensor | None = None) -> Any:
    """`input` to the power `exponent`, tensors or (one of them) a number; ``input ** exponent``.

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
    """`pow`, written into the tensor itself; gives that tensor."""
    which = pow_tensor if isinstance(exponent, Tensor) else pow_number
    return call_inplace(which.op, (self, exponent), {})


@composite()
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element times itself.

    >>> torch.square(torch.tensor([3., -2.]))
    tensor([9., 4.])
    """
    return pow(input, 2, out=out)


def square_(self: Tensor) -> Tensor:
    """`square`, written into the tensor itself; gives that tensor."""
    return pow_(self, 2)


@composite()
def float_power(input: Any, exponent: Any, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power `exponent`, computed in float64 (complex128 for complex numbers).

    >>> torch.float_power(torch.tensor([1, 2]), 2)
    tensor([1., 4.], dtype=torch.float64)
    """
    if not isinstance(input, Tensor) and not isinstance(exponent, (Tensor, *NUMBERS)):
        raise TypeError(errors.pow_arguments(input, exponent, out))
    wanted = precise(input, exponent)
    return pow(in_precision(input, wanted), in_precision(exponent, wanted), out=out)


def float_power_(self: Tensor, exponent: Any) -> Tensor:
    """`float_power`, written into the tensor itself; gives that tensor."""
    wanted = precise(self, exponent)
    if self._dtype is not wanted:
        raise RuntimeError(errors.float_power_in_place(self._dtype, wanted))
    return pow_(self, in_precision(exponent, wanted))


def precise(*values: Any) -> dtypes.dtype:
    """float64, or complex128 if any of the values is complex."""
    complex_ = any(
        v._dtype.is_complex if isinstance(v, Tensor) else isinstance(v, complex) for v in values
    )
    return dtypes.complex128 if complex_ else dtypes.float64


def in_precision(value: Any, dtype: dtypes.dtype) -> Any:
    """A tensor in `dtype`; a number stays what it is, of the same category."""
    if isinstance(value, Tensor):
        return value.to(dtype)
    if not isinstance(value, NUMBERS):
        raise TypeError(value)
    return complex(value) if dtype.is_complex else float(value)


# ---- roots ---------------------------------------------------------------------------------------


@op(kind="float", plain=np.sqrt, self=lambda grad, result: grad / (2 * result), holomorphic=True)
def sqrt(self: Any) -> Any:
    """The square root; nan for negative numbers.

    >>> torch.sqrt(torch.tensor([4., 2.]))
    tensor([2.0000, 1.4142])
    """
    return np.sqrt(self)


@op(kind="float", self=lambda grad, result: -0.5 * grad * pow_number(result, 3), holomorphic=True)
def rsqrt(self: Any) -> Any:
    """One divided by the square root.

    >>> torch.rsqrt(torch.tensor([4., 1.]))
    tensor([0.5000, 1.0000])
    """
    return np.true_divide(self.dtype.type(1), np.sqrt(self))


# ---- exponentials and logarithms -----------------------------------------------------------------

LN2, LN10 = math.log(2), math.log(10)


@op(kind="float", plain=np.exp, self=lambda grad, result: grad * result, holomorphic=True)
def exp(self: Any) -> Any:
    """e to the power of each element.

    >>> torch.exp(torch.tensor([0., 1.]))
    tensor([1.0000, 2.7183])
    """
    return np.exp(self)


@op(kind="float", self=lambda grad, result: grad * result * LN2, holomorphic=True)
def exp2(self: Any) -> Any:
    """2 to the power of each element.

    >>> torch.exp2(torch.tensor([0., 3.]))
    tensor([1., 8.])
    """
    return np.exp2(self)


@op(kind="float", self=lambda grad, result: grad * (result + 1), holomorphic=True)
def expm1(self: Any) -> Any:
    """``exp(x) - 1``, exact also for small x.

    >>> torch.expm1(torch.tensor([0., 1.]))
    tensor([0.0000, 1.7183])
    """
    return np.expm1(self)


@op(kind="float", plain=np.log, self=lambda grad, self: grad / self, holomorphic=True)
def log(self: Any) -> Any:
    """The natural logarithm.

    >>> torch.log(torch.tensor([1., 10.]))
    tensor([0.0000, 2.3026])
    """
    return np.log(self)


@op(kind="float", self=lambda grad, self: grad / (self * LN2), holomorphic=True)
def log2(self: Any) -> Any:
    """The logarithm to base 2.

    >>> torch.log2(torch.tensor([1., 8.]))
    tensor([0., 3.])
    """
    return np.log2(self)


@op(kind="float", self=lambda grad, self: grad / (self * LN10), holomorphic=True)
def log10(self: Any) -> Any:
    """The logarithm to base 10.

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
def log1p(self: Any) -> Any:
    """``log(1 + x)``, exact also for small x.

    >>> torch.log1p(torch.tensor([0., 1.]))
    tensor([0.0000, 0.6931])
    """
    return np.log1p(self)


def power_operator(self: Tensor, exponent: Any) -> Any:
    """``self ** exponent``."""
    if exponent.__class__ is int or exponent.__class__ is float:
        return pow_number.op.quick(self, exponent)
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
    "pow_": as_method(pow_, "pow_"),
    "square_": square_,
    "float_power_": float_power_,
}.items():
    attach_as(_name, _function)
