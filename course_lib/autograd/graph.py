"""`torch.autograd.graph`: looking into the graph, and replacing its saved values."""

from __future__ import annotations

from typing import Any, NamedTuple

from course_lib.autograd.node import Node
from course_lib.autograd.saving_hooks import save_on_cpu, saved_tensors_hooks
from course_lib.declare.public import completed as _completed

__all__ = [
    "GradientEdge",
    "Node",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor enters the graph: a node and an output number."""

    node: Any
    output_nr: int
    ownership_token: Any = None  # keeps the graph alive in PyTorch; here `node` does that


__getattr__, __dir__ = _completed(globals(), "autograd.graph")
