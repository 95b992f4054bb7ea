"""Layers that put a margin around their input: `ZeroPad2d`, `ReflectionPad1d` and their kin.

The widths are one number for all sides, or a pair for each dimension, the last dimension first.
"""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.conv import repeated
from course_lib.nn.module import Module

__all__ = [
    "ReflectionPad2d",
    "ZeroPad2d",
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


class ZeroPad2d(Margin):
    """A margin of zeros around an image."""

    spatial = 2
    value = 0.0


class ReflectionPad2d(Margin):
    """A margin that mirrors an image, the edge itself left out."""

    spatial = 2
    mode = "reflect"
