"""Jacobians and Hessians of functions, whole or multiplied with a vector.

vjp     vᵀ J     one backward pass
jvp     J v      two: the backward pass is linear in its vector, so the backward pass *of the
                 backward pass* multiplies from the other side
jacobian         one backward pass per element of the output
vhp     vᵀ H     backward through the gradient
hvp     H v      the same with jvp's trick
hessian          the Jacobian of the gradient
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.autograd.backward import grad
from course_lib.autograd.grad_mode import enable_grad, set_grad_enabled
from course_lib.core.tensor import Tensor
from course_lib.modes import modes
from course_lib.words import errors

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


class _Call:
    """One call of one of these functions: the user's inputs, made fresh, and outputs."""

    def __init__(self, name: str, inputs: Any, create_graph: bool, strict: bool):
        self.name, self.create_graph, self.strict = name, create_graph, strict
        self.alone, given = _tensors(inputs, "inputs", name)
        self.inputs = _fresh(given, create_graph, tracked=True)

    def run(self, func: Callable) -> tuple[Tensor, ...]:
        """The outputs of the user's function."""
        found = func(*self.inputs)
        what = "outputs of the user-provided function"
        self.output_alone, self.outputs = _tensors(found, what, self.name)
        self.check(self.outputs, "outputs")
        return self.outputs

    def run_scalar(self, func: Callable) -> None:
        """The same for a function that has to return a single number."""
        self.run(func)
        if not self.output_alone:
            raise RuntimeError(errors.single_tensor(self.name))
        if self.outputs[0].numel() != 1:
            raise RuntimeError(errors.single_element(self.name))

    def vector(self, v: Any, likes: tuple, alone: bool, missing: str) -> Any:
        """The vector `v`, checked against the tensors that it has to look like."""
        if v is None:
            if len(likes) != 1 or likes[0].numel() != 1:
                raise RuntimeError(missing)
            return None
        _, given = _tensors(v, "v", self.name)
        given = _fresh(given, self.create_graph, tracked=False)
        if len(likes) != len(given):
            raise RuntimeError(
                errors.V_ALONE if alone else errors.vector_count(len(likes), len(given))
            )
        for index, (one, like) in enumerate(zip(given, likes, strict=True)):
            if one.shape != like.shape:
                raise RuntimeError(
                    errors.vector_size(None if alone else index, like.shape, one.shape)
                )
        return given

    def check(self, tensors: tuple, what: str) -> None:
        """In strict mode, raise unless all of `tensors` depend on the inputs."""
        if not self.strict:
            return
        for index, tensor in enumerate(tensors):
            if tensor is None:
                raise RuntimeError(errors.GRADIENT_STAGES["back"].format(index))
            if not tensor.requires_grad:
                raise RuntimeError(errors.UNTRACKED[what].format(index))

    def final(self, outputs: tuple, inputs: tuple, v: Any, likes: tuple, stage: str) -> tuple:
        """The last backward pass, with zeros (in strict mode: an error) for what is unused."""
        with set_grad_enabled(self.create_graph or modes.grad):
            found = _grads(outputs, inputs, v, self.create_graph)
        filled = []
        for index, (one, like) in enumerate(zip(found, likes, strict=True)):
            if one is None:
                if self.strict:
                    raise RuntimeError(errors.GRADIENT_STAGES[stage].format(index))
                one = like.new_zeros(like.shape)
            elif self.strict and self.create_graph and not one.requires_grad:
                raise RuntimeError(errors.independent_graph(stage, index))
            filled.append(one)
        return tuple(filled)

    def answer(self, values: tuple, alone: bool) -> Any:
        """What the user gets: without history unless asked for, a tuple only for a tuple."""
        if not self.create_graph:
            values = tuple(value.detach() for value in values)
        return values[0] if alone else values


def _tensors(value: Any, what: str, function: str) -> tuple[bool, tuple[Tensor, ...]]:
    """Whether `value` is a tensor alone, and the tuple of tensors that it stands for."""
    alone = not isinstance(value, tuple)
    values = (value,) if alone else value
    for index, one in enumerate(values):
        if not isinstance(one, Tensor):
            raise TypeError(errors.not_tensors(what, function, one, None if alone else index))
    return alone, values


def _fresh(tensors: tuple[Tensor, ...], create_graph: bool, tracked: bool) -> tuple[Tensor, ...]:
    """Other tensor objects with the same values: what the user's function captures is not them."""
    return tuple(
        t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_(tracked)
        for t in tensors
    )


def _grads(
    outputs: tuple, inputs: tuple, v: Any = None, create_graph: bool = False, keep: Any = None
) -> tuple:
    """`autograd.grad` that leaves out the outputs without history; None for unused inputs."""
    pairs = zip(outputs, v or (None,) * len(outputs), strict=True)
    useful = [(out, one) for out, one in pairs if out is not None and out.requires_grad]
    if not useful:
        return (None,) * len(inputs)
    starts, vectors = zip(*useful, strict=True)
    return grad(
        starts, inputs, vectors, allow_unused=True, create_graph=create_graph, retain_graph=keep
    )


def vjp(
    func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """``func(*inputs)`` and the product of the vector `v` with the Jacobian, shaped as `inputs`.

    >>> torch.autograd.functional.vjp(lambda x: x * x, torch.tensor([1., 2.]), torch.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        call = _Call("vjp", inputs, create_graph, strict)
        outputs = call.run(func)
        v = call.vector(v, outputs, call.output_alone, errors.ONE_TENSOR_OF_ONE)
    found = call.final(outputs, call.inputs, v, call.inputs, "back")
    return call.answer(outputs, call.output_alone), call.answer(found, call.alone)


def jvp(
    func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """``func(*inputs)`` and the product of the Jacobian with `v`, shaped as the outputs.

    >>> torch.autograd.functional.jvp(lambda x: x * x, torch.tensor([1., 2.]), torch.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        call = _Call("jvp", inputs, create_graph, strict)
        v = call.vector(v, call.inputs, call.alone, errors.JVP_WITHOUT_V)
        outputs = call.run(func)
        zeros = tuple(_zeros(out) for out in outputs)
        back = _grads(outputs, call.inputs, zeros, create_graph=True)
        call.check(back, "grad_inputs")
    found = call.final(back, zeros, v, outputs, "back_trick")
    return call.answer(outputs, call.output_alone), call.answer(found, call.output_alone)


def _zeros(like: Tensor) -> Tensor:
    """Zeros that track: the vector of a backward pass that is itself differentiated."""
    return like.detach().new_zeros(like.shape).requires_grad_()


def jacobian(
    func: Callable,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The derivative of every output element by every input element.

    A tensor of shape ``output.shape + input.shape``; for tuples, a tuple of tuples of them, by
    output and then input.

    >>> torch.autograd.functional.jacobian(lambda x: x * x, torch.tensor([1., 2.]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(errors.FORWARD_STRATEGY)
    if strategy == "forward-mode" and not vectorize:
        raise NotImplementedError(errors.FORWARD_UNVECTORIZED)
    if vectorize and strict:
        raise RuntimeError(errors.STRICT_VECTORIZED)
    with enable_grad():
        call = _Call("jacobian", inputs, create_graph, strict)
        outputs = call.run(func)
        blocks = tuple(_rows(call, number, out) for number, out in enumerate(outputs))
    answers = tuple(call.answer(block, call.alone) for block in blocks)
    return answers[0] if call.output_alone else answers


def _rows(call: _Call, number: int, out: Tensor) -> tuple[Tensor, ...]:
    """The Jacobian of one output, by input: a backward pass for each of its elements."""
    from course_lib.ops.shape.join import stack

    rows: list[list[Any]] = [[] for _ in call.inputs]
    for element in out.reshape(-1):
        found = _grads((element,), call.inputs, None, call.create_graph, keep=True)
        for index, (row, one, like) in enumerate(zip(rows, found, call.inputs, strict=True)):
            if one is None:
                if call.strict:
                    raise RuntimeError(errors.independent_output(number, index))
                one = like.new_zeros(like.shape)
            elif call.strict and call.create_graph and not one.requires_grad:
                raise RuntimeError(errors.independent_graph("back", number))
            row.append(one)
    return tuple(
        stack(row).view(out.shape + like.shape) if row else like.new_zeros(out.shape + like.shape)
        for row, like in zip(rows, call.inputs, strict=True)
    )


def hessian(
    func: Callable,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function that returns one number: the Jacobian of its gradient.

    >>> torch.autograd.functional.hessian(lambda x: (x ** 3).sum(), torch.tensor([1., 2.]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    alone, inputs = _tensors(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(errors.OUTER_STRATEGY)

    def gradient(*values: Tensor) -> Any:
        call = _Call("hessian", values, True, strict)
        call.run_scalar(func)
        call.outputs = (call.outputs[0].squeeze(),)
        call.strict = False  # the one thing it demands of the gradient is checked here
        found = _rows(call, 0, call.outputs[0])
        call.strict = strict
        call.check(found, "jacobian")
        return found

    rows = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return rows[0][0] if alone else rows


def vhp(
    func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """``func(*inputs)``, one number, and the product of `v` with its Hessian.

    >>> x, v = torch.tensor([1., 2.]), torch.ones(2)
    >>> torch.autograd.functional.vhp(lambda x: (x ** 3).sum(), x, v)
    (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        call = _Call("vhp", inputs, create_graph, strict)
        v = call.vector(v, call.inputs, call.alone, errors.JVP_WITHOUT_V)
        call.run_scalar(func)
        gradient = _grads(call.outputs, call.inputs, create_graph=True)
        call.check(gradient, "jacobian")
    found = call.final(gradient, call.inputs, v, call.inputs, "double_back")
    return call.answer(call.outputs, True), call.answer(found, call.alone)


def hvp(
    func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """``func(*inputs)``, one number, and the product of its Hessian with `v`.

    >>> x, v = torch.tensor([1., 2.]), torch.ones(2)
    >>> torch.autograd.functional.hvp(lambda x: (x ** 3).sum(), x, v)
    (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        call = _Call("hvp", inputs, create_graph, strict)
        v = call.vector(v, call.inputs, call.alone, errors.JVP_WITHOUT_V)
        call.run_scalar(func)
        gradient = _grads(call.outputs, call.inputs, create_graph=True)
        call.check(gradient, "jacobian")
        zeros = tuple(_zeros(value) for value in call.inputs)
        back = _grads(gradient, call.inputs, zeros, create_graph=True)
    found = call.final(back, zeros, v, call.inputs, "double_back_trick")
    return call.answer(call.outputs, True), call.answer(found, call.alone)
