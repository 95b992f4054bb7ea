"""Layers that compare two inputs: `CosineSimilarity`, `PairwiseDistance`."""

from __future__ import annotations

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module

__all__ = [
    "CosineSimilarity",
]


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along `dim`.

    >>> torch.nn.CosineSimilarity(0)(torch.tensor([1., 0.]), torch.tensor([3., 4.]))
    tensor(0.6000)
    """

    __constants__ = ["dim", "eps"]

    def __init__(self, dim: int = 1, eps: float = 1e-8):
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The cosines."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
