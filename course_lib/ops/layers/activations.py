"""Activations as functions; with `inplace` the input itself is overwritten, and given back."""

from typing import Any

from course_lib.calls.overloads import overloads
from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace
from course_lib.ops.elementwise import activations as ops
from course_lib.ops.elementwise.activations import relu as _relu
from course_lib.ops.layers.softmax import log_softmax as _log_softmax
from course_lib.ops.layers.softmax import softmax as _softmax
from course_lib.words import errors


def apply_activation(operation: Any, input: Tensor, inplace: bool, *given: Any) -> Tensor:
    """An activation's result, in a new tensor or in the input."""
    if given or not isinstance(input, Tensor):
        place = "torch" if operation is _relu else "nn"
        name = operation.__name__ + "_" * bool(inplace)
        overloads(place, name).examine((input, *given), {})
    if inplace:
        return call_inplace(getattr(operation, "written", operation).op, input, *given)
    return operation(input, *given)


# ---- straight pieces -----------------------------------------------------------------------------


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element, or 0 if it is negative.

    >>> torch.nn.functional.relu(torch.tensor([-1., 2.]))
    tensor([0., 2.])
    """
    return apply_activation(_relu, input, inplace)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element, but at least 0 and at most 6.

    >>> torch.nn.functional.relu6(torch.tensor([-1., 2., 8.]))
    tensor([0., 2., 6.])
    """
    overloads("nn", "relu6" + "_" * bool(inplace)).examine((input,), {})
    return apply_activation(ops.hardtanh, input, inplace)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Each element, times `negative_slope` if it is negative.

    >>> torch.nn.functional.leaky_relu(torch.tensor([-1., 2.]), 0.1)
    tensor([-0.1000,  2.0000])
    """
    return apply_activation(ops.leaky_relu, input, inplace, negative_slope)


# ---- curves --------------------------------------------------------------------------------------


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element, or ``alpha * (exp(x) - 1)`` if it is negative.

    >>> torch.nn.functional.elu(torch.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
    return apply_activation(ops.elu, input, inplace, alpha)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * sigmoid(x)``, also called swish.

    >>> torch.nn.functional.silu(torch.tensor([-1., 1.]))
    tensor([-0.2689,  0.7311])
    """
    return apply_activation(ops.silu, input, inplace)


def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
    """Each element times the probability that a normal number is below it.

    >>> torch.nn.functional.gelu(torch.tensor([-1., 1.]))
    tensor([-0.1587,  0.8413])
    """
    return ops.gelu(input, approximate)


def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """``log(1 + exp(beta * x)) / beta``, and `x` itself where ``beta * x`` is above `threshold`.

    >>> torch.nn.functional.softplus(torch.tensor([0., 30.]))
    tensor([ 0.6931, 30.0000])
    """
    return ops.softplus(input, beta, threshold)


def logsigmoid(input: Tensor) -> Tensor:
    """The logarithm of the sigmoid, accurate even where the sigmoid would underflow to 0.

    >>> torch.nn.functional.logsigmoid(torch.tensor([0., -200.]))
    tensor([  -0.6931, -200.0000])
    """
    return ops.logsigmoid(input)


def sigmoid(input: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``, between 0 and 1.

    >>> torch.nn.functional.sigmoid(torch.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """
    return input.sigmoid()


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent, between -1 and 1.

    >>> torch.nn.functional.tanh(torch.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """
    return input.tanh()


# ---- shares of a whole ---------------------------------------------------------------------------


def choose_dim(name: str, ndim: int, dim: int | None) -> int:
    """The dimension asked for; without one, PyTorch's old choice and a warning."""
    if dim is not None:
        return dim if dim.__class__ is int else overloads("Tensor", name).fit((dim,), {})["dim"]
    errors.warn(errors.implicit_dim(name))
    return 0 if ndim in (0, 1, 3) else 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Exponentials along `dim`, divided by their sum: positive numbers that add up to 1.

    >>> torch.nn.functional.softmax(torch.tensor([0., 1., 1.]), dim=0)
    tensor([0.1554, 0.4223, 0.4223])
    """
    return _softmax(input, choose_dim("softmax", input._array.ndim, dim), dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """The logarithm of `softmax`, accurate even where the softmax would underflow to 0.

    >>> torch.nn.functional.log_softmax(torch.tensor([0., 200.]), dim=0)
    tensor([-200.,    0.])
    """
    return _log_softmax(input, choose_dim("log_softmax", input._array.ndim, dim), dtype)
