"""Scans: running sums, products and extremes along a dimension; differences of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.declare.out import into
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.ops.elementwise.exponentials import exp, log, logaddexp
from course_lib.ops.elementwise.rounding import conj
from course_lib.ops.elementwise.zeroing import chosen, is_complex
from course_lib.ops.reduce.adjoints import left_out, reshaped
from course_lib.ops.reduce.sums import has_zero, sum_along
from course_lib.ops.shape.rearrange import flip
from course_lib.words import errors

__all__ = ["cumprod", "cumsum", "diff", "logcumsumexp"]

WIDE = 200  # elements in a row, which are added at once
LOG_OF_NOTHING = -6e4  # finite, so that its derivatives are numbers; even float16 can hold it


def running(kernel: Any, array: Any, dim: int) -> Any:
    """`kernel` applied to all elements so far, along `dim`."""
    if not array.ndim:
        return array.copy()
    axis = wrap_dim(dim, array.ndim)
    wide = array.size >= WIDE * array.shape[axis] and array.strides[-1] == array.itemsize
    if axis or not wide or array.__class__ is not np.ndarray:
        return kernel.accumulate(array, axis=axis, dtype=array.dtype)
    result = np.empty(array.shape, array.dtype)
    before = result[:1]
    before[...] = array[:1]
    for row in range(1, len(array)):  # NumPy would go down the columns, one after the other
        before = kernel(before, array[row : row + 1], out=result[row : row + 1])
    return result


# ---- sums and products ---------------------------------------------------------------------------


@op(
    kind="sum",
    inplace=True,
    layout="contiguous",
    operands=("self",),
    check=errors.check_scan("cumsum"),
    self=lambda grad, dim: cumsum_back(grad, dim),
    holomorphic=True,
)
def cumsum(self, dim, *, dtype=None):
    """The running sum along `dim`: each element plus all those before it.

    >>> torch.tensor([1, 2, 3]).cumsum(0)
    tensor([1, 3, 6])
    """
    return running(np.add, self, dim)


@op(
    kind="same",
    node="FlipBackward0",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, dim: cumsum(grad, dim),
)
def cumsum_back(self, dim):
    """The sum of this element and all later ones, along `dim`."""
    if not self.ndim:
        return self.copy()
    axis = wrap_dim(dim, self.ndim)
    return np.flip(np.add.accumulate(np.flip(self, axis), axis=axis), axis).copy()


@op(
    kind="sum",
    inplace=True,
    layout="contiguous",
    operands=("self",),
    check=errors.check_scan("cumprod"),
    self=lambda grad, self, self_shape, result, dim: (
        products_gradient(grad, self, self_shape, dim)
        if self_shape and has_zero(self)
        else cumsum_back(grad * result, dim) / self
        if self_shape
        else grad
    ),
    holomorphic=True,
)
def cumprod(self, dim, *, dtype=None):
    """The running product along `dim`: each element times all those before it.

    >>> torch.tensor([1, 2, 3]).cumprod(0)
    tensor([1, 2, 6])
    """
    return running(np.multiply, self, dim)


def products_gradient(grad: Any, value: Any, shape: Any, dim: int) -> Any:
    """The gradient of running products some of which are zero, computed without division."""
    axis = wrap_dim(dim, len(shape))
    others = cumprod(left_out(value, axis), axis + 1)
    wide = (*shape[:axis], 1, *shape[axis:])
    return sum_along(reshaped(grad, wide) * from_own(others, axis), axis + 1)


@op(
    kind="same",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, axis: from_own(grad, axis),
)
def from_own(self, axis):
    """Zeros where the index along ``axis + 1`` is before that along `axis`."""
    shape = [1] * self.ndim
    shape[axis] = shape[axis + 1] = self.shape[axis]
    mask = np.triu(np.ones((self.shape[axis],) * 2, bool)).reshape(shape)
    return np.where(mask, self, self.dtype.type(0))


@op(
    kind="float",
    inplace=False,
    layout="contiguous",
    operands=("self",),
    check=errors.check_logcumsumexp,
    self=lambda grad, self, self_shape, result, dim: (
        exponentials_gradient(grad, self, result, dim) if self_shape else grad
    ),
)
def logcumsumexp(self, dim):
    """``log(cumsum(exp(x)))`` along `dim`, even where the exponentials would overflow.

    >>> torch.tensor([0., 0.]).logcumsumexp(0)
    tensor([0.0000, 0.6931])
    """
    if self.dtype.kind != "c" or not self.ndim:
        return running(np.logaddexp, self, dim)
    result = self.copy()
    rows = np.moveaxis(result, wrap_dim(dim, self.ndim), 0)
    for i in range(1, len(rows)):
        rows[i] = logaddexp.op.kernel(rows[i - 1], rows[i])
    return result


def exponentials_gradient(grad: Any, value: Any, result: Any, dim: int) -> Any:
    """The sum of ``grad * exp(value - result)`` over later results, summed as logarithms too."""
    if is_complex(value):
        return conj(later(log(conj(grad)), value, result, dim))
    return later(logarithm(grad), value, result, dim) - later(logarithm(-grad), value, result, dim)


def later(logs: Any, value: Any, result: Any, dim: int) -> Any:
    """``exp(logs - result)`` added up from the last element to this, times ``exp(value)``."""
    return exp(flip(logcumsumexp(flip(logs - result, (dim,)), dim), (dim,)) + value)


def logarithm(grad: Any) -> Any:
    """The logarithm of what is positive; elsewhere one whose exponential is 0."""
    return chosen(log(abs(grad)), LOG_OF_NOTHING, grad > 0)


# ---- differences ---------------------------------------------------------------------------------


@composite()
def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element minus the one before it, along `dim`; repeated `n` times.

    First, `prepend` and `append` are put before and after the elements.

    >>> torch.tensor([1, 4, 9]).diff()
    tensor([3, 5])
    """
    from course_lib.ops.elementwise.arithmetic import sub
    from course_lib.ops.elementwise.logic import logical_xor
    from course_lib.ops.pick.slices import narrow
    from course_lib.ops.shape.join import cat

    if not input._array.ndim:
        raise RuntimeError(errors.DIFF_OF_SCALAR)
    if n < 0:
        raise RuntimeError(errors.negative_order(n))
    for part in (prepend, append):
        if part is not None:
            errors.check_diff_part(input, part, wrap_dim(dim, input._array.ndim))
    parts = [part for part in (prepend, input, append) if part is not None]
    value = cat(parts, dim) if n and len(parts) > 1 else input
    for turn in range(n):
        size = value._array.shape[wrap_dim(dim, value._array.ndim)]
        if not size:
            break
        later, earlier = narrow(value, dim, 1, size - 1), narrow(value, dim, 0, size - 1)
        last = out if turn == n - 1 else None
        minus = logical_xor if value._dtype.category == 0 else sub
        value = minus(later, earlier, out=last)
    if value is input:
        fresh = layout.like(input._array, input._array)
        value = into(out, Tensor._make(fresh, input._dtype).copy_(input), "")
    return value
