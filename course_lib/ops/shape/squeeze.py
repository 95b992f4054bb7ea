"""Dimensions of size 1: removed and inserted."""

from typing import Any

import numpy as np

from course_lib.declare.composite import composite
from course_lib.declare.op import view_op
from course_lib.memory.dims import wrap_dim, wrap_dims

__all__ = ["squeeze", "unsqueeze"]


def squeeze_geometry(self: Any, dims: Any) -> Any:
    """The geometry without those of `dims` that have size 1."""
    kept = [d for d in range(self.ndim) if d not in dims or self.shape[d] != 1]
    return tuple(self.shape[d] for d in kept), tuple(self.strides[d] for d in kept), 0


@view_op(
    name="_squeeze",
    node="SqueezeBackward0",
    inplace="SqueezeBackward3",
    method=False,
    native=lambda array: (array.squeeze(), 0),
    self=lambda grad, self_shape: unsqueeze_to(grad, self_shape, range(len(self_shape))),
)
def squeeze_all(self):
    """A view without the dimensions of size 1."""
    return squeeze_geometry(self, range(self.ndim))


def squeezing(name: str, number: int, native: Any = None) -> Any:
    """Declare `squeeze` of one dimension, or of several: their nodes have other numbers."""

    @view_op(
        name=name,
        node=f"SqueezeBackward{number}",
        inplace=f"SqueezeBackward{number + 3}",
        method=False,
        native=native,
        self=lambda grad, self_shape, dim: unsqueeze_to(grad, self_shape, dim),
    )
    def squeeze_dims(self, dim):
        """A view without those of the dimensions `dim` that have size 1."""
        return squeeze_geometry(self, wrap_dims(dim, self.ndim))

    return squeeze_dims


squeeze_dim = squeezing(
    "_squeeze_dim",
    1,
    native=lambda array, dim: (array.squeeze(dim), 0) if dim.__class__ is int else None,
)
squeeze_dims = squeezing("_squeeze_dims", 2)


def unsqueeze_to(grad: Any, shape: Any, dims: Any) -> Any:
    """`grad` with the dimensions of size 1 back in their places."""
    if grad.__class__ is np.ndarray:
        return grad if grad.shape == tuple(shape) else grad.reshape(shape)
    for dim in sorted(wrap_dims(dims, len(shape))):
        if shape and shape[dim] == 1:
            grad = unsqueeze(grad, dim)
    return grad


ALL = object()


def form_for(dim: Any) -> tuple:
    """The form of `squeeze` for what is named, and its argument."""
    if dim is ALL:
        return (squeeze_all,)
    return (squeeze_dim, dim) if isinstance(dim, int) else (squeeze_dims, tuple(dim))


@composite()
def squeeze(self: Any, dim: Any = ALL) -> Any:
    """A view without the dimensions of size 1: all of them, or only those named in `dim`.

    >>> torch.zeros(1, 3, 1).squeeze().shape, torch.zeros(1, 3, 1).squeeze(0).shape
    (torch.Size([3]), torch.Size([3, 1]))
    """
    form, *given = form_for(dim)
    return form(self, *given)


@composite()
def squeeze_(self: Any, dim: Any = ALL) -> Any:
    """`squeeze` in place; returns the tensor itself."""
    form, *given = form_for(dim)
    return form.inplace(self, *given)


@view_op(inplace="UnsqueezeBackward1", self=lambda grad, dim: squeeze_dim(grad, dim))
def unsqueeze(self, dim):
    """A view with a new dimension of size 1 at `dim`.

    >>> torch.tensor([1, 2]).unsqueeze(1)
    tensor([[1],
            [2]])
    """
    at = wrap_dim(dim, self.ndim + 1)
    step = self.itemsize if at == self.ndim else self.shape[at] * self.strides[at]
    shape = (*self.shape[:at], 1, *self.shape[at:])
    return shape, (*self.strides[:at], step, *self.strides[at:]), 0
