"""Initial values for parameters: each function fills a tensor in place and returns it.

The size of the initial weights decides whether a deep model learns at all: sums over many inputs
grow with the number of inputs, the fan.  Xavier and Kaiming are the two usual remedies.
"""

import math
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.calls.missing import complete_module as _completed
from course_lib.calls.rules import refuse_value
from course_lib.words import errors

__all__ = ["calculate_gain", "constant_", "kaiming_normal_", "kaiming_uniform_", "normal"]
__all__ += ["normal_", "ones_", "uniform_", "xavier_normal_", "xavier_uniform_", "zeros_"]

LINEAR = ["linear", "sigmoid"]
LINEAR += [f"{kind}{n}d" for kind in ("conv", "conv_transpose") for n in (1, 2, 3)]


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
    refuse_value(nonlinearity not in gains, f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


def fans(tensor: Any) -> tuple[int, int]:
    """The fan-in (inputs that each output sums) and fan-out (outputs that each input feeds)."""
    refuse_value(tensor.dim() < 2, errors.NO_FANS)
    outputs, inputs, *window = tensor.shape
    return inputs * math.prod(window), outputs * math.prod(window)


# ---- simple distributions ------------------------------------------------------------------------


@no_grad()
def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """The tensor, filled with uniform numbers from `a` to `b`."""
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """The tensor, filled with normal numbers."""
    return tensor.normal_(mean, std, generator=generator)


def normal(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """`normal_`, by its old name: it warns."""
    errors.warn(errors.init_renamed("normal"), FutureWarning)
    return normal_(tensor, mean, std, generator)


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
    bound = math.sqrt(3.0) * kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:
    """The tensor, filled with normal numbers of variance ``gain² / fan``."""
    return normal_(tensor, 0, kaiming_std(tensor, a, mode, nonlinearity), generator)


def kaiming_std(tensor: Any, a: float, mode: str, nonlinearity: str) -> float:
    """``gain / sqrt(fan)``; with a warning, 0 if there is nothing to fill."""
    if 0 in tensor.shape:
        errors.warn(errors.NOTHING_TO_FILL)
        return 0
    mode = mode.lower()
    refuse_value(mode not in ("fan_in", "fan_out"), errors.fan_mode, mode)
    fan = fans(tensor)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


__getattr__, __dir__ = _completed(globals(), "nn.init")
