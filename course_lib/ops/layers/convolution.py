"""Convolution: one small pattern of weights, multiplied with every window of the input.

A window is a strided view; once all windows are copied into the columns of a matrix, one matrix
product is left to compute.  Three operations are each other's gradients: `correlated` (input and
weight give the result), `spread_back` (result and weight give the input), `weighed` (result and
input give the weight).  So derivatives of any order are made of the same three.
"""

from __future__ import annotations

import itertools
import math
import operator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.memory_formats import has_channels_last, in_format_of
from course_lib.ops.layers.padding import constant_pad_nd
from course_lib.words import errors

__all__: list[str] = []

Array = Any
Sizes = tuple[int, ...]
PORTION = 2**17  # elements of columns at a time: they stay in the cache, and memory stays small
TURNED = slice(None, None, -1)
LONG = 2**12  # elements in a row: NumPy copies much shorter ones before it adds or multiplies them
MANY = 4  # times as many results as inputs, and copying them takes longer than adding short rows
FEW = 128  # windows: with fewer in each example, a product for each example is a waste


# ---- windows -------------------------------------------------------------------------------------


def windows(x: Array, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Array:
    """A view of all windows: dimensions of window positions, then those within a window."""
    n = len(kernel)
    extent = tuple(d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True))
    lead = x.ndim - n
    if x.__class__ is np.ndarray and all(map(operator.ge, x.shape[lead:], extent)):
        # The same as below; NumPy's own function takes as long as a small convolution.
        steps = x.strides[lead:]
        out = [(size - e) // s + 1 for size, e, s in zip(x.shape[lead:], extent, stride)]
        shape = (*x.shape[:lead], *out, *kernel)
        apart = (*map(operator.mul, steps, stride), *map(operator.mul, steps, dilation))
        strides = (*x.strides[:lead], *apart)
        if x.flags.c_contiguous and x.dtype.kind in "fc":
            return np.ndarray(shape, x.dtype, x, 0, strides)
        return as_strided(x, shape, strides, writeable=False)
    seen = np.lib.stride_tricks.sliding_window_view(x, extent, tuple(range(x.ndim - n, x.ndim)))
    steps = [slice(None, None, s) for s in (*stride, *dilation)]
    return seen[(..., *steps)]


def framed(x: Array, before: Sizes, sizes: Sizes) -> Array:
    """`x` with zeros around its last dimensions, which get these sizes; `before` may be negative.

    >>> framed(np.array([[[1, 2, 3]]]), (1,), (6,)), framed(np.array([[[1, 2, 3]]]), (-1,), (2,))
    (array([[[0, 1, 2, 3, 0, 0]]]), array([[[2, 3]]]))
    """
    if not any(before) and x.shape[2:] == sizes:
        return np.ascontiguousarray(x)
    whole = np.zeros((*x.shape[:2], *sizes), x.dtype)
    into, out_of = [...], [...]
    for start, size, old in zip(before, sizes, x.shape[2:], strict=True):
        into.append(slice(max(start, 0), min(start + old, size)))
        out_of.append(slice(max(-start, 0), min(old, size - start)))
    whole[tuple(into)] = x[tuple(out_of)]
    return whole


class Plan:
    """Where the elements of all windows lie in memory.

    Note [Runs]: with stride 1, what all windows have at one place is a run in memory, from the
    first window's element to the last one's.  There are also elements between them that belong to
    no window, because a row of windows is shorter than a row of the input: they are copied and
    multiplied too, which is faster than row by row.  What comes of them is cut away, and what goes
    to them is zero.  With a larger stride, the input is first sorted by its places modulo the
    stride (its phases).  Then every place in the window has a run in one of them.

    Where each run is read only once, even that copy is too much.  There the channels come before
    the examples, so that the runs of many examples are one long run, and a view of it is enough.
    """

    def __init__(self, wide: Sizes, kernel: Sizes, out: Sizes, stride: Sizes, dilation: Sizes):
        self.kernel, self.out, self.stride = tuple(kernel), tuple(out), tuple(stride)
        self.grid = tuple(-(-size // s) for size, s in zip(wide, stride, strict=True))
        self.sizes = tuple(map(operator.mul, self.grid, stride))  # of the input with margins
        self.area = math.prod(self.grid)  # of a phase
        self.spread = (self.out[0], *self.grid[1:])  # of the result, before it is cut
        self.length = 1 + self.at(self.grid, [o - 1 for o in self.out])  # of a run
        self.starts = []  # of the run of each place in the window
        for place in itertools.product(*map(range, self.kernel)):
            spots = [k * d for k, d in zip(place, dilation, strict=True)]
            phase = self.at(stride, map(operator.mod, spots, stride))
            inside = self.at(self.grid, map(operator.floordiv, spots, stride))
            self.starts.append(phase * self.area + inside)

    @staticmethod
    def at(sizes: Sizes, index: Any) -> int:
        """The number of an element of an array that lies row by row."""
        found = 0
        for size, place in zip(sizes, index):
            found = found * size + place
        return found

    def portions(self, batch: int, rows: int, least: int = 1) -> list[slice]:
        """Slices of the batch, about as long as each other, of which so many rows for each example
        stay in the cache; but with enough examples for at least so many elements in a row.
        """
        size = max(PORTION // max(rows * self.length, 1), -(-least // self.area))
        step = -(-batch // max(batch // size, 1))
        return [slice(start, min(start + step, batch)) for start in range(0, batch, step)]

    def flat(self, x: Array, before: Sizes) -> Array:
        """The input with its margin, sorted by phases: (batch, channel, element)."""
        wide, n = framed(x, before, self.sizes), len(self.grid)
        if max(self.stride) > 1:
            parts = [size for pair in zip(self.grid, self.stride) for size in pair]
            order = (0, 1, *range(3, 3 + 2 * n, 2), *range(2, 2 + 2 * n, 2))
            wide = wide.reshape(*wide.shape[:2], *parts).transpose(order)
        return wide.reshape(*x.shape[:2], -1)

    def columns(self, flat: Array, groups: int) -> Array:
        """What all windows have at each place: (batch, group, channel and place, window)."""
        batch, channels = flat.shape[:2]
        shape = (batch, groups, channels // groups * len(self.starts), self.length)
        if len(self.starts) == 1:
            return flat[..., self.starts[0] :][..., : self.length].reshape(shape)
        found = np.empty((batch, channels, len(self.starts), self.length), flat.dtype)
        for number, start in enumerate(self.starts):
            found[:, :, number] = flat[..., start : start + self.length]
        return found.reshape(shape)

    def room(self, batch: int, channels: int, groups: int, dtype: Any) -> tuple[Array, Array]:
        """Memory for a result: as it will be seen, and as (batch, group, channel, window)."""
        whole = np.empty((batch, groups, channels // groups, math.prod(self.spread)), dtype)
        seen = whole.reshape(batch, channels, *self.spread)[(..., *map(slice, self.out))]
        return seen, whole[..., : self.length]

    def spaced(self, g: Array, groups: int) -> Array:
        """A result as (batch, group, channel, window), with zeros where there is no window."""
        wide = framed(g, (0,) * len(self.out), self.spread)
        return wide.reshape(len(g), groups, g.shape[1] // groups, -1)[..., : self.length]

    # ---- the runs of all examples as one -----------------------------------------------------

    def long(self, x: Array, before: Sizes) -> Array:
        """The input as in `flat`, channels first: (channel, phase, example and element)."""
        flat = self.flat(x.swapaxes(0, 1), before)
        parts = flat.reshape(*flat.shape[:2], -1, self.area).swapaxes(1, 2)
        return parts.reshape(*parts.shape[:2], -1)

    def runs(self, long: Array, some: slice) -> list[Array]:
        """A view of what lies at each place of the windows, in all examples of a slice."""
        first, last = some.start * self.area, (some.stop - 1) * self.area + self.length
        places = [divmod(start, self.area) for start in self.starts]
        return [long[:, phase, first + start : last + start] for phase, start in places]

    def seen(self, rows: Array, batch: int) -> Array:
        """Rows as long as `runs`, one for each channel, seen as a result of the operation."""
        step, strides = rows.itemsize, [rows.itemsize]
        for size in self.grid[:0:-1]:
            strides.insert(0, strides[0] * size)
        strides = [rows.shape[1] * step, self.area * step, *strides]
        shape = (len(rows), batch, *self.out)
        return np.ndarray(shape, rows.dtype, rows, 0, strides).swapaxes(0, 1)

    def spaced_long(self, g: Array) -> Array:
        """A result as rows as long as `runs`, with zeros where there is no window."""
        rows = np.zeros((g.shape[1], (len(g) - 1) * self.area + self.length), g.dtype)
        self.seen(rows, len(g))[...] = g
        return rows

    def put_back(self, parts: Array, long: Array, some: slice) -> None:
        """The adjoint of `runs`: adds each element where it was taken."""
        parts = parts.reshape(len(long), len(self.starts), -1)
        for number, run in enumerate(self.runs(long, some)):
            run += parts[:, number]

    def image(self, long: Array, before: Sizes, sizes: Sizes) -> Array:
        """The inverse of `long`: the input without margin."""
        channels, n = len(long), len(self.grid)
        wide = long.reshape(channels, *self.stride, -1, *self.grid)
        order = [dim for d in range(1, 1 + n) for dim in (d + n + 1, d)]
        wide = wide.transpose(1 + n, 0, *order)
        wide = wide.reshape(len(wide), channels, *self.sizes)
        return framed(wide, tuple(-b for b in before), tuple(sizes))


def planned(*sizes: Any) -> Plan:
    """The plan for these sizes; a training loop asks for the same ones again and again."""
    return known_plan(*map(tuple, sizes))


known_plan = lru_cache(maxsize=256)(Plan)


def plan_of(x_shape: Sizes, w_shape: Sizes, out: Any, *given: Any) -> Plan:
    """The plan for an input and weights; without `out`, for as many windows as there are."""
    stride, padding, dilation = given
    wide = tuple(size + 2 * p for size, p in zip(x_shape[2:], padding, strict=True))
    if out is None:
        out = tuple(
            (size - d * (k - 1) - 1) // s + 1
            for size, k, s, d in zip(wide, w_shape[2:], stride, dilation, strict=True)
        )
    return planned(wide, w_shape[2:], out, stride, dilation)


def nothing(*shapes: Sizes) -> bool:
    """Whether there is nothing to multiply."""
    return any(0 in shape for shape in shapes)


# ---- the three operations ------------------------------------------------------------------------


def product_op(**formulas: Any) -> Any:
    """Declare an operation that is linear in each of its two operands."""
    operands = tuple(formulas)
    return op(kind="promote", layout="contiguous", method=False, operands=operands, **formulas)


@product_op(
    x=lambda grad, w, x_shape, stride, padding, dilation, groups: spread_back(
        grad, w, x_shape, stride, padding, dilation, groups
    ),
    w=lambda grad, x, w_shape, stride, padding, dilation, groups: weighed(
        grad, x, w_shape, stride, padding, dilation, groups
    ),
)
def correlated(
    x: Any, w: Any, stride: Any, padding: Any, dilation: Any, groups: int, limit: Any = None
) -> Any:
    """The products of each window of `x` with the weights `w`; `limit` is the number of windows."""
    plan = plan_of(x.shape, w.shape, limit, stride, padding, dilation)
    shape = (x.shape[0], w.shape[0], *plan.out)
    if nothing(shape, w.shape, x.shape) or x.__class__ is not np.ndarray:
        return np.zeros_like(x, shape=shape, order="C")
    return multiplied(plan, x, padding, w, groups)


@product_op(
    g=lambda grad, w, g_shape, stride, padding, dilation, groups: correlated(
        grad, w, stride, padding, dilation, groups, g_shape[2:]
    ),
    w=lambda grad, g, w_shape, stride, padding, dilation, groups: weighed(
        g, grad, w_shape, stride, padding, dilation, groups
    ),
)
def spread_back(
    g: Any, w: Any, x_shape: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """`g`, times the weights, added into the windows of an input of shape `x_shape`."""
    if nothing(g.shape, w.shape, x_shape) or g.__class__ is not np.ndarray:
        return np.zeros_like(g, shape=x_shape, order="C")
    sizes, kernel = tuple(x_shape[2:]), w.shape[2:]
    most = x_shape[1] * (MANY if len(g) * math.prod(sizes) < LONG else 1)
    if max(stride) == 1 and g.shape[1] <= most:  # a correlation, weights turned around
        reach = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
        plan = planned(map(operator.add, sizes, reach), kernel, sizes, stride, dilation)
        before = tuple(map(operator.sub, reach, padding))
        each = w.reshape(groups, -1, *w.shape[1:]).swapaxes(1, 2)[(..., *[TURNED] * len(kernel))]
        return multiplied(plan, g, before, each.reshape(x_shape[1], -1, *kernel), groups)
    plan = plan_of(x_shape, w.shape, g.shape[2:], stride, padding, dilation)
    long = np.zeros((x_shape[1], math.prod(plan.stride), x_shape[0] * plan.area), g.dtype)
    rows = w.reshape(groups, w.shape[0] // groups, -1).swapaxes(1, 2)
    for some in plan.portions(len(g), groups * rows.shape[1], LONG):
        spaced = plan.spaced_long(g[some]).reshape(groups, rows.shape[2], -1)
        plan.put_back(np.matmul(rows, spaced), long, some)
    return plan.image(long, padding, sizes)


@product_op(
    g=lambda grad, x, g_shape, stride, padding, dilation, groups: correlated(
        x, grad, stride, padding, dilation, groups, g_shape[2:]
    ),
    x=lambda grad, g, x_shape, stride, padding, dilation, groups: spread_back(
        g, grad, x_shape, stride, padding, dilation, groups
    ),
)
def weighed(
    g: Any, x: Any, w_shape: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """For each weight, the sum of the elements of `x` that it was multiplied with, times `g`."""
    if nothing(g.shape, w_shape, x.shape) or g.__class__ is not np.ndarray:
        return np.zeros_like(g, shape=w_shape, order="C")
    plan = plan_of(x.shape, w_shape, g.shape[2:], stride, padding, dilation)
    total: Any = 0
    if groups == w_shape[0] > 1 == w_shape[1]:  # each result sees one channel
        long = plan.long(x, padding)
        for some in plan.portions(len(g), 3 * groups, LONG):
            rows = plan.spaced_long(g[some])
            total = total + np.stack([np.vecdot(run, rows) for run in plan.runs(long, some)], -1)
        return total.reshape(w_shape)
    flat = plan.flat(x, padding)
    for some in plan.portions(len(g), x.shape[1] * len(plan.starts)):
        rows = plan.spaced(g[some], groups)
        if groups == 1 and plan.length < FEW:  # one product of long rows
            found = np.tensordot(rows[:, 0], plan.columns(flat[some], 1)[:, 0], ([0, 2], [0, 2]))
        else:
            found = np.matmul(plan.columns(flat[some], groups), rows.swapaxes(2, 3))
            found = np.add.reduce(found, axis=0).swapaxes(1, 2)
        total = total + found
    return total.reshape(w_shape)


def multiplied(plan: Plan, x: Array, before: Sizes, w: Array, groups: int) -> Array:
    """The sum of the products of weights and windows: a matrix product, if they make a matrix.

    `before` is the margin of `x`.
    """
    batch, channels = x.shape[:2]
    rows = w.reshape(groups, len(w) // groups, -1)
    if groups == channels > 1:
        return place_by_place(plan, plan.long(x, before), rows)
    result, room = plan.room(batch, len(w), groups, x.dtype)
    flat = plan.flat(x, before)
    for some in plan.portions(batch, groups * rows.shape[2]):
        np.matmul(rows, plan.columns(flat[some], groups), out=room[some])
    return result


def place_by_place(plan: Plan, long: Array, weights: Array) -> Array:
    """The same where each result sees only one channel: then the windows make no matrix."""
    batch, each = long.shape[2] // plan.area, math.prod(weights.shape[:2])
    result = np.empty((batch, each, *plan.out), long.dtype)
    for some in plan.portions(batch, 3 * each, LONG):
        first, *others = plan.runs(long, some)
        total = np.multiply(first[:, None], weights[:, :, :1])
        product = np.empty_like(total)
        for number, run in enumerate(others, 1):
            total += np.multiply(run[:, None], weights[:, :, number, None], out=product)
        result[some] = plan.seen(total.reshape(each, -1), some.stop - some.start)
    return result


# ---- convolution ---------------------------------------------------------------------------------


@op(
    kind="promote",
    layout="kernel",
    method=False,
    operands=("input", "weight", "bias"),
    check=errors.check_convolution,
    input=lambda grad, weight, input_shape, stride, padding, dilation, transposed, groups: (
        correlated(grad, weight, stride, padding, dilation, groups, input_shape[2:])
        if transposed
        else spread_back(grad, weight, input_shape, stride, padding, dilation, groups)
    ),
    weight=lambda grad, input, weight_shape, stride, padding, dilation, transposed, groups: (
        weighed(input, grad, weight_shape, stride, padding, dilation, groups)
        if transposed
        else weighed(grad, input, weight_shape, stride, padding, dilation, groups)
    ),
    bias=lambda grad: summed_channels(grad),
    holomorphic=True,
)
def convolution(
    input,
    weight,
    bias,
    stride,
    padding,
    dilation,
    transposed,
    output_padding,
    groups,
):
    """`correlated`, or with `transposed` its adjoint, plus a bias for each channel."""
    if transposed:
        size = tuple(
            (n - 1) * s - 2 * p + d * (k - 1) + more + 1
            for n, s, p, d, k, more in zip(
                input.shape[2:], stride, padding, dilation, weight.shape[2:], output_padding,
                strict=True,
            )
        )  # fmt: skip
        shape = (input.shape[0], weight.shape[1] * groups, *size)
        result = spread_back(input, weight, shape, stride, padding, dilation, groups)
    else:
        result = correlated(input, weight, stride, padding, dilation, groups)
    if bias is not None:
        result = result + np.reshape(bias, (-1,) + (1,) * len(stride))
    else:
        result = np.ascontiguousarray(result)
    if len(stride) == 2 and not has_channels_last(input) and has_channels_last(weight):
        return in_format_of(result, weight)
    return in_format_of(result, input) if len(stride) == 2 else result


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, self_shape: channels_spread(grad, self_shape),
)
def summed_channels(self):
    """The sum over everything but the channels."""
    return np.add.reduce(self, axis=(0, *range(2, self.ndim)))


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad: summed_channels(grad),
)
def channels_spread(self, shape):
    """The adjoint of `summed_channels`."""
    wide = np.reshape(self, (-1,) + (1,) * (len(shape) - 2))
    return np.broadcast_to(wide, shape).copy()


def repeated(value: Any, n: int, name: str) -> Sizes:
    """One number for each dimension."""
    if isinstance(value, int):
        return (value,) * n
    found = tuple(value)
    if len(found) == 1:
        return found * n
    if len(found) != n:
        raise RuntimeError(errors.other_count_of_sizes(name, n, found))
    return found


def convolved(
    n: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    transposed: bool = False,
    output_padding: Any = 0,
) -> Tensor:
    """Convolution over `n` dimensions, of a batch or of a single input."""
    name = f"conv_transpose{n}d" if transposed else f"conv{n}d"
    shape = input._array.shape
    if len(shape) not in (n + 1, n + 2):
        raise RuntimeError(errors.batch_or_not(name, n, shape))
    single = len(shape) == n + 1
    if single:
        input = input.unsqueeze(0)
    if transposed and isinstance(padding, str):
        raise TypeError(errors.transposed_padding(name))
    errors.check_weight_dims(n, input._array.shape, weight._array.shape, stride, padding)
    stride, dilation = repeated(stride, n, "stride"), repeated(dilation, n, "dilation")
    if isinstance(padding, str):
        input, padding = margins(input, weight, padding, stride, dilation)
    padding = repeated(padding, n, "padding")
    more = repeated(output_padding, n, "output_padding")
    given = (stride, padding, dilation, transposed, more, groups)
    whole = input._dtype.is_complex and weight._dtype.is_complex
    found = (complex_convolution if whole else convolution)(input, weight, bias, *given)
    return found.squeeze(0) if single else found


def complex_convolution(input: Any, weight: Any, bias: Any, *given: Any) -> Any:
    """The convolution of complex numbers, made of three of real ones."""
    errors.check_convolution(input, weight, bias, *given)
    br, bi = (None, None) if bias is None else (bias.real, bias.imag)
    both = None if bias is None else br + bi
    real = convolution(input.real, weight.real, br, *given)
    other = convolution(input.imag, weight.imag, None, *given)
    sums = convolution(input.real + input.imag, weight.real + weight.imag, both, *given)
    return (real - other) + 1j * (sums - real - other)


def margins(input: Any, weight: Any, padding: str, stride: Sizes, dilation: Sizes) -> Any:
    """The input, and the padding that "same" or "valid" stands for, as numbers.

    If "same" needs an odd margin, the input is first padded with one more zero at the end.
    """
    if padding == "valid":
        return input, 0
    if padding != "same":
        raise RuntimeError(errors.padding_word(padding))
    if any(s != 1 for s in stride):
        raise RuntimeError(errors.PADDING_OF_STRIDES)
    totals = [d * (k - 1) for k, d in zip(weight._array.shape[2:], dilation, strict=True)]
    if any(t % 2 for t in totals):
        errors.warn_once(errors.ODD_MARGIN)
        pad = [m for t in reversed(totals) for m in (0, t % 2)]
        input = constant_pad_nd(input, tuple(pad), 0)
    return input, tuple(t // 2 for t in totals)
