"""The adjoints of reductions: from one value per group back to the group's elements.

These operations are what the gradients of reductions are made of.  `like` is the shape of the
input of the reduction, `dim` what was reduced.
"""

from __future__ import annotations

from functools import partial
from operator import index
from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.memory.dims import wrap_dims
from course_lib.ops.pick.gather_scatter import scatter_src
from course_lib.ops.pick.slices import blank_of
from course_lib.ops.shape.squeeze import unsqueeze

__all__: list[str] = []

# An operation on one tensor whose result lies row by row, whatever the input does.
reducing = partial(op, layout="contiguous")
adjoint = partial(reducing, kind="same", method=False)


def axes(dim: Any, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce, counted from the front; None and () mean all.

    >>> axes(-1, 3), axes(None, 2), axes(0, 0)
    ((2,), (0, 1), ())
    """
    if dim is None or dim == () or dim == []:
        return tuple(range(ndim))
    found = wrap_dims(dim if isinstance(dim, (tuple, list)) else index(dim), ndim)
    return found if ndim else ()


def count(shape: Any, dim: Any = None) -> int:
    """How many elements each result of a reduction stands for."""
    total = 1
    for axis in axes(dim, len(shape)):
        total *= shape[axis]
    return total


def placed(grad: Any, like: tuple, indices: Any, dim: int, keepdim: bool) -> Any:
    """Zeros, with each value at the index along `dim` that it was taken from."""
    if not like:
        return grad
    if not keepdim:
        grad, indices = unsqueeze(grad, dim), unsqueeze(indices, dim)
    return scatter_src(blank_of(grad, like), dim, indices, grad)


@adjoint(
    node="DivBackward0",
    saves=("mask",),
    self=lambda grad, mask, dim, keepdim: shared_out(grad, mask, dim, keepdim),
)
def shared_out(self, mask, dim, keepdim):
    """`self` divided by how many elements along `dim` the mask marks."""
    over = axes(dim, mask.ndim)
    return self / np.add.reduce(mask, axis=over, keepdims=keepdim, dtype=self.dtype)


def reshaped(value: Any, size: Any) -> Any:
    """The elements in another shape."""
    return value.reshape(size)
