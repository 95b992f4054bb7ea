"""Pooling: the largest element of each window, or the mean of it.

A series is treated as an image of one row.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.calls.rules import lacks
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory.meta import MetaArray
from course_lib.ops.layers import layer_op
from course_lib.ops.layers.convolution import places
from course_lib.words import errors

__all__ = ["avg_pool1d"]

Array = Any
Sizes = tuple[int, ...]


# ---- windows -------------------------------------------------------------------------------------


def counts(shape: Any, geometry: Any, ceil: bool) -> list[int]:
    """How many windows there are along each of the last dimensions, by PyTorch's first count."""
    found = []
    for size, k, s, p, d in zip(shape[-len(geometry[0]) :], *geometry, strict=True):
        span = size + 2 * p - d * (k - 1) - 1
        found.append((span + (s - 1 if ceil else 0)) // s + 1)
    return found


def windows(shape: Any, geometry: Any, ceil: bool) -> Sizes:
    """The same, without those that would start in the margin after the input."""
    _, stride, padding, _ = geometry
    each = zip(counts(shape, geometry, ceil), shape[-len(stride) :], stride, padding, strict=True)
    return tuple(n - (ceil and (n - 1) * s >= size + p) for n, size, s, p in each)


def with_margin(x: Array, geometry: Any, out: Sizes, value: Any) -> Array:
    """Images with a margin of `value`, wide enough for all windows."""
    pads = [(0, 0)] * (x.ndim - 2)
    for size, k, s, p, d, o in zip(x.shape[-2:], *geometry, out, strict=True):
        pads.append((p, max((o - 1) * s + d * (k - 1) + 1 - size - p, 0)))
    return np.pad(x, pads, constant_values=value) if any(map(any, pads)) else x


# ---- arguments -----------------------------------------------------------------------------------


def numbers(name, n, kernel_size, stride, padding, dilation=1, ceil_mode=False):
    """Kernel, stride, padding and dilation, each for both dimensions of an image."""
    if not isinstance(ceil_mode, bool):
        raise TypeError(errors.other_argument(name, "ceil_mode", 6, "bool", ceil_mode))
    kernel = each(kernel_size, name, n, "kernel_size")
    given = stride is not None and stride != [] and stride != ()
    step = each(stride, name, n, "stride") if given else kernel
    margin, gap = each(padding, name, n, "padding"), each(dilation, name, n, "dilation")
    found: Any = (kernel, step, margin, gap)
    if name == "max_pool1d":
        check_series(*(one for (one,) in found))
    if n == 1:  # an image of one row
        found = tuple((one, *more) for one, more in zip((1, 1, 0, 1), found, strict=True))
    check_numbers(*found)
    return found


def each(value: Any, name: str, n: int, word: str) -> Sizes:
    """One number for each dimension."""
    found = (value,) if isinstance(value, int) else tuple(value)
    if len(found) not in (1, n):
        raise RuntimeError(errors.pool_numbers(name, word, n, len(found)))
    return found * n if len(found) == 1 else found


def check_series(kernel: int, stride: int, padding: int, dilation: int) -> None:
    """Raise unless the numbers of `max_pool1d` make sense."""
    for word, found in (("kernel_size", kernel), ("stride", stride), ("dilation", dilation)):
        if found <= 0:
            raise RuntimeError(errors.series_number(word, found))
    if padding < 0:
        raise RuntimeError(errors.series_padding(padding))
    if padding > kernel // 2:
        raise RuntimeError(errors.series_wide_padding(padding, kernel))


def check_numbers(kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
    """Raise unless kernel size, stride, padding and dilation make sense."""
    if 0 in stride:
        raise RuntimeError(errors.NO_STRIDE)
    for k, p, d in zip(kernel, padding, dilation, strict=True):
        if p < 0:
            raise RuntimeError(errors.pool_padding(p))
        if p > int(((k - 1) * d + 1) / 2):
            raise RuntimeError(errors.pool_wide_padding(p, k, d))
    named = {("kernel size", "k"): kernel, ("stride", "d"): stride, ("dilation",) * 2: dilation}
    for words, sizes in named.items():
        if min(sizes) <= 0:
            raise RuntimeError(errors.pool_number(*words, sizes))


def check_series_dims(name: str, shape: Any) -> None:
    """Raise unless the input is a series or a batch of series."""
    if len(shape) not in (2, 3):
        raise RuntimeError(errors.series_dims(shape, name))


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
    if self.__class__ is MetaArray:
        shape = (*self.shape[:-2], *out)
        return MetaArray(shape, self.dtype), MetaArray(shape, np.int64)
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


@layer_op("same", saves=("indices",), self=lambda grad, indices: at_largest(grad, indices))
def from_largest(self, pooled, indices):
    """Zeros like `pooled`, with each element added where the largest of its window was."""
    lead, size = self.shape[:-2], math.prod(pooled.shape[-2:])
    starts = np.arange(math.prod(lead), dtype=np.int64).reshape(*lead, 1, 1) * size
    whole = np.zeros(math.prod(lead) * size, self.dtype)
    np.add.at(whole, (starts + indices).ravel(), self.ravel())
    return whole.reshape(pooled.shape)


@layer_op(
    "same", saves=("indices",), self=lambda grad, self, indices: from_largest(grad, self, indices)
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
    geometry = numbers(name, 1, kernel_size, stride, padding, dilation, ceil_mode)
    if return_indices:
        check_series_dims("max_pool1d", shape)
    else:
        check_max_series(input, geometry, ceil_mode)
    values, indices = largest(input.unsqueeze(-2), geometry, ceil_mode)
    values, indices = values.squeeze(-2), indices.squeeze(-2)
    if return_indices:
        return values, indices
    return values if values.requires_grad else values.clone()  # no view of an image, then


def check_max_series(input: Any, geometry: Any, ceil_mode: bool) -> None:
    """Raise unless the input is a series or a batch, with a window and a kernel for its dtype."""
    shape = input._array.shape
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError(errors.max_series_dims(shape))
    size = windows(shape, geometry, ceil_mode)[-1]
    if size < 1:
        raise RuntimeError(errors.max_series_size(size))
    if input._dtype.category != dtypes.FLOATING and not input.requires_grad:
        raise NotImplementedError(errors.no_kernel("max_pool1d_impl", input))


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
    geometry = numbers("max_pool2d", 2, kernel_size, stride, padding, dilation, ceil_mode)
    shape = input._array.shape
    if len(shape) not in (3, 4):
        raise RuntimeError(errors.POOL_EMPTY)
    if 0 in shape[-3:]:
        raise RuntimeError(errors.pool_dims(shape))
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


def mean_of(image: Any, geometry: Any, ceil_mode: bool, inside: bool) -> Any:
    """The mean of each window, if the input is one image or a batch, and not empty."""
    shape = image._array.shape
    if len(shape) < 3:
        raise IndexError(errors.dim_range(-3, len(shape)))
    if len(shape) > 4 or 0 in shape[-3:]:
        raise RuntimeError(errors.pool_dims(shape))
    return means(image, geometry, ceil_mode, inside)


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
    check_series_dims("avg_pool1d", input._array.shape)
    return mean_of(input.unsqueeze(-2), geometry, ceil_mode, not count_include_pad).squeeze(-2)


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
    return mean_of(input, geometry, ceil_mode, not count_include_pad)
