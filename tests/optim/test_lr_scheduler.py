"""Learning rates that follow a plan: PyTorch's, step by step."""

from __future__ import annotations

import json

import pytest
from optim.schedules import RECORD, SCHEDULES, STEPS, advance, follow, optimizer

import course_lib as torch

plans = torch.optim.lr_scheduler
FACTS = json.loads(RECORD.read_text(encoding="utf-8"))
NAMES = sorted(SCHEDULES)


def test_every_schedule_is_recorded():
    assert sorted(FACTS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_rates_and_the_entries_of_a_state_are_those_of_pytorch(name):
    found, fact = follow(torch, name), FACTS[name]
    # The cosine of another C library may differ in the last digit.
    for ours, theirs in zip(found["rates"], fact["rates"], strict=True):
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-15)
    assert found["state"] == fact["state"]


@pytest.mark.parametrize("name", NAMES)
def test_a_loaded_schedule_goes_on_as_if_nothing_had_happened(name):
    first = SCHEDULES[name](plans, optimizer(torch))
    for epoch in range(6):
        advance(name, first, epoch)
    second = SCHEDULES[name](plans, optimizer(torch))
    second.load_state_dict(first.state_dict())
    second.optimizer.load_state_dict(first.optimizer.state_dict())
    for epoch in range(6, STEPS):
        assert advance(name, second, epoch) == advance(name, first, epoch)


# ---- warnings and refusals -----------------------------------------------------------------------


def test_steps_in_the_wrong_order_are_warned_of():
    scheduler = plans.StepLR(optimizer(torch), 2)
    with pytest.warns(UserWarning, match="Detected call of `lr_scheduler.step\\(\\)` before"):
        scheduler.step()


def test_asking_for_the_next_rate_is_warned_of():
    scheduler = plans.StepLR(optimizer(torch), 2)
    with pytest.warns(UserWarning, match="please use `get_last_lr\\(\\)`"):
        scheduler.get_lr()


def test_a_rate_that_is_a_tensor_is_written_into():
    rate = torch.tensor(1.0)
    o = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=rate)
    scheduler = plans.StepLR(o, 1, gamma=0.5)
    o.step()
    scheduler.step()
    assert o.param_groups[0]["lr"] is rate and rate.item() == 0.5


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda o: plans.StepLR(3, 2), TypeError, "int is not an Optimizer"),
        (lambda o: plans.ReduceLROnPlateau(o, mode="up"), ValueError, "mode up is unknown!"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(make, kind, message):
    with pytest.raises(kind) as error:
        make(optimizer(torch))
    assert str(error.value) == message


def test_resuming_needs_the_rates_that_training_began_with():
    with pytest.raises(KeyError, match="param 'initial_lr' is not specified in param_groups"):
        plans.StepLR(optimizer(torch), 2, last_epoch=3)
