"""Losses that compare two tensors element by element; each is one operation, with its mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.memory.adding import added
from course_lib.ops.elementwise.activations import logsigmoid, sigmoid
from course_lib.ops.elementwise.exponentials import log, log1p
from course_lib.ops.elementwise.rounding import sign
from course_lib.ops.elementwise.zeroing import chosen, masked
from course_lib.words import errors

__all__: list[str] = []


def reduced(values: Any, reduction: str) -> Any:
    """The losses of the elements as they are, or their mean or sum."""
    if reduction == "none":
        return values
    total = added(values)
    if reduction == "mean":
        total = np.true_divide(total, values.dtype.type(values.size))
    return np.asarray(total)


def each(grad: Any, reduction: str, slope: Any) -> Any:
    """The gradient of a loss, given the derivative of each element's loss: `slope`."""
    if reduction != "mean":
        return grad * slope
    return grad * slope / size_of(slope)


def size_of(values: Any) -> int:
    """How many elements an array or a tensor has."""
    count = 1
    for n in values.shape:
        count *= n
    return count


def pointwise(kernel: str, slope: Callable, *words: str, node: str = "") -> Callable:
    """Declare a loss of the difference of two tensors; `slope` is its derivative."""
    facts: dict[str, Any] = {"node": node} if node else {}
    return op(
        kind="promote",
        inplace=False,
        method=False,
        operands=("self", "target"),
        check=errors.check_loss(kernel),
        self=FORMULAS[words](slope, 1),
        target=FORMULAS[words](slope, -1),
        **facts,
    )


# A formula is called by its parameters' names, so there is one function for each list of names.
FORMULAS: dict[tuple[str, ...], Callable] = {
    (): lambda slope, s: (
        lambda grad, self, target, reduction: each(grad, reduction, slope(self - target) * s)
    ),
    ("beta",): lambda slope, s: (
        lambda grad, self, target, reduction, beta: each(
            grad, reduction, slope(self - target, beta) * s
        )
    ),
    ("delta",): lambda slope, s: (
        lambda grad, self, target, reduction, delta: each(
            grad, reduction, slope(self - target, delta) * s
        )
    ),
}


@pointwise("mse_cpu", lambda d: d * 2)
def mse_loss(self: Any, target: Any, reduction: str = "mean") -> Any:
    difference = np.subtract(self, target)
    return reduced(difference * difference, reduction)


@pointwise(
    "smooth_l1_cpu",
    lambda d, beta: chosen(d / beta, sign(d), (d < beta) & (d > -beta)),
    "beta",
    node="SmoothL1LossBackward0",
)
def smooth_l1_loss(self: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Any:
    size = np.abs(np.subtract(self, target))
    near = np.multiply(size, size) * (0.5 / beta)
    return reduced(np.where(size < beta, near, size - 0.5 * beta)[()], reduction)


@pointwise(
    "huber_cpu", lambda d, delta: chosen(d, sign(d) * delta, (d < delta) & (d > -delta)), "delta"
)
def huber_loss(self: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    size = np.abs(np.subtract(self, target))
    near = np.multiply(size, size) * 0.5
    return reduced(np.where(size <= delta, near, delta * (size - 0.5 * delta))[()], reduction)


# ---- probabilities -------------------------------------------------------------------------------


def weighted(slope: Any, weight: Any) -> Any:
    """A slope times the weight of its element, if there are weights."""
    return slope if weight is None else slope * weight


@op(
    kind="same",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("self",),
    self=lambda grad, self, low: masked(grad, self >= low),
)
def floored(self, low):
    """Each element, at least `low`."""
    return np.maximum(self, self.dtype.type(low))


@op(
    kind="promote",
    inplace=False,
    method=False,
    operands=("self", "target", "weight"),
    check=errors.check_probabilities,
    self=lambda grad, self, target, weight, reduction: each(
        grad, reduction, weighted((self - target) / floored((1 - self) * self, 1e-12), weight)
    ),
    target=lambda grad, self, weight, reduction: each(
        grad,
        reduction,
        weighted(floored(log1p(-self), -100.0) - floored(log(self), -100.0), weight),
    ),
)
def binary_cross_entropy(self, target, weight=None, reduction="mean"):
    yes, no = np.maximum(np.log(self), -100), np.maximum(np.log1p(-self), -100)
    values = (target - 1) * no - target * yes
    return reduced(values if weight is None else values * weight, reduction)


@op(
    kind="promote",
    inplace=False,
    method=False,
    operands=("self", "target", "weight", "pos_weight"),
    node="BinaryCrossEntropyWithLogitsBackward0",
    check=errors.check_logits,
    self=lambda grad, self, target, weight, pos_weight, reduction: each(
        grad, reduction, weighted(logit_slope(self, target, pos_weight), weight)
    ),
    target=lambda grad, self, weight, pos_weight, reduction: each(
        grad,
        reduction,
        weighted(
            -self if pos_weight is None else logsigmoid(-self) - pos_weight * logsigmoid(self),
            weight,
        ),
    ),
)
def with_logits(self, target, weight=None, pos_weight=None, reduction="mean", dtype=None):
    """The loss; `dtype` is that of the targets as they were given, and of the result."""
    below = np.minimum(self, 0) - np.log1p(np.exp(-np.abs(self)))  # log(sigmoid(x))
    share = 1 if pos_weight is None else (pos_weight - 1) * target + 1
    values = (1 - target) * self - share * below
    found = reduced(values if weight is None else values * weight, reduction)
    return found if dtype is None else found.astype(dtype)


def logit_slope(x: Any, target: Any, pos_weight: Any) -> Any:
    """The derivative of `with_logits`: the difference between the sigmoid and the target."""
    if pos_weight is None:
        return sigmoid(x) - target
    positive = pos_weight * target
    return (positive + 1 - target) * sigmoid(x) - positive
