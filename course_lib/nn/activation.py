"""Activations: layers that bend each number that passes; only `PReLU` learns how."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter
from course_lib.ops.creation import empty

__all__ = [
    "ELU",
    "GELU",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "PReLU",
    "ReLU",
    "ReLU6",
    "SELU",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Tanh",
]


class Activation(Module):
    """What activations share: `repr` shows the constants that they were made with."""

    __constants__: list[str] = []

    def extra_repr(self) -> str:
        """The constants; `inplace` only where it is True."""
        shown = [f"{n}={getattr(self, n)!r}" for n in self.__constants__ if n != "inplace"]
        return ", ".join(shown + ["inplace=True"] * bool(getattr(self, "inplace", False)))


class Bent(Activation):
    """An activation whose only choice is to work in place."""

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
        """The input without what is negative."""
        return F.relu(input, inplace=self.inplace)


class LeakyReLU(Activation):
    """Negative numbers times a small slope, others as they are."""

    __constants__ = ["inplace", "negative_slope"]

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False):
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Tensor) -> Tensor:
        """The input, negative numbers made small."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class PReLU(Activation):
    """Negative numbers times a slope that is learned: one for all, or one per channel."""

    __constants__ = ["num_parameters"]
    weight: Parameter

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes to what they began with."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """The input, negative numbers times the slope."""
        return F.prelu(input, self.weight)


class Hardtanh(Activation):
    """Numbers cut off at two ends."""

    __constants__ = ["min_val", "max_val", "inplace"]

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ):
        super().__init__()
        if min_value is not None:
            errors.warn(errors.hardtanh_renamed("min"), FutureWarning)
            min_val = min_value
        if max_value is not None:
            errors.warn(errors.hardtanh_renamed("max"), FutureWarning)
            max_val = max_value
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace
        if not max_val > min_val:
            raise AssertionError(errors.hardtanh_ends(min_val, max_val))

    def forward(self, input: Tensor) -> Tensor:
        """The input between the two ends."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """Numbers cut off below 0 and above 6."""

    __constants__ = ["inplace"]

    def __init__(self, inplace: bool = False):
        super().__init__(0.0, 6.0, inplace)


# ---- curves --------------------------------------------------------------------------------------


class Sigmoid(Activation):
    """``1 / (1 + exp(-x))``: any number becomes one between 0 and 1."""

    def forward(self, input: Any) -> Tensor:
        """The sigmoid of each number."""
        result: Tensor = input.sigmoid()
        return result


class Tanh(Activation):
    """Any number becomes one between -1 and 1."""

    def forward(self, input: Any) -> Tensor:
        """The hyperbolic tangent of each number."""
        result: Tensor = input.tanh()
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


class SELU(Bent):
    """`ELU` scaled such that, layer after layer, mean 0 and variance 1 are kept."""

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.selu(input, self.inplace)


class GELU(Activation):
    """``x`` times the chance that a normal number is below ``x``."""

    __constants__ = ["approximate"]

    def __init__(self, approximate: str = "none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.gelu(input, approximate=self.approximate)


class LogSigmoid(Activation):
    """The logarithm of the sigmoid, exact also where the sigmoid is almost 0."""

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.logsigmoid(input)


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
    """Numbers along one dimension as shares of 1."""

    __constants__ = ["dim"]

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim


class Softmax(Shares):
    """The exponentials along `dim`, divided by their sum.

    >>> torch.nn.Softmax(0)(torch.tensor([1., 1.]))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The shares."""
        return F.softmax(input, self.dim)


class Softmin(Shares):
    """The softmax of the negated numbers: the smallest gets most.

    >>> torch.nn.Softmin(0)(torch.tensor([1., 1.]))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """The shares."""
        return F.softmin(input, self.dim)


class LogSoftmax(Shares):
    """The logarithm of the softmax, exact also where a share is almost 0."""

    def forward(self, input: Tensor) -> Tensor:
        """The logarithms of the shares."""
        return F.log_softmax(input, self.dim)


class Softmax2d(Activation):
    """The softmax over the channels of each place of an image."""

    def forward(self, input: Tensor) -> Tensor:
        """The shares."""
        if len(input.shape) not in (3, 4):
            raise ValueError(errors.softmax2d_input(len(input.shape)))
        return F.softmax(input, -3)
