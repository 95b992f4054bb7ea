"""Clipping: gradients that are too large are made smaller before the optimizer sees them."""

from collections.abc import Iterable
from types import GeneratorType
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.calls.rules import refuse
from course_lib.core.tensor import Tensor
from course_lib.linalg import vector_norm
from course_lib.ops.make.creation import zeros
from course_lib.ops.shape.join import stack
from course_lib.words import errors

__all__ = ["clip_grad_norm_"]


@no_grad()
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Make all gradients smaller by one factor, so that their norm is `max_norm` at most.

    The norm is that of one long vector of all gradients; what comes back is the norm that they had.
    `foreach` changes nothing: in PyTorch it asks for faster kernels that compute the same.

    >>> weight = torch.nn.Parameter(torch.tensor([3., 4.]))
    >>> (weight * weight / 2).sum().backward()
    >>> torch.nn.utils.clip_grad_norm_([weight], max_norm=1.0)
    tensor(5.)
    >>> weight.grad
    tensor([0.6000, 0.8000])
    """
    params: list[Any] = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    if isinstance(parameters, GeneratorType) and not params:
        errors.warn(errors.EMPTY_GENERATOR)
    grads = [param.grad for param in params if param.grad is not None]
    if not grads:
        return zeros(())
    order = float(norm_type)
    total: Any = vector_norm(stack([vector_norm(grad, order) for grad in grads]), order)
    refuse(error_if_nonfinite and (total.isnan() or total.isinf()), errors.norm_not_finite, order)
    factor = (float(max_norm) / (total + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(factor)
    return total
