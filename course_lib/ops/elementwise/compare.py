"""Comparisons and tests for special values, whose answers are bools; logic on bools and bits."""

from typing import Any

import numpy as np

from course_lib.calls.rules import lacking, refuse, refuse_type, unless
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach, attach_as
from course_lib.declare.op import as_operator, op
from course_lib.ops.bridge.export import over
from course_lib.words import errors

__all__ = ["allclose", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_right_shift"]
__all__ += ["bitwise_xor", "eq", "equal", "ge", "gt", "isclose", "isfinite", "isinf", "isnan", "le"]
__all__ += ["lt", "ne"]


# ---- order ---------------------------------------------------------------------------------------


def comparison(kernel: Any) -> Any:
    """Declare a comparison; complex numbers can only be equal or not."""
    name = kernel.__name__
    facts: dict[str, Any] = {"operator": name, "tensors_only": ("self",), "inplace": False}
    if name not in ("eq", "ne"):
        facts["refuses"] = unless(f"{name}_cpu", "complex")
    return op(kind="compare", **facts)(kernel)


@comparison
def eq(self, other):
    """True where the elements are equal.

    >>> torch.tensor([1, 2]) == torch.tensor([1, 3])
    tensor([ True, False])
    """
    return np.equal(self, other)


@comparison
def ne(self, other):
    """True where the elements differ.

    >>> torch.tensor([1, 2]) != 2
    tensor([ True, False])
    """
    return np.not_equal(self, other)


@comparison
def lt(self, other):
    """True where `self` is less than `other`.

    >>> torch.tensor([1, 2]) < 2
    tensor([ True, False])
    """
    return np.less(self, other)


@comparison
def le(self, other):
    """True where `self` is less than `other`, or equal to it.

    >>> torch.tensor([1, 3]) <= 2
    tensor([ True, False])
    """
    return np.less_equal(self, other)


@comparison
def gt(self, other):
    """True where `self` is greater than `other`.

    >>> torch.tensor([1, 3]) > 2
    tensor([False,  True])
    """
    return np.greater(self, other)


@comparison
def ge(self, other):
    """True where `self` is greater than `other`, or equal to it.

    >>> torch.tensor([1, 2]) >= 2
    tensor([False,  True])
    """
    return np.greater_equal(self, other)


# ---- special values ------------------------------------------------------------------------------


@op(kind="same", inplace=False)
def isnan(self):
    """True where an element is nan ("not a number").

    >>> torch.isnan(torch.tensor([1., float("nan")]))
    tensor([False,  True])
    """
    return np.isnan(self)


@op(kind="same", inplace=False)
def isinf(self):
    """True where an element is infinite, of either sign.

    >>> torch.isinf(torch.tensor([1., float("-inf")]))
    tensor([False,  True])
    """
    return np.isinf(self)


@op(kind="same", inplace=False)
def isfinite(self):
    """True where an element is neither infinite nor nan.

    >>> torch.isfinite(torch.tensor([1., float("inf")]))
    tensor([ True, False])
    """
    return np.isfinite(self)


# ---- nearly equal --------------------------------------------------------------------------------


def check_close(self: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> None:
    """Raise for operands of different dtypes, or a negative tolerance."""
    refuse(self._dtype is not other._dtype, errors.compared_dtypes, self._dtype, other._dtype)
    for name, value in (("rtol", rtol), ("atol", atol)):
        refuse(value < 0, errors.negative_tolerance, name, value)


@op(kind="compare", inplace=False, refuses=check_close)
def isclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """True where ``|self - other| <= atol + rtol * |other|``.

    >>> torch.isclose(torch.tensor([1.0, 1.1]), torch.tensor([1.0000001, 1.2]))
    tensor([ True, False])
    """
    close = np.equal(self, other)
    if equal_nan:
        close = np.logical_or(close, np.logical_and(np.isnan(self), np.isnan(other)))
    if self.dtype.kind in "biu":
        self, other = np.asarray(self, np.float64), np.asarray(other, np.float64)
    difference = np.abs(self - other)
    near = np.isfinite(difference) & (difference <= atol + np.abs(rtol * other))
    return np.logical_or(close, near)[()]


@composite()
def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Whether `isclose` holds for all elements.

    >>> torch.allclose(torch.tensor([1.0]), torch.tensor([1.0000001]))
    True
    """
    return bool(isclose(input, other, rtol, atol, equal_nan).all())


@composite()
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements.

    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """
    lacking(input.is_meta or other.is_meta, errors.no_meta, "equal")
    if input._array.shape != other._array.shape:
        return False
    return bool(np.all(eq(input, other)._array))


plain_equal = Tensor.__eq__


def __eq__(self: Tensor, other: Any) -> Any:
    """``self == other``, element by element; a NumPy array is taken as a tensor."""
    return plain_equal(self, over(other) if isinstance(other, np.ndarray) else other)


def same(self: Tensor) -> int:
    """The hash of a tensor, by identity, though `==` compares elements."""
    return id(self)


# ---- logic ---------------------------------------------------------------------------------------


def bitwise(kernel: Any) -> Any:
    """Declare an operation on the bits of two integers, or on two bools."""
    name = kernel.__name__
    lacks = unless(f"{name}_cpu", "floating", "complex")
    symbol = name.removeprefix("bitwise_")
    return op(kind="promote", operator=symbol, commutative=True, refuses=lacks)(kernel)


@bitwise
def bitwise_and(self, other):
    """The bits that both integers have; ``self & other``.

    >>> torch.tensor([6, 3]) & 2
    tensor([2, 2])
    """
    return np.bitwise_and(self, other)


@bitwise
def bitwise_or(self, other):
    """The bits that either integer has; ``self | other``.

    >>> torch.tensor([4, 1]) | 2
    tensor([6, 3])
    """
    return np.bitwise_or(self, other)


@bitwise
def bitwise_xor(self, other):
    """The bits that exactly one of the integers has; ``self ^ other``.

    >>> torch.tensor([6, 3]) ^ 2
    tensor([4, 1])
    """
    return np.bitwise_xor(self, other)


@op(kind="promote", refuses=unless("bitwise_not_cpu", "floating", "complex"))
def bitwise_not(self):
    """All bits flipped; for bool, the logical not; ``~self``.

    >>> ~torch.tensor([True, False])
    tensor([False,  True])
    """
    return np.bitwise_not(self)


@op(kind="promote", operator="rshift", refuses=unless("rshift_cpu", "bool", "floating", "complex"))
def bitwise_right_shift(self, other):
    """Each integer halved and rounded down, `other` times over; ``self >> other``.

    >>> torch.tensor([8, -1]) >> 1
    tensor([ 4, -1])
    """
    return np.right_shift(self, other)


def invert(self: Tensor) -> Tensor:
    """``~self``."""
    refuse_type(self._dtype.category > 1, errors.INVERT_TYPE)
    return bitwise_not(self)


attach({"__eq__": __eq__, "__hash__": same})
attach_as("__invert__", invert)
attach_as("__rrshift__", as_operator(lambda self, other: bitwise_right_shift(other, self)))
