"""Finding places in sorted values: `searchsorted`, `bucketize`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.dtypes import dtypes, kinds
from course_lib.words import errors

__all__ = ["searchsorted"]


@op(
    kind="same",
    method=False,
    layout="contiguous",
    operands=("self", "sorted_sequence"),
    refuses=errors.check_places,
)
def places(self, sorted_sequence, side, narrow):
    """Where each value belongs in the sorted ones, row by row."""
    dtype = np.int32 if narrow else np.int64
    if sorted_sequence.ndim == 1:
        found = np.searchsorted(sorted_sequence, self, side)
        # No number is above nan, and so PyTorch finds its place behind all of them.
        return np.asarray(np.where(self != self, len(sorted_sequence), found), dtype)[()]
    found = np.zeros(self.shape, dtype)
    if not self.size:
        return found
    each = (math.prod(sorted_sequence.shape[:-1]), self.shape[-1])
    rows = sorted_sequence.reshape(each[0], sorted_sequence.shape[-1])
    for row, wanted, into in zip(rows, self.reshape(each), found.reshape(each), strict=True):
        into[...] = np.where(wanted != wanted, len(row), np.searchsorted(row, wanted, side))
    return found


@composite(method=False)
def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
) -> Tensor:
    """The index at which each value of `input` would have to be inserted to keep the order.

    Equal values go to the left of those there, or with `right` (``side="right"``) behind them.

    >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 6]))
    tensor([1, 3])
    """
    errors.check_searchsorted(sorted_sequence, input, right, side, None)
    if not isinstance(input, Tensor):
        number = kinds.scalar(input, dtypes.of_number(input).numpy)
        input = Tensor._make(number, dtypes.of_number(input))
    if input._dtype is not sorted_sequence._dtype:
        common = dtypes.promote(input._dtype, sorted_sequence._dtype)
        input, sorted_sequence = input.to(common), sorted_sequence.to(common)
    at = "right" if right or side == "right" else "left"
    return places(input, sorted_sequence, at, out_int32)
