"""Activations: the elementwise functions between the layers of a network."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.ops.elementwise.clamp import limited
from course_lib.ops.elementwise.erf import erf_of, in_pieces
from course_lib.ops.elementwise.exponentials import exp
from course_lib.ops.elementwise.trigonometry import tanh
from course_lib.ops.elementwise.zeroing import blank, chosen, dropped, either, masked
from course_lib.words import errors

__all__ = [
    "prelu",
    "relu",
    "relu_",
    "sigmoid",
    "sigmoid_",
    "threshold",
]


SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805
ROOT_2, ROOT_2_PI = math.sqrt(2), math.sqrt(2 * math.pi)
ROOT_2_OVER_PI, CUBIC = math.sqrt(2 / math.pi), 0.044715
LARGE = 2**17  # elements: few enough that the steps of a short formula find them in the cache


def activation(kernel: str, node: str = "", method: bool = False, **formulas: Callable) -> Callable:
    """Declare an activation: floating tensors only; `kernel` is what PyTorch's message names."""
    facts: dict[str, Any] = {"node": node} if node else {}
    check = errors.check_floating(kernel)
    operands = ("self",)
    return op(
        kind="promote",
        inplace=False,
        method=method,
        check=check,
        operands=operands,
        **facts,
        **formulas,
    )


# ---- relu and sigmoid ----------------------------------------------------------------------------


@op(
    kind="same",
    node="ThresholdBackwardBackward0",
    method=False,
    layout="contiguous",
    self=lambda grad, other: passed(grad, other),
    other=lambda grad: blank(grad),
)
def passed(self, other):
    """`self` where `other` is above 0: the gradient of `relu`."""
    return dropped(self, np.less_equal(other, 0))  # at nan: passed


@op(
    kind="promote",
    check=errors.check_relu,
    self=lambda grad, result: passed(grad, result),
)
def relu(self):
    """Each element, or 0 if it is negative.

    >>> torch.relu(torch.tensor([-1., 0., 2.]))
    tensor([0., 0., 2.])
    """
    return limited(self, self.dtype.type(0), None)


relu_ = Tensor.relu_


@op(
    kind="same",
    node="SigmoidBackwardBackward0",
    method=False,
    inplace=False,
    holomorphic=True,
    self=lambda grad, other: sigmoid_slope(grad, other),
    other=lambda grad, self, other: grad * self * (-2 * other + 1),
)
def sigmoid_slope(self, other):
    """The gradient of `sigmoid`: `self` times the derivative where the sigmoid is `other`."""
    return self * (1 - other) * other


@op(kind="float", self=lambda grad, result: sigmoid_slope(grad, result), holomorphic=True)
def sigmoid(self):
    """``1 / (1 + exp(-x))``, between 0 and 1.

    >>> torch.sigmoid(torch.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """
    return in_pieces(over_one_plus_exp, self, piece=LARGE)


def over_one_plus_exp(x: Any, top: Any = 1) -> Any:
    """``top / (1 + exp(-x))``: after the first step, in place, unless `x` is a single number."""
    found = -x
    room = found if found.__class__ is np.ndarray else None
    found = np.exp(found, out=room)
    found += 1
    return np.divide(top, found, out=room)


sigmoid_ = Tensor.sigmoid_


# ---- straight pieces -----------------------------------------------------------------------------


@activation(
    "leaky_relu_cpu",
    self=lambda grad, self, negative_slope: chosen(grad, grad * negative_slope, self > 0),
)
def leaky_relu(self: Any, negative_slope: Any = 0.01) -> Any:
    scaled = self * self.dtype.type(negative_slope)
    if 0 < negative_slope <= 1:  # then the larger one is the right one
        return np.maximum(self, scaled)
    return either(np.greater(self, 0), self, scaled)


@op(
    kind="promote",
    inplace=False,
    check=errors.check_hardtanh,
    method=False,
    operands=("self",),
    self=lambda grad, self, min_val, max_val: masked(grad, (self > min_val) & (self < max_val)),
)
def hardtanh(self, min_val=-1.0, max_val=1.0):
    cast = self.dtype.type
    return limited(self, cast(min_val), cast(max_val))


@op(
    kind="same",
    node="ThresholdBackwardBackward0",
    method=False,
    inplace=False,
    operands=("self", "other"),
    self=lambda grad, other, threshold: above(grad, other, threshold),
    other=lambda grad: blank(grad),
)
def above(self, other, threshold):
    """`self` where `other` is above a threshold: the gradient of `threshold`."""
    return dropped(self, np.less_equal(other, threshold))  # at nan: passed


@op(
    kind="promote",
    inplace=False,
    method=False,
    check=errors.check_threshold,
    operands=("self",),
    self=lambda grad, self, threshold: above(grad, self, threshold),
)
def threshold(self, threshold, value):
    """Each element, or `value` where it is at most `threshold`.

    >>> torch.threshold(torch.tensor([1., 2.]), 1.5, 0.)
    tensor([0., 2.])
    """
    below = np.less_equal(self, threshold)
    return np.where(below, self.dtype.type(value), self)[()]


@op(
    kind="promote",
    method=False,
    inplace=False,
    node="PreluKernelBackward0",
    check=errors.check_prelu,
    self=lambda grad, self, weight: chosen(grad, grad * weight, self > 0),
    weight=lambda grad, self: masked(grad * self, self <= 0),
)
def prelu_kernel(self, weight):
    return np.where(np.greater(self, 0), self, self * weight)[()]


@composite()
def prelu(self: Tensor, weight: Tensor) -> Tensor:
    """Each element, times `weight` if it is negative; one weight for all or one per channel.

    >>> torch.prelu(torch.tensor([-2., 3.]), torch.tensor([0.25]))
    tensor([-0.5000,  3.0000])
    """
    size, shape = weight._array.size, self._array.shape
    errors.check_prelu_weight(shape, weight._array.ndim, size)
    if len(shape) != 1 or size == 1:
        lead = weight._array.shape[0] if weight._array.ndim else 1
        wide = tuple(lead if d == 1 else 1 for d in range(len(shape)))
        if wide != weight._array.shape:
            weight = weight.view(wide if size > 1 else (1,) * len(shape))
    return prelu_kernel(self, weight)


# ---- curves --------------------------------------------------------------------------------------


@activation(
    "elu_cpu",
    self=lambda grad, self, alpha, scale, input_scale: chosen(
        grad * scale,
        grad * (exp(masked(self, self <= 0) * input_scale) * (alpha * scale * input_scale)),
        self > 0,
    ),
)
def elu(self: Any, alpha: Any = 1.0, scale: Any = 1.0, input_scale: Any = 1.0) -> Any:
    return exponential(self, alpha, scale, input_scale)


def exponential(x: Any, alpha: float, scale: float, input_scale: float) -> Any:
    """`x` above zero, and an exponential that levels out below."""
    low = np.expm1(np.minimum(x, 0) * input_scale) * (alpha * scale)
    return either(np.greater(x, 0), x * scale, low).astype(x.dtype, copy=False)[()]


@op(
    kind="promote",
    method=False,
    inplace=False,
    check=errors.unless("silu_cpu", "bool", "integer"),
    self=lambda grad, self: silu_gradient(grad, self, sigmoid(self)),
    holomorphic=True,
)
def silu(self):
    return in_pieces(over_one_plus_exp, self, self, piece=LARGE)


def silu_gradient(grad: Any, x: Any, s: Any) -> Any:
    """The product rule for ``x * sigmoid(x)``."""
    return grad * (s * (1 + x * (1 - s)))


@activation(
    "softplus_cpu",
    self=lambda grad, self, beta, threshold: chosen(
        grad, grad * sigmoid(self * beta), self * beta > threshold
    ),
)
def softplus(self: Any, beta: Any = 1.0, threshold: Any = 20.0) -> Any:
    scaled = self * self.dtype.type(beta)
    return np.where(
        np.greater(scaled, threshold), self, np.log1p(np.exp(scaled)) / self.dtype.type(beta)
    )[()]


@activation(
    "log_sigmoid_cpu", node="LogSigmoidBackward0", self=lambda grad, self: grad * sigmoid(-self)
)
def logsigmoid(self: Any) -> Any:
    return np.minimum(self, 0) - np.log1p(np.exp(-np.abs(self)))


@activation(
    "GeluKernelImpl",
    self=lambda grad, self, approximate: gelu_backward(grad, self, approximate),
)
def gelu(self: Any, approximate: str = "none") -> Any:
    if approximate == "none":
        return in_pieces(below_times, self)
    if approximate != "tanh":
        raise RuntimeError(errors.GELU_APPROXIMATE)
    return 0.5 * self * (1 + np.tanh(ROOT_2_OVER_PI * (self + CUBIC * self * self * self)))


def below_times(x: Any) -> Any:
    """``x`` times the share of a normal distribution below it."""
    share = erf_of(x / ROOT_2)
    share += 1
    share *= 0.5 * x
    return share


def slope_times(grad: Any, x: Any) -> Any:
    """``grad`` times the slope of `below_times`, by the product rule."""
    below = erf_of(x / ROOT_2)
    below += 1
    below *= 0.5
    density = x * x
    density *= -0.5
    density = np.exp(density)
    density *= x
    density /= ROOT_2_PI
    density += below
    density *= grad
    return density


@op(
    kind="promote",
    method=False,
    inplace=False,
    operands=("grad_output", "self"),
    grad_output=lambda grad, self, approximate: gelu_backward(grad, self, approximate),
    self=lambda grad, grad_output, self, approximate: (
        grad * grad_output * gelu_bend(self, approximate)
    ),
)
def gelu_backward(grad_output, self, approximate):
    """The gradient of `gelu`."""
    if approximate == "none":
        return in_pieces(slope_times, grad_output, self)
    return gelu_gradient(grad_output, self)


def gelu_gradient(grad: Any, x: Any) -> Any:
    """The product rule for ``x`` times the approximation of the normal distribution function."""
    square = x * x
    t = tanh(ROOT_2_OVER_PI * (x + CUBIC * square * x))
    slope = ROOT_2_OVER_PI * (1 + 3 * CUBIC * square)
    return grad * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * slope)


def gelu_bend(x: Any, approximate: str) -> Any:
    """The second derivative of `gelu`."""
    square = x * x
    if approximate == "none":
        return exp(-0.5 * square) * (2 - square) / ROOT_2_PI
    t = tanh(ROOT_2_OVER_PI * (x + CUBIC * square * x))
    slope = ROOT_2_OVER_PI * (1 + 3 * CUBIC * square)
    bend = 6 * ROOT_2_OVER_PI * CUBIC * x
    return (1 - t * t) * (slope + 0.5 * x * bend - x * t * slope * slope)


# ---- gates ---------------------------------------------------------------------------------------
