"""Functions of the user's own: what they return, mark and forget."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import course_lib as torch
from course_lib.autograd import Function
from course_lib.autograd.function import once_differentiable
from course_lib.autograd.graph import Node


def function(forward: Any, backward: Any = lambda ctx, *grads: grads[0]) -> Any:
    return type(
        "Own", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    )


def tracked(*values: float) -> Any:
    return torch.tensor([*map(float, values)], requires_grad=True)


def marked(ctx: Any, x: Any) -> Any:
    ctx.mark_dirty(x)
    return x.mul_(2)


@pytest.mark.parametrize(
    "forward", [lambda ctx, x: x, lambda ctx, x: x[:], lambda ctx, x: x.clone()[:]]
)
def test_a_view_that_a_function_returned_is_not_written_to(forward: Any) -> None:
    out = function(forward).apply(tracked(1, 2).clone())
    with pytest.raises(RuntimeError, match="Output 0 of Own is a view .* inside a custom Function"):
        out.add_(1)


def test_a_view_beside_another_output_is_one_of_several() -> None:
    first, _ = function(lambda ctx, x: (x[:], x * 2)).apply(tracked(1, 2).clone())
    with pytest.raises(RuntimeError, match="output of a function that returns multiple views"):
        first.add_(1)


def test_a_view_of_something_untracked_may_be_written_to_untracked() -> None:
    out = function(lambda ctx, x: x[:]).apply(torch.ones(2))
    assert out.add_(1).tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="This view was created inside a custom Function"):
        out.add_(tracked(1, 2))


def test_what_is_dirty_is_returned() -> None:
    def forgets(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.clone()

    with pytest.raises(RuntimeError, match="were not returned as output"):
        function(forgets).apply(tracked(1).clone())


def test_what_is_dirty_was_an_input() -> None:
    def marks_its_own(ctx: Any, x: Any) -> Any:
        out = x * 2
        ctx.mark_dirty(out)
        return out

    with pytest.warns(UserWarning, match="received a tensor that was not an input"):
        function(marks_its_own).apply(tracked(1))


def test_a_view_of_a_leaf_is_not_dirty() -> None:
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        function(marked).apply(tracked(1, 2).view(2))


def test_a_saved_and_written_view_leaves_no_cycle() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    def scope() -> Any:
        x = tracked(1, 2).clone().view(2)
        function(forward).apply(x)
        return weakref.ref(x)

    gc.disable()
    try:
        assert scope()() is None
    finally:
        gc.enable()


def test_vjp_is_another_name_for_backward() -> None:
    class Doubles(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def vjp(ctx: Any, grad: Any) -> Any:
            return grad * 2

    x = tracked(1, 2)
    Doubles.apply(x).sum().backward()
    assert x.grad.tolist() == [2, 2]
    Doubles.backward = Doubles.vjp
    with pytest.raises(RuntimeError, match="Implementing both 'backward' and 'vjp'"):
        Doubles.apply(x).sum().backward()


def test_defaults_of_forward_are_inputs_too() -> None:
    class Power(Function):
        @staticmethod
        def forward(x: Any, exponent: int = 3) -> Any:
            return x**exponent

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple, output: Any) -> None:
            x, ctx.exponent = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad * ctx.exponent * x ** (ctx.exponent - 1), None

    x, y = tracked(2.0), tracked(2.0)
    Power.apply(x).backward()
    Power.apply(y, exponent=2).backward()
    assert (x.grad.item(), y.grad.item()) == (12, 4)


def test_gradients_without_gradient_come_from_one_error_node() -> None:
    own = function(
        lambda ctx, x, n, y: x * n + y, once_differentiable(lambda ctx, g: (g * 2, None, g))
    )
    x, y = tracked(1), tracked(1)
    start = torch.ones(1, requires_grad=True)
    to_x, to_y = torch.autograd.grad(own.apply(x, 3, y), (x, y), start, create_graph=True)
    node = to_x.grad_fn
    assert (node is to_y.grad_fn, to_x.output_nr, to_y.output_nr) == (True, 0, 2)
    names = [n and type(n).__name__ for n, _ in node.next_functions]
    assert (node.name(), names) == (
        "torch::autograd::Error",
        ["AccumulateGrad", None, "AccumulateGrad"],
    )
    with pytest.raises(RuntimeError, match="differentiate twice"):
        to_x.backward()


def test_ctx_and_every_node_are_nodes() -> None:
    seen = []
    own = function(lambda ctx, x: seen.append(isinstance(ctx, Node)) or x * 2)
    out = own.apply(tracked(1))
    assert seen == [True]
    assert isinstance(out.grad_fn, Node)
    assert isinstance(out.grad_fn.next_functions[0][0], Node)
    assert not isinstance(3, Node)


def test_a_gradient_of_a_wrong_shape_is_named_by_its_place():
    class Second(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * b

        @staticmethod
        def backward(ctx, grad):
            return grad, torch.ones(7)

    a, b = (torch.ones(3, requires_grad=True) for _ in range(2))
    with pytest.raises(RuntimeError, match="an invalid gradient at index 1 - got"):
        Second.apply(a, b).sum().backward()


def test_a_node_and_its_ctx_print_as_the_one_object_that_they_are_in_pytorch() -> None:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        seen.append(ctx)
        ctx.save_for_backward(x)
        ctx.keep = ctx.function = "mine"  # names that nodes have themselves
        return x * 2

    y = function(forward).apply(tracked(1, 2))
    assert str(y.grad_fn) == f"<torch.autograd.function.OwnBackward object at {id(y.grad_fn):#x}>"
    assert str(seen[0]) == str(y.grad_fn)
    y.grad_fn.set_materialize_grads(False)
    assert seen[0].materialize_grads is False
    y.sum().backward()
    seen.clear()
    function(forward).apply(torch.ones(2))
    gc.collect()
    assert str(seen[0]).startswith("<torch.autograd.function.OwnBackward object at 0x")


def test_a_function_and_the_class_of_its_nodes_know_each_other() -> None:
    own = function(lambda ctx, x: x * 2)
    node = own.apply(tracked(1)).grad_fn
    assert type(node) is own._backward_cls and node._forward_cls is own
    assert isinstance(node, torch.autograd.function.BackwardCFunction)
    assert type(own) is torch.autograd.function.FunctionMeta
