"""Tensors over the bytes of other objects: `torch.frombuffer`."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import layout
from course_lib.ops.make.creation import finish
from course_lib.words import errors

__all__ = ["frombuffer"]


@accepts(
    "object buffer, *, torch.dtype dtype, int count = -1, int offset = 0, "
    "bool requires_grad = False"
)
def frombuffer(
    buffer: Any, dtype: DType, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A tensor over the memory of a `bytearray` or the like: a write to one changes the other.

    It has `count` elements, or as many as there are after the first `offset` bytes.

    >>> torch.frombuffer(bytearray([1, 0, 2, 0]), dtype=torch.int16)
    tensor([1, 2], dtype=torch.int16)
    """
    memory = errors.opened(buffer)
    if memory.readonly:
        errors.warn_once(errors.READ_ONLY_BUFFER)
    kind = dtype.numpy
    count = errors.check_buffer(memory.nbytes, count, offset, kind.itemsize)
    elements = np.frombuffer(memory, np.uint8, count * kind.itemsize, offset).view(kind)
    made = finish(layout.adopt(elements), dtype, requires_grad)
    made._share()
    return made
