"""Convolution: one small pattern of weights, multiplied with every window of the input.

What all windows have at one place is a slice of the input.  Once the slices for all places are
copied into the rows of a matrix, one matrix product is left to compute.  Three operations are each
other's gradients: `correlated` (input and weight give the result), `spread_back` (result and weight
give the input), `weighed` (result and input give the weight).  So derivatives of any order are made
of the same three.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.ops.layers.padding import constant_pad_nd
from course_lib.words import errors

__all__ = ["conv1d", "conv2d", "conv_transpose2d"]

Array = Any
Sizes = tuple[int, ...]


# ---- windows -------------------------------------------------------------------------------------


def places(kernel: Sizes, stride: Sizes, dilation: Sizes, out: Sizes) -> Iterator[Any]:
    """For each place within a window, the slices that pick its element from every window.

    >>> list(places((2,), (3,), (1,), (2,)))
    [(Ellipsis, slice(0, 4, 3)), (Ellipsis, slice(1, 5, 3))]
    """
    for place in itertools.product(*map(range, kernel)):
        starts = [k * d for k, d in zip(place, dilation, strict=True)]
        each = zip(starts, stride, out, strict=True)
        yield (..., *(slice(start, start + (o - 1) * s + 1, s) for start, s, o in each))


def middle(shape: Sizes, padding: Sizes) -> Any:
    """Where an input lies inside its margin."""
    return (..., *(slice(p, p + size) for p, size in zip(padding, shape[2:], strict=True)))


def framed(shape: Sizes, padding: Sizes, dtype: Any) -> Array:
    """Zeros, as large as an input of this shape with its margin."""
    sizes = (size + 2 * p for size, p in zip(shape[2:], padding, strict=True))
    return np.zeros((*shape[:2], *sizes), dtype)


def columns(x: Array, kernel: Sizes, out: Sizes, given: Any) -> Array:
    """What all windows have at each place: (batch, group, channel and place, window)."""
    stride, padding, dilation, groups = given
    wide = x
    if any(padding):
        wide = framed(x.shape, padding, x.dtype)
        wide[middle(x.shape, padding)] = x
    batch, channels = x.shape[:2]
    found = np.empty((batch, channels, math.prod(kernel), *out), x.dtype)
    for number, spots in enumerate(places(kernel, stride, dilation, out)):
        found[:, :, number] = wide[spots]
    return found.reshape(batch, groups, channels // groups * found.shape[2], -1)


def in_groups(array: Array, groups: int) -> Array:
    """Results as (batch, group, channel, window)."""
    return array.reshape(len(array), groups, array.shape[1] // groups, -1)


def nothing(*arrays: Any) -> bool:
    """Whether there is nothing to multiply: no elements, or no memory."""
    return any(0 in array.shape or array.__class__ is not np.ndarray for array in arrays)


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
    x: Any, w: Any, stride: Any, padding: Any, dilation: Any, groups: int, out: Any = None
) -> Any:
    """The products of each window of `x` with the weights `w`; `out` is the number of windows."""
    if out is None:
        each = zip(x.shape[2:], w.shape[2:], stride, padding, dilation, strict=True)
        out = [(size + 2 * p - d * (k - 1) - 1) // s + 1 for size, k, s, p, d in each]
    shape = (x.shape[0], w.shape[0], *out)
    if nothing(x, w) or 0 in shape:
        return np.zeros_like(x, shape=shape, order="C")
    seen = columns(x, w.shape[2:], tuple(out), (stride, padding, dilation, groups))
    return np.matmul(w.reshape(groups, len(w) // groups, -1), seen).reshape(shape)


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
    if nothing(g, w) or 0 in x_shape:
        return np.zeros_like(g, shape=x_shape, order="C")
    kernel, out = w.shape[2:], g.shape[2:]
    rows = w.reshape(groups, len(w) // groups, -1).swapaxes(1, 2)
    parts = np.matmul(rows, in_groups(g, groups)).reshape(*x_shape[:2], -1, *out)
    wide = framed(x_shape, padding, g.dtype)
    for number, spots in enumerate(places(kernel, stride, dilation, out)):
        wide[spots] += parts[:, :, number]
    return wide[middle(x_shape, padding)]


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
    if nothing(g, x) or 0 in w_shape:
        return np.zeros_like(g, shape=w_shape, order="C")
    seen = columns(x, w_shape[2:], g.shape[2:], (stride, padding, dilation, groups))
    found = np.matmul(seen, in_groups(g, groups).swapaxes(2, 3))
    return np.add.reduce(found, axis=0).swapaxes(1, 2).reshape(w_shape)


# ---- convolution ---------------------------------------------------------------------------------


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("input", "weight", "bias"),
    refuses=errors.check_convolution,
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
    given = (stride, padding, dilation, groups)
    if transposed:
        each = zip(
            input.shape[2:], stride, padding, dilation, weight.shape[2:], output_padding,
            strict=True,
        )  # fmt: skip
        size = [(n - 1) * s - 2 * p + d * (k - 1) + more + 1 for n, s, p, d, k, more in each]
        shape = (input.shape[0], weight.shape[1] * groups, *size)
        result = spread_back(input, weight, shape, *given)
    else:
        result = correlated(input, weight, *given)
    return result if bias is None else result + np.reshape(bias, (-1,) + (1,) * len(stride))


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


# ---- functions -----------------------------------------------------------------------------------


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """1D convolution: for every window of a series, the sum of its products with the weight.

    >>> x, w = torch.tensor([[[1., 2., 4.]]]), torch.tensor([[[1., -1.]]])
    >>> torch.conv1d(x, w)
    tensor([[[-1., -2.]]])
    """
    return convolved("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """2D convolution: for every window of an image, the sum of its products with the weight.

    >>> torch.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
    return convolved("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The adjoint of `conv2d`: each element, times the weight, is added into its window.

    >>> torch.conv_transpose2d(torch.ones(1, 1, 1, 2), torch.ones(1, 1, 1, 2))
    tensor([[[[1., 2., 1.]]]])
    """
    if isinstance(padding, str):
        raise TypeError(errors.transposed_padding("conv_transpose2d"))
    given = (stride, padding, dilation, groups, True, output_padding)
    return convolved("conv_transpose2d", 2, input, weight, bias, *given)


def convolved(
    name: str,
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
    shape = input._array.shape
    if len(shape) not in (n + 1, n + 2):
        raise RuntimeError(errors.batch_or_not(name, n, shape))
    single = len(shape) == n + 1
    if single:
        input = input.unsqueeze(0)
    errors.check_weight_dims(n, input._array.shape, weight._array.shape, stride, padding)
    stride, dilation = repeated(stride, n, "stride"), repeated(dilation, n, "dilation")
    if isinstance(padding, str):
        input, padding = margins(input, weight, padding, stride, dilation)
    padding = repeated(padding, n, "padding")
    more = repeated(output_padding, n, "output_padding")
    found = convolution(input, weight, bias, stride, padding, dilation, transposed, more, groups)
    return found.squeeze(0) if single else found


def repeated(value: Any, n: int, name: str) -> Sizes:
    """One number for each dimension."""
    found = (value,) if isinstance(value, int) else tuple(value)
    if len(found) not in (1, n):
        raise RuntimeError(errors.other_count_of_sizes(name, n, found))
    return found if len(found) == n else found * n


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
