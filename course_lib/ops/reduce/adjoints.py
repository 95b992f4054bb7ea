"""The adjoints of reductions: from one value per group back to the group's elements.

These operations are what the gradients of reductions are made of.  `like` is the shape of the
input of the reduction, `dim` what was reduced.
"""

from __future__ import annotations

from functools import partial
from operator import index
from typing import Any

import numpy as np

from course_lib.declare.op import op, view_op
from course_lib.memory.adding import added
from course_lib.memory.dims import wrap_dim, wrap_dims
from course_lib.memory.places import flat_places, taken

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


@view_op(
    method=False,
    node="ExpandBackward0",
    self=lambda grad, self_shape, like, dim, keepdim: gathered_sum(grad, self_shape, dim, keepdim),
)
def spread(self, like, dim, keepdim):
    """Each result of a reduction, broadcast to all the places it came from (stride 0)."""
    reduced = axes(dim, len(like))
    strides = list(self.strides)
    if keepdim and len(strides) == len(like):
        strides = [0 if d in reduced else s for d, s in enumerate(strides)]
    else:
        for d in sorted(reduced):
            strides.insert(d, 0)
    return tuple(like), tuple(strides), 0


@adjoint(
    node="SumBackward1",
    self=lambda grad, self_shape, size, dim, keepdim: spread(grad, self_shape, dim, keepdim),
)
def gathered_sum(self, size, dim, keepdim):
    """The adjoint of `spread`: the sum over what was reduced."""
    return added(self, axes(dim, self.ndim), keepdim)


@adjoint(
    node="ScatterBackward0",
    saves=("indices",),
    self=lambda grad, like, dim, indices, keepdim: picked(grad, indices, dim, keepdim),
)
def placed(self, like, indices, dim, keepdim):
    """Zeros, with each value added at the index along `dim` that it was taken from."""
    if not like:
        return self
    axis = wrap_dim(dim, len(like))
    if not keepdim:
        self, indices = np.expand_dims(self, axis), np.expand_dims(indices, axis)
    result = np.zeros(like, self.dtype)
    if hasattr(self, "restride"):
        return self.restride(like, None, 0)
    np.add.at(result.reshape(-1), flat_places(indices, axis, like).reshape(-1), self.reshape(-1))
    return result


@adjoint(
    node="GatherBackward0",
    saves=("indices",),
    self=lambda grad, self_shape, indices, dim, keepdim: placed(
        grad, self_shape, indices, dim, keepdim
    ),
)
def picked(self, indices, dim, keepdim):
    """The elements at `indices` along `dim`."""
    if not self.ndim:
        return self.copy()
    axis = wrap_dim(dim, self.ndim)
    if keepdim:
        return taken(self, indices, axis)
    return taken(self, np.expand_dims(indices, axis), axis).squeeze(axis)


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
