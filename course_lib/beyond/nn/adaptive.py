"""Pooling to a given number of windows, whatever the size of the input."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
]


class Adaptive(Module):
    """What these layers share: one size for all dimensions or one for each, None for "as is"."""

    __constants__ = ["output_size"]

    def __init__(self, output_size: Any):
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        """The size of the result."""
        return f"output_size={self.output_size}"


class AdaptiveMax(Adaptive):
    """What layers share that give the largest number of each window."""

    __constants__ = ["output_size", "return_indices"]

    def __init__(self, output_size: Any, return_indices: bool = False):
        super().__init__(output_size)
        self.return_indices = return_indices


class AdaptiveAvgPool1d(Adaptive):
    """The means of windows that cover a sequence, as many as `output_size` says."""

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Adaptive):
    """The means of windows that cover an image, as many as `output_size` says.

    >>> torch.nn.AdaptiveAvgPool2d(1)(torch.ones(1, 3, 5, 7)).shape
    torch.Size([1, 3, 1, 1])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(Adaptive):
    """The means of windows that cover a volume, as many as `output_size` says."""

    def forward(self, input: Tensor) -> Tensor:
        """The means."""
        return F.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool1d(AdaptiveMax):
    """The largest numbers of windows that cover a sequence."""

    def forward(self, input: Tensor) -> Any:
        """The maxima, and where they were if `return_indices`."""
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(AdaptiveMax):
    """The largest numbers of windows that cover an image."""

    def forward(self, input: Tensor) -> Any:
        """The maxima, and where they were if `return_indices`."""
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(AdaptiveMax):
    """The largest numbers of windows that cover a volume."""

    def forward(self, input: Tensor) -> Any:
        """The maxima, and where they were if `return_indices`."""
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)
