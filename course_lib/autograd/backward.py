"""`backward` and `grad`: the two ways to start the engine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from course_lib.autograd import task
from course_lib.core import engine
from course_lib.core.graph import edge
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes
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
    given = as_tuple(grad_tensors, len(outputs))
    if create_graph:
        errors.warn_once(errors.CREATE_GRAPH_CYCLE)
    roots, grads = starts(outputs, given, create_graph)
    keep = create_graph if retain_graph is None else retain_graph
    if inputs is None:
        task.run(roots, grads, keep, create_graph)
        return
    wanted = as_sequence(inputs)
    if not wanted:
        raise RuntimeError(errors.EMPTY_INPUTS)
    for value in wanted:
        if isinstance(value, Tensor):
            value.retain_grad()
    task.run(roots, grads, keep, create_graph, {target: [] for target in capture(wanted)})


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
    if materialize_grads and allow_unused is False:
        raise ValueError(errors.MATERIALIZE_NEEDS_UNUSED)
    if not only_inputs:
        errors.warn(errors.ONLY_INPUTS, FutureWarning)
    unused_allowed = materialize_grads if allow_unused is None else allow_unused
    if is_grads_batched:
        raise NotImplementedError(errors.absent("torch.autograd.grad(is_grads_batched=True)"))
    outs = as_sequence(outputs)
    wanted = as_sequence(inputs)
    if not wanted:
        raise RuntimeError(errors.EMPTY_GRAD_INPUTS)
    roots, grads = starts(outs, as_tuple(grad_outputs, len(outs)), create_graph)
    keep = create_graph if retain_graph is None else retain_graph
    for value in wanted:
        if isinstance(value, Tensor) and not value.requires_grad:
            raise RuntimeError(errors.INPUT_WITHOUT_GRAD)
    found = task.run(roots, grads, keep, create_graph, capture(wanted))
    results = []
    for index, (tensor, result) in enumerate(zip(wanted, found, strict=True)):
        if result is None:
            if not unused_allowed:
                raise RuntimeError(errors.input_unused(index))
            if materialize_grads:
                result = np.zeros(tensor._array.shape, tensor._dtype.numpy)
                result = engine.tensor(result)
                result._requires_grad = create_graph
        results.append(engine.tensor(result))
    return tuple(results)


def as_sequence(value: Any) -> tuple[Any, ...]:
    """One tensor, or several, as a tuple."""
    return (value,) if isinstance(value, Tensor) else tuple(value)


def as_tuple(value: Any, count: int) -> tuple[Any, ...]:
    """One value per output: a single tensor is for a single output, None is for all of them."""
    if value is None:
        return (None,) * count
    return (value,) if isinstance(value, Tensor) else tuple(value)


def capture(tensors: tuple[Any, ...]) -> dict[tuple[Any, int], list[int]]:
    """For each place in the graph, the positions of its gradient in the result."""
    found: dict[tuple[Any, int], list[int]] = {}
    for position, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise RuntimeError(errors.input_type(tensor))
        node = edge(tensor)
        if node is None and not tensor.requires_grad:
            raise RuntimeError(errors.INPUT_WITHOUT_GRAD)
        number = tensor._output_nr if tensor.grad_fn is not None else 0
        found.setdefault((node, number), []).append(position)
    return found


def starts(
    outputs: tuple[Any, ...], given: tuple[Any, ...], create_graph: bool
) -> tuple[list[tuple[Any, int]], list[Any]]:
    """The nodes where backward starts and the gradients it starts with, checked."""
    for one in given:
        if one is not None and not isinstance(one, Tensor):
            raise TypeError(errors.gradient_type(one))
    if len(given) < len(outputs):
        raise RuntimeError(errors.grad_count(len(outputs), len(given)))
    roots, grads = [], []
    for index, out in enumerate(outputs):
        grads.append(first_grad(index, out, given[index], create_graph))
    for index, out in enumerate(outputs):
        node = edge(out)
        if node is None:
            raise RuntimeError(errors.no_grad_fn(index))
        roots.append((node, out._output_nr))
    return roots, grads


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
        one = np.ones(shape, dtype.numpy) if shape else dtype.numpy.type(1)
        return engine.tensor(one) if create_graph else one
    if grad._array.shape != shape:
        raise RuntimeError(errors.mismatched_gradient(index, grad._array.shape, shape))
    if dtype is not grad._dtype:
        if dtype.is_complex or grad._dtype.is_complex:
            raise RuntimeError(errors.mismatched_gradient_dtype(index, grad._dtype, dtype))
        grad = grad.to(dtype)
    return grad if create_graph else grad._array


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
