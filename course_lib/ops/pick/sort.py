"""Sorting, ranking, and counting equal elements."""

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, lacking, no, refuse, refuse_index, within
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.methods import method
from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.memory.places import order, take_along
from course_lib.ops.make.clone import copy_layout
from course_lib.ops.pick import ties
from course_lib.ops.reduce.extremes import placed
from course_lib.words import errors

__all__ = ["argsort", "isin", "mode", "sort", "topk"]

# ---- order ---------------------------------------------------------------------------------------


def sorting(node: str) -> Any:
    """Declare `sort`; if a stable order is asked for, its node has another name."""

    @op(
        name="sort",
        node=node,
        method=False,
        layout="kernel",
        returns=("values", "indices"),
        refuses=(within("dim"), no("complex", errors.no_complex_order("Sort"))),
        self=lambda grad, self_shape, indices, dim: placed(grad, self_shape, indices, dim, True),
    )
    def sort(self, dim=-1, descending=False, *, stable=None):
        if not self.ndim:
            return self.copy(), np.zeros_like(self, np.int64)
        axis = wrap_dim(dim, self.ndim)
        indices = order(self, axis, descending)
        if not stable and self.shape[axis] > ties.FEW:
            indices = ties.rearrange_ties(indices, self, axis, ties.introsort)
        found = take_along(self, indices, axis), indices
        if self.size and 1 not in self.shape and layout.lies_in_rows(self):
            return found
        return tuple(copy_layout(one, self) for one in found)

    return sort


sort_plain, sort_stable = sorting("SortBackward0"), sorting("SortBackward1")


@method
def sort(*args: Any, **kwargs: Any) -> Any:
    """The elements in ascending order along `dim` (or descending), and their int64 indices.

    ``sort(input, dim=-1, descending=False, stable=False)``

    >>> torch.tensor([3, 1, 2]).sort()
    torch.return_types.sort(
    values=tensor([1, 2, 3]),
    indices=tensor([1, 2, 0]))
    """
    which = sort_stable if "stable" in kwargs else sort_plain
    return which(*args, **kwargs)


@composite()
def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False
) -> Tensor:
    """The indices that sort `input` along `dim`.

    >>> torch.tensor([3, 1, 2]).argsort()
    tensor([1, 2, 0])
    """
    return sort_plain(input.detach(), dim, descending)[1]


@op(
    layout="contiguous",
    returns=("values", "indices"),
    refuses=(
        within("dim"),
        Rule(lambda self, k, dim: not 0 <= k <= (self.shape or {dim: 1})[dim], errors.TOPK_RANGE),
        no("complex", errors.no_complex_order),
        no("bool", errors.TOPK_BOOL),
    ),
    self=lambda grad, self_shape, indices, dim: placed(grad, self_shape, indices, dim, True),
)
def topk(self, k, dim=-1, largest=True, sorted=True):
    """The `k` largest elements along `dim`, largest first (or the smallest), and their indices.

    >>> torch.tensor([1, 4, 2]).topk(2)
    torch.return_types.topk(
    values=tensor([4, 2]),
    indices=tensor([1, 2]))
    """
    if not self.ndim:
        return self.copy(), np.zeros_like(self, np.int64)
    axis = wrap_dim(dim, self.ndim)
    indices = order(self, axis, largest)
    if k:
        indices = ties.rearrange_ties(indices, self, axis, ties.leading(k, sorted), not sorted)
    indices = indices[(slice(None),) * axis + (slice(k),)]
    return take_along(self, indices, axis), indices


# ---- equal ones ----------------------------------------------------------------------------------


def check_mode(self: Tensor, dim: int) -> None:
    """Raise for an empty dimension and for complex numbers, which have no order."""
    axis, shape = wrap_dim(dim, self._array.ndim), self._array.shape
    refuse_index(shape and not shape[axis], errors.empty_reduction, "mode", axis)
    lacking(shape and self._dtype.is_complex, errors.no_kernel, "mode_cpu", self)


@op(
    layout="contiguous",
    returns=("values", "indices"),
    refuses=check_mode,
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
    indices = order(self, axis, False)
    if self.shape[axis] > ties.FEW:
        indices = ties.rearrange_ties(indices, self, axis, ties.introsort)
    ranks = np.moveaxis(np.take_along_axis(self, indices, axis), axis, -1)
    place = np.arange(ranks.shape[-1])
    starts = np.ones(ranks.shape, bool)  # where in the sorted elements a run of equal ones starts
    starts[..., 1:] = ranks[..., 1:] != ranks[..., :-1]
    lengths = place - np.maximum.accumulate(np.where(starts, place, 0), axis=-1)
    end = np.expand_dims(np.argmax(lengths, axis=-1), axis)  # … and where the longest one ends
    indices = np.take_along_axis(indices, end, axis)
    values = np.take_along_axis(self, indices, axis)
    return (values, indices) if keepdim else (values.squeeze(axis), indices.squeeze(axis))


def check_isin(elements: Any, test_elements: Any) -> None:
    """Raise for complex numbers and bools."""
    for kind in (kinds.promote_all([elements]), kinds.promote_all([test_elements])):
        refuse(kind.category in (0, 3), errors.isin_kind, kind)


@op(kind="promote", layout="contiguous", method=False, refuses=check_isin)
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """Whether each of `elements` is among `test_elements`; with `invert`, whether it is not.

    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([3, 1]))
    tensor([ True, False,  True])
    """
    return np.asarray(np.isin(elements, test_elements, invert=invert))[()]
