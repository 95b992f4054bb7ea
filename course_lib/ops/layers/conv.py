"""Convolution of series, images and volumes as functions, and transposed convolution."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.layers.convolution import convolved

__all__ = ["conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]


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
    return convolved(1, input, weight, bias, stride, padding, dilation, groups)


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
    return convolved(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """3D convolution: for every window of a volume, the sum of its products with the weight.

    >>> torch.conv3d(torch.ones(1, 1, 2, 2, 2), torch.ones(1, 1, 2, 2, 2))
    tensor([[[[[8.]]]]])
    """
    return convolved(3, input, weight, bias, stride, padding, dilation, groups)


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The adjoint of `conv1d`: each element, times the weight, is added into its window.

    >>> x, w = torch.tensor([[[1., 2.]]]), torch.tensor([[[1., 10.]]])
    >>> torch.conv_transpose1d(x, w)
    tensor([[[ 1., 12., 20.]]])
    """
    given = (stride, padding, dilation, groups, True, output_padding)
    return convolved(1, input, weight, bias, *given)


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
    given = (stride, padding, dilation, groups, True, output_padding)
    return convolved(2, input, weight, bias, *given)


def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The adjoint of `conv3d`: each element, times the weight, is added into its window.

    >>> torch.conv_transpose3d(torch.ones(1, 1, 1, 1, 2), torch.ones(1, 1, 1, 1, 2)).flatten()
    tensor([1., 2., 1.])
    """
    given = (stride, padding, dilation, groups, True, output_padding)
    return convolved(3, input, weight, bias, *given)
