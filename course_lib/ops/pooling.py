"""Pooling: the largest element of each window, or the mean of it."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.forms.declare import op
from course_lib.ops.convolution import repeated, windows

__all__ = ["avg_pool1d"]

Array = Any
Sizes = tuple[int, ...]


def count(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil: bool) -> int:
    """How many windows there are along a dimension; none starts in the margin after the input."""
    span = size + 2 * padding - dilation * (kernel - 1) - 1
    found = (span + (stride - 1 if ceil else 0)) // stride + 1
    if ceil and (found - 1) * stride >= size + padding:
        found -= 1
    return found


def counts(shape: Any, n: int, geometry: Any, ceil: bool) -> Sizes:
    """How many windows there are along each of the last `n` dimensions."""
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


def as_dense(result: Array, like: Array) -> Array:
    """A result with its channels innermost in memory, if those of the input are."""
    if result.ndim < 4 or result.ndim != like.ndim or like.shape[1] == 1:
        return result
    inner = np.moveaxis(like, 1, -1)
    if not inner.flags.c_contiguous or like.flags.c_contiguous:
        return result
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(result, 1, -1)), -1, 1)


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
        self=lambda grad, self_shape, indices: from_largest(
            grad, self_shape, indices, len(self_shape) - len(indices.shape) + n
        ),
    )
    def pool(self: Any, geometry: Any, ceil_mode: bool) -> Any:
        kernel, stride, padding, dilation = geometry
        out = counts(self.shape, n, geometry, ceil_mode)
        low = np.iinfo(self.dtype).min if self.dtype.kind in "iu" else -np.inf
        seen = windows(with_margin(self, n, geometry, out, low), kernel, stride, dilation)
        inner = (slice(None),) * (self.ndim - n)
        seen = seen[(*inner, *(slice(o) for o in out))]
        values, best = first_largest(seen, n, nans=bool(np.isnan(np.add.reduce(self, axis=None))))
        sizes = self.shape[self.ndim - n :]
        starts = flat([np.arange(o) * s - p for o, s, p in zip(out, stride, padding)], sizes)
        inside = flat([np.arange(k) * d for k, d in zip(kernel, dilation)], sizes)
        index = np.take(inside.ravel(), best)
        index += starts
        return as_dense(values, self), as_dense(index, self)

    return pool


def flat(places: list[Array], sizes: Sizes) -> Array:
    """Index in a flattened row of `sizes` of each combination of places along its dimensions."""
    found = np.zeros((), np.int64)
    for place, size in zip(places, sizes, strict=True):
        found = found[..., None] * size + place
    return found


def first_largest(seen: Array, n: int, nans: bool) -> tuple[Array, Array]:
    """The largest element of each window (the last `n` dimensions) and its place there.

    Place by place over all windows at once: a window has few places, and there are many windows.
    `nans`: there may be some, and a nan is larger than any number.
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
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, indices, n: at_largest(grad, indices, n),
)
def from_largest(self: Any, shape: Any, indices: Any, n: int) -> Any:
    """Each element added back where the largest of its window was."""
    lead = self.ndim - n
    rows = math.prod(self.shape[:lead])
    size = math.prod(shape[lead:])
    starts = np.arange(rows)[:, None] * size
    whole = np.zeros(rows * size, self.dtype)
    places = indices.reshape(rows, indices.size // max(rows, 1))
    np.add.at(whole, (starts + places).ravel(), self.ravel())
    return whole.reshape(shape)


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, self_shape, indices, n: from_largest(grad, self_shape, indices, n),
)
def at_largest(self: Any, indices: Any, n: int) -> Any:
    """What stands at the places where the largest elements were."""
    lead = self.ndim - n
    flat = self.reshape(*self.shape[:lead], -1)
    found = np.take_along_axis(flat, indices.reshape(*self.shape[:lead], -1), -1)
    return found.reshape(indices.shape)


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
    """The largest elements and their indices; a series is an image of one row."""
    name = f"max_pool{n}d"
    geometry = numbers(name, n, kernel_size, stride, padding, dilation)
    if n == 1:
        errors.check_series(name, input._array.shape)
        row = tuple((k, g) for k, g in zip((1, 1, 0, 1), (g[0] for g in geometry), strict=True))
        [found] = counts(input._array.shape, 1, geometry, ceil_mode)
        if found < 1:
            raise RuntimeError(errors.no_room(name, found))
        values, indices = MAX[2](input.unsqueeze(-2), row, ceil_mode)
        return values.squeeze(-2), indices.squeeze(-2)
    errors.check_pool_input(name, n, input._array.shape)
    values, indices = MAX[n](input, geometry, ceil_mode)
    return values, indices


def numbers(
    name: str, n: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any = 1
) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    """Kernel, stride, padding and dilation, each for all dimensions."""
    kernel = repeated(kernel_size, n, "kernel_size")
    given = stride is not None and stride != [] and stride != ()
    step = repeated(stride, n, "stride") if given else kernel
    margin, gap = repeated(padding, n, "padding"), repeated(dilation, n, "dilation")
    errors.check_pool_numbers(name, kernel, step, margin, gap)
    return kernel, step, margin, gap


# ---- the mean ------------------------------------------------------------------------------------


def divisors(
    shape: Any, n: int, geometry: Any, out: Sizes, inside_only: bool, divisor: int | None
) -> Any:
    """By what the sum of each window is divided."""
    if divisor is not None:
        return divisor
    total: Any = 1
    for d, (size, k, s, p, _, o) in enumerate(
        zip(shape[len(shape) - n :], *geometry, out, strict=True)
    ):
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
        self=lambda grad, self_shape, geometry, ceil_mode, inside_only, divisor: means_back(
            grad, self_shape, geometry, ceil_mode, inside_only, divisor
        ),
    )
    def pool(
        self: Any, geometry: Any, ceil_mode: bool, inside_only: bool, divisor: int | None
    ) -> Any:
        return as_dense(means(self, geometry, ceil_mode, inside_only, divisor), self)

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
    """For each place within a window, the elements that stand there, one of each window."""
    kernel, stride, _, _ = geometry
    for place in itertools.product(*map(range, kernel)):
        yield tuple(
            slice(k, k + (o - 1) * s + 1, s) for k, s, o in zip(place, stride, out, strict=True)
        )


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, geometry, ceil_mode, inside_only, divisor: AVG[len(geometry[0])](
        grad, geometry, ceil_mode, inside_only, divisor
    ),
)
def means_back(
    self: Any, shape: Any, geometry: Any, ceil_mode: bool, inside_only: bool, divisor: Any
) -> Any:
    """The adjoint of `means`: a share of each mean for every element of its window."""
    n = len(geometry[0])
    out = self.shape[self.ndim - n :]
    share = (self / divisors(shape, n, geometry, out, inside_only, divisor)).astype(self.dtype)
    wide = with_margin(np.zeros(shape, self.dtype), n, geometry, out, 0)
    for spots in shifted(geometry, out):
        wide[(..., *spots)] += share
    cut = tuple(
        slice(p, p + size) for p, size in zip(geometry[2], shape[len(shape) - n :], strict=True)
    )
    return np.ascontiguousarray(wide[(..., *cut)])


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
    """The means of the windows; a series is an image of one row."""
    name = f"avg_pool{n}d"
    geometry = numbers(name, n, kernel_size, stride, padding)
    if divisor == 0:
        raise RuntimeError(errors.ZERO_DIVISOR)
    if n == 1:
        errors.check_series(name, input._array.shape)
        row = tuple((k, g) for k, g in zip((1, 1, 0, 1), (g[0] for g in geometry), strict=True))
        return AVG[2](input.unsqueeze(-2), row, ceil_mode, not count_include_pad, None).squeeze(-2)
    errors.check_pool_input(name, n, input._array.shape)
    found: Tensor = AVG[n](input, geometry, ceil_mode, not count_include_pad, divisor)
    return found


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
