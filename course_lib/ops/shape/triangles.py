"""Triangles of matrices."""

from __future__ import annotations

import numpy as np

from course_lib.calls.rules import Rule
from course_lib.declare.op import op
from course_lib.words import errors

__all__ = ["tril", "triu"]

OF_MATRICES = Rule(lambda self: self._array.ndim < 2, errors.triangle_rank)


@op(
    layout="contiguous",
    inplace=True,
    refuses=OF_MATRICES,
    self=lambda grad, diagonal: tril(grad, diagonal),
)
def tril(self, diagonal=0):
    """The lower triangle of each matrix, up to a diagonal; the rest is 0.

    >>> torch.tril(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 0],
            [3, 4]])
    """
    return np.tril(self, diagonal)


@op(
    layout="contiguous",
    inplace=True,
    refuses=OF_MATRICES,
    self=lambda grad, diagonal: triu(grad, diagonal),
)
def triu(self, diagonal=0):
    """The upper triangle of each matrix, from a diagonal on; the rest is 0.

    >>> torch.triu(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 2],
            [0, 4]])
    """
    return np.triu(self, diagonal)
