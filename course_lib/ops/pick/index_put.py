"""Advanced indexing: reading and writing at places that integer tensors or masks name.

Note [Advanced indexing]: `x[i, :, j]` takes, for each position of the broadcast index tensors, the
part of x that they name there.  If all indices are adjacent, their dimensions take the place of
the first one; otherwise they come first.  A mask stands for the places where it is true, one index
tensor per dimension of the mask.  The result is a copy.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray, of_result, swap
from course_lib.modes import modes
from course_lib.ops.make.fill import fits, write_into, written
from course_lib.words import errors

__all__ = ["index_put", "index_put_"]

# ---- what stands between the brackets ------------------------------------------------------------


class Indices(tuple):
    """One index tensor (or None: everything) per dimension, with their current versions.

    A node saves them; if one of them was written to since, using them raises PyTorch's error.
    """

    versions: list[int]

    def __new__(cls, tensors: Iterable[Any]) -> Indices:
        made = super().__new__(cls, tensors)
        made.versions = [version(t) for t in made]
        return made

    def arrays(self) -> list[Any]:
        """The arrays of the tensors."""
        for tensor, seen in zip(self, self.versions, strict=True):
            if tensor is not None and version(tensor) != seen:
                legacy, shape = tensor._dtype.legacy, tensor._array.shape
                raise RuntimeError(
                    errors.stale_value(legacy, shape, None, 0, version(tensor), seen, modes.anomaly)
                )
        return [None if t is None else t._array for t in self]

    def check(self) -> None:
        """Raise IndexError unless all are integers or masks."""
        for tensor in self:
            if tensor is not None and tensor._dtype.name not in INDEX_TYPES:
                raise IndexError(errors.INDEX_DTYPE)

    def masks(self) -> list[Tensor]:
        """The index tensors that are masks."""
        return [t for t in self if t is not None and t._dtype.name in MASK_TYPES]

    def one_mask(self) -> bool:
        """Whether there is one mask and nothing else."""
        given = [t for t in self if t is not None]
        return len(given) == 1 and given[0]._dtype.name in MASK_TYPES


INDEX_TYPES = ("int64", "int32", "uint8", "bool")
MASK_TYPES, MASK_CHARS = ("uint8", "bool"), "B?"


def version(tensor: Any) -> int:
    """The version of an index tensor: how often it was written to."""
    return 0 if tensor is None or tensor._cell is None else tensor._cell.value


def key(indices: Indices, shape: tuple) -> tuple:
    """The indices in NumPy's form: checked, masks replaced by the places they name."""
    found: list[Any] = []
    arrays = indices.arrays()
    if 0 not in shape and alike(arrays) and len(arrays) <= len(shape):
        return tuple(arrays)
    for array in arrays:
        if array is None or array.dtype.char not in MASK_CHARS:
            found.append(array)
            continue
        if array.dtype.char == "B":
            errors.warn(errors.BYTE_INDEX)
        for dim, size in enumerate(array.shape):
            at = len(found) + dim
            if at < len(shape) and size != shape[at]:
                raise IndexError(errors.mask_shape(array.shape, dim, shape, at))
        found.extend(np.nonzero(array) if array.ndim else ())
    if len(found) > len(shape):
        raise IndexError(errors.too_many_indices(len(shape), len(found)))
    given = [a for a in found if a is not None]
    if len(given) > 1:
        try:
            np.broadcast_shapes(*(a.shape for a in given))
        except ValueError:
            raise IndexError(errors.index_shapes([a.shape for a in given])) from None
    if all(a.size for a in given):
        if any(a is not None and not n for a, n in zip(found, shape, strict=False)):
            raise IndexError(errors.INDEX_OF_EMPTY)
    return tuple(slice(None) if a is None else a for a in found)


def alike(arrays: list[Any]) -> bool:
    """Whether all of them are arrays of whole numbers, of one shape."""
    for array in arrays:
        if array is None or array.dtype.char in MASK_CHARS or array.shape != arrays[0].shape:
            return False
    return bool(arrays)


def check_ranges(place: tuple, shape: tuple) -> None:
    """Raise IndexError if an index is out of range; the message counts index tensors, not dims."""
    dims = [d for d, k in enumerate(place) if isinstance(k, (np.ndarray, np.generic))]
    if 0 in np.broadcast_shapes(*(place[d].shape for d in dims)):
        return
    if 0 in shape:
        return
    for number, dim in enumerate(dims):
        array, size = place[dim], shape[dim]
        wrong = (array < -size) | (array >= size)
        if np.any(wrong):
            first = np.atleast_1d(array)[np.atleast_1d(wrong)][0]
            raise IndexError(errors.index_range(int(first), number, size))


def read(array: Any, place: tuple) -> Any:
    """The elements at `place`; unlike NumPy, PyTorch allows any index if nothing is read."""
    try:
        return array[place]
    except IndexError:
        shape = result_shape(array.shape, place)
        if 0 not in shape:
            check_ranges(place, array.shape)
        return np.empty(shape, array.dtype)


def result_shape(shape: tuple, place: tuple) -> tuple:
    """The shape of the elements at `place`; see Note [Advanced indexing]."""
    positions, at = spot(place)
    kept = [n for n, k in zip(shape, place, strict=False) if isinstance(k, slice)]
    return (*kept[:at], *positions, *kept[at:], *shape[len(place) :])


def spot(place: tuple) -> tuple[tuple, int]:
    """The broadcast shape of the index tensors, and the result's dimension where it begins."""
    dims = [d for d, k in enumerate(place) if not isinstance(k, slice)]
    shapes = [place[d].shape for d in dims]
    same = dims and shapes.count(shapes[0]) == len(dims)
    positions = shapes[0] if same else np.broadcast_shapes(*shapes)
    together = bool(dims) and dims[-1] - dims[0] + 1 == len(dims)
    return positions, dims[0] if together else 0


# ---- reading -------------------------------------------------------------------------------------


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, self_shape, indices: index_into(grad, self_shape, indices),
)
def index(self, indices):
    """A copy of the elements at the indices; see Note [Advanced indexing]."""
    place = key(indices, self.shape)
    if isinstance(self, MetaArray):
        if any(a is not None and a.dtype.name in MASK_TYPES for a in indices.arrays()):
            raise NotImplementedError(errors.NONZERO_META)
        return of_result(swap(self)[tuple(map(swap, place))])
    result = read(self, place)
    if all(isinstance(k, slice) for k in place):
        return layout.like(self, self)
    if result.ndim < 2:
        return layout.owned(result)
    return laid_out(result, self, place)


def laid_out(result: Any, array: Any, place: tuple) -> Any:
    """`result` with PyTorch's strides, which follow the order of the operands' strides."""
    if result.base is None and array.flags.c_contiguous and result.flags.c_contiguous:
        given = [one for one in place if not isinstance(one, slice)]
        if len(given) == 1 and given[0].flags.c_contiguous and 1 not in result.shape:
            return result  # all of them are row-major
    positions, at = spot(place)
    kept = [s for s, k in zip(array.strides, place, strict=False) if isinstance(k, slice)]
    kept += array.strides[len(place) :]
    operands = [[*kept[:at], *[0] * len(positions), *kept[at:]]]
    for one in place:
        if not isinstance(one, slice):
            operands.append(index_strides(np.broadcast_to(one, positions), at, result.shape))
    wanted = layout.dense_strides(result.shape, result.itemsize, operands)
    if result.base is None and result.flags.c_contiguous and result.strides == wanted:
        return result
    laid = layout.restride(np.empty(result.size, result.dtype), result.shape, wanted, 0)
    laid[...] = result
    return laid


def index_strides(one: Any, at: int, shape: tuple) -> list[int]:
    """The strides of an index tensor, aligned with the result, where it begins at `at`."""
    own = (*[1] * at, *one.shape, *[1] * (len(shape) - at - one.ndim))
    strides = layout.viewed(one.shape, one.strides, own, one.itemsize)
    if strides is None:
        strides = layout.contiguous_strides(own, one.itemsize)
    return [0 if n == 1 != m else s for s, n, m in zip(strides, own, shape, strict=True)]


@op(
    kind="same",
    layout="contiguous",
    method=False,
    name="_index_put_impl",
    node="IndexPutImplBackward0",
    operands=("self",),
    saves=("indices",),
    self=lambda grad, indices: index(grad, indices),
)
def index_into(self, shape, indices):
    """The adjoint of `index`: zeros of `shape`, the elements of `self` added at the indices."""
    whole = np.zeros(shape, self.dtype)
    add_at(whole, key(indices, whole.shape), self)
    return whole


def add_at(array: Any, place: Any, values: Any) -> None:
    """Add `values` at `place`, in place; an element that is named twice is added to twice."""
    if 0 in np.shape(values) or not array.size:
        return
    index = place[0] if place.__class__ is tuple and len(place) == 1 else place
    rows = index.__class__ is np.ndarray and index.ndim == 1 and array.ndim > 1
    if rows and array.flags.c_contiguous and np.shape(values) == index.shape + array.shape[1:]:
        add_elements(array.reshape(len(array), -1), index % len(array), np.asarray(values))
    else:
        np.add.at(array, place, values)


def add_elements(table: Any, places: Any, rows: Any) -> None:
    """Add each row to the row of `table`, which is row-major, at its place, in turn.

    Element by element: for whole rows, `np.add.at` takes four times as long.
    """
    if table.__class__ is np.ndarray:
        spots = places[:, None] * table.shape[1] + np.arange(table.shape[1])
        np.add.at(table.reshape(-1), spots.reshape(-1), rows.reshape(-1))


# ---- writing -------------------------------------------------------------------------------------


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, indices: index_cleared(grad, indices),
)
def index_cleared(self, indices):
    """A copy of `self` with zeros at the indices."""
    copy = layout.like(self, self)
    place = key(indices, self.shape)
    if 0 not in result_shape(self.shape, place):
        copy[place] = 0
    return copy


def put_kernel(self: Any, indices: Any, values: Any, accumulate: bool = False) -> None:
    if len(indices) == 1 and not values.shape and not accumulate and values.dtype == self.dtype:
        [mask] = indices.arrays()
        if mask.dtype.char == "?" and mask.shape == self.shape:
            np.copyto(self, values, where=mask)
            return
    place = key(indices, self.shape)
    wanted = result_shape(self.shape, place)
    if not layout.expandable(values.shape, wanted):
        raise RuntimeError(errors.index_value_shape(values.shape, wanted))
    if values.dtype != self.dtype and (accumulate or values.size != 1 or not indices.one_mask()):
        one, two = dtypes.of_numpy(self.dtype), dtypes.of_numpy(values.dtype)
        raise RuntimeError(errors.index_put_dtypes(one, two))
    if 0 in wanted:
        return
    if accumulate:
        check_ranges(place, self.shape)
        add_at(self, place, values)
        return
    try:
        self[place] = values
    except IndexError:  # before anything is written
        check_ranges(place, self.shape)
        raise


putting = written(
    inplace=False,
    expanded=errors.expanded_write("index_put_", "tensor[indices] = tensor"),
    method=False,
    name="_index_put",
    node="IndexPutBackward0",
    operands=("self", "values"),
    saves=("indices",),
    self=lambda grad, indices, accumulate: grad if accumulate else index_cleared(grad, indices),
    values=lambda grad, indices: index(grad, indices),
)(put_kernel)


def put_into(self: Tensor, indices: Indices, values: Tensor, accumulate: bool = False) -> Tensor:
    """Write `values` at the indices: the last step of `x[indices] = values`."""
    if not masked(self, indices, values, accumulate):
        return putting.write(self, indices, values, accumulate)
    if layout.overlaps_itself(self._array):
        errors.warn(errors.expanded_write("index_put_", "tensor[indices] = tensor"))
        errors.warn(errors.expanded_write("masked_fill_", "tensor[mask] = scalar"))
    values_of = {"self": self, "indices": indices, "values": values, "accumulate": False}
    return write_into(putting.op, put_kernel, values_of, None)


def masked(self: Tensor, indices: Indices, values: Tensor, accumulate: bool) -> bool:
    """Whether one value is written through one mask, which `masked_fill_` does by other rules."""
    indices.check()
    if accumulate or values._array.size != 1 or not indices.one_mask():
        return False
    if indices.masks()[0]._dtype.name == "uint8":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            key(indices, self._array.shape)  # the shape of the mask comes first
        raise RuntimeError(errors.mask_dtype("masked_fill_", dtypes.uint8))
    fits(values._array.item(), self._dtype)
    return True


def as_indices(name: str, indices: Any) -> Indices:
    """The argument `indices`: a tuple or list of tensors."""
    if not isinstance(indices, (tuple, list)):
        raise TypeError(errors.tuple_of_tensors(name, "indices", 1, indices))
    for number, value in enumerate(indices):
        if not isinstance(value, Tensor):
            raise TypeError(errors.not_a_tensor_element(number, 0, value))
    return Indices(indices)


def index_put(input: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """A copy of `input` with `values` at the places that `indices` (a tuple of tensors) name.

    With `accumulate` they are added to what is there; a place named twice is added to twice.

    >>> torch.zeros(3).index_put((torch.tensor([0, 2]),), torch.tensor([5., 6.]))
    tensor([5., 0., 6.])
    """
    given = as_indices("index_put", indices)
    if not isinstance(values, Tensor):
        raise TypeError(errors.values_must_be_tensor("index_put", values))
    masked(input, given, values, accumulate)
    return putting(input, given, values, accumulate)


def index_put_(input: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """`index_put` in place; returns the tensor itself."""
    given = as_indices("index_put_", indices)
    if not isinstance(values, Tensor):
        raise TypeError(errors.values_must_be_tensor("index_put_", values))
    return put_into(input, given, values, accumulate)


attach_as("index_put", index_put)
attach_as("index_put_", index_put_)
