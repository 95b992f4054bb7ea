"""Pooling as functions."""

from __future__ import annotations

import math
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.layers.adaptive_pooling import UNPOOLED, adaptive_max
from course_lib.ops.layers.pooling import avg_pool1d, avg_pooled, counts, max_pooled, numbers
from course_lib.words import errors


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
    if not return_indices:
        errors.check_max_series(input._array.shape)
        geometry = numbers("max_pool1d", 1, kernel_size, stride, padding, dilation)
        [size] = counts(input._array.shape, 1, geometry, ceil_mode)
        errors.check_max_series_result(size, input._dtype, input.requires_grad)
    found = max_pooled(1, input, kernel_size, stride, padding, dilation, ceil_mode)
    if not return_indices and not found[0].requires_grad:  # no view of an image, then
        return found[0].clone()
    return found if return_indices else found[0]


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
    found = max_pooled(2, input, kernel_size, stride, padding, dilation, ceil_mode)
    return found if return_indices else found[0]


def max_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of a volume; on request with its index.

    >>> torch.nn.functional.max_pool3d(torch.arange(8.).view(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
    found = max_pooled(3, input, kernel_size, stride, padding, dilation, ceil_mode)
    return found if return_indices else found[0]


def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window of an image.

    >>> torch.nn.functional.avg_pool2d(torch.arange(4.).view(1, 2, 2), 2)
    tensor([[[1.5000]]])
    """
    given = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return avg_pooled(2, input, *given)


def avg_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window of a volume.

    >>> torch.nn.functional.avg_pool3d(torch.arange(8.).view(1, 2, 2, 2), 2)
    tensor([[[[3.5000]]]])
    """
    given = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return avg_pooled(3, input, *given)


# ---- powers --------------------------------------------------------------------------------------


def rooted(means: Any, count: int, norm_type: float) -> Any:
    """The root of the sums that these means are of; 0 where a sum is negative."""
    return (means.sign() * means.abs().relu()).mul(count).pow(1.0 / norm_type)


def lp_pool1d(
    input: Any, norm_type: float, kernel_size: int, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window of a series.

    >>> torch.nn.functional.lp_pool1d(torch.tensor([[3., 4.]]), 2, 2)
    tensor([[5.]])
    """
    if norm_type == math.inf:
        largest: Tensor = max_pool1d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
        return largest
    means = avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    found: Tensor = rooted(means, kernel_size, norm_type)
    return found


def lp_pool2d(
    input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window of an image.

    >>> torch.nn.functional.lp_pool2d(torch.tensor([[[3., 4.]]]), 2, (1, 2))
    tensor([[[5.]]])
    """
    if norm_type == math.inf:
        largest: Tensor = max_pool2d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
        return largest
    rows, columns = for_each(2, kernel_size)
    means = avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    found: Tensor = rooted(means, rows * columns, norm_type)
    return found


# ---- a given number of windows -------------------------------------------------------------------


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover an image.

    >>> torch.nn.functional.adaptive_max_pool2d(torch.arange(4.).view(1, 2, 2), 1)
    tensor([[[3.]]])
    """
    found = adaptive_max(2, input, output_size)
    return found if return_indices else found[0]


# ---- back to where the largest were --------------------------------------------------------------


def for_each(n: int, number: Any) -> Any:
    """The number for each of `n` dimensions, or the sequence that was given."""
    return (number,) * n if isinstance(number, int) else number


def unpooled_sizes(
    n: int, input: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> list[int]:
    """The sizes before pooling; `output_size` where the stride leaves a choice."""
    kernel, margin = for_each(n, kernel_size), for_each(n, padding)
    stride = kernel if stride is None else for_each(n, stride)
    usual = [
        (size - 1) * stride[d] + kernel[d] - 2 * margin[d]
        for d, size in enumerate(input.shape[-n:])
    ]
    for d, size in enumerate(usual):
        if size < 0 and output_size is None:
            raise ValueError(errors.unpooled_negative(d, size))
    if output_size is None:
        return usual
    wanted = list(output_size)[2:] if len(output_size) == n + 2 else list(output_size)
    if len(wanted) != n:
        raise ValueError(errors.unpooled_count(n, len(output_size)))
    for dim, (size, middle, s) in enumerate(zip(wanted, usual, stride, strict=True)):
        if not middle - s < size < middle + s:
            raise ValueError(errors.unpooled_size(output_size, dim, middle - s, middle + s))
    return wanted


def max_unpool1d(
    input: Any,
    indices: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """The partial inverse of `max_pool1d`: the maxima at their places, zeros elsewhere.

    >>> largest, places = torch.tensor([[3., 7.]]), torch.tensor([[1, 2]])
    >>> torch.nn.functional.max_unpool1d(largest, places, 2)
    tensor([[0., 3., 7., 0.]])
    """
    sizes = (*unpooled_sizes(1, input, kernel_size, stride, padding, output_size), 1)
    found: Tensor = UNPOOLED[2](input.unsqueeze(-1), indices.unsqueeze(-1), sizes)
    return found.squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """The partial inverse of `max_pool2d`: the maxima at their places, zeros elsewhere.

    >>> torch.nn.functional.max_unpool2d(torch.tensor([[[3.]]]), torch.tensor([[[3]]]), 2)
    tensor([[[0., 0.],
             [0., 3.]]])
    """
    sizes = unpooled_sizes(2, input, kernel_size, stride, padding, output_size)
    found: Tensor = UNPOOLED[2](input, indices, sizes)
    return found


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """The partial inverse of `max_pool3d`: the maxima at their places, zeros elsewhere.

    >>> largest, places = torch.tensor([[[[3.]]]]), torch.tensor([[[[7]]]])
    >>> torch.nn.functional.max_unpool3d(largest, places, 2).flatten()
    tensor([0., 0., 0., 0., 0., 0., 0., 3.])
    """
    sizes = unpooled_sizes(3, input, kernel_size, stride, padding, output_size)
    found: Tensor = UNPOOLED[3](input, indices, sizes)
    return found
