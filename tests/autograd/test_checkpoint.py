"""Checkpoints: the same gradients, for less memory and more time."""

from __future__ import annotations

from typing import Any

import pytest

import course_lib as torch
from course_lib.utils.checkpoint import CheckpointError, checkpoint, checkpoint_sequential


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


def test_segments_of_a_sequence_give_the_same_gradient() -> None:
    plain, saved = leaf(), leaf()
    plain.exp().sin().tanh().cos().sum().backward()
    steps = [torch.exp, torch.sin, torch.tanh, torch.cos]
    checkpoint_sequential(steps, 2, saved, use_reentrant=False).sum().backward()
    assert saved.grad.tolist() == plain.grad.tolist()


def test_the_choice_has_to_be_made() -> None:
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        checkpoint(torch.exp, leaf())
