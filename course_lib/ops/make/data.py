"""Nested Python data as an array; errors come in PyTorch's order, with PyTorch's messages.

The first elements decide the shape.  Tensors inside lists count as numbers, whatever their
shape, so ``[tensor([1]), tensor([2])]`` has shape (2,); NumPy arrays count as lists.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.words import errors
from course_lib.words.errors import kind_of

__all__: list[str] = []

PLAIN = {bool, int, float, complex}
MOST_DIMS = 128


def array_of(data: Any, wanted: DType | None) -> tuple[Any, DType]:
    """A new array (of one number: a NumPy scalar) of the numbers in `data`, and its dtype.

    That is `wanted`, or what the numbers call for.
    """
    if isinstance(data, (str, bytes)):
        raise TypeError(errors.invalid_data(data))
    flat = data if data.__class__ is list else [data]
    types = set(map(type, flat))
    if types <= PLAIN:  # the commonest cases: a list of numbers, or one number
        shape: tuple[int, ...] = (len(flat),) if flat is data else ()
    else:
        shape = shape_of(data)
        flat = flatten(data, shape)
        types = set(map(type, flat))
    if wanted is None:
        wanted = infer(flat, types)
    found = stored(flat, types, wanted) if flat else None
    if len(shape) < 2 and found.__class__ is np.ndarray and found.dtype == wanted.numpy:
        return found if shape else found[0], wanted
    array = layout.empty(shape, wanted.numpy)
    if flat:
        array.reshape(-1)[...] = found
    return array, wanted


def is_sequence(value: Any) -> bool:
    """Whether a value counts as a list: it has a length and items, and is no number or tensor."""
    if value.__class__ in PLAIN or isinstance(value, (Tensor, np.generic, dict)):
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def shape_of(data: Any) -> tuple[int, ...]:
    """The shape of nested sequences."""
    shape: list[int] = []
    while is_sequence(data) and not isinstance(data, type):
        length = len(data)
        shape.append(length)
        if len(shape) > MOST_DIMS or (len(shape) > 1 and isinstance(data, (str, bytes))):
            raise ValueError(errors.too_many_dimensions(data))
        if not length:
            break
        data = data[0]
    return tuple(shape)


def flatten(data: Any, shape: tuple[int, ...]) -> list[Any]:
    """The numbers in `data`, row by row; every list must be as long as the first of its level."""
    level, warned = [data], False
    for dim, length in enumerate(shape):
        arrays = sum(isinstance(one, np.ndarray) for one in level)
        if arrays and not warned:
            warned = True
            for _ in range(arrays):
                errors.warn_once(errors.ARRAYS_IN_LIST)
        below: list[Any] = []
        for sequence in level:
            if isinstance(sequence, np.ndarray) and sequence.ndim == 1:
                sequence = list(sequence)
            if not is_sequence(sequence):
                infer([sequence], {type(sequence)})
                raise TypeError("not a sequence")
            if len(sequence) != length:
                raise ValueError(errors.ragged(length, dim, len(sequence)))
            below.extend(sequence)
        level = below
    return level


def infer(flat: list[Any], types: set[type]) -> DType:
    """The dtype that holds all numbers; floats take the default dtype, integers int64."""
    if len(types) == 1 and types <= PLAIN:
        return dtypes.of_number(flat[0])
    if types <= PLAIN:
        values = [kind() for kind in types]
        found = [dtypes.of_number(v) for v in values]
    else:
        found = list(dict.fromkeys(infer_one(v) for v in flat))
    if not found:
        return dtypes.default_dtype()
    result = found[0]
    for other in found[1:]:
        result = dtypes.promote(result, other)
    return result


def infer_one(value: Any) -> DType:
    """The dtype of one element."""
    if isinstance(value, Tensor):
        return value._dtype
    if isinstance(value, (np.generic, np.ndarray)):
        return dtypes.of_numpy(value.dtype)
    if isinstance(value, (bool, int, float, complex)):
        return dtypes.of_number(value)
    if isinstance(value, (str, bytes)):
        raise TypeError(errors.invalid_data(value))
    if is_sequence(value):
        return infer(list(value), set(map(type, value)))
    raise RuntimeError(errors.could_not_infer(value))


# ---- storing -------------------------------------------------------------------------------------


def stored(flat: list[Any], types: set[type], wanted: DType) -> Any:
    """The numbers in a dtype; RuntimeError with PyTorch's message if one does not fit."""
    category = wanted.category
    if not types <= PLAIN:
        if category <= dtypes.INTEGER:
            check_indices(flat)
        flat = [plain(v) for v in flat]
        types = set(map(type, flat))
    if category == dtypes.BOOL:
        return [truth(v) for v in flat]
    if category == dtypes.INTEGER:
        return integers(flat, types, wanted)
    if category == dtypes.COMPLEX:
        if not types <= PLAIN:
            flat = [v if isinstance(v, complex) else real(v) for v in flat]
        return np.array(flat, np.complex128).astype(wanted.numpy)
    if not types <= {bool, int, float}:
        flat = [real(v) for v in flat]
    return modes.now.quiet(rounded, np.array(flat, np.float64), wanted)


def rounded(values: Any, wanted: DType) -> Any:
    """float64 numbers in another floating dtype; those of 16 bits by way of float32, as in C++."""
    return (values.astype(np.float32) if wanted.reduced else values).astype(wanted.numpy)


def check_indices(flat: list[Any]) -> None:
    """Raise unless the tensors among the values hold one integer each, as C's conversion needs."""
    for value in flat:
        if isinstance(value, Tensor):
            if value._dtype.category > dtypes.INTEGER or value._array.size != 1:
                raise TypeError(errors.INDEX)


def plain(value: Any) -> Any:
    """A tensor or NumPy scalar as the Python number it stands for."""
    if isinstance(value, Tensor):
        if value.requires_grad:
            errors.warn_once(errors.SCALAR_OF_TRACKED)
        if value._array.size != 1:
            raise ValueError(errors.ONE_ELEMENT)
        return value.item()
    return kinds.number(value)


def real(value: Any) -> float:
    """`value` as a Python float; TypeError with the message of C's own conversion."""
    if isinstance(value, (bool, int, float)):
        return float(value)
    if hasattr(value, "__float__") or hasattr(value, "__index__"):
        return float(value)
    raise TypeError(f"must be real number, not {kind_of(value)}")


def truth(value: Any) -> bool:
    """Whether a number is not zero."""
    if not isinstance(value, (bool, int, float, complex)):
        value = whole(value)
    return bool(value)


def whole(value: Any) -> int:
    """`value` as a Python integer; TypeError with the message of C's own conversion."""
    if hasattr(value, "__index__"):
        return int(value.__index__())
    raise TypeError(f"'{kind_of(value)}' object cannot be interpreted as an integer")


def integers(flat: list[Any], types: set[type], wanted: DType) -> Any:
    """The numbers as integers that fit the dtype; floats are truncated."""
    if not types <= {bool, int}:
        flat = [cut(v, wanted) if isinstance(v, float) else whole(v) for v in flat]
    low, high = limits(wanted)
    if float in types and low == -high and any(v < 0 for v in flat):
        low = 0
    smallest, largest = min(flat), max(flat)
    bottom, top = (0, 2**64 - 1) if wanted.name == "uint64" else (-(2**63), 2**63 - 1)
    if not bottom <= smallest <= largest <= top and not -(2**63) <= smallest <= largest <= top:
        raise ValueError(errors.LONG_OVERFLOW)
    if not low <= smallest <= largest <= high:
        raise RuntimeError(errors.value_overflow(wanted))
    if smallest < 0 and not wanted.is_signed:  # -1 becomes 255, as in C
        flat = [v & high for v in flat]
    return np.array(flat, wanted.numpy)


@functools.cache
def limits(wanted: DType) -> tuple[int, int]:
    """The smallest and largest number an integer dtype accepts; unsigned ones accept negatives."""
    info = np.iinfo(wanted.numpy)
    low, high = int(info.min), int(info.max)
    return (low, high) if low else (-high, high)


def cut(value: float, wanted: DType) -> int:
    """A float truncated to an integer."""
    if not -(2.0**63) <= value < 2.0**63:
        raise RuntimeError(errors.value_overflow(wanted))
    return int(value)
