"""Products that are made of simpler ones: outer, inner, Kronecker, powers, contractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.declare.out import into
from course_lib.memory import dims as sizes
from course_lib.memory.dims import wrap_dim
from course_lib.ops.elementwise.arithmetic import mul
from course_lib.ops.linalg.matmul import mm
from course_lib.words import errors

__all__ = ["cross", "inner", "outer", "tensordot", "trace"]

# ---- two vectors ---------------------------------------------------------------------------------


@composite()
def outer(self: Any, vec2: Any, *, out: Tensor | None = None) -> Any:
    """The outer product: the matrix of all products of an element of `self` and one of `vec2`.

    >>> torch.outer(torch.tensor([1, 2]), torch.tensor([10, 20, 30]))
    tensor([[10, 20, 30],
            [20, 40, 60]])
    """
    errors.require_tensors("outer", self=self, vec2=vec2)
    for name, value in (("self", self), ("vec2", vec2)):
        if value._array.ndim != 1:
            raise RuntimeError(errors.expected_1d("outer", name, value._array.ndim))
    if out is not None:
        return mul(self.reshape(-1, 1), vec2, out=out)
    return self.reshape(self._array.size, 1) * vec2


@composite()
def inner(self: Any, other: Any, *, out: Tensor | None = None) -> Any:
    """The dot products along the last dimensions; of two vectors, their dot product.

    >>> torch.inner(torch.tensor([1, 2, 3]), torch.tensor([0, 2, 1]))
    tensor(7)
    """
    errors.require_tensors("inner", self=self, other=other)
    one, two = self._array.shape, other._array.shape
    if not one or not two:
        return mul(self, other, out=out)
    if one[-1] != two[-1]:
        raise RuntimeError(errors.inner_sizes(one, two))
    return tensordot(self, other, dims=([-1], [-1]), out=out)


# ---- contractions --------------------------------------------------------------------------------


def tensordot(a: Any, b: Any, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The product of two tensors, summed over pairs of dimensions.

    `dims` is a number n (the last n of `a` with the first n of `b`) or two lists of dimensions.

    >>> torch.tensordot(torch.ones(2, 3), torch.ones(3, 4), dims=1).shape
    torch.Size([2, 4])
    """
    errors.require_tensors("tensordot", a=a, b=b)
    left, right = contracted(a, b, dims)
    if len(left) != len(right):
        raise RuntimeError(errors.TENSORDOT_LENGTHS)
    if a._dtype is not b._dtype:
        raise RuntimeError(errors.BOTH_SAME_DTYPE)
    one, two, count = a, b, 1
    for i, j in zip(left, right, strict=True):
        m = a._array.shape[sizes.wrap_dim(i, a._array.ndim)]
        n = b._array.shape[sizes.wrap_dim(j, b._array.ndim)]
        if n == 1:
            one = one.sum(i, True, dtype=one._dtype)
        elif m == 1:
            two = two.sum(j, True, dtype=two._dtype)
        elif m != n:
            raise RuntimeError(errors.contracted_sizes(m, i, n, j))
        else:
            count *= m
    taken = sizes.wrap_dims(left, a._array.ndim), sizes.wrap_dims(right, b._array.ndim)
    kept = [d for d in range(a._array.ndim) if d not in taken[0]]
    also = [d for d in range(b._array.ndim) if d not in taken[1]]
    rows, columns = ([x.shape[d] for d in k] for x, k in ((one, kept), (two, also)))
    one = one.permute((*kept, *left)).reshape(math.prod(rows), count)
    two = two.permute((*right, *also)).reshape(count, math.prod(columns))
    return into(out, mm(one, two).reshape((*rows, *columns)), "tensordot")


def contracted(a: Tensor, b: Tensor, dims: Any) -> tuple[list[int], list[int]]:
    """The dimensions of `a` and of `b` to sum over."""
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(errors.contracted_negative(dims))
        if dims > min(a._array.ndim, b._array.ndim):
            raise RuntimeError(errors.contracted_many(dims))
        return list(range(-dims, 0)), list(range(dims))
    if not isinstance(dims, (tuple, list)) or len(dims) != 2:
        raise RuntimeError(errors.contracted_what(dims))
    left, right = ([d] if isinstance(d, int) else list(d) for d in dims)
    return left, right


# ---- one matrix ----------------------------------------------------------------------------------


@op(
    kind="sum",
    layout="contiguous",
    inplace=False,
    check=errors.check_trace,
    self=lambda grad, self_shape: on_diagonal(grad, self_shape),
)
def trace(self):
    """The sum of the elements on the diagonal.

    >>> torch.trace(torch.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
    return np.trace(self, dtype=self.dtype)


@op(
    kind="same",
    layout="contiguous",
    inplace=False,
    method=False,
    operands=("self",),
    self=lambda grad: trace(grad),
)
def on_diagonal(self, size):
    """A matrix with one number everywhere on its diagonal: the gradient of `trace`."""
    return np.eye(*size, dtype=self.dtype) * self


# ---- chains of matrices --------------------------------------------------------------------------


def chain(matrices: list[Tensor]) -> Tensor:
    """The product of two or more matrices, the first and the last of which may be vectors."""
    shape = (*matrices[0].shape[:-1], *matrices[-1].shape[1:])
    if len(matrices[0].shape) == 1:
        matrices = [matrices[0].unsqueeze(0), *matrices[1:]]
    if len(matrices[-1].shape) == 1:
        matrices = [*matrices[:-1], matrices[-1].unsqueeze(-1)]
    return ordered_product(matrices).view(shape)


def ordered_product(matrices: list[Tensor]) -> Tensor:
    """The product of two or more matrices, in the cheapest order."""
    split = cheapest([m._array.shape[0] for m in matrices] + [matrices[-1]._array.shape[1]])

    def multiply(first: int, last: int) -> Tensor:
        if first == last:
            return matrices[first]
        at = split[first, last]
        return mm(multiply(first, at), multiply(at + 1, last))

    return multiply(0, len(matrices) - 1)


def cheapest(size: Sequence[int]) -> dict[tuple[int, int], int]:
    """Where to split each run of a chain of matrices for the fewest multiplications.

    `size` holds the number of rows of each matrix, then the number of columns of the last.

    >>> cheapest([2, 30, 4, 5])[0, 2]
    1
    """
    count = len(size) - 1
    cost = {(i, i): 0 for i in range(count)}
    split: dict[tuple[int, int], int] = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            cost[i, j], split[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + size[i] * size[k + 1] * size[j + 1], k)
                for k in range(i, j)
            )
    return split


def check_cross(self: Any, other: Any, dim: int) -> None:
    """Raise PyTorch's error unless there are vectors of size 3 along `dim`."""
    errors.require_tensors("linalg_cross", self=self, other=other)
    a, b = self._array, other._array
    if a.ndim != b.ndim:
        raise RuntimeError(errors.CROSS_RANKS)
    at = wrap_dim(dim, a.ndim)
    if not a.ndim or a.shape[at] != 3 or b.shape[at] != 3:
        sizes = (1, 1) if not a.ndim else (a.shape[at], b.shape[at])
        raise RuntimeError(errors.cross_length(dim, *sizes))
    errors.check_broadcast([a, b])
    errors.refuse_bool("cross", self)
    if self._dtype is not other._dtype:
        raise RuntimeError(errors.expected_scalar_type(self, other))


@op(
    kind="promote",
    node="LinalgCrossBackward0",
    layout="contiguous",
    method=False,
    inplace=False,
    operands=("self", "other"),
    check=check_cross,
    self=lambda grad, other, dim: linalg_cross(other, grad, dim),
    other=lambda grad, self, dim: linalg_cross(grad, self, dim),
    holomorphic=True,
)
def linalg_cross(self, other, dim):
    """The cross product of vectors of size 3 along `dim`."""
    return np.cross(self, other, axis=dim)


def linalg_cross_product(
    input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None
) -> Tensor:
    """The cross product of vectors of size 3 along `dim`, perpendicular to both.

    >>> torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """
    return linalg_cross(input, other, dim, out=out)


def cross(
    input: Tensor, other: Tensor, dim: int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The cross product along `dim`; without it, PyTorch takes the first dimension of size 3.

    >>> torch.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]), dim=0)
    tensor([0, 0, 1])
    """
    if dim is None:
        errors.warn_once(errors.CROSS_DEPRECATED)
        if 3 not in input._array.shape:
            raise RuntimeError(errors.CROSS_NO_DIM)
        dim = input._array.shape.index(3)
    return linalg_cross(input, other, dim, out=out)


attach_as("cross", cross)
