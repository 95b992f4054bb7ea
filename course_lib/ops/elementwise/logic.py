"""Logic on truth values, and on the bits of integers."""

from __future__ import annotations

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.words import errors

__all__ = [
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
]


# ---- bits ----------------------------------------------------------------------------------------


@op(
    kind="promote",
    operator="and",
    commutative=True,
    check=errors.unless("bitwise_and_cpu", "floating", "complex"),
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
    check=errors.unless("bitwise_or_cpu", "floating", "complex"),
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
    check=errors.unless("bitwise_xor_cpu", "floating", "complex"),
)
def bitwise_xor(self, other):
    """The bits that exactly one of the integers has; ``self ^ other``.

    >>> torch.tensor([6, 3]) ^ 2
    tensor([4, 1])
    """
    return np.bitwise_xor(self, other)


@op(kind="promote", check=errors.unless("bitwise_not_cpu", "floating", "complex"))
def bitwise_not(self):
    """All bits flipped; for bool, the logical not; ``~self``.

    >>> ~torch.tensor([True, False])
    tensor([False,  True])
    """
    return np.bitwise_not(self)


def invert(self: Tensor) -> Tensor:
    """``~self``."""
    if self._dtype.category > 1:
        raise TypeError(errors.INVERT_TYPE)
    return bitwise_not(self)


attach_as("__invert__", invert)
