"""The dimensions in another order: `transpose`, `permute`, `movedim`, `x.T`."""

from typing import Any

from course_lib.calls.rules import refuse
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_inplace
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach_as, method
from course_lib.declare.op import view_op
from course_lib.memory.dims import wrap_dim
from course_lib.modes import modes
from course_lib.words import errors

__all__ = ["moveaxis", "movedim", "permute", "swapaxes", "t", "transpose"]


@view_op(
    inplace="TransposeBackward1",
    native=lambda array, dim0, dim1: (
        (array.swapaxes(dim0, dim1), 0) if dim0.__class__ is dim1.__class__ is int else None
    ),
    self=lambda grad, dim0, dim1: transpose(grad, dim0, dim1),
)
def transpose(self, dim0, dim1):
    """A view with two dimensions swapped.

    >>> torch.tensor([[1, 2, 3], [4, 5, 6]]).transpose(0, 1).shape
    torch.Size([3, 2])
    """
    shape, strides = list(self.shape), list(self.strides)
    a, b = wrap_dim(dim0, len(shape)), wrap_dim(dim1, len(shape))
    if shape:
        shape[a], shape[b] = shape[b], shape[a]
        strides[a], strides[b] = strides[b], strides[a]
    return tuple(shape), tuple(strides), 0


@view_op(
    inplace="TBackward1",
    native=lambda array: (array.T, 0) if array.ndim == 2 else None,
    self=lambda grad: swap_axes(grad) if grad.ndim == 2 else t(grad),
)
def t(self):
    """A view of a matrix with its two dimensions swapped; a vector stays as it is.

    >>> torch.tensor([[1, 2, 3], [4, 5, 6]]).t()
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    refuse(self.ndim > 2, errors.t_dimensions, "t", self.ndim)
    return self.shape[::-1], self.strides[::-1], 0


def swap_axes(x: Any) -> Any:
    """Matrices (arrays or tensors) with rows and columns swapped."""
    if isinstance(x, Tensor):
        return x.t() if x._array.ndim == 2 else x.transpose(-2, -1)
    return x.T if x.ndim == 2 else x.swapaxes(-2, -1)


@view_op(
    varargs="dims",
    native=lambda array, dims: (array.transpose(dims), 0) if len(dims) == array.ndim else None,
    self=lambda grad, dims: permute(grad, inverse(dims)),
)
def permute(self, dims):
    """A view with the dimensions in the order `dims`.

    >>> torch.zeros(2, 3, 4).permute(2, 0, 1).shape
    torch.Size([4, 2, 3])
    """
    refuse(len(dims) != self.ndim, errors.permute_count, self.ndim, len(dims))
    order = [wrap_dim(dim, self.ndim) for dim in dims]
    refuse(len(set(order)) != len(order), errors.PERMUTE_TWICE)
    return tuple(self.shape[d] for d in order), tuple(self.strides[d] for d in order), 0


@method
def t_(self: Tensor) -> Tensor:
    """`t` in place; returns the tensor itself."""
    check_inplace(self, modes.grad and self.requires_grad)
    refuse(self._array.ndim > 2, errors.t_dimensions, "t_", self._array.ndim)
    return t.inplace(self)


def inverse(dims: Any) -> tuple[int, ...]:
    """The permutation that undoes `dims`."""
    order = [dim % len(dims) for dim in dims]
    return tuple(sorted(range(len(dims)), key=order.__getitem__))


@composite()
def movedim(self: Any, source: Any, destination: Any) -> Any:
    """A view with the dimensions `source` moved to the places `destination`.

    >>> torch.zeros(2, 3, 4).movedim(0, -1).shape
    torch.Size([3, 4, 2])
    """
    pairs = [(one,) if isinstance(one, int) else tuple(one) for one in (source, destination)]
    refuse(len(pairs[0]) != len(pairs[1]), errors.movedim_counts, *pairs)
    places = []
    for which, given in zip(("source", "destination"), pairs, strict=True):
        places.append([wrap_dim(dim, self.ndim) for dim in given])
        refuse(len(set(places[-1])) != len(given), errors.movedim_twice, which, given)
    if not self.ndim:
        return alias(self)
    order = [dim for dim in range(self.ndim) if dim not in places[0]]
    for at, dim in sorted(zip(places[1], places[0], strict=True)):
        order.insert(at, dim)
    return permute(self, tuple(order))


@view_op(method=False, self=lambda grad: grad)
def alias(self):
    """A view of the whole tensor."""
    return self.shape, self.strides, 0


def _T(self: Tensor) -> Tensor:
    """A view of the matrix with its dimensions in reverse order.

    >>> torch.tensor([[1, 2], [3, 4]]).T
    tensor([[1, 3],
            [2, 4]])
    """
    if self._array.ndim != 2:
        errors.warn_once(errors.T_OF_OTHER if self._array.ndim else errors.scalar_transpose("T"))
    return permute(self, tuple(range(self._array.ndim))[::-1])


def _mT(self: Tensor) -> Tensor:
    """A view with the last two dimensions swapped: each matrix of a batch, transposed."""
    ndim = self._array.ndim
    if not ndim:
        errors.warn_once(errors.scalar_transpose("mT"))
        return self
    refuse(ndim == 1, errors.not_matrices, "mT", ndim)
    return transpose(self, -2, -1)


@composite()
def swapaxes(self: Any, axis0: int, axis1: int) -> Any:
    """The same as `transpose`."""
    return transpose(self, axis0, axis1)


@composite()
def moveaxis(self: Any, source: Any, destination: Any) -> Any:
    """The same as `movedim`."""
    return movedim(self, source, destination)


attach_as("swapaxes_", Tensor.transpose_)
attach_as("T", property(_T))
attach_as("mT", property(_mT))
