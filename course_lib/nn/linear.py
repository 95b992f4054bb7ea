"""The linear layer, and layers without parameters."""

import math
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter, fresh

__all__ = ["Flatten", "Identity", "Linear"]


class Linear(Module):
    """``input @ weight.T + bias``: each output is a weighted sum of all inputs.

    >>> layer = torch.nn.Linear(3, 2)
    >>> layer(torch.zeros(5, 3)).shape
    torch.Size([5, 2])
    """

    weight: Parameter
    bias: Parameter | None
    _shown = "in_features={0.in_features}, out_features={0.out_features}, bias={bias}"

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.register_parameter("weight", fresh((out_features, in_features), device, dtype))
        self.register_parameter("bias", fresh(out_features, device, dtype, bias))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw weight and bias, uniformly between plus and minus ``1 / sqrt(in_features)``."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            inputs, _ = init.fans(self.weight)
            bound = 1 / math.sqrt(inputs) if inputs else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """The weighted sums."""
        return F.linear(input, self.weight, self.bias)


# ---- without parameters --------------------------------------------------------------------------


class Identity(Module):
    """A placeholder that returns its input; it accepts and ignores any arguments.

    >>> torch.nn.Identity()(torch.tensor([1., 2.]))
    tensor([1., 2.])
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """The input."""
        return input


class Flatten(Module):
    """Makes one dimension of several; by default all but the first, which counts the samples.

    >>> torch.nn.Flatten()(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 12])
    """

    _shown = "start_dim={0.start_dim}, end_dim={0.end_dim}"

    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Any) -> Tensor:
        """The input in its new shape."""
        return input.flatten(self.start_dim, self.end_dim)
