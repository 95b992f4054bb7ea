"""Losses as functions; `reduction` is "mean", "sum" or "none"."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.layers import cross_entropy as likelihood
from course_lib.ops.layers import losses as ops
from course_lib.ops.layers import similarity as comparing
from course_lib.ops.shape.expand import broadcast_tensors
from course_lib.words import errors

Size = bool | None


def chosen(size_average: Size, reduce: Size, reduction: str, weight: Any = None) -> str:
    """What `reduction` asks for, or what the two arguments ask that were there before it."""
    if size_average is not None or reduce is not None:
        mean, whole = size_average in (None, True), reduce in (None, True)
        reduction = ("mean" if mean else "sum") if whole else "none"
        errors.warn(errors.old_reduction(reduction))
    if reduction == "elementwise_mean":
        errors.warn(errors.ELEMENTWISE_MEAN)
        return "mean"
    if reduction not in ("none", "mean", "sum"):
        weighted = weight is not None
        raise ValueError((errors.not_a_mode if weighted else errors.not_a_reduction)(reduction))
    return reduction


def paired(input: Tensor, target: Tensor) -> None:
    """Warn if the two are of different sizes."""
    if input._array.shape != target._array.shape:
        errors.warn(errors.broadcast_loss(target._array.shape, input._array.shape))


def averaged(values: Any, weight: Any, reduction: str, mean: Any = None) -> Any:
    """Weighted losses; their mean is one of the weights, unless `mean` is another."""
    if reduction == "none":
        return values
    if reduction == "sum":
        return values.sum()
    return values.sum() / weight.sum() if mean is None else mean()


def check_weight(weight: Tensor, input: Tensor) -> None:
    """Raise unless there is one weight for each element."""
    if weight._array.shape != input._array.shape:
        raise ValueError(errors.LOSS_WEIGHTS)


# ---- of numbers ----------------------------------------------------------------------------------


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squared difference, as a mean over all elements.

    >>> torch.nn.functional.mse_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))
    tensor(2.)
    """
    paired(input, target)
    one, other = same_shape(input, target)
    way = chosen(size_average, reduce, reduction, weight)
    if weight is None:
        return ops.mse_loss(one, other, way)
    check_weight(weight, input)
    return averaged(((one - other) ** 2) * weight, weight, way)


def same_shape(input: Tensor, target: Tensor) -> Any:
    """The two tensors, broadcast if they differ in shape."""
    if input._array.shape == target._array.shape:
        return input, target
    return broadcast_tensors(input, target)


def as_dtype_of(input: Tensor, other: Any) -> Any:
    """The other tensor in the dtype of the input, which decides what some losses compute in."""
    return other if other._dtype is input._dtype else other.to(input._dtype)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The absolute difference, as a mean over all elements.

    >>> torch.nn.functional.l1_loss(torch.tensor([1., 2.]), torch.tensor([1., 4.]))
    tensor(1.)
    """
    paired(input, target)
    one, other = same_shape(input, target)
    way = chosen(size_average, reduce, reduction, weight)
    values = (one - other).abs()
    if weight is not None:
        check_weight(weight, input)
        return averaged(values * weight, weight, way)
    return averaged(values, None, way, values.mean)


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
    paired(input, target)
    one, other = same_shape(input, target)
    way = chosen(size_average, reduce, reduction)
    if beta < 0:
        raise RuntimeError(errors.SMOOTH_L1_BETA)
    if beta == 0:
        values = (one - other).abs()
        return averaged(values, None, way, values.mean)
    return ops.smooth_l1_loss(one, other, way, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Half the squared difference up to `delta`, and a straight line from there on.

    >>> torch.nn.functional.huber_loss(torch.tensor([0.5, 3.]), torch.tensor([0., 0.]))
    tensor(1.3125)
    """
    paired(input, target)
    one, other = same_shape(input, as_dtype_of(input, target))
    way = chosen(None, None, reduction, weight)
    if delta <= 0:
        raise RuntimeError(errors.HUBER_DELTA)
    errors.check_huber(input, target)
    if weight is None:
        return ops.huber_loss(one, other, way, delta)
    check_weight(weight, input)
    values = ops.huber_loss(one, other, "none", delta) * weight
    return averaged(values, None, way, values.mean)


# ---- of probabilities ----------------------------------------------------------------------------


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
    return likelihood.nll_loss_nd(input, target, weight, way, ignore_index)


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
    return likelihood.cross_entropy_loss(input, target, weight, way, ignore_index, label_smoothing)


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
        weight = as_dtype_of(input, weight)
    return ops.binary_cross_entropy(input, target, weight, way)


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
    return ops.with_logits(input, target, weight, pos_weight, way, target._array.dtype)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """How far the probabilities `target` are from the log-probabilities `input`.

    >>> half = torch.tensor([0.5, 0.5])
    >>> torch.nn.functional.kl_div(half.log(), half, reduction="sum")
    tensor(0.)
    """
    if size_average is None and reduce is None and reduction == "mean":
        errors.warn(errors.KL_MEAN)
    batch = reduction == "batchmean"
    way = "sum" if batch else chosen(size_average, reduce, reduction)
    errors.check_kl_div(input, target)
    found = comparing.kl_div(input, target, way, log_target)
    if batch and input._array.ndim:
        return found / input._array.shape[0]
    return found


# ---- of pairs ------------------------------------------------------------------------------------


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """A distance where the target is 1, and what it lacks to `margin` where the target is -1.

    >>> distances, alike = torch.tensor([0.5, 0.5]), torch.tensor([1, -1])
    >>> torch.nn.functional.hinge_embedding_loss(distances, alike, margin=2.)
    tensor(1.)
    """
    way = chosen(size_average, reduce, reduction)
    values = comparing.hinge(input, target, margin)
    return averaged(values, None, way, values.mean)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """``1 - cos`` where the target is 1, and the part of the cosine above `margin` where -1.

    >>> x, y = torch.tensor([[1., 0.]]), torch.tensor([[0., 1.]])
    >>> torch.nn.functional.cosine_embedding_loss(x, y, torch.tensor([1]))
    tensor(1.)
    """
    way = chosen(size_average, reduce, reduction)
    values = comparing.cosine_embedding(input1, input2, target, margin)
    return averaged(values, None, way, values.mean)
