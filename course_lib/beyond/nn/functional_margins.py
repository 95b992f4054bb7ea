"""Losses of margins and of distributions, as functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from course_lib.beyond.ops import margin_losses as ops
from course_lib.core.tensor import Tensor
from course_lib.nn._functional.losses import Size, averaged, chosen
from course_lib.ops.elementwise.activations import logsigmoid
from course_lib.ops.elementwise.clamp import clamp_min, minimum
from course_lib.ops.elementwise.exponentials import log
from course_lib.ops.layers.similarity import pairwise_distance
from course_lib.ops.make.like import ones_like
from course_lib.words import errors


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """What the other scores lack to be below the right one's by the margin.

    >>> F = torch.nn.functional
    >>> F.multi_margin_loss(torch.tensor([[0.5, 1., 0.]]), torch.tensor([1]))
    tensor(0.1667)
    """
    way = chosen(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError(errors.MULTI_MARGIN_P)
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return ops.multi_margin_loss(input, target, weight, p, margin, way)


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """The same where several classes are right; -1 ends the list of them.

    >>> scores, right = torch.tensor([[0.5, 1., 0.]]), torch.tensor([[1, 0, -1]])
    >>> torch.nn.functional.multilabel_margin_loss(scores, right)
    tensor(0.1667)
    """
    way = chosen(size_average, reduce, reduction)
    return ops.multilabel_margin_loss(input, target, way)


def multilabel_soft_margin_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Size = None,
    reduce: Size = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean over the classes of how surprising each yes or no is.

    >>> F = torch.nn.functional
    >>> F.multilabel_soft_margin_loss(torch.tensor([[0., 0.]]), torch.tensor([[1., 0.]]))
    tensor(0.6931)
    """
    if size_average is not None or reduce is not None:
        reduction = chosen(size_average, reduce, reduction)
    values = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        values = values * weight
    values = values.sum(-1) / input.size(-1)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return averaged(values, None, reduction, values.mean)


def gaussian_nll_loss(
    input: Any,
    target: Any,
    var: Any,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """How surprising the numbers `target` are, for normal ones of mean `input` and variance `var`.

    >>> F = torch.nn.functional
    >>> F.gaussian_nll_loss(torch.tensor([1.]), torch.tensor([3.]), torch.tensor([1.]))
    tensor(2.)
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError(errors.VAR_NEGATIVE)
        var = var * ones_like(input.detach())
    elif bool((var < 0).any()):
        raise ValueError(errors.VAR_NEGATIVE)
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif not one_dimension_wide(input.size(), var.size()):
            raise ValueError(errors.VAR_SIZE)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    safe = var.clone()
    safe.detach().clamp_(min=eps)  # the floor is no part of the gradient
    values = 0.5 * (log(safe) + (input - target) ** 2 / safe)
    if full:
        values = values + 0.5 * math.log(2 * math.pi)
    return averaged(values, None, reduction, values.mean)


def one_dimension_wide(whole: Any, part: Any) -> bool:
    """Whether the two sizes are equal, but for one dimension in which `part` has size 1."""
    if len(whole) != len(part):
        return False
    return [b for a, b in zip(whole, part, strict=True) if a != b] == [1]


def triplet_margin_with_distance_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    *,
    distance_function: Callable | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` with any measure of distance.

    >>> a, b, c = torch.tensor([[0.]]), torch.tensor([[2.]]), torch.tensor([[1.]])
    >>> torch.nn.functional.triplet_margin_with_distance_loss(a, b, c)
    tensor(2.)
    """
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(errors.not_a_reduction(reduction))
    if margin <= 0:
        raise ValueError(errors.triplet_margin(margin))
    distance = pairwise_distance if distance_function is None else distance_function
    errors.check_triplet(anchor.dim(), positive.dim(), negative.dim(), False)
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    values: Any = clamp_min(margin + near - far, 0)
    return averaged(values, None, reduction, values.mean)
