"""Advanced indexing: reading and writing at places that integer tensors or masks name.

Note [Advanced indexing]: `x[i, :, j]` takes, for each position of the broadcast index tensors, the
part of x that they name there.  If all indices are adjacent, their dimensions take the place of
the first one; otherwise they come first.  A mask stands for the places where it is true, one index
tensor per dimension of the mask.  The result is a copy.
"""

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from course_lib.calls.rules import lacking, refuse_index, refuse_type
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import method
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray, check_devices
from course_lib.modes import modes
from course_lib.ops.make.fill import declare_filling, fits, write_into
from course_lib.ops.pick.gather_scatter import check_places
from course_lib.ops.pick.slices import blank_of
from course_lib.words import errors

__all__ = ["index_put", "index_put_"]

# ---- what stands between the brackets ------------------------------------------------------------


class Indices(tuple):
    """One index tensor (or None: everything) per dimension, with their current versions.

    A node saves them; if one of them was written to since, using them raises PyTorch's error.
    """

    versions: list[int]

    def __new__(cls, tensors: Iterable[Any]) -> "Indices":
        made = super().__new__(cls, tensors)
        for tensor in made:
            if tensor is not None and tensor._dtype.name not in INDEX_TYPES:
                raise IndexError(errors.INDEX_DTYPE)
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

    def one_mask(self) -> Tensor | None:
        """The mask, if there is one and nothing else."""
        given = [t for t in self if t is not None]
        return given[0] if len(given) == 1 and given[0]._dtype.name in MASK_TYPES else None


INDEX_TYPES = ("int64", "int32", "uint8", "bool")
MASK_TYPES, MASK_CHARS = ("uint8", "bool"), "B?"


def version(tensor: Any) -> int:
    """The version of an index tensor: how often it was written to."""
    return 0 if tensor is None or tensor._cell is None else tensor._cell.value


def key(indices: Indices, shape: tuple) -> tuple:
    """The indices in NumPy's form: checked, masks replaced by the places they name."""
    found: list[Any] = []
    for array in indices.arrays():
        if array is None:
            found.append(slice(None))
        elif array.dtype.char not in MASK_CHARS:
            found.append(array)
        else:
            found.extend(find_marked(array, shape, len(found)))
    if len(found) > len(shape):
        raise IndexError(errors.too_many_indices(len(shape), f" (got {len(found)})"))
    shapes = [one.shape for one in found if one.__class__ is not slice]
    if len(set(shapes)) > 1:
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            shown = ", ".join(str(list(one)) for one in shapes)
            raise IndexError(errors.index_shapes(shown)) from None
    if 0 in shape and all(0 not in one for one in shapes):
        if any(k.__class__ is not slice and not n for k, n in zip(found, shape, strict=False)):
            raise IndexError(errors.INDEX_OF_EMPTY)
    return tuple(found)


def find_marked(mask: Any, shape: tuple, at: int) -> tuple:
    """The places that a mask marks in the dimensions of `shape` from `at` on."""
    if mask.dtype.char == "B":
        errors.warn(errors.BYTE_INDEX)
    for dim, (size, own) in enumerate(zip(mask.shape, shape[at:], strict=False)):
        refuse_index(size != own, errors.mask_shape, mask.shape, dim, shape, at + dim)
    lacking(isinstance(mask, MetaArray), errors.NONZERO_META)
    return np.nonzero(mask) if mask.ndim else ()


def check_ranges(place: tuple, shape: tuple) -> None:
    """Raise IndexError if an index is out of range; the message counts index tensors, not dims."""
    pairs = [(k, n) for k, n in zip(place, shape, strict=False) if k.__class__ is not slice]
    for number, (index, size) in enumerate(pairs):
        check_places(np.atleast_1d(index), number, size, -size, IndexError)


def read(array: Any, place: tuple) -> Any:
    """The elements at `place`; unlike NumPy, PyTorch allows any index if nothing is read."""
    try:
        return array[place]
    except IndexError:
        shape = result_shape(array.shape, place)
        if 0 not in shape:
            check_ranges(place, array.shape)
        return np.empty(shape, array.dtype)


def around(place: tuple, facts: Any, middle: Any) -> tuple:
    """Facts about the dimensions that stay, and those of the index tensors in their place.

    See Note [Advanced indexing].
    """
    dims = [dim for dim, one in enumerate(place) if one.__class__ is not slice]
    kept = [fact for dim, fact in enumerate(facts) if dim not in dims]
    at = dims[0] if dims and dims[-1] - dims[0] < len(dims) else 0
    return (*kept[:at], *middle, *kept[at:])


def result_shape(shape: tuple, place: tuple) -> tuple:
    """The shape of the elements at `place`."""
    shapes = {one.shape for one in place if one.__class__ is not slice}
    return around(place, shape, shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes))


# ---- reading -------------------------------------------------------------------------------------


@op(
    layout="kernel",
    method=False,
    saves=("indices",),
    self=lambda grad, self_shape, indices: index_into(grad, self_shape, indices),
)
def index(self, indices):
    """A copy of the elements at the indices; see Note [Advanced indexing]."""
    place = key(indices, self.shape)
    if isinstance(self, MetaArray):
        return self[place]
    result = read(self, place)
    return layout.own_array(result) if result.ndim < 2 else lay_out_result(result, self, place)


def lay_out_result(result: Any, array: Any, place: tuple) -> Any:
    """`result` with PyTorch's strides, which follow the order of the operands' strides."""
    given = [one for one in place if not isinstance(one, slice)]
    in_rows = result.base is None and result.flags.c_contiguous
    if in_rows and array.flags.c_contiguous and len(given) == 1 and 1 not in result.shape:
        return result
    wide = np.broadcast_shapes(*(one.shape for one in given))
    own = around(place, (1,) * array.ndim, wide)
    pairs = zip(layout.contiguous_strides(own, 1), own, result.shape, strict=True)
    index = [0 if n == 1 != m else step for step, n, m in pairs]
    operands = [around(place, array.strides, (0,) * len(wide)), index]
    wanted = layout.dense_strides(result.shape, result.itemsize, operands)
    if in_rows and result.strides == wanted:
        return result
    laid = layout.restride(np.empty(result.size, result.dtype), result.shape, wanted, 0)
    laid[...] = result
    return laid


@op(
    layout="contiguous",
    method=False,
    name="_index_put_impl",
    saves=("indices",),
    self=lambda grad, indices: index(grad, indices),
)
def index_into(self, shape, indices):
    """The adjoint of `index`: zeros of `shape`, the elements of `self` added at the indices."""
    whole = np.zeros_like(self, order="C", shape=shape)
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


def put_kernel(self: Any, indices: Any, values: Any, accumulate: bool = False) -> None:
    mask = indices.one_mask()
    if mask is not None and not values.shape and not accumulate and values.dtype == self.dtype:
        array = indices.arrays()[0]
        if array is not None and array.dtype.char == "?" and array.shape == self.shape:
            np.copyto(self, values, where=array)
            return
    place = key(indices, self.shape)
    wanted = result_shape(self.shape, place)
    if not layout.expandable(values.shape, wanted):
        raise RuntimeError(errors.index_value_shape(values.shape, wanted))
    if values.dtype != self.dtype and (accumulate or values.size != 1 or mask is None):
        one, two = dtypes.of_numpy(self.dtype), dtypes.of_numpy(values.dtype)
        raise RuntimeError(errors.index_put_dtypes(one, two))
    if 0 in wanted:
        return
    if accumulate:
        check_ranges(place, self.shape)
        add_at(self, place, values)
        return
    if self.__class__ is not values.__class__:
        check_devices((self, values))
    try:
        self[place] = values
    except IndexError:  # before anything is written
        check_ranges(place, self.shape)
        raise


EXPANDED = errors.expanded_write("index_put_", "tensor[indices] = tensor")
putting = declare_filling(
    inplace=False,
    expanded=EXPANDED,
    method=False,
    name="_index_put",
    saves=("indices",),
    self=lambda grad, indices, accumulate: (
        grad if accumulate else putting(grad, indices, blank_of(grad, ()))
    ),
    values=lambda grad, indices: index(grad, indices),
)(put_kernel)


def put_into(self: Tensor, indices: Indices, values: Tensor, accumulate: bool = False) -> Tensor:
    """Write `values` at the indices: the last step of `x[indices] = values`."""
    if not masked(self, indices, values, accumulate):
        return putting.write(self, indices, values, accumulate)
    if layout.overlaps_itself(self._array):
        errors.warn(EXPANDED)
        errors.warn(errors.expanded_write("masked_fill_", "tensor[mask] = scalar"))
    values_of = {"self": self, "indices": indices, "values": values, "accumulate": False}
    return write_into(putting.op, put_kernel, values_of, None)


def masked(self: Tensor, indices: Indices, values: Tensor, accumulate: bool) -> bool:
    """Whether one value is written through one mask, which `masked_fill_` does by other rules."""
    mask = indices.one_mask()
    if accumulate or values._array.size != 1 or mask is None:
        return False
    if mask._dtype is dtypes.uint8:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            key(indices, self._array.shape)  # the shape of the mask comes first
        raise RuntimeError(errors.mask_dtype("masked_fill_", dtypes.uint8))
    fits(values._array.item(), self._dtype)
    return True


def of_tensors(indices: Any) -> Indices:
    """The indices of a call, of which none may be None."""
    for at, one in enumerate(indices):
        refuse_type(one is None, errors.element_no_tensor, at, 0, one)
    return Indices(indices)


@method
def index_put(input: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """A copy of `input` with `values` at the places that `indices` (a tuple of tensors) name.

    With `accumulate` they are added to what is there; a place named twice is added to twice.

    >>> torch.zeros(3).index_put((torch.tensor([0, 2]),), torch.tensor([5., 6.]))
    tensor([5., 0., 6.])
    """
    given = of_tensors(indices)
    masked(input, given, values, accumulate)
    return putting(input, given, values, accumulate)


@method
def index_put_(input: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """`index_put` in place; returns the tensor itself."""
    return put_into(input, of_tensors(indices), values, accumulate)
