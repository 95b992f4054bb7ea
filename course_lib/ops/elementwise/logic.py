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
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
]


# ---- truth values --------------------------------------------------------------------------------


@op(kind="compare", tensors_only=("self", "other"))
def logical_and(self, other):
    """True where both elements are nonzero.

    >>> torch.logical_and(torch.tensor([True, True]), torch.tensor([True, False]))
    tensor([ True, False])
    """
    return np.logical_and(self, other)


@op(kind="compare", tensors_only=("self", "other"))
def logical_or(self, other):
    """True where at least one of the two elements is nonzero.

    >>> torch.logical_or(torch.tensor([True, False]), torch.tensor([False, False]))
    tensor([ True, False])
    """
    return np.logical_or(self, other)


@op(kind="compare", tensors_only=("self", "other"))
def logical_xor(self, other):
    """True where exactly one of the two elements is nonzero.

    >>> torch.logical_xor(torch.tensor([True, True]), torch.tensor([True, False]))
    tensor([False,  True])
    """
    return np.logical_xor(self, other)


@op(kind="compare", tensors_only=("self",))
def logical_not(self):
    """True where an element is zero.

    >>> torch.logical_not(torch.tensor([0, 1, 2]))
    tensor([ True, False, False])
    """
    return np.logical_not(self)


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
