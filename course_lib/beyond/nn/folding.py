"""Images as columns, one per window, and back: `Unfold`, `Fold`."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module

__all__ = ["Fold", "Unfold"]


class Windowed(Module):
    """What `Fold` and `Unfold` share: a window that moves over an image."""

    def __init__(self, kernel_size: Any, dilation: Any, padding: Any, stride: Any):
        super().__init__()
        self.kernel_size, self.dilation = kernel_size, dilation
        self.padding, self.stride = padding, stride

    def extra_repr(self) -> str:
        """The window and how it moves."""
        names = [name for name in self.__constants__ if name in self.__dict__]
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)


class Unfold(Windowed):
    """Takes the windows out of each image: each becomes a column.

    >>> torch.nn.Unfold(2)(torch.zeros(1, 3, 4, 4)).shape
    torch.Size([1, 12, 9])
    """

    __constants__ = ["kernel_size", "dilation", "padding", "stride"]

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
        super().__init__(kernel_size, dilation, padding, stride)

    def forward(self, input: Tensor) -> Tensor:
        """The columns."""
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Windowed):
    """Puts columns back as windows of an image; where windows overlap, they are added.

    >>> torch.nn.Fold((4, 4), 2)(torch.zeros(1, 12, 9)).shape
    torch.Size([1, 3, 4, 4])
    """

    __constants__ = ["output_size", "kernel_size", "dilation", "padding", "stride"]

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ):
        super().__init__(kernel_size, dilation, padding, stride)
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """The images."""
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )
