"""Scans: running sums, products and extremes along a dimension; differences of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors, layout
from course_lib.facts.dims import wrap_dim
from course_lib.forms.composite import composite
from course_lib.forms.declare import op
from course_lib.ops.adjoints import left_out, placed, reshaped
from course_lib.ops.powers import exp
from course_lib.ops.reduce import has_zero, sum_along

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "diff", "logcumsumexp"]


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
    check=errors.check_scan("cumsum"),
    self=lambda grad, dim: cumsum_back(grad, dim),
    holomorphic=True,
)
def cumsum(self: Any, dim: int, *, dtype: Any = None) -> Any:
    """The sum of the elements so far, along `dim`.

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
def cumsum_back(self: Any, dim: int) -> Any:
    """The sum of this element and all later ones, along `dim`."""
    if not self.ndim:
        return self.copy()
    axis = wrap_dim(dim, self.ndim)
    return np.flip(np.add.accumulate(np.flip(self, axis), axis=axis), axis)


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
def cumprod(self: Any, dim: int, *, dtype: Any = None) -> Any:
    """The product of the elements so far, along `dim`.

    >>> torch.tensor([1, 2, 3]).cumprod(0)
    tensor([1, 2, 6])
    """
    return running(np.multiply, self, dim)


def products_gradient(grad: Any, value: Any, shape: Any, dim: int) -> Any:
    """The gradient of running products of which some are zero: no division allowed."""
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
def from_own(self: Any, axis: int) -> Any:
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
    self=lambda grad, self, result, dim: cumsum_back(grad * exp(-result), dim) * exp(self),
)
def logcumsumexp(self: Any, dim: int) -> Any:
    """``log(cumsum(exp(x)))`` along `dim`, also where the exponentials would overflow.

    >>> torch.tensor([0., 0.]).logcumsumexp(0)
    tensor([0.0000, 0.6931])
    """
    return running(np.logaddexp, self, dim)


# ---- extremes ------------------------------------------------------------------------------------


def running_extreme(kernel: Any, name: str, text: str) -> Any:
    """`cummax` or `cummin`; of equal elements the last one's index counts."""

    def scan(self: Any, dim: int) -> Any:
        values = running(kernel, self, dim)
        if not self.ndim:
            return values, np.zeros_like(self, np.int64)
        axis = wrap_dim(dim, self.ndim)
        shape = [1] * self.ndim
        shape[axis] = self.shape[axis]
        places = np.arange(self.shape[axis]).reshape(shape)
        taken = np.equal(self, values)
        if self.dtype.kind == "f":
            taken = np.logical_or(taken, np.isnan(self))
        indices = np.maximum.accumulate(np.where(taken, places, 0), axis=axis)
        return values, indices

    scan.__doc__ = text
    return op(
        kind="same",
        name=name,
        layout="contiguous",
        operands=("self",),
        returns=("values", "indices"),
        check=errors.check_running_extreme(name),
        self=lambda grad, self_shape, dim, indices: placed(grad, self_shape, indices, dim, True),
    )(scan)


cummax = running_extreme(
    np.maximum,
    "cummax",
    """The largest element so far, along `dim`, and its index.

    >>> torch.tensor([1, 3, 2]).cummax(0)
    torch.return_types.cummax(
    values=tensor([1, 3, 3]),
    indices=tensor([0, 1, 1]))
    """,
)
cummin = running_extreme(
    np.minimum,
    "cummin",
    """The smallest element so far, along `dim`, and its index.

    >>> torch.tensor([2, 3, 1]).cummin(0)
    torch.return_types.cummin(
    values=tensor([2, 2, 1]),
    indices=tensor([0, 0, 2]))
    """,
)

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
    """Each element minus the one before it, along `dim`; `n` times over.

    `prepend` and `append` are put before and after the elements first.

    >>> torch.tensor([1, 4, 9]).diff()
    tensor([3, 5])
    """
    from course_lib.ops.joining import cat
    from course_lib.ops.logic import logical_xor
    from course_lib.ops.windows import narrow

    if not input._array.ndim:
        raise RuntimeError(errors.DIFF_OF_SCALAR)
    if n < 0:
        raise RuntimeError(errors.negative_order(n))
    parts = [part for part in (prepend, input, append) if part is not None]
    value = cat(parts, dim) if n and len(parts) > 1 else input
    for turn in range(n):
        size = value._array.shape[wrap_dim(dim, value._array.ndim)]
        if not size:
            break
        later, earlier = narrow(value, dim, 1, size - 1), narrow(value, dim, 0, size - 1)
        given = {"out": out} if out is not None and turn == n - 1 else {}
        if value._dtype.category == 0:
            value = logical_xor(later, earlier, **given)
        else:
            value = Tensor.sub(later, earlier, **given)  # type: ignore[attr-defined]
    if value is input:
        fresh = layout.like(input._array, input._array)
        value = Tensor._make(fresh, input._dtype).copy_(input)  # type: ignore[attr-defined]
    return value
