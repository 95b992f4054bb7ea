"""Reading and writing rows by number: `index_select`, `index_add`, `index_fill`.

`index` is a vector of places along one dimension, the same ones for every row.
"""

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, refuse, refuse_index, within
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.memory.dims import broadcast, wrap_dim
from course_lib.ops.make.fill import declare_filling, fits, scalar_like
from course_lib.ops.pick.gather_scatter import check_places, gather, no_integers, outside
from course_lib.ops.pick.index_put import add_at
from course_lib.ops.pick.slices import blank_of
from course_lib.ops.shape.expand import expand
from course_lib.words import errors

__all__ = ["index_add", "index_fill", "index_select", "take_along_dim"]


def is_matrix(index: Tensor) -> bool:
    """Whether an index has more than one dimension."""
    return index._array.ndim > 1


# ---- reading -------------------------------------------------------------------------------------


@op(
    layout="contiguous",
    saves=("index",),
    refuses=(
        within("dim"),
        Rule(is_matrix, errors.INDEX_SELECT_VECTOR, IndexError),
        Rule(lambda self, index: not self.ndim and index.numel() != 1, errors.index_of_scalar),
        Rule(no_integers, errors.index_kind("index_select", "int32 or int64")),
    ),
    self=lambda grad, self_shape, dim, index: index_add(
        blank_of(grad, self_shape), dim, index, grad
    ),
)
def index_select(self, dim, index):
    """A copy of the entries along `dim` that `index` (a vector) names, in its order.

    >>> torch.tensor([[1, 2, 3], [4, 5, 6]]).index_select(1, torch.tensor([2, 0]))
    tensor([[3, 1],
            [6, 4]])
    """
    places, at = np.atleast_1d(index), wrap_dim(dim, self.ndim)
    size = self.shape[at] if self.ndim else 1
    if (wrong := outside(places, size)) is not None:
        if at == 1:  # PyTorch has a kernel of its own for it
            raise RuntimeError(errors.column_range(wrong, size))
        raise IndexError(errors.INDEX_RANGE)
    return self.take(places, axis=at, mode="clip") if self.ndim else np.array(self)


@composite()
def take_along_dim(self: Any, indices: Any, dim: int | None = None) -> Any:
    """The elements that `indices` (for example from `argsort`) pick along `dim`.

    >>> x = torch.tensor([[3, 1, 2]])
    >>> x.take_along_dim(torch.tensor([[1, 2, 0]]), dim=1)
    tensor([[1, 2, 3]])
    """
    shape, wanted = self._array.shape, indices._array.shape
    if dim is not None and len(shape) != len(wanted):
        raise RuntimeError(errors.take_along_dims(len(shape), len(wanted)))
    refuse(indices._dtype is not dtypes.int64, errors.take_along_dtype, indices)
    if dim is None:
        return gather(self.view(-1), 0, indices.reshape(-1))
    at = wrap_dim(dim, len(shape))
    before, after = slice(at), slice(at + 1, None)
    wide = broadcast((*shape[before], 1, *shape[after]), (*wanted[before], 1, *wanted[after]))
    if 0 not in shape[at : at + 1]:
        indices = indices % (shape[at] if shape else 1)
    self = expand(self, (*wide[before], *shape[at : at + 1], *wide[after]))
    return gather(self, at, expand(indices, (*wide[before], *wanted[at : at + 1], *wide[after])))


# ---- writing to places of one dimension ----------------------------------------------------------


def rows(array: Any, dim: int) -> Any:
    """A view with dimension `dim` first; a 0-dim array as one row."""
    return np.moveaxis(array, dim, 0) if array.ndim else array.reshape(1)


def one_source_each(self: Any, dim: int, index: Any, source: Any) -> None:
    """A check: for each index there is what is added, of the right shape."""
    shape, other, at = self._array.shape, source._array.shape, wrap_dim(dim, self._array.ndim)
    refuse(other and at >= len(other), errors.index_add_dim, at)
    count, there = index._array.size, other[at] if other else 1
    refuse(count != there, errors.index_add_count, count, there, at)
    rest = [(*one[:at], *one[at + 1 :]) for one in (shape, other)]
    refuse(len(shape) != len(other) or rest[0] != rest[1], errors.index_add_shapes, shape, other)


@declare_filling(
    operands=("self",),
    saves=("index",),
    copy="contiguous",
    refuses=(
        within("dim"),
        Rule(is_matrix, errors.index_add_vector, IndexError),
        Rule(no_integers, errors.index_add_dtype),
        Rule(lambda self, source: self._dtype is not source._dtype, errors.index_add_dtypes),
        one_source_each,
    ),
    self=lambda grad: grad,
    shows={"alpha": 1, "source_dim": lambda node: len(node.source_shape_)},
    source=lambda grad, source, source_shape, dim, index: index_select(grad, dim, index),
)
def index_add(self, dim, index, source):
    """A copy of `self` with `source` added at the places `index` along `dim`.

    >>> torch.zeros(3).index_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
    tensor([3., 0., 3.])
    """
    at, places = wrap_dim(dim, self.ndim), np.atleast_1d(index)
    if self.ndim == 2 and places.dtype == np.int64:
        check_places(places, at, self.shape[at])
    refuse_index(outside(places, len(rows(self, at))) is not None, errors.INDEX_RANGE)
    add_at(rows(self, at), places, rows(np.asarray(source), at))


@declare_filling(
    inplace=False,
    saves=("index",),
    refuses=(
        within("dim"),
        Rule(lambda index: index._dtype is not dtypes.int64, errors.INDEX_FILL_DTYPE, IndexError),
        Rule(is_matrix, errors.INDEX_FILL_VECTOR),
        Rule(
            lambda value: isinstance(value, Tensor),
            errors.absent("torch.Tensor.index_fill with a tensor as value"),
            NotImplementedError,
        ),
    ),
    self=lambda grad, dim, index: index_fill(grad, dim, index, 0),
)
def index_fill(self, dim, index, value):
    """A copy of `self` with the number `value` written at the places `index` along `dim`.

    >>> torch.zeros(3).index_fill(0, torch.tensor([0, 2]), 7)
    tensor([7., 0., 7.])
    """
    at, places = wrap_dim(dim, self.ndim), np.atleast_1d(index)
    size = len(rows(self, at))
    check_places(places, at, size, -size, IndexError)
    rows(self, at)[places] = scalar_like(fits(value, dtypes.of_numpy(self.dtype)), self)
