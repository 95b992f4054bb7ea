"""Dropout: in training, numbers become zero at random, so that no one of them is relied on."""

from __future__ import annotations

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.nn import functional as F
from course_lib.nn.module import Module

__all__ = ["Dropout"]


class Dropout(Module):
    """Zeros with probability `p`, the rest made larger so that the mean stays.

    Only in training; in `eval` mode the input comes back as it is.

    >>> torch.nn.Dropout(1.0)(torch.ones(3))
    tensor([0., 0., 0.])
    """

    __constants__ = ["p", "inplace"]

    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(errors.dropout_probability(p))
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        """What is left of the input."""
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The probability."""
        return f"p={self.p}, inplace={self.inplace}"
