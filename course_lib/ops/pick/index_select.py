"""Reading and writing rows by number: `index_select`, `index_add`, `index_copy`, `index_fill`.

`index` is a vector of places along one dimension, the same ones for every row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.memory.dims import wrap_dim
from course_lib.memory.meta import MetaArray
from course_lib.ops.make.fill import fits, scalar_like, written
from course_lib.ops.pick.gather_scatter import gather, spread
from course_lib.ops.pick.index_put import add_at
from course_lib.ops.shape.expand import expand
from course_lib.words import errors

__all__ = ["index_add", "index_copy", "index_fill", "index_select", "take_along_dim"]


# ---- reading -------------------------------------------------------------------------------------


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    saves=("index",),
    refuses=errors.check_index_select,
    self=lambda grad, self_shape, dim, index: index_add(spread(grad, self_shape), dim, index, grad),
)
def index_select(self, dim, index):
    """A copy of the entries along `dim` that `index` (a vector) names, in its order.

    >>> torch.tensor([[1, 2, 3], [4, 5, 6]]).index_select(1, torch.tensor([2, 0]))
    tensor([[3, 1],
            [6, 4]])
    """
    places = np.atleast_1d(index) if not isinstance(index, MetaArray) else index
    at = wrap_dim(dim, self.ndim)
    errors.check_columns(places, self.shape or (1,), at)
    if not np.ndim(self):
        return np.array(self)
    return np.take(self, places, axis=at)


@composite()
def take_along_dim(self: Any, indices: Any, dim: int | None = None) -> Any:
    """The elements that `indices` (for example from `argsort`) pick along `dim`.

    >>> x = torch.tensor([[3, 1, 2]])
    >>> x.take_along_dim(torch.tensor([[1, 2, 0]]), dim=1)
    tensor([[1, 2, 3]])
    """
    if not isinstance(indices, Tensor):
        raise TypeError(errors.take_along_argument(indices))
    if dim is None:
        errors.check_take_along(indices)
        return gather(self.view(-1), 0, indices.reshape(-1))
    ndim = self._array.ndim
    if ndim != indices._array.ndim:
        raise RuntimeError(errors.take_along_dims(ndim, indices._array.ndim))
    errors.check_take_along(indices)
    at = wrap_dim(dim, ndim)
    shape, wanted = list(self._array.shape), list(indices._array.shape)
    one, two = shape[:], wanted[:]
    one[at] = two[at] = 1
    errors.check_broadcast_shapes(tuple(one), tuple(two))
    wide = np.broadcast_shapes(tuple(one), tuple(two))
    shape = [*wide[:at], shape[at], *wide[at + 1 :]]
    wanted = [*wide[:at], wanted[at], *wide[at + 1 :]]
    size = self._array.shape[at] if ndim else 1
    if size:
        indices = indices % size
    return gather(expand(self, shape), at, expand(indices, wanted))


# ---- writing to places of one dimension ----------------------------------------------------------


def rows(array: Any, dim: int) -> Any:
    """A view with dimension `dim` first; a 0-dim array as one row."""
    if not array.ndim:
        return array.reshape(1)
    return array if dim == 0 else np.moveaxis(array, dim, 0)


@written(
    operands=("self",),
    saves=("index",),
    copy="contiguous",
    refuses=errors.check_index_add,
    self=lambda grad: grad,
    source=lambda grad, dim, index, alpha: scaled(index_select(grad, dim, index), alpha),
)
def index_add(self, dim, index, source, *, alpha=1):
    """A copy of `self` with ``alpha * source`` added at the places `index` along `dim`.

    >>> torch.zeros(3).index_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
    tensor([3., 0., 3.])
    """
    at = wrap_dim(dim, self.ndim)
    places = np.atleast_1d(index)
    if self.ndim == 2 and places.dtype == np.int64 and alpha == 1:
        errors.check_along(places, at, self.shape[at])
    errors.check_select_range(places, rows(self, at).shape[0])
    if alpha != 1:
        source = (source * np.asarray(alpha).astype(self.dtype)).astype(self.dtype)
    add_at(rows(self, at), places, rows(np.asarray(source), at))


def scaled(grad: Any, alpha: Any) -> Any:
    """`grad` times a number; the same object if that is 1."""
    return grad if alpha == 1 else grad * alpha


@written(
    operands=("self",),
    saves=("index",),
    copy="contiguous",
    refuses=errors.check_index_copy,
    self=lambda grad, dim, index: fill_number(grad, dim, index, 0),
    source=lambda grad, dim, index: index_select(grad, dim, index),
)
def index_copy(self, dim, index, source):
    """A copy of `self` with `source` written at the places `index` along `dim`.

    >>> torch.zeros(3).index_copy(0, torch.tensor([2, 0]), torch.tensor([1., 2.]))
    tensor([2., 0., 1.])
    """
    at = wrap_dim(dim, self.ndim)
    places = np.atleast_1d(index)
    errors.check_copy_range(places, at, rows(self, at).shape[0])
    rows(self, at)[places] = rows(np.asarray(source), at)


def fill_kernel(self: Any, dim: int, index: Any, value: Any) -> None:
    at = wrap_dim(dim, self.ndim)
    places = np.atleast_1d(index)
    errors.check_fill_range(places, at, rows(self, at).shape[0])
    rows(self, at)[places] = scalar_like(value, self)


fill_number = written(
    inplace=False,
    expanded=errors.expanded_write("index_fill_", "tensor[mask] = scalar"),
    method=False,
    name="index_fill",
    operands=("self",),
    saves=("index",),
    refuses=errors.check_index_fill,
    self=lambda grad, dim, index: fill_number(grad, dim, index, 0),
)(fill_kernel)


@composite()
def index_fill(self: Any, dim: int, index: Any, value: Any) -> Any:
    """A copy of `self` with the number `value` written at the places `index` along `dim`.

    >>> torch.zeros(3).index_fill(0, torch.tensor([0, 2]), 7)
    tensor([7., 0., 7.])
    """
    if isinstance(value, Tensor):
        raise NotImplementedError(errors.absent("torch.Tensor.index_fill with a tensor as value"))
    if not isinstance(index, Tensor) or not isinstance(value, kinds.NUMBERS):
        raise TypeError("index_fill")
    return fill_number(self, dim, index, fits(value, self._dtype))
