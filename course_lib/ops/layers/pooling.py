"""Pooling: the largest element of each window, or the mean of it.

A series is treated as an image of one row.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.ops.layers.convolution import places
from course_lib.words import errors

__all__ = ["avg_pool1d"]

Array = Any
Sizes = tuple[int, ...]


# ---- windows -------------------------------------------------------------------------------------


def count(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil: bool) -> int:
    """The number of windows along a dimension; none starts in the margin after the input."""
    span = size + 2 * padding - dilation * (kernel - 1) - 1
    found = (span + (stride - 1 if ceil else 0)) // stride + 1
    if ceil and (found - 1) * stride >= size + padding:
        found -= 1
    return found


def counts(shape: Any, geometry: Any, ceil: bool) -> Sizes:
    """The number of windows along each of the last dimensions."""
    sizes = shape[len(shape) - len(geometry[0]) :]
    return tuple(
        count(size, *numbers, ceil) for size, *numbers in zip(sizes, *geometry, strict=True)
    )


def with_margin(x: Array, geometry: Any, out: Sizes, value: Any) -> Array:
    """Images with a margin of `value`, wide enough for all windows."""
    pads = [(0, 0)] * (x.ndim - 2)
    for size, k, s, p, d, o in zip(x.shape[-2:], *geometry, out, strict=True):
        pads.append((p, max((o - 1) * s + d * (k - 1) + 1 - size - p, 0)))
    return np.pad(x, pads, constant_values=value) if any(map(any, pads)) else x


def numbers(
    name: str, n: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any = 1
) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    """Kernel, stride, padding and dilation, each for all dimensions."""
    kernel = each(kernel_size, name, n, "kernel_size")
    given = stride is not None and stride != [] and stride != ()
    step = each(stride, name, n, "stride") if given else kernel
    margin, gap = each(padding, name, n, "padding"), each(dilation, name, n, "dilation")
    errors.check_pool_numbers(name, kernel, step, margin, gap)
    return kernel, step, margin, gap


def each(value: Any, name: str, n: int, word: str) -> Sizes:
    """One number for each dimension."""
    found = (value,) if isinstance(value, int) else tuple(value)
    if len(found) not in (1, n):
        raise RuntimeError(errors.pool_numbers(name, word, n, len(found)))
    return found * n if len(found) == 1 else found


def one_row(geometry: Any) -> Any:
    """The numbers of a series, for an image of one row."""
    return tuple((k, g) for k, g in zip((1, 1, 0, 1), (g[0] for g in geometry), strict=True))


# ---- the largest ---------------------------------------------------------------------------------


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    name="max_pool2d_with_indices",
    node="MaxPool2DWithIndicesBackward0",
    operands=("self",),
    returns=("values", "indices"),
    refuses=errors.check_max_pool,
    self=lambda grad, self, indices: from_largest(grad, self, indices),
)
def largest(self, geometry, ceil_mode):
    """The largest element of each window of an image, and its index in the flattened image."""
    kernel, stride, padding, dilation = geometry
    out, width = counts(self.shape, geometry, ceil_mode), self.shape[-1]
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


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, indices: at_largest(grad, indices),
)
def from_largest(self, pooled, indices):
    """Zeros like `pooled`, with each element added where the largest of its window was."""
    lead, size = self.shape[:-2], math.prod(pooled.shape[-2:])
    starts = np.arange(math.prod(lead), dtype=np.int64).reshape(*lead, 1, 1) * size
    whole = np.zeros(math.prod(lead) * size, self.dtype)
    np.add.at(whole, (starts + indices).ravel(), self.ravel())
    return whole.reshape(pooled.shape)


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, self, indices: from_largest(grad, self, indices),
)
def at_largest(self, indices):
    """The elements at the places where the largest ones were."""
    flat, places = (x.reshape(*x.shape[:-2], math.prod(x.shape[-2:])) for x in (self, indices))
    return np.take_along_axis(flat, places, -1).reshape(indices.shape)


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of a series; on request with its index.

    >>> torch.nn.functional.max_pool1d(torch.tensor([[1., 3., 7., 5.]]), 2)
    tensor([[3., 7.]])
    """
    shape = input._array.shape
    name = "max_pool1d_with_indices" if return_indices else "max_pool1d"
    geometry = numbers(name, 1, kernel_size, stride, padding, dilation)
    if return_indices:
        errors.check_adaptive_series("max_pool1d", shape)
    else:
        errors.check_max_series(shape)
        [size] = counts(shape, geometry, ceil_mode)
        errors.check_max_series_result(size, input._dtype, input.requires_grad)
    values, indices = largest(input.unsqueeze(-2), one_row(geometry), ceil_mode)
    values, indices = values.squeeze(-2), indices.squeeze(-2)
    if return_indices:
        return values, indices
    return values if values.requires_grad else values.clone()  # no view of an image, then


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
    geometry = numbers("max_pool2d", 2, kernel_size, stride, padding, dilation)
    errors.check_pool_input("max_pool2d", input._array.shape)
    values, indices = largest(input, geometry, ceil_mode)
    return (values, indices) if return_indices else values


# ---- the mean ------------------------------------------------------------------------------------


def divisors(shape: Any, geometry: Any, out: Sizes, inside_only: bool) -> Any:
    """What the sum of each window is divided by: how many elements it has."""
    counted = []
    for size, k, s, p, _, o in zip(shape[-2:], *geometry, out, strict=True):
        start = np.arange(o) * s - p
        end = np.minimum(start + k, size + p)
        if inside_only:
            start, end = np.maximum(start, 0), np.minimum(end, size)
        counted.append(end - start)
    return counted[0][:, None] * counted[1]


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    name="avg_pool2d",
    node="AvgPool2DBackward0",
    operands=("self",),
    refuses=errors.check_avg_pool,
    self=lambda grad, self, geometry, ceil_mode, inside_only: means_back(
        grad, self, geometry, ceil_mode, inside_only
    ),
)
def means(self, geometry, ceil_mode, inside_only):
    """The sum of each window of an image, divided."""
    kernel, stride, _, dilation = geometry
    out = counts(self.shape, geometry, ceil_mode)
    wide = with_margin(self, geometry, out, 0)
    total = np.zeros((*self.shape[:-2], *out), self.dtype)
    for spots in places(kernel, stride, dilation, out):
        total += wide[spots]
    by = divisors(self.shape, geometry, out, inside_only)
    return (total / by).astype(self.dtype, copy=False)


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, geometry, ceil_mode, inside_only: means(
        grad, geometry, ceil_mode, inside_only
    ),
)
def means_back(self, pooled, geometry, ceil_mode, inside_only):
    """The adjoint of `means`: every element of a window gets an equal share of its gradient."""
    kernel, stride, padding, dilation = geometry
    out = self.shape[-2:]
    share = (self / divisors(pooled.shape, geometry, out, inside_only)).astype(self.dtype)
    wide = with_margin(np.zeros(pooled.shape, self.dtype), geometry, out, 0)
    for spots in places(kernel, stride, dilation, out):
        wide[spots] += share
    inside = (slice(p, p + size) for p, size in zip(padding, pooled.shape[-2:], strict=True))
    return wide[(..., *inside)]


def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window of a series.

    >>> torch.avg_pool1d(torch.tensor([[1., 3., 5., 7.]]), 2)
    tensor([[2., 6.]])
    """
    geometry = numbers("avg_pool1d", 1, kernel_size, stride, padding)
    errors.check_adaptive_series("avg_pool1d", input._array.shape)
    image = input.unsqueeze(-2)
    errors.check_pool_input("avg_pool2d", image._array.shape)
    found: Any = means(image, one_row(geometry), ceil_mode, not count_include_pad)
    return found.squeeze(-2)


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
    geometry = numbers("avg_pool2d", 2, kernel_size, stride, padding)
    errors.check_pool_input("avg_pool2d", input._array.shape)
    return means(input, geometry, ceil_mode, not count_include_pad)
