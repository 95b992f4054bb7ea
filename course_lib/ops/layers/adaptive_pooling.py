"""Pooling to a given number of windows, and max unpooling."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.memory_formats import in_format_of
from course_lib.ops.layers.pooling import Sizes, at_largest, from_largest
from course_lib.ops.reduce.sums import mean_along
from course_lib.words import errors

__all__ = [
    "adaptive_avg_pool1d",
]

Array = Any


def ends(size: int, out: int) -> list[tuple[int, int]]:
    """Where each of `out` windows that cover `size` places starts and ends."""
    return [(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]


def asked_for(name: str, n: int, shape: Any, output_size: Any) -> Sizes:
    """The output size per dimension; one number counts for all, None keeps the input's size."""
    if isinstance(output_size, int):
        wanted: Any = (output_size,) * n
    else:
        errors.check_enough_dims(shape, len(output_size))
        wanted = tuple(output_size)
    errors.check_output_size(name, n, shape, wanted)
    return tuple(s if o is None else o for s, o in zip(shape[-n:], wanted, strict=True))


# ---- the mean ------------------------------------------------------------------------------------


def shares(size: int, out: int, dtype: Any) -> Array:
    """A matrix that takes means: row i averages the i-th of `out` windows over `size` places."""
    matrix = np.zeros((out, size), dtype)
    for i, (start, end) in enumerate(ends(size, out)):
        matrix[i, start:end] = 1 / (end - start)
    return matrix


def along_each(x: Array, matrices: list[Array]) -> Array:
    """Each of the last dimensions multiplied by its matrix."""
    for axis, matrix in zip(range(-len(matrices), 0), matrices, strict=True):
        x = np.moveaxis(np.matmul(np.moveaxis(x, axis, -1), matrix.T), -1, axis)
    return x


def adaptive_means(n: int) -> Any:
    """Declare the means of a given number of windows, over `n` dimensions."""

    @op(
        kind="promote",
        layout="kernel",
        method=False,
        name=f"_adaptive_avg_pool{n}d",
        node=f"AdaptiveAvgPool{n}DBackward0",
        operands=("self",),
        check=errors.check_adaptive(n),
        self=lambda grad, self, output_size: adaptive_back(grad, self, output_size),
    )
    def pool(self, output_size):
        spatial = zip(self.shape[-n:], output_size, strict=True)
        means = along_each(self, [shares(s, o, self.dtype) for s, o in spatial])
        return in_format_of(means, self)

    return pool


@op(
    kind="promote",
    layout="kernel",
    method=False,
    operands=("self",),
    self=lambda grad, output_size: MEANS[len(output_size)](grad, output_size),
)
def adaptive_back(self, pooled, output_size):
    """The adjoint of the means."""
    errors.check_gradient_size(f"adaptive_avg_pool{len(output_size)}d", self.shape)
    spatial = zip(pooled.shape[-len(output_size) :], output_size, strict=True)
    return in_format_of(along_each(self, [shares(s, o, self.dtype).T for s, o in spatial]), pooled)


MEANS = {n: adaptive_means(n) for n in (2, 3)}


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Tensor:
    """The means of windows that cover an image: `output_size` windows per dimension.

    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(4.).view(1, 2, 2), 1)
    tensor([[[1.5000]]])
    """
    return adaptive_mean("adaptive_avg_pool2d", 2, input, output_size)


def adaptive_avg_pool3d(input: Any, output_size: Any) -> Tensor:
    """The means of windows that cover a volume: `output_size` windows per dimension.

    >>> torch.nn.functional.adaptive_avg_pool3d(torch.arange(8.).view(1, 2, 2, 2), 1)
    tensor([[[[3.5000]]]])
    """
    return adaptive_mean("adaptive_avg_pool3d", 3, input, output_size)


def adaptive_mean(name: str, n: int, input: Any, output_size: Any) -> Tensor:
    """The means; a single window is an ordinary mean."""
    size = asked_for(name, n, input._array.shape, output_size)
    if size == (1,) * n:
        found = mean_along(input, tuple(range(-1, -n - 1, -1)), True)
        found._array = in_format_of(found._array, input._array)
        return found
    return MEANS[n](input, size)


def adaptive_avg_pool1d(input: Any, output_size: Any) -> Tensor:
    """The means of `output_size` windows that cover a series.

    >>> torch.adaptive_avg_pool1d(torch.tensor([[1., 3., 5., 7.]]), 2)
    tensor([[2., 6.]])
    """
    sizes = (output_size,) if isinstance(output_size, int) else tuple(output_size)
    if len(sizes) != 1:
        raise RuntimeError(errors.one_output_size("adaptive_avg_pool1d", len(sizes)))
    errors.check_adaptive_series("adaptive_avg_pool1d", input._array.shape)
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, sizes[0])).squeeze(-2)


# ---- the largest ---------------------------------------------------------------------------------


def adaptive_largest(n: int) -> Any:
    """Declare the largest elements of a given number of windows, over `n` dimensions."""

    @op(
        kind="promote",
        layout="kernel",
        method=False,
        name=f"adaptive_max_pool{n}d",
        node=f"AdaptiveMaxPool{n}DBackward0",
        operands=("self",),
        returns=("values", "indices"),
        check=errors.check_adaptive_max(n),
        self=lambda grad, self, indices: adaptive_max_back(grad, self, indices, n),
    )
    def pool(self, output_size):
        lead, spatial = self.shape[:-n], self.shape[-n:]
        values = np.empty((*lead, *output_size), self.dtype)
        indices = np.empty(values.shape, np.int64)
        at = np.arange(math.prod(spatial)).reshape(spatial)
        windows = [ends(s, o) for s, o in zip(spatial, output_size, strict=True)]
        for place in itertools.product(*map(range, output_size)):
            spots = tuple(slice(*w[i]) for w, i in zip(windows, place, strict=True))
            seen = self[(..., *spots)].reshape(*lead, at[spots].size)
            best = np.argmax(seen, axis=-1)
            values[(..., *place)] = np.take_along_axis(seen, best[..., None], -1)[..., 0]
            indices[(..., *place)] = at[spots].ravel()[best]
        return in_format_of(values, self), in_format_of(indices, self)

    return pool


def adaptive_max_back(grad: Any, pooled: Any, indices: Any, n: int) -> Any:
    """The gradient of the pooled elements, unless there are none."""
    errors.check_gradient_size(f"adaptive_max_pool{n}d", grad.shape)
    return from_largest(grad, pooled, indices, n)


LARGEST = {n: adaptive_largest(n) for n in (2, 3)}


def adaptive_max(n: int, input: Any, output_size: Any) -> Any:
    """The largest elements of the windows and their indices."""
    name = f"adaptive_max_pool{n}d"
    if n == 1:
        errors.check_adaptive_series(name, input._array.shape)
        sizes = (output_size,) if isinstance(output_size, int) else tuple(output_size)
        if len(sizes) != 1:
            raise RuntimeError(errors.one_output_size(name, len(sizes)))
        image = input.unsqueeze(-2)
        errors.check_output_size("adaptive_max_pool2d", 2, image._array.shape, (1, sizes[0]))
        values, indices = LARGEST[2](image, (1, sizes[0]))
        return values.squeeze(-2), indices.squeeze(-2)
    values, indices = LARGEST[n](input, asked_for(name, n, input._array.shape, output_size))
    return values, indices


# ---- back to where the largest were --------------------------------------------------------------


def unpooled(n: int) -> Any:
    """Declare max unpooling over `n` dimensions."""

    @op(
        kind="same",
        layout="kernel",
        method=False,
        name=f"max_unpool{n}d",
        node=f"MaxUnpool{n}DBackward0",
        operands=("self",),
        saves=("indices",),
        check=errors.check_unpool(n),
        self=lambda grad, indices: at_largest(grad, indices, n),
    )
    def unpool(self, indices, output_size):
        lead = self.shape[:-n]
        whole = np.zeros((math.prod(lead), math.prod(output_size)), self.dtype)
        flat = indices.reshape(len(whole), math.prod(self.shape[-n:]))
        np.put_along_axis(whole, flat, self.reshape(flat.shape), 1)
        return in_format_of(whole.reshape(*lead, *output_size), self)

    return unpool


UNPOOLED = {n: unpooled(n) for n in (2, 3)}
