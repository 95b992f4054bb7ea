"""Checkpoints: the same gradients, for less memory and more time."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import course_lib as torch
from course_lib.utils.checkpoint import CheckpointError, checkpoint


def leaf() -> Any:
    return torch.tensor([0.5, 1.0], requires_grad=True)


@pytest.mark.parametrize("reentrant", [True, False])
def test_the_gradient_is_that_without_a_checkpoint(reentrant: bool) -> None:
    plain, saved = leaf(), leaf()
    (plain.exp().sin() * plain).sum().backward()
    checkpoint(lambda x: x.exp().sin() * x, saved, use_reentrant=reentrant).sum().backward()
    assert saved.grad.tolist() == plain.grad.tolist()


@pytest.mark.parametrize("reentrant", [True, False])
def test_the_function_runs_once_forward_and_once_backward(reentrant: bool) -> None:
    runs = []

    def function(x: Any) -> Any:
        runs.append(torch.is_grad_enabled())
        return x.exp().sin()

    out = checkpoint(function, leaf(), use_reentrant=reentrant)
    assert len(runs) == 1
    out.sum().backward()
    assert runs == [not reentrant, True]


@pytest.mark.parametrize("reentrant", [True, False])
def test_random_numbers_are_the_same_both_times(reentrant: bool) -> None:
    drawn = []

    def function(x: Any) -> Any:
        drawn.append(torch.rand(2))
        return (x * drawn[-1]).exp()

    checkpoint(function, leaf(), use_reentrant=reentrant).sum().backward()
    assert drawn[0].tolist() == drawn[1].tolist()


def test_a_function_that_saves_something_else_the_second_time_is_refused() -> None:
    steps = [torch.exp, torch.sin]
    x = leaf()
    out = checkpoint(lambda x: x.exp().sin() if steps.pop() else x, x, use_reentrant=False)
    steps[:] = [None]
    with pytest.raises(CheckpointError, match="A different number of tensors was saved"):
        out.sum().backward()


def test_the_choice_has_to_be_made() -> None:
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        checkpoint(torch.exp, leaf())


# ---- checkpoints within checkpoints --------------------------------------------------------------


def wrapped(function: Any) -> Any:
    return lambda *args: checkpoint(function, *args, use_reentrant=False)


def gradient(function: Any) -> Any:
    def gives(x: Any) -> Any:
        (found,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
        return found

    return gives


class Mark:
    """Hung on a node, to see it go."""


@pytest.mark.parametrize(
    "nest",
    [
        lambda f, c: c(c(f)),
        lambda f, c: gradient(c(c(f))),
        lambda f, c: gradient(c(gradient(c(f)))),
        lambda f, c: c(gradient(gradient(c(f)))),
    ],
    ids=["twice", "its gradient", "gradients between", "gradients inside"],
)
def test_checkpoints_and_gradients_nest_and_leave_no_cycle(nest: Any) -> None:
    def function(x: Any) -> Any:
        return x.sin().exp().sin()

    gc.collect()
    gc.disable()
    try:
        found = nest(function, wrapped)(leaf())
        values, mark = found.tolist(), Mark()
        node, found.grad_fn.metadata["mark"] = weakref.ref(mark), mark
        del found, mark
        assert node() is None
    finally:
        gc.enable()
    assert values == pytest.approx(nest(function, lambda f: f)(leaf()).tolist())


def test_the_second_run_ends_when_all_is_there() -> None:
    reached = []

    def function(x: Any) -> Any:
        y = x.sin().cos()
        reached.append(1)
        return y.clone()

    checkpoint(function, leaf(), use_reentrant=False).sum().backward()
    assert len(reached) == 1


def test_each_value_is_handed_out_once_a_pass() -> None:
    y = checkpoint(torch.exp, leaf(), use_reentrant=False)
    assert y.grad_fn._saved_result.tolist() == y.tolist()  # read by hand: a pass of its own
    assert y.grad_fn._saved_result.tolist() == y.tolist()
    y.sum().backward()
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        _ = y.grad_fn._saved_result


def test_other_shapes_the_second_time_are_refused() -> None:
    factors = [torch.ones(3), torch.ones(1)]
    x = torch.ones(1, requires_grad=True)

    def function(x: Any) -> Any:
        return x.sin() * factors.pop()

    factors.append(torch.ones(1))
    out = checkpoint(function, x, use_reentrant=False)
    factors[:] = [torch.ones(3)]
    with pytest.raises(CheckpointError, match="have different metadata than during the forward"):
        out.sum().backward()


def test_a_node_for_the_whole_function_wants_a_whole_pass() -> None:
    x = leaf()
    out = checkpoint(torch.exp, x, use_reentrant=True).sum()
    with pytest.raises(RuntimeError, match="incompatible with .grad()"):
        torch.autograd.grad(out, x)
