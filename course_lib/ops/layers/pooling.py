"""Pooling: the largest element of each window of an image, or the mean of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.calls.rules import lacks, refuse
from course_lib.core.tensor import Tensor
from course_lib.ops.layers import layer_op
from course_lib.ops.layers.convolution import places
from course_lib.ops.layers.interpolate import mixed
from course_lib.ops.pick.gather_scatter import gather
from course_lib.ops.reduce.sums import mean_along
from course_lib.ops.shape.reshape import flatten, reshape
from course_lib.words import errors

__all__: list[str] = []

Array = Any
Sizes = tuple[int, ...]


# ---- windows -------------------------------------------------------------------------------------


def counts(shape: Any, geometry: Any, ceil: bool) -> list[int]:
    """How many windows there are along each of the last dimensions, by PyTorch's first count."""
    found = []
    for size, k, s, p, d in zip(shape[-2:], *geometry, strict=True):
        span = size + 2 * p - d * (k - 1) - 1
        found.append((span + (s - 1 if ceil else 0)) // s + 1)
    return found


def windows(shape: Any, geometry: Any, ceil: bool) -> Sizes:
    """The same, without those that would start in the margin after the input."""
    _, stride, padding, _ = geometry
    each = zip(counts(shape, geometry, ceil), shape[-2:], stride, padding, strict=True)
    return tuple(n - (ceil and (n - 1) * s >= size + p) for n, size, s, p in each)


def with_margin(x: Array, geometry: Any, out: Sizes, value: Any) -> Array:
    """Images with a margin of `value`, wide enough for all windows."""
    pads = [(0, 0)] * (x.ndim - 2)
    for size, k, s, p, d, o in zip(x.shape[-2:], *geometry, out, strict=True):
        pads.append((p, max((o - 1) * s + d * (k - 1) + 1 - size - p, 0)))
    return np.pad(x, pads, constant_values=value) if any(map(any, pads)) else x


# ---- arguments -----------------------------------------------------------------------------------


def numbers(name: str, **given: Any) -> tuple[Sizes, ...]:
    """Kernel size, stride, padding and dilation, each for both dimensions."""
    if given["stride"] in (None, [], ()):
        given["stride"] = given["kernel_size"]
    for word, value in given.items():
        found = (value,) if isinstance(value, int) else tuple(value)
        refuse(len(found) not in (1, 2), errors.pool_numbers, name, word)
        given[word] = found * 2 if len(found) == 1 else found
    check_numbers(*given.values())
    return tuple(given.values())


def check_numbers(kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
    """Raise unless kernel size, stride, padding and dilation make sense."""
    refuse(0 in stride, errors.NO_STRIDE)
    for k, p, d in zip(kernel, padding, dilation, strict=True):
        refuse(p < 0, errors.pool_padding, p)
        refuse(p > int(((k - 1) * d + 1) / 2), errors.pool_wide_padding, p, k, d)
    named = {("kernel size", "k"): kernel, ("stride", "d"): stride, ("dilation",) * 2: dilation}
    for words, sizes in named.items():
        refuse(min(sizes) <= 0, errors.pool_number, *words, sizes)


def with_room(self: Any, geometry: Any, ceil_mode: bool) -> None:
    """Raise if there is no room for a window."""
    shape = self._array.shape
    out = counts(shape, geometry, ceil_mode)
    if min(out) < 1:
        raise RuntimeError(errors.no_windows(*shape[-3:], *(max(o, 0) for o in out)))


# ---- the largest ---------------------------------------------------------------------------------


@layer_op(
    name="max_pool2d_with_indices",
    node="MaxPool2DWithIndicesBackward0",
    returns=("values", "indices"),
    refuses=(with_room, lacks("bool complex", "max_pool2d")),
    self=lambda grad, self, indices: from_largest(grad, self, indices),
)
def largest(self, geometry, ceil_mode):
    """The largest element of each window of an image, and its index in the flattened image."""
    kernel, stride, padding, dilation = geometry
    out, width = windows(self.shape, geometry, ceil_mode), self.shape[-1]
    low = np.iinfo(self.dtype).min if self.dtype.kind in "iu" else -np.inf
    wide = with_margin(self, geometry, out, low)
    parts = [wide[spots] for spots in places(kernel, stride, dilation, out)]
    values, best = first_largest(parts, nans=bool(np.isnan(np.add.reduce(self, axis=None))))
    down, right = (
        np.arange(o, dtype=np.int64) * s - p for o, s, p in zip(out, stride, padding, strict=True)
    )
    below, beside = (
        np.arange(k, dtype=np.int64) * d for k, d in zip(kernel, dilation, strict=True)
    )
    index = (below[:, None] * width + beside).ravel().take(best)
    index += down[:, None] * width + right
    return values, index


def first_largest(parts: list[Array], nans: bool) -> tuple[Array, Array]:
    """The largest element of each window and its place there; `parts` has one array per place.

    The loop runs over the places of a window, for all windows at once: places are few, windows are
    many.  `nans` says that there may be nans, which count as larger than any number.
    """
    values = np.array(parts[0], order="C")
    best = np.zeros(values.shape, np.uint8 if len(parts) < 256 else np.intp)
    for number, part in enumerate(parts[1:], 1):
        larger = part > values
        if nans:
            larger |= (part != part) & (values == values)
        np.maximum(values, part, out=values)
        np.maximum(best, np.multiply(larger, number, dtype=best.dtype), out=best)
    return values, best


@layer_op(
    "same",
    saves=("indices",),
    self=lambda grad, indices: reshape(
        gather(flatten(grad, -2), -1, flatten(indices, -2)), indices.shape
    ),
)
def from_largest(self, pooled, indices):
    """Zeros like `pooled`, with each element added where the largest of its window was."""
    lead, size = self.shape[:-2], math.prod(pooled.shape[-2:])
    starts = np.arange(math.prod(lead), dtype=np.int64).reshape(*lead, 1, 1) * size
    whole = np.zeros(math.prod(lead) * size, self.dtype)
    np.add.at(whole, (starts + indices).ravel(), self.ravel())
    return whole.reshape(pooled.shape)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of an image; on request with its index.

    >>> torch.nn.functional.max_pool2d(torch.arange(4.).view(1, 2, 2), 2, return_indices=True)
    (tensor([[[3.]]]), tensor([[[3]]]))
    """
    given = {"kernel_size": kernel_size, "stride": stride, "padding": padding}
    geometry = numbers("max_pool2d", **given, dilation=dilation)
    shape = input._array.shape
    refuse(len(shape) not in (3, 4), errors.POOL_EMPTY)
    refuse(0 in shape[-3:], errors.pool_dims, shape)
    values, indices = largest(input, geometry, ceil_mode)
    return (values, indices) if return_indices else values


# ---- the mean ------------------------------------------------------------------------------------


def divisors(shape: Any, geometry: Any, out: Sizes, inside: bool) -> Any:
    """What the sum of each window is divided by: how many elements it has."""
    counted = []
    for size, k, s, p, _, o in zip(shape[-2:], *geometry, out, strict=True):
        start = np.arange(o) * s - p
        end = np.minimum(start + k, size + p)
        if inside:
            start, end = np.maximum(start, 0), np.minimum(end, size)
        counted.append(end - start)
    return counted[0][:, None] * counted[1]


@layer_op(
    name="avg_pool2d",
    node="AvgPool2DBackward0",
    refuses=(with_room, lacks("bool complex", "avg_pool2d")),
    self=lambda grad, self, geometry, ceil_mode, inside: means_back(
        grad, self, geometry, ceil_mode, inside
    ),
)
def means(self, geometry, ceil_mode, inside):
    """The sum of each window of an image, divided."""
    kernel, stride, _, dilation = geometry
    out = windows(self.shape, geometry, ceil_mode)
    wide = with_margin(self, geometry, out, 0)
    total = np.zeros((*self.shape[:-2], *out), self.dtype)
    for spots in places(kernel, stride, dilation, out):
        total += wide[spots]
    by = divisors(self.shape, geometry, out, inside)
    return (total / by).astype(self.dtype, copy=False)


@layer_op(
    self=lambda grad, geometry, ceil_mode, inside: means(grad, geometry, ceil_mode, inside),
)
def means_back(self, pooled, geometry, ceil_mode, inside):
    """The adjoint of `means`: every element of a window gets an equal share of its gradient."""
    kernel, stride, padding, dilation = geometry
    out = self.shape[-2:]
    share = (self / divisors(pooled.shape, geometry, out, inside)).astype(self.dtype)
    wide = with_margin(np.zeros(pooled.shape, self.dtype), geometry, out, 0)
    for spots in places(kernel, stride, dilation, out):
        wide[spots] += share
    inside = (slice(p, p + size) for p, size in zip(padding, pooled.shape[-2:], strict=True))
    return wide[(..., *inside)]


def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window of an image.

    >>> torch.nn.functional.avg_pool2d(torch.arange(4.).view(1, 2, 2), 2)
    tensor([[[1.5000]]])
    """
    given = {"kernel_size": kernel_size, "stride": stride, "padding": padding}
    geometry = numbers("avg_pool2d", **given, dilation=1)
    shape = input._array.shape
    refuse(len(shape) < 3, errors.dim_range, -3, len(shape), error=IndexError)
    refuse(len(shape) > 4 or 0 in shape[-3:], errors.pool_dims, shape)
    return means(input, geometry, ceil_mode, not count_include_pad)


# ---- to a given number of windows ----------------------------------------------------------------


def spots(size: int, out: int) -> Array:
    """The places in each of `out` windows that cover `size`; a short one repeats its last."""
    number = np.arange(out)
    start, end = number * size // out, -(-(number + 1) * size // out)
    most = np.max(end - start, initial=1)
    return np.minimum(start[:, None] + np.arange(most), end[:, None] - 1)


def asked_for(shape: Any, output_size: Any) -> tuple[int, ...]:
    """The output size per dimension; one number counts for both, None keeps the input's size."""
    if isinstance(output_size, int):
        output_size = (output_size, output_size)
    elif len(shape) <= len(output_size):
        raise ValueError(errors.adaptive_sizes(len(output_size) + 1))
    refuse(len(shape) not in (3, 4), errors.adaptive_dims, shape)
    refuse(len(output_size) != 2, errors.ADAPTIVE_COUNT)
    size = tuple(s if o is None else o for s, o in zip(shape[-2:], output_size, strict=True))
    refuse(min(size) < 0, errors.negative_sizes, size)
    if 0 in shape[-2:]:
        raise RuntimeError(errors.adaptive_empty(shape, shape.index(0, len(shape) - 2)))
    return size


def shares(size: int, out: int) -> Array:
    """A matrix that takes means: row i averages the i-th of `out` windows over `size` places."""
    matrix = np.zeros((out, size))
    matrix[np.arange(out)[:, None], spots(size, out)] = 1
    return matrix / matrix.sum(1, keepdims=True)


@layer_op(
    name="_adaptive_avg_pool2d",
    node="AdaptiveAvgPool2DBackward0",
    refuses=lacks("bool integer complex", "adaptive_avg_pool2d"),
    self=lambda grad, self, output_size: mixed(
        grad, *(shares(n, o).T for n, o in zip(self.shape[-2:], output_size, strict=True))
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
    size = asked_for(input._array.shape, output_size)
    if size == (1, 1):  # an ordinary mean
        return mean_along(input, (-1, -2), True)
    return adaptive_means(input, size)
