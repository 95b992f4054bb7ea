"""Rounding, signs and magnitudes."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace
from course_lib.declare.composite import composite
from course_lib.declare.fronts import front_of
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.ops.elementwise.zeroing import blank, is_complex, masked
from course_lib.words import errors

__all__ = [
    "abs",
    "ceil",
    "conj",
    "floor",
    "nextafter",
    "resolve_conj",
    "round",
    "sgn",
    "sign",
    "trunc",
]


# ---- rounding ------------------------------------------------------------------------------------


def whole(kernel: Any, self: Any) -> Any:
    """`kernel` of floating numbers; integers are whole already."""
    return kernel(self) if self.dtype.kind == "f" else self.copy()


@op(
    kind="promote",
    refuses=errors.no_rounding("floor"),
    self=lambda grad: blank(grad),
)
def floor(self):
    """The largest whole number not above each element.

    >>> torch.floor(torch.tensor([1.7, -1.2]))
    tensor([ 1., -2.])
    """
    return whole(np.floor, self)


@op(
    kind="promote",
    refuses=errors.no_rounding("ceil"),
    self=lambda grad: blank(grad),
)
def ceil(self):
    """The smallest whole number not below each element.

    >>> torch.ceil(torch.tensor([1.2, -1.7]))
    tensor([ 2., -1.])
    """
    return whole(np.ceil, self)


@op(
    kind="promote",
    refuses=errors.no_rounding("trunc"),
    self=lambda grad: blank(grad),
)
def trunc(self):
    """Each element rounded towards zero: without its fraction.

    >>> torch.trunc(torch.tensor([1.7, -1.7]))
    tensor([ 1., -1.])
    """
    return whole(np.trunc, self)


@op(
    kind="promote",
    node="RoundBackward0",
    method=False,
    inplace=False,
    refuses=errors.unless("round_vml_cpu", "bool", "complex"),
    self=lambda grad: blank(grad),
)
def round_whole(self):
    """The nearest whole number."""
    return whole(np.rint, self)


@op(
    kind="promote",
    node="RoundBackward1",
    method=False,
    inplace=False,
    operands=("self",),
    refuses=errors.unless("round_cpu", "bool", "integer", "complex"),
    self=lambda grad: blank(grad),
)
def round_decimals(self, decimals):
    """The nearest number with that many decimals."""
    factor = self.dtype.type(10.0 ** np.abs(decimals))
    if decimals > 0:
        return np.rint(self * factor) / factor
    return np.rint(self / factor) * factor


@composite()
def round(input: Tensor, *, decimals: int | None = None, out: Tensor | None = None) -> Tensor:
    """The nearest whole number (the even one at a tie), or the nearest with `decimals` decimals.

    >>> torch.round(torch.tensor([0.5, 1.5, 2.7]))
    tensor([0., 2., 3.])
    """
    if decimals is None:
        return round_whole(input, out=out)
    return round_decimals(input, decimals, out=out)


def round_(self: Tensor, *, decimals: int | None = None) -> Tensor:
    """`round` in place; returns the tensor itself."""
    if decimals is None:
        return call_inplace(round_whole.op, self)
    return call_inplace(round_decimals.op, self, decimals)


@op(
    kind="promote",
    tensors_only=("self", "other"),
    inplace=True,
    refuses=errors.unless("nextafter_cpu", "bool", "integer", "complex"),
    self=lambda grad, self, other: masked(grad, self != other),
    other=lambda grad, self, other: blank(grad),
)
def nextafter(self, other):
    """The next floating-point number after each element, in the direction of `other`.

    >>> torch.nextafter(torch.tensor([1.]), torch.tensor([2.])) - 1
    tensor([1.1921e-07])
    """
    return np.nextafter(self, other)


# ---- sign and magnitude --------------------------------------------------------------------------


@op(
    kind="promote",
    inplace=False,
    refuses=errors.unless("abs_cpu", "bool"),
    self=lambda grad, self: grad * sgn(self),
)
def abs(self):
    """The absolute value of each element; for complex numbers, the magnitude, which is real.

    >>> abs(torch.tensor([-1., 2.]))
    tensor([1., 2.])
    """
    return np.abs(self)


def abs_(self: Tensor) -> Tensor:
    """`abs` in place; returns the tensor itself."""
    if is_complex(self):
        raise RuntimeError(errors.ABS_IN_PLACE)
    return call_inplace(abs.op, self)


@op(
    kind="promote",
    refuses=errors.unless("", "complex", text=errors.NO_COMPLEX_SIGN),
    self=lambda grad: blank(grad),
)
def sign(self):
    """The sign of each element: -1, 0 or 1 (0 for nan).

    >>> torch.sign(torch.tensor([-3., 0., 5.]))
    tensor([-1.,  0.,  1.])
    """
    return signs(self)


def signs(array: Any) -> Any:
    """The sign of real numbers; that of nan is 0."""
    if array.dtype.kind in "bu":
        return np.not_equal(array, 0).astype(array.dtype)
    return np.greater(array, 0).astype(array.dtype) - np.less(array, 0).astype(array.dtype)


@op(
    kind="promote",
    self=lambda grad, self, result: sgn_gradient(grad, self, result),
)
def sgn(self):
    """`sign`; for a complex number, the number of magnitude 1 in the same direction.

    >>> torch.sgn(torch.tensor([3+4j, 0]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """
    if self.dtype.kind != "c":
        return signs(self)
    size = np.abs(self)
    return np.where(size == 0, self.dtype.type(0), self / np.where(size == 0, 1, size))[()]


def sgn_gradient(grad: Any, value: Any, result: Any) -> Any:
    """The gradient of `sgn`: the part that turns the number, not the part that lengthens it."""
    if not is_complex(value):
        return blank(grad)
    along = real_part(conj(grad) * result)
    size = abs(value)
    return masked((grad - result * along) / size, size != 0)


@op(
    kind="same",
    method=False,
    inplace=False,
    self=lambda grad, self_dtype: grad * (1 + 0j) if self_dtype.is_complex else grad,
)
def real_part(self):
    """The real part, as a new tensor."""
    return np.real(self).copy()


@op(kind="same", method=False, inplace=False, node="ConjBackward0", self=lambda grad: conj(grad))
def conjugate(self):
    """The complex conjugate."""
    return np.conj(self)


def conj(input: Any) -> Any:
    """The complex conjugate; a real tensor is returned itself.

    >>> torch.conj(torch.tensor([1+2j]))
    tensor([1.-2.j])
    """
    return conjugate(input) if is_complex(input) else input


def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: here `conj` computes at once, so no conjugation is pending.

    >>> torch.resolve_conj(torch.tensor([1+2j]))
    tensor([1.+2.j])
    """
    return input


for _name, _function in {
    "__abs__": abs,
    "abs_": front_of(abs_, "Tensor", "abs_"),
    "conj": conj,
    "resolve_conj": resolve_conj,
    "round_": round_,
}.items():
    attach_as(_name, _function)
