"""Whole backward passes: nodes called by hand, hooks, anomalies, inference."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import course_lib as torch
from course_lib.autograd import Function
from course_lib.autograd.graph import saved_tensors_hooks


def tracked(*values: float) -> Any:
    return torch.tensor([*map(float, values)], requires_grad=True)


def test_a_node_can_be_called() -> None:
    x = tracked(1, 2)
    y = x * 3
    z = y * y
    one, other = z.grad_fn(torch.ones(2))
    assert (one.tolist(), other.tolist()) == ([3, 6], [3, 6])
    assert z.grad_fn(None) == (None, None)
    with pytest.raises(TypeError, match="expected 1 arguments, got 2 instead"):
        z.grad_fn(torch.ones(2), torch.ones(2))
    z.sum().backward()  # what was saved is still there
    assert x.grad.tolist() == [18, 36]


def test_hooks_of_a_node_do_not_see_gradients_that_the_pass_does_not_need() -> None:
    x, y = tracked(1), tracked(2)
    out = x * y
    seen: list[Any] = []
    out.grad_fn.register_hook(lambda inputs, outputs: seen.append([g is not None for g in inputs]))
    out.backward(inputs=[y], retain_graph=True)
    out.backward()
    assert seen == [[False, True], [True, True]]


@pytest.mark.parametrize(
    ("function", "both", "only_a"),  # versions of a.grad, b.grad; of a.grad with `inputs=[a]`
    [
        (lambda a, b: a + b, [1, 1], 1),  # the caller holds the gradient
        (lambda a, b: (a + b) * 2, [1, 0], 0),  # the last one to get it needs no copy
        (lambda a, b: (a + b[:1]) * 2, [0, 0], 0),
        (lambda a, b: (a - a) * b * 2, [1, 0], 1),  # a sum that only one node holds
        (lambda a, b: (a * 2 + a * 3 + a * 4) * b, [2, 0], 2),
        (lambda a, b: (a + a) * 3 + b, [0, 1], 0),
    ],
)
def test_a_gradient_that_only_one_node_holds_is_used_in_place(function, both, only_a) -> None:
    a, b = tracked(1, 2), tracked(3, 4)
    function(a, b).backward(torch.ones(2))
    assert [a.grad._version, b.grad._version] == both
    a.grad = None
    function(a, b).backward(torch.ones(2), inputs=[a])
    assert a.grad._version == only_a


def test_hooks_of_a_single_root_see_its_gradient_even_if_the_pass_needs_nothing_of_it() -> None:
    x, other = tracked(1), tracked(1)
    y, seen = x * 2, []
    y.register_hook(lambda grad: seen.append(grad.item()))
    assert torch.autograd.grad(y, other, allow_unused=True) == (None,)
    y.backward(inputs=[other])
    assert (seen, x.grad, other.grad) == ([1, 1], None, None)


def test_leaves_among_the_roots_run_when_their_last_gradient_has_arrived() -> None:
    x, y, order = tracked(1), tracked(1), []
    x.register_hook(lambda grad: order.append("x"))
    y.register_hook(lambda grad: order.append("y"))
    torch.autograd.backward([x, y, x])
    assert order == ["y", "x"]


def test_hooks_entered_during_backward_are_left_when_it_ends():
    calls = []
    hooks = saved_tensors_hooks(lambda t: calls.append(1) or t, lambda t: hooks.__enter__() or t)
    x = torch.ones(2, requires_grad=True)
    with hooks:
        y = x.exp()
    y.sum().backward()
    x.exp()
    assert calls == [1]


def test_zeros_made_with_create_graph_can_be_differentiated_again():
    x = torch.tensor(0.5, requires_grad=True)
    y = torch.tensor(0.5, requires_grad=True)
    (zero,) = torch.autograd.grad(x * 2, y, materialize_grads=True, create_graph=True)
    assert zero.requires_grad


def test_a_hook_after_accumulating_gives_nothing_back():
    x = torch.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda t: t.grad)
    with pytest.raises(RuntimeError, match="post accumulate grad hooks should return None"):
        x.sum().backward()


def test_a_decorated_generator_runs_in_its_mode_and_its_caller_does_not():
    @torch.no_grad()
    def modes():
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    assert [(inside, torch.is_grad_enabled()) for inside in modes()] == [(False, True)] * 2


# ---- anomalies -----------------------------------------------------------------------------------


def test_an_anomaly_shows_what_induced_it() -> None:
    class Inner(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * float("nan")

    class Outer(Inner):
        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return Inner.apply(grad)

    with torch.autograd.set_detect_anomaly(True):
        x, start = tracked(1), tracked(1)
        (grad,) = torch.autograd.grad(Outer.apply(x), x, start, create_graph=True)
        with (
            pytest.warns(UserWarning, match="induced by OuterBackward"),
            pytest.warns(UserWarning, match="Error detected in InnerBackward"),
            pytest.raises(RuntimeError, match="'InnerBackward' returned nan values"),
        ):
            grad.backward()


@pytest.mark.parametrize("wrong", [0.0, float("nan")], ids=["overwritten", "a NaN arrives"])
def test_the_mode_around_backward_alone_finds_the_node_but_not_its_line(wrong: float) -> None:
    root = tracked(4).sqrt()
    start = torch.tensor([1 + wrong])
    if not wrong:
        root += 1
    with (
        torch.autograd.set_detect_anomaly(True),
        pytest.warns(UserWarning, match="in SqrtBackward0. No forward pass information available"),
        pytest.raises(RuntimeError, match="returned nan values" if wrong else "is at version 1"),
    ):
        root.backward(start)


def test_a_mode_that_has_ended_warns_no_more() -> None:
    with torch.autograd.set_detect_anomaly(True):
        root = tracked(4).sqrt()
    root += 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(RuntimeError, match="is at version 1"):
            root.backward()
    assert not caught


@pytest.mark.filterwarnings("error")
def test_where_warnings_are_errors_the_anomaly_is_still_the_error(capsys: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = torch.tensor(-1.0, requires_grad=True).sqrt()
        with pytest.raises(RuntimeError, match="'SqrtBackward0' returned nan values"):
            y.backward()
    assert "UserWarning: Error detected in SqrtBackward0" in capsys.readouterr().err


# ---- attributes ----------------------------------------------------------------------------------


def test_views_of_inference_tensors_have_no_history() -> None:
    with torch.inference_mode():
        x = torch.ones(2, requires_grad=True)
    y = x.view(2)
    assert (y.is_inference(), y.requires_grad, y._is_view()) == (True, False, False)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside"):
        torch.exp(torch.ones(2), out=y)


def test_nothing_is_recorded_in_inference_mode_whatever_is_asked_for() -> None:
    x = tracked(1)
    with torch.inference_mode():
        with torch.enable_grad():
            assert torch.is_grad_enabled()
            y = x * 2
            assert (y.requires_grad, y.is_inference()) == (False, True)
        assert not torch.is_grad_enabled()
        with torch.inference_mode(False):
            assert (x * 2).requires_grad
    assert (x * 2).requires_grad
