"""Running sums and products along a dimension; differences of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, within
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.out import into
from course_lib.memory.dims import wrap_dim
from course_lib.ops.elementwise.arithmetic import sub
from course_lib.ops.elementwise.compare import ne
from course_lib.ops.elementwise.zeroing import masked
from course_lib.ops.make.like import empty_like
from course_lib.ops.pick.slices import narrow
from course_lib.ops.reduce.adjoints import adjoint, left_out, pairs, reducing, reshaped
from course_lib.ops.reduce.sums import has_zero, sum_along
from course_lib.ops.shape.join import cat
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


def scan(formula: Any) -> Any:
    """Declare a running sum or product, given its gradient."""
    return reducing(
        kind="sum",
        inplace=True,
        refuses=(
            within("dim"),
            Rule(
                lambda dtype: dtype is not None and not dtype.category,
                lambda name, dtype, **_: errors.no_kernel(f"{name}_out_cpu", dtype),
                NotImplementedError,
            ),
        ),
        self=formula,
        holomorphic=True,
    )


# ---- sums and products ---------------------------------------------------------------------------


@scan(lambda grad, dim: cumsum_back(grad, dim))
def cumsum(self, dim, *, dtype=None):
    """The running sum along `dim`: each element plus all those before it.

    >>> torch.tensor([1, 2, 3]).cumsum(0)
    tensor([1, 3, 6])
    """
    return running(np.add, self, dim)


@adjoint(node="FlipBackward0", self=lambda grad, dim: cumsum(grad, dim))
def cumsum_back(self, dim):
    """The sum of this element and all later ones, along `dim`."""
    if not self.ndim:
        return self.copy()
    axis = wrap_dim(dim, self.ndim)
    return np.flip(np.add.accumulate(np.flip(self, axis), axis=axis), axis).copy()


@scan(
    lambda grad, self, self_shape, result, dim: (
        products_gradient(grad, self, self_shape, dim)
        if self_shape and has_zero(self)
        else cumsum_back(grad * result, dim) / self
        if self_shape
        else grad
    )
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
    shape = input._array.shape
    if not shape:
        raise RuntimeError(errors.DIFF_OF_SCALAR)
    if n < 0:
        raise RuntimeError(errors.negative_order(n))
    axis = wrap_dim(dim, len(shape))
    for part in (prepend, append):
        if part is not None:
            check_part(shape, part._array.shape, axis)
    parts = [part for part in (prepend, input, append) if part is not None]
    value = cat(parts, dim) if n and len(parts) > 1 else input
    minus = ne if input._dtype.category == 0 else sub
    for _ in range(n):
        size = value._array.shape[axis]
        if not size:
            break
        value = minus(narrow(value, dim, 1, size - 1), narrow(value, dim, 0, size - 1))
    if value is input:
        return into(out, empty_like(input.detach()).copy_(input), "")
    return into(out, value, minus.op.name, minus.op.name)


def check_part(shape: tuple, other: tuple, axis: int) -> None:
    """Raise unless what comes before or after has the shape of the input, except along `axis`."""
    if len(shape) != len(other):
        raise RuntimeError(errors.DIFF_RANKS)
    for at, (one, two) in enumerate(zip(shape, other, strict=True)):
        if one != two and at != axis:
            raise RuntimeError(errors.diff_sizes(at, one, two))
