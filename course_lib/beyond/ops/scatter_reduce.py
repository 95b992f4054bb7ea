"""Scattering with a reduction: `scatter_reduce` along one dimension, `index_reduce` by rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.autograd.once import outputs_of_error
from course_lib.core.graph import is_tensor
from course_lib.declare.op import op
from course_lib.memory.dims import wrap_dim
from course_lib.ops.elementwise.zeroing import blank, masked
from course_lib.ops.make.fill import written
from course_lib.ops.pick.gather_scatter import (
    along,
    at_places,
    cleared,
    gather,
    one_dim,
    part,
    scatter_add,
)
from course_lib.ops.pick.index_select import rows
from course_lib.ops.pick.masking import chosen, masked_fill
from course_lib.words import errors

__all__ = ["index_reduce", "scatter_reduce"]

UFUNCS = {
    "sum": np.add,
    "mean": np.add,
    "prod": np.multiply,
    "amax": np.maximum,
    "amin": np.minimum,
}


def start_of(reduce: str, dtype: Any) -> Any:
    """The value that a reduction starts from when the old elements do not count."""
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    if dtype.kind == "b":
        return reduce == "amin"
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if reduce == "amax" else np.iinfo(dtype).max
    return -np.inf if reduce == "amax" else np.inf


def combine(array: Any, place: tuple, values: Any, reduce: str, include_self: bool) -> None:
    """Combine `values` into `array` at `place`, in place."""
    if not include_self:
        array[place] = np.asarray(start_of(reduce, array.dtype)).astype(array.dtype)
    at_places(UFUNCS[reduce], array, place, values)
    if reduce == "mean":
        count = np.full(array.shape, int(include_self), np.int64)
        np.add.at(count, place, 1)
        np.maximum(count, 1, out=count)
        if array.dtype.kind in "iu":
            np.floor_divide(array, count, out=array, casting="unsafe")
        else:
            array[...] = array / count.astype(np.float32 if array.itemsize < 8 else np.float64)


# ---- gradients -----------------------------------------------------------------------------------
# Written with operations only, so that they run on arrays and on tensors.


def copies(grad: Any, self: Any, dim: int, index: Any, src: Any, include_self: bool) -> Any:
    """How many elements went into the mean at each place."""
    start = blank(grad) + 1 if include_self else blank(grad)
    count = scatter_add(start, dim, index, blank(src) + 1)
    return masked_fill(count, count == 0, 1)


def share(self: Any, dim: int, index: Any, src: Any, result: Any) -> tuple:
    """Who holds the extreme: the old elements, the new ones, and how many in all."""
    mine = as_numbers(self == result, self)
    theirs = as_numbers(src == gather(result, dim, index), src)
    return mine, theirs, scatter_add(mine, dim, index, theirs)


@op(kind="same", layout="contiguous", method=False, operands=("self",))
def as_numbers(self, like):
    """A mask as zeros and ones in the dtype of `like`."""
    return np.asarray(self).astype(like.dtype)


def grad_of_self(
    grad: Any,
    self: Any,
    dim: int,
    index: Any,
    src: Any,
    reduce: str,
    include_self: bool,
    result: Any,
) -> Any:
    """The gradient of what was there before."""
    if reduce == "sum":
        found = grad
    elif reduce == "mean":
        found = grad / copies(grad, self, dim, index, src, include_self)
    elif reduce == "prod":
        filled = masked_fill(self, self == 0, 1)
        found = grad * scatter_reduce(filled, dim, index, src, "prod", include_self=include_self)
        found = found / filled
    else:
        mine, _, count = share(self, dim, index, src, result)
        found = mine * (grad / count)
    return found if include_self else cleared(found, dim, index)


def grad_of_src(
    grad: Any,
    self: Any,
    dim: int,
    index: Any,
    src: Any,
    reduce: str,
    include_self: bool,
    result: Any,
) -> Any:
    """The gradient of what was scattered."""
    if reduce == "sum":
        return gather(grad, dim, index)
    if reduce == "mean":
        count = copies(grad, self, dim, index, src, include_self)
        return gather(grad, dim, index) / gather(count, dim, index)
    if reduce == "prod":
        return grad_of_factor(grad, self, dim, index, src, include_self, result)
    _, theirs, count = share(self, dim, index, src, result)
    return theirs * gather(grad / count, dim, index)


def grad_of_factor(
    grad: Any, self: Any, dim: int, index: Any, src: Any, include_self: bool, result: Any
) -> Any:
    """The gradient of a factor: the product of the others, also where one of them is 0."""
    zero = src == 0
    zeros = gather(scatter_add(blank(self), dim, index, as_numbers(zero, self)), dim, index)
    only = zero & (zeros == 1)
    others = scatter_reduce(
        self, dim, index, masked_fill(src, only, 1), "prod", include_self=include_self
    )
    alone = gather(grad * others, dim, index)
    usual = gather(grad * result, dim, index) / masked_fill(src, zero, 1)
    found = masked(chosen(only, alone, usual), zeros <= 1)
    if is_tensor(found) and bool((zeros > 1).any()):
        [found] = outputs_of_error((found,), errors.PROD_TWO_ZEROS)
    return found


# ---- the operations ------------------------------------------------------------------------------


@written(
    copy="contiguous",
    operands=("self",),
    saves=("index",),
    check=errors.check_scatter_reduce,
    self=grad_of_self,
    src=grad_of_src,
)
def scatter_reduce(self, dim, index, src, reduce, *, include_self=True):
    """A copy of `self` where the elements of `src` are combined at `index` along `dim`.

    `reduce` is "sum", "prod", "mean", "amax" or "amin"; the old elements take part unless
    `include_self` is False.

    >>> x = torch.zeros(2)
    >>> x.scatter_reduce(0, torch.tensor([0, 0]), torch.tensor([3., 5.]), "amax")
    tensor([5., 0.])
    """
    if not np.size(index):
        return
    self, index, src = one_dim(self, index, src)
    at = wrap_dim(dim, self.ndim)
    errors.check_along(index, at, self.shape[at])
    reduce = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    combine(self, along(index, at), part(src, index), reduce, include_self)


def spread_index(index: Any, source: Any, dim: int) -> Any:
    """A vector of indices repeated to the shape of `source`: `index_…` as `scatter_…`."""
    return widened(index, source, dim)


@op(kind="same", layout="contiguous", method=False, operands=("self",))
def widened(self, source, dim):
    """A vector along `dim`, repeated to the shape of `source`."""
    shape = [1] * np.ndim(source)
    if shape:
        shape[wrap_dim(dim, len(shape))] = -1
    return np.broadcast_to(np.reshape(self, shape), np.shape(source)).copy()


def by_rows(formula: Any) -> Any:
    """A gradient of `scatter_reduce` as one of `index_reduce`."""

    def grad_formula(
        grad: Any,
        self: Any,
        dim: int,
        index: Any,
        source: Any,
        reduce: str,
        include_self: bool,
        result: Any,
    ) -> Any:
        wide = spread_index(index, source, dim)
        return formula(grad, self, dim, wide, source, reduce, include_self, result)

    return grad_formula


@written(
    copy="contiguous",
    operands=("self",),
    saves=("index",),
    check=errors.check_index_reduce,
    self=by_rows(grad_of_self),
    source=by_rows(grad_of_src),
)
def index_reduce(self, dim, index, source, reduce, *, include_self=True):
    """A copy of `self` where `source` is combined at the places `index` of dimension `dim`.

    `reduce` is "prod", "mean", "amax" or "amin".
    """
    at = wrap_dim(dim, self.ndim)
    places = np.atleast_1d(index)
    errors.check_select_range(places, rows(self, at).shape[0])
    combine(rows(self, at), (places,), rows(np.asarray(source), at), reduce, include_self)
