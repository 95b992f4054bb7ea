"""Square brackets: reading `x[…]` and writing `x[…] = value`.

Numbers, slices, None and `...` make views, one after the other: `x[0, 1:]` is a `select`, then a
`slice`.  Tensors, lists, arrays and masks among them are collected and looked up at the end,
which copies (`index_put.py`).
"""

import operator
import sys
from typing import Any

import numpy as np

from course_lib.calls.rules import refuse_index, refuse_type
from course_lib.calls.values import is_int, long
from course_lib.core.tensor import Tensor
from course_lib.core.views import viewing
from course_lib.core.writes import writable, write
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes, kinds
from course_lib.modes import modes
from course_lib.ops.make.fill import copy_, fill_, fits
from course_lib.ops.pick.index_put import MASK_CHARS, Indices, index, put_into
from course_lib.ops.pick.slices import select, slice_
from course_lib.ops.shape.expand import expand
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.ops.shape.transpose import alias
from course_lib.words import errors

LIMIT = sys.maxsize  # the end of a slice that has none
NUMBERS_AND_SLICES = {int, slice}

# ---- one item between the brackets ---------------------------------------------------------------


def select_at(self: Tensor, dim: int, place: int, position: int) -> Tensor:
    """The view `x[place]` in dimension `dim`; `position` is the item's, for the message."""
    shape = self._array.shape
    refuse_index(not shape and not place, errors.SCALAR_INDEX)
    size = shape[dim] if shape else 0
    if not -size <= place < size:
        long(place)
        raise IndexError(errors.index_range(place, position if shape else 0, size))
    return select(self, dim, place)


def slice_dim(self: Tensor, dim: int, item: slice, always: bool = False) -> Tensor:
    """The view `x[start:end:step]`; the tensor itself if that is the whole, unless `always`."""
    start, end = 0 if item.start is None else item.start, LIMIT if item.stop is None else item.stop
    step = 1
    if item.step is not None or not start.__class__ is end.__class__ is int:
        item.indices(0)  # Python's TypeError for anything but integers
        step = 1 if item.step is None else operator.index(item.step)
        start, end, step = [max(min(int(n), LIMIT), -LIMIT) for n in (start, end, step)]
    if step < 1:
        raise ValueError(errors.SLICE_STEP)
    if not self._array.shape:
        raise IndexError(errors.of_scalar("slice"))
    if not always and start == 0 and step == 1 and end >= self._array.shape[dim]:
        return self
    return slice_(self, dim, start, end, step)


def as_items(given: Any) -> tuple:
    """The items between the brackets, as a tuple; some lists count as tuples."""
    if isinstance(given, tuple):
        return given
    if isinstance(given, (Tensor, np.ndarray)) or not is_sequence(given) or len(given) >= 32:
        return (given,)
    for item in given:
        if item is None or item is Ellipsis or isinstance(item, slice) or is_sequence(item):
            errors.warn(errors.LIST_AS_TUPLE)
            return tuple(given)
    return (given,)


def is_sequence(value: Any) -> bool:
    """Whether Python counts it as a sequence: it has `__getitem__`, and is no dictionary."""
    return hasattr(type(value), "__getitem__") and not isinstance(value, (dict, np.generic))


def as_tensor(value: Any) -> Tensor:
    """A list, range or array of indices as a tensor: masks stay masks, numbers become int64."""
    array = np.asarray(as_lists(value))
    if array.dtype.kind == "O":
        for one in array.flat:
            if isinstance(one, int):
                long(one)
        raise RuntimeError(errors.could_not_infer(array.flat[0]))
    if array.dtype.kind == "c":
        raise TypeError("'complex' object cannot be interpreted as an integer")
    array = np.array(array, None if array.dtype.char in MASK_CHARS else np.int64, order="C")
    return Tensor._make(array, dtypes.of_numpy(array.dtype))


def as_lists(value: Any) -> Any:
    """Nested sequences of numbers as lists; a tensor in them is the one number it contains."""
    refuse_type(isinstance(value, (str, bytes)), errors.invalid_data, value)
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, Tensor):
        if value._array.size != 1 or value._dtype.category >= dtypes.FLOATING:
            raise TypeError(errors.INDEX)
        return value._array.item()
    return [as_lists(v) if is_sequence(v) else v for v in value]


# ---- all items -----------------------------------------------------------------------------------


def dims_of(item: Any) -> int:
    """How many dimensions of the tensor an item indexes; a bool of NumPy counts as one."""
    if item is None or item is Ellipsis or item is True or item is False:
        return 0
    array = item._array if isinstance(item, Tensor) else item
    char = getattr(getattr(array, "dtype", None), "char", "l")
    return array.ndim if char in MASK_CHARS and item.__class__ is not np.bool_ else 1


def walk(self: Tensor, items: tuple) -> tuple[Tensor, list[Any]]:
    """The view that the basic items lead to, and the index tensors to look up in it."""
    ndim, given = self._array.ndim, sum(map(dims_of, items))
    refuse_index(given > ndim, errors.too_many_indices, ndim, "")
    window, dim = self, 0
    indices: list[Any] = []
    extra = 0  # a mask indexes several dimensions, and is one index

    def note(tensor: Tensor) -> None:
        indices.extend([None] * (dim - extra + 1 - len(indices)))
        indices[dim - extra] = tensor

    for position, item in enumerate(items):
        if not isinstance(item, Tensor) and is_sequence(item):
            item = as_tensor(item)
        if isinstance(item, Tensor) and not item._array.ndim:
            if item._dtype.category < dtypes.FLOATING:  # it stands for its number
                item = int(item._array) if dims_of(item) else bool(item._array)
        if item is None or item is True or item is False:
            window = unsqueeze(window, dim)
            if item is not None:
                note(as_tensor([0] * item))
            dim += 1
        elif isinstance(item, (int, np.integer)):
            window = select_at(window, dim, int(item), position)
        elif isinstance(item, slice):
            window = slice_dim(window, dim, item)
            dim += 1
        elif item is Ellipsis:
            dim += ndim - given
        elif isinstance(item, Tensor):
            note(item)
            dims = dims_of(item)
            dim, extra = dim + dims, extra + dims - 1
        else:
            raise IndexError(errors.invalid_index(errors.type_name_of(item)))
    return window, indices


def plain(items: tuple, ndim: int) -> bool:
    """Whether the items are numbers and slices, one for each of the first dimensions."""
    for item in items:
        if item.__class__ not in NUMBERS_AND_SLICES:
            return False
    return 0 < len(items) <= ndim


def view_at(self: Tensor, items: tuple) -> Tensor:
    """The view that numbers and slices lead to."""
    window, dim = self, 0
    for position, one in enumerate(items):
        if one.__class__ is slice:
            window = slice_dim(window, dim, one)
            dim += 1
        elif -window._array.shape[dim] <= one < window._array.shape[dim]:
            window = pick(window, dim, one)
        else:
            window = select_at(window, dim, one, position)
    return window


# ---- reading -------------------------------------------------------------------------------------

# The fast paths of `x[number]` and `x[start:end]`; `select_at` and `slice_dim` handle every case.
pick = viewing(select.op, lambda self, dim, place: select_at(self, dim, place, 0), True)
cut = viewing(
    slice_.op,
    lambda self, dim, start, end, step: slice_dim(self, dim, slice(start, end, step), always=True),
    True,
)


def getitem(self: Tensor, item: Any) -> Tensor:
    """What `x[item]` gives: a view for numbers, slices, None and `...`, else a copy."""
    found: Tensor
    if item.__class__ is int:
        found = pick(self, 0, item)
        return found
    if item.__class__ is slice:
        start, end = item.start, item.stop
        if item.step is None and start.__class__ is int and end.__class__ is int:
            found = cut(self, 0, start, end, 1)
            return found
        return slice_dim(self, 0, item, always=True)
    if item.__class__ is tuple and plain(item, self._array.ndim):
        window, indices = view_at(self, item), []
    elif item.__class__ is Tensor and item._dtype is dtypes.int64 and self.ndim and item.ndim:
        window, indices = self, [item]
    else:
        window, indices = walk(self, as_items(item))
    if indices:
        found = index(window, Indices(indices))
        return found
    return alias(window) if window is self else window


# ---- writing -------------------------------------------------------------------------------------


def setitem(self: Tensor, item: Any, value: Any) -> None:
    """`x[item] = value`: the value is broadcast to the place and cast to the dtype of x."""
    if value.__class__ in (float, int) and put_number(self, item, value):
        return
    if not isinstance(value, Tensor):
        value = as_value(value, self)
    if item is False:
        return
    if item is True or item is None:
        put(unsqueeze(self, 0), value)
    elif item is Ellipsis:
        put(self, value)
    elif isinstance(item, (int, np.integer)):
        put(pick(self, 0, int(item)), value)
    elif item.__class__ is slice:
        put(slice_dim(self, 0, item), value)
    elif item.__class__ is tuple and plain(item, self._array.ndim):
        put(view_at(self, item), value)
    else:
        window, indices = walk(self, as_items(item))
        if indices:
            put_into(window, Indices(indices), without_leading_ones(value))
        else:
            put(window, value)


def put_number(self: Tensor, place: Any, number: float) -> bool:
    """Write a number where it needs no view and no node; whether it was written."""
    now, places = modes.now, place if place.__class__ is tuple else (place,)
    if not writable(self, now) or (now.grad and self._node is not None):
        return False
    stepped = any([one.__class__ is slice and one.step is not None for one in places])
    if stepped or not plain(places, self._array.ndim) or not -9e18 < number < 9e18:
        return False
    try:
        write(self, lambda memory: memory.__setitem__(place, number))
    except (IndexError, TypeError):
        return False
    return True


def as_value(value: Any, self: Tensor) -> Tensor:
    """A number to write as a tensor in the dtype of `self`."""
    if is_int(value):
        value = long(value)
    if isinstance(value, (bool, int, float, complex)):
        # PyTorch goes through float64 to half precision, where a number may become infinite.
        half = self._dtype.is_floating_point and self._dtype.itemsize == 2
        number = fits(value, dtypes.float64 if half else self._dtype)
        return Tensor._make(kinds.scalar(number, self._dtype.numpy), self._dtype)
    raise TypeError(errors.cannot_set_to(errors.type_name_of(value), self._dtype))


def put(window: Tensor, value: Tensor) -> None:
    """Write `value` over all of `window`."""
    shape = window._array.shape
    if value._array.shape != shape:
        if not value._array.shape:
            fill_(window, value)
            return
        value = without_leading_ones(value)
        if value._array.shape != shape:
            value = expand(value, shape)
    copy_(window, value)


def without_leading_ones(value: Tensor) -> Tensor:
    """`value` without the dimensions of size 1 in front, which broadcasting does not need."""
    shape = value._array.shape
    start = next((d for d, n in enumerate(shape) if n != 1), len(shape))
    return value.view(shape[start:]) if start else value


attach_as("__getitem__", getitem)
attach_as("__setitem__", setitem)
