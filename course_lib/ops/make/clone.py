"""`clone`: a copy that gradients flow through."""

from functools import partial
from typing import Any

import numpy as np

from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.memory import fresh, layout
from course_lib.memory.fresh import contiguous_format, memory_format, preserve_format

__all__ = ["clone", "contiguous_format", "memory_format", "preserve_format"]


def copy_layout(value: Any, array: Any) -> Any:
    """A copy of `value` in the layout that a new tensor like `array` has."""
    if isinstance(value, np.generic):
        return value
    if value is array and value.__class__ is np.ndarray and value.flags.c_contiguous:
        if value.size and 1 not in value.shape:
            return value.copy()
    copy = fresh.empty_like(array, value.dtype, value.__class__ is not np.ndarray)
    copy[...] = value
    return copy


cloning = partial(
    op, "same", layout="kernel", node="CloneBackward0", method=False, self=lambda grad: grad
)


@cloning(name="_clone")
def clone_alike(self):
    """A copy with the strides of `self`, where those are dense."""
    return copy_layout(self, self)


@cloning(name="_clone_in_rows")
def clone_in_rows(self):
    """A copy whose elements lie row by row."""
    if self.__class__ is not np.ndarray:
        return self.copy()
    copy = layout.empty(self.shape, self.dtype)
    copy[...] = self
    return copy


@composite()
def clone(self: Any, *, memory_format: memory_format | None = None) -> Any:
    """A copy in new memory that the graph records: gradients flow back to the original.

    >>> x = torch.tensor([1, 2])
    >>> y = x.clone()
    >>> y[0] = 9
    >>> x
    tensor([1, 2])
    """
    return clone_in_rows(self) if memory_format is contiguous_format else clone_alike(self)
