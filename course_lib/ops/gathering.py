"""Gathering along a dimension, and writing back along one: `index_select`, `gather`, `index_add` …

`index` names places of one dimension: a vector for the `index_…` operations (the same places for
every row), a tensor of the result's shape for `gather`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors, kinds
from course_lib.facts.dims import wrap_dim
from course_lib.facts.meta import MetaArray
from course_lib.forms.composite import composite
from course_lib.forms.declare import op
from course_lib.ops.adjoints import reshaped
from course_lib.ops.advanced import add_at
from course_lib.ops.scattering import along, empty_like_shape, scatter_add
from course_lib.ops.views import expand
from course_lib.ops.writing import fits, scalar_like, written

__all__ = [
    "gather",
    "index_add",
    "index_copy",
    "index_fill",
    "index_select",
    "put",
    "take",
    "take_along_dim",
]


def spread(grad: Any, shape: tuple) -> Any:
    """Zeros of `shape`, with the dtype of `grad`: what a gradient is added into."""
    return empty_like_shape(grad, shape)


# ---- reading -------------------------------------------------------------------------------------


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    saves=("index",),
    check=errors.check_index_select,
    self=lambda grad, self_shape, dim, index: index_add(spread(grad, self_shape), dim, index, grad),
)
def index_select(self: Any, dim: int, index: Any) -> Any:
    """A copy of the places `index` (a vector) of dimension `dim`.

    >>> torch.tensor([[1, 2, 3], [4, 5, 6]]).index_select(1, torch.tensor([2, 0]))
    tensor([[3, 1],
            [6, 4]])
    """
    if not np.ndim(self):
        return np.array(self)
    at = wrap_dim(dim, self.ndim)
    places = np.atleast_1d(index) if not isinstance(index, MetaArray) else index
    errors.check_select_range(places, self.shape[at])
    return np.take(self, places, axis=at)


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    saves=("index",),
    check=errors.check_gather,
    self=lambda grad, self, dim, index: scatter_add(spread(grad, self.shape), dim, index, grad),
)
def gather(self: Any, dim: int, index: Any, *, sparse_grad: bool = False) -> Any:
    """For each place of `index`, the element of `self` there, but at `index` in dimension `dim`.

    >>> torch.tensor([[1, 2], [3, 4]]).gather(1, torch.tensor([[1], [0]]))
    tensor([[2],
            [3]])
    """
    if isinstance(self, MetaArray):
        return MetaArray(index.shape, self.dtype)
    if not index.size:
        return np.empty(index.shape, self.dtype)
    if not np.ndim(self):
        errors.check_along(index, 0, 1)
        return np.full(index.shape, self, self.dtype)
    at = wrap_dim(dim, self.ndim)
    errors.check_along(index, at, self.shape[at])
    if not np.ndim(index):
        return self[index].copy()
    return self[along(index, at)]


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    saves=("index",),
    check=errors.check_take,
    self=lambda grad, self, index: put(spread(grad, self.shape), index, grad, True),
)
def take(self: Any, index: Any) -> Any:
    """The elements at `index`, counted as if `self` had one dimension; of the shape of `index`.

    >>> torch.tensor([[1, 2], [3, 4]]).take(torch.tensor([0, 3]))
    tensor([1, 4])
    """
    if isinstance(index, MetaArray):
        return MetaArray(index.shape, self.dtype)
    errors.check_flat(index, np.size(self))
    return np.ravel(self)[index]


@composite()
def take_along_dim(self: Any, indices: Any, dim: int | None = None) -> Any:
    """The elements that `indices` (as `argsort` gives them) name along `dim`.

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
    return np.moveaxis(array, dim, 0)


@written(
    operands=("self",),
    saves=("index",),
    copy="contiguous",
    check=errors.check_index_add,
    self=lambda grad: grad,
    source=lambda grad, dim, index, alpha: scaled(index_select(grad, dim, index), alpha),
)
def index_add(self: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """A copy of `self` with ``alpha * source`` added at the places `index` of dimension `dim`.

    >>> torch.zeros(3).index_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
    tensor([3., 0., 3.])
    """
    at = wrap_dim(dim, self.ndim)
    places = np.atleast_1d(index)
    if self.ndim == 2 and places.dtype.name == "int64" and alpha == 1:
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
    check=errors.check_index_copy,
    self=lambda grad, dim, index: index_cleared(grad, dim, index),
    source=lambda grad, dim, index: index_select(grad, dim, index),
)
def index_copy(self: Any, dim: int, index: Any, source: Any) -> Any:
    """A copy of `self` with `source` at the places `index` of dimension `dim`.

    >>> torch.zeros(3).index_copy(0, torch.tensor([2, 0]), torch.tensor([1., 2.]))
    tensor([2., 0., 1.])
    """
    at = wrap_dim(dim, self.ndim)
    places = np.atleast_1d(index)
    errors.check_copy_range(places, at, rows(self, at).shape[0])
    rows(self, at)[places] = rows(np.asarray(source), at)


# ---- filling places of one dimension -------------------------------------------------------------


def fill_kernel(self: Any, dim: int, index: Any, value: Any) -> None:
    at = wrap_dim(dim, self.ndim)
    places = np.atleast_1d(index)
    errors.check_fill_range(places, at, rows(self, at).shape[0])
    rows(self, at)[places] = scalar_like(value, self)


def filling(node: str, of_tensor: bool) -> Any:
    """`index_fill` with a number, or with a 0-dim tensor."""
    facts: dict[str, Any] = {"self": lambda grad, dim, index: index_cleared(grad, dim, index)}
    if of_tensor:
        facts["value"] = lambda grad, dim, index: index_select(grad, dim, distinct(index))
    return written(
        inplace=False,
        expanded=errors.expanded_write("index_fill_", "tensor[mask] = scalar"),
        method=False,
        name="index_fill",
        node=node,
        operands=("self", "value"),
        saves=("index",),
        check=errors.check_index_fill,
        **facts,
    )(fill_kernel)


fill_number, fill_tensor = (
    filling("IndexFillBackward0", False),
    filling("IndexFillBackward1", True),
)


@op(kind="same", layout="contiguous", method=False, operands=("self",))
def distinct(self: Any) -> Any:
    """Indices without repetition: a place filled twice is filled once."""
    return np.unique(self)


def index_cleared(grad: Any, dim: int, index: Any) -> Any:
    """A copy of a gradient with zeros at the places `index`."""
    return fill_number(grad, dim, index, 0)


def fill_value(input: Any, dim: Any, index: Any, value: Any, name: str) -> Any:
    """The value to fill with: a 0-dim tensor, or a scalar of the tensor's dtype."""
    if not isinstance(index, Tensor) or not isinstance(value, (Tensor, *kinds.NUMBERS)):
        raise TypeError(errors.index_fill_arguments(name, dim, index, value))
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(errors.index_fill_value(value._array.ndim))
        if value.device.type == "cpu":
            fits(value._array.item(), input._dtype)
        return value
    return fits(value, input._dtype)


@composite()
def index_fill(self: Any, dim: int, index: Any, value: Any) -> Any:
    """A copy of `self` with `value` at the places `index` of dimension `dim`.

    >>> torch.zeros(3).index_fill(0, torch.tensor([0, 2]), 7)
    tensor([7., 0., 7.])
    """
    value = fill_value(self, dim, index, value, "index_fill")
    return (fill_tensor if isinstance(value, Tensor) else fill_number)(self, dim, index, value)


@composite()
def index_fill_(self: Any, dim: int, index: Any, value: Any) -> Any:
    """Write `value` at the places `index` of dimension `dim`; gives the tensor itself."""
    value = fill_value(self, dim, index, value, "index_fill_")
    fill = fill_tensor if isinstance(value, Tensor) else fill_number
    return fill.write(self, dim, index, value)


# ---- writing to places of the flattened tensor ---------------------------------------------------


@written(
    operands=("self",),
    saves=("index",),
    check=errors.check_put,
    self=lambda grad, index, accumulate: grad if accumulate else put_cleared(grad, index),
    source=lambda grad, index, source_shape: reshaped(take(grad, index), source_shape),
)
def put(self: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    """A copy of `self` with `source` at `index`, counted as if `self` had one dimension.

    >>> torch.zeros(2, 2).put(torch.tensor([0, 3]), torch.tensor([1., 2.]))
    tensor([[1., 0.],
            [0., 2.]])
    """
    errors.check_flat(index, self.size)
    if not index.size:
        return
    flat, values = np.ravel(self).copy(), np.ravel(source)
    if accumulate:
        add_at(flat, np.ravel(index), values)
    else:
        flat[np.ravel(index)] = values
    self[...] = flat.reshape(self.shape)


@op(
    kind="same",
    layout="contiguous",
    method=False,
    name="_put_cleared",
    node="PutBackward0",
    operands=("self",),
    saves=("index",),
    self=lambda grad, index: put_cleared(grad, index),
)
def put_cleared(self: Any, index: Any) -> Any:
    """A copy of `self` with zeros at `index`."""
    flat = np.array(np.ravel(self))
    flat[np.ravel(index)] = 0
    return flat.reshape(self.shape)
