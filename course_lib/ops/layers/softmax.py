"""Softmax, which turns numbers into shares of a whole, and the logarithms of those shares."""

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.out import into
from course_lib.dtypes import dtypes
from course_lib.memory.adding import add_along
from course_lib.memory.dims import wrap_dim
from course_lib.memory.places import largest
from course_lib.ops.elementwise.powers import exp
from course_lib.ops.layers import layer_op
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


def summed(array: Any, dim: int) -> Any:
    """The sum along `dim`, which is kept."""
    return add_along(array, (dim % array.ndim,), True) if array.ndim else array


@layer_op(
    "same",
    name="_softmax_backward_data",
    grad_output=lambda grad, output, dim: shares_back(grad, output, dim),
    output=lambda grad, grad_output, output, dim: (
        grad_output * grad
        - sum_along(output * grad_output, dim, True) * grad
        - grad_output * sum_along(output * grad, dim, True)
    ),
)
def shares_back(grad_output, output, dim):
    """The gradient of `softmax`, from that of its output and the output itself."""
    found = grad_output * output
    total = summed(found, dim)
    if found.__class__ is not np.ndarray:
        return output * (grad_output - total)
    return np.multiply(np.subtract(grad_output, total, out=found), output, out=found)


@layer_op(
    "same",
    name="_log_softmax_backward_data",
    grad_output=lambda grad, output, dim: grad - sum_along(grad * exp(output), dim, True),
    output=lambda grad, grad_output, output, dim: (
        -sum_along(grad_output, dim, True) * exp(output) * grad
    ),
)
def log_shares_back(grad_output, output, dim):
    """The gradient of `log_softmax`, from that of its output and the output itself."""
    return grad_output - np.exp(output) * summed(grad_output, dim)


def floats(name: str) -> Any:
    """A check that refuses dtypes for which PyTorch has no kernel of this name."""

    def check(self: Any, dim: int) -> None:
        ndim = self._array.ndim
        last = wrap_dim(dim, ndim) == max(ndim - 1, 0)
        if self._dtype.category != dtypes.FLOATING:
            kernel = f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl"
            raise NotImplementedError(errors.no_kernel(kernel, self))

    return check


@layer_op(
    name="softmax",
    refuses=floats("softmax"),
    self=lambda grad, result, dim: shares_back(grad, result, dim),
)
def shares(self, dim):
    parts = scores(self, dim)
    out = parts if parts.__class__ is np.ndarray else None  # written over: it is ours alone
    parts = np.exp(parts, out=out)
    return np.divide(parts, summed(parts, dim), out=out)


@layer_op(
    name="log_softmax",
    refuses=floats("log_softmax"),
    self=lambda grad, result, dim: log_shares_back(grad, result, dim),
)
def log_shares(self, dim):
    parts = scores(self, dim)
    total = np.log(summed(np.exp(parts), dim))
    return np.subtract(parts, total, out=parts if parts.__class__ is np.ndarray else None)


@layer_op(name="_safe_softmax", self=lambda grad, result, dim: shares_back(grad, result, dim))
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
