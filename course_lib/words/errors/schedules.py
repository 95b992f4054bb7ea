"""Errors and warnings of `torch.optim.lr_scheduler`."""

from __future__ import annotations

from typing import Any

HOW_TO_ADJUST = (
    "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
STEP_REPLACED = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
    "initialization. Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. "
    + HOW_TO_ADJUST
)
STEPS_IN_WRONG_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
    "schedule. " + HOW_TO_ADJUST
)
EPOCH_GIVEN = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if "
    "epoch is different from None, the closed form is used instead of the new chainable form, "
    "where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)
USE_LAST_LR = "To get the last learning rate computed by the scheduler, please use `get_last_lr()`."
CONSTANT_FACTOR = "Constant multiplicative factor expected to be between 0 and 1."
START_FACTOR = (
    "Starting multiplicative factor expected to be greater than 0 and less or equal to 1."
)
END_FACTOR = "Ending multiplicative factor expected to be between 0 and 1."
PLATEAU_FACTOR = "Factor should be < 1.0."
TOTAL_STEPS = "You must define either total_steps OR (epochs AND steps_per_epoch)"
CYCLE_MOMENTUM = "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"


def no_optimizer(value: Any) -> str:
    return f"{type(value).__name__} is not an Optimizer"


def no_initial_rate(number: int) -> str:
    return (
        f"param 'initial_lr' is not specified in param_groups[{number}] when resuming scheduler "
        "with last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training "
        "from a checkpoint but haven't properly loaded the optimizer state\n2. You're using "
        "last_epoch >= 0 for a fresh training run (not recommended)"
    )


def number_of_lambdas(expected: int, got: int) -> str:
    return f"Expected {expected} lr_lambdas, but got {got}"


def no_lambda(value: Any) -> str:
    return f"lr_lambda should be a function, but got {type(value).__name__}"


def number_of_values(name: str, got: int, groups: int) -> str:
    return (
        f"{name} must have the same length as optimizer.param_groups. {name} has {got} values, "
        f"param_groups has {groups}."
    )


def number_of_least_rates(expected: int, got: int) -> str:
    return f"expected {expected} min_lrs, got {got}"


def groups_joined_later(groups: int, known: int) -> str:
    return (
        f"The number of param groups in the `optimizer` ({groups}) differs from when "
        f"`ReduceLROnPlateau` was initialized ({known}), usually due to a new param group being "
        "added to the optimizer. Please modify the `min_lrs` field to match the length of the "
        "`optimizer` param groups."
    )


def positive_integer(name: str, value: Any) -> str:
    return f"Expected positive integer {name}, but got {value}"


def no_share(value: Any) -> str:
    return f"Expected float between 0 and 1 pct_start, but got {value}"


def no_strategy(value: Any) -> str:
    return f"anneal_strategy must be one of 'cos' or 'linear', instead got {value}"


def steps_exceeded(number: int, total: int) -> str:
    return f"Tried to step {number} times. The specified number of total steps is {total}"


def no_schedulers(kind: str, chained: bool) -> str:
    chain = " to be chained" if chained else ""
    return f"{kind} expects at least one scheduler{chain}, but got no scheduler."


def scheduler_without_optimizer(kind: str, place: int) -> str:
    return f"{kind} at index {place} should have `optimizer` as its attribute."


def plateau_among_schedulers(kind: str, place: int) -> str:
    return (
        f"{kind} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs "
        f"to be specified when calling `step`, but got one at index {place} in the given "
        "schedulers sequence."
    )


def other_optimizer(kind: str, scheduler: Any, place: int, optimizer: Any) -> str:
    return (
        f"{kind} expects all schedulers to belong to the same optimizer, but got scheduler "
        f"{type(scheduler).__name__} at index {place} has {scheduler.optimizer}, which is "
        f"different from {type(optimizer).__name__}."
    )


def number_of_milestones(schedulers: int, milestones: int) -> str:
    return (
        "Sequential Schedulers expects number of schedulers provided to be one more than the "
        f"number of milestone points, but got number of schedulers {schedulers} and the number of "
        f"milestones to be equal to {milestones}"
    )


CYCLE_MODE = "mode is invalid and scale_fn is None"


def wave_factor(value: Any) -> str:
    return f"Expected integer T_mult >= 1, but got {value}"


def lowest_rate(value: Any) -> str:
    return f"Expected float or int eta_min, but got {value} of type {type(value)}"


def negative_epoch(value: Any) -> str:
    return f"Expected non-negative epoch, but got {value}"
