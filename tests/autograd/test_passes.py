"""Whole backward passes: where they start, what they come through, what they leave for the end."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import pytest

import course_lib as torch
from course_lib.autograd import Function, Variable
from course_lib.autograd.graph import get_gradient_edge, register_multi_grad_hook


def tracked(*values: float) -> Any:
    return torch.tensor([*map(float, values)], requires_grad=True)


# ---- starts --------------------------------------------------------------------------------------


def test_backward_starts_at_an_edge() -> None:
    x = tracked(1, 2)
    start = get_gradient_edge(x * 3)
    torch.autograd.backward(start, torch.ones(2))
    assert x.grad.tolist() == [3, 3]
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        torch.autograd.grad(start, x)
    with pytest.raises(RuntimeError, match=r"torch.Size\(\[3\]\) and output\[0\]"):
        torch.autograd.grad(start, x, torch.ones(3))


def test_a_batch_of_vectors_gives_a_batch_of_gradients() -> None:
    x = tracked(1, 2)
    y = x * x
    (rows,) = torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True)
    assert rows.tolist() == [[2, 0], [0, 4]]
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(y, x, torch.ones(2))


def test_a_batch_has_one_dimension_more() -> None:
    x = tracked(1, 2)
    y = x * x
    with pytest.raises(RuntimeError, match="first dimension of each grad_output as the batch"):
        torch.autograd.grad(y, x, torch.ones(2, 3), is_grads_batched=True)
    with pytest.raises(ValueError, match=r"got sizes \[2, 3\]"):
        torch.autograd.grad((y, x * 2), x, (torch.eye(2), torch.ones(3, 2)), is_grads_batched=True)


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


# ---- what a pass comes through -------------------------------------------------------------------


def test_a_hook_of_several_tensors_sees_what_the_pass_comes_through() -> None:
    x, y, z = tracked(1), tracked(2), tracked(3)
    calls: list[Any] = []
    handle = register_multi_grad_hook(
        (x, y, z), lambda grads: calls.append([g is not None for g in grads])
    )
    out = x * y
    out.backward(inputs=[x], retain_graph=True)
    out.backward(retain_graph=True)
    handle.remove()
    out.backward()
    assert calls == [[True, False, False], [True, True, False]]


def test_a_hook_for_any_of_several_tensors_comes_once_a_pass() -> None:
    x, y = tracked(1), tracked(2)
    calls: list[float] = []
    register_multi_grad_hook((x, y), lambda grad: calls.append(grad.item()), mode="any")
    out = x * y
    out.backward(retain_graph=True)
    out.backward()
    assert calls == [2, 2]
    with pytest.raises(ValueError, match="but got some"):
        register_multi_grad_hook((x, y), print, mode="some")


def test_passes_in_several_threads_are_several_passes() -> None:
    x, y = tracked(1), tracked(2)
    calls: list[Any] = []
    register_multi_grad_hook((x, y), calls.append)
    out = x * y
    threads = [threading.Thread(target=lambda: out.backward(retain_graph=True)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 4


def test_hooks_of_a_node_do_not_see_gradients_that_the_pass_does_not_need() -> None:
    x, y = tracked(1), tracked(2)
    out = x * y
    seen: list[Any] = []
    out.grad_fn.register_hook(lambda inputs, outputs: seen.append([g is not None for g in inputs]))
    out.backward(inputs=[y], retain_graph=True)
    out.backward()
    assert seen == [[False, True], [True, True]]


# ---- ends, and passes within passes --------------------------------------------------------------


def test_a_callback_comes_when_the_pass_is_over() -> None:
    x = tracked(1)
    order: list[str] = []
    queue = Variable._execution_engine.queue_callback

    def first() -> None:
        order.append("callback")
        queue(lambda: order.append("its callback"))

    y = x * 2
    y.register_hook(lambda grad: queue(first))
    x.register_hook(lambda grad: order.append("leaf"))
    y.backward()
    assert order == ["leaf", "callback", "its callback"]
    with pytest.raises(RuntimeError, match="only be installed during backward"):
        queue(first)


class Nested(Function):
    """Its backward runs a backward, a given number of times inside each other."""

    @staticmethod
    def forward(ctx: Any, x: Any, depth: int) -> Any:
        ctx.depth, ctx.enabled = depth, torch.is_grad_enabled()
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        if ctx.depth:
            with torch.enable_grad():
                Nested.apply(tracked(1), ctx.depth - 1).backward()
        return grad, None


def test_backward_within_backward_goes_deeper_than_the_stack() -> None:
    x = tracked(1)
    Nested.apply(x, 600).backward()
    assert x.grad.item() == 1
    assert torch.is_grad_enabled()


def test_an_error_comes_back_from_the_depth() -> None:
    class Fails(Nested):
        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            if not ctx.depth:
                raise KeyError("deep down")
            with torch.enable_grad():
                Fails.apply(tracked(1), ctx.depth - 1).backward()
            return grad, None

    with pytest.raises(KeyError, match="deep down"):
        Fails.apply(tracked(1), 100).backward()


def test_the_switch_for_threads_is_put_back() -> None:
    with torch.autograd.set_multithreading_enabled(False):
        assert not torch.autograd.is_multithreading_enabled()
    assert torch.autograd.is_multithreading_enabled()


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


def test_data_is_not_deleted() -> None:
    x = tracked(1)
    with pytest.raises(RuntimeError, match="Deleting tensor data is not allowed"):
        del x.data
    with pytest.raises(AttributeError, match="attribute 'grad_fn' .* is not writable"):
        del x.grad_fn


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
