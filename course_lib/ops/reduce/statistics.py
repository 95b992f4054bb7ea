"""Spread, length and other summaries of many elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.ops.elementwise.zeroing import masked
from course_lib.ops.reduce.adjoints import axes, count, spread
from course_lib.ops.reduce.sums import mean_along
from course_lib.words import errors

__all__ = ["std", "std_mean", "var", "var_mean"]

# ---- variance and standard deviation -------------------------------------------------------------


def variance(array: Any, dim: Any, correction: float, keepdim: bool) -> tuple[Any, Any]:
    """The variance and the mean along `dim`."""
    over = axes(dim, array.ndim)
    n = count(array.shape, dim)
    middle = np.true_divide(np.add.reduce(array, axis=over, keepdims=True), array.dtype.type(n))
    distance = array - middle
    if array.dtype.kind == "c":
        squares = np.real(distance) ** 2 + np.imag(distance) ** 2
    else:
        squares = distance * distance
    total = np.add.reduce(squares, axis=over, keepdims=keepdim)
    middle = middle if keepdim else np.squeeze(middle, over)
    return np.true_divide(total, total.dtype.type(max(n - correction, 0))), middle


def variance_gradient(
    grad: Any, value: Any, shape: Any, dim: Any, correction: float, keepdim: bool
) -> Any:
    """Each element's distance from the mean, times ``2 / (n - correction)``."""
    divisor = count(shape, dim) - correction
    factor = 2 / divisor if divisor else math.inf
    if divisor < 0:
        factor = math.inf
    distance = value - mean_along(value, dim, True)
    return spread(grad, shape, dim, keepdim) * (distance * factor)


def deviation_gradient(grad: Any, value: Any, result: Any, *where: Any) -> Any:
    """The gradient of the square root of a variance; 0 where the variance is 0."""
    return variance_gradient(masked(grad / (result * 2), result != 0), value, *where)


@op(
    kind="spread",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self, self_shape, dim, correction, keepdim: variance_gradient(
        grad, self, self_shape, dim, correction, keepdim
    ),
)
def var(self, dim, correction, keepdim):
    """The variance."""
    return variance(self, dim, correction, keepdim)[0]


@op(
    kind="spread",
    method=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self, self_shape, result, dim, correction, keepdim: deviation_gradient(
        grad, self, result, self_shape, dim, correction, keepdim
    ),
)
def std(self, dim, correction, keepdim):
    """The standard deviation."""
    return np.sqrt(variance(self, dim, correction, keepdim)[0])


deviation = std


def with_mean(gradient: Any) -> Any:
    """The gradient of a pair whose second item is the mean."""

    def both(grads: Any, value: Any, shape: Any, dim: Any, correction: float, keepdim: bool) -> Any:
        first, second = grads
        if second is not None:
            second = spread(second, shape, dim, keepdim) / count(shape, dim)
        if first is None:
            return second
        first = gradient(first, value, shape, dim, correction, keepdim)
        return first if second is None else first + second

    return both


variance_and_mean = with_mean(variance_gradient)
deviation_and_mean = with_mean(
    lambda grad, value, shape, *how: deviation_gradient(
        grad, value, deviation(value, *how), shape, *how
    )
)


@op(
    kind="spread",
    method=False,
    layout="contiguous",
    operands=("self",),
    returns=("var", "mean"),
    self=lambda grads, self, self_shape, dim, correction, keepdim: variance_and_mean(
        grads, self, self_shape, dim, correction, keepdim
    ),
)
def var_mean(self, dim, correction, keepdim):
    """The variance and the mean."""
    return variance(self, dim, correction, keepdim)


@op(
    kind="spread",
    method=False,
    layout="contiguous",
    operands=("self",),
    returns=("std", "mean"),
    self=lambda grads, self, self_shape, dim, correction, keepdim: deviation_and_mean(
        grads, self, self_shape, dim, correction, keepdim
    ),
)
def std_mean(self, dim, correction, keepdim):
    """The standard deviation and the mean."""
    found, middle = variance(self, dim, correction, keepdim)
    return np.sqrt(found), middle


def overloaded(declared: Any, text: str) -> Any:
    """The public function, which takes either `unbiased` or `correction`."""
    name = declared.op.name

    def function(
        input: Tensor,
        dim: Any = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        *,
        correction: float | None = None,
        out: Tensor | None = None,
    ) -> Any:
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        if correction is None:
            correction = 0 if unbiased is False else 1
        declared.op.kind([input], {}, declared.op)  # integers are refused before dimensions are
        array = input._array
        if (count(array.shape, dim) if array.size else 0) - correction <= 0:
            errors.warn(errors.too_few_degrees(name))
        given = {} if out is None else {"out": out}
        found = declared(input, dim, correction, keepdim, **given)
        return tuple(found) if declared.op.returns else found

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return composite(method=name in ("var", "std"))(function)


var = overloaded(
    var,
    """The variance of all elements, or along `dim`: the mean squared distance from the mean.

    The sum is divided by ``n - correction``: by default n - 1, with ``unbiased=False`` n.

    >>> torch.tensor([1., 2., 3., 4.]).var()
    tensor(1.6667)
    """,
)
std = overloaded(
    std,
    """The standard deviation of all elements, or along `dim`: the root of `var`.

    >>> torch.tensor([1., 2., 3., 4.]).std()
    tensor(1.2910)
    """,
)
var_mean = overloaded(
    var_mean,
    """The variance and the mean, as a tuple.

    >>> torch.var_mean(torch.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """,
)
std_mean = overloaded(
    std_mean,
    """The standard deviation and the mean, as a tuple.

    >>> torch.std_mean(torch.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """,
)
