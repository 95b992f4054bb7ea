"""Errors and warnings of `torch.optim.lr_scheduler`."""

from __future__ import annotations

from typing import Any

HOW_TO_ADJUST = (
    "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
STEPS_IN_WRONG_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
    "schedule. " + HOW_TO_ADJUST
)
USE_LAST_LR = "To get the last learning rate computed by the scheduler, please use `get_last_lr()`."
PLATEAU_FACTOR = "Factor should be < 1.0."


def no_optimizer(value: Any) -> str:
    return f"{type(value).__name__} is not an Optimizer"


def no_initial_rate(number: int) -> str:
    return (
        f"param 'initial_lr' is not specified in param_groups[{number}] when resuming scheduler "
        "with last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training "
        "from a checkpoint but haven't properly loaded the optimizer state\n2. You're using "
        "last_epoch >= 0 for a fresh training run (not recommended)"
    )


def number_of_least_rates(expected: int, got: int) -> str:
    return f"expected {expected} min_lrs, got {got}"
