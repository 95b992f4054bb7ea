"""Pooling to a given number of windows that cover an image."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.rules import lacks
from course_lib.core.tensor import Tensor
from course_lib.ops.layers import layer_op
from course_lib.ops.layers.interpolate import mixed
from course_lib.ops.layers.pooling import from_largest
from course_lib.ops.reduce.sums import mean_along
from course_lib.words import errors

__all__: list[str] = []

Array = Any


def spots(size: int, out: int) -> Array:
    """The places in each of `out` windows that cover `size`; a short one repeats its last."""
    number = np.arange(out)
    start, end = number * size // out, -(-(number + 1) * size // out)
    most = np.max(end - start, initial=1)
    return np.minimum(start[:, None] + np.arange(most), end[:, None] - 1)


def asked_for(name: str, shape: Any, output_size: Any) -> tuple[int, ...]:
    """The output size per dimension; one number counts for both, None keeps the input's size."""
    if isinstance(output_size, int):
        output_size = (output_size, output_size)
    elif len(shape) <= len(output_size):
        raise ValueError(errors.adaptive_sizes(len(output_size) + 1))
    largest = name == "adaptive_max_pool2d"
    if len(shape) not in (3, 4):
        raise RuntimeError(errors.adaptive_dims(name, "got: " if largest else "got ", shape))
    if len(output_size) != 2:
        raise RuntimeError(errors.adaptive_count[name])
    size = tuple(s if o is None else o for s, o in zip(shape[-2:], output_size, strict=True))
    if min(size) < 0:
        if largest:
            raise RuntimeError(errors.negative_dimension(min(size), (*shape[:-2], *size)))
        raise RuntimeError(errors.negative_sizes(size))
    for dim in range(1 if largest else len(shape) - 2, len(shape)):
        if not shape[dim]:
            raise RuntimeError(errors.adaptive_empty(name, shape, dim))
    return size


def shares(size: int, out: int) -> Array:
    """A matrix that takes means: row i averages the i-th of `out` windows over `size` places."""
    matrix = np.zeros((out, size))
    matrix[np.arange(out)[:, None], spots(size, out)] = 1
    return matrix / matrix.sum(1, keepdims=True)


def filled(grad: Any, kind: str) -> Any:
    """The gradient itself, if it has elements."""
    for dim, size in enumerate(grad.shape[1:], 1):
        if not size:
            raise RuntimeError(errors.adaptive_gradient(kind, grad.shape, dim))
    return grad


@layer_op(
    name="_adaptive_avg_pool2d",
    node="AdaptiveAvgPool2DBackward0",
    refuses=lacks("bool integer complex", "adaptive_avg_pool2d"),
    self=lambda grad, self, output_size: mixed(
        filled(grad, "avg"),
        *(shares(n, o).T for n, o in zip(self.shape[-2:], output_size, strict=True)),
    ),
)
def adaptive_means(self, output_size):
    """The means of so many windows: both dimensions multiplied by a matrix of shares."""
    return mixed(self, *map(shares, self.shape[-2:], output_size))


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Tensor:
    """The means of windows that cover an image: `output_size` windows per dimension.

    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(4.).view(1, 2, 2), 1)
    tensor([[[1.5000]]])
    """
    size = asked_for("adaptive_avg_pool2d", input._array.shape, output_size)
    if size == (1, 1):  # an ordinary mean
        return mean_along(input, (-1, -2), True)
    return adaptive_means(input, size)


@layer_op(
    name="adaptive_max_pool2d",
    node="AdaptiveMaxPool2DBackward0",
    returns=("values", "indices"),
    refuses=lacks("bool integer complex", "adaptive_max_pool2d"),
    self=lambda grad, self, indices: from_largest(filled(grad, "max"), self, indices),
)
def adaptive_largest(self, output_size):
    """The largest elements of so many windows, and their indices in the flattened image."""
    rows, columns = map(spots, self.shape[-2:], output_size)
    size = self.shape[-2] * self.shape[-1]
    index = rows[:, None, :, None] * self.shape[-1] + columns[:, None, :]
    index = index.reshape(*output_size, rows.shape[1] * columns.shape[1])
    seen = np.take(self.reshape(*self.shape[:-2], size), index, -1)
    best = np.argmax(seen, -1)[..., None]
    at = np.take_along_axis(np.broadcast_to(index, seen.shape), best, -1)
    return np.take_along_axis(seen, best, -1)[..., 0], at[..., 0]


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover an image.

    >>> torch.nn.functional.adaptive_max_pool2d(torch.arange(4.).view(1, 2, 2), 1)
    tensor([[[3.]]])
    """
    size = asked_for("adaptive_max_pool2d", input._array.shape, output_size)
    values, indices = adaptive_largest(input, size)
    return (values, indices) if return_indices else values
