"""Saved tensors as things with hooks: what may be put on them, and what backward then sees."""

from __future__ import annotations

from typing import Any

import pytest

import course_lib as torch
from course_lib.autograd import Function, SavedTensor
from course_lib.autograd.graph import saved_tensors_hooks


class Keeps(Function):
    """Saves its input and nothing beside it; its gradient is three times the saved value."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x, None)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 3 * ctx.saved_tensors[0]


def leaf() -> Any:
    return torch.tensor([1.0, 2.0], requires_grad=True)


def same(value: Any) -> Any:
    return value


def doubled(value: Any) -> Any:
    return value * 2


def test_nobody_but_a_node_makes_saved_tensors() -> None:
    with pytest.raises(RuntimeError, match="from Python is forbidden"):
        SavedTensor()


@pytest.mark.parametrize("make", [lambda x: x * x, Keeps.apply], ids=["operation", "Function"])
def test_hooks_change_what_backward_sees(make: Any) -> None:
    x, plain = leaf(), leaf()
    with saved_tensors_hooks(doubled, same):
        y = make(x)
    y.sum().backward()
    make(plain).sum().backward()
    assert x.grad.tolist() == [2 * g for g in plain.grad.tolist()]


def test_what_hooks_give_has_the_history_of_what_was_saved() -> None:
    x = leaf() * 1.0
    with saved_tensors_hooks(same, same):
        y = x**3
    assert y.grad_fn._saved_self.grad_fn is x.grad_fn


def test_second_derivatives_pass_through_hooks() -> None:
    x = leaf()
    with saved_tensors_hooks(same, same):
        y = (x**3).sum()
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    first.sum().backward()
    assert x.grad.tolist() == [6, 12]


def test_what_a_function_saved_is_freed() -> None:
    z = Keeps.apply(leaf())
    z.sum().backward()
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        _ = z.grad_fn.saved_tensors


def test_a_pack_hook_that_writes_is_refused() -> None:
    x = leaf()
    with (
        saved_tensors_hooks(lambda t: t.add_(1), same),
        pytest.raises(RuntimeError, match="modifying its input in place"),
    ):
        x.exp()


def test_a_saved_tensor_shows_what_it_holds() -> None:
    x = leaf()
    assert (x * x).grad_fn._raw_saved_self.data is x
    with saved_tensors_hooks(doubled, same):
        y = x * x
    assert y.grad_fn._raw_saved_self.data.tolist() == [2, 4]


def test_an_own_function_uses_a_saved_input_that_lost_its_history() -> None:
    x = leaf() * 1.0
    y = Keeps.apply(x)
    x.detach_()
    y.sum().backward()  # of an operation this would be an error


def test_only_tensors_are_saved() -> None:
    class Wrong(Keeps):
        forward = staticmethod(lambda ctx, x: ctx.save_for_backward(x, 3))

    with pytest.raises(TypeError, match="argument 1 is of type int"):
        Wrong.apply(leaf())
