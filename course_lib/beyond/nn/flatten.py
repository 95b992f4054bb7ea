"""Layers that only give their input another shape: `Flatten`, `Unflatten`."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn.module import Module
from course_lib.words import errors

__all__ = ["Flatten", "Unflatten"]


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


class Unflatten(Module):
    """Makes several dimensions of one.

    >>> torch.nn.Unflatten(1, (3, 4))(torch.zeros(2, 12)).shape
    torch.Size([2, 3, 4])
    """

    __constants__ = ["dim", "unflattened_size"]

    def __init__(self, dim: int, unflattened_size: Any):
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(errors.unflattened_type(unflattened_size))
        for place, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(errors.unflattened_element(size, place))
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Any) -> Tensor:
        """The input in its new shape."""
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """Which dimension, and into what."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
