"""Losses that compare two tensors element by element; each is one operation, with its mean.

`reduction` is "mean", "sum" or "none".
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import Rule, lacks, no, refuse, refuse_value, unless
from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.adding import add_along
from course_lib.memory.dims import broadcast
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.ops.elementwise.activations import logsigmoid, sigmoid
from course_lib.ops.elementwise.powers import log
from course_lib.ops.elementwise.zeroing import over
from course_lib.ops.shape.expand import broadcast_tensors
from course_lib.words import errors


def reduce_losses(values: Any, reduction: str) -> Any:
    """The losses of the elements as they are, or their mean or sum."""
    if reduction == "none":
        return values
    total = add_along(values)
    if reduction == "mean":
        total = total / values.dtype.type(values.size)
    return total if total.__class__ is MetaArray else np.asarray(total)


def each(grad: Any, reduction: str, slope: Any, weight: Any = None) -> Any:
    """The gradient of a loss, given the derivative of each element's loss: `slope`."""
    if weight is not None:
        slope = slope * weight
    if reduction != "mean":
        return grad * slope
    return over(grad * slope, math.prod(slope.shape))


# ---- arguments -----------------------------------------------------------------------------------

Size = bool | None
TINY = 1e-12  # so that nothing is divided by 0


def reduction_of(size_average: Size, reduce: Size, reduction: str) -> str:
    """What the two old arguments ask for; without them, `reduction`."""
    if size_average is None and reduce is None:
        return reduction
    mean, whole = (value is None or bool(value) for value in (size_average, reduce))
    found = ("mean" if mean else "sum") if whole else "none"
    errors.warn(errors.old_reduction(found))
    return found


def choose_reduction(size_average: Size, reduce: Size, reduction: str) -> str:
    """The same, if there is such a reduction."""
    reduction = reduction_of(size_average, reduce, reduction)
    if reduction == "elementwise_mean":
        errors.warn(errors.ELEMENTWISE_MEAN)
        return "mean"
    refuse_value(reduction not in ("none", "mean", "sum"), errors.not_a_reduction, reduction)
    return reduction


def broadcast_pair(input: Tensor, target: Tensor) -> Any:
    """The two tensors, broadcast with a warning if they differ in shape."""
    if input._array.shape == target._array.shape:
        return input, target
    errors.warn(errors.broadcast_loss(target._array.shape, input._array.shape))
    return broadcast_tensors(input, target)


def no_gradient_for(name: str, argument: str) -> Rule:
    """A rule that a loss has no gradient for one of its arguments."""
    return Rule(
        lambda value: value is not None and value.requires_grad and modes.grad,
        errors.not_differentiable(name, argument),
        of=(argument,),
    )


# ---- of numbers ----------------------------------------------------------------------------------


def loss(name: str, node: str, refuses: Any, **facts: Any) -> Callable:
    """Declare a loss of two tensors."""
    facts |= {"refuses": refuses, "node": node, "inplace": False, "method": False}
    return op(kind="promote", name=name, **facts)


@loss(
    "mse_loss",
    "MseLossBackward0",
    unless("mse_cpu", "bool", "integer", "complex"),
    self=lambda grad, self, target, reduction: each(grad, reduction, (self - target) * 2),
    target=lambda grad, self, target, reduction: each(grad, reduction, (target - self) * 2),
)
def squares(self: Any, target: Any, reduction: str) -> Any:
    """The squared differences."""
    difference = np.subtract(self, target)
    return reduce_losses(difference * difference, reduction)


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
    one, other = broadcast_pair(input, target)
    return squares(one, other, choose_reduction(size_average, reduce, reduction))


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
    one, other = broadcast_pair(input, target)
    way, values = choose_reduction(size_average, reduce, reduction), (one - other).abs()
    return values if way == "none" else getattr(values, way)()


# ---- probabilities -------------------------------------------------------------------------------


def probable(self: Any, target: Any) -> None:
    """Raise unless every element of `self` and of `target` is a probability."""
    for name, array in (("input", self._array), ("target", target._array)):
        if array.__class__ is not MetaArray and not ((array >= 0) & (array <= 1)).all():
            raise RuntimeError(errors.not_probabilities(name))


def not_wider(values: Any, *factors: Any) -> None:
    """Raise if a factor would make the losses wider than they are."""
    shape = values._array.shape
    for factor in factors:
        wide = shape if factor is None else broadcast(factor._array.shape, shape)
        refuse(wide != shape, errors.inplace_shape, shape, wide)


@loss(
    "binary_cross_entropy",
    "BinaryCrossEntropyBackward0",
    (
        no_gradient_for("binary_cross_entropy", "weight"),
        Rule(lambda self, target: target._dtype is not self._dtype, errors.target_other_dtype),
        lacks("bool integer complex", "binary_cross_entropy"),
        probable,
        lambda self, weight: not_wider(self, weight),
    ),
    operands=("self", "target", "weight"),
    self=lambda grad, self, target, weight, reduction: surprise_slope(
        grad, self, target, weight, reduction
    ),
    target=lambda grad, self, weight, reduction: each(
        grad, reduction, -log(self / (1 - self)), weight
    ),
)
def surprise(self, target, weight, reduction):
    """How surprising the targets are, given probabilities."""
    yes, no = np.maximum(np.log(self), -100), np.maximum(np.log1p(-self), -100)
    values = (target - 1) * no - target * yes
    return reduce_losses(values if weight is None else values * weight, reduction)


@loss(
    "surprise_slope",
    "BinaryCrossEntropyBackwardBackward0",
    (),
    operands=("self", "other", "target", "weight"),
    self=lambda grad, other, target, weight, reduction: each(
        grad, reduction, (other - target) / ((other + TINY) * (1 - other + TINY)), weight
    ),
    other=lambda grad, self, other, target, weight, reduction: each(
        grad * self,
        reduction,
        (other * other - 2 * other * target + target)
        / ((other + TINY) ** 2 * (1 - other + TINY) ** 2),
        weight,
    ),
    target=lambda grad, self, other, weight, reduction: each(
        grad * self, reduction, -1 / (other * (1 - other)), weight
    ),
)
def surprise_slope(self, other, target, weight, reduction):
    """The gradient of the probabilities `other`, given that of the loss."""
    slope = (other - target) / np.maximum((1 - other) * other, other.dtype.type(TINY))
    return each(self, reduction, slope, weight)


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
    way, wide = choose_reduction(size_average, reduce, reduction), target._array.shape
    refuse_value(wide != input._array.shape, errors.bce_sizes, wide, input._array.shape)
    if weight is not None:
        for at, (n, m) in enumerate(zip(reversed(weight.shape), reversed(wide)), 1):
            refuse(n not in (1, m), errors.mismatched_shape, n, -at, 1, weight.shape, wide)
        weight = weight.to(input._dtype).expand(broadcast(weight._array.shape, wide))
    return surprise(input, target, weight, way)


@loss(
    "with_logits",
    "BinaryCrossEntropyWithLogitsBackward0",
    (
        no_gradient_for("binary_cross_entropy_with_logits", "weight"),
        no_gradient_for("binary_cross_entropy_with_logits", "pos_weight"),
        no("bool", errors.BOTH_BOOL, of="target"),
        lacks("bool integer complex", "log_sigmoid_cpu"),
        no("integer complex", errors.not_of_targets, of="target"),
        lambda target, weight, pos_weight: not_wider(target, pos_weight, weight),
    ),
    operands=("self", "target", "weight", "pos_weight"),
    self=lambda grad, self, target, weight, pos_weight, reduction: each(
        grad, reduction, logit_slope(self, target, pos_weight), weight
    ),
    target=lambda grad, self, weight, pos_weight, reduction: each(
        grad,
        reduction,
        -self if pos_weight is None else logsigmoid(-self) - pos_weight * logsigmoid(self),
        weight,
    ),
)
def with_logits(self, target, weight, pos_weight, reduction, dtype):
    """The loss; `dtype` is that of the targets as they were given, and of the result."""
    below = np.minimum(self, 0) - np.log1p(np.exp(-np.abs(self)))  # log(sigmoid(x))
    share = 1 if pos_weight is None else (pos_weight - 1) * target + 1
    values = (1 - target) * self - share * below
    found = reduce_losses(values if weight is None else values * weight, reduction)
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
    way, wide = choose_reduction(size_average, reduce, reduction), target._array.shape
    refuse_value(wide != input._array.shape, errors.other_target_size, wide, input._array.shape)
    given = (input, target, weight, pos_weight, 1)
    overloads("torch", "binary_cross_entropy_with_logits").examine(given, {})
    return with_logits(input, target, weight, pos_weight, way, target._array.dtype)
