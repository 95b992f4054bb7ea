"""Bounds: the larger or the smaller of two, and values kept within limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace
from course_lib.declare.composite import composite
from course_lib.declare.fronts import front_of
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.dtypes.kinds import NUMBERS
from course_lib.ops.elementwise.zeroing import chosen, masked, negated
from course_lib.ops.make.fill import fits
from course_lib.words import errors

__all__ = [
    "clamp",
    "clamp_",
    "clip",
    "clip_",
    "maximum",
    "minimum",
]


# ---- the larger or the smaller -------------------------------------------------------------------


def shared(grad: Any, loses: Any, ties: Any) -> Any:
    """The gradient of one operand: half at a tie, none if it loses, all of it if one is nan."""
    return masked(chosen(grad / 2, grad, ties), negated(loses))


@op(
    kind="promote",
    tensors_only=("self", "other"),
    inplace=False,
    refuses=errors.unless("", "complex", text=errors.MAXIMUM_COMPLEX, error=RuntimeError),
    self=lambda grad, self, other: shared(grad, self < other, self == other),
    other=lambda grad, self, other: shared(grad, other < self, self == other),
)
def maximum(self, other):
    """The larger of two elements, element by element; nan if either is nan.

    >>> torch.maximum(torch.tensor([1, 5]), torch.tensor([3, 2]))
    tensor([3, 5])
    """
    return np.maximum(other, self)  # of two equal numbers, 0 and -0, the second is returned


@op(
    kind="promote",
    tensors_only=("self", "other"),
    inplace=False,
    refuses=errors.unless("", "complex", text=errors.MINIMUM_COMPLEX, error=RuntimeError),
    self=lambda grad, self, other: shared(grad, self > other, self == other),
    other=lambda grad, self, other: shared(grad, other > self, self == other),
)
def minimum(self, other):
    """The smaller of two elements, element by element; nan if either is nan.

    >>> torch.minimum(torch.tensor([1, 5]), torch.tensor([3, 2]))
    tensor([1, 2])
    """
    return np.minimum(other, self)


# ---- limits --------------------------------------------------------------------------------------


@op(
    kind="limits",
    node="ClampBackward1",
    refuses=errors.check_clamp,
    method=False,
    operands=("self",),
    self=lambda grad, self, min, max: masked(grad, within(self, min, max)),
)
def clamp_numbers(self, min, max):
    """`self` within limits that are numbers."""
    return limited(self, as_limit(min, self.dtype), as_limit(max, self.dtype))


def as_limit(limit: Any, dtype: np.dtype) -> Any:
    """A limit as an element, None if it is None; a negative one wraps around if unsigned."""
    if limit.__class__ is int and dtype.kind in "iu":
        return np.int64(fits(limit, dtypes.of_numpy(dtype))).astype(dtype)
    return None if limit is None else dtype.type(limit)


def limited(array: Any, low: Any, high: Any) -> Any:
    """`array` between two numbers, either of which may be None; nan stays nan, and -0 stays -0.

    With a number as one operand NumPy's `maximum` goes element by element and `clip` does not:
    for many elements it takes a third of the time.
    """
    if array.__class__ is np.ndarray and array.dtype.kind == "f":
        return array.clip(-np.inf if low is None else low, np.inf if high is None else high)
    if low is not None:
        array = np.maximum(low, array)  # in this order, as in `maximum`
    return array if high is None else np.minimum(high, array)


@op(
    kind="promote",
    node="ClampBackward0",
    method=False,
    inplace=False,
    operands=("self", "min", "max"),
    refuses=errors.check_clamp_tensors,
    self=lambda grad, self, min, max: masked(grad, within(self, min, max)),
    min=lambda grad, self, min, max: masked(grad, below(self, min, max)),
    max=lambda grad, self, min, max: masked(grad, above(self, min, max)),
)
def clamp_tensors(self, min, max):
    """`self` within limits that are tensors."""
    if min is not None:
        self = np.maximum(min, self)
    return self if max is None else np.minimum(max, self)


@op(kind="same", method=False, inplace=False, operands=("self",))
def within(self, min, max):
    """Where `clamp` leaves an element as it is."""
    inside = np.equal(self, self) | True
    if min is not None:
        inside = np.logical_and(inside, np.greater_equal(self, min))
    return inside if max is None else np.logical_and(inside, np.less_equal(self, max))


@op(kind="same", method=False, inplace=False, operands=("self",))
def below(self, min, max):
    """Where `clamp` gives the lower limit."""
    low = np.less(self, min)
    return low if max is None else np.logical_and(low, np.less(min, max))


@op(kind="same", method=False, inplace=False, operands=("self",))
def above(self, min, max):
    """Where `clamp` gives the upper limit."""
    high = np.greater(self, max)
    return high if min is None else np.logical_or(high, np.less(max, min))


@composite()
def clamp(input: Tensor, min: Any = None, max: Any = None, *, out: Tensor | None = None) -> Tensor:
    """Each element, limited to the range from `min` to `max`: numbers, tensors, or None.

    >>> torch.clamp(torch.tensor([-2., 0.5, 3.]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    which, limits = limiter(input, min, max)
    return which(input, *limits, out=out)


def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """`clamp` in place; returns the tensor itself."""
    which, limits = limiter(self, min, max)
    if which is clamp_numbers:
        errors.check_clamp_in_place(self, limits)
    return call_inplace(which.op, self, *limits)


USUAL = {int, float, type(None)}


def limiter(input: Any, *limits: Any) -> tuple[Any, tuple]:
    """Which operation clamps to these limits, and the limits in the form that it takes."""
    if limits == (None, None):
        raise RuntimeError(errors.CLAMP_WITHOUT_BOUNDS)
    if USUAL.issuperset(map(type, limits)):
        return clamp_numbers, limits
    tensors = [isinstance(limit, Tensor) for limit in limits if limit is not None]
    if all(tensors):
        return clamp_tensors, limits
    if any(tensors):  # a 0-dim tensor may stand for a number
        limits = tuple(
            limit.item() if isinstance(limit, Tensor) and not limit._array.shape else limit
            for limit in limits
        )
    if not all(limit is None or isinstance(limit, NUMBERS) for limit in limits):
        raise TypeError(errors.clamp_arguments(input, limits))
    return clamp_numbers, limits


@op(
    kind="limits",
    method=False,
    inplace=False,
    operands=("self",),
    refuses=lambda self, limit: errors.check_clamp(self, min=limit),
    self=lambda grad, self, limit: masked(grad, self >= limit),
)
def clamp_min(self, limit):
    """`self` with a lower limit, for what is composed of it in PyTorch."""
    return np.maximum(self, self.dtype.type(limit))


clip, clip_ = front_of(clamp, "torch", "clip"), clamp_

for _name, _function in {
    "clamp_": front_of(clamp_, "Tensor", "clamp_"),
    "clip": front_of(Tensor.clamp, "Tensor", "clip"),
    "clip_": clamp_,
}.items():
    attach_as(_name, _function)
