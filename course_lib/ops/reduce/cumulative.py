"""Running sums and products along a dimension; differences of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.declare.out import into
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.ops.elementwise.zeroing import masked
from course_lib.ops.reduce.adjoints import left_out, pairs, reshaped
from course_lib.ops.reduce.sums import has_zero, sum_along
from course_lib.words import errors

__all__ = [
    "cumprod",
    "cumsum",
    "diff",
]


def running(kernel: Any, array: Any, dim: int) -> Any:
    """`kernel` applied to all elements so far, along `dim`."""
    if not array.ndim:
        return array.copy()
    return kernel.accumulate(array, axis=wrap_dim(dim, array.ndim), dtype=array.dtype)


# ---- sums and products ---------------------------------------------------------------------------


@op(
    kind="sum",
    inplace=True,
    layout="contiguous",
    operands=("self",),
    refuses=errors.check_scan("cumsum"),
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
    refuses=errors.check_scan("cumprod"),
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
    others = cumprod(left_out(value, shape, axis), axis + 1)
    later = np.triu(np.ones((shape[axis],) * 2, bool)).reshape(pairs(shape, axis))
    wide = (*shape[:axis], 1, *shape[axis:])
    return sum_along(masked(reshaped(grad, wide) * others, later), axis + 1)


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
    from course_lib.ops.elementwise.compare import ne
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
        minus = ne if value._dtype.category == 0 else sub
        value = minus(later, earlier, out=last)
    if value is input:
        fresh = layout.like(input._array, input._array)
        value = into(out, Tensor._make(fresh, input._dtype).copy_(input), "")
    return value
