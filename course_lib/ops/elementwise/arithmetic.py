"""Arithmetic, element by element: the operators ``+ - * / // %`` and their named forms."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace, writing
from course_lib.declare.composite import composite
from course_lib.declare.fronts import common_first, front_of
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.ops.elementwise.zeroing import blank
from course_lib.words import errors

__all__ = [
    "add",
    "div",
    "floor_divide",
    "mul",
    "neg",
    "positive",
    "reciprocal",
    "remainder",
    "sub",
    "true_divide",
]


# ---- sums and differences ------------------------------------------------------------------------


@op(
    kind="promote",
    operator="add",
    commutative=True,
    refuses=errors.check_alpha,
    self=lambda grad: grad,
    other=lambda grad, alpha: grad if alpha == 1 else grad * alpha,
    holomorphic=True,
)
def add(self, other, *, alpha=1):
    """The sum ``self + alpha * other``.

    >>> torch.add(torch.tensor([1, 2]), torch.tensor([10, 20]), alpha=2)
    tensor([21, 42])
    """
    return self + other if alpha == 1 else self + scaled(other, alpha)


@op(
    kind="promote",
    operator="sub",
    refuses=errors.check_subtraction,
    self=lambda grad: grad,
    other=lambda grad, alpha: -grad if alpha == 1 else grad * -alpha,
    holomorphic=True,
)
def sub(self, other, *, alpha=1):
    """The difference ``self - alpha * other``.

    >>> torch.tensor([3, 2]) - 1
    tensor([2, 1])
    """
    return self - other if alpha == 1 else self - scaled(other, alpha)


def scaled(array: Any, alpha: Any) -> Any:
    """`array` times a number taken in the array's dtype; integers wrap around."""
    return array * np.asarray(alpha).astype(array.dtype)


@op(
    kind="promote",
    name="rsub",
    tensors_only=("self",),
    method=False,
    inplace=False,
    node="RsubBackward1",
    operands=("other", "self"),
    refuses=errors.check_subtraction,
    self=lambda grad, alpha: -grad if alpha == 1 else grad * -alpha,
    holomorphic=True,
)
def number_less(self, other, *, alpha=1):
    """The difference ``other - self`` with a number: as in PyTorch, it has a node of its own."""
    return other - self


@op(
    kind="promote",
    operator="neg",
    refuses=errors.check_negation,
    self=lambda grad: -grad,
    holomorphic=True,
)
def neg(self):
    """The negative of each element.

    >>> -torch.tensor([1, -2])
    tensor([-1,  2])
    """
    return -self


@composite()
def positive(input: Tensor) -> Tensor:
    """The tensor itself, as ``+x``; RuntimeError for a bool tensor.

    >>> +torch.tensor([1, -2])
    tensor([ 1, -2])
    """
    if input._dtype.category == 0:
        raise RuntimeError(errors.POSITIVE_BOOL)
    return input


# ---- products and quotients ----------------------------------------------------------------------


@op(
    kind="promote",
    operator="mul",
    commutative=True,
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
    holomorphic=True,
)
def mul(self, other):
    """The product, element by element.

    >>> torch.tensor([1, 2]) * torch.tensor([3, 4])
    tensor([3, 8])
    """
    return self * other


@op(
    kind="float",
    name="div",
    operator="truediv",
    self=lambda grad, other: grad / other,
    other=lambda grad, self, other: -grad * ((self / other) / other),
    holomorphic=True,
)
def quotient(self, other):
    """The quotient of floating-point numbers."""
    return np.true_divide(self, other)


@op(
    kind="promote",
    name="rounded_div",
    node="DivBackward2",
    method=False,
    inplace=False,
    operands=("self", "other"),
    refuses=errors.check_rounding_mode,
    self=lambda grad: blank(grad),
    other=lambda grad, other, rounding_mode: blank(grad),
)
def rounded_quotient(self, other, rounding_mode):
    """The quotient, rounded down ("floor") or towards zero ("trunc")."""
    integers = self.dtype.kind in "iu"
    if integers:
        errors.check_divisor(other)
    if rounding_mode == "floor":
        return np.floor_divide(self, other)
    if integers:
        return np.floor_divide(self - np.fmod(self, other), other)
    return np.trunc(np.true_divide(self, other))


@composite()
def div(
    input: Any, other: Any, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Any:
    """The quotient; for integers a floating-point one, unless `rounding_mode` says how to round.

    ``"trunc"`` rounds towards zero, ``"floor"`` down, as Python's ``//`` does.

    >>> torch.tensor([1, 2]) / 2
    tensor([0.5000, 1.0000])
    >>> torch.div(torch.tensor([-7, 7]), 2, rounding_mode="trunc")
    tensor([-3,  3])
    """
    if rounding_mode is None:
        return quotient(input, other) if out is None else quotient(input, other, out=out)
    return rounded_quotient(input, other, rounding_mode, out=out)


def div_(self: Tensor, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """`div` in place; returns the tensor itself."""
    if rounding_mode is None:
        return quotient.inplace(self, other)
    return call_inplace(rounded_quotient.op, self, other, rounding_mode)


@composite()
def true_divide(input: Any, other: Any, *, out: Tensor | None = None) -> Any:
    """The quotient; for integers, a floating-point one.

    >>> torch.true_divide(torch.tensor([1, 2]), 4)
    tensor([0.2500, 0.5000])
    """
    return div(input, other, out=out)


@op(
    kind="promote",
    operator="floordiv",
    node="NotImplemented",
    refuses=errors.unless("div_floor_cpu", "bool", "complex"),
    self=lambda grad: no_derivative("floor_divide"),
    other=lambda grad: no_derivative("floor_divide"),
)
def floor_divide(self, other):
    """The quotient, rounded down; ``self // other``.

    >>> torch.tensor([-7, 7]) // 2
    tensor([-4,  3])
    """
    return rounded_quotient(self, other, "floor")


def no_derivative(name: str) -> Any:
    """Raise the error of backward through an operation that has no formula."""
    raise RuntimeError(errors.no_derivative(name))


floor_divide.op.Node.name = not_implemented = lambda self: "torch::autograd::NotImplemented"


@op(kind="float", self=lambda grad, result: -grad * (result * result), holomorphic=True)
def reciprocal(self):
    """One divided by each element.

    >>> torch.reciprocal(torch.tensor([2., 4.]))
    tensor([0.5000, 0.2500])
    """
    return np.true_divide(self.dtype.type(1), self)


# ---- remainders ----------------------------------------------------------------------------------


def rest(self: Any, other: Any) -> Any:
    """The remainder with the sign of `other`; 0 keeps the sign of `self`, unlike in NumPy."""
    found = (np.remainder if self.dtype.kind in "iu" else np.fmod)(self, other)
    return np.where((found != 0) & ((other < 0) != (found < 0)), found + other, found)[()]


def remainder_of(node: str, **formulas: Any) -> Any:
    """The remainder after division by a number or by a tensor."""

    @op(
        kind="promote",
        name="remainder",
        node=node,
        method=False,
        inplace=False,
        refuses=errors.unless("remainder_cpu", "bool", "complex"),
        **{"self": lambda grad: grad, **formulas},
    )
    def remainder(self, other):
        if self.dtype.kind in "iu":
            errors.check_divisor(other)
        return rest(self, other)

    return remainder


rest_of_number = remainder_of("RemainderBackward0")
rest_of_tensor = remainder_of(
    "RemainderBackward1",
    other=lambda grad, self, other: -grad * div(self, other, rounding_mode="floor"),
)
rest_from_number = remainder_of(
    "NotImplemented",
    self=lambda grad: no_derivative("remainder"),
    other=lambda grad: no_derivative("remainder"),
)
rest_from_number.op.Node.name = not_implemented


@composite()
def remainder(input: Any, other: Any, *, out: Tensor | None = None) -> Any:
    """The remainder of a division, with the sign of the divisor; ``input % other``.

    >>> torch.tensor([-3, 3]) % 2
    tensor([1, 1])
    """
    which = rest_of_tensor if isinstance(other, Tensor) else rest_of_number
    if isinstance(input, kinds.NUMBERS):
        which = rest_from_number
    return which(input, other, out=out)


def remainder_(self: Tensor, other: Any) -> Tensor:
    """`remainder` in place; returns the tensor itself."""
    which = rest_of_tensor if isinstance(other, Tensor) else rest_of_number
    return call_inplace(which.op, self, other)


# ---- Python's operators, and second names --------------------------------------------------------


def operand(function: Any, *also: type) -> Any:
    """`function` as a Python operator, which returns NotImplemented for foreign objects."""

    def operator(self: Tensor, other: Any) -> Any:
        if not isinstance(other, (Tensor, *kinds.NUMBERS, *also)):
            return NotImplemented
        return function(self, other)

    operator.__code__ = operator.__code__.replace(co_name=function.__name__)
    return operator


for _name, _function in {
    "__pos__": positive,
    "__rsub__": operand(number_less),
    "__rtruediv__": operand(lambda self, other: reciprocal(self) * other, np.ndarray),
    "__rfloordiv__": operand(lambda self, other: floor_divide(other, self)),
    "__mod__": operand(remainder),
    "__rmod__": operand(lambda self, other: remainder(other, self)),
    "__imod__": operand(remainder_),
    "div_": common_first(writing(quotient.op, div_), 2, div_),
    "true_divide_": div_,
    "remainder_": front_of(remainder_, "Tensor", "remainder_"),
}.items():
    attach_as(_name, _function)
