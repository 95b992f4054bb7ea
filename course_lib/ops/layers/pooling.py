"""Pooling: the largest element of each window, or the mean of it."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.memory_formats import in_format_of
from course_lib.ops.layers.convolution import windows
from course_lib.words import errors

__all__ = ["avg_pool1d"]

Array = Any
Sizes = tuple[int, ...]


def count(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil: bool) -> int:
    """The number of windows along a dimension; none starts in the margin after the input."""
    span = size + 2 * padding - dilation * (kernel - 1) - 1
    found = (span + (stride - 1 if ceil else 0)) // stride + 1
    if ceil and (found - 1) * stride >= size + padding:
        found -= 1
    return found


def counts(shape: Any, n: int, geometry: Any, ceil: bool) -> Sizes:
    """The number of windows along each of the last `n` dimensions."""
    return tuple(
        count(size, *numbers, ceil)
        for size, *numbers in zip(shape[len(shape) - n :], *geometry, strict=True)
    )


def with_margin(x: Array, n: int, geometry: Any, out: Sizes, value: Any) -> Array:
    """`x` with a margin of `value`, wide enough for all windows."""
    pads = [(0, 0)] * (x.ndim - n)
    for size, k, s, p, d, o in zip(x.shape[x.ndim - n :], *geometry, out, strict=True):
        pads.append((p, max((o - 1) * s + d * (k - 1) + 1 - size - p, 0)))
    return np.pad(x, pads, constant_values=value) if any(map(any, pads)) else x


# ---- the largest ---------------------------------------------------------------------------------


def largest(n: int) -> Any:
    """Declare max pooling over `n` dimensions."""

    @op(
        kind="promote",
        layout="kernel",
        method=False,
        name=f"max_pool{n}d_with_indices",
        node=f"MaxPool{n}DWithIndicesBackward0",
        operands=("self",),
        returns=("values", "indices"),
        check=errors.check_max_pool,
        self=lambda grad, self, indices: from_largest(grad, self, indices, n),
    )
    def pool(self, geometry, ceil_mode):
        kernel, stride, padding, dilation = geometry
        out = counts(self.shape, n, geometry, ceil_mode)
        low = np.iinfo(self.dtype).min if self.dtype.kind in "iu" else -np.inf
        seen = windows(with_margin(self, n, geometry, out, low), kernel, stride, dilation)
        inner = (slice(None),) * (self.ndim - n)
        seen = seen[(*inner, *(slice(o) for o in out))]
        values, best = first_largest(seen, n, nans=bool(np.isnan(np.add.reduce(self, axis=None))))
        starts, inside = spots(self.shape[self.ndim - n :], out, tuple(map(tuple, geometry)))
        index = inside.take(best)
        index += starts
        return in_format_of(values, self), in_format_of(index, self)

    return pool


@functools.lru_cache(maxsize=32)
def spots(sizes: Sizes, out: Sizes, geometry: tuple[Sizes, ...]) -> tuple[Array, Array]:
    """Where in the flattened input each window starts, and how far from there its places are."""
    kernel, stride, padding, dilation = geometry
    starts = flat([np.arange(o) * s - p for o, s, p in zip(out, stride, padding)], sizes)
    inside = flat([np.arange(k) * d for k, d in zip(kernel, dilation)], sizes)
    return starts, inside.ravel()


def flat(places: list[Array], sizes: Sizes) -> Array:
    """For each combination of `places` in an array of `sizes`, the index in the flattened array."""
    found = np.zeros((), np.int64)
    for place, size in zip(places, sizes, strict=True):
        found = found[..., None] * size + place
    return found


def first_largest(seen: Array, n: int, nans: bool) -> tuple[Array, Array]:
    """The largest element of each window (the last `n` dimensions) and its place there.

    The loop runs over the places of a window, for all windows at once: places are few, windows are
    many.  `nans` says that there may be nans, which count as larger than any number.
    """
    places = list(np.ndindex(seen.shape[-n:]))
    values = np.array(seen[(..., *places[0])], order="C")
    best = np.zeros(values.shape, np.uint8 if len(places) < 256 else np.intp)
    for number, place in enumerate(places[1:], 1):
        part = seen[(..., *place)]
        larger = part > values
        if nans:
            larger |= (part != part) & (values == values)
        np.maximum(values, part, out=values)
        np.maximum(best, np.multiply(larger, number, dtype=best.dtype), out=best)
    return values, best


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, indices, n: at_largest(grad, indices, n),
)
def from_largest(self, pooled, indices, n):
    """Zeros like `pooled`, with each element added where the largest of its window was."""
    shape, lead = pooled.shape, self.ndim - n
    rows = math.prod(self.shape[:lead])
    size = math.prod(shape[lead:])
    starts = np.arange(rows, dtype=np.int64)[:, None] * size
    whole = np.zeros(rows * size, self.dtype)
    places = indices.reshape(rows, indices.size // max(rows, 1))
    np.add.at(whole, (starts + places).ravel(), self.ravel())
    return in_format_of(whole.reshape(shape), pooled)


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, self, indices, n: from_largest(grad, self, indices, n),
)
def at_largest(self, indices, n):
    """The elements at the places where the largest ones were."""
    lead = self.shape[: self.ndim - n]
    flat = self.reshape(*lead, math.prod(self.shape[self.ndim - n :]))
    places = indices.reshape(*lead, math.prod(indices.shape[self.ndim - n :]))
    return in_format_of(np.take_along_axis(flat, places, -1).reshape(indices.shape), indices)


MAX = {n: largest(n) for n in (2, 3)}


def max_pooled(
    n: int,
    input: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
) -> tuple[Tensor, Tensor]:
    """The largest elements and their indices; a series is treated as an image of one row."""
    name = f"max_pool{n}d" if n > 1 else "max_pool1d_with_indices"
    geometry = numbers(name, n, kernel_size, stride, padding, dilation)
    if n == 1:
        errors.check_adaptive_series("max_pool1d", input._array.shape)
        values, indices = MAX[2](input.unsqueeze(-2), one_row(geometry), ceil_mode)
        return values.squeeze(-2), indices.squeeze(-2)
    errors.check_pool_input(name, n, input._array.shape)
    values, indices = MAX[n](input, geometry, ceil_mode)
    return values, indices


def one_row(geometry: Any) -> Any:
    """The numbers of a series, for an image of one row."""
    return tuple((k, g) for k, g in zip((1, 1, 0, 1), (g[0] for g in geometry), strict=True))


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


# ---- the mean ------------------------------------------------------------------------------------


def divisors(
    shape: Any, n: int, geometry: Any, out: Sizes, inside_only: bool, divisor: int | None
) -> Any:
    """The divisor for the sum of each window."""
    if divisor is not None:
        return divisor
    sizes = tuple(shape[len(shape) - n :])
    return elements(sizes, tuple(map(tuple, geometry)), tuple(out), inside_only)


@functools.lru_cache(maxsize=32)
def elements(sizes: Sizes, geometry: tuple[Sizes, ...], out: Sizes, inside_only: bool) -> Any:
    """How many elements each window has, with the margin or without."""
    total: Any = 1
    n = len(sizes)
    for d, (size, k, s, p, _, o) in enumerate(zip(sizes, *geometry, out, strict=True)):
        start = np.arange(o) * s - p
        end = np.minimum(start + k, size + p)
        if inside_only:
            start, end = np.maximum(start, 0), np.minimum(end, size)
        total = total * (end - start).reshape((-1,) + (1,) * (n - 1 - d))
    return total


def average(n: int) -> Any:
    """Declare average pooling over `n` dimensions."""

    @op(
        kind="promote",
        layout="kernel",
        method=False,
        name=f"avg_pool{n}d",
        node=f"AvgPool{n}DBackward0",
        operands=("self",),
        check=errors.check_avg_pool,
        self=lambda grad, self, geometry, ceil_mode, inside_only, divisor: means_back(
            grad, self, geometry, ceil_mode, inside_only, divisor
        ),
    )
    def pool(self, geometry, ceil_mode, inside_only, divisor):
        return in_format_of(means(self, geometry, ceil_mode, inside_only, divisor), self)

    return pool


def means(x: Array, geometry: Any, ceil_mode: bool, inside_only: bool, divisor: Any) -> Array:
    """The sum of each window, divided."""
    n = len(geometry[0])
    out = counts(x.shape, n, geometry, ceil_mode)
    wide = with_margin(x, n, geometry, out, 0)
    total = np.zeros((*x.shape[: x.ndim - n], *out), x.dtype)
    for spots in shifted(geometry, out):
        total += wide[(..., *spots)]
    by = divisors(x.shape, n, geometry, out, inside_only, divisor)
    return (total / by).astype(x.dtype, copy=False)


def shifted(geometry: Any, out: Sizes) -> Any:
    """For each place within a window, the slices that pick its element from every window."""
    kernel, stride, _, _ = geometry
    for place in itertools.product(*map(range, kernel)):
        yield tuple(
            slice(k, k + (o - 1) * s + 1, s) for k, s, o in zip(place, stride, out, strict=True)
        )


@op(
    kind="promote",
    layout="kernel",
    method=False,
    operands=("self",),
    self=lambda grad, geometry, ceil_mode, inside_only, divisor: AVG[len(geometry[0])](
        grad, geometry, ceil_mode, inside_only, divisor
    ),
)
def means_back(self, pooled, geometry, ceil_mode, inside_only, divisor):
    """The adjoint of `means`: every element of a window gets an equal share of its gradient."""
    shape, n = pooled.shape, len(geometry[0])
    out = self.shape[self.ndim - n :]
    share = (self / divisors(shape, n, geometry, out, inside_only, divisor)).astype(self.dtype)
    wide = with_margin(np.zeros(shape, self.dtype), n, geometry, out, 0)
    for spots in shifted(geometry, out):
        wide[(..., *spots)] += share
    cut = tuple(
        slice(p, p + size) for p, size in zip(geometry[2], shape[len(shape) - n :], strict=True)
    )
    return in_format_of(wide[(..., *cut)], pooled)


AVG = {n: average(n) for n in (2, 3)}


def avg_pooled(
    n: int,
    input: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor: int | None = None,
) -> Tensor:
    """The means of the windows; a series is treated as an image of one row."""
    name = f"avg_pool{n}d"
    geometry = numbers(name, n, kernel_size, stride, padding)
    if divisor == 0:
        raise RuntimeError(errors.ZERO_DIVISOR)
    if n == 1:
        errors.check_adaptive_series(name, input._array.shape)
        image, row = input.unsqueeze(-2), one_row(geometry)
        errors.check_pool_input("avg_pool2d", 2, image._array.shape)
        return AVG[2](image, row, ceil_mode, not count_include_pad, None).squeeze(-2)
    errors.check_pool_input(name, n, input._array.shape)
    return AVG[n](input, geometry, ceil_mode, not count_include_pad, divisor)


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
    return avg_pooled(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad)
