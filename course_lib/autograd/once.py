"""Gradients that have no gradient themselves."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from course_lib.autograd.saving import placed
from course_lib.core.graph import Node, edge, next_order
from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.dtypes import FLOATING
from course_lib.facts.modes import modes


def once_differentiable(backward: Callable) -> Callable:
    """Mark a `backward` that cannot be differentiated itself: its results have no history."""

    @functools.wraps(backward)
    def wrapped(ctx: Any, *grads: Any) -> Any:
        previous, modes.grad = modes.grad, False
        try:
            results = backward(ctx, *grads)
        finally:
            modes.grad = previous
        if not (previous and any(isinstance(g, Tensor) and g.requires_grad for g in grads)):
            return results
        alone = not isinstance(results, tuple)
        failing = outputs_of_error((results,) if alone else results)
        return failing[0] if alone else failing

    return wrapped


class Error(Node):
    """The node of gradients that cannot be differentiated: it says so when it is asked.

    Its edges lead to fresh leaves, one per gradient, so that a picture shows what there was.
    """

    label = "Error"

    def __init__(self, leaves: list[Tensor | None]):
        self.nodes = tuple(None if leaf is None else edge(leaf) for leaf in leaves)
        self.numbers = (0,) * len(leaves)
        self.order, self.extras = next_order(), None
        self.shape = [() if leaf is None else leaf._array.shape for leaf in leaves]
        self.dtype = next((leaf._dtype for leaf in leaves if leaf is not None), None)

    def name(self) -> str:
        return "torch::autograd::Error"

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        raise RuntimeError(errors.ONCE_DIFFERENTIABLE)


def outputs_of_error(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same values, as outputs of one `Error`."""
    leaves = [value.detach() if isinstance(value, Tensor) else None for value in values]
    for leaf in leaves:
        if leaf is not None and leaf._dtype.category >= FLOATING:
            leaf._requires_grad = True
    node = Error(leaves)
    return tuple(
        None if leaf is None else placed(leaf, node, number) for number, leaf in enumerate(leaves)
    )


__all__ = ["once_differentiable"]
