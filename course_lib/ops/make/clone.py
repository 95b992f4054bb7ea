"""`clone`: a copy that gradients flow through."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.memory import fresh, layout
from course_lib.memory.memory_formats import (
    memory_format,
    order_of,
    preserve_format,
)

__all__ = ["clone"]


def laid_like(value: Any, array: Any) -> Any:
    """A copy of `value` in the layout that a new tensor like `array` has."""
    if isinstance(value, np.generic):
        return value
    if value is array and value.__class__ is np.ndarray and value.flags.c_contiguous:
        if value.size and 1 not in value.shape:
            return value.copy()
    copy = fresh.empty_like(array, value.dtype, meta=value.__class__ is not np.ndarray)
    copy[...] = value
    return copy


@op(
    kind="same",
    layout="kernel",
    name="_clone",
    node="CloneBackward0",
    method=False,
    self=lambda grad: grad,
)
def clone_alike(self):
    """A copy with the strides of `self`, where those are dense."""
    return laid_like(self, self)


@op(
    kind="same",
    layout="kernel",
    name="_clone_in",
    node="CloneBackward0",
    method=False,
    operands=("self",),
    self=lambda grad: grad,
)
def clone_in(self, order):
    """A copy with the dimensions laid out in `order`, from the slowest to the fastest."""
    if isinstance(self, np.generic):
        return self
    if self.__class__ is not np.ndarray:
        return self.copy(order)
    if order == tuple(range(self.ndim)):
        copy = layout.empty(self.shape, self.dtype)
    else:
        copy = layout.empty_permuted(self.shape, list(order), self.dtype)
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
    if memory_format is None or memory_format is preserve_format:
        return clone_alike(self)
    return clone_in(self, order_of(memory_format, self.ndim))
