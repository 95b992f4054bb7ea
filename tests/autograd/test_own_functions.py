"""Functions of the user's own: what they return, mark and forget."""

from __future__ import annotations

import gc
from typing import Any

import course_lib as torch
from course_lib.autograd import Function


def function(forward: Any, backward: Any = lambda ctx, *grads: grads[0]) -> Any:
    return type(
        "Own", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    )


def tracked(*values: float) -> Any:
    return torch.tensor([*map(float, values)], requires_grad=True)


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
