"""Operands of different kinds: whole numbers with floating ones, bools with whole numbers.

The fast paths take operands of one dtype.  If an operand is of a lower kind (bool < int < float),
the result has the dtype of the other one, whatever the shapes: see the groups in `dtypes.py`.  So
it is cast, and the fast path gets the cast copy.  If a node saved that copy, it gets the tensor
itself in its place, as `core.op.record` would have saved it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.modes import modes


def of_one_dtype(op: Any, slow: Callable) -> Callable:
    """`slow`, for calls that the fast path left to it; those of two kinds go back, cast."""
    defaults = op.signature.defaults

    def unusual(*args: Any, **more: Any) -> Any:
        if len(args) != 2 or modes.now.special:
            return slow(*args, **more)
        for name, value in more.items():
            if value is not defaults[name]:
                return slow(*args, **more)
        first, second = args
        number = second.__class__ is float
        if not isinstance(first, Tensor) or not (number or isinstance(second, Tensor)):
            return slow(*args, **more)
        one, two = first._dtype, dtypes.default_dtype() if number else second._dtype
        if one.category < two.category and is_common(op, two) and liftable(first):
            name, given, copy = "self", first, lifted(first, two)
            pair = copy, second
        elif two.category < one.category and is_common(op, one) and liftable(second):
            name, given, copy = "other", second, lifted(second, one)
            pair = first, copy
        else:
            return slow(*args, **more)
        if op.check is not None:
            op.check(**{**defaults, "self": first, "other": second})
        return saving(op.quick(*pair), name, given, copy)

    return unusual


def in_int64(op: Any, slow: Callable) -> Callable:
    """`slow`, for what the fast path left to it; sums of bools and short integers go back."""

    def unusual(*args: Any, dtype: Any = None, **more: Any) -> Any:
        value = args[0] if args and not more and dtype is None and not modes.now.special else None
        if not isinstance(value, Tensor) or value._dtype is dtypes.int64 or not liftable(value):
            return slow(*args, dtype=dtype, **more)
        return op.quick(lifted(value, dtypes.int64), *args[1:])

    return unusual


def is_common(op: Any, dtype: Any) -> bool:
    """Whether the fast path of an operation takes operands of this dtype."""
    return dtype.plain or (dtype is dtypes.int64 and op.kind_name in ("promote", "compare"))


def liftable(value: Any) -> bool:
    """Whether this is a tensor of bools or whole numbers that a cast leaves in the same order."""
    if value.__class__ is not Tensor or value._dtype.category >= dtypes.FLOATING:
        return False
    array = value._array
    if value._extras is not None or array.__class__ is not np.ndarray:
        return False
    return array.ndim == 1 or bool(array.flags.c_contiguous and 1 not in array.shape)


def lifted(value: Tensor, dtype: Any) -> Tensor:
    """The tensor in another dtype, without history."""
    return Tensor._make(value._array.astype(dtype.numpy), dtype)


def saving(out: Tensor, name: str, given: Tensor, copy: Tensor) -> Tensor:
    """`out`, after its node got the given tensor in place of the copy, if it saved that."""
    node: Any = out._node
    if node is None:
        return out
    node.more().mixed = True  # formulas promote as operations do
    if name in node.tensors and getattr(node, f"{name}_") is copy:
        setattr(node, f"{name}_", given)
        setattr(node, f"{name}_version", given._version)
    return out


__all__ = ["in_int64", "of_one_dtype"]
