"""Views: other shapes and strides over the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.forms.declare import op, view_op
from course_lib.facts import errors

__all__ = ["transpose"]


def wrap_dim(dim: int, ndim: int) -> int:
    """A dimension counted from the front; IndexError with PyTorch's sentence if there is none."""
    limit = max(ndim, 1)
    if not -limit <= dim < limit:
        raise IndexError(errors.dim_range(dim, ndim))
    return dim + limit if dim < 0 else dim


@view_op(inplace=True, self=lambda grad, dim0, dim1: transpose(grad, dim0, dim1))
def transpose(self: Any, dim0: int, dim1: int) -> Any:
    """A view with two dimensions swapped.

    >>> torch.tensor([[1, 2, 3], [4, 5, 6]]).transpose(0, 1).shape
    torch.Size([3, 2])
    """
    shape, strides = list(self.shape), list(self.strides)
    if shape:
        a, b = wrap_dim(dim0, len(shape)), wrap_dim(dim1, len(shape))
        shape[a], shape[b] = shape[b], shape[a]
        strides[a], strides[b] = strides[b], strides[a]
    return tuple(shape), tuple(strides), 0


@view_op(self=lambda grad, self_shape: sum_to(grad, self_shape))
def expand(self: Any, size: Any) -> Any:
    """A view stretched to `size`: dimensions of size 1 repeat, with stride 0.

    >>> torch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    lead = len(size) - self.ndim
    shape, strides = list(size), [0] * len(size)
    for dim, (n, stride) in enumerate(zip(self.shape, self.strides, strict=True)):
        wanted = size[lead + dim]
        if wanted == -1 or wanted == n:
            shape[lead + dim], strides[lead + dim] = n, stride
        elif n != 1:
            raise RuntimeError(errors.expand_size(wanted, n, lead + dim, size, self.shape))
    return tuple(shape), tuple(strides), 0


@op(
    kind="same",
    layout="contiguous",
    method=False,
    self=lambda grad, self_shape: expand(grad, self_shape),
)
def sum_to(self: Any, size: Any) -> Any:
    """The adjoint of `expand`: sum over the repeated dimensions."""
    lead = self.ndim - len(size)
    axes = [*range(lead), *(d + lead for d, n in enumerate(size) if n == 1)]
    return np.sum(self, axis=tuple(axes), keepdims=True).reshape(size)
