"""Clipping: gradients that are too large are made smaller before the optimizer sees them.

`foreach` changes nothing here: in PyTorch it asks for faster kernels that compute the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import GeneratorType
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.core.tensor import Tensor
from course_lib.linalg import vector_norm
from course_lib.ops.make.creation import zeros
from course_lib.ops.shape.join import stack
from course_lib.words import errors

__all__ = [
    "clip_grad_norm_",
    "clip_grads_with_norm_",
    "get_total_norm",
]


Tensors = Tensor | Iterable[Tensor]


def listed(tensors: Tensors) -> list[Any]:
    """One tensor or several as a list."""
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def gradients(parameters: Tensors) -> list[Any]:
    """The gradients of those parameters that have one."""
    return [param.grad for param in listed(parameters) if param.grad is not None]


@no_grad()
def get_total_norm(
    tensors: Tensors,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all tensors as if they were one long vector.

    >>> torch.nn.utils.get_total_norm([torch.tensor([3.]), torch.tensor([4.])])
    tensor(5.)
    """
    order = float(norm_type)
    parts = [vector_norm(part, order) for part in listed(tensors)]
    if not parts:
        return zeros(())
    total: Any = vector_norm(stack(parts), order)
    if error_if_nonfinite and (total.isnan() or total.isinf()):
        raise RuntimeError(errors.norm_not_finite(order))
    return total


@no_grad()
def clip_grads_with_norm_(
    parameters: Tensors, max_norm: float, total_norm: Any, foreach: bool | None = None
) -> None:
    """Make gradients whose norm is known smaller, so that it becomes `max_norm` at most."""
    grads = gradients(parameters)
    if grads:
        factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for grad in grads:
            grad.mul_(factor)


@no_grad()
def clip_grad_norm_(
    parameters: Tensors,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Make all gradients smaller by one factor, so that their norm is `max_norm` at most.

    What comes back is the norm that they had.

    >>> weight = torch.nn.Parameter(torch.tensor([3., 4.]))
    >>> (weight * weight / 2).sum().backward()
    >>> torch.nn.utils.clip_grad_norm_([weight], max_norm=1.0)
    tensor(5.)
    >>> weight.grad
    tensor([0.6000, 0.8000])
    """
    params = listed(parameters)
    if isinstance(parameters, GeneratorType) and not params:
        errors.warn(errors.EMPTY_GENERATOR)
    total = get_total_norm(gradients(params), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(params, max_norm, total, foreach)
    return total
