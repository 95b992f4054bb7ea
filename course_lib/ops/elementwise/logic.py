"""Logic on truth values, and on the bits of integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes.kinds import NUMBERS
from course_lib.words import errors

__all__ = [
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
]


# ---- bits ----------------------------------------------------------------------------------------


@op(
    kind="promote",
    operator="and",
    commutative=True,
    refuses=errors.unless("bitwise_and_cpu", "floating", "complex"),
)
def bitwise_and(self, other):
    """The bits that both integers have; ``self & other``.

    >>> torch.tensor([6, 3]) & 2
    tensor([2, 2])
    """
    return np.bitwise_and(self, other)


@op(
    kind="promote",
    operator="or",
    commutative=True,
    refuses=errors.unless("bitwise_or_cpu", "floating", "complex"),
)
def bitwise_or(self, other):
    """The bits that either integer has; ``self | other``.

    >>> torch.tensor([4, 1]) | 2
    tensor([6, 3])
    """
    return np.bitwise_or(self, other)


@op(
    kind="promote",
    operator="xor",
    commutative=True,
    refuses=errors.unless("bitwise_xor_cpu", "floating", "complex"),
)
def bitwise_xor(self, other):
    """The bits that exactly one of the integers has; ``self ^ other``.

    >>> torch.tensor([6, 3]) ^ 2
    tensor([4, 1])
    """
    return np.bitwise_xor(self, other)


@op(kind="promote", refuses=errors.unless("bitwise_not_cpu", "floating", "complex"))
def bitwise_not(self):
    """All bits flipped; for bool, the logical not; ``~self``.

    >>> ~torch.tensor([True, False])
    tensor([False,  True])
    """
    return np.bitwise_not(self)


def shifted(kernel: Any, self: Any, count: Any, far: Any) -> Any:
    """`kernel` where C defines the shift; `far` where the count is negative or too large."""
    bits = 8 * self.dtype.itemsize
    inside = np.logical_and(np.greater_equal(count, 0), np.less(count, bits))
    return np.where(inside, kernel(self, np.where(inside, count, 0)), far).astype(self.dtype)[()]


@op(
    kind="promote",
    operator="lshift",
    refuses=errors.unless("lshift_cpu", "bool", "floating", "complex"),
)
def bitwise_left_shift(self, other):
    """Each integer times two, `other` times over; ``self << other``.

    >>> torch.tensor([1, 3]) << 2
    tensor([ 4, 12])
    """
    return shifted(np.left_shift, self, other, 0)


@op(
    kind="promote",
    operator="rshift",
    refuses=errors.unless("rshift_cpu", "bool", "floating", "complex"),
)
def bitwise_right_shift(self, other):
    """Each integer halved and rounded down, `other` times over; ``self >> other``.

    >>> torch.tensor([8, -1]) >> 1
    tensor([ 4, -1])
    """
    return shifted(np.right_shift, self, other, np.where(np.less(self, 0), -1, 0))


def invert(self: Tensor) -> Tensor:
    """``~self``."""
    if self._dtype.category > 1:
        raise TypeError(errors.INVERT_TYPE)
    return bitwise_not(self)


def reflected_shift(shift: Any) -> Any:
    """``number << self``."""

    def operator(self: Tensor, other: Any) -> Any:
        return shift(other, self) if isinstance(other, NUMBERS) else NotImplemented

    return operator


attach_as("__invert__", invert)
attach_as("__rlshift__", reflected_shift(bitwise_left_shift))
attach_as("__rrshift__", reflected_shift(bitwise_right_shift))
