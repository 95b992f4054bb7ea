"""Several views at once: a tensor cut along one dimension."""

import itertools
from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op, view_op
from course_lib.memory.dims import wrap_dim
from course_lib.ops.pick.slices import blank_of
from course_lib.ops.shape.join import cat, stack
from course_lib.words import errors

__all__ = ["chunk", "split", "split_with_sizes", "unbind", "unsafe_chunk", "unsafe_split"]


def fill_missing(grads: Any, shapes: Any = None) -> list[Any]:
    """The views' gradients, with zeros of their shapes (or the common one) for missing ones."""
    some = next(grad for grad in grads if grad is not None)
    pairs = zip(grads, shapes or [some.shape] * len(grads), strict=True)
    return [blank_of(some, tuple(shape)) if grad is None else grad for grad, shape in pairs]


def rejoin(grads: Any, shape: Any, dim: int, sizes: Any) -> Any:
    """The adjoint of cutting a tensor of `shape`: the parts' gradients, side by side."""
    at = wrap_dim(dim, len(shape))
    return cat(fill_missing(grads, [(*shape[:at], n, *shape[at + 1 :]) for n in sizes]), at)


def pieces(self: Any, dim: int, sizes: Any) -> list[tuple]:
    """The shape, strides and start of each part, for parts of `sizes` along `dim`."""
    starts = itertools.accumulate(sizes, initial=0)
    return [
        ((*self.shape[:dim], size, *self.shape[dim + 1 :]), self.strides, at * self.strides[dim])
        for size, at in zip(sizes, starts, strict=False)
    ]


@view_op(many=True, self=lambda grads, dim: stack(fill_missing(grads), dim))
def unbind(self, dim=0):
    """A tuple of views, one for each index of a dimension.

    >>> torch.tensor([[1, 2], [3, 4]]).unbind()
    (tensor([1, 2]), tensor([3, 4]))
    """
    at = wrap_dim(wrap_dim(dim, self.ndim), self.ndim, scalar=False)
    shape, strides = ((*all[:at], *all[at + 1 :]) for all in (self.shape, self.strides))
    return [(shape, strides, i * self.strides[at]) for i in range(self.shape[at])]


# ---- parts of given sizes ------------------------------------------------------------------------


def even_sizes(size: int, part: int) -> list[int]:
    """`size` cut into parts of `part`; the last one is the remainder."""
    if not part:
        return [size]
    count = max((size + part - 1) // part, 1)
    return [part] * (count - 1) + [size - part * (count - 1)]


@view_op(
    many=True,
    method=False,
    name="_split",
    self=lambda grads, self_shape, split_size, dim: rejoin(
        grads, self_shape, dim, even_sizes(self_shape[dim], split_size)
    ),
)
def split_evenly(self, split_size, dim=0):
    """Views of parts of `split_size`; the last one may be smaller."""
    refuse(not self.ndim, errors.split_scalar, "split")
    refuse(split_size < 0, errors.split_negative, split_size)
    at = wrap_dim(dim, self.ndim)
    size = self.shape[at]
    refuse(not split_size and size, errors.split_zero, size)
    return pieces(self, at, even_sizes(size, split_size))


@view_op(
    many=True,
    self=lambda grads, self_shape, split_sizes, dim: rejoin(grads, self_shape, dim, split_sizes),
)
def split_with_sizes(self, split_sizes, dim=0):
    """A tuple of views of the given sizes along a dimension.

    >>> torch.tensor([1, 2, 3]).split_with_sizes([1, 2])
    (tensor([1]), tensor([2, 3]))
    """
    refuse(not self.ndim, errors.split_scalar, "split")
    at = wrap_dim(dim, self.ndim)
    refuse(any(size < 0 for size in split_sizes), errors.split_sizes_negative, split_sizes)
    refuse(sum(split_sizes) != self.shape[at], errors.split_sum, self.shape[at], dim, split_sizes)
    return pieces(self, at, split_sizes)


@op(
    layout="kernel",
    several=True,
    self=lambda grads, self_shape, split_size, dim: rejoin(
        grads, self_shape, dim, even_sizes(self_shape[dim], split_size)
    ),
)
def unsafe_split(self, split_size, dim=0):
    """`split` whose parts you may write to: autograd does not know that they share memory.

    >>> torch.unsafe_split(torch.tensor([1, 2, 3]), 2)
    (tensor([1, 2]), tensor([3]))
    """
    if split_size > 0 <= dim < self.ndim and self.__class__ is np.ndarray and self.size:
        every, size = (slice(None),) * dim, self.shape[dim]
        return [self[(*every, slice(at, at + split_size))] for at in range(0, size, split_size)]
    return split_evenly(self, split_size, dim)


@composite()
def unsafe_chunk(self: Any, chunks: int, dim: int = 0) -> Any:
    """`chunk` whose parts you may write to: autograd does not know that they share memory."""
    size = self.shape[wrap_dim(dim, self.ndim)]
    return unsafe_split(self, max((size + chunks - 1) // chunks, 0), dim)


def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """A tuple of views: parts of one size (the last may be smaller), or of a list of sizes.

    >>> torch.split(torch.tensor([1, 2, 3]), 2)
    (tensor([1, 2]), tensor([3]))
    """
    sizes = split_size_or_sections
    if isinstance(sizes, int):
        return split_evenly(tensor, sizes, dim)
    overloads("torch", "split_with_sizes").examine((tensor, sizes, dim), {})
    return split_with_sizes(tensor, tuple(sizes), dim)


def _split(self: Tensor, split_size: Any, dim: int = 0) -> tuple[Any, ...]:
    return split(self, split_size, dim)


@composite()
def chunk(self: Any, chunks: int, dim: int = 0) -> Any:
    """At most `chunks` views of equal size; the last one may be smaller.

    >>> torch.tensor([1, 2, 3]).chunk(2)
    (tensor([1, 2]), tensor([3]))
    """
    refuse(not self.ndim, errors.split_scalar, "chunk")
    refuse(chunks <= 0, errors.chunk_count, chunks)
    at = wrap_dim(dim, self.ndim)
    size = self.shape[at]
    part = (size + chunks - 1) // chunks
    if not part:
        return split_with_sizes(self, (0,) * (chunks - 1) + (size,), dim)
    return split_evenly(self, part, dim)


_split.__name__, _split.__qualname__, _split.__doc__ = "split", "Tensor.split", split.__doc__
attach_as("split", _split)
