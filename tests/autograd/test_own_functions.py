"""Functions of the user's own: what they return, mark and forget."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import course_lib as torch
from course_lib.autograd import Function
from course_lib.autograd.graph import Node


def function(forward: Any, backward: Any = lambda ctx, *grads: grads[0]) -> Any:
    return type(
        "Own", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    )


def tracked(*values: float) -> Any:
    return torch.tensor([*map(float, values)], requires_grad=True)


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


def test_ctx_and_every_node_are_nodes() -> None:
    seen = []
    own = function(lambda ctx, x: seen.append(isinstance(ctx, Node)) or x * 2)
    out = own.apply(tracked(1))
    assert seen == [True]
    assert isinstance(out.grad_fn, Node)
    assert isinstance(out.grad_fn.next_functions[0][0], Node)
    assert not isinstance(3, Node)


def test_a_gradient_of_a_wrong_shape_is_named_by_its_place():
    second = function(lambda ctx, a, b: a * b, lambda ctx, grad: (grad, torch.ones(7)))
    with pytest.raises(RuntimeError, match="an invalid gradient at index 1 - got"):
        second.apply(tracked(1, 2), tracked(3, 4)).sum().backward()


def test_two_leaves_that_get_one_gradient_do_not_share_its_memory():
    a, b = tracked(1, 2), tracked(3, 4)
    function(lambda ctx, a, b: a + b, lambda ctx, grad: (grad * 2,) * 2).apply(
        a, b
    ).sum().backward()
    a.grad.zero_()
    assert b.grad.tolist() == [2, 2]


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
    assert type(own) is torch.autograd.function.FunctionMeta
