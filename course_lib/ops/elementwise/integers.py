"""Common divisors of integers; neighbours, mantissa and exponent of floating-point numbers."""

from __future__ import annotations

import numpy as np

from course_lib.declare.op import op
from course_lib.ops.elementwise.zeroing import blank, masked
from course_lib.words import errors

__all__ = ["nextafter"]


# ---- floating numbers ----------------------------------------------------------------------------


@op(kind="same", method=False, inplace=False, operands=("self", "other"))
def differs(self, other):
    """Where two elements are not equal."""
    return np.not_equal(self, other)


@op(
    kind="promote",
    tensors_only=("self", "other"),
    inplace=True,
    check=errors.unless("nextafter_cpu", "bool", "integer", "complex"),
    self=lambda grad, self, other: masked(grad, differs(self, other)),
    other=lambda grad, self, other: blank(grad),
)
def nextafter(self, other):
    """The next floating-point number after each element, in the direction of `other`.

    >>> torch.nextafter(torch.tensor([1.]), torch.tensor([2.])) - 1
    tensor([1.1921e-07])
    """
    return np.nextafter(self, other)
