"""`torch.autograd.graph`: looking into the graph, and replacing its saved values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from course_lib.autograd.hooks import register_multi_grad_hook
from course_lib.autograd.mutation import allow_mutation_on_saved_tensors
from course_lib.autograd.node import Node
from course_lib.autograd.saving_hooks import (
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from course_lib.core.graph import edge
from course_lib.core.tensor import Tensor
from course_lib.declare.public import completed as _completed
from course_lib.words import errors

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor enters the graph: a node and an output number."""

    node: Any
    output_nr: int
    ownership_token: Any = None  # keeps the graph alive in PyTorch; here `node` does that


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge of `tensor`: its `grad_fn`, or the AccumulateGrad of a leaf.

    >>> torch.autograd.graph.get_gradient_edge(torch.ones(1, requires_grad=True)).node.name()
    'torch::autograd::AccumulateGrad'
    """
    if not tensor.requires_grad:
        raise RuntimeError(errors.EDGE_WITHOUT_GRAD)
    return GradientEdge(edge(tensor), tensor._output_nr)


def increment_version(tensor: Any) -> None:
    """Count a write into a tensor (or several tensors) that was made outside the library."""
    if not isinstance(tensor, (Tensor, Iterable)):
        raise RuntimeError(errors.VERSIONS_OF_NOTHING)
    for written in (tensor,) if isinstance(tensor, Tensor) else tensor:
        if not written.is_inference():
            written._bump()


__getattr__, __dir__ = _completed(globals(), "autograd.graph")
