"""Pooling as functions."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.ops.adaptive_pooling import UNPOOLED, adaptive_max
from course_lib.ops.pooling import avg_pool1d, avg_pooled, max_pooled, numbers


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
    if not return_indices and not found[0].requires_grad:  # no view of an image, then
        return found[0].clone()  # type: ignore[attr-defined]
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
    rows, columns = numbers("lp_pool2d", 2, kernel_size, None, 0)[0]
    means = avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    found: Tensor = rooted(means, rows * columns, norm_type)
    return found


# ---- a given number of windows -------------------------------------------------------------------


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover a series, as many as `output_size` says.

    >>> torch.nn.functional.adaptive_max_pool1d(torch.tensor([[1., 3., 7., 5.]]), 2)
    tensor([[3., 7.]])
    """
    found = adaptive_max(1, input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover an image.

    >>> torch.nn.functional.adaptive_max_pool2d(torch.arange(4.).view(1, 2, 2), 1)
    tensor([[[3.]]])
    """
    found = adaptive_max(2, input, output_size)
    return found if return_indices else found[0]


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover a volume.

    >>> torch.nn.functional.adaptive_max_pool3d(torch.arange(8.).view(1, 2, 2, 2), 1)
    tensor([[[[7.]]]])
    """
    found = adaptive_max(3, input, output_size)
    return found if return_indices else found[0]


# ---- back to where the largest were --------------------------------------------------------------


def unpooled_sizes(input: Any, geometry: Any, output_size: Any) -> list[int]:
    """The sizes before pooling; `output_size` where the stride leaves a choice."""
    kernel, stride, padding, _ = geometry
    n = len(kernel)
    usual = [
        (size - 1) * s + k - 2 * p
        for size, k, s, p in zip(input.shape[-n:], kernel, stride, padding, strict=True)
    ]
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
    """The way back of `max_pool1d`: the largest elements at their places, zeros elsewhere.

    >>> largest, places = torch.tensor([[3., 7.]]), torch.tensor([[1, 2]])
    >>> torch.nn.functional.max_unpool1d(largest, places, 2)
    tensor([[0., 3., 7., 0.]])
    """
    geometry = numbers("max_unpool1d", 1, kernel_size, stride, padding)
    sizes = (*unpooled_sizes(input, geometry, output_size), 1)
    found: Tensor = UNPOOLED[2](input.unsqueeze(-1), indices.unsqueeze(-1), sizes)
    return found.squeeze(-1)  # type: ignore[attr-defined, no-any-return]


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """The way back of `max_pool2d`: the largest elements at their places, zeros elsewhere.

    >>> torch.nn.functional.max_unpool2d(torch.tensor([[[3.]]]), torch.tensor([[[3]]]), 2)
    tensor([[[0., 0.],
             [0., 3.]]])
    """
    geometry = numbers("max_unpool2d", 2, kernel_size, stride, padding)
    found: Tensor = UNPOOLED[2](input, indices, unpooled_sizes(input, geometry, output_size))
    return found


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """The way back of `max_pool3d`: the largest elements at their places, zeros elsewhere.

    >>> largest, places = torch.tensor([[[[3.]]]]), torch.tensor([[[[7]]]])
    >>> torch.nn.functional.max_unpool3d(largest, places, 2).flatten()
    tensor([0., 0., 0., 0., 0., 0., 0., 3.])
    """
    geometry = numbers("max_unpool3d", 3, kernel_size, stride, padding)
    found: Tensor = UNPOOLED[3](input, indices, unpooled_sizes(input, geometry, output_size))
    return found
