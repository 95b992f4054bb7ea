"""Views that arrange dimensions anew: transposed, expanded."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import dims as facts
from course_lib.facts import dtypes, errors
from course_lib.facts.dims import wrap_dim
from course_lib.facts.modes import modes
from course_lib.forms.composite import composite
from course_lib.forms.declare import op, view_op
from course_lib.forms.inplace import check_inplace
from course_lib.forms.methods import attach_as

__all__ = [
    "adjoint",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "moveaxis",
    "movedim",
    "permute",
    "swapaxes",
    "swapdims",
    "t",
    "transpose",
]

# ---- other orders of the dimensions --------------------------------------------------------------


@view_op(
    inplace="TransposeBackward1",
    native=lambda array, dim0, dim1: (
        (array.swapaxes(dim0, dim1), 0) if dim0.__class__ is dim1.__class__ is int else None
    ),
    self=lambda grad, dim0, dim1: transpose(grad, dim0, dim1),
)
def transpose(self: Any, dim0: int, dim1: int) -> Any:
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
    self=lambda grad: t(grad),
)
def t(self: Any) -> Any:
    """A view of a matrix with its two dimensions swapped; a vector stays as it is.

    >>> torch.tensor([[1, 2, 3], [4, 5, 6]]).t()
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    if self.ndim > 2:
        raise RuntimeError(errors.t_dimensions("t", self.ndim))
    return self.shape[::-1], self.strides[::-1], 0


@view_op(
    varargs="dims",
    native=lambda array, dims: (array.transpose(dims), 0) if len(dims) == array.ndim else None,
    self=lambda grad, dims: permute(grad, inverse(dims)),
)
def permute(self: Any, dims: Any) -> Any:
    """A view with the dimensions in the order `dims`.

    >>> torch.zeros(2, 3, 4).permute(2, 0, 1).shape
    torch.Size([4, 2, 3])
    """
    if len(dims) != self.ndim:
        raise RuntimeError(errors.permute_count(self.ndim, len(dims)))
    order = [wrap_dim(dim, self.ndim) for dim in dims]
    if len(set(order)) != len(order):
        raise RuntimeError(errors.PERMUTE_TWICE)
    return tuple(self.shape[d] for d in order), tuple(self.strides[d] for d in order), 0


def _t_(self: Tensor) -> Tensor:
    """`t`, of the tensor itself; gives that tensor."""
    check_inplace(self, modes.grad and self.requires_grad)
    if self._array.ndim > 2:
        raise RuntimeError(errors.t_dimensions("t_", self._array.ndim))
    found: Tensor = t.inplace(self)  # type: ignore[attr-defined]
    return found


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
    ndim = self.ndim
    source = (source,) if isinstance(source, int) else tuple(source)
    destination = (destination,) if isinstance(destination, int) else tuple(destination)
    if len(source) != len(destination):
        raise RuntimeError(errors.movedim_counts(source, destination))
    places = []
    for which, given in (("source", source), ("destination", destination)):
        found = [wrap_dim(dim, ndim) for dim in given]
        if len(set(found)) != len(found):
            raise RuntimeError(errors.movedim_twice(which, given))
        places.append(found)
    if not ndim:
        return alias(self)
    left = iter(d for d in range(ndim) if d not in places[0])
    moved = dict(zip(places[1], places[0], strict=True))
    return permute(self, tuple(moved[d] if d in moved else next(left) for d in range(ndim)))


@view_op(method=False, self=lambda grad: grad)
def alias(self: Any) -> Any:
    """A view of everything."""
    return self.shape, self.strides, 0


@composite()
def adjoint(self: Any) -> Any:
    """The conjugate with the last two dimensions swapped; a view.

    >>> torch.tensor([[1., 2.], [3., 4.]]).adjoint()
    tensor([[1., 3.],
            [2., 4.]])
    """
    return conjugate(transpose(self, -2, -1))


def conjugate(self: Tensor) -> Tensor:
    """`self` if real, else its conjugate."""
    return self.conj() if self._dtype.is_complex else self  # type: ignore[attr-defined]


def _T(self: Tensor) -> Tensor:
    """A view of the matrix with its dimensions in reversed order.

    >>> torch.tensor([[1, 2], [3, 4]]).T
    tensor([[1, 3],
            [2, 4]])
    """
    if self._array.ndim != 2:
        errors.warn(errors.T_OF_OTHER if self._array.ndim else errors.scalar_transpose("T"))
    return permute(self, tuple(range(self._array.ndim))[::-1])


def _mT(self: Tensor) -> Tensor:
    """A view with the last two dimensions swapped: each matrix of a batch, transposed."""
    return matrices(self, "mT")


def _H(self: Tensor) -> Tensor:
    """A view of the matrix, transposed and conjugated."""
    return conjugate(matrices(self, "H"))


def _mH(self: Tensor) -> Tensor:
    """A view with each matrix of a batch transposed and conjugated."""
    return conjugate(matrices(self, "mH"))


def matrices(self: Tensor, name: str) -> Tensor:
    """The last two dimensions swapped, or PyTorch's sentence if there are not two."""
    ndim = self._array.ndim
    if not ndim:
        errors.warn(errors.scalar_transpose(name))
        return self
    if ndim == 1 or (name == "H" and ndim > 2):
        raise RuntimeError(errors.not_matrices(name, ndim))
    return transpose(self, -2, -1)


# ---- stretched ones ------------------------------------------------------------------------------


@view_op(varargs="size", self=lambda grad, self_shape: sum_to(grad, self_shape))
def expand(self: Any, size: Any) -> Any:
    """A view stretched to `size`: dimensions of size 1 repeat, with stride 0.

    >>> torch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    lead = len(size) - self.ndim
    if lead < 0:
        legacy = dtypes.of_numpy(self.dtype).legacy
        raise RuntimeError(errors.expand_rank(legacy, self.shape, size))
    shape, strides = list(size), [0] * len(size)
    for dim in range(len(size) - 1, -1, -1) if self.ndim else ():
        wanted = size[dim]
        if dim < lead:
            if wanted == -1:
                raise RuntimeError(errors.expand_leading(wanted, dim))
            strides[dim] = shape[dim + 1] * strides[dim + 1] if wanted == 1 else 0
            continue
        n, stride = self.shape[dim - lead], self.strides[dim - lead]
        if wanted in (-1, n):
            shape[dim], strides[dim] = n, stride
        elif n != 1:
            raise RuntimeError(errors.expand_size(wanted, n, dim, size, self.shape))
    if min(shape, default=0) < 0:
        raise RuntimeError(errors.SIZE_OVERFLOW)
    return tuple(shape), tuple(strides), 0


@op(
    kind="sum",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, self_shape: expand(grad, self_shape),
)
def sum_to(self: Any, size: Any) -> Any:
    """The adjoint of `expand`: sum over the repeated dimensions."""
    lead = self.ndim - len(size)
    axes = [*range(lead), *(d + lead for d, n in enumerate(size) if n == 1)]
    return np.sum(self, axis=tuple(axes), keepdims=True).reshape(size)


@composite()
def expand_as(self: Any, other: Any) -> Any:
    """A view stretched to the shape of `other`.

    >>> torch.tensor([1, 2]).expand_as(torch.zeros(2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return expand(self, tuple(other.shape))


@composite(varargs="size")
def broadcast_to(self: Any, size: Any) -> Any:
    """A view stretched to `size`; the same as `expand`.

    >>> torch.broadcast_to(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return expand(self, tuple(size))


def broadcast_tensors(*tensors: Any) -> tuple[Any, ...]:
    """Views of all tensors, stretched to the shape they have in common.

    >>> [x.shape for x in torch.broadcast_tensors(torch.zeros(3), torch.zeros(2, 1))]
    [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    shape = facts.broadcast(*(x._array.shape for x in tensors))
    return tuple(x if x._array.shape == shape else expand(x, shape) for x in tensors)


def broadcast_shapes(*shapes: Any) -> Any:
    """The shape that tensors of these shapes have in common.

    >>> torch.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    return facts.common_shape([(s,) if isinstance(s, int) else tuple(s) for s in shapes])


@composite()
def swapaxes(self: Any, axis0: int, axis1: int) -> Any:
    """The same as `transpose`."""
    return transpose(self, axis0, axis1)


@composite()
def swapdims(self: Any, dim0: int, dim1: int) -> Any:
    """The same as `transpose`."""
    return transpose(self, dim0, dim1)


@composite()
def moveaxis(self: Any, source: Any, destination: Any) -> Any:
    """The same as `movedim`."""
    return movedim(self, source, destination)


for _name, _method in {
    "swapaxes_": Tensor.transpose_,  # type: ignore[attr-defined]
    "swapdims_": Tensor.transpose_,  # type: ignore[attr-defined]
    "t_": _t_,
    "T": property(_T),
    "mT": property(_mT),
    "H": property(_H),
    "mH": property(_mH),
}.items():
    attach_as(_name, _method)
