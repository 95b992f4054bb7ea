"""The fast path of elementwise writes that make no node: `relu_`, `clamp_`, `lerp_` and the like.

`core.writes.call_inplace` serves any tensors.  Here all are of one floating dtype and one shape,
share no memory, and none is recorded, so that the kernel's result only has to be copied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.fronts import Doubt
from course_lib.modes import modes
from course_lib.speed.becoming import in_place_of

PLAIN = {int, float, bool, str, type(None)}
slow: Any = None  # `in_place_of` sets it


def unrecorded(fallback: Callable) -> Callable:
    """`call_inplace` of an elementwise operation that makes no node, for tensors of one dtype."""
    return in_place_of(fallback, without_node, fallback.__name__, globals())


def without_node(op: Any, *args: Any, **kwargs: Any) -> Any:
    try:
        now, self, arrays = modes.now, args[0] if args else None, []
        if (
            not isinstance(self, Tensor)
            or now.special
            or now.inference
            or now.before_write
            or op.layout != "inputs"
        ):
            raise Doubt
        left, dtype, more = self._array, self._dtype, self._extras
        if not (dtype.plain and left.__class__ is np.ndarray and left.flags.c_contiguous):
            raise Doubt
        if (more is not None and more.inference) or not PLAIN.issuperset(
            map(type, kwargs.values())
        ):
            raise Doubt
        for name, value in zip(op.params, args):
            if isinstance(value, Tensor):
                right, more = value._array, value._extras
                if (
                    value._dtype is not dtype
                    or right.__class__ is not np.ndarray
                    or right.shape != left.shape
                    or (now.grad and value.requires_grad)
                    or (more is not None and more.inference)
                    or (value is not self and owner(right) is owner(left))
                ):
                    raise Doubt
                arrays.append(right)
            elif name in op.operands or value.__class__ not in PLAIN:
                raise Doubt
            else:
                arrays.append(value)
        try:
            if op.check is not None:
                op.check(**op.signature.bind(args, kwargs))
            array = now.quiet(op.kernel, *arrays, **kwargs)
        except Exception:  # nothing is written yet: `slow` raises it again
            raise Doubt from None
        if array.shape != left.shape or array.dtype is not left.dtype:
            raise Doubt
    except Doubt:
        pass  # `slow` is called below: what it raises has no error above it
    else:
        cell = self._cell or self._share()
        np.copyto(left, array)
        cell.value += 1
        return self
    return slow(op, *args, **kwargs)


def owner(array: Any) -> Any:
    """The array that owns the memory: see Note [Owner]."""
    return array if array.base is None else array.base


__all__ = ["unrecorded"]
