"""Pooling: one number for each window of a sequence or an image, its maximum or its mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.conv import repeated
from course_lib.nn.module import Module

__all__ = ["AdaptiveAvgPool2d", "AdaptiveMaxPool2d", "AvgPool1d", "AvgPool2d", "MaxPool1d"]
__all__ += ["MaxPool2d"]


class MaxPool(Module):
    """The base of max pooling layers."""

    _function: Callable
    _shown = (
        "kernel_size={0.kernel_size}, stride={0.stride}, padding={0.padding}, "
        "dilation={0.dilation}, ceil_mode={0.ceil_mode}"
    )

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Tensor) -> Any:
        """The maxima, and where they were if `return_indices`."""
        given = (self.kernel_size, self.stride, self.padding, self.dilation)
        return self._function(input, *given, self.ceil_mode, self.return_indices)


class MaxPool1d(MaxPool):
    """The largest number in each window of a sequence.

    >>> torch.nn.MaxPool1d(2)(torch.tensor([[1., 2., 4., 3.]]))
    tensor([[2., 4.]])
    """

    _function = staticmethod(F.max_pool1d)


class MaxPool2d(MaxPool):
    """The largest number in each window of an image.

    >>> torch.nn.MaxPool2d(2)(torch.zeros(1, 3, 4, 6)).shape
    torch.Size([1, 3, 2, 3])
    """

    _function = staticmethod(F.max_pool2d)


# ---- the mean ------------------------------------------------------------------------------------


class AvgPool2d(Module):
    """The mean of each window of an image.

    >>> torch.nn.AvgPool2d(2)(torch.ones(1, 1, 2, 4))
    tensor([[[[1., 1.]]]])
    """

    _function = staticmethod(F.avg_pool2d)
    _shown = "kernel_size={0.kernel_size}, stride={0.stride}, padding={0.padding}"

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        window = (self.kernel_size, self.stride, self.padding)
        return self._function(input, *window, self.ceil_mode, self.count_include_pad)


class AvgPool1d(AvgPool2d):
    """The mean of each window of a sequence; it takes what `AvgPool2d` takes.

    >>> torch.nn.AvgPool1d(2)(torch.tensor([[1., 2., 4., 3.]]))
    tensor([[1.5000, 3.5000]])
    """

    _function = staticmethod(F.avg_pool1d)

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        for name in ("kernel_size", "stride", "padding"):
            setattr(self, name, repeated(getattr(self, name), 1))


# ---- a given number of windows -------------------------------------------------------------------


class Adaptive(Module):
    """What these layers share: one size for all dimensions or one for each, None for "as is"."""

    _shown = "output_size={0.output_size}"

    def __init__(self, output_size: Any):
        super().__init__()
        self.output_size = output_size


class AdaptiveAvgPool2d(Adaptive):
    """The means of windows that cover an image, as many as `output_size` says.

    >>> torch.nn.AdaptiveAvgPool2d(1)(torch.ones(1, 3, 5, 7)).shape
    torch.Size([1, 3, 1, 1])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveMaxPool2d(Adaptive):
    """The largest numbers of windows that cover an image."""

    def __init__(self, output_size: Any, return_indices: bool = False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        """The maxima, and where they were if `return_indices`."""
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)
