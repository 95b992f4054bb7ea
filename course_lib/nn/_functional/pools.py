"""Pooling as functions."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.pooling import avg_pooled, max_pooled


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
    found = max_pooled(1, input, kernel_size, stride, padding, dilation, ceil_mode)
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
