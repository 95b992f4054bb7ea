"""Packing sequences of different lengths: step after step, without the padding."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.ops.layers import layer_op
from course_lib.ops.make.tensor import tensor
from course_lib.words import errors

__all__: list[str] = []


@layer_op(
    "same",
    node="PackPaddedSequenceBackward0",
    self=lambda grad, self_shape, sizes, batch_first: unpacked(
        grad, self_shape, sizes, batch_first
    ),
)
def packed(self, sizes, batch_first):
    """The first `sizes[t]` sequences of each step t, one step after the other."""
    steps = np.swapaxes(self, 0, 1) if batch_first else self
    return np.concatenate([step[:size] for step, size in zip(steps, sizes, strict=False)])


@layer_op(
    "same",
    layout="kernel",
    self=lambda grad, sizes, batch_first: packed(grad, sizes, batch_first),
)
def unpacked(self, shape, sizes, batch_first):
    """The adjoint of `packed`."""
    whole = np.zeros((shape[1], shape[0], *shape[2:]) if batch_first else shape, self.dtype)
    start = 0
    for step, size in enumerate(sizes):
        whole[step, :size] = self[start : start + size]
        start += size
    return np.swapaxes(whole, 0, 1) if batch_first else whole


def pack_padded(input: Any, lengths: list[int], batch_first: bool) -> tuple[Any, Any]:
    """The steps of the sequences in a padded tensor, and how many sequences each step has."""
    shape = input._array.shape
    steps, batch = shape[1::-1] if batch_first else shape[:2]
    if not steps:
        raise RuntimeError(errors.PACKED_EMPTY)
    if len(lengths) != batch:
        raise RuntimeError(errors.lengths_count(len(lengths), batch))
    if min(lengths) <= 0:
        raise RuntimeError(errors.LENGTH_ZERO)
    if sorted(lengths, reverse=True) != lengths:
        raise RuntimeError(errors.LENGTHS_UNSORTED)
    sizes = [sum(length > step for length in lengths) for step in range(lengths[0])]
    return packed(input, sizes, batch_first), tensor(sizes)
