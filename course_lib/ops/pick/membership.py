"""Counting equal elements: the most frequent one, histograms, membership."""

from __future__ import annotations

import numpy as np

from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.memory.dims import wrap_dim
from course_lib.ops.pick import ties
from course_lib.ops.reduce.adjoints import placed
from course_lib.words import errors

__all__ = ["isin", "mode"]


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    returns=("values", "indices"),
    refuses=errors.check_mode,
    self=lambda grad, self_shape, dim, keepdim, indices: placed(
        grad, self_shape, indices, dim, keepdim
    ),
)
def mode(self, dim=-1, keepdim=False):
    """The most frequent element along `dim` (of several the smallest), and its last index.

    >>> torch.tensor([3, 1, 3]).mode()
    torch.return_types.mode(
    values=tensor(3),
    indices=tensor(2))
    """
    if not self.ndim:
        return self.copy(), np.zeros_like(self, np.int64)
    axis = wrap_dim(dim, self.ndim)
    order = kinds.as_indices(np.argsort(self, axis=axis, kind="stable"))
    if self.shape[axis] > ties.FEW:
        order = ties.rearranged(order, self, axis, ties.introsort)
    ranks = np.moveaxis(np.take_along_axis(self, order, axis), axis, -1)
    place = np.arange(ranks.shape[-1])
    starts = np.ones(ranks.shape, bool)  # where in the sorted elements a run of equal ones starts
    starts[..., 1:] = ranks[..., 1:] != ranks[..., :-1]
    lengths = place - np.maximum.accumulate(np.where(starts, place, 0), axis=-1)
    end = np.expand_dims(np.argmax(lengths, axis=-1), axis)  # … and where the longest one ends
    indices = np.take_along_axis(order, end, axis)
    values = np.take_along_axis(self, indices, axis)
    return (values, indices) if keepdim else (values.squeeze(axis), indices.squeeze(axis))


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("elements", "test_elements"),
    refuses=errors.check_isin,
)
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """Whether each of `elements` is among `test_elements`; with `invert`, whether it is not.

    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([3, 1]))
    tensor([ True, False,  True])
    """
    return np.asarray(np.isin(elements, test_elements, invert=invert))[()]
