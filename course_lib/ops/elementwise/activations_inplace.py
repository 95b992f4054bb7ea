"""Activations that overwrite their input, for which PyTorch's graph has another node.

Their formulas use the result, since the input is overwritten.  The other activations use one
formula for both.  `rrelu` is here too: it draws its slopes while training.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace
from course_lib.declare.op import op
from course_lib.ops.elementwise.activations import (
    elu,
    exponential,
    hardtanh,
)
from course_lib.ops.elementwise.zeroing import chosen, either, masked
from course_lib.words import errors

__all__ = ["threshold_"]


def overwriting(name: str, check: Callable, **formulas: Callable) -> Callable:
    """Declare the in-place form of an activation, with its own node."""
    node = "".join(word.title() for word in name.split("_")) + "Backward1"
    facts: dict[str, Any] = {"name": name + "_in_place", "node": node, "operands": ("self",)}
    return op(kind="promote", method=False, inplace=False, check=check, **facts, **formulas)


def level(grad: Any, result: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    """The gradient of an exponential that levels out, computed from its result."""
    if alpha < 0:
        raise RuntimeError(errors.NEGATIVE_ELU)
    below = grad * ((result + alpha * scale) * input_scale)
    return chosen(grad * scale, below, result > 0)


@overwriting(
    "leaky_relu",
    errors.check_floating("leaky_relu_cpu"),
    self=lambda grad, result, negative_slope: chosen(
        grad, grad * positive(negative_slope), result > 0
    ),
)
def leaked(self: Any, negative_slope: Any = 0.01) -> Any:
    return either(np.greater(self, 0), self, self * self.dtype.type(negative_slope))


def positive(slope: Any) -> Any:
    """The slope; RuntimeError if it is negative: then the result does not tell the input's sign."""
    if slope < 0:
        raise RuntimeError(errors.NEGATIVE_SLOPE)
    return slope


@overwriting(
    "elu",
    errors.check_floating("elu_cpu"),
    self=lambda grad, result, alpha, scale: level(grad, result, alpha, scale, 1.0),
)
def curved(self: Any, alpha: Any = 1.0, scale: Any = 1.0) -> Any:
    return exponential(self, alpha, scale, 1.0)


@overwriting(
    "celu",
    errors.check_floating("elu_cpu"),
    self=lambda grad, result, alpha: level(grad, result, alpha, 1.0, 1.0 / alpha),
)
def smoothed(self: Any, alpha: Any = 1.0) -> Any:
    if alpha == 0:
        raise RuntimeError(errors.CELU_ALPHA)
    return exponential(self, alpha, 1.0, 1.0 / alpha)


@overwriting(
    "threshold",
    errors.check_threshold,
    self=lambda grad, self, threshold: masked(grad, self > threshold),
)
def replaced(self: Any, threshold: Any, value: Any) -> Any:
    return np.where(np.less_equal(self, threshold), self.dtype.type(value), self)[()]


WRITERS = {"leaky_relu": leaked, "elu": curved, "celu": smoothed, "threshold": replaced}


def written(activation: Any, input: Tensor, *given: Any) -> Tensor:
    """Write an activation's result into the tensor; returns the tensor itself."""
    operation = WRITERS.get(activation.op.name, activation)
    return call_inplace(operation.op, input, *given)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """`elu` in place; returns the tensor itself."""
    return written(elu, input, alpha)


def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """`leaky_relu` in place; returns the tensor itself."""
    return call_inplace(leaked.op, input, negative_slope)


def threshold_(input: Tensor, threshold: Any, value: Any) -> Tensor:
    """`threshold` in place; returns the tensor itself."""
    return call_inplace(replaced.op, input, threshold, value)


def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """`hardtanh` in place; returns the tensor itself."""
    return call_inplace(hardtanh.op, input, min_val, max_val)


# ---- random slopes -------------------------------------------------------------------------------
