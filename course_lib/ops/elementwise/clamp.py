"""Bounds: the larger or the smaller of two, and values kept within limits."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, common, lacking, refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import choice
from course_lib.declare.fronts import front_of
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.ops.elementwise.zeroing import chosen, inner, keep_at, negated
from course_lib.ops.make.fill import fits
from course_lib.words import errors

__all__ = ["clamp", "clamp_", "clip", "clip_", "maximum", "minimum"]


# ---- the larger or the smaller -------------------------------------------------------------------


def declare_bound(loses: Callable) -> Any:
    """Declare the larger or the smaller of two; `loses` says where the first is not the answer."""

    def share(grad: Any, one: Any, two: Any) -> Any:
        """The gradient of one operand: half at a tie, none where it loses, all at nan."""
        return keep_at(chosen(grad / 2, grad, one == two), negated(loses(one, two)))

    return op(
        kind="promote",
        tensors_only=("self", "other"),
        inplace=False,
        refuses=Rule(lambda self, other: common((self, other)).is_complex, errors.no_complex),
        self=lambda grad, self, other: share(grad, self, other),
        other=lambda grad, self, other: share(grad, other, self),
    )


@declare_bound(operator.lt)
def maximum(self, other):
    """The larger of two elements, element by element; nan if either is nan.

    >>> torch.maximum(torch.tensor([1, 5]), torch.tensor([3, 2]))
    tensor([3, 5])
    """
    return np.maximum(other, self)  # of two equal numbers, 0 and -0, the second is returned


@declare_bound(operator.gt)
def minimum(self, other):
    """The smaller of two elements, element by element; nan if either is nan.

    >>> torch.minimum(torch.tensor([1, 5]), torch.tensor([3, 2]))
    tensor([1, 2])
    """
    return np.minimum(other, self)


# ---- limits --------------------------------------------------------------------------------------


def check_numbers(self: Any, min: Any, max: Any) -> None:
    """Raise for numbers to which no tensor can be limited, and for limits of bools."""
    given = [limit for limit in (min, max) if limit is not None]
    if self._dtype.plain and all([limit.__class__ in (int, float) for limit in given]):
        return
    if self.is_floating_point() and any(complex(limit).imag for limit in given):
        raise RuntimeError(errors.python_overflow("double"))
    dtype = common((self, *given))
    lacking(dtype.is_complex, errors.CLAMP_COMPLEX)
    if dtype.category == 0:
        side = "" if len(given) == 2 else "_min" if max is None else "_max"
        raise NotImplementedError(errors.no_kernel(f"clamp{side}_scalar_cpu", dtype))


def check_tensors(self: Any, min: Any, max: Any) -> None:
    """Raise for complex numbers, if the limits are tensors."""
    lacking(self._dtype.is_complex, errors.CLAMP_COMPLEX)
    dtype = common([value for value in (self, min, max) if value is not None])
    if dtype.is_complex:
        kernel = "maximum_cpu" if max is None else "minimum_cpu" if min is None else "clamp_cpu"
        raise NotImplementedError(errors.no_kernel(kernel, dtype))


def within(value: Any, low: Any, high: Any) -> Any:
    """Where `clamp` leaves an element as it is."""
    if low is None:
        return value <= high
    return value >= low if high is None else (value >= low) & (value <= high)


@op(
    kind="all",
    node="ClampBackward1",
    refuses=check_numbers,
    method=False,
    self=lambda grad, self, min, max: keep_at(grad, within(self, min, max)),
)
def clamp_numbers(self, min, max):
    """`self` within limits that are numbers."""
    return clip_numbers(self, as_limit(min, self.dtype), as_limit(max, self.dtype))


def as_limit(limit: Any, dtype: np.dtype) -> Any:
    """A limit as an element, None if it is None; a negative one wraps around if unsigned."""
    if limit.__class__ is int and dtype.kind in "iu":
        return np.int64(fits(limit, dtypes.of_numpy(dtype))).astype(dtype)
    return None if limit is None else dtype.type(limit)


def clip_numbers(array: Any, low: Any, high: Any) -> Any:
    """`array` between two numbers, either of which may be None; nan stays nan, and -0 stays -0.

    With a number as one operand NumPy's `maximum` goes element by element and `clip` does not:
    for many elements it takes a third of the time.
    """
    if array.__class__ is np.ndarray and array.dtype.kind == "f":
        return array.clip(-np.inf if low is None else low, np.inf if high is None else high)
    if low is not None:
        array = np.maximum(low, array)  # in this order, as in `maximum`
    return array if high is None else np.minimum(high, array)


@inner(
    kind="promote",
    node="ClampBackward0",
    refuses=check_tensors,
    self=lambda grad, self, min, max: keep_at(grad, within(self, min, max)),
    min=lambda grad, self, min, max: keep_at(
        grad, self < min if max is None else (self < min) & (min < max)
    ),
    max=lambda grad, self, min, max: keep_at(
        grad, self > max if min is None else (self > max) | (max < min)
    ),
)
def clamp_tensors(self, min, max):
    """`self` within limits that are tensors."""
    if min is not None:
        self = np.maximum(min, self)
    return self if max is None else np.minimum(max, self)


@choice
def clamp(input: Tensor, min: Any = None, max: Any = None, *, out: Tensor | None = None) -> Any:
    """Each element, limited to the range from `min` to `max`: numbers, tensors, or None.

    >>> torch.clamp(torch.tensor([-2., 0.5, 3.]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    limits = min, max
    refuse(limits == (None, None), errors.CLAMP_WITHOUT_BOUNDS)
    if USUAL.issuperset(map(type, limits)):
        return clamp_numbers, input, min, max
    if all([limit is None or isinstance(limit, Tensor) for limit in limits]):
        return clamp_tensors, input, min, max
    limits = tuple(  # a 0-dim tensor may stand for a number
        limit.item() if isinstance(limit, Tensor) and not limit._array.shape else limit
        for limit in limits
    )
    return clamp_numbers, input, *limits


USUAL = {int, float, type(None)}


@inner(
    kind="all",
    refuses=lambda self, min: check_numbers(self, min, None),
    self=lambda grad, self, min: keep_at(grad, self >= min),
)
def clamp_min(self, min):
    """`self` with a lower limit, for what is composed of it in PyTorch."""
    return np.maximum(self, self.dtype.type(min))


clamp_ = clip_ = clamp.inplace
clip = front_of(clamp, "torch", "clip")
attach_as("clip", front_of(Tensor.clamp, "Tensor", "clip"))
attach_as("clip_", clip_)
