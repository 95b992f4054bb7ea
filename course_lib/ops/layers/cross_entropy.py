"""The negative log likelihood of classes, and cross entropy, which is made of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.ops.elementwise.with_numbers import over, plus, times
from course_lib.ops.layers.losses import Size, chosen
from course_lib.ops.layers.softmax import log_shares
from course_lib.words import errors

__all__: list[str] = []

Array = Any


def factors(target: Array, weight: Array, ignore_index: int, dtype: Any) -> tuple[Array, Array]:
    """For each target, the class to look up and the weight of its loss: 0 if it is ignored."""
    counted = np.not_equal(target, ignore_index)
    classes = np.where(counted, target, 0).astype(np.int64)
    if weight is None:
        return classes, counted.astype(dtype)
    return classes, np.where(counted, np.take(weight, classes), dtype.type(0))


def all_count(scores: Any, target: Array, weight: Array, ignore_index: int) -> bool:
    """Whether each row of scores has one target with weight 1, which is the usual case."""
    if weight is not None or ignore_index >= 0 or len(scores) != 2:
        return False
    return target.ndim == 1 and bool(np.minimum.reduce(target, initial=0) >= 0)


def class_axis(scores: Any) -> int:
    """The dimension of the classes."""
    return 0 if len(scores) == 1 else 1


def nll(name: str, node: str) -> Any:
    """Declare the loss for single targets, or for images of them."""
    return op(
        kind="promote",
        layout="kernel",
        method=False,
        name=name,
        node=node,
        operands=("self",),
        saves=("target", "weight"),
        refuses=errors.check_nll,
        self=lambda grad, self, target, weight, reduction, ignore_index: nll_back(
            grad, target, weight, self.shape, reduction, ignore_index
        ),
    )(picked_losses)


def picked_losses(
    self: Array, target: Array, weight: Array, reduction: str, ignore_index: int
) -> Array:
    """The score of each target's class, negative, times its weight."""
    if all_count(self.shape, target, weight, ignore_index):
        values = np.negative(self[np.arange(len(self)), target])
        if reduction == "none":
            return values
        total = np.add.reduce(values)
        return total if reduction == "sum" else total / self.dtype.type(len(self))
    classes, share = factors(target, weight, ignore_index, self.dtype)
    axis = class_axis(self.shape)
    if self.ndim == 1:
        taken, share = np.take(self, classes).reshape(()), share.reshape(())
        target = np.reshape(target, ())
    else:
        taken = np.take_along_axis(self, np.expand_dims(classes, axis), axis).squeeze(axis)
    values = np.where(np.not_equal(target, ignore_index), -taken * share, self.dtype.type(0))
    if reduction == "none":
        return values
    total = np.add.reduce(values, axis=None)
    return total if reduction == "sum" else total / np.add.reduce(share, axis=None)


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("target", "weight"),
    self=lambda grad, target, weight, reduction, ignore_index: nll_again(
        grad, target, weight, reduction, ignore_index
    ),
)
def nll_back(self, target, weight, shape, reduction, ignore_index):
    """The gradient of the scores: at each target's class, minus the weight of its loss."""
    if len(shape) == 1 and target.ndim:
        raise RuntimeError(errors.target_of_one(shape, target.shape))
    if all_count(shape, target, weight, ignore_index) and shape[0]:
        grad, one = np.zeros(shape, self.dtype), self.dtype.type(1)
        each = -self * (one / self.dtype.type(shape[0])) if reduction == "mean" else -self
        grad[np.arange(shape[0]), target] = each
        return grad
    classes, share = factors(target, weight, ignore_index, self.dtype)
    if reduction == "mean":
        share = share / np.add.reduce(share, axis=None)
    axis = class_axis(shape)
    grad = np.zeros(shape, self.dtype)
    values = np.where(np.not_equal(target, ignore_index), -self * share, self.dtype.type(0))
    if len(shape) == 1:
        grad[classes.reshape(())] = values.reshape(())
    else:
        np.put_along_axis(grad, np.expand_dims(classes, axis), np.expand_dims(values, axis), axis)
    return grad


@op(
    kind="promote",
    layout="kernel",
    method=False,
    operands=("self",),
    saves=("target", "weight"),
    self=lambda grad, self_shape, target, weight, reduction, ignore_index: nll_back(
        grad, target, weight, self_shape, reduction, ignore_index
    ),
)
def nll_again(self, target, weight, reduction, ignore_index):
    """The adjoint of `nll_back`: the loss itself, since it is linear in the scores."""
    return picked_losses(self, target, weight, reduction, ignore_index)


nll_loss1d = nll("nll_loss", "NllLossBackward0")
nll_loss2d = nll("nll_loss2d", "NllLoss2DBackward0")


def nll_loss_nd(
    input: Tensor, target: Tensor, weight: Any, reduction: str, ignore_index: int
) -> Any:
    """The loss for scores with any number of dimensions after that of the classes."""
    shape, labels = input._array.shape, target._array.shape
    errors.check_nll_shapes(shape, labels)
    given = (weight, reduction, ignore_index)
    if len(shape) < 3:
        return nll_loss1d(input, target, *given)
    if len(shape) == 4:
        return nll_loss2d(input, target, *given)
    batch, classes, *rest = shape
    places = math.prod(rest)
    image = input.reshape((batch, classes, 1, places))
    values = nll_loss2d(image, target.reshape((batch, 1, places)), *given)
    return values.reshape((batch, *rest)) if reduction == "none" else values


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Size = None,
    ignore_index: int = -100,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative of the score of each target's class, for scores that are log-probabilities.

    >>> scores = torch.tensor([[-0.5, -1.0], [-2.0, -0.1]])
    >>> torch.nn.functional.nll_loss(scores, torch.tensor([0, 0]))
    tensor(1.2500)
    """
    way = chosen(size_average, reduce, reduction)
    return nll_loss_nd(input, target, weight, way, ignore_index)


# ---- cross entropy -------------------------------------------------------------------------------


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Size = None,
    ignore_index: int = -100,
    reduce: Size = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """How surprising the targets are: classes, or probabilities of all classes.

    >>> scores = torch.tensor([[0., 0.], [0., 100.]])
    >>> torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1]))
    tensor(0.3466)
    """
    way = chosen(size_average, reduce, reduction)
    if label_smoothing > 1:
        raise RuntimeError(errors.smoothing_range(label_smoothing))
    smoothing = max(label_smoothing, 0)
    shape = input._array.shape
    axis = class_axis(shape) if shape else 0
    found: Tensor
    if shape == target._array.shape:
        errors.check_class_probabilities(target, ignore_index)
        found = of_probabilities(input, target, weight, way, smoothing, axis)
        return found
    logs = log_shares(input, axis) if shape else input
    found = nll_loss_nd(logs, target, weight, way, ignore_index)
    if not smoothing:
        return found
    spread = spread_loss(logs, target, weight, way, ignore_index, axis)
    return times(found, 1 - smoothing) + times(spread, smoothing / shape[axis])


def of_probabilities(
    input: Any, target: Any, weight: Any, reduction: str, smoothing: float, axis: int
) -> Any:
    """Cross entropy with a distribution as the target."""
    shape = input._array.shape
    classes = shape[axis]
    logs = log_shares(input, axis)
    if smoothing:
        target = plus(times(target, 1 - smoothing), smoothing / classes)
    terms = logs * target
    if weight is not None:
        terms = terms * per_class(weight, shape, axis)
    if reduction == "mean":
        if not input._array.size:
            return -terms.sum().fill_(math.nan)
        return over(-terms.sum(), math.prod(shape) / classes)
    return -terms.sum() if reduction == "sum" else -terms.sum(axis)


def per_class(weight: Any, shape: Any, axis: int) -> Any:
    """The weights of the classes, along their dimension."""
    if weight._array.shape != (shape[axis],):
        raise RuntimeError(errors.class_weights(shape[axis], weight._array.shape))
    return weight.view([-1 if d == axis else 1 for d in range(len(shape))])


def spread_loss(
    logs: Any, target: Any, weight: Any, reduction: str, ignore_index: int, axis: int
) -> Any:
    """The loss of all classes together, of which each target gets a share when it is smoothed."""
    shape = logs._array.shape
    spread = -(logs if weight is None else logs * per_class(weight, shape, axis)).sum(axis)
    ignored = target == ignore_index
    spread = spread.masked_fill(ignored, 0.0)
    if reduction == "none":
        return spread
    if reduction == "sum":
        return spread.sum()
    if weight is None:
        return spread.sum() / (~ignored).sum()
    held = weight.gather(0, target.masked_fill(ignored, 0).flatten())
    return spread.sum() / held.masked_fill(ignored.flatten(), 0.0).sum()
