"""Matrix products: of vectors, matrices, batches of matrices; and a product plus a tensor.

PyTorch's `matmul` is not one operation: by the ranks of its operands it becomes `dot`, `mv`, `mm`
or `bmm` with views around it, and those are what a graph shows.
"""

import math
from functools import partial
from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, lacks, refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.methods import method
from course_lib.declare.op import op
from course_lib.memory import dims
from course_lib.memory.meta import MetaArray, check_devices
from course_lib.ops.elementwise import zeroing
from course_lib.ops.elementwise.arithmetic import scale
from course_lib.ops.shape.expand import expand
from course_lib.ops.shape.reshape import _unsafe_view, reshape
from course_lib.ops.shape.transpose import swap_axes
from course_lib.words import errors

__all__ = ["addmm", "bmm", "dot", "matmul", "mm", "mv"]


# An operation whose result is a new tensor in row-major order.
dense = partial(op, kind="promote", layout="contiguous", inplace=False)


def product(a: Any, b: Any) -> Any:
    """The matrix product of two arrays; `np.dot` is faster than `@` on small matrices."""
    if a.__class__ is MetaArray or b.__class__ is MetaArray:
        return MetaArray((*a.shape[:-1], *b.shape[b.ndim - 1 if b.ndim > 1 else 1 :]), a.dtype)
    return np.dot(a, b) if a.ndim < 3 and b.ndim < 3 else np.matmul(a, b)


def small_product(a: Any, b: Any) -> Any:
    """The product of two matrices in memory; raises ValueError for others, and if it is empty."""
    if not (a.__class__ is b.__class__ is np.ndarray and a.ndim == b.ndim == 2 and a.size * b.size):
        raise ValueError(a, b)
    return a.dot(b)


# ---- what fits -----------------------------------------------------------------------------------


def differ(one: Any, other: Any) -> bool:
    """Whether two tensors have different dtypes."""
    return one._dtype is not other._dtype


def check_mm(self: Any, mat2: Any) -> None:
    """Raise PyTorch's error unless two matrices can be multiplied."""
    for name, value in (("self", self), ("mat2", mat2)):
        refuse(value._array.ndim != 2, errors.no_matrix, name)
    check_inner(self, mat2)
    refuse(differ(self, mat2), errors.two_dtypes, self, mat2)


def check_inner(mat1: Any, mat2: Any) -> None:
    """Raise PyTorch's error unless one has as many columns as the other has rows."""
    refuse(mat1._array.shape[1] != mat2._array.shape[0], errors.inner_sizes, mat1, mat2)


def check_batches(batch1: Any, batch2: Any) -> None:
    """Raise unless these are two 3-D tensors of equally many matrices that can be multiplied."""
    for name, value in (("batch1", batch1), ("batch2", batch2)):
        refuse(value._array.ndim != 3, errors.no_batch, name)
    (count, _, inner), got = batch1._array.shape, batch2._array.shape[:2]
    refuse((count, inner) != got, errors.bmm_sizes, (count, inner), got)
    refuse(differ(batch1, batch2), errors.expected_scalar_type, batch1, batch2)


# ---- the products that graphs show ---------------------------------------------------------------


def to_factor(grad: Any, left: Any, right: Any, shape: tuple, strides: tuple) -> Any:
    """The gradient of the factor of a product that is not given; that factor has these strides.

    Note [Turned factors]: the gradient of a column-major matrix is computed transposed, too.  So
    the weight of a linear layer, which enters as ``weight.t()``, gets a gradient in its own
    layout, uncopied.
    """
    times = np.ndarray.dot if grad.__class__ is np.ndarray else mm
    if strides == (grad.itemsize, grad.itemsize * shape[0]):  # the size of elements now
        grad = swap_axes(grad)
        return swap_axes(times(right, grad) if left is None else times(grad, left))
    return times(grad, swap_axes(right)) if left is None else times(swap_axes(left), grad)


@dense(
    product=small_product,
    refuses=(check_mm, lacks("bool", "addmm_impl_cpu_")),
    self=lambda grad, mat2, self_shape, self_strides: to_factor(
        grad, None, mat2, self_shape, self_strides
    ),
    mat2=lambda grad, self, mat2_shape, mat2_strides: to_factor(
        grad, self, None, mat2_shape, mat2_strides
    ),
)
def mm(self, mat2):
    """The product of two matrices.

    >>> torch.mm(torch.tensor([[1, 2], [3, 4]]), torch.tensor([[1, 1], [0, 1]]))
    tensor([[1, 3],
            [3, 7]])
    """
    return product(self, mat2)


@dense(
    refuses=(
        Rule(lambda self: not self._array.ndim, errors.MV_SCALAR, IndexError),
        Rule(lambda self, vec: (self._array.ndim, vec._array.ndim) != (2, 1), errors.mv_ranks),
        Rule(lambda self, vec: self._array.shape[1] != vec._array.shape[0], errors.mv_sizes),
        Rule(differ, errors.mv_dtypes, of=("self", "vec")),
        lacks("bool", "addmv_impl_cpu"),
    ),
    self=lambda grad, vec: grad.reshape(-1, 1) * vec,
    vec=lambda grad, self: mv(swap_axes(self), grad),
)
def mv(self, vec):
    """The product of a matrix and a vector.

    >>> torch.mv(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10]))
    tensor([21, 43])
    """
    if self.__class__ is not vec.__class__:
        check_devices((self, vec))
    return product(self, vec)


@dense(
    refuses=(
        Rule(lambda self, tensor: {self._array.ndim, tensor._array.ndim} != {1}, errors.dot_ranks),
        Rule(differ, errors.dot_dtypes, of=("self", "tensor")),
        Rule(lambda self, tensor: self._array.shape != tensor._array.shape, errors.dot_sizes),
        lacks("bool", "dot"),
    ),
    self=lambda grad, tensor: grad * tensor,
    tensor=lambda grad, self: grad * self,
)
def dot(self, tensor):
    """The dot product of two vectors: a 0-dim tensor.

    >>> torch.dot(torch.tensor([1, 2]), torch.tensor([10, 100]))
    tensor(210)
    """
    if self.__class__ is not tensor.__class__:
        check_devices((self, tensor))
    return np.dot(self, tensor)


@dense(
    refuses=(lambda self, mat2: check_batches(self, mat2), lacks("bool", "bmm")),
    self=lambda grad, mat2: bmm(grad, swap_axes(mat2)),
    mat2=lambda grad, self: bmm(swap_axes(self), grad),
)
def bmm(self, mat2):
    """The matrix products of two batches, pair by pair: (b, n, m) and (b, m, p) give (b, n, p).

    >>> torch.bmm(torch.ones(2, 1, 3), torch.ones(2, 3, 1)).shape
    torch.Size([2, 1, 1])
    """
    return product(self, mat2)


# ---- a product plus a tensor ---------------------------------------------------------------------


def add_product(self: Any, result: Any, beta: Any, alpha: Any) -> Any:
    """``beta * self + alpha * result``; with a `beta` of 0, even a nan in `self` is ignored."""
    result = scale(result, alpha)
    return result if beta == 0 else np.add(result, scale(self, beta))


def times(grad: Any, factor: Any) -> Any:
    """A gradient times the factor of its term."""
    return grad if factor == 1 else zeroing.times(grad, factor)


def small_sum(bias: Any, a: Any, b: Any) -> Any:
    """``bias + a @ b``; raises ValueError for what is not in memory, and if it is empty."""
    if bias.__class__ is not np.ndarray:
        raise ValueError(bias)
    result = small_product(a, b)
    result += bias
    return result


def check_addmm(self: Any, mat1: Any, mat2: Any) -> None:
    """Raise PyTorch's error unless the product can be added to the tensor."""
    for name, one in (("self", self), ("mat1", mat1)):
        refuse(differ(one, mat2), errors.addmm_dtypes, name, one, mat2)
    for name, matrix in (("mat1", mat1), ("mat2", mat2)):
        refuse(matrix._array.ndim != 2, errors.addmm_rank, name, matrix)
    check_inner(mat1, mat2)
    expand.op.kernel(self._array, (mat1.shape[0], mat2.shape[1]))


complex_factor = Rule(
    lambda self, beta, alpha: isinstance(beta + alpha, complex) and not self._dtype.is_complex,
    errors.complex_factor,
)


@dense(
    inplace=True,
    product=small_sum,
    refuses=(check_addmm, complex_factor, lacks("bool", "addmm_impl_cpu_")),
    self=lambda grad, beta: times(grad, beta),
    mat1=lambda grad, mat2, mat1_shape, mat1_strides, alpha: times(
        to_factor(grad, None, mat2, mat1_shape, mat1_strides), alpha
    ),
    mat2=lambda grad, mat1, mat2_shape, mat2_strides, alpha: times(
        to_factor(grad, mat1, None, mat2_shape, mat2_strides), alpha
    ),
)
def addmm(self, mat1, mat2, *, beta=1, alpha=1):
    """``beta * self + alpha * (mat1 @ mat2)``: what a linear layer computes.

    >>> x, w = torch.ones(2, 3), torch.ones(3, 2)
    >>> torch.addmm(torch.tensor([10., 20.]), x, w)
    tensor([[13., 23.],
            [13., 23.]])
    """
    if mat1.__class__ is not self.__class__:
        check_devices((mat1, self))
    return add_product(self, product(mat1, mat2), beta, alpha)


@dense(
    method=False,
    refuses=lambda batch1, batch2: check_batches(batch1, batch2),
    self=lambda grad: grad,
    batch1=lambda grad, batch2: bmm(grad, swap_axes(batch2)),
    batch2=lambda grad, batch1: bmm(swap_axes(batch1), grad),
)
def baddbmm(self, batch1, batch2):
    """``self + bmm(batch1, batch2)``: the scores of attention, with a mask."""
    return np.add(product(batch1, batch2), self)


# ---- matmul --------------------------------------------------------------------------------------


@composite()
def matmul(self: Any, other: Any) -> Any:
    """The matrix product ``input @ other``: of vectors, of matrices, of batches of matrices.

    For two vectors, it is the dot product; leading dimensions are batches, which broadcast.

    >>> torch.matmul(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 10.]))
    tensor([21., 43.])
    """
    return multiply_by_rank(self, other)


def multiply_by_rank(self: Any, other: Any) -> Any:
    """The product of two tensors, by the operation that their ranks call for."""
    one, two = self._array.ndim, other._array.ndim
    if one == 2 and two == 2:
        return mm(self, other)
    refuse(not one or not two, errors.product_scalar, "matmul", one, two)
    if one == 1 and two == 1:
        return dot(self, other)
    if one == 2 and two == 1:
        return mv(self, other)
    if one == 1 and two == 2:
        return mm(self.unsqueeze(0), other).squeeze_(0)
    if folds(self, other):
        return multiply_folded(self, other)
    return multiply_batches(self, other)


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


def multiply_folded(input: Tensor, other: Tensor) -> Tensor:
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


def multiply_batches(input: Tensor, other: Tensor) -> Tensor:
    """The product of two batches, as one `bmm`."""
    one, two = input._array.shape, other._array.shape
    if len(one) == 3 and len(two) == 3 and one[0] != two[0]:
        if one[0] == 1 and input.requires_grad:
            return multiply_by_rank(input.squeeze(0), other)
        if two[0] == 1 and other.requires_grad:
            return multiply_by_rank(input, other.squeeze(0))
    batch = one[:-2] if one[:-2] == two[:-2] else dims.broadcast(one[:-2], two[:-2])
    count = math.prod(batch)
    rows = one[-2] if len(one) > 1 else 1
    left = reshape(input.expand(*batch, rows, one[-1]), (count, rows, one[-1]))
    if len(two) == 1:
        right = reshape(other.expand(*batch, two[0]), (count, two[0])).unsqueeze(2)
        return _unsafe_view(bmm(left, right).squeeze(-1), (*batch, rows))
    right = reshape(other.expand(*batch, *two[-2:]), (count, *two[-2:]))
    return _unsafe_view(bmm(left, right), (*batch, *one[-2:-1], two[-1]))


@method
def __matmul__(self: Tensor, other: Any) -> Any:
    """``self @ other``."""
    return multiply_by_rank(self, other) if isinstance(other, Tensor) else NotImplemented


@method
def __rmatmul__(self: Tensor, other: Any) -> Any:
    """``other @ self``."""
    return multiply_by_rank(other, self) if isinstance(other, Tensor) else NotImplemented
