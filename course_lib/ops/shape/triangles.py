"""Triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.words import errors

__all__ = ["tril", "triu"]


def cut_off(self: Any, kept: Any, name: str) -> Any:
    """`self` with zeros where `kept`, a mask of one matrix, is false."""
    if self.ndim < 2:
        raise RuntimeError(errors.triangle_rank(name))
    return np.where(kept(*self.shape[-2:]), self, np.zeros((), self.dtype))


@op(
    layout="contiguous",
    inplace=True,
    self=lambda grad, diagonal: tril(grad, diagonal),
)
def tril(self, diagonal=0):
    """The lower triangle of each matrix, up to a diagonal; the rest is 0.

    >>> torch.tril(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 0],
            [3, 4]])
    """
    return cut_off(self, lambda n, m: np.tri(n, m, diagonal, bool), "tril")


@op(
    layout="contiguous",
    inplace=True,
    self=lambda grad, diagonal: triu(grad, diagonal),
)
def triu(self, diagonal=0):
    """The upper triangle of each matrix, from a diagonal on; the rest is 0.

    >>> torch.triu(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 2],
            [0, 4]])
    """
    return cut_off(self, lambda n, m: ~np.tri(n, m, diagonal - 1, bool), "triu")
