"""How alike vectors are: their cosine, and vectors of length 1."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.elementwise.arithmetic import div
from course_lib.ops.elementwise.clamp import clamp_min

__all__ = []


def normalize(
    input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None
) -> Tensor:
    """The input divided by its norm along `dim`, so that the norm becomes 1.

    >>> torch.nn.functional.normalize(torch.tensor([[3., 4.]]))
    tensor([[0.6000, 0.8000]])
    """
    size = input.norm(p, dim, keepdim=True)
    wide = clamp_min(size, eps).expand_as(input)
    return div(input, wide, out=out)
