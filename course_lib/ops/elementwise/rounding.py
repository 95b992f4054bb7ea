"""Rounding, signs and magnitudes."""

from typing import Any

import numpy as np

from course_lib.calls.rules import no, refuse, unless
from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.ops.elementwise.zeroing import blank, inner, is_complex, masked
from course_lib.words import errors

__all__ = ["abs", "ceil", "conj", "floor", "nextafter", "round", "sgn", "sign", "trunc"]


# ---- rounding ------------------------------------------------------------------------------------


def declare_rounding(kernel: Any) -> Any:
    """Declare a function that rounds floating numbers; integers are whole already."""
    lacks = unless(f"{kernel.__name__}_vml_cpu", "bool")
    complex_too = no("complex", errors.no_rounding, NotImplementedError)
    return op(kind="promote", refuses=(complex_too, lacks), self=lambda grad: blank(grad))(kernel)


@declare_rounding
def floor(self):
    """The largest whole number not above each element.

    >>> torch.floor(torch.tensor([1.7, -1.2]))
    tensor([ 1., -2.])
    """
    return np.floor(self) if self.dtype.kind == "f" else self.copy()


@declare_rounding
def ceil(self):
    """The smallest whole number not below each element.

    >>> torch.ceil(torch.tensor([1.2, -1.7]))
    tensor([ 2., -1.])
    """
    return np.ceil(self) if self.dtype.kind == "f" else self.copy()


@declare_rounding
def trunc(self):
    """Each element rounded towards zero: without its fraction.

    >>> torch.trunc(torch.tensor([1.7, -1.7]))
    tensor([ 1., -1.])
    """
    return np.trunc(self) if self.dtype.kind == "f" else self.copy()


@op(
    kind="promote",
    refuses=unless("round_vml_cpu", "bool", "complex"),
    self=lambda grad: blank(grad),
)
def round(self):
    """The nearest whole number; at a tie, the even one.

    >>> torch.round(torch.tensor([0.5, 1.5, 2.7]))
    tensor([0., 2., 3.])
    """
    return np.rint(self) if self.dtype.kind == "f" else self.copy()


@op(
    kind="promote",
    tensors_only=("self", "other"),
    inplace=True,
    refuses=unless("nextafter_cpu", "bool", "integer", "complex"),
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
    refuses=unless("abs_cpu", "bool"),
    holomorphic=False,
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
    refuse(is_complex(self), errors.ABS_IN_PLACE)
    return call_inplace(abs.op, self)


@op(
    kind="promote",
    refuses=no("complex", errors.NO_COMPLEX_SIGN, NotImplementedError),
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


def sgn_gradient(grad: Any, self: Any, result: Any) -> Any:
    """The gradient of `sgn`: the part that turns the number, not the part that lengthens it."""
    if not is_complex(self):
        return blank(grad)
    along = (conj(grad) * result).real
    size = abs(self)
    return masked((grad - result * along) / size, size != 0)


@op(kind="promote", holomorphic=False, self=sgn_gradient)
def sgn(self):
    """`sign`; for a complex number, the number of magnitude 1 in the same direction.

    >>> torch.sgn(torch.tensor([3+4j, 0]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """
    return np.sign(self) if self.dtype.kind == "c" else signs(self)


@inner(node="ConjBackward0", self=lambda grad: conj(grad))
def conjugate(self):
    """The complex conjugate."""
    return np.conj(self)


def conj(input: Any) -> Any:
    """The complex conjugate; a real tensor is returned itself.

    >>> torch.conj(torch.tensor([1+2j]))
    tensor([1.-2.j])
    """
    return conjugate(input) if is_complex(input) else input


attach_as("__abs__", Tensor.abs)
attach_as("abs_", abs_)
attach_as("conj", conj)
