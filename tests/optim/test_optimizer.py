"""Optimizers: what no recorded case can say; the others are in tests/oracle/cases/modules.txt."""

from __future__ import annotations

import pytest

import course_lib as torch

KINDS = ["SGD", "Adam", "AdamW", "RMSprop"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_option_of_other_implementations_is_refused(kind):
    w = torch.zeros(2, requires_grad=True)
    with pytest.raises(NotImplementedError, match="the course does not"):
        getattr(torch.optim, kind)([w], differentiable=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_loaded_state_goes_on_as_if_nothing_had_happened(kind):
    def train(optimizer, param, steps):
        for _ in range(steps):
            param.grad = torch.sin(param.detach()) + 1
            optimizer.step()

    make = getattr(torch.optim, kind)
    whole = torch.ones(3, requires_grad=True)
    train(make([whole], lr=0.1), whole, 4)
    half = torch.ones(3, requires_grad=True)
    first = make([half], lr=0.1)
    train(first, half, 2)
    second = make([half], lr=7.0)
    second.load_state_dict(first.state_dict())
    train(second, half, 2)
    assert torch.equal(whole, half)
