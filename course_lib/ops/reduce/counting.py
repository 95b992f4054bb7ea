"""Counting: elements that are not zero, and how often each whole number occurs."""

from __future__ import annotations

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.ops.reduce.adjoints import adjoint, axes, reducing
from course_lib.words import errors

__all__ = ["bincount", "count_nonzero"]


@adjoint()
def tally(self, weights, minlength):
    """How often each number occurs, or the sum of its weights."""
    length = max(int(self.max()) + 1 if self.size else 0, minlength)
    if weights is None:
        return np.bincount(self, minlength=length).astype(np.int64)
    result = np.zeros(length, np.float32 if weights.dtype == np.float32 else np.float64)
    np.add.at(result, self, weights)
    return result


@composite()
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each of the numbers 0, 1, 2 … occurs in `input`; with `weights`, their sums.

    >>> torch.bincount(torch.tensor([1, 1, 3]))
    tensor([0, 2, 0, 1])
    """
    array = input._array
    if input._dtype.category != 1:
        raise NotImplementedError(errors.no_kernel("bincount_cpu", input))
    if minlength < 0:
        raise RuntimeError(errors.BINCOUNT_LENGTH)
    if array.ndim != 1 or (array.size and array.min() < 0):
        raise RuntimeError(errors.BINCOUNT_INPUT)
    if weights is not None and weights._array.shape != array.shape:
        raise RuntimeError(errors.BINCOUNT_WEIGHTS)
    return tally(input, weights, minlength)


@reducing(kind="same")
def count_nonzero(self, dim=None):
    """How many elements are not zero, in the whole tensor or along `dim`.

    >>> torch.tensor([[0, 2], [1, 1]]).count_nonzero(0)
    tensor([1, 2])
    """
    return np.add.reduce(np.not_equal(self, 0), axis=axes(dim, self.ndim), dtype=np.int64)
