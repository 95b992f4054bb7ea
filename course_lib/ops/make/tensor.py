"""Making tensors from data: a copy of it, or the same memory where that is possible.

In nested lists the first elements decide the shape.  Tensors inside lists count as numbers,
whatever their shape, so ``[tensor([1]), tensor([2])]`` has shape (2,); NumPy arrays count as lists.
Errors come in PyTorch's order.
"""

import functools
import math
import operator
from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.calls.rules import refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, layout
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.ops.bridge.export import only_number
from course_lib.ops.make.convert import move, to_copy
from course_lib.ops.make.creation import finish, track
from course_lib.ops.make.fill import in_range
from course_lib.words import errors

__all__ = ["as_tensor", "asarray", "from_numpy", "tensor"]

PLAIN = {bool, int, float, complex}
MOST_DIMS = 128
Arrays = (np.ndarray, np.generic)


@accepts()
def tensor(
    data: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """A new tensor holding a copy of `data`: numbers, nested lists, an array or a tensor.

    Integers give int64, floats the default dtype, unless `dtype` says otherwise.

    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    refuse(pin_memory, errors.PIN_MEMORY)
    if isinstance(data, Tensor):
        errors.warn(errors.copy_construct("torch.tensor"))
    return track(copy_data(data, dtype, device), requires_grad)


def copy_data(data: Any, dtype: DType | None, device: Any) -> Tensor:
    """A new tensor with the values of `data`."""
    if isinstance(data, Tensor):
        dtype = dtype or data._dtype
        where = data.device if device is None else devices.usable(device)
        return finish(modes.now.quiet(to_copy.op.kernel, data._array, dtype, where), dtype)
    where = devices.usable(device)
    if isinstance(data, Arrays):
        array = np.asarray(data)
        return move(finish(layout.like(array, array), numpy_dtype(array)), dtype, where)
    array, dtype = array_of(data, dtype)
    return finish(MetaArray(array.shape, array.dtype) if where is devices.META else array, dtype)


@accepts()
def as_tensor(data: Any, *, dtype: DType | None = None, device: Any = None) -> Tensor:
    """`data` as a tensor, without a copy where that is possible.

    If dtype and device already fit, a tensor is returned itself and an array shares its memory.

    >>> x = torch.tensor([1, 2])
    >>> torch.as_tensor(x) is x
    True
    """
    if isinstance(data, Arrays):
        return move(over(np.asarray(data)), dtype, devices.usable(device))
    return move(data, dtype, device) if isinstance(data, Tensor) else copy_data(data, dtype, device)


def from_numpy(*args: np.ndarray, **kwargs: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array: a write to one changes the other.

    >>> a = np.array([1, 2]); t = torch.from_numpy(a); a[0] = 9; t
    tensor([9, 2])
    """
    if kwargs or len(args) != 1:
        raise TypeError(errors.NO_KEYWORDS if kwargs else errors.one_argument(len(args)))
    refuse_type(not isinstance(args[0], np.ndarray), errors.expected_array, args[0])
    return over(args[0])


def over(array: np.ndarray) -> Tensor:
    """A tensor over the memory of a NumPy array."""
    found = numpy_dtype(array)
    if not array.flags.writeable:
        errors.warn_once(errors.NOT_WRITABLE)
    out = finish(layout.adopt(array), found)
    out._share()
    return out


def numpy_dtype(array: np.ndarray) -> DType:
    """The dtype of an array's elements; refuses arrays that no tensor can share."""
    refuse_value(any(s % array.itemsize for s in array.strides), errors.ODD_STRIDES)
    refuse_value(min(array.strides, default=0) < 0, errors.NEGATIVE_STRIDES)
    refuse_value(not array.dtype.isnative, errors.BYTE_ORDER)
    return dtypes.of_numpy(array.dtype)


@accepts()
def asarray(obj: Any, *, dtype: DType | None = None, device: Any = None) -> Tensor:
    """`obj` as a tensor, without a copy where that is possible: the same as `as_tensor`.

    >>> torch.asarray([1, 2.5])
    tensor([1.0000, 2.5000])
    """
    if isinstance(obj, Tensor) and obj.requires_grad:
        errors.warn_once(errors.ASARRAY_TRACKED)
    return as_tensor(obj, dtype=dtype, device=device)


# ---- nested lists --------------------------------------------------------------------------------


def array_of(data: Any, wanted: DType | None) -> tuple[Any, DType]:
    """A new array (of one number: a NumPy scalar) of the numbers in `data`, and its dtype.

    That is `wanted`, or what the numbers call for.
    """
    refuse_type(isinstance(data, (str, bytes)), errors.invalid_data, data)
    flat = data if data.__class__ is list else [data]
    shape: tuple[int, ...] = (len(flat),) if flat is data else ()
    types = set(map(type, flat))
    if not types <= PLAIN:  # not the commonest cases: a list of numbers, or one number
        shape = shape_of(data)
        flat = flatten(data, shape) if math.prod(shape) else []  # all of nothing fits
        types = set(map(type, flat))
    wanted = wanted or (infer(flat, types) if flat else infer_one(data))
    if not flat:
        return layout.empty(shape, wanted.numpy), wanted
    found = store_numbers(flat, types, wanted)
    if len(shape) < 2:
        return found if shape else found[0], wanted
    array = layout.empty(shape, wanted.numpy)
    array.reshape(-1)[...] = found
    return array, wanted


def is_sequence(value: Any) -> bool:
    """Whether a value counts as a list: it has a length and items, and is no number or tensor."""
    if value.__class__ in PLAIN or isinstance(value, (Tensor, np.generic, dict, type)):
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def shape_of(data: Any) -> tuple[int, ...]:
    """The shape of nested sequences."""
    shape: list[int] = []
    while is_sequence(data):
        shape.append(len(data))
        if len(shape) > MOST_DIMS or (len(shape) > 1 and isinstance(data, (str, bytes))):
            raise ValueError(errors.too_many_dimensions(data))
        if not shape[-1]:
            break
        data = data[0]
    return tuple(shape)


def flatten(data: Any, shape: tuple[int, ...]) -> list[Any]:
    """The numbers in `data`, row by row; every list must be as long as the first of its level."""
    level = [data]
    for dim, length in enumerate(shape):
        below: list[Any] = []
        for sequence in level:
            if isinstance(sequence, np.ndarray):
                errors.warn_once(errors.ARRAYS_IN_LIST)
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
    if types <= PLAIN:
        found = [dtypes.of_number(kind()) for kind in types]
    else:
        found = list(dict.fromkeys(map(infer_one, flat)))
    return functools.reduce(dtypes.promote, found) if found else dtypes.default_dtype()


def infer_one(value: Any) -> DType:
    """The dtype of one element."""
    if isinstance(value, Tensor):
        return value._dtype
    if isinstance(value, Arrays):
        return dtypes.of_numpy(value.dtype)
    if isinstance(value, (bool, int, float, complex)):
        return dtypes.of_number(value)
    refuse_type(isinstance(value, (str, bytes)), errors.invalid_data, value)
    if is_sequence(value):
        return infer(list(value), set(map(type, value)))
    raise RuntimeError(errors.could_not_infer(value))


def store_numbers(flat: list[Any], types: set[type], wanted: DType) -> Any:
    """The numbers in a dtype; the error is PyTorch's if one does not fit."""
    category = wanted.category
    if not types <= PLAIN:
        flat = [plain(v, category) for v in flat]
        types = set(map(type, flat))
    if category == dtypes.BOOL:
        return np.array([bool(v if type(v) in PLAIN else operator.index(v)) for v in flat])
    if category == dtypes.INTEGER:
        return integers(flat, types, wanted)
    if category == dtypes.COMPLEX:
        if not types <= PLAIN:
            flat = [v if isinstance(v, complex) else real(v) for v in flat]
        return np.array(flat, np.complex128).astype(wanted.numpy)
    if not types <= {bool, int, float}:
        flat = [real(v) for v in flat]
    numbers = np.array(flat, np.float64)
    if wanted.plain:
        return modes.now.quiet(numbers.astype, wanted.numpy)
    return kinds.round_to(numbers, wanted.numpy)


def plain(value: Any, category: int) -> Any:
    """A tensor or NumPy scalar as the Python number it stands for, in a dtype of a category."""
    if not isinstance(value, Tensor):
        return kinds.number(value)
    if category <= dtypes.INTEGER and (
        value._dtype.category > dtypes.INTEGER or value._array.size != 1
    ):
        raise TypeError(errors.INDEX)
    return only_number(value, warn=True)


def real(value: Any) -> float:
    """`value` as a Python float; TypeError with the message of C's own conversion."""
    return float(value) if hasattr(value, "__index__") else math.ldexp(value, 0)


def integers(flat: list[Any], types: set[type], wanted: DType) -> Any:
    """The numbers as integers that fit the dtype; floats are truncated, and -1 becomes 255."""
    if not types <= {bool, int}:
        flat = [v if isinstance(v, float) else operator.index(v) for v in flat]
    long = 2**64 if wanted.name == "uint64" else 2**63
    for value in flat if float in types else (min(flat), max(flat)):
        if not isinstance(value, float) and not -(2**63) <= value < long:
            raise ValueError(errors.LONG_OVERFLOW)
        refuse(not in_range(value, wanted), errors.python_overflow, wanted.name)
    if not wanted.is_signed:
        flat = [int(v) & (2 ** (8 * wanted.itemsize) - 1) for v in flat]
    return np.array(flat, wanted.numpy)
