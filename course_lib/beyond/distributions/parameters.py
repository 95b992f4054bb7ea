"""Parameters: numbers made tensors of one shape, and probabilities made logits and back.

They are public as `torch.distributions.utils`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from course_lib.autograd.grad_mode import enable_grad
from course_lib.core.tensor import Tensor
from course_lib.dtypes.limits import finfo
from course_lib.ops.elementwise.activations import sigmoid
from course_lib.ops.layers.softmax import softmax
from course_lib.ops.make.tensor import tensor
from course_lib.ops.shape.expand import broadcast_tensors
from course_lib.words import errors

__all__ = [
    "broadcast_all",
    "clamp_probs",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
]


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """The values as tensors of one shape; a number takes the dtype of the first tensor.

    >>> torch.distributions.utils.broadcast_all(torch.zeros(2), 1)
    (tensor([0., 0.]), tensor([1., 1.]))
    """
    if not all(isinstance(value, (Tensor, int, float)) for value in values):
        raise ValueError(errors.NUMBERS_OR_TENSORS)
    first = next((value for value in values if isinstance(value, Tensor)), None)
    if first is None:
        made = [tensor(float(value)) for value in values]
    else:
        options = {"dtype": first.dtype, "device": first.device}
        made = [v if isinstance(v, Tensor) else tensor(v, **options) for v in values]
    return tuple(broadcast_tensors(*made))


def sum_rightmost(value: Tensor, dims: int) -> Tensor:
    """The sums over the last `dims` dimensions."""
    if dims == 0:
        return value
    return value.reshape((*value.shape[:-dims], -1)).sum(-1)


# ---- probabilities and logits --------------------------------------------------------------------


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities: of one event from its log odds, else of the events along the last dimension.

    >>> torch.distributions.utils.logits_to_probs(torch.zeros(2))
    tensor([0.5000, 0.5000])
    """
    return sigmoid(logits) if is_binary else softmax(logits, -1)


def clamp_probs(probs: Tensor) -> Tensor:
    """The probabilities, kept away from 0 and 1 so that their logarithms are finite.

    >>> torch.distributions.utils.clamp_probs(torch.tensor([0.0, 0.5]))
    tensor([1.1921e-07, 5.0000e-01])
    """
    least = finfo(probs.dtype).eps
    return probs.clamp(min=least, max=1 - least)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """The inverse of `logits_to_probs`.

    >>> torch.distributions.utils.probs_to_logits(torch.tensor([0.5, 0.2]), is_binary=True)
    tensor([ 0.0000, -1.3863])
    """
    kept = clamp_probs(probs)
    return kept.log() - (-kept).log1p() if is_binary else kept.log()


class lazy_property:
    """A property that is computed when it is first used, and then kept.

    >>> class Square:
    ...     side = 3
    ...
    ...     @torch.distributions.utils.lazy_property
    ...     def area(self):
    ...         return self.side ** 2
    >>> square = Square()
    >>> square.area, vars(square)
    (9, {'area': 9})
    """

    def __init__(self, wrapped: Callable[[Any], Any]):
        self.wrapped = wrapped
        update_wrapper(self, wrapped)  # type: ignore[arg-type]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        with enable_grad():  # it may be used in a loss later
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value
