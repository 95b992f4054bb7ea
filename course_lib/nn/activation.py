"""Activations: layers that apply a nonlinear function."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module
from course_lib.ops.elementwise.activations import sigmoid
from course_lib.ops.elementwise.trigonometry import tanh

__all__ = [
    "ELU",
    "GELU",
    "LeakyReLU",
    "LogSoftmax",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Tanh",
]


class Activation(Module):
    """The base of activations: `repr` shows the constants that they were made with."""

    __constants__: list[str] = []

    def extra_repr(self) -> str:
        """The constants; `inplace` only where it is True."""
        shown = [f"{n}={getattr(self, n)!r}" for n in self.__constants__ if n != "inplace"]
        return ", ".join(shown + ["inplace=True"] * bool(getattr(self, "inplace", False)))


class Bent(Activation):
    """An activation whose only option is to work in place."""

    __constants__ = ["inplace"]

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace


# ---- kinks ---------------------------------------------------------------------------------------


class ReLU(Bent):
    """Zero for negative numbers, the number itself for others.

    >>> torch.nn.ReLU()(torch.tensor([-1., 2.]))
    tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The input, with 0 in place of negative numbers."""
        return F.relu(input, inplace=self.inplace)


class LeakyReLU(Activation):
    """Negative numbers times a small slope, others as they are."""

    __constants__ = ["inplace", "negative_slope"]

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False):
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Tensor) -> Tensor:
        """The input, with negative numbers times the slope."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class ReLU6(Bent):
    """Numbers limited to the range from 0 to 6."""

    def forward(self, input: Tensor) -> Tensor:
        """The input, limited to the range."""
        return F.relu6(input, inplace=self.inplace)


# ---- curves --------------------------------------------------------------------------------------


class Sigmoid(Activation):
    """``1 / (1 + exp(-x))``, which maps any number to one between 0 and 1."""

    def forward(self, input: Any) -> Tensor:
        """The sigmoid of each number."""
        result: Tensor = sigmoid.front(input)
        return result


class Tanh(Activation):
    """The hyperbolic tangent, which maps any number to one between -1 and 1."""

    def forward(self, input: Any) -> Tensor:
        """The hyperbolic tangent of each number."""
        result: Tensor = tanh.front(input)
        return result


class SiLU(Bent):
    """``x * sigmoid(x)``."""

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.silu(input, inplace=self.inplace)


class ELU(Activation):
    """``alpha * (exp(x) - 1)`` for negative numbers, others as they are."""

    __constants__ = ["alpha", "inplace"]

    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.elu(input, self.alpha, self.inplace)


class GELU(Activation):
    """``x`` times the probability that a standard normal number is below ``x``."""

    __constants__ = ["approximate"]

    def __init__(self, approximate: str = "none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.gelu(input, approximate=self.approximate)


class Softplus(Activation):
    """``log(1 + exp(beta x)) / beta``: a smooth `ReLU`."""

    __constants__ = ["beta", "threshold"]

    def __init__(self, beta: float = 1.0, threshold: float = 20.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.softplus(input, self.beta, self.threshold)


# ---- shares of a whole ---------------------------------------------------------------------------


class Shares(Activation):
    """The base of softmax layers: numbers along one dimension become shares of 1."""

    __constants__ = ["dim"]

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim


class Softmax(Shares):
    """The exponentials divided by their sum along `dim`: positive numbers that add up to 1.

    >>> torch.nn.Softmax(0)(torch.tensor([1., 1.]))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The shares."""
        return F.softmax(input, self.dim)


class LogSoftmax(Shares):
    """The logarithm of the softmax, accurate even where a share is almost 0."""

    def forward(self, input: Tensor) -> Tensor:
        """The logarithms of the shares."""
        return F.log_softmax(input, self.dim)
