"""Activations that are smooth curves, and the gated linear unit."""

from __future__ import annotations

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.activation import Activation, Bent

__all__ = ["CELU", "GLU", "Mish", "Softsign"]


class CELU(Activation):
    """`ELU` whose slope is the same on both sides of 0, for any `alpha`."""

    __constants__ = ["alpha", "inplace"]

    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.celu(input, self.alpha, self.inplace)


class Mish(Bent):
    """``x * tanh(softplus(x))``."""

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.mish(input, inplace=self.inplace)


class Softsign(Activation):
    """``x / (1 + |x|)``."""

    def forward(self, input: Tensor) -> Tensor:
        """The curve at each number."""
        return F.softsign(input)


class GLU(Activation):
    """One half of the numbers along `dim`, let through by the sigmoid of the other half.

    >>> torch.nn.GLU()(torch.tensor([1., 2., 0., 0.]))
    tensor([0.5000, 1.0000])
    """

    __constants__ = ["dim"]

    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """The gated half."""
        return F.glu(input, self.dim)
