"""Layers that only give their input another shape: `Flatten`, `Unflatten`."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn.module import Module

__all__ = [
    "Flatten",
]


class Flatten(Module):
    """Makes one dimension of several; by default all but the first, which counts the samples.

    >>> torch.nn.Flatten()(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 12])
    """

    __constants__ = ["start_dim", "end_dim"]

    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Any) -> Tensor:
        """The input in its new shape."""
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """Which dimensions."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"
