"""Reductions: many elements to one, by adding, multiplying, counting."""

import builtins
from collections.abc import Callable
from functools import partial
from operator import index
from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, lacks
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import method
from course_lib.declare.op import op, view_op
from course_lib.memory.adding import add_along
from course_lib.memory.dims import wrap_dims
from course_lib.ops.elementwise.powers import exp
from course_lib.ops.elementwise.zeroing import chosen, over
from course_lib.words import errors

__all__ = ["all", "any", "bincount", "count_nonzero", "logsumexp", "mean", "prod", "sum"]


# An operation on one tensor whose result lies row by row, whatever the input does.
reducing = partial(op, layout="contiguous")


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


def reshape_to(value: Any, size: Any) -> Any:
    """The elements in another shape."""
    return value.reshape(size)


def whole_or_along(whole: Callable, along: Callable) -> Callable:
    """One function for the reduction of everything and the one along dimensions, as in PyTorch."""

    def function(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 or "dim" in kwargs or "axis" in kwargs:
            return along(*args, **kwargs)
        return whole(*args, **kwargs)

    function.__name__ = function.__qualname__ = along.op.name
    function.__doc__, function.__module__ = along.__doc__, along.__module__
    function.__wrapped__ = along
    return method(function)


summing = partial(reducing, method=False)


@view_op(
    method=False,
    node="ExpandBackward0",
    self=lambda grad, like, dim, keepdim: sum_along(grad, dim, keepdim),
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


# ---- sums ----------------------------------------------------------------------------------------


def everywhere(grad: Any, shape: tuple) -> Any:
    """The gradient of a sum, shown at the place of every element: one number with stride 0."""
    if isinstance(grad, (np.ndarray, np.generic)) and grad.base is None:
        return np.ndarray(shape, grad.dtype, np.asarray(grad), 0, (0,) * len(shape))
    return spread(grad, shape, None, False)


@summing(
    kind="sum", node="SumBackward0", self=lambda grad, self_shape: everywhere(grad, self_shape)
)
def sum_all(self, *, dtype=None):
    """The sum of all elements."""
    return add_along(self)


@summing(
    kind="sum",
    name="sum",
    node="SumBackward1",
    self=lambda grad, self_shape, dim, keepdim: spread(grad, self_shape, dim, keepdim),
)
def sum_along(self, dim, keepdim=False, *, dtype=None):
    """The sum of all elements, or along `dim`: one dimension, several in a tuple, or None for all.

    Integers are summed in int64, unless `dtype` says otherwise.

    >>> torch.tensor([[1., 2.], [3., 4.]]).sum(0)
    tensor([4., 6.])
    """
    return add_along(self, axes(dim, self.ndim), keepdim)


sum = whole_or_along(sum_all, sum_along)


# ---- means ---------------------------------------------------------------------------------------


@summing(
    kind="mean",
    node="MeanBackward0",
    shows={"self_sym_numel": lambda node: count(node.self_shape_)},
    self=lambda grad, self_shape: over(everywhere(grad, self_shape), count(self_shape)),
)
def mean_all(self, *, dtype=None):
    """The mean of all elements."""
    return np.true_divide(add_along(self), self.dtype.type(self.size))


@summing(
    kind="mean",
    name="mean",
    node="MeanBackward1",
    shows={"self_sym_numel": lambda node: count(node.self_shape_)},
    self=lambda grad, self_shape, dim, keepdim: over(
        spread(grad, self_shape, dim, keepdim), count(self_shape, dim)
    ),
)
def mean_along(self, dim, keepdim=False, *, dtype=None):
    """The mean of all elements, or along `dim`: one dimension, several in a tuple, or None for all.

    >>> torch.tensor([[1., 2.], [3., 5.]]).mean(1)
    tensor([1.5000, 4.0000])
    """
    total = add_along(self, axes(dim, self.ndim), keepdim)
    return np.true_divide(total, self.dtype.type(count(self.shape, dim)))


mean = whole_or_along(mean_all, mean_along)


# ---- products ------------------------------------------------------------------------------------


def has_zero(value: Any) -> bool:
    """Whether a tensor or an array holds a zero."""
    array = value._array if isinstance(value, Tensor) else value
    return not hasattr(array, "restride") and not np.all(array)


@summing(
    kind="sum",
    node="ProdBackward0",
    self=lambda grad, self, self_shape, result: (
        grad
        * reshape_to(products_of_others(reshape_to(self, -1), (count(self_shape),), 0), self_shape)
        if has_zero(self)
        else grad * (result / self)
    ),
)
def prod_all(self, *, dtype=None):
    """The product of all elements."""
    return np.multiply.reduce(self, axis=None, dtype=self.dtype)


def products_of_others(value: Any, shape: Any, axis: int) -> Any:
    """For each element the product of all others along `axis`, even where some are zero.

    There is one copy of `value` for each index along `axis`, with a 1 instead of the element there.
    The copies lie along `axis`, their elements along ``axis + 1``.
    """
    n, lead, rest = shape[axis], shape[:axis], shape[axis + 1 :]
    copies = spread(value, (*lead, n, n, *rest), axis, False)
    others = ~np.eye(n, dtype=bool).reshape(*(1,) * len(lead), n, n, *(1,) * len(rest))
    return prod_along(chosen(copies, 1, others), axis + 1)


def product_gradient(
    grad: Any, self: Any, self_shape: Any, dim: int, keepdim: bool, result: Any
) -> Any:
    """The gradient of a product: for each element the product of all others, even with zeros."""
    grad = spread(grad, self_shape, dim, keepdim)
    if not has_zero(self):
        return grad * (spread(result, self_shape, dim, keepdim) / self)
    axis = axes(dim, len(self_shape))
    return grad * products_of_others(self, self_shape, *axis) if axis else grad


@summing(kind="sum", name="prod", node="ProdBackward1", self=product_gradient)
def prod_along(self, dim, keepdim=False, *, dtype=None):
    """The product of all elements, or along the dimension `dim`.

    >>> torch.tensor([[1, 2], [3, 4]]).prod(0)
    tensor([3, 8])
    """
    return np.multiply.reduce(self, axis=axes(dim, self.ndim), keepdims=keepdim, dtype=self.dtype)


prod = whole_or_along(prod_all, prod_along)

# ---- truth, and counting -------------------------------------------------------------------------


def truth(kernel: Any, array: Any, dim: Any, keepdim: bool) -> Any:
    """A bool result; for uint8 input it stays uint8, as in old PyTorch programs."""
    if dim == () or dim == []:
        result = np.not_equal(array, 0)
    else:
        result = kernel.reduce(array, axis=axes(dim, array.ndim), keepdims=keepdim)
    return result.astype(np.uint8) if array.dtype == np.uint8 else result


@reducing(kind="same")
def all(self, dim=None, keepdim=False):
    """True if all elements are nonzero, in the whole tensor or along `dim`.

    >>> torch.tensor([[True, False], [True, True]]).all(1)
    tensor([False,  True])
    """
    return truth(np.logical_and, self, dim, keepdim)


@reducing(kind="same")
def any(self, dim=None, keepdim=False):
    """True if any element is nonzero, in the whole tensor or along `dim`.

    >>> torch.tensor([[True, False], [False, False]]).any(1)
    tensor([ True, False])
    """
    return truth(np.logical_or, self, dim, keepdim)


@reducing(
    operands=("self",),
    refuses=(
        lacks("bool floating complex", "bincount_cpu"),
        Rule(lambda minlength: minlength < 0, errors.BINCOUNT_LENGTH),
        Rule(
            lambda self: self._array.ndim != 1 or (self._array.size and self._array.min() < 0),
            errors.BINCOUNT_INPUT,
        ),
        Rule(
            lambda self, weights: weights is not None and weights.shape != self.shape,
            errors.BINCOUNT_WEIGHTS,
        ),
    ),
)
def bincount(self, weights=None, minlength=0):
    """How often each of the numbers 0, 1, 2 … occurs in `input`; with `weights`, their sums.

    >>> torch.bincount(torch.tensor([1, 1, 3]))
    tensor([0, 2, 0, 1])
    """
    length = max(int(self.max()) + 1 if self.size else 0, minlength)
    if weights is None:
        return np.bincount(self, minlength=length).astype(np.int64)
    result = np.zeros(length, np.float32 if weights.dtype == np.float32 else np.float64)
    np.add.at(result, self, weights)
    return result


@reducing(kind="same")
def count_nonzero(self, dim=None):
    """How many elements are not zero, in the whole tensor or along `dim`.

    >>> torch.tensor([[0, 2], [1, 1]]).count_nonzero(0)
    tensor([1, 2])
    """
    return np.add.reduce(np.not_equal(self, 0), axis=axes(dim, self.ndim), dtype=np.int64)


# ---- other sums ----------------------------------------------------------------------------------


@method
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


@reducing(
    kind="float",
    inplace=False,
    refuses=Rule(
        lambda self, dim, keepdim: (
            dim in ((), []) and not keepdim and self._array.ndim and self._array.size
        ),
        lambda self, **_: errors.inplace_shape((), (1,) * self._array.ndim),
    ),
    self=lambda grad, self, self_shape, result, dim, keepdim: (
        spread(grad, self_shape, dim, keepdim)
        * exp(self - spread(result, self_shape, dim, keepdim))
    ),
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
    high = np.where(np.isfinite(high), high, high.dtype.type(0))
    total = np.log(np.add.reduce(np.exp(self - high), axis=over, keepdims=keepdim))
    return total + (high if keepdim else np.squeeze(high, over))
