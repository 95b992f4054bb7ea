"""The public interface of graph nodes: hooks, metadata, saved values, direct calls."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from course_lib.autograd.function import FunctionCtx, FunctionNode
from course_lib.autograd.hooks import RemovableHandle
from course_lib.autograd.saving import make_saved_tensor
from course_lib.calls import arguments
from course_lib.calls.rules import refuse_type
from course_lib.core import graph
from course_lib.core.saved import OpNode
from course_lib.core.tensor import Tensor
from course_lib.declare.extras import fit_gradients
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.kinds import NUMBERS
from course_lib.words import errors

# ---- _saved_… and _raw_saved_… -------------------------------------------------------------------

WORDS = {"shape": "sym_sizes", "strides": "sym_strides"}  # ours and PyTorch's
LISTED = "__ _input_ _raw_ _saved_ _sequence_ metadata name next_ register_ requires_ variable"
DIMS = frozenset("sum mean amax amin var std logsumexp".split())  # several dims are allowed


def read_saved(name: str, node: Any) -> Any:
    """`node._saved_<name>`, checked as in backward; a number given as an operand is a tensor."""
    value = node.unpack(name)
    if name in node._tensors and isinstance(value, NUMBERS):
        dtype = dtypes.infer_number_dtype(value)
        return Tensor._make(kinds.scalar(value, dtype.numpy), dtype)
    if name.endswith("_strides"):  # in elements, not in bytes; none for a constant
        at = list(node.needs).index(name.removesuffix("_strides"))
        return tuple(step // node._dtype.itemsize for step in value if node.nodes[at])
    if name == "dim" and value.__class__ is int and node.op.name in DIMS:
        return (value,)
    return arguments.format_saved(name, value)


def show_saved(kind: type[OpNode]) -> None:
    """Give a class of nodes its `_saved_…` attributes, one by one: Note [No __getattr__]."""
    reads: dict = {listed_as(kind, name): partial(read_saved, name) for name in kind.saved}
    for name, read in (reads | kind.op.shows).items():
        if name and read is not ...:
            setattr(kind, f"_saved_{name}", property(read) if callable(read) else read)
    for name in kind._tensors:
        setattr(kind, f"_raw_saved_{name}", property(partial(make_saved_tensor, name)))


def attributes(node: Any) -> list[str]:
    """The result of `dir` for a node: what PyTorch lists, names that begin as in `LISTED`."""
    return sorted({n for n in object.__dir__(node) if n.startswith(tuple(LISTED.split()))})


def listed_as(node: Any, name: str) -> str | None:
    """PyTorch's name for a saved value; None if it does not list it."""
    argument, _, what = name.rpartition("_")
    if name in node._tensors or name in node.op.params or argument not in node.op.params:
        return name
    only_ours = what in ("dtype", "offset") or f"{argument}_offset" in node.saved
    if what == "shape":  # the shape of a saved tensor is not listed, except in matrix products
        only_ours |= argument in node._tensors and f"{argument}_strides" not in node.saved
    return None if only_ours or argument in node.op.lists else f"{argument}_{WORDS[what]}"


# ---- what a node receives ------------------------------------------------------------------------

INTEGERS = frozenset("exponent indices info rank result1".split())  # outputs without a gradient


class InputMetadata(NamedTuple):
    """What a node knows about one gradient that it receives: that of one output of the operation.

    >>> (metadata,) = torch.ones(2, 3, requires_grad=True).exp().grad_fn._input_metadata
    >>> metadata.shape, metadata.dtype
    ([2, 3], torch.float32)
    """

    shape: list[int]
    dtype: Any
    is_nested_tensor: bool = False
    is_cpp_nested_tensor: bool = False


def input_metadata(node: graph.Node) -> tuple[InputMetadata, ...]:
    """One `InputMetadata` for each output that has a gradient."""
    shapes = node._shape if isinstance(node._shape, list) else [node._shape]
    names = node.op.returns if isinstance(node, OpNode) else ()
    while len(names) == len(shapes) and names[-1] in INTEGERS:
        names, shapes = names[:-1], shapes[:-1]
    return tuple(InputMetadata(list(shape), node._dtype) for shape in shapes)


# ---- the public class ----------------------------------------------------------------------------


class _NodeMeta(type):
    """Makes every node, and the `ctx` of a Function, an instance of `Node`."""

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, (graph.Node, FunctionCtx))

    def __subclasscheck__(cls, other: type) -> bool:
        return other is cls or issubclass(other, (graph.Node, FunctionCtx))


class Node(metaclass=_NodeMeta):
    """The interface of all nodes of the graph; this class itself has no instances.

    >>> isinstance(torch.ones(1, requires_grad=True).exp().grad_fn, torch.autograd.graph.Node)
    True
    """

    @staticmethod
    def name(self: Any) -> str:
        """The node's name, say ``MulBackward0``."""
        return self.name()

    @staticmethod
    def metadata(self: Any) -> dict:
        """A dictionary in which users can store anything."""
        return self.more().metadata

    @staticmethod
    def register_hook(self: Any, hook: Callable) -> RemovableHandle:
        """Call ``hook(grad_inputs, grad_outputs)`` after this node has run; returns a handle."""
        return RemovableHandle(self.more().post, hook)

    @staticmethod
    def register_prehook(self: Any, hook: Callable) -> RemovableHandle:
        """Call ``hook(grad_outputs)`` before this node runs; returns a handle."""
        return RemovableHandle(self.more().pre, hook)


def call(node: graph.Node, *grads: Tensor | None) -> Any:
    """The gradients of a node's inputs, given those of its outputs: ``y.grad_fn(grad)``.

    Only this node runs, without its hooks, and it keeps its saved values.
    """
    refuse_type(len(grads) != node.outputs, errors.node_arguments, node.outputs, len(grads))
    for position, grad in enumerate(grads):
        refuse_type(not isinstance(grad, Tensor | None), errors.node_argument, position)
    results: tuple = (None,) * len(node.nodes)
    if any(grad is not None for grad in grads):
        given: Any = list(grads) if isinstance(node._shape, list) else grads[0]
        results = fit_gradients(node, node.apply(given, True))
    return results[0] if len(results) == 1 else results


def not_callable(node: FunctionNode, *grads: Any) -> Any:
    """Always an error: the node of a user's Function cannot be called, only its `backward`."""
    raise TypeError(errors.not_callable(node.label))


graph.Node.metadata = property(Node.metadata)
graph.Node.register_hook = Node.register_hook
graph.Node.register_prehook = Node.register_prehook
graph.Node.requires_grad = property(lambda self: True)
graph.Node._input_metadata = property(input_metadata)
graph.Node._sequence_nr = lambda self: self.order
graph.Node.__call__ = call
FunctionNode.__call__ = not_callable
OpNode.__init_subclass__ = classmethod(show_saved)
for known in OpNode.__subclasses__():
    show_saved(known)
OpNode.__dir__ = graph.AccumulateGrad.__dir__ = attributes
