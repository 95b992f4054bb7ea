"""Gradients that cannot be differentiated again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from course_lib.autograd.saving import placed
from course_lib.core.graph import Node
from course_lib.core.tensor import Tensor
from course_lib.dtypes.dtypes import FLOATING
from course_lib.modes import modes, switched
from course_lib.words import errors


def once_differentiable(backward: Callable) -> Callable:
    """Mark a `backward` that cannot be differentiated: differentiating its results is an error."""

    @functools.wraps(backward)
    def wrapped(ctx: Any, *grads: Any) -> Any:
        with switched(grad=False):
            results = backward(ctx, *grads)
        if not (modes.grad and any(isinstance(g, Tensor) and g.requires_grad for g in grads)):
            return results
        alone = not isinstance(results, tuple)
        failing = outputs_of_error(
            leaves((results,) if alone else results), errors.ONCE_DIFFERENTIABLE
        )
        return failing[0] if alone else failing

    return wrapped


class Error(Node):
    """The node of gradients that cannot be differentiated: running it raises an error.

    Its edges lead to the gradients that it stands behind, so that a picture shows them.
    """

    label = "Error"

    def __init__(self, values: Sequence[Tensor | None], message: str):
        self.message = message
        shapes = [() if value is None else value._array.shape for value in values]
        dtype = next((value._dtype for value in values if value is not None), None)
        self.link(values, shapes, dtype)

    def name(self) -> str:
        return "torch::autograd::Error"

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        raise RuntimeError(self.message)


def leaves(values: Sequence[Any]) -> list[Tensor | None]:
    """The same values as new leaves that require gradients."""
    found = [value.detach() if isinstance(value, Tensor) else None for value in values]
    for leaf in found:
        if leaf is not None and leaf._dtype.category >= FLOATING:
            leaf._requires_grad = True
    return found


def outputs_of_error(values: Sequence[Tensor | None], message: str) -> tuple[Any, ...]:
    """The same values, as outputs of one `Error` that raises `message`."""
    node = Error(values, message)
    return tuple(
        None if value is None else placed(value.detach(), node, number)
        for number, value in enumerate(values)
    )


__all__ = ["once_differentiable"]
