"""Errors and warnings of `torch.optim.lr_scheduler`."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

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

no_optimizer = Sentence("{value:type} is not an Optimizer")
no_initial_rate = Sentence(
    "param 'initial_lr' is not specified in param_groups[{number}] when resuming scheduler with "
    "last_epoch >= 0.\n"
    "This typically happens when:\n"
    "1. You're trying to resume training from a checkpoint but haven't properly loaded the "
    "optimizer state\n"
    "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
)
number_of_least_rates = Sentence("expected {expected} min_lrs, got {got}")
