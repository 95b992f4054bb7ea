"""Bounds: the larger or the smaller of two, and values kept within limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.kinds import NUMBERS
from course_lib.forms.composite import composite
from course_lib.forms.declare import op
from course_lib.forms.inplace import call_inplace
from course_lib.forms.methods import attach_as
from course_lib.forms.refusal import as_function, as_method
from course_lib.ops.masks import blank, chosen, drop, dropped, masked, negated

__all__ = [
    "clamp",
    "clamp_",
    "clamp_max",
    "clamp_max_",
    "clamp_min",
    "clamp_min_",
    "clip",
    "clip_",
    "fmax",
    "fmin",
    "maximum",
    "minimum",
    "relu",
    "relu_",
]

# ---- the larger or the smaller -------------------------------------------------------------------


def shared(grad: Any, loses: Any, ties: Any) -> Any:
    """The gradient of the operand taken: half of it at a tie, all for each if one is nan."""
    return masked(chosen(grad / 2, grad, ties), negated(loses))


@op(
    kind="promote",
    inplace=False,
    check=errors.unless("", "complex", text=errors.MAXIMUM_COMPLEX, error=RuntimeError),
    self=lambda grad, self, other: shared(grad, self < other, self == other),
    other=lambda grad, self, other: shared(grad, other < self, self == other),
)
def maximum(self: Tensor, other: Tensor) -> Any:
    """The larger of two elements; nan if either is.

    >>> torch.maximum(torch.tensor([1, 5]), torch.tensor([3, 2]))
    tensor([3, 5])
    """
    return np.maximum(self, other)


@op(
    kind="promote",
    inplace=False,
    check=errors.unless("", "complex", text=errors.MINIMUM_COMPLEX, error=RuntimeError),
    self=lambda grad, self, other: shared(grad, self > other, self == other),
    other=lambda grad, self, other: shared(grad, other > self, self == other),
)
def minimum(self: Tensor, other: Tensor) -> Any:
    """The smaller of two elements; nan if either is.

    >>> torch.minimum(torch.tensor([1, 5]), torch.tensor([3, 2]))
    tensor([1, 2])
    """
    return np.minimum(self, other)


@op(
    kind="promote",
    inplace=False,
    check=errors.unless("fmax_cpu", "complex"),
    self=lambda grad, self, other: masked(grad, takes_first(self, other, larger=True)),
    other=lambda grad, self, other: masked(grad, takes_second(self, other, larger=True)),
)
def fmax(self: Tensor, other: Tensor) -> Any:
    """The larger of two elements; a number wins over nan.

    >>> torch.fmax(torch.tensor([1., float("nan")]), torch.tensor([3., 2.]))
    tensor([3., 2.])
    """
    return np.fmax(self, other)


@op(
    kind="promote",
    inplace=False,
    check=errors.unless("fmin_cpu", "complex"),
    self=lambda grad, self, other: masked(grad, takes_first(self, other, larger=False)),
    other=lambda grad, self, other: masked(grad, takes_second(self, other, larger=False)),
)
def fmin(self: Tensor, other: Tensor) -> Any:
    """The smaller of two elements; a number wins over nan.

    >>> torch.fmin(torch.tensor([1., float("nan")]), torch.tensor([3., 2.]))
    tensor([1., 2.])
    """
    return np.fmin(self, other)


@op(kind="compare", method=False, inplace=False, operands=("self", "other"))
def takes_first(self: Any, other: Any, larger: bool) -> Any:
    """Where `fmax` or `fmin` gives the first operand."""
    before = np.greater_equal(self, other) if larger else np.less_equal(self, other)
    return np.logical_or(before, np.isnan(other))


@op(kind="compare", method=False, inplace=False, operands=("self", "other"))
def takes_second(self: Any, other: Any, larger: bool) -> Any:
    """Where `fmax` or `fmin` gives the second operand."""
    before = np.greater_equal(self, other) if larger else np.less_equal(self, other)
    return np.logical_not(np.logical_or(before, np.isnan(other)))


FEW = 1000  # elements: for so few, calling `clip` takes longer than what it saves

# ---- limits --------------------------------------------------------------------------------------

no_complex = errors.unless("", "complex", text=errors.CLAMP_COMPLEX)


@op(
    kind="limits",
    node="ClampBackward1",
    check=no_complex,
    method=False,
    operands=("self",),
    self=lambda grad, self, min, max: masked(grad, within(self, min, max)),
)
def clamp_numbers(self: Any, min: Any, max: Any) -> Any:
    """`self` within limits that are numbers."""
    cast = self.dtype.type
    return limited(self, None if min is None else cast(min), None if max is None else cast(max))


def limited(array: Any, low: Any, high: Any) -> Any:
    """`array` between two numbers, either of which may be None; nan stays nan, and -0 stays -0.

    With a number as one operand NumPy's `maximum` goes element by element and `clip` does not:
    for many elements it takes a third of the time.
    """
    if array.__class__ is np.ndarray and array.size > FEW and array.dtype.kind == "f":
        return array.clip(-np.inf if low is None else low, np.inf if high is None else high)
    if low is not None:
        array = np.maximum(low, array)  # in this order: of two equal numbers the second is given
    return array if high is None else np.minimum(high, array)


@op(
    kind="promote",
    node="ClampBackward0",
    method=False,
    inplace=False,
    operands=("self", "min", "max"),
    check=no_complex,
    self=lambda grad, self, min, max: masked(grad, within(self, min, max)),
    min=lambda grad, self, min, max: masked(grad, below(self, min, max)),
    max=lambda grad, self, min, max: masked(grad, above(self, min, max)),
)
def clamp_tensors(self: Any, min: Any, max: Any) -> Any:
    """`self` within limits that are tensors."""
    if min is not None:
        self = np.maximum(self, min)
    return self if max is None else np.minimum(self, max)


@op(kind="same", method=False, inplace=False, operands=("self",))
def within(self: Any, min: Any, max: Any) -> Any:
    """Where `clamp` leaves an element as it is."""
    inside = np.equal(self, self) | True
    if min is not None:
        inside = np.logical_and(inside, np.greater_equal(self, min))
    return inside if max is None else np.logical_and(inside, np.less_equal(self, max))


@op(kind="same", method=False, inplace=False, operands=("self",))
def below(self: Any, min: Any, max: Any) -> Any:
    """Where `clamp` gives the lower limit."""
    low = np.less(self, min)
    return low if max is None else np.logical_and(low, np.less(min, max))


@op(kind="same", method=False, inplace=False, operands=("self",))
def above(self: Any, min: Any, max: Any) -> Any:
    """Where `clamp` gives the upper limit."""
    high = np.greater(self, max)
    return high if min is None else np.logical_or(high, np.less(max, min))


@composite()
def clamp(input: Tensor, min: Any = None, max: Any = None, *, out: Tensor | None = None) -> Tensor:
    """Each element, or the limit that it is beyond: `min`, `max`, numbers or tensors, or None.

    >>> torch.clamp(torch.tensor([-2., 0.5, 3.]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    which, limits = limiter(input, min, max)
    return which(input, *limits, out=out)


def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """`clamp`, written into the tensor itself; gives that tensor."""
    which, limits = limiter(self, min, max)
    return call_inplace(which.op, (self, *limits), {})


def limiter(input: Any, *limits: Any) -> tuple[Any, tuple]:
    """Which operation clamps to these limits, and the limits in the form that it takes."""
    if limits == (None, None):
        raise RuntimeError(errors.CLAMP_WITHOUT_BOUNDS)
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


def one_sided(kernel: Any, name: str, inside: Any) -> tuple[Any, Any]:
    """`clamp` with one limit: for a number and for a tensor."""
    label = f"Clamp{name.title()}Backward"

    @op(
        kind="limits",
        name=f"clamp_{name}",
        node=label + "0",
        method=False,
        operands=("self",),
        check=no_complex,
        self=lambda grad, self, limit: masked(grad, inside(self, limit)),
    )
    def to_number(self: Any, limit: Any) -> Any:
        return kernel(self, self.dtype.type(limit))

    @op(
        kind="promote",
        name=f"clamp_{name}",
        node=label + "1",
        method=False,
        check=no_complex,
        self=lambda grad, self, limit: masked(grad, inside(self, limit)),
        limit=lambda grad, self, limit: masked(grad, ~inside(self, limit)),
    )
    def to_tensor(self: Tensor, limit: Any) -> Any:
        return kernel(self, limit)

    return to_number, to_tensor


MIN = one_sided(np.maximum, "min", lambda value, limit: value >= limit)
MAX = one_sided(np.minimum, "max", lambda value, limit: value <= limit)


@composite()
def clamp_min(input: Tensor, min: Any, *, out: Tensor | None = None) -> Tensor:
    """Each element, or `min` if that is larger.

    >>> torch.clamp_min(torch.tensor([-2, 3]), 0)
    tensor([0, 3])
    """
    return MIN[isinstance(min, Tensor)](input, min, out=out)


def clamp_min_(self: Tensor, min: Any) -> Tensor:
    """`clamp_min`, written into the tensor itself; gives that tensor."""
    return call_inplace(MIN[isinstance(min, Tensor)].op, (self, min), {})


@composite()
def clamp_max(input: Tensor, max: Any, *, out: Tensor | None = None) -> Tensor:
    """Each element, or `max` if that is smaller.

    >>> torch.clamp_max(torch.tensor([-2, 3]), 0)
    tensor([-2,  0])
    """
    return MAX[isinstance(max, Tensor)](input, max, out=out)


def clamp_max_(self: Tensor, max: Any) -> Tensor:
    """`clamp_max`, written into the tensor itself; gives that tensor."""
    return call_inplace(MAX[isinstance(max, Tensor)].op, (self, max), {})


@op(
    kind="same",
    node="ThresholdBackwardBackward0",
    method=False,
    layout="contiguous",
    self=lambda grad, other: passed(grad, other),
    other=lambda grad: blank(grad),
)
def passed(self: Any, other: Any) -> Any:
    """`self` where `other` is above 0: the gradient of `relu`."""
    return dropped(self, np.less_equal(other, 0))  # at nan: passed


# The same in the place of `grad`: Note [Dead gradients] in forms/compiled.py.
passed.op.kernel.over = lambda grad, other: drop(grad, np.less_equal(other, 0))


@op(
    kind="promote",
    check=errors.check_relu,
    self=lambda grad, result: passed(grad, result),
)
def relu(self: Any) -> Any:
    """Each element, or 0 if it is negative.

    >>> torch.relu(torch.tensor([-1., 0., 2.]))
    tensor([0., 0., 2.])
    """
    return limited(self, self.dtype.type(0), None)


clip, clip_ = as_function(clamp, "clip"), clamp_
relu_ = Tensor.relu_  # type: ignore[attr-defined]

for _name, _function in {
    "clamp_": as_method(clamp_, "clamp_"),
    "clamp_max_": clamp_max_,
    "clamp_min_": clamp_min_,
    "clip": as_method(Tensor.clamp, "clip"),  # type: ignore[attr-defined]
    "clip_": clamp_,
}.items():
    attach_as(_name, _function)
