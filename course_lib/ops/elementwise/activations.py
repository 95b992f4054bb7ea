"""Activations: the elementwise functions between the layers of a network."""

import math
from collections.abc import Callable
from functools import reduce
from operator import iadd, imul
from typing import Any

import numpy as np

from course_lib.calls.rules import lacks, no, refuse, unless
from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.ops.elementwise.clamp import clip_numbers
from course_lib.ops.elementwise.powers import exp
from course_lib.ops.elementwise.trigonometry import tanh
from course_lib.ops.elementwise.zeroing import blank, chosen, inner, keep_at, negated, zero_outside
from course_lib.words import errors

__all__ = ["relu", "relu_", "sigmoid", "sigmoid_"]


ROOT_2, ROOT_2_PI = math.sqrt(2), math.sqrt(2 * math.pi)
ROOT_2_OVER_PI, CUBIC = math.sqrt(2 / math.pi), 0.044715
# erf(x) / x in powers of x², fitted by least squares with weights that level the error (2.6e-9, a
# twentieth of float32's), up to 4, from where on float32's erf is 1.
# fmt: off
ERF = (
    (6.791445466384201e-06, 4.1128025499571354e-04, 4.226500379510628e-03,
     5.574960634553542e-02, 1.9287886155108355e-01, 1.128379169973965e0),
    (2.6048999882726184e-07, 7.256449761444624e-05, 1.4212122605821351e-03,
     1.6295168538571516e-02, 1.1749544500999336e-01, 5.042678743181094e-01, 1.0),
)
# fmt: on


def activation(kernel: str, in_place: tuple = (), **facts: Any) -> Callable:
    """Declare an activation: floating tensors only; `kernel` is what PyTorch's message names.

    In PyTorch's graph, some have another node in place: `in_place` is its name, and its formula,
    which uses the result.
    """
    rule = lacks("bool integer complex", kernel), real_numbers

    def declare(function: Any) -> Any:
        made = inner(kind="promote", refuses=rule, **facts)(function)
        if in_place:
            how = {"name": f"{function.__name__}_in_place", "node": in_place[0]}
            how["shows"] = facts.get("shows", {})
            made.written = inner(kind="promote", refuses=rule, self=in_place[1], **how)(function)
        return made

    return declare


def real_numbers(self: Any, *options: Any) -> None:
    """Raise for an option that is complex."""
    wrong = any(isinstance(one, complex) and one.imag for one in options)
    refuse(wrong, errors.python_overflow, "double" if self._dtype.name == "float64" else "float")


# ---- relu and sigmoid ----------------------------------------------------------------------------


@inner(
    node="ThresholdBackwardBackward0",
    layout="contiguous",
    self=lambda grad, other: passed(grad, other),
    other=lambda grad: blank(grad),
)
def passed(self, other):
    """`self` where `other` is above 0: the gradient of `relu`."""
    return zero_outside(self, np.logical_not(np.less_equal(other, 0)))  # at nan: passed


@op(
    kind="promote",
    refuses=(
        no("bool", errors.RELU_BOOL),
        no("complex", errors.CLAMP_COMPLEX, NotImplementedError),
    ),
    self=lambda grad, result: passed(grad, result),
)
def relu(self):
    """Each element, or 0 if it is negative.

    >>> torch.relu(torch.tensor([-1., 0., 2.]))
    tensor([0., 0., 2.])
    """
    return clip_numbers(self, self.dtype.type(0), None)


relu_ = Tensor.relu_


@inner(
    node="SigmoidBackwardBackward0",
    self=lambda grad, other: sigmoid_slope(grad, other),
    other=lambda grad, self, other: grad * self * (-2 * other + 1),
)
def sigmoid_slope(self, other):
    """The gradient of `sigmoid`: `self` times the derivative where the sigmoid is `other`."""
    return self * (1 - other) * other


@op(kind="float", self=lambda grad, result: sigmoid_slope(grad, result))
def sigmoid(self):
    """``1 / (1 + exp(-x))``, between 0 and 1.

    >>> torch.sigmoid(torch.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """
    return over_one_plus_exp(self)


def over_one_plus_exp(x: Any, top: Any = 1) -> Any:
    """``top / (1 + exp(-x))``: after the first step, in place, unless `x` is a single number."""
    found = -x
    room = found if found.__class__ is np.ndarray else None
    found = np.exp(found, out=room)
    found += 1
    return np.divide(top, found, out=room)


sigmoid_ = Tensor.sigmoid_


# ---- straight pieces -----------------------------------------------------------------------------


def leaky_relu_backward(grad: Any, result: Any, negative_slope: Any) -> Any:
    """The gradient of `leaky_relu` from its result, which has the sign of its input."""
    refuse(negative_slope < 0, errors.NEGATIVE_SLOPE)
    return chosen(grad, grad * negative_slope, result > 0)


@activation(
    "leaky_relu_cpu",
    in_place=("LeakyReluBackward1", leaky_relu_backward),
    self=lambda grad, self, negative_slope: chosen(grad, grad * negative_slope, self > 0),
)
def leaky_relu(self: Any, negative_slope: Any = 0.01) -> Any:
    scaled = self * self.dtype.type(negative_slope)
    if 0 < negative_slope <= 1:  # then the larger one is the right one
        return np.maximum(self, scaled)
    return np.where(np.greater(self, 0), self, scaled)[()]


@inner(
    kind="promote",
    refuses=(
        no("bool", errors.HARDTANH_BOOL),
        no("complex", errors.CLAMP_COMPLEX, NotImplementedError),
    ),
    self=lambda grad, self, min_val, max_val: keep_at(
        grad, negated((self <= min_val) | (self >= max_val))
    ),
)
def hardtanh(self, min_val=0, max_val=6):
    cast = self.dtype.type
    return clip_numbers(self, cast(min_val), cast(max_val))


# ---- curves --------------------------------------------------------------------------------------


def elu_backward(grad: Any, result: Any, alpha: Any) -> Any:
    """The gradient of `elu` from its result."""
    refuse(alpha < 0, errors.NEGATIVE_ELU)
    return chosen(grad, grad * (result + alpha), result > 0)


@activation(
    "elu_cpu",
    in_place=("EluBackward1", elu_backward),
    shows=dict.fromkeys(("scale", "input_scale"), 1),
    self=lambda grad, self, alpha: chosen(
        grad, grad * (exp(keep_at(self, self < 0)) * alpha), self > 0
    ),
)
def elu(self: Any, alpha: Any = 1.0) -> Any:
    """`self` above zero, and an exponential that levels out below."""
    low = np.expm1(np.minimum(self, 0)) * alpha
    return np.where(np.greater(self, 0), self, low).astype(self.dtype, copy=False)[()]


def silu_gradient(grad: Any, self: Any) -> Any:
    """The product rule for ``x * sigmoid(x)``."""
    s = sigmoid(self)
    return grad * (s * (1 + self * (1 - s)))


@inner(kind="promote", refuses=unless("silu_cpu", "bool", "integer"), self=silu_gradient)
def silu(self):
    return over_one_plus_exp(self, self)


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


@inner(self=lambda grad, self: grad * (exp(-(self * self)) * (2 / math.sqrt(math.pi))))
def erf(self):
    """The error function, which NumPy does not have: a fraction for float32, else the C library's.

    >>> print(f"{erf.op.kernel(np.float64(1.0)):.12f}")
    0.842700792950
    """
    if hasattr(self, "restride"):
        return self.copy()
    if self.dtype == np.float64:
        return np.asarray(np.frompyfunc(math.erf, 1, 1)(self)).astype(self.dtype)[()]
    near = np.clip(self, -4, 4).astype(np.float64)  # exact: 4 is a float32, too
    square = near * near
    above, below = (reduce(lambda y, c: iadd(imul(y, square), c), numbers) for numbers in ERF)
    return (near * above / below).astype(self.dtype)[()]


@activation(
    "GeluKernelImpl", self=lambda grad, self, approximate: grad * gelu_slope(self, approximate)
)
def gelu(self: Any, approximate: str = "none") -> Any:
    if approximate == "none":
        return self * (0.5 * (1 + erf.op.kernel(self / ROOT_2)))
    refuse(approximate != "tanh", errors.GELU_APPROXIMATE)
    return 0.5 * self * (1 + np.tanh(ROOT_2_OVER_PI * (self + CUBIC * self * self * self)))


def gelu_slope(x: Any, approximate: str) -> Any:
    """The product rule for ``x`` times the normal distribution function, or its approximation."""
    square = x * x
    if approximate == "none":
        return (erf(x / ROOT_2) + 1) * 0.5 + x * exp(square * -0.5) / ROOT_2_PI
    t = tanh(ROOT_2_OVER_PI * (x + CUBIC * square * x))
    slope = ROOT_2_OVER_PI * (1 + 3 * CUBIC * square)
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * slope
