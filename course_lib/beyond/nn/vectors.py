"""All parameters of a model as one long vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.shape.join import cat
from course_lib.words import errors

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Any]) -> Tensor:
    """The elements of all parameters, one after the other.

    >>> torch.nn.utils.parameters_to_vector([torch.zeros(2, 2), torch.ones(1)])
    tensor([0., 0., 0., 0., 1.])
    """
    return cat([param.view(-1) for param in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Give each parameter its part of the vector, as a view: they share its memory.

    >>> weight = torch.nn.Parameter(torch.zeros(2, 2))
    >>> torch.nn.utils.vector_to_parameters(torch.arange(4.), [weight])
    >>> weight.data
    tensor([[0., 1.],
            [2., 3.]])
    """
    if not isinstance(vec, Tensor):
        raise TypeError(errors.vector_type(vec))
    start = 0
    for param in parameters:
        end = start + param.numel()
        param.data = vec[start:end].view_as(param).data
        start = end
