"""Initial values for parameters: each function fills a tensor in place and returns it.

The size of the initial weights decides whether a deep model learns at all: sums over many inputs
grow with the number of inputs, the fan.  Xavier and Kaiming are the two usual remedies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.core.tensor import Tensor
from course_lib.declare.public import completed as _completed
from course_lib.linalg import qr
from course_lib.memory.meta import MetaArray
from course_lib.ops.make.creation import eye as eye_tensor
from course_lib.ops.make.random import randperm
from course_lib.words import errors

__all__ = [
    "calculate_gain",
    "constant",
    "constant_",
    "dirac",
    "dirac_",
    "eye",
    "eye_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal",
    "normal_",
    "ones_",
    "orthogonal",
    "orthogonal_",
    "sparse",
    "sparse_",
    "uniform",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]


LINEAR = ("linear", "sigmoid") + tuple(
    f"{kind}{n}d" for kind in ("conv", "conv_transpose") for n in (1, 2, 3)
)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which weights must grow to make up for how an activation shrinks its input.

    >>> torch.nn.init.calculate_gain("relu")
    1.4142135623730951
    """
    if nonlinearity in LINEAR:
        return 1
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


def fans(tensor: Any) -> tuple[int, int]:
    """The fan-in (inputs that each output sums) and fan-out (outputs that each input feeds)."""
    if tensor.dim() < 2:
        raise ValueError(errors.NO_FANS)
    outputs, inputs, *window = tensor.shape
    return inputs * math.prod(window), outputs * math.prod(window)


def fan(tensor: Any, mode: str) -> int:
    """The fan that `mode` names."""
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(errors.fan_mode(mode))
    return fans(tensor)[mode == "fan_out"]


# ---- simple distributions ------------------------------------------------------------------------


@no_grad()
def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """The tensor, filled with uniform numbers from `a` to `b`."""
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """The tensor, filled with normal numbers."""
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def constant_(tensor: Any, val: float) -> Any:
    """The tensor, filled with one number."""
    return tensor.fill_(val)


@no_grad()
def ones_(tensor: Any) -> Any:
    """The tensor, filled with ones."""
    return tensor.fill_(1.0)


@no_grad()
def zeros_(tensor: Any) -> Any:
    """The tensor, filled with zeros."""
    return tensor.zero_()


# ---- by the fan ----------------------------------------------------------------------------------


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """The tensor, filled with uniform numbers of variance ``2 gain² / (fan_in + fan_out)``."""
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(sum(fans(tensor)))))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """The tensor, filled with normal numbers of variance ``2 gain² / (fan_in + fan_out)``."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(sum(fans(tensor)))), generator)


def kaiming_uniform_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:
    """The tensor, filled with uniform numbers of variance ``gain² / fan``."""
    if 0 in tensor.shape:
        errors.warn(errors.NOTHING_TO_FILL)
        return tensor
    size = fan(tensor, mode)
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(size))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:
    """The tensor, filled with normal numbers of variance ``gain² / fan``."""
    if 0 in tensor.shape:
        errors.warn(errors.NOTHING_TO_FILL)
        return tensor
    size = fan(tensor, mode)
    return normal_(tensor, 0, calculate_gain(nonlinearity, a) / math.sqrt(size), generator)


# ---- structured ----------------------------------------------------------------------------------


@no_grad()
def eye_(tensor: Any) -> Any:
    """The matrix, filled with the identity."""
    if tensor.ndim != 2:
        raise ValueError(errors.only_dimensions("2"))
    return tensor.copy_(eye_tensor(*tensor.shape, dtype=tensor.dtype))


@no_grad()
def dirac_(tensor: Any, groups: int = 1) -> Any:
    """The weight of a convolution, filled so that each channel passes unchanged."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError(errors.only_dimensions("3, 4, or 5"))
    if tensor.shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    if tensor._array.__class__ is MetaArray:
        return tensor
    tensor.zero_()
    per_group = tensor.shape[0] // groups
    middle = tuple(size // 2 for size in tensor.shape[2:])
    for group in range(groups):
        for channel in range(min(per_group, tensor.shape[1])):
            tensor[(group * per_group + channel, channel, *middle)] = 1
    return tensor


@no_grad()
def orthogonal_(tensor: Any, gain: float = 1, generator: Any = None) -> Any:
    """The tensor, filled with a random matrix whose rows (or columns) are orthonormal."""
    if tensor.ndim < 2:
        raise ValueError(errors.only_dimensions("2 or more"))
    if not tensor.numel() or tensor._array.__class__ is MetaArray:
        return tensor
    rows, columns = tensor.shape[0], tensor.numel() // tensor.shape[0]
    drawn = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
    q, r = qr(drawn.t() if rows < columns else drawn)
    q = q * r.diagonal().sign()
    q = q.t() if rows < columns else q
    return tensor.copy_(q.reshape(tensor.shape)).mul_(gain)


@no_grad()
def sparse_(tensor: Any, sparsity: float, std: float = 0.01, generator: Any = None) -> Any:
    """The matrix, filled with normal numbers, with a share of zeros (`sparsity`) in each column."""
    if tensor.ndim != 2:
        raise ValueError(errors.only_dimensions("2"))
    if tensor._array.__class__ is MetaArray:
        return tensor
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[randperm(rows)[:zeros], column] = 0
    return tensor


# ---- names of long ago ---------------------------------------------------------------------------


def renamed(function: Callable) -> Any:
    """The function under its old name, without the underscore: it warns."""
    old = function.__name__[:-1]

    @wraps(function)
    def deprecated(*args: Any, **kwargs: Any) -> Tensor:
        errors.warn(errors.init_renamed(old), FutureWarning)
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = old
    return deprecated


uniform, normal, constant = renamed(uniform_), renamed(normal_), renamed(constant_)
eye, dirac, orthogonal, sparse = map(renamed, (eye_, dirac_, orthogonal_, sparse_))

__getattr__, __dir__ = _completed(globals(), "nn.init")
