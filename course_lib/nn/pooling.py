"""Pooling: one number for each window of a sequence or an image, its maximum or its mean."""

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module

__all__ = ["AdaptiveAvgPool2d", "AvgPool2d", "MaxPool1d", "MaxPool2d"]


class MaxPool2d(Module):
    """The largest number in each window of an image.

    >>> torch.nn.MaxPool2d(2)(torch.zeros(1, 3, 4, 6)).shape
    torch.Size([1, 3, 2, 3])
    """

    _function = staticmethod(F.max_pool2d)
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


class MaxPool1d(MaxPool2d):
    """The largest number in each window of a sequence; it takes what `MaxPool2d` takes.

    >>> torch.nn.MaxPool1d(2)(torch.tensor([[1., 2., 4., 3.]]))
    tensor([[2., 4.]])
    """

    _function = staticmethod(F.max_pool1d)


# ---- the mean ------------------------------------------------------------------------------------


class AvgPool2d(Module):
    """The mean of each window of an image.

    >>> torch.nn.AvgPool2d(2)(torch.ones(1, 1, 2, 4))
    tensor([[[[1., 1.]]]])
    """

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
        return F.avg_pool2d(input, *window, self.ceil_mode, self.count_include_pad)


# ---- a given number of windows -------------------------------------------------------------------


class AdaptiveAvgPool2d(Module):
    """The means of windows that cover an image, as many as `output_size` says.

    It is one size for both dimensions or one for each; None leaves a dimension as it is.

    >>> torch.nn.AdaptiveAvgPool2d(1)(torch.ones(1, 3, 5, 7)).shape
    torch.Size([1, 3, 1, 1])
    """

    _shown = "output_size={0.output_size}"

    def __init__(self, output_size: Any):
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        return F.adaptive_avg_pool2d(input, self.output_size)
