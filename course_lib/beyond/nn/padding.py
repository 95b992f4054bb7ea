"""Layers that put a margin around their input: `ZeroPad2d`, `ReflectionPad1d` and their kin.

The widths are one number for all sides, or a pair for each dimension, the last dimension first.
"""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.conv import repeated
from course_lib.nn.module import Module
from course_lib.words import errors

__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class Margin(Module):
    """What layers with a margin share."""

    __constants__ = ["padding"]
    spatial = 1
    mode = "constant"
    value: float | None = None

    def __init__(self, padding: Any):
        super().__init__()
        self.padding = repeated(padding, 2 * self.spatial)

    def forward(self, input: Tensor) -> Tensor:
        """The input inside its margin."""
        return F.pad(input, self.padding, self.mode, self.value)

    def extra_repr(self) -> str:
        """The widths."""
        return f"{self.padding}"


class ConstantMargin(Margin):
    """A margin of one value."""

    __constants__ = ["padding", "value"]

    def __init__(self, padding: Any, value: float):
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        """The widths and the value."""
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(ConstantMargin):
    """A margin of one value around a sequence."""

    spatial = 1


class ConstantPad2d(ConstantMargin):
    """A margin of one value around an image."""

    spatial = 2


class ConstantPad3d(ConstantMargin):
    """A margin of one value around a volume."""

    spatial = 3


class ZeroPad1d(Margin):
    """A margin of zeros around a sequence.

    >>> torch.nn.ZeroPad1d((1, 2))(torch.tensor([[5.]]))
    tensor([[0., 5., 0., 0.]])
    """

    spatial = 1
    value = 0.0


class ZeroPad2d(Margin):
    """A margin of zeros around an image."""

    spatial = 2
    value = 0.0


class ZeroPad3d(Margin):
    """A margin of zeros around a volume."""

    spatial = 3
    value = 0.0


class ReflectionPad1d(Margin):
    """A margin that mirrors a sequence, the edge itself left out.

    >>> torch.nn.ReflectionPad1d((2, 0))(torch.tensor([[1., 2., 3.]]))
    tensor([[3., 2., 1., 2., 3.]])
    """

    spatial = 1
    mode = "reflect"


class ReflectionPad2d(Margin):
    """A margin that mirrors an image, the edge itself left out."""

    spatial = 2
    mode = "reflect"


class ReflectionPad3d(Margin):
    """A margin that mirrors a volume, the edge itself left out."""

    spatial = 3
    mode = "reflect"


class ReplicationPad1d(Margin):
    """A margin that repeats the edge of a sequence."""

    spatial = 1
    mode = "replicate"


class ReplicationPad2d(Margin):
    """A margin that repeats the edge of an image."""

    spatial = 2
    mode = "replicate"


class ReplicationPad3d(Margin):
    """A margin that repeats the edge of a volume."""

    spatial = 3
    mode = "replicate"


class CircularMargin(Margin):
    """A margin with what is at the opposite edge."""

    mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        """The input inside its margin."""
        if input.dim() not in (self.spatial + 1, self.spatial + 2):
            raise ValueError(errors.margin_dims(self.spatial, input.dim()))
        return super().forward(input)


class CircularPad1d(CircularMargin):
    """A margin around a sequence with what is at the opposite edge.

    >>> torch.nn.CircularPad1d((1, 0))(torch.tensor([[1., 2., 3.]]))
    tensor([[3., 1., 2., 3.]])
    """

    spatial = 1


class CircularPad2d(CircularMargin):
    """A margin around an image with what is at the opposite edge."""

    spatial = 2


class CircularPad3d(CircularMargin):
    """A margin around a volume with what is at the opposite edge."""

    spatial = 3
