"""Pooling to a given number of windows that cover an image."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.ops.layers.pooling import Sizes, from_largest
from course_lib.ops.reduce.sums import mean_along
from course_lib.words import errors

__all__: list[str] = []

Array = Any


def ends(size: int, out: int) -> list[tuple[int, int]]:
    """Where each of `out` windows that cover `size` places starts and ends."""
    return [(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]


def asked_for(name: str, shape: Any, output_size: Any) -> Sizes:
    """The output size per dimension; one number counts for both, None keeps the input's size."""
    if isinstance(output_size, int):
        wanted: Any = (output_size, output_size)
    else:
        errors.check_enough_dims(shape, len(output_size))
        wanted = tuple(output_size)
    errors.check_output_size(name, 2, shape, wanted)
    return tuple(s if o is None else o for s, o in zip(shape[-2:], wanted, strict=True))


# ---- the mean ------------------------------------------------------------------------------------


def shares(size: int, out: int, dtype: Any) -> Array:
    """A matrix that takes means: row i averages the i-th of `out` windows over `size` places."""
    matrix = np.zeros((out, size), dtype)
    for i, (start, end) in enumerate(ends(size, out)):
        matrix[i, start:end] = 1 / (end - start)
    return matrix


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    name="_adaptive_avg_pool2d",
    node="AdaptiveAvgPool2DBackward0",
    operands=("self",),
    refuses=errors.check_adaptive(2),
    self=lambda grad, self, output_size: adaptive_back(grad, self, output_size),
)
def adaptive_means(self, output_size):
    """The means of so many windows: both dimensions multiplied by a matrix of shares."""
    rows, columns = map(shares, self.shape[-2:], output_size, [self.dtype] * 2)
    return np.matmul(np.matmul(rows, self), columns.T)


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, output_size: adaptive_means(grad, output_size),
)
def adaptive_back(self, pooled, output_size):
    """The adjoint of the means."""
    errors.check_gradient_size("adaptive_avg_pool2d", self.shape)
    rows, columns = map(shares, pooled.shape[-2:], output_size, [self.dtype] * 2)
    return np.matmul(np.matmul(rows.T, self), columns)


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Tensor:
    """The means of windows that cover an image: `output_size` windows per dimension.

    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(4.).view(1, 2, 2), 1)
    tensor([[[1.5000]]])
    """
    size = asked_for("adaptive_avg_pool2d", input._array.shape, output_size)
    if size == (1, 1):  # an ordinary mean
        return mean_along(input, (-1, -2), True)
    return adaptive_means(input, size)


# ---- the largest ---------------------------------------------------------------------------------


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    name="adaptive_max_pool2d",
    node="AdaptiveMaxPool2DBackward0",
    operands=("self",),
    returns=("values", "indices"),
    refuses=errors.check_adaptive_max(2),
    self=lambda grad, self, indices: adaptive_max_back(grad, self, indices),
)
def adaptive_largest(self, output_size):
    """The largest elements of so many windows, and their indices in the flattened image."""
    lead, spatial = self.shape[:-2], self.shape[-2:]
    values = np.empty((*lead, *output_size), self.dtype)
    indices = np.empty(values.shape, np.int64)
    at = np.arange(math.prod(spatial), dtype=np.int64).reshape(spatial)
    windows = [ends(s, o) for s, o in zip(spatial, output_size, strict=True)]
    for place in itertools.product(*map(range, output_size)):
        spots = tuple(slice(*w[i]) for w, i in zip(windows, place, strict=True))
        seen = self[(..., *spots)].reshape(*lead, at[spots].size)
        best = np.argmax(seen, axis=-1)
        values[(..., *place)] = np.take_along_axis(seen, best[..., None], -1)[..., 0]
        indices[(..., *place)] = at[spots].ravel()[best]
    return values, indices


def adaptive_max_back(grad: Any, pooled: Any, indices: Any) -> Any:
    """The gradient of the pooled elements, unless there are none."""
    errors.check_gradient_size("adaptive_max_pool2d", grad.shape)
    return from_largest(grad, pooled, indices)


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover an image.

    >>> torch.nn.functional.adaptive_max_pool2d(torch.arange(4.).view(1, 2, 2), 1)
    tensor([[[3.]]])
    """
    size = asked_for("adaptive_max_pool2d", input._array.shape, output_size)
    values, indices = adaptive_largest(input, size)
    return (values, indices) if return_indices else values
