"""The common case of a view operation: a plain tensor, and NumPy's own way to make the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls import arguments
from course_lib.core.graph import edge, next_order
from course_lib.core.op import fact
from course_lib.core.quick import ARRAYS, ONE
from course_lib.core.tensor import Tensor, new
from course_lib.core.views import AsStridedBackward0, View, ViewOp, passed_on
from course_lib.memory import layout
from course_lib.modes import modes

ndarray = np.ndarray


def on_arrays(op: Any, value: Any, *args: Any) -> Any:
    """`ViewOp.__call__`, with NumPy's own way to make the view if the operation has one."""
    if value.__class__ is ndarray and op.native is not None:
        try:
            found = op.native(value, *args)
        except (ValueError, IndexError):  # an error of the kernel's, if it is one
            found = None
        if found is not None:
            return found[0]
    return plain_call(op, value, *args)


plain_call = ViewOp.__call__


# ---- backward of views that were written to ------------------------------------------------------


def spot(node: Any) -> tuple[Any, ...] | None:
    """Shape, strides and start, in bytes, of the part of its base that a view shows, if rows."""
    step, args = node.steps[0]
    like, itemsize = node.like, node.like.itemsize
    if step.name != "as_strided" or len(node.steps) > 1 or like.dtype.kind == "V":
        return None
    shape, strides, start = args[0], tuple([s * itemsize for s in args[1]]), args[2] * itemsize
    reach = 0  # bytes from the first element to the last
    for stride, size in sorted(zip(strides, shape)):
        if size > 1:
            if stride <= reach:
                return None
            reach += stride * (size - 1)
    if not 0 <= start <= like.nbytes - itemsize - reach or not layout.lies_in_rows(like):
        return None
    return shape, strides, start


def window(where: tuple[Any, ...], array: Any) -> Any:
    """The part of an array that `spot` describes."""
    shape, strides, start = where
    return ndarray(shape, array.dtype, array, start, strides)


def back_into_base(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
    """`AsStridedBackward0.apply` on an array."""
    where = spot(node)
    if where is None or grad.__class__ is not ndarray or grad.dtype != node.like.dtype:
        return node.apply(grad, keep)
    result = np.zeros(node.like.shape, grad.dtype)
    window(where, result)[...] = grad
    return (result,)


AsStridedBackward0.run = back_into_base
