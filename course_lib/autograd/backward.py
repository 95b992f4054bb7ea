"""`backward` and `grad`: the two ways to start the engine."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from course_lib.calls.rules import lacking, refuse, refuse_value
from course_lib.core.engine import Pass, walk
from course_lib.core.graph import Node, edge
from course_lib.core.tensor import Tensor
from course_lib.declare.extras import as_tensor
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes
from course_lib.memory.dims import in_pytorch_words
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.words import errors


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradient of `tensors`, with respect to each leaf, to the leaf's `.grad`.

    `grad_tensors` are the vectors of the vector–Jacobian product, one per tensor and with its
    shape; one-element tensors need none.  With `inputs`, only those tensors get a gradient.
    Saved values are freed unless `retain_graph` (by default: `create_graph`).  Raises RuntimeError
    if a tensor has no graph, or if the graph's saved values were freed or overwritten.

    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> torch.autograd.backward([x.sum(), (2 * x).sum()])
    >>> x.grad
    tensor([3., 3.])
    """
    if grad_variables is not None:
        raise NotImplementedError(errors.absent("torch.autograd.backward(grad_variables=…)"))
    outputs = as_sequence(tensors)
    root, grads = starts(outputs, grad_tensors, create_graph)
    if create_graph:
        errors.warn_once(errors.CREATE_GRAPH_CYCLE)
    captures = None
    if inputs is not None:
        wanted = as_sequence(inputs)
        refuse(not wanted, errors.empty_inputs, "backward")
        for value in wanted:
            if isinstance(value, Tensor):
                value.retain_grad()
        captures = {node: {} for node in capture(wanted)}
    run(root, grads, retain_graph, create_graph, captures)


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of `outputs` with respect to `inputs`, as a tuple; no `.grad` changes.

    An input that the outputs do not depend on is an error, or gives None with `allow_unused`, or
    zeros with `materialize_grads`.  With `create_graph` the gradients can be differentiated again.

    >>> x = torch.tensor(3., requires_grad=True)
    >>> torch.autograd.grad(x * x, x)
    (tensor(6.),)
    """
    refuse_value(materialize_grads and allow_unused is False, errors.MATERIALIZE_NEEDS_UNUSED)
    if not only_inputs:
        errors.warn(errors.ONLY_INPUTS, FutureWarning)
    unused_allowed = materialize_grads if allow_unused is None else allow_unused
    lacking(is_grads_batched, errors.absent, "torch.autograd.grad(is_grads_batched=True)")
    outs = as_sequence(outputs)
    wanted = as_sequence(inputs)
    refuse(not wanted, errors.empty_inputs, "grad")
    root, grads = starts(outs, grad_outputs, create_graph)
    found = run(root, grads, retain_graph, create_graph, capture(wanted))
    for index, tensor in enumerate(wanted):
        if found.get(index) is None:
            refuse(not unused_allowed, errors.input_unused, index)
            if materialize_grads:
                found[index] = as_tensor(np.zeros_like(tensor._array, order="C"))
                found[index]._requires_grad = create_graph
    return tuple([found.get(index) for index in range(len(wanted))])


def as_sequence(value: Any) -> tuple[Any, ...]:
    """One tensor, or several, as a tuple."""
    return (value,) if isinstance(value, Tensor) else tuple(value)


def capture(tensors: tuple[Any, ...]) -> dict[Any, dict[int, list[int]]]:
    """For each node, by the number of its output, the positions of that gradient in the answer."""
    found: dict[Any, dict[int, list[int]]] = {}
    for position, tensor in enumerate(tensors):
        refuse(not isinstance(tensor, Tensor), errors.input_type, tensor)
        node = edge(tensor)
        refuse(node is None and not tensor.requires_grad, errors.INPUT_WITHOUT_GRAD)
        if node is not None:
            found.setdefault(node, {}).setdefault(tensor._output_nr, []).append(position)
    return found


def starts(outputs: tuple[Any, ...], given: Any, create_graph: bool) -> tuple[Node, list[Any]]:
    """A node with an edge to each output, and the gradients that it sends there, checked."""
    given = (None,) * len(outputs) if given is None else as_sequence(given)
    for one in given:
        if one is not None and not isinstance(one, Tensor):
            raise TypeError(errors.gradient_type(one))
    if len(given) < len(outputs):
        raise RuntimeError(errors.grad_count(len(outputs), len(given)))
    grads, root = [], Node()
    for index, out in enumerate(outputs):
        grads.append(first_grad(index, out, given[index], create_graph))
    root.nodes, root.numbers, root.extras = (), (), None
    for index, out in enumerate(outputs):
        node = edge(out)
        if node is None:
            raise RuntimeError(errors.no_grad_fn(index))
        root.nodes += (node,)
        root.numbers += (out._output_nr,)
    return root, grads


def first_grad(index: int, out: Any, grad: Any, create_graph: bool) -> Any:
    """The gradient that backward starts with at one output: the given one, or 1."""
    if not isinstance(out, Tensor):
        raise AssertionError(errors.OUTPUT_NO_TENSOR)
    shape, dtype = out._array.shape, out._dtype
    if grad is None:
        if out.requires_grad:
            if shape and math.prod(shape) != 1:
                raise RuntimeError(errors.NOT_SCALAR)
            if dtype.category > dtypes.FLOATING:
                raise RuntimeError(errors.grad_of_complex(out))
        if dtype.category < dtypes.FLOATING:
            return None
        many = shape or out._array.__class__ is MetaArray
        one = np.ones_like(out._array, order="C") if many else out._array.dtype.type(1)
        return as_tensor(one) if create_graph else one
    refuse(grad._array.shape != shape, errors.mismatched_gradient, index, grad._array.shape, shape)
    if grad._array.__class__ is not out._array.__class__ and grad.device != out.device:
        raise RuntimeError(errors.gradient_device(index, out.device, grad.device))
    if dtype is not grad._dtype:
        if dtype.is_complex or grad._dtype.is_complex:
            raise RuntimeError(errors.mismatched_gradient_dtype(index, grad._dtype, dtype))
        grad = grad.to(dtype)
    return grad if create_graph else grad._array


def run(
    root: Node, grads: list[Any], retain_graph: Any, create_graph: bool, captures: dict | None
) -> dict[int, Any]:
    """Run a backward pass, recorded with `create_graph`: the gradients that were asked for."""
    now = modes.now
    outer, grad, packing = now.task, now.grad, now.packing
    task = Pass(root, outer)
    if captures is not None:
        restrict(task, captures)
    for node in task.waits if now.anomaly else (*task.captures, *task.ends):
        node.more()  # its extras watch it
    now.task, now.grad = task, create_graph
    try:
        with np.errstate(all="ignore"):
            walk(task, grads, create_graph if retain_graph is None else retain_graph, create_graph)
    except ValueError as error:
        raise in_pytorch_words(error) from None
    finally:
        now.task, now.grad = outer, grad
        if now.packing is not packing:
            modes.exchange({"packing": packing})
    return task.found


def restrict(task: Pass, captures: dict[Any, dict[int, list[int]]]) -> None:
    """Run only the nodes on a path to a captured one.

    The pass ends at captured nodes that are on no path to another one, and at a single root that is
    on none: hooks see their gradients, but they do not run.  The inputs of `backward(inputs=…)`,
    whose gradients are not in the answer, do.
    """
    passed, roots = set(), task.root.nodes  # type: set[Any], tuple
    for node in sorted(task.waits, key=lambda node: node.order):  # inputs first
        if any(nxt in captures or nxt in passed for nxt in node.nodes):
            passed.add(node)
    useful = passed.union(captures, roots if len(roots) == 1 else ())
    task.waits = {node: left for node, left in task.waits.items() if node in useful}
    task.ends = {node for node in useful - passed if captures.get(node) != {}}
    task.captures = captures


def tensor_backward(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add the gradient of this tensor, with respect to each leaf, to the leaf's `.grad`.

    `gradient` is the vector of the vector–Jacobian product, with this tensor's shape; a
    one-element tensor needs none.  The graph's saved values are freed unless `retain_graph`.
    """
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


attach_as("backward", tensor_backward)
