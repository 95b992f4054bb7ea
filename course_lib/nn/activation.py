"""Activations: layers that apply a nonlinear function."""

from collections.abc import Callable
from functools import partial

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module
from course_lib.ops.elementwise.activations import hardtanh, sigmoid
from course_lib.ops.elementwise.trigonometry import tanh
from course_lib.ops.layers.activations import apply_activation

__all__ = ["ELU", "GELU", "LeakyReLU", "LogSoftmax", "ReLU", "ReLU6", "SiLU", "Sigmoid", "Softmax"]
__all__ += ["Softplus", "Tanh"]


class Activation(Module):
    """The base of activations: a function, and the names of its options, which `repr` shows."""

    _function: Callable
    _options: tuple[str, ...] = ()

    def forward(self, input: Tensor) -> Tensor:
        """The function at each number."""
        given = {name: getattr(self, name) for name in self._options}
        return self._function(input, **given)

    def extra_repr(self) -> str:
        """The options; `inplace` only where it is True."""
        shown = [f"{n}={getattr(self, n)!r}" for n in self._options if n != "inplace"]
        return ", ".join(shown + ["inplace=True"] * bool(getattr(self, "inplace", False)))


class Bent(Activation):
    """An activation whose only option is to work in place."""

    _options = ("inplace",)

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace


# ---- kinks ---------------------------------------------------------------------------------------


class ReLU(Bent):
    """Zero for negative numbers, the number itself for others.

    >>> torch.nn.ReLU()(torch.tensor([-1., 2.]))
    tensor([0., 2.])
    """

    _function = staticmethod(F.relu)


class LeakyReLU(Activation):
    """Negative numbers times a small slope, others as they are."""

    _function, _options = staticmethod(F.leaky_relu), ("negative_slope", "inplace")

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False):
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace


class ReLU6(Bent):
    """Numbers limited to the range from 0 to 6."""

    _function = staticmethod(partial(apply_activation, hardtanh))  # which errors name


# ---- curves --------------------------------------------------------------------------------------


class Sigmoid(Activation):
    """``1 / (1 + exp(-x))``, which maps any number to one between 0 and 1."""

    _function = staticmethod(sigmoid.front)


class Tanh(Activation):
    """The hyperbolic tangent, which maps any number to one between -1 and 1."""

    _function = staticmethod(tanh.front)


class SiLU(Bent):
    """``x * sigmoid(x)``."""

    _function = staticmethod(F.silu)


class ELU(Activation):
    """``alpha * (exp(x) - 1)`` for negative numbers, others as they are."""

    _function, _options = staticmethod(F.elu), ("alpha", "inplace")

    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__()
        self.alpha, self.inplace = alpha, inplace


class GELU(Activation):
    """``x`` times the probability that a standard normal number is below ``x``."""

    _function, _options = staticmethod(F.gelu), ("approximate",)

    def __init__(self, approximate: str = "none"):
        super().__init__()
        self.approximate = approximate


class Softplus(Activation):
    """``log(1 + exp(beta x)) / beta``: a smooth `ReLU`."""

    _function, _options = staticmethod(F.softplus), ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold


# ---- shares of a whole ---------------------------------------------------------------------------


class Shares(Activation):
    """The base of softmax layers: numbers along one dimension become shares of 1."""

    _options = ("dim",)

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = dim


class Softmax(Shares):
    """The exponentials divided by their sum along `dim`: positive numbers that add up to 1.

    >>> torch.nn.Softmax(0)(torch.tensor([1., 1.]))
    tensor([0.5000, 0.5000])
    """

    _function = staticmethod(F.softmax)


class LogSoftmax(Shares):
    """The logarithm of the softmax, accurate even where a share is almost 0."""

    _function = staticmethod(F.log_softmax)
