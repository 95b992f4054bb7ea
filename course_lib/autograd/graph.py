"""Looking into the graph, and replacing what it saves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from course_lib.autograd.saving import Slot, made, saved_by
from course_lib.core.graph import Node, OpNode, edge
from course_lib.core.tensor import Tensor
from course_lib.facts import arguments, dtypes, errors, kinds
from course_lib.facts.handles import RemovableHandle
from course_lib.facts.kinds import NUMBERS
from course_lib.facts.modes import modes

__all__ = [
    "GradientEdge",
    "Node",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class saved_tensors_hooks:
    """Inside, saved tensors are kept as ``pack(tensor)``; backward gets ``unpack`` of that.

    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
    ...     y = x.exp()
    >>> y.sum().backward()
    >>> x.grad
    tensor([2.7183, 2.7183])
    """

    def __init__(self, pack_hook: Callable, unpack_hook: Callable):
        self.pack, self.unpack = pack_hook, unpack_hook

    def replace_saved(self, node: Any) -> None:
        """Put ``pack(tensor)`` in the place of every tensor that `node` saved."""
        for saved in saved_by(node):
            saved._pack(saved.unpack(), self.pack, self.unpack, detached=False)

    def __enter__(self) -> None:
        if modes.no_packing:
            raise RuntimeError(modes.no_packing)
        modes.packing = (*modes.packing, self.replace_saved)
        modes.special = True

    def __exit__(self, *error: Any) -> None:
        modes.packing = modes.packing[:-1]
        modes.special = modes.anomaly or bool(modes.packing)


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors as copies in the CPU's memory."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda"):
        super().__init__(lambda t: t.detach().clone(), lambda t: t)


class disable_saved_tensors_hooks:
    """Inside, registering saved-tensor hooks is an error with this message."""

    def __init__(self, error_message: str):
        self.message, self.previous = error_message, ""

    def __enter__(self) -> None:
        if modes.packing:
            raise RuntimeError(self.message)
        self.previous, modes.no_packing = modes.no_packing, self.message

    def __exit__(self, *error: Any) -> None:
        modes.no_packing = self.previous


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor enters the graph: a node and an output number."""

    node: Any
    output_nr: int


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge of `tensor`: its `grad_fn`, or the AccumulateGrad of a leaf.

    >>> torch.autograd.graph.get_gradient_edge(torch.ones(1, requires_grad=True)).node.name()
    'torch::autograd::AccumulateGrad'
    """
    if not tensor.requires_grad:
        raise RuntimeError(errors.EDGE_WITHOUT_GRAD)
    return GradientEdge(edge(tensor), tensor._output_nr)


def increment_version(tensor: Any) -> None:
    """Count a write into a tensor (or several) that was made behind the library's back."""
    for written in (tensor,) if isinstance(tensor, Tensor) else tensor:
        if not written.is_inference():
            written._share().value += 1


# ---- _saved_… and _raw_saved_… -------------------------------------------------------------------

UNSEEN = ("tensors_shape", "self_strides", "self_offset")  # saved by us, not by PyTorch
DIMS = frozenset("sum mean amax amin var std logsumexp nansum".split())  # many as well


def saved_attribute(node: Any, name: str) -> Any:
    """`node._saved_<name>`, checked as in backward; numbers that stood for tensors are tensors."""
    saved = name.removeprefix("_raw").removeprefix("_saved_").replace("sym_sizes", "shape")
    if name.startswith("_raw_saved_") and saved in node.tensors:
        return made(Slot, _node=node, _name=saved)
    if not name.startswith("_saved_") or saved not in node.saved:
        raise AttributeError(errors.no_attribute(node.label, name))
    value = node.unpack(saved)
    if saved in node.tensors and isinstance(value, NUMBERS):
        dtype = dtypes.of_number(value)
        return Tensor._make(kinds.scalar(value, dtype.numpy), dtype)
    if saved == "dim" and value.__class__ is int and node.op.name in DIMS:
        return (value,)
    return arguments.as_saved(saved, value)


def attributes(node: Any) -> list[str]:
    """What `dir` of a node lists: also the saved values."""
    known = [n for n in node.saved if n not in UNSEEN and not n.endswith("_dtype")]
    known = [n for n in known if n.removesuffix("_shape") not in node.tensors or n in node.tensors]
    saved = [f"_saved_{n.replace('_shape', '_sym_sizes')}" for n in known]
    raw = [f"_raw_saved_{n}" for n in node.tensors]
    return sorted({*object.__dir__(node), *saved, *raw})


# ---- what a node lets its user do ----------------------------------------------------------------


def metadata(self: Node) -> dict:
    """A dictionary for the user's own notes."""
    return self.more().metadata


def register_hook(self: Node, hook: Callable) -> RemovableHandle:
    """Call ``hook(grad_inputs, grad_outputs)`` after this node has run; gives a handle."""
    return RemovableHandle(self.more().post, hook)


def register_prehook(self: Node, hook: Callable) -> RemovableHandle:
    """Call ``hook(grad_outputs)`` before this node runs; gives a handle."""
    return RemovableHandle(self.more().pre, hook)


Node.metadata = property(metadata)  # type: ignore[attr-defined]
Node.register_hook = register_hook  # type: ignore[attr-defined]
Node.register_prehook = register_prehook  # type: ignore[attr-defined]
Node.requires_grad = property(lambda self: True)  # type: ignore[attr-defined]
Node._sequence_nr = lambda self: self.order  # type: ignore[attr-defined]
OpNode.__getattr__ = saved_attribute  # type: ignore[attr-defined]
OpNode.__dir__ = attributes  # type: ignore[method-assign,assignment]
