"""The negative log likelihood of classes, and cross entropy, which is made of it."""

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import lacking, refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.ops.elementwise.zeroing import over, plus, times
from course_lib.ops.layers import layer_op
from course_lib.ops.layers.losses import Size, choose_reduction
from course_lib.ops.layers.softmax import log_shares
from course_lib.words import errors

Array = Any


def class_axis(shape: Any) -> int:
    """The dimension of the classes, in the shape of their scores."""
    return min(len(shape) - 1, 1)


def all_count(shape: Any, target: Array, weight: Array, ignore_index: int) -> bool:
    """Whether each row of scores has one target with weight 1, which is the usual case."""
    if weight is not None or ignore_index >= 0 or len(shape) != 2:
        return False
    return target.ndim == 1 and bool(np.minimum.reduce(target, initial=0) >= 0)


def factors(shape, target, weight, ignore_index, dtype):
    """For each target, whether it counts, its class, and the weight of its loss."""
    if len(shape) == 1:
        target = np.reshape(target, ())
    counts = np.not_equal(target, ignore_index)
    classes = np.where(counts, target, 0).astype(np.int64)
    each = dtype.type(1) if weight is None else np.take(weight, classes)
    share = np.where(counts, each, dtype.type(0))
    return counts, np.expand_dims(classes, class_axis(shape)), share


def fitting(self, target, weight, reduction, ignore_index, total_weight):
    """Raise unless every target is a valid class, and the dtypes and class weights fit."""
    shape, labels = self._array.shape, target._array
    if weight is not None and weight.requires_grad and modes.grad:
        name = "nll_loss2d_forward" if len(shape) == 4 else "nll_loss_forward"
        raise RuntimeError(errors.not_differentiable(name, "weight"))
    refuse(target._dtype.name not in ("int64", "uint8"), errors.target_dtype, target)
    lacking(self._dtype.category != dtypes.FLOATING, errors.no_kernel, "nll_loss_out_frame", self)
    refuse(self.is_meta != target.is_meta, errors.other_device, self.device, target.device)
    classes = shape[class_axis(shape)]
    if weight is not None:
        if weight._array.shape != (classes,):
            raise RuntimeError(errors.class_weights(classes, weight._array.shape))
        refuse(weight._dtype is not self._dtype, errors.expected_scalar_type, self, weight)
    if labels.__class__ is not MetaArray and may_miss(labels, classes):
        wrong = (labels != ignore_index) & ((labels < 0) | (labels >= classes))
        if np.any(wrong):
            raise IndexError(errors.target_out_of_bounds(np.asarray(labels)[wrong].flat[0]))


def may_miss(labels: Any, classes: int) -> bool:
    """Whether some label is not a class; labels to ignore count too, and are sorted out later."""
    if labels.dtype == np.int64:
        labels = labels.view(np.uint64)  # this turns negative numbers into large ones
    return bool(labels.size and np.maximum.reduce(labels, axis=None) >= classes)


def nll(name: str, node: str) -> Any:
    """Declare the loss for single targets, or for images of them."""
    return layer_op(
        layout="kernel",
        name=name,
        node=node,
        saves=("target", "weight", "total_weight"),
        refuses=fitting,
        self=lambda grad, self, target, weight, reduction, ignore_index, total_weight: nll_back(
            grad, target, weight, self.shape, reduction, ignore_index, total_weight
        ),
    )(picked_losses)


def picked_losses(self, target, weight, reduction, ignore_index, total_weight):
    """The score of each target's class, negative, times its weight; fills in `total_weight`."""
    if all_count(self.shape, target, weight, ignore_index):
        rows = self.shape[0]
        values, total = np.negative(self[np.arange(rows), target]), self.dtype.type(rows)
    else:
        counts, classes, share = factors(self.shape, target, weight, ignore_index, self.dtype)
        axis = class_axis(self.shape)
        taken = np.take_along_axis(self, classes, axis).squeeze(axis)
        values = np.where(counts, -taken * share, self.dtype.type(0))
        total = np.add.reduce(share, axis=None)
    if reduction == "none":
        return values
    if total.__class__ is not MetaArray:
        total_weight[...] = total
    summed = np.add.reduce(values, axis=None)
    return summed if reduction == "sum" else summed / total


@layer_op(
    saves=("target", "weight", "total_weight"),
    self=lambda grad, target, weight, shape, reduction, ignore_index, total_weight: (
        nll_loss2d if len(shape) == 4 else nll_loss1d
    )(grad, target, weight, reduction, ignore_index, total_weight),
)
def nll_back(self, target, weight, shape, reduction, ignore_index, total_weight):
    """The gradient of the scores: at each target's class, minus the weight of its loss."""
    refuse(len(shape) == 1 and target.ndim, errors.target_of_one, shape, target.shape)
    grad = np.zeros_like(self, order="C", shape=shape)
    if all_count(shape, target, weight, ignore_index) and shape[0]:
        share = self.dtype.type(1 / shape[0] if reduction == "mean" else 1)
        grad[np.arange(shape[0]), target] = -self * share
        return grad
    counts, classes, share = factors(shape, target, weight, ignore_index, self.dtype)
    if reduction == "mean":
        share = share / np.add.reduce(share, axis=None)
    axis = class_axis(shape)
    values = np.where(counts, -self * share, self.dtype.type(0))
    np.put_along_axis(grad, classes, np.expand_dims(values, axis), axis)
    return grad


nll_loss1d = nll("nll_loss", "NllLossBackward0")
nll_loss2d = nll("nll_loss2d", "NllLoss2DBackward0")


def nll_loss_nd(input, target, weight, reduction, ignore_index):
    """The loss for scores with any number of dimensions after that of the classes."""
    shape, wanted = input._array.shape, target._array.shape
    refuse_value(not shape, errors.SCORES_SCALAR)
    if len(shape) > 1 and shape[0] != (wanted or [0])[0]:
        raise ValueError(errors.target_batch(shape[0], (wanted or [0])[0]))
    total = Tensor._make(np.zeros((), input._array.dtype), input._dtype)
    given = (weight, reduction, ignore_index, total)
    if len(shape) < 3:
        refuse(len(wanted) > 1, errors.SEVERAL_TARGETS)
        one = len(shape) > 1 or wanted in ((), (1,))
        refuse_value(not one, errors.one_target, *wanted)
        return nll_loss1d(input, target, *given)
    if len(shape) == 4:
        refuse(len(wanted) != 3, errors.target_of_images, wanted)
        refuse(wanted[1:] != shape[2:], errors.target_of_places, shape, wanted)
        return nll_loss2d(input, target, *given)
    batch, classes, *rest = shape
    refuse(wanted[1:] != shape[2:], errors.target_shape, (batch, *rest), wanted)
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
    way = choose_reduction(size_average, reduce, reduction)
    overloads("nn", "nll_loss_nd").examine((input, target, weight, 1, ignore_index), {})
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
    way = choose_reduction(size_average, reduce, reduction)
    given = (input, target, weight, 1, ignore_index, label_smoothing)
    overloads("nn", "cross_entropy_loss").examine(given, {})
    refuse(label_smoothing > 1, errors.smoothing_range, label_smoothing)
    smoothing = max(label_smoothing, 0)
    shape = input._array.shape
    if shape == target._array.shape:
        refuse(target._dtype.category != dtypes.FLOATING, errors.probabilities_dtype, target)
        refuse(ignore_index >= 0, errors.PROBABILITIES_IGNORE)
        return of_probabilities(input, target, weight, way, smoothing)
    logs = log_shares(input, class_axis(shape) if shape else 1)
    found: Any = nll_loss_nd(logs, target, weight, way, ignore_index)
    if not smoothing:
        return found
    spread = spread_loss(logs, target, weight, way, ignore_index)
    return times(found, 1 - smoothing) + times(spread, smoothing / shape[class_axis(shape)])


def of_probabilities(input: Any, target: Any, weight: Any, reduction: str, smoothing: float) -> Any:
    """Cross entropy with a distribution as the target."""
    shape = input._array.shape
    axis = class_axis(shape)
    terms = log_shares(input, axis)
    if smoothing:
        target = plus(times(target, 1 - smoothing), smoothing / shape[axis])
    terms = of_classes(terms * target, weight)
    if reduction == "none":
        return -terms.sum(axis)
    if reduction == "sum":
        return -terms.sum()
    if not terms._array.size:
        return -terms.sum().fill_(math.nan)
    return over(-terms.sum(), math.prod(shape) // shape[axis])


def of_classes(terms: Any, weight: Any) -> Any:
    """The terms of the classes, each times its weight."""
    if weight is None:
        return terms
    shape = terms._array.shape
    axis = class_axis(shape)
    if weight._array.shape != (shape[axis],):
        raise RuntimeError(errors.class_weights(shape[axis], weight._array.shape))
    return terms * weight.view([-1 if d == axis else 1 for d in range(len(shape))])


def spread_loss(logs: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
    """The loss of all classes together, of which each target gets a share when it is smoothed."""
    ignored = target == ignore_index
    spread = -of_classes(logs, weight).sum(class_axis(logs._array.shape))
    spread = spread.masked_fill(ignored, 0.0)
    if reduction == "none":
        return spread
    total = spread.sum()
    if reduction == "sum":
        return total
    if weight is None:
        return total / (~ignored).sum()
    held = weight.gather(0, target.masked_fill(ignored, 0).flatten())
    return total / held.masked_fill(ignored.flatten(), 0.0).sum()
