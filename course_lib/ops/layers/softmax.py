"""Softmax, which turns numbers into shares of a whole, and the logarithms of those shares."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.declare.out import into
from course_lib.memory.adding import added
from course_lib.memory.order import largest
from course_lib.ops.elementwise.exponentials import exp
from course_lib.ops.reduce.sums import sum_along
from course_lib.words import errors

__all__ = ["log_softmax", "softmax"]


def scores(array: Any, dim: int) -> Any:
    """`array` minus its largest element along `dim`, so that no exponential overflows."""
    if not array.ndim:
        return array - array
    if not array.shape[dim]:
        return array
    return array - largest(array, dim)


def total(grad: Any, dim: int) -> Any:
    """The sum along `dim`, which is kept."""
    return sum_along(grad, dim, True) if grad.ndim else grad


def summed(array: Any, dim: int) -> Any:
    """The same for an array."""
    return added(array, (dim % array.ndim,), True) if array.ndim else array


@op(
    kind="same",
    layout="contiguous",
    method=False,
    name="_softmax_backward_data",
    node="SoftmaxBackwardDataBackward0",
    operands=("grad_output", "output"),
    grad_output=lambda grad, output, dim: shares_back(grad, output, dim),
    output=lambda grad, grad_output, output, dim: (
        grad_output * grad
        - total(output * grad_output, dim) * grad
        - grad_output * total(output * grad, dim)
    ),
)
def shares_back(grad_output, output, dim):
    """The gradient of `softmax`, from that of its output and the output itself."""
    found = grad_output * output
    total = summed(found, dim)
    if found.__class__ is not np.ndarray:
        return output * (grad_output - total)
    return np.multiply(np.subtract(grad_output, total, out=found), output, out=found)


@op(
    kind="same",
    layout="contiguous",
    method=False,
    name="_log_softmax_backward_data",
    node="LogSoftmaxBackwardDataBackward0",
    operands=("grad_output", "output"),
    grad_output=lambda grad, output, dim: grad - total(grad * exp(output), dim),
    output=lambda grad, grad_output, output, dim: -total(grad_output, dim) * exp(output) * grad,
)
def log_shares_back(grad_output, output, dim):
    """The gradient of `log_softmax`, from that of its output and the output itself."""
    return grad_output - np.exp(output) * summed(grad_output, dim)


@op(
    kind="promote",
    name="softmax",
    layout="contiguous",
    method=False,
    operands=("self",),
    refuses=errors.check_softmax("softmax"),
    self=lambda grad, result, dim: shares_back(grad, result, dim),
)
def shares(self, dim):
    parts = scores(self, dim)
    if parts.__class__ is not np.ndarray or not parts.ndim:
        return np.exp(parts) if not parts.ndim else parts / summed(np.exp(parts), dim)
    np.exp(parts, out=parts)
    parts /= summed(parts, dim)
    return parts


@op(
    kind="promote",
    name="log_softmax",
    layout="contiguous",
    method=False,
    operands=("self",),
    refuses=errors.check_softmax("log_softmax"),
    self=lambda grad, result, dim: log_shares_back(grad, result, dim),
)
def log_shares(self, dim):
    parts = scores(self, dim)
    if not parts.ndim:
        return parts
    total = np.log(summed(np.exp(parts), dim))
    return np.subtract(parts, total, out=parts if parts.__class__ is np.ndarray else None)


@op(
    kind="promote",
    name="_safe_softmax",
    node="SafeSoftmaxBackward0",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, result, dim: shares_back(grad, result, dim),
)
def safe_shares(self, dim):
    """`softmax`, with zeros where all elements are -inf, as for fully masked attention."""
    parts = np.exp(scores(self, dim))
    found = parts / np.add.reduce(parts, axis=dim, keepdims=True)
    nothing = np.equal(self, -np.inf).all(axis=dim, keepdims=True)
    return np.where(nothing, self.dtype.type(0), found)


def of_dtype(input: Tensor, dtype: Any) -> Tensor:
    """The tensor itself, or one converted to the dtype asked for."""
    return input if dtype is None or dtype is input._dtype else input.to(dtype)


@composite()
def softmax(input: Tensor, dim: int, dtype: Any = None, *, out: Tensor | None = None) -> Tensor:
    """The exponentials divided by their sum along `dim`: positive numbers that add up to 1.

    >>> torch.softmax(torch.tensor([0., 1., 1.]), 0)
    tensor([0.1554, 0.4223, 0.4223])
    """
    return into(out, shares(of_dtype(input, dtype), dim), "softmax")


@composite()
def log_softmax(input: Tensor, dim: int, dtype: Any = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of `softmax`, accurate even where the softmax would underflow to 0.

    >>> torch.log_softmax(torch.tensor([0., 200.]), 0)
    tensor([-200.,    0.])
    """
    return into(out, log_shares(of_dtype(input, dtype), dim), "log_softmax")
