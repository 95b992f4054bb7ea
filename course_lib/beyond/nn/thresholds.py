"""Activations with straight pieces: what is small, negative or large is cut off or bent."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.activation import Activation, Bent

__all__ = [
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "RReLU",
    "Softshrink",
    "Tanhshrink",
    "Threshold",
]


class Threshold(Activation):
    """Numbers above `threshold` as they are, `value` in the place of the others."""

    __constants__ = ["threshold", "value", "inplace"]

    def __init__(self, threshold: float, value: float, inplace: bool = False):
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Tensor) -> Tensor:
        """The input, small numbers replaced."""
        return F.threshold(input, self.threshold, self.value, self.inplace)


class RReLU(Activation):
    """Negative numbers times a slope drawn between two bounds; in `eval` mode, their middle."""

    __constants__ = ["lower", "upper", "inplace"]

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False):
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Tensor) -> Tensor:
        """The input, negative numbers made small."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Shrink(Activation):
    """What layers share that make small numbers 0; `lambd` says how small."""

    __constants__ = ["lambd"]

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        """The bound."""
        return str(self.lambd)


class Hardshrink(Shrink):
    """Numbers of a size up to `lambd` become 0, others stay.

    >>> torch.nn.Hardshrink()(torch.tensor([0.2, 2.]))
    tensor([0., 2.])
    """

    def forward(self, input: Any) -> Tensor:
        """The input without small numbers."""
        return F.hardshrink(input, self.lambd)


class Softshrink(Shrink):
    """All numbers come nearer to 0 by `lambd`."""

    def forward(self, input: Tensor) -> Tensor:
        """The input, shrunk."""
        return F.softshrink(input, self.lambd)


class Tanhshrink(Activation):
    """``x - tanh(x)``."""

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.tanhshrink(input)


class Hardsigmoid(Bent):
    """A sigmoid of three straight pieces."""

    def forward(self, input: Tensor) -> Tensor:
        """The pieces at each number."""
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        """Nothing."""
        return ""


class Hardswish(Hardsigmoid):
    """``x * hardsigmoid(x)``."""

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.hardswish(input, self.inplace)
