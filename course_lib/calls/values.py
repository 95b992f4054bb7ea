"""Which values the types of PyTorch's signatures accept, and what such a value stands for.

The classes of tensors, generators and layouts are in files above this one, so they are known by
name.
"""

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from course_lib.dtypes import dtypes, kinds
from course_lib.memory import devices
from course_lib.words import errors


class Kind(NamedTuple):
    """A type of parameters: its name in messages and in stubs, and what it accepts."""

    word: str
    hint: str
    accepts: Callable[[Any], bool]
    convert: Callable[[Any], Any] | None = None  # None: a value stands for itself


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor."""
    return hasattr(type(value), "_requires_grad")


def stands_for_number(value: Any) -> bool:
    """Whether a value is a tensor that is accepted as a number."""
    return is_tensor(value) and not value.requires_grad and value.dim() == 0


def is_int(value: Any) -> bool:
    """Whether a value is an integer, and not a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_integer(value: Any) -> bool:
    """Whether a value is an integer, or a tensor that is accepted as one."""
    return is_int(value) or (stands_for_number(value) and value.dtype.category == dtypes.INTEGER)


def is_index(value: Any) -> bool:
    """Whether a value can be a size: an integer, or an object with `__index__`, but not a bool."""
    if is_int(value):
        return True
    if isinstance(value, (bool, np.bool_, type)) or not hasattr(value, "__index__"):
        return False
    try:
        value.__index__()
    except Exception:  # as in PyTorch: whatever the error, it is not an index
        return False
    return True


def is_real(value: Any) -> bool:
    """Whether a value is a real number, or a tensor that is accepted as a number."""
    return isinstance(value, (float, int, np.floating, np.integer)) or stands_for_number(value)


def is_number(value: Any) -> bool:
    """Whether a value is a Python or NumPy number."""
    return isinstance(value, (float, int, complex, np.number, np.bool_))


def is_dtype(value: Any) -> bool:
    """Whether a value is a dtype, or a Python type that means one."""
    return isinstance(value, dtypes.dtype) or any(value is kind for kind in dtypes.OF_PYTHON)


def is_device(value: Any) -> bool:
    """Whether a value is a device, or the name or number of one."""
    return isinstance(value, (str, bytes, devices.device)) or is_int(value)


def is_a(*kinds: type) -> Callable[[Any], bool]:
    """A test of a value's type."""
    return lambda value: isinstance(value, kinds)


def is_called(*kinds: str) -> Callable[[Any], bool]:
    """A test of the name of a value's type."""
    return lambda value: type(value).__name__ in kinds


def all_of(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test of the elements of a tuple or list."""
    return lambda value: isinstance(value, (tuple, list)) and all(map(test, value))


def is_size(value: Any) -> bool:
    """Whether a value is a tuple or list that begins with an integer or is empty."""
    return isinstance(value, (tuple, list)) and (not value or is_index(value[0]))


def long(value: Any) -> int:
    """An integer of 64 bits."""
    value = operator.index(value)
    if not -(2**63) <= value < 2**63:
        raise ValueError(errors.LONG_OVERFLOW)
    return value


def sizes(value: Any) -> tuple[int, ...] | int:
    """Plain integers as a tuple (others are a TypeError), or one integer."""
    if not isinstance(value, (tuple, list)):
        return long(value)
    if not all([one.__class__ is int and -(2**63) <= one < 2**63 for one in value]):
        raise TypeError(value)
    return tuple(value)


def number(value: Any) -> Any:
    """A number of Python's."""
    return kinds.number(value.item() if hasattr(value, "item") else value)


def dtype(value: Any) -> dtypes.dtype:
    """The dtype that a value is or means: ``float`` means float64 here."""
    return dtypes.OF_PYTHON.get(value, value)


SIZES = Kind("tuple of ints", "Sequence[_int]", is_size, sizes)
TENSORS = Kind("tuple of Tensors", "Sequence[Tensor]", is_a(tuple, list))
TEXT = Kind("str", "str", is_a(str))
NUMBERS = {"Number", "float", "int"}  # the words of the kinds that tensors may stand for
KINDS = {
    "Tensor": Kind("Tensor", "Tensor", is_tensor),
    "Scalar": Kind("Number", "_Number", lambda value: is_number(value) or is_real(value), number),
    "int64_t": Kind("int", "_int", is_integer, long),
    "SymInt": Kind("int", "_int", is_index, long),
    "double": Kind("float", "_float", is_real, float),
    "TensorList": TENSORS,
    "c10::List<::std::optional<Tensor>>": TENSORS,
    "IntArrayRef": SIZES,
    "SymIntArrayRef": SIZES,
    "ArrayRef<double>": Kind("tuple of floats", "Sequence[_float]", all_of(is_real)),
    "ScalarList": Kind("tuple of Scalars", "Sequence[_Number]", all_of(is_number)),
    "Generator": Kind("torch.Generator", "_Generator", is_called("Generator")),
    "bool": Kind("bool", "_bool", is_a(bool)),
    "Storage": Kind("torch.Storage", "Any", is_called("UntypedStorage", "TypedStorage")),
    "PyObject*": Kind("object", "Any", lambda value: True),
    "ScalarType": Kind("torch.dtype", "_DType", is_dtype, dtype),
    "Layout": Kind("torch.layout", "_Layout", is_called("layout")),
    "MemoryFormat": Kind("torch.memory_format", "_MemoryFormat", is_called("memory_format")),
    "Device": Kind("torch.device", "_Device | str | _int", is_device, devices.device),
    "Stream": Kind("torch.Stream", "Any", is_called("Stream")),
    "c10::string_view": TEXT,
    "std::string_view": TEXT,
}
