"""Finding places in sorted values, and counting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors, kinds
from course_lib.forms.composite import composite
from course_lib.forms.declare import op

__all__ = ["bincount", "bucketize", "searchsorted"]


@op(kind="same", method=False, layout="contiguous", operands=("self", "sorted_sequence"))
def places(self: Any, sorted_sequence: Any, side: str, narrow: bool) -> Any:
    """Where each value belongs in the sorted ones, row by row."""
    dtype = np.int32 if narrow else np.int64
    if sorted_sequence.ndim == 1:
        return np.asarray(np.searchsorted(sorted_sequence, self, side), dtype)[()]
    found = np.zeros(self.shape, dtype)
    if not self.size:
        return found
    each = (math.prod(sorted_sequence.shape[:-1]), self.shape[-1])
    rows = sorted_sequence.reshape(each[0], sorted_sequence.shape[-1])
    for row, wanted, into in zip(rows, self.reshape(each), found.reshape(each), strict=True):
        into[...] = np.searchsorted(row, wanted, side)
    return found


@composite(method=False)
def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The index at which each value of `input` would have to be inserted to keep the order.

    Equal values go to the left of those there, or with `right` (``side="right"``) behind them.

    >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 6]))
    tensor([1, 3])
    """
    errors.check_searchsorted(sorted_sequence, input, right, side, sorter)
    if sorter is not None:
        taken = np.take_along_axis(sorted_sequence._array, sorter._array, -1)
        sorted_sequence = Tensor._make(taken, sorted_sequence._dtype)
    if not isinstance(input, Tensor):
        number = kinds.scalar(input, dtypes.of_number(input).numpy)
        input = Tensor._make(number, dtypes.of_number(input))
    at = "right" if right or side == "right" else "left"
    return places(input, sorted_sequence, at, out_int32, out=out)


@composite(method=False)
def bucketize(
    input: Any,
    boundaries: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The number of the interval between `boundaries` that each value falls into.

    >>> torch.bucketize(torch.tensor([0, 3, 9]), torch.tensor([1, 3, 5]))
    tensor([0, 1, 3])
    """
    if boundaries._array.ndim != 1:
        raise RuntimeError(errors.boundaries_shape(boundaries._array.ndim))
    return searchsorted(boundaries, input, out_int32=out_int32, right=right, out=out)


@op(kind="same", method=False, layout="contiguous", operands=("self",))
def tally(self: Any, weights: Any, minlength: int) -> Any:
    """How often each number is met, or the sum of its weights."""
    length = max(int(self.max()) + 1 if self.size else 0, minlength)
    if weights is None:
        return np.bincount(self, minlength=length).astype(np.int64)
    result = np.zeros(length, np.float32 if weights.dtype == np.float32 else np.float64)
    np.add.at(result, self, weights)
    return result


@composite()
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each of the numbers 0, 1, 2 … is in `input`; with `weights`, their sums.

    >>> torch.bincount(torch.tensor([1, 1, 3]))
    tensor([0, 2, 0, 1])
    """
    errors.check_bincount(input, weights, minlength)
    return tally(input, weights, minlength)
