"""Arithmetic, element by element: the operators ``+ - * / // %`` and their named forms."""

from typing import Any

import numpy as np

from course_lib.calls.rules import common, no, refuse, unless
from course_lib.core.tensor import Tensor
from course_lib.core.writes import writing
from course_lib.declare.composite import choice, composite
from course_lib.declare.fronts import stand_in
from course_lib.declare.methods import attach_as
from course_lib.declare.op import as_operator, op
from course_lib.dtypes import kinds
from course_lib.dtypes.kinds import NUMBERS
from course_lib.ops.elementwise.zeroing import blank, inner, refuse_gradient
from course_lib.words import errors

__all__ = ["add", "div", "floor_divide", "mul", "neg", "positive", "reciprocal", "remainder", "sub"]


# ---- sums and differences ------------------------------------------------------------------------


def check_alpha(self: Any, other: Any, alpha: Any) -> None:
    """Raise if the factor `alpha` has a higher category than the operands."""
    if alpha.__class__ is int and alpha == 1:
        return
    category = common((self, other)).category
    refuse(isinstance(alpha, bool) and category, errors.BOOL_ALPHA)
    refuse(isinstance(alpha, float) and category < 2, errors.FLOATING_ALPHA)
    refuse(isinstance(alpha, complex) and category < 3, errors.COMPLEX_ALPHA)


@op(
    kind="promote",
    operator="add",
    commutative=True,
    refuses=check_alpha,
    self=lambda grad: grad,
    other=lambda grad, alpha: grad if alpha == 1 else grad * alpha,
)
def add(self, other, *, alpha=1):
    """The sum ``self + alpha * other``.

    >>> torch.add(torch.tensor([1, 2]), torch.tensor([10, 20]), alpha=2)
    tensor([21, 42])
    """
    return self + scale(other, alpha)


def is_bool(value: Any) -> bool:
    """Whether this is a bool tensor, or True or False."""
    return isinstance(value, bool) or (isinstance(value, Tensor) and not value._dtype.category)


def check_subtraction(self: Any, other: Any, alpha: Any) -> None:
    """Raise if an operand of a subtraction is bool, or `alpha` does not fit."""
    if is_bool(self) or is_bool(other):
        both = is_bool(self) and is_bool(other)
        raise RuntimeError(errors.BOTH_BOOL if both else errors.minus_bool("Subtraction", "with"))
    check_alpha(self, other, alpha)


@op(
    kind="promote",
    operator="sub",
    refuses=check_subtraction,
    self=lambda grad: grad,
    other=lambda grad, alpha: -grad if alpha == 1 else grad * -alpha,
)
def sub(self, other, *, alpha=1):
    """The difference ``self - alpha * other``.

    >>> torch.tensor([3, 2]) - 1
    tensor([2, 1])
    """
    return self - scale(other, alpha)


def scale(array: Any, alpha: Any) -> Any:
    """`array` times a number taken in the array's dtype; integers wrap around."""
    return array if alpha == 1 else array * kinds.scalar(alpha, array.dtype)


@inner(
    kind="promote",
    name="rsub",
    tensors_only=("self",),
    node="RsubBackward1",
    operands=("other", "self"),
    refuses=check_subtraction,
    self=lambda grad, alpha: -grad if alpha == 1 else grad * -alpha,
)
def number_less(self, other, *, alpha=1):
    """The difference ``other - self`` with a number: as in PyTorch, it has a node of its own."""
    return other - self


@op(
    kind="promote",
    operator="neg",
    refuses=no("bool", errors.minus_bool("Negation", "on")),
    self=lambda grad: -grad,
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
    refuse(input._dtype.category == 0, errors.POSITIVE_BOOL)
    return input


# ---- products and quotients ----------------------------------------------------------------------


@op(
    kind="promote",
    operator="mul",
    commutative=True,
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
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
)
def quotient(self, other):
    """The quotient of floating-point numbers."""
    return np.true_divide(self, other)


def refuse_zero(divisor: Any) -> None:
    """Raise if an integer divisor is zero, or an array of them has one."""
    fine = divisor.all() if divisor.__class__ is np.ndarray else divisor
    refuse(not fine, errors.ZERO_DIVISION)


def check_rounding(self: Any, other: Any, rounding_mode: Any) -> None:
    """Raise for an unknown way of rounding, or for numbers that cannot be rounded."""
    refuse(rounding_mode not in ("floor", "trunc"), errors.rounding_mode, rounding_mode)
    unless(f"div_{rounding_mode}_cpu", "bool", "complex")(self, other)


@inner(
    kind="promote",
    name="rounded_div",
    node="DivBackward2",
    refuses=check_rounding,
    self=lambda grad, other, rounding_mode: blank(grad),
    other=lambda grad, self, other, rounding_mode: blank(grad),
)
def rounded_quotient(self, other, rounding_mode):
    """The quotient, rounded down ("floor") or towards zero ("trunc")."""
    integers = self.dtype.kind in "iu"
    if integers:
        refuse_zero(other)
    if rounding_mode == "floor":
        return np.floor_divide(self, other)
    if integers:
        return np.floor_divide(self - np.fmod(self, other), other)
    return np.trunc(np.true_divide(self, other))


@choice
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
        return quotient, input, other
    return rounded_quotient, input, other, rounding_mode


@op(
    kind="promote",
    operator="floordiv",
    node="NotImplemented",
    refuses=unless("div_floor_cpu", "bool", "complex"),
    self=refuse_gradient("floor_divide"),
    other=refuse_gradient("floor_divide"),
)
def floor_divide(self, other):
    """The quotient, rounded down; ``self // other``.

    >>> torch.tensor([-7, 7]) // 2
    tensor([-4,  3])
    """
    return rounded_quotient(self, other, "floor")


@op(kind="float", self=lambda grad, result: -grad * (result * result))
def reciprocal(self):
    """One divided by each element.

    >>> torch.reciprocal(torch.tensor([2., 4.]))
    tensor([0.5000, 0.2500])
    """
    return np.true_divide(self.dtype.type(1), self)


# ---- remainders ----------------------------------------------------------------------------------


def remainder_of(node: str, **formulas: Any) -> Any:
    """The remainder after division by a number or by a tensor."""

    @inner(
        kind="promote",
        name="remainder",
        node=node,
        operands=("self", "other"),
        refuses=unless("remainder_cpu", "bool", "complex"),
        **{"self": lambda grad: grad, **formulas},
    )
    def rest(self, other):
        """The remainder with the sign of `other`; 0 keeps the sign of `self`, unlike in NumPy."""
        if self.dtype.kind in "iu":
            refuse_zero(other)
            return np.remainder(self, other)
        found = np.fmod(self, other)
        return np.where((found != 0) & ((other < 0) != (found < 0)), found + other, found)[()]

    return rest


rest_of_number = remainder_of("RemainderBackward0")
rest_of_tensor = remainder_of(
    "RemainderBackward1",
    other=lambda grad, self, other: -grad * div(self, other, rounding_mode="floor"),
)
rest_from_number = remainder_of(
    "NotImplemented", self=refuse_gradient("remainder"), other=refuse_gradient("remainder")
)


@choice
def remainder(input: Any, other: Any, *, out: Tensor | None = None) -> Any:
    """The remainder of a division, with the sign of the divisor; ``input % other``.

    >>> torch.tensor([-3, 3]) % 2
    tensor([1, 1])
    """
    which = rest_of_tensor if isinstance(other, Tensor) else rest_of_number
    return rest_from_number if isinstance(input, NUMBERS) else which, input, other


# ---- between two tensors -------------------------------------------------------------------------


@inner(kind="promote", name="_lerp", operands=("self", "end"), inplace=True)
def lerp(self, end, weight):
    """``self + weight * (end - self)``, from the nearer end: the running means of optimizers."""
    weight, step = kinds.scalar(weight, self.dtype), end - self
    return self + weight * step if np.abs(weight) < 0.5 else end - step * (1 - weight)


# ---- Python's operators --------------------------------------------------------------------------


for _name, _function in {
    "__pos__": Tensor.positive,
    "__rsub__": as_operator(number_less),
    "__rtruediv__": as_operator(lambda self, other: reciprocal(self) * other, np.ndarray),
    "__rfloordiv__": as_operator(lambda self, other: floor_divide(other, self)),
    "__mod__": as_operator(remainder),
    "__rmod__": as_operator(lambda self, other: remainder(other, self)),
    "__imod__": as_operator(remainder.inplace),
    "div_": stand_in(writing(quotient.op, Tensor.div_), Tensor.div_),
}.items():
    attach_as(_name, _function)
