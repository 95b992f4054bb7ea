"""Convolution: one small pattern of weights, multiplied with every window of the input.

What all windows have at one place is a slice of the input.  Once the slices for all places are
copied into the rows of a matrix, one matrix product is left to compute.  Three operations are each
other's gradients: `correlated` (input and weight give the result), `spread_back` (result and weight
give the input), `weighed` (result and input give the weight).  So derivatives of any order are made
of the same three.  Their `given` are stride, padding, dilation and the number of groups.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.calls.rules import lacking, refuse, refuse_type
from course_lib.core.tensor import Tensor
from course_lib.ops.layers import layer_op
from course_lib.ops.reduce.sums import sum_along
from course_lib.ops.shape.rearrange import constant_pad_nd
from course_lib.words import errors

__all__ = ["conv1d", "conv2d", "conv_transpose2d"]

Array = Any
Sizes = tuple[int, ...]


# ---- windows -------------------------------------------------------------------------------------


def windows(sizes: Sizes, spans: Any, stride: Sizes, padding: Sizes) -> Sizes:
    """How many windows of these spans there are along each dimension."""
    each = zip(sizes, spans, stride, padding, strict=True)
    return tuple((size + 2 * p - span) // s + 1 for size, span, s, p in each)


def places(kernel: Sizes, stride: Sizes, dilation: Sizes, out: Sizes) -> Iterator[Any]:
    """For each place within a window, the slices that pick its element from every window.

    >>> list(places((2,), (3,), (1,), (2,)))
    [(Ellipsis, slice(0, 4, 3)), (Ellipsis, slice(1, 5, 3))]
    """
    numbers = zip(kernel, stride, dilation, out, strict=True)
    along = [[slice(k * d, k * d + (o - 1) * s + 1, s) for k in range(n)] for n, s, d, o in numbers]
    for spots in itertools.product(*along):
        yield (..., *spots)


def middle(shape: Sizes, padding: Sizes) -> Any:
    """Where an input lies inside its margin."""
    sizes = zip(padding, shape[-len(padding) :], strict=True)
    return (..., *(slice(p, p + size) for p, size in sizes))


def make_frame(like: Array, shape: Sizes, padding: Sizes, value: float = 0) -> Array:
    """One value everywhere, as large as an input of this shape with its margin."""
    dims = len(padding)
    sizes = (size + 2 * p for size, p in zip(shape[-dims:], padding, strict=True))
    return np.full_like(like, value, order="C", shape=(*shape[:-dims], *sizes))


def with_margin(x: Array, padding: Sizes, value: float = 0) -> Array:
    """An input with a margin of this value."""
    if not any(padding):
        return x
    wide = make_frame(x, x.shape, padding, value)
    wide[middle(x.shape, padding)] = x
    return wide


def columns(x: Array, kernel: Sizes, out: Sizes, given: Any) -> Array:
    """What all windows have at each place: (batch, group, channel and place, window)."""
    stride, padding, dilation, groups = given
    wide = with_margin(x, padding)
    batch, channels = x.shape[:2]
    found = np.empty((batch, channels, math.prod(kernel), *out), x.dtype)
    for number, spots in enumerate(places(kernel, stride, dilation, out)):
        found[:, :, number] = wide[spots]
    return found.reshape(batch, groups, channels // groups * found.shape[2], -1)


def in_groups(array: Array, groups: int) -> Array:
    """Results as (batch, group, channel, window)."""
    return array.reshape(len(array), groups, array.shape[1] // groups, -1)


def nothing(shape: Any, *arrays: Any) -> Any:
    """Zeros, if there is nothing to multiply: no elements, or no memory; else None."""
    if all(array.size and array.__class__ is np.ndarray for array in arrays) and 0 not in shape:
        return None
    return np.zeros_like(arrays[0], shape=shape, order="C")


# ---- the three operations ------------------------------------------------------------------------


@layer_op(
    x=lambda grad, w, x_shape, given: spread_back(grad, w, x_shape, given),
    w=lambda grad, x, w_shape, given: weighed(grad, x, w_shape, given),
)
def correlated(x: Any, w: Any, out: Any, given: Any) -> Any:
    """The products of each of `out` windows of `x` with the weights `w`."""
    shape, groups = (x.shape[0], w.shape[0], *out), given[3]
    if (zeros := nothing(shape, x, w)) is not None:
        return zeros
    seen = columns(x, w.shape[2:], tuple(out), given)
    return np.matmul(w.reshape(groups, len(w) // groups, -1), seen).reshape(shape)


@layer_op(
    g=lambda grad, w, g_shape, given: correlated(grad, w, g_shape[2:], given),
    w=lambda grad, g, w_shape, given: weighed(g, grad, w_shape, given),
)
def spread_back(g: Any, w: Any, x_shape: Any, given: Any) -> Any:
    """`g`, times the weights, added into the windows of an input of shape `x_shape`."""
    if (zeros := nothing(x_shape, g, w)) is not None:
        return zeros
    stride, padding, dilation, groups = given
    kernel, out = w.shape[2:], g.shape[2:]
    rows = w.reshape(groups, len(w) // groups, -1).swapaxes(1, 2)
    parts = np.matmul(rows, in_groups(g, groups)).reshape(*x_shape[:2], -1, *out)
    wide = make_frame(g, x_shape, padding)
    for number, spots in enumerate(places(kernel, stride, dilation, out)):
        wide[spots] += parts[:, :, number]
    return np.ascontiguousarray(wide[middle(x_shape, padding)])


@layer_op(
    g=lambda grad, x, g_shape, given: correlated(x, grad, g_shape[2:], given),
    x=lambda grad, g, x_shape, given: spread_back(g, grad, x_shape, given),
)
def weighed(g: Any, x: Any, w_shape: Any, given: Any) -> Any:
    """For each weight, the sum of the elements of `x` that it was multiplied with, times `g`."""
    if (zeros := nothing(w_shape, g, x)) is not None:
        return zeros
    seen = columns(x, w_shape[2:], g.shape[2:], given)
    found = np.matmul(seen, in_groups(g, given[3]).swapaxes(2, 3))
    return np.ascontiguousarray(np.add.reduce(found, axis=0).swapaxes(1, 2)).reshape(w_shape)


# ---- convolution ---------------------------------------------------------------------------------


def sizes_of(x: Sizes, w: Sizes, stride: Any, padding: Any, dilation: Any, more: Any) -> Sizes:
    """How many windows there are along each dimension; with `more`, of a transposed convolution."""
    spans = [d * (k - 1) + 1 for k, d in zip(w[2:], dilation, strict=True)]
    if more is None:
        return windows(x[2:], spans, stride, padding)
    each = zip(x[2:], spans, stride, padding, more, strict=True)
    return tuple((size - 1) * s - 2 * p + span + extra for size, span, s, p, extra in each)


def fitting(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """Raise unless the weights fit the channels and the windows fit the input."""
    own, other = input._dtype, weight._dtype
    refuse(own is not other and own.is_complex, errors.conv_weight_dtype, own, other)
    refuse(min(padding) < 0, errors.conv_unsupported, "negative padding")
    refuse(min(stride) <= 0, errors.conv_unsupported, "non-positive stride")
    refuse(min(dilation) < 0, errors.NEGATIVE_DILATION)
    whole = [1] * (2 - len(dilation)) + [*dilation]  # a series is an image of height 1
    refuse(0 in dilation, errors.zero_dilation[transposed], whole)
    refuse(groups <= 0, errors.conv_unsupported, "non-positive groups")
    x, w = input._array.shape, weight._array.shape
    check_channels(x, w, bias, transposed, groups)
    if transposed:
        refuse(min(output_padding) < 0, errors.conv_unsupported, "negative output_padding")
        extra = zip(output_padding, stride, dilation, strict=True)
        if any(n >= s and n >= d for n, s, d in extra):
            raise RuntimeError(errors.large_output_padding(*output_padding, *stride, *dilation))
        made = sizes_of(x, w, stride, padding, dilation, output_padding)
        refuse(min(made) <= 0, errors.small_output, x[2:], made)
    elif min(sizes_of(x, w, stride, padding, dilation, None)) <= 0:
        wide = [n + 2 * p for n, p in zip(x[2:], padding, strict=True)]
        kernel = [d * (k - 1) + 1 for k, d in zip(w[2:], dilation, strict=True)]
        raise RuntimeError(errors.wide_kernel(wide, kernel))
    kernel = "slow_conv_transpose2d_out_cpu" if transposed else "slow_conv2d_cpu"
    lacking(not own.category, errors.no_kernel, kernel, input)
    refuse(own is not other, errors.expected_scalar_type, own, other)


def check_channels(x: Any, w: Any, bias: Any, transposed: bool, groups: int) -> None:
    """Raise unless input, weight and bias have matching channels."""
    refuse(w[0] < groups, errors.weight_at_least, groups, w)
    refuse(w[0] % groups, errors.weight_divisible, groups, w)
    start = "transposed=1, " if transposed else ""
    taken, made = (w[0], w[1] * groups) if transposed else (w[1] * groups, w[0])
    refuse(x[1] != taken, errors.conv_channels, start or f"groups={groups}, ", w, x, taken, x[1])
    if bias is not None and bias._array.shape != (made,):
        raise RuntimeError(errors.conv_bias(start, w, made, bias))


@layer_op(
    refuses=fitting,
    shows={"bias_sym_sizes": ..., "bias_sym_sizes_opt": lambda node: node.bias_shape_ or (0,)},
    input=lambda grad, weight, input_shape, stride, padding, dilation, transposed, groups: (
        correlated(grad, weight, input_shape[2:], (stride, padding, dilation, groups))
        if transposed
        else spread_back(grad, weight, input_shape, (stride, padding, dilation, groups))
    ),
    weight=lambda grad, input, weight_shape, stride, padding, dilation, transposed, groups: weighed(
        *((input, grad) if transposed else (grad, input)),
        weight_shape,
        (stride, padding, dilation, groups),
    ),
    bias=lambda grad, bias_shape, output_padding: sum_along(grad, (0, *range(2, grad.ndim)), False),
)
def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """`correlated`, or with `transposed` its adjoint, plus a bias for each channel."""
    x, w, given = input.shape, weight.shape, (stride, padding, dilation)
    out = sizes_of(x, w, *given, output_padding if transposed else None)
    if transposed:
        shape = (x[0], w[1] * groups, *out)
        result = spread_back(input, weight, shape, (*given, groups))
    else:
        result = correlated(input, weight, out, (*given, groups))
    return result if bias is None else result + bias.reshape((-1,) + (1,) * len(stride))


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
    return convolve("conv1d", (input, weight, bias), stride, padding, dilation, groups)


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
    return convolve("conv2d", (input, weight, bias), stride, padding, dilation, groups)


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
    refuse_type(isinstance(padding, str), errors.TRANSPOSED_PADDING)
    given = (stride, padding, dilation, groups, output_padding)
    return convolve("conv_transpose2d", (input, weight, bias), *given)


def convolve(name, operands, stride, padding, dilation, groups, output_padding=None):
    """Convolution of a batch or of a single input; transposed if there is an `output_padding`."""
    input, weight, bias = operands
    n, shape, transposed = int(name[-2]), input._array.shape, output_padding is not None
    if bias is not None and bias._dtype is not input._dtype:
        refuse(not transposed, errors.conv_bias_dtype, input, bias)
        bias = bias.to(input._dtype)
    refuse(len(shape) not in (n + 1, n + 2), errors.batch_or_not, n + 1, n + 2, name, shape)
    single = len(shape) == n + 1
    if single:
        input = input.unsqueeze(0)
    check_dims(n, input._array.shape, weight._array.shape, stride, padding)
    stride, dilation = repeat_number(stride, n, "stride"), repeat_number(dilation, n, "dilation")
    if isinstance(padding, str):
        input, padding = margins(input, weight, padding, stride, dilation)
    padding = repeat_number(padding, n, "padding")
    more = repeat_number(output_padding or 0, n, "output_padding")
    found = convolution(input, weight, bias, stride, padding, dilation, transposed, more, groups)
    return found.squeeze(0) if single else found


def check_dims(n: int, x: Any, w: Any, stride: Any, padding: Any) -> None:
    """Raise unless input and weight have the same number of dimensions."""
    refuse(len(w) < 3, errors.WEIGHT_DIMS)
    if 1 < n != len(w) - 2 and padding != "same":
        # PyTorch goes by the weight, and has made a list of the stride before
        steps = [stride] * n if isinstance(stride, int) else stride
        raise RuntimeError(errors.other_count_of_sizes("stride", len(w) - 2, steps))
    gap = "" if padding == "same" else " "
    refuse(len(w) != len(x), errors.input_of_weight, w, gap, x)


def repeat_number(value: Any, n: int, name: str) -> Sizes:
    """One number for each dimension."""
    found = (value,) if isinstance(value, int) else tuple(value)
    refuse(len(found) not in (1, n), errors.other_count_of_sizes, name, n, found)
    return found if len(found) == n else found * n


def margins(input: Any, weight: Any, padding: str, stride: Sizes, dilation: Sizes) -> Any:
    """The input, and the padding that "same" or "valid" stands for, as numbers.

    If "same" needs an odd margin, the input is first padded with one more zero at the end.
    """
    if padding == "valid":
        return input, 0
    refuse(padding != "same", errors.padding_word, padding)
    refuse(any(s != 1 for s in stride), errors.SAME_PADDING_STRIDED)
    totals = [d * (k - 1) for k, d in zip(weight._array.shape[2:], dilation, strict=True)]
    if any(t % 2 for t in totals):
        errors.warn_once(errors.ODD_MARGIN)
        pad = [m for t in reversed(totals) for m in (0, t % 2)]
        input = constant_pad_nd(input, tuple(pad), 0)
    return input, tuple(t // 2 for t in totals)
