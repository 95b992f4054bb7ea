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


# ---- windows -------------------------------------------------------------------------------------


def padded(x: Array, padding: Sizes, value: Any = 0) -> Array:
    """`x` with a margin around its last dimensions."""
    if not any(padding):
        return x
    lead = [(0, 0)] * (x.ndim - len(padding))
    return np.pad(x, lead + [(p, p) for p in padding], constant_values=value)


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
        return as_strided(x, shape, (*x.strides[:lead], *apart), writeable=False)
    seen = np.lib.stride_tricks.sliding_window_view(x, extent, tuple(range(x.ndim - n, x.ndim)))
    steps = [slice(None, None, s) for s in (*stride, *dilation)]
    return seen[(..., *steps)]


def columns(seen: Array, out: Sizes, groups: int) -> Array:
    """The first `out` windows, each a column: (batch, group, channel and place within, window)."""
    n = len(out)
    seen = seen[(slice(None), slice(None), *(slice(o) for o in out))]
    turned = seen.transpose(0, 1, *range(2 + n, 2 + 2 * n), *range(2, 2 + n))
    inside = math.prod(turned.shape[1 : 2 + n]) // groups
    return turned.reshape(seen.shape[0], groups, inside, math.prod(out))


def put_back(parts: Array, shape: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Array:
    """The adjoint of taking windows: each is added back where it was taken, without the margin.

    `parts` is (batch, channel, *kernel, *out); `shape` is that of the input without margin.
    """
    n = len(stride)
    kernel, out = parts.shape[2 : 2 + n], parts.shape[2 + n :]
    wide = tuple(size + 2 * p for size, p in zip(shape[2:], padding, strict=True))
    whole = np.zeros((*shape[:2], *wide), parts.dtype)
    for place in itertools.product(*map(range, kernel)):
        spots = [
            slice(k * d, k * d + (o - 1) * s + 1, s)
            for k, d, s, o in zip(place, dilation, stride, out, strict=True)
        ]
        whole[(..., *spots)] += parts[(slice(None), slice(None), *place)]
    cut = [slice(p, p + size) for p, size in zip(padding, shape[2:], strict=True)]
    return np.ascontiguousarray(whole[(..., *cut)])


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
    kernel = w.shape[2:]
    wide = padded(x, padding)
    out = tuple(
        (size - d * (k - 1) - 1) // s + 1
        for size, k, s, d in zip(wide.shape[2:], kernel, stride, dilation, strict=True)
    )
    out = out if limit is None else tuple(limit)
    shape = (x.shape[0], w.shape[0], *out)
    if 0 in shape or 0 in w.shape or 0 in x.shape:
        return np.zeros(shape, x.dtype)
    rows = w.reshape(groups, w.shape[0] // groups, -1)
    seen = windows(wide, kernel, stride, dilation)
    return np.matmul(rows, columns(seen, out, groups)).reshape(shape)


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
    if 0 in g.shape or 0 in w.shape or 0 in x_shape:
        return np.zeros(x_shape, g.dtype)
    batch, chans = g.shape[:2]
    rows = w.reshape(groups, chans // groups, -1)
    parts = np.matmul(rows.swapaxes(1, 2), g.reshape(batch, groups, chans // groups, -1))
    shaped = parts.reshape(batch, x_shape[1], *w.shape[2:], *g.shape[2:])
    return put_back(shaped, x_shape, stride, padding, dilation)


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
    if 0 in g.shape or 0 in w_shape or 0 in x.shape:
        return np.zeros(w_shape, g.dtype)
    seen = windows(padded(x, padding), tuple(w_shape[2:]), stride, dilation)
    cols = columns(seen, g.shape[2:], groups)
    batch, chans = g.shape[:2]
    rows = g.reshape(batch, groups, chans // groups, -1)
    if groups == 1:
        return np.tensordot(rows[:, 0], cols[:, 0], ([0, 2], [0, 2])).reshape(w_shape)
    return np.add.reduce(np.matmul(rows, cols.swapaxes(2, 3)), axis=0).reshape(w_shape)


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
        errors.warn(errors.ODD_MARGIN)
        pad = [m for t in reversed(totals) for m in (0, t % 2)]
        input = constant_pad_nd(input, tuple(pad), 0)
    return input, tuple(t // 2 for t in totals)
