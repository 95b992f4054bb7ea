"""Losses that compare two tensors element by element; each is one operation, with its mean.

`reduction` is "mean", "sum" or "none".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.adding import added
from course_lib.ops.elementwise.activations import logsigmoid, sigmoid
from course_lib.ops.elementwise.exponentials import log, log1p
from course_lib.ops.elementwise.rounding import sign
from course_lib.ops.elementwise.zeroing import chosen as picked
from course_lib.ops.elementwise.zeroing import masked
from course_lib.ops.shape.expand import broadcast_tensors
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
    return grad * slope / math.prod(slope.shape)


# ---- arguments -----------------------------------------------------------------------------------

Size = bool | None


def reduction_of(size_average: Size, reduce: Size, reduction: str) -> str:
    """What the two old arguments ask for; without them, `reduction`."""
    if size_average is None and reduce is None:
        return reduction
    mean, whole = size_average in (None, True), reduce in (None, True)
    found = ("mean" if mean else "sum") if whole else "none"
    errors.warn(errors.old_reduction(found))
    return found


def chosen(size_average: Size, reduce: Size, reduction: str) -> str:
    """The same, if there is such a reduction."""
    reduction = reduction_of(size_average, reduce, reduction)
    if reduction == "elementwise_mean":
        errors.warn(errors.ELEMENTWISE_MEAN)
        return "mean"
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(errors.not_a_reduction(reduction))
    return reduction


def paired(input: Tensor, target: Tensor) -> Any:
    """The two tensors, broadcast with a warning if they differ in shape."""
    if input._array.shape == target._array.shape:
        return input, target
    errors.warn(errors.broadcast_loss(target._array.shape, input._array.shape))
    return broadcast_tensors(input, target)


def averaged(values: Any, reduction: str) -> Any:
    """Losses as they are, or their mean or sum."""
    return values if reduction == "none" else values.sum() if reduction == "sum" else values.mean()


# ---- of numbers ----------------------------------------------------------------------------------


@op(
    kind="promote",
    inplace=False,
    method=False,
    name="mse_loss",
    node="MseLossBackward0",
    operands=("self", "target"),
    refuses=errors.check_loss("mse_cpu"),
    self=lambda grad, self, target, reduction: each(grad, reduction, (self - target) * 2),
    target=lambda grad, self, target, reduction: each(grad, reduction, (self - target) * -2),
)
def squares(self: Any, target: Any, reduction: str) -> Any:
    """The squared differences."""
    difference = np.subtract(self, target)
    return reduced(difference * difference, reduction)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """The squared difference, as a mean over all elements.

    >>> torch.nn.functional.mse_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))
    tensor(2.)
    """
    one, other = paired(input, target)
    return squares(one, other, chosen(size_average, reduce, reduction))


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """The absolute difference, as a mean over all elements.

    >>> torch.nn.functional.l1_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))
    tensor(1.)
    """
    one, other = paired(input, target)
    return averaged((one - other).abs(), chosen(size_average, reduce, reduction))


@op(
    kind="promote",
    inplace=False,
    method=False,
    name="smooth_l1_loss",
    node="SmoothL1LossBackward0",
    operands=("self", "target"),
    refuses=errors.check_loss("smooth_l1_cpu"),
    self=lambda grad, self, target, reduction, beta: each(
        grad, reduction, slope_of(self - target, beta)
    ),
    target=lambda grad, self, target, reduction, beta: each(
        grad, reduction, -slope_of(self - target, beta)
    ),
)
def smoothed(self: Any, target: Any, reduction: str, beta: float) -> Any:
    """The differences, as parabolas near zero."""
    size = np.abs(np.subtract(self, target))
    near = np.multiply(size, size) * (0.5 / beta)
    return reduced(np.where(np.less(size, beta), near, size - 0.5 * beta)[()], reduction)


def slope_of(difference: Any, beta: float) -> Any:
    """The derivative of `smoothed` by the difference."""
    near = (difference < beta) & (difference > -beta)
    return picked(difference / beta, sign(difference), near)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Half the squared difference over `beta` where it is below `beta`, else the absolute one.

    >>> torch.nn.functional.smooth_l1_loss(torch.tensor([0.5, 3.]), torch.tensor([0., 0.]))
    tensor(1.3125)
    """
    one, other = paired(input, target)
    way = chosen(size_average, reduce, reduction)
    if beta < 0:
        raise RuntimeError(errors.SMOOTH_L1_BETA)
    if beta == 0:
        return averaged((one - other).abs(), way)
    return smoothed(one, other, way, beta)


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
    name="binary_cross_entropy",
    node="BinaryCrossEntropyBackward0",
    operands=("self", "target", "weight"),
    refuses=errors.check_probabilities,
    self=lambda grad, self, target, weight, reduction: each(
        grad, reduction, weighted((self - target) / floored((1 - self) * self, 1e-12), weight)
    ),
    target=lambda grad, self, weight, reduction: each(
        grad,
        reduction,
        weighted(floored(log1p(-self), -100.0) - floored(log(self), -100.0), weight),
    ),
)
def surprise(self, target, weight, reduction):
    """How surprising the targets are, given probabilities."""
    yes, no = np.maximum(np.log(self), -100), np.maximum(np.log1p(-self), -100)
    values = (target - 1) * no - target * yes
    return reduced(values if weight is None else values * weight, reduction)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """How surprising yes-or-no targets are, given the probabilities of yes.

    >>> torch.nn.functional.binary_cross_entropy(torch.tensor([0.5]), torch.tensor([1.]))
    tensor(0.6931)
    """
    way = chosen(size_average, reduce, reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(errors.bce_sizes(target._array.shape, input._array.shape))
    if weight is not None:
        errors.check_loss_weight(weight._array.shape, target._array.shape)
        weight = weight if weight._dtype is input._dtype else weight.to(input._dtype)
    return surprise(input, target, weight, way)


@op(
    kind="promote",
    inplace=False,
    method=False,
    operands=("self", "target", "weight", "pos_weight"),
    node="BinaryCrossEntropyWithLogitsBackward0",
    refuses=errors.check_logits,
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
def with_logits(self, target, weight, pos_weight, reduction, dtype):
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


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """The same for scores whose sigmoid is the probability of yes.

    >>> F = torch.nn.functional
    >>> F.binary_cross_entropy_with_logits(torch.tensor([0.]), torch.tensor([1.]))
    tensor(0.6931)
    """
    way = chosen(size_average, reduce, reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(errors.other_target_size(target._array.shape, input._array.shape))
    return with_logits(input, target, weight, pos_weight, way, target._array.dtype)
