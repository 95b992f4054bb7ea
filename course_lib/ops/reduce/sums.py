"""Reductions: many elements to one, by adding, multiplying, counting."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import dispatcher
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.memory.adding import added
from course_lib.ops.elementwise.exponentials import exp
from course_lib.ops.reduce.adjoints import axes, count, left_out, reshaped, spread
from course_lib.words import errors

__all__ = ["all", "any", "logsumexp", "mean", "prod", "sum"]


def overloaded(whole: Callable, along: Callable) -> Callable:
    """One function for the reduction of everything and the one along dimensions, as in PyTorch."""

    def function(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 or "dim" in kwargs or "axis" in kwargs:
            return along(*args, **kwargs)
        return whole(*args, **kwargs)

    function.__name__ = function.__qualname__ = along.op.name
    function.__doc__, function.__module__ = along.__doc__, along.__module__
    function.__wrapped__ = along
    return dispatcher(function)


# ---- sums ----------------------------------------------------------------------------------------


@op(
    kind="sum",
    name="sum_all",
    node="SumBackward0",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self_shape: spread(grad, self_shape, None, False),
    holomorphic=True,
)
def sum_all(self, *, dtype=None):
    """The sum of all elements."""
    return added(self)


@op(
    kind="sum",
    name="sum",
    refuses=errors.check_keepdim,
    node="SumBackward1",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self_shape, dim, keepdim: spread(grad, self_shape, dim, keepdim),
    holomorphic=True,
)
def sum_along(self, dim, keepdim=False, *, dtype=None):
    """The sum of all elements, or along `dim`: one dimension, several in a tuple, or None for all.

    Integers are summed in int64, unless `dtype` says otherwise.

    >>> torch.tensor([[1., 2.], [3., 4.]]).sum(0)
    tensor([4., 6.])
    """
    return added(self, axes(dim, self.ndim), keepdim)


sum = overloaded(sum_all, sum_along)


# ---- means ---------------------------------------------------------------------------------------


@op(
    kind="mean",
    name="mean_all",
    node="MeanBackward0",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self_shape: spread(grad, self_shape, None, False) / count(self_shape),
    holomorphic=True,
)
def mean_all(self, *, dtype=None):
    """The mean of all elements."""
    return np.true_divide(added(self), self.dtype.type(self.size))


@op(
    kind="mean",
    name="mean",
    refuses=errors.check_keepdim,
    node="MeanBackward1",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self_shape, dim, keepdim: (
        spread(grad, self_shape, dim, keepdim) / count(self_shape, dim)
    ),
    holomorphic=True,
)
def mean_along(self, dim, keepdim=False, *, dtype=None):
    """The mean of all elements, or along `dim`: one dimension, several in a tuple, or None for all.

    >>> torch.tensor([[1., 2.], [3., 5.]]).mean(1)
    tensor([1.5000, 4.0000])
    """
    total = added(self, axes(dim, self.ndim), keepdim)
    return np.true_divide(total, self.dtype.type(count(self.shape, dim)))


mean = overloaded(mean_all, mean_along)


# ---- products ------------------------------------------------------------------------------------


def has_zero(value: Any) -> bool:
    """Whether a tensor or an array holds a zero."""
    array = value._array if isinstance(value, Tensor) else value
    return not hasattr(array, "restride") and not np.all(array)


@op(
    kind="sum",
    name="prod_all",
    node="ProdBackward0",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self, self_shape, result: (
        grad * (products_of_others(self, self_shape) if has_zero(self) else result / self)
    ),
    holomorphic=True,
)
def prod_all(self, *, dtype=None):
    """The product of all elements."""
    return np.multiply.reduce(self, axis=None, dtype=self.dtype)


@op(
    kind="sum",
    name="prod",
    refuses=errors.check_one_dim,
    node="ProdBackward1",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self, self_shape, dim, keepdim, result: product_gradient(
        spread(grad, self_shape, dim, keepdim), self, self_shape, dim, keepdim, result
    ),
    holomorphic=True,
)
def prod_along(self, dim, keepdim=False, *, dtype=None):
    """The product of all elements, or along the dimension `dim`.

    >>> torch.tensor([[1, 2], [3, 4]]).prod(0)
    tensor([3, 8])
    """
    return np.multiply.reduce(self, axis=axes(dim, self.ndim), keepdims=keepdim, dtype=self.dtype)


def products_of_others(value: Any, shape: Any) -> Any:
    """For each element the product of all others."""
    copies = left_out(reshaped(value, (-1,)), (count(shape),), 0)
    return reshaped(prod_along(copies, 1), shape)


def product_gradient(
    grad: Any, value: Any, shape: Any, dim: int, keepdim: bool, result: Any
) -> Any:
    """The gradient of a product: for each element the product of all others, even with zeros."""
    if not has_zero(value):
        return grad * (spread(result, shape, dim, keepdim) / value)
    if not shape:
        return grad
    [axis] = axes(dim, len(shape))
    return grad * prod_along(left_out(value, shape, axis), axis + 1)


prod = overloaded(prod_all, prod_along)

# ---- truth, and counting -------------------------------------------------------------------------


def truth(array: Any, result: Any) -> Any:
    """A bool result; for uint8 input it stays uint8, as in old PyTorch programs."""
    return result.astype(np.uint8) if array.dtype == np.uint8 else result


@op(kind="same", layout="contiguous", operands=("self",))
def all(self, dim=None, keepdim=False):
    """True if all elements are nonzero, in the whole tensor or along `dim`.

    >>> torch.tensor([[True, False], [True, True]]).all(1)
    tensor([False,  True])
    """
    if dim == ():
        return truth(self, np.not_equal(self, 0))
    return truth(self, np.logical_and.reduce(self, axis=axes(dim, self.ndim), keepdims=keepdim))


@op(kind="same", layout="contiguous", operands=("self",))
def any(self, dim=None, keepdim=False):
    """True if any element is nonzero, in the whole tensor or along `dim`.

    >>> torch.tensor([[True, False], [False, False]]).any(1)
    tensor([ True, False])
    """
    if dim == ():
        return truth(self, np.not_equal(self, 0))
    return truth(self, np.logical_or.reduce(self, axis=axes(dim, self.ndim), keepdims=keepdim))


def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """The tensor summed down to `size`, over the dimensions that broadcasting `size` would expand.

    >>> torch.tensor([[1, 2], [3, 4]]).sum_to_size(2)
    tensor([4, 6])
    """
    shape = self._array.shape
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    if not size:  # all of it, even of one number
        return sum_all(self)
    lead = len(shape) - len(size)
    if lead < 0 or not builtins.all(n in (1, m) for n, m in zip(size, shape[lead:], strict=True)):
        raise RuntimeError(errors.not_expandable(size, shape))
    over = [*range(lead), *(d for d in range(lead, len(shape)) if size[d - lead] == 1 != shape[d])]
    if over:
        self = sum_along(self, tuple(over), True)
    return self.view(size) if lead else self


attach_as("sum_to_size", sum_to_size)


@op(
    kind="float",
    inplace=False,
    layout="contiguous",
    operands=("self",),
    refuses=errors.check_logsumexp,
    self=lambda grad, self, self_shape, result, dim, keepdim: (
        spread(grad, self_shape, dim, keepdim)
        * exp(self - spread(result, self_shape, dim, keepdim))
    ),
    holomorphic=True,
)
def logsumexp(self, dim, keepdim=False):
    """``log(sum(exp(x)))`` along `dim`, even where the exponentials would overflow.

    >>> torch.tensor([1000., 1000.]).logsumexp(0)
    tensor(1000.6932)
    """
    over = axes(dim, self.ndim)
    if not self.size:
        return np.log(np.add.reduce(self, axis=over, keepdims=keepdim))
    high = np.max(np.real(self), axis=over, keepdims=True)
    high = np.where(np.isfinite(high), high, self.real.dtype.type(0))
    total = np.log(np.add.reduce(np.exp(self - high), axis=over, keepdims=keepdim))
    return total + (high if keepdim else np.squeeze(high, over))
