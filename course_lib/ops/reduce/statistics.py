"""Spread: variance and standard deviation."""

import math
from functools import partial
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.ops.elementwise.zeroing import keep_at
from course_lib.ops.reduce.sums import axes, count, mean_along, reducing, spread
from course_lib.words import errors

__all__ = ["std", "var"]


spreading = partial(reducing, kind="spread", method=False, holomorphic=False)


def variance(array: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """The variance along `dim`."""
    correction = 1 if correction is None else correction
    over = axes(dim, array.ndim)
    n = count(array.shape, dim)
    middle = np.true_divide(np.add.reduce(array, axis=over, keepdims=True), array.dtype.type(n))
    distance = array - middle
    squares = distance * distance
    if array.dtype.kind == "c":
        squares = np.real(distance) ** 2 + np.imag(distance) ** 2
    total = np.add.reduce(squares, axis=over, keepdims=keepdim)
    return np.true_divide(total, total.dtype.type(max(n - correction, 0)))


def variance_gradient(
    grad: Any, self: Any, self_shape: Any, dim: Any, correction: Any, keepdim: bool
) -> Any:
    """Each element's distance from the mean, times ``2 / (n - correction)``."""
    divisor = count(self_shape, dim) - (1 if correction is None else correction)
    factor = 2 / divisor if divisor > 0 else math.inf
    distance = self - mean_along(self, dim, True)
    return spread(grad, self_shape, dim, keepdim) * (distance * factor)


def deviation_gradient(
    grad: Any, self: Any, self_shape: Any, result: Any, dim: Any, correction: Any, keepdim: bool
) -> Any:
    """The gradient of the square root of a variance; 0 where the variance is 0."""
    grad = keep_at(grad / (result * 2), result != 0)
    return variance_gradient(grad, self, self_shape, dim, correction, keepdim)


def take_either(declared: Any) -> Any:
    """The public function of an operation, which takes either `unbiased` or `correction`."""
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
        least = correction if correction is not None else 0 if unbiased is False else 1
        if dim is not None or unbiased is not None:  # without both, PyTorch leaves it open
            correction = least
        declared.op.kind([input], {}, declared.op)  # integers are refused before dimensions are
        array = input._array
        if count(array.shape, dim) <= least or not array.size:
            errors.warn(errors.too_few_degrees(name))
        return declared(input, dim, correction, keepdim, out=out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = declared.__doc__
    return composite()(function)


@take_either
@spreading(self=variance_gradient)
def var(self, dim, correction, keepdim):
    """The variance of all elements, or along `dim`: the mean squared distance from the mean.

    The sum is divided by ``n - correction``: by default n - 1, with ``unbiased=False`` n.

    >>> torch.tensor([1., 2., 3., 4.]).var()
    tensor(1.6667)
    """
    return variance(self, dim, correction, keepdim)


@take_either
@spreading(self=deviation_gradient)
def std(self, dim, correction, keepdim):
    """The standard deviation of all elements, or along `dim`: the root of `var`.

    >>> torch.tensor([1., 2., 3., 4.]).std()
    tensor(1.2910)
    """
    return np.sqrt(variance(self, dim, correction, keepdim))
