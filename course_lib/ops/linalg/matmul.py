"""Matrix products: of vectors, matrices, batches of matrices.

PyTorch's `matmul` is not one operation: by the ranks of its operands it becomes `dot`, `mv`, `mm`
or `bmm` with views around it, and those are what a graph shows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.memory import dims
from course_lib.memory.meta import MetaArray
from course_lib.ops.shape.reshape import _unsafe_view, reshape
from course_lib.words import errors

__all__ = [
    "bmm",
    "dot",
    "matmul",
    "mm",
    "mv",
]


def product(a: Any, b: Any) -> Any:
    """The matrix product of two arrays; `np.dot` is faster than `@` on small matrices."""
    if a.__class__ is MetaArray or b.__class__ is MetaArray:
        return MetaArray((*a.shape[:-1], *b.shape[b.ndim - 1 if b.ndim > 1 else 1 :]), a.dtype)
    return np.dot(a, b) if a.ndim < 3 and b.ndim < 3 else np.matmul(a, b)


def by_columns(grad: Any, shape: Any, strides: Any) -> bool:
    """Whether a matrix is column-major; the size of its elements is taken from `grad`.

    Note [Turned factors]: the gradient of such a matrix is computed transposed too.  So the weight
    of a linear layer, which enters as ``weight.t()``, gets a gradient in its own layout, uncopied.
    """
    return strides == (grad.itemsize, grad.itemsize * shape[0])


def flipped(x: Any) -> Any:
    """Matrices (arrays or tensors) with rows and columns swapped."""
    if isinstance(x, Tensor):
        return x.t() if x._array.ndim == 2 else x.transpose(-2, -1)
    return x.T if x.ndim == 2 else x.swapaxes(-2, -1)


def small_product(a: Any, b: Any) -> Any:
    """The product of two matrices that fit and are not empty, else None."""
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0] or not a.size or not b.size:
        return None
    return product(a, b)


# ---- the products that graphs show ---------------------------------------------------------------


@op(
    kind="promote",
    layout="contiguous",
    inplace=False,
    product=small_product,
    refuses=errors.check_mm,
    self=lambda grad, mat2, self_shape, self_strides: (
        flipped(mm(mat2, flipped(grad)))
        if by_columns(grad, self_shape, self_strides)
        else mm(grad, flipped(mat2))
    ),
    mat2=lambda grad, self, mat2_shape, mat2_strides: (
        flipped(mm(flipped(grad), self))
        if by_columns(grad, mat2_shape, mat2_strides)
        else mm(flipped(self), grad)
    ),
    holomorphic=True,
)
def mm(self, mat2):
    """The product of two matrices.

    >>> torch.mm(torch.tensor([[1, 2], [3, 4]]), torch.tensor([[1, 1], [0, 1]]))
    tensor([[1, 3],
            [3, 7]])
    """
    return product(self, mat2)


@op(
    kind="promote",
    layout="contiguous",
    inplace=False,
    refuses=errors.check_mv,
    self=lambda grad, vec: spread(grad, vec),
    vec=lambda grad, self: mv(flipped(self), grad),
    holomorphic=True,
)
def mv(self, vec):
    """The product of a matrix and a vector.

    >>> torch.mv(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10]))
    tensor([21, 43])
    """
    return product(self, vec)


@op(
    kind="promote",
    layout="contiguous",
    inplace=False,
    method=False,
    node="MulBackward0",
    self=lambda grad, vec2: mv(grad, vec2),
    vec2=lambda grad, self: mv(flipped(grad), self),
    holomorphic=True,
)
def spread(self, vec2):
    """The outer product of two vectors, as gradients need it."""
    return self[:, None] * vec2


@op(
    kind="promote",
    layout="contiguous",
    inplace=False,
    refuses=errors.check_dot,
    self=lambda grad, tensor: grad * tensor,
    tensor=lambda grad, self: grad * self,
    holomorphic=True,
)
def dot(self, tensor):
    """The dot product of two vectors: a 0-dim tensor.

    >>> torch.dot(torch.tensor([1, 2]), torch.tensor([10, 100]))
    tensor(210)
    """
    return np.dot(self, tensor)


@op(
    kind="promote",
    layout="contiguous",
    inplace=False,
    refuses=errors.check_bmm,
    self=lambda grad, mat2: bmm(grad, flipped(mat2)),
    mat2=lambda grad, self: bmm(flipped(self), grad),
    holomorphic=True,
)
def bmm(self, mat2):
    """The matrix products of two batches, pair by pair: (b, n, m) and (b, m, p) give (b, n, p).

    >>> torch.bmm(torch.ones(2, 1, 3), torch.ones(2, 3, 1)).shape
    torch.Size([2, 1, 1])
    """
    return product(self, mat2)


# ---- matmul --------------------------------------------------------------------------------------


@composite()
def matmul(self: Any, other: Any) -> Any:
    """The matrix product ``input @ other``: of vectors, of matrices, of batches of matrices.

    For two vectors, it is the dot product; leading dimensions are batches, which broadcast.

    >>> torch.matmul(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 10.]))
    tensor([21., 43.])
    """
    errors.require_tensors("matmul", self=self, other=other)
    return ranked(self, other)


def ranked(self: Any, other: Any) -> Any:
    """The product of two tensors, by the operation that their ranks call for."""
    one, two = self._array.ndim, other._array.ndim
    if one == 2 and two == 2:
        return mm(self, other)
    if not one or not two:
        raise RuntimeError(errors.matmul_scalar(one, two))
    if one == 1 and two == 1:
        return dot(self, other)
    if one == 2 and two == 1:
        return mv(self, other)
    if one == 1 and two == 2:
        return mm(self.unsqueeze(0), other).squeeze_(0)
    if folds(self, other):
        return folded(self, other)
    return batched(self, other)


def folds(input: Tensor, other: Tensor) -> bool:
    """Whether the batch of one operand can become rows of one matrix, without copying it.

    If the smaller operand requires grad, its gradient would otherwise be expanded over the batch
    and then summed; a copy is cheaper.
    """
    one, two = input._array.ndim, other._array.ndim
    large, small = (input, other) if one >= two else (other, input)
    if large._array.ndim < 3 or small._array.ndim > 2:
        return False
    if small.requires_grad:
        return True
    if one == 2:
        return False
    if large._array.size == 0:
        return True
    shape, strides = list(large._array.shape), list(large._array.strides)
    if large is other:
        shape[-2:], strides[-2:] = shape[:-3:-1], strides[:-3:-1]
    return all(strides[d] == strides[d + 1] * shape[d + 1] for d in range(len(shape) - 2))


def folded(input: Tensor, other: Tensor) -> Tensor:
    """The product when the batch of the larger operand becomes rows of one matrix."""
    turned = other._array.ndim > input._array.ndim
    large = other.transpose(-2, -1) if turned else input
    small = other if not turned else input.t() if input._array.ndim == 2 else input
    *batch, inner = large._array.shape
    rows = large.reshape(math.prod(batch), inner)
    if small._array.ndim == 1:
        return _unsafe_view(mv(rows, small), tuple(batch))
    result = _unsafe_view(mm(rows, small), (*batch, small._array.shape[1]))
    return result.transpose(-2, -1).contiguous() if turned else result


def batched(input: Tensor, other: Tensor) -> Tensor:
    """The product of two batches, as one `bmm`."""
    one, two = input._array.shape, other._array.shape
    if len(one) == 3 and len(two) == 3 and one[0] != two[0]:
        if one[0] == 1 and input.requires_grad:
            return ranked(input.squeeze(0), other)
        if two[0] == 1 and other.requires_grad:
            return ranked(input, other.squeeze(0))
    batch = one[:-2] if one[:-2] == two[:-2] else dims.broadcast(one[:-2], two[:-2])
    count = math.prod(batch)
    rows = one[-2] if len(one) > 1 else 1
    left = reshape(input.expand(*batch, rows, one[-1]), (count, rows, one[-1]))
    if len(two) == 1:
        right = reshape(other.expand(*batch, two[0]), (count, two[0])).unsqueeze(2)
        return _unsafe_view(bmm(left, right).squeeze(-1), (*batch, rows))
    right = reshape(other.expand(*batch, *two[-2:]), (count, *two[-2:]))
    return _unsafe_view(bmm(left, right), (*batch, *one[-2:-1], two[-1]))


def __matmul__(self: Tensor, other: Any) -> Any:
    """``self @ other``."""
    return ranked(self, other) if isinstance(other, Tensor) else NotImplemented


def __rmatmul__(self: Tensor, other: Any) -> Any:
    """``other @ self``."""
    return ranked(other, self) if isinstance(other, Tensor) else NotImplemented


attach_as("__matmul__", __matmul__)
attach_as("__rmatmul__", __rmatmul__)
