"""Losses that want the score of the right class above all others by a margin."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.ops.reduce.adjoints import refused
from course_lib.words import errors

__all__: list[str] = []

Array = Any


def reduced(values: Array, reduction: str) -> Array:
    """One loss per row, or their mean or sum."""
    if reduction == "none":
        return values
    total = np.add.reduce(values, axis=None)
    return (
        total if reduction == "sum" or not values.size else total / values.dtype.type(values.size)
    )


def of_rows(grad: Array, slopes: Array, reduction: str) -> Array:
    """The gradients of the scores, from those of the losses."""
    rows = slopes.shape[0] if slopes.ndim > 1 else 1
    if reduction == "mean":
        slopes = slopes / slopes.dtype.type(max(rows, 1))
    return slopes * (grad[..., None] if reduction == "none" and slopes.ndim > 1 else grad)


# ---- one right class -----------------------------------------------------------------------------


def lacks(scores: Array, target: Array, margin: float) -> tuple[Array, Array, Array]:
    """What each score lacks to be below the right one's by the margin; 0 for the right one."""
    rows, classes = np.atleast_2d(scores), np.atleast_1d(target).astype(np.int64)
    right = np.take_along_axis(rows, classes[:, None], 1)
    found = np.maximum(rows - right + scores.dtype.type(margin), 0)
    np.put_along_axis(found, classes[:, None], 0, 1)
    return rows, classes, found


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("target", "weight"),
    check=errors.check_multi_margin,
    self=lambda grad, self, target, weight, p, margin, reduction: multi_margin_back(
        grad, self, target, weight, p, margin, reduction
    ),
)
def multi_margin_loss(self, target, weight, p, margin, reduction):
    rows, classes, found = lacks(self, target, margin)
    found = found if p == 1 else found * found
    if weight is not None:
        found = found * weight[classes][:, None]
    values = np.add.reduce(found, axis=1) / self.dtype.type(rows.shape[1])
    return reduced(values.reshape(target.shape), reduction)


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self", "scores"),
    saves=("target", "weight"),
    self=refused("multi_margin_loss_backward"),
)
def multi_margin_back(self, scores, target, weight, p, margin, reduction):
    """The gradient of the scores."""
    rows, classes, found = lacks(scores, target, margin)
    slopes = (found > 0).astype(scores.dtype) if p == 1 else 2 * found
    if weight is not None:
        slopes = slopes * weight[classes][:, None]
    np.put_along_axis(slopes, classes[:, None], -slopes.sum(1, keepdims=True), 1)
    return of_rows(self, (slopes / rows.shape[1]).reshape(scores.shape), reduction)


# ---- several right classes -----------------------------------------------------------------------


def right_ones(target: Array, width: int) -> tuple[Array, Array]:
    """A mask of the classes named before the first -1, and the classes themselves, in rows."""
    rows = np.atleast_2d(target).astype(np.int64)
    named = np.logical_and.accumulate(rows >= 0, axis=1)
    mask = np.zeros((len(rows), width), bool)
    place, column = np.nonzero(named)
    mask[place, rows[place, column]] = True
    return mask, named


def pairs(scores: Array, target: Array) -> tuple[Array, Array, Array]:
    """For each named class (axis 1) and each other one (axis 2), what it lacks to be 1 above."""
    rows = np.atleast_2d(scores)
    mask, named = right_ones(target, rows.shape[1])
    classes = np.where(named, np.atleast_2d(target), 0).astype(np.int64)
    right = np.take_along_axis(rows, classes, 1)
    found = np.maximum(1 - right[:, :, None] + rows[:, None, :], 0)
    return found * (named[:, :, None] & ~mask[:, None, :]), classes, mask


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("target",),
    check=errors.check_multilabel_margin,
    self=lambda grad, self, target, reduction: multilabel_margin_back(
        grad, self, target, reduction
    ),
)
def multilabel_margin_loss(self, target, reduction):
    values = np.add.reduce(pairs(self, target)[0], axis=(1, 2)) / max(self.shape[-1:] or (1,))
    return reduced(values.reshape(self.shape[:-1]).astype(self.dtype), reduction)


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self", "scores"),
    saves=("target",),
    self=refused("multilabel_margin_loss_backward"),
)
def multilabel_margin_back(self, scores, target, reduction):
    """The gradient of the scores."""
    found, classes, mask = pairs(scores, target)
    hit = (found > 0).astype(scores.dtype)
    slopes = hit.sum(1)
    np.subtract.at(slopes, (np.arange(len(slopes))[:, None], classes), hit.sum(2))
    return of_rows(self, (slopes / mask.shape[1]).reshape(scores.shape), reduction)
