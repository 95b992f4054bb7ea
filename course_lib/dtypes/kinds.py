"""Kinds of operations: the dtype that a kernel computes in, given its operands."""

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import FLOATING, dtype, of_number
from course_lib.words import errors

NUMBERS = (bool, int, float, complex, np.number, np.bool_)


def promote_all(operands: list[Any]) -> dtype:
    """The promoted dtype of tensors and Python numbers: see the three groups in `dtypes.py`."""
    shared: dtype | None = getattr(operands[0], "_dtype", None) if operands else None
    if shared is not None:  # a whole number changes no dtype but bool
        of = {int: shared} if shared.category else {}
        if all([getattr(v, "_dtype", of.get(v.__class__)) is shared for v in operands]):
            return shared
    groups: list[dtype | None] = [None, None, None]
    for value in operands:
        if isinstance(value, NUMBERS):
            rank, found = 2, of_number(number(value))
        else:
            rank, found = (0 if value._array.shape else 1), value._dtype
        groups[rank] = found if groups[rank] is None else dtypes.promote(groups[rank], found)
    found = dtypes.combine_groups(groups[0], dtypes.combine_groups(groups[1], groups[2]))
    assert found is not None
    return found


def number(value: Any) -> Any:
    """A NumPy scalar as the Python number it stands for; OverflowError if that is too large."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        wrong = "int too big to convert" if value > 0 else "can't convert negative int to unsigned"
        raise OverflowError(wrong)
    return value


def scalar(value: Any, numpy_dtype: np.dtype) -> Any:
    """A Python number as a NumPy scalar; integers wrap around as in C."""
    if value.__class__ in (float, int) and numpy_dtype.kind == "f" and -60000 < value < 60000:
        return numpy_dtype.type(value)  # every floating type can hold it
    if value.__class__ is int and numpy_dtype.kind in "iu" and 0 <= value < 128:
        return numpy_dtype.type(value)
    value = number(value)
    if numpy_dtype.kind in "iu" and isinstance(value, int):
        bits = 8 * numpy_dtype.itemsize
        value &= (1 << bits) - 1
        if numpy_dtype.kind == "i" and value >> (bits - 1):
            value -= 1 << bits
        return numpy_dtype.type(value)
    if isinstance(value, complex) and numpy_dtype.kind != "c":
        value = bool(value) if numpy_dtype.kind == "b" else value.real
    with np.errstate(all="ignore"):
        return numpy_dtype.type(value)


def round_to(values: np.ndarray, numpy_dtype: np.dtype) -> np.ndarray:
    """`values` in another dtype; for 16-bit floats and integers, by way of another, as in C++."""
    if values.dtype == numpy_dtype:
        return values
    with np.errstate(over="ignore", invalid="ignore"):  # above the largest number, silently inf
        if numpy_dtype.itemsize == 2 and numpy_dtype.kind in "fV":
            values = values.astype(np.float32)
        elif numpy_dtype.kind in "iu":
            values = values.astype(np.int64)
        return values.astype(numpy_dtype)


def cast(value: Any, numpy_dtype: np.dtype) -> Any:
    """`value` in another dtype, as C casts (no check, no warning); a number becomes a scalar."""
    if getattr(value, "dtype", None) is numpy_dtype:
        return value
    if isinstance(value, np.ndarray) or hasattr(value, "restride"):
        return value.astype(numpy_dtype)
    return scalar(value, numpy_dtype)


def as_indices(array: np.ndarray) -> np.ndarray:
    """Positions that NumPy found, as int64: where addresses have 32 bits, so have NumPy's.

    >>> as_indices(np.array([2], np.int32)).dtype
    dtype('int64')
    """
    return array.astype(np.int64, copy=False)


def shrink(result: Any, numpy_dtype: np.dtype) -> Any:
    """A result computed in float32, rounded to a reduced dtype; indices and masks unchanged."""
    if isinstance(result, (tuple, list)):
        return tuple(shrink(r, numpy_dtype) for r in result)
    return cast(result, numpy_dtype) if result.dtype.name == "float32" else result


TAKE_NUMBERS = ("add", "sub", "mul", "div", "floor_divide")  # even if no operand is a tensor


def _float(operands: list[Any], values: dict, op: Any) -> dtype:
    found = promote_all(operands)
    return found if found.category >= FLOATING else dtypes.default_dtype()


def _sum(operands: list[Any], values: dict, op: Any) -> dtype:
    if values.get("dtype") is not None:
        return values["dtype"]
    found = promote_all(operands)
    return found if found.category >= FLOATING else dtypes.int64


def _mean(operands: list[Any], values: dict, op: Any) -> dtype:
    found = values.get("dtype") or promote_all(operands)
    if found.category < FLOATING:
        what = "Input dtype" if values.get("dtype") is None else "Optional dtype"
        raise RuntimeError(errors.mean_of_integers(what, found))
    return found


def _spread(operands: list[Any], values: dict, op: Any) -> dtype:
    found = promote_all(operands)
    if found.category < FLOATING:
        raise RuntimeError(errors.SPREAD_OF_INTEGERS)
    return found


KINDS: dict[str, Callable[[list[Any], dict, Any], dtype | None]] = {
    # the common dtype; those that compare give bool
    "promote": lambda operands, values, op: promote_all(operands),
    "compare": lambda operands, values, op: promote_all(operands),
    "float": _float,  # the same, but integers become the default floating dtype
    # the dtype of the first operand, whatever that of the others is
    "first": lambda operands, values, op: operands[0]._dtype,
    # the common dtype of all arguments, including numbers
    "all": lambda operands, values, op: promote_all([v for v in values.values() if v is not None]),
    "same": lambda operands, values, op: None,  # no conversion; the kernel deals with dtypes
    "sum": _sum,  # integers add up in int64
    "mean": _mean,  # integers are refused
    "spread": _spread,  # variance and standard deviation: integers are refused
}
