"""Convolutions: one small set of weights that moves over a sequence or an image."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from course_lib.calls.rules import lacking, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter, fresh
from course_lib.words import errors

__all__ = ["Conv1d", "Conv2d", "ConvTranspose2d"]


def repeat_number(value: Any, count: int) -> Any:
    """One number for each dimension, as a tuple; text is returned as it is."""
    if isinstance(value, str):
        return value
    return tuple(value) if isinstance(value, Iterable) else (value,) * count


class ConvNd(Module):
    """The base of convolutions."""

    spatial = 2  # dimensions beside batch and channels
    _function: Callable
    transposed = False
    weight: Parameter
    bias: Parameter | None

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
        output_padding: Any = 0,
    ):
        super().__init__()
        refuse_value(groups <= 0, errors.GROUPS_POSITIVE)
        for name, count in (("in_channels", in_channels), ("out_channels", out_channels)):
            refuse_value(count % groups, errors.divisible, name)
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size = repeat_number(kernel_size, self.spatial)
        self.stride = repeat_number(stride, self.spatial)
        self.padding = repeat_number(padding, self.spatial)
        self.dilation = repeat_number(dilation, self.spatial)
        self.output_padding = repeat_number(output_padding, self.spatial)
        self.padding_mode = padding_mode
        if isinstance(padding, str) and padding not in ("same", "valid"):
            raise ValueError(errors.padding_text(padding, {"same", "valid"}))
        refuse_value(padding == "same" and {*self.stride} != {1}, errors.SAME_PADDING_STRIDED)
        modes = {"zeros", "reflect", "replicate", "circular"}
        refuse_value(padding_mode not in modes, errors.padding_mode, modes, padding_mode)
        lacking(padding_mode != "zeros", errors.absent, f"{padding_mode=}")
        channels = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        size = (channels[0], channels[1] // groups, *self.kernel_size)
        self.register_parameter("weight", fresh(size, device, dtype))
        self.register_parameter("bias", fresh(out_channels, device, dtype, bias))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw weight and bias, uniformly between plus and minus ``1 / sqrt(fan_in)``."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            inputs, _ = init.fans(self.weight)
            if inputs:
                bound = 1 / math.sqrt(inputs)
                init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """The convolution of the input with the weight, plus the bias."""
        given = (self.stride, self.padding, self.dilation, self.groups)
        return self._function(input, self.weight, self.bias, *given)

    def extra_repr(self) -> str:
        """The sizes, and the options that differ from the defaults."""
        text = f"{self.in_channels}, {self.out_channels}"
        text += f", kernel_size={self.kernel_size}, stride={self.stride}"
        none, one = (0,) * len(self.padding), (1,) * len(self.dilation)
        usual = {"padding": none, "dilation": one, "output_padding": (0,) * self.spatial}
        for name, value in (usual | {"groups": 1}).items():
            if getattr(self, name) != value:
                text += f", {name}={getattr(self, name)}"
        return text + ", bias=False" * (self.bias is None)


class Conv1d(ConvNd):
    """A convolution over sequences: (batch, channels, length).

    >>> torch.nn.Conv1d(2, 4, 3)(torch.zeros(1, 2, 10)).shape
    torch.Size([1, 4, 8])
    """

    spatial = 1
    _function = staticmethod(F.conv1d)


class Conv2d(ConvNd):
    """A convolution over images: (batch, channels, height, width).

    >>> torch.nn.Conv2d(3, 8, 3, padding=1)(torch.zeros(1, 3, 5, 5)).shape
    torch.Size([1, 8, 5, 5])
    """

    _function = staticmethod(F.conv2d)


class ConvTranspose2d(ConvNd):
    """The adjoint of `Conv2d`: each place of a small image becomes a window of a large one.

    >>> torch.nn.ConvTranspose2d(8, 3, 2, stride=2)(torch.zeros(1, 8, 5, 5)).shape
    torch.Size([1, 3, 10, 10])
    """

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ):
        refuse_value(padding_mode != "zeros", errors.only_zeros_padding, self)
        given = (in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias)
        super().__init__(*given, padding_mode, device, dtype, output_padding)

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        """The large image; `output_size` decides its size where the stride leaves a choice."""
        extra = self.output_padding
        if output_size is not None:
            extra = self._output_padding(input, output_size)
        given = (self.stride, self.padding, extra, self.groups, self.dilation)
        return F.conv_transpose2d(input, self.weight, self.bias, *given)

    def _output_padding(self, input: Tensor, wanted: Any) -> list[int]:
        dims = len(input.shape)
        plain = dims - 2  # dimensions for batch and channels
        wanted = wanted[plain:] if len(wanted) == dims else wanted
        refuse_value(len(wanted) != 2, errors.output_size_count, dims, len(wanted))
        each = (self.stride, self.padding, self.dilation, self.kernel_size)
        low = [
            (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1
            for size, stride, padding, dilation, kernel in zip(
                input.shape[plain:], *each, strict=True
            )
        ]
        high = [size + stride - 1 for size, stride in zip(low, self.stride, strict=True)]
        if any(not a <= size <= b for size, a, b in zip(wanted, low, high, strict=True)):
            raise ValueError(errors.output_size_range(wanted, low, high, input.shape[2:]))
        return [size - least for size, least in zip(wanted, low, strict=True)]
