"""The schedule that rises once and falls once, with the momentum going the other way."""

from __future__ import annotations

import math
from typing import Any

from course_lib.beyond.optim.lr_scheduler import LRScheduler, one_each
from course_lib.optim.optimizer import Optimizer
from course_lib.words import errors

__all__ = ["OneCycleLR"]


class OneCycleLR(LRScheduler):
    """The rate, up to `max_lr` and then down to nearly nothing, within `total_steps` steps.

    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0, momentum=0.9)
    >>> scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=10)
    >>> rates = []
    >>> for step in range(10):
    ...     rates.append(round(scheduler.get_last_lr()[0], 2))
    ...     optimizer.step(); scheduler.step()
    >>> rates
    [0.04, 0.52, 1.0, 0.95, 0.81, 0.61, 0.39, 0.19, 0.05, 0.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(errors.no_optimizer(optimizer))
        self.optimizer = optimizer
        self.total_steps = number_of_steps(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = phases(self.total_steps, pct_start, three_phase)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(errors.no_share(pct_start))
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(errors.no_strategy(anneal_strategy))
        self._anneal_func_type = anneal_strategy
        rates = one_each("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for rate, group in zip(rates, optimizer.param_groups, strict=True):
                group["initial_lr"] = rate / div_factor
                group["max_lr"] = rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
                raise ValueError(errors.CYCLE_MOMENTUM)
            self.use_beta1 = "betas" in optimizer.defaults
            highest = one_each("max_momentum", optimizer, max_momentum)
            lowest = one_each("base_momentum", optimizer, base_momentum)
            if last_epoch == -1:
                for high, low, group in zip(highest, lowest, optimizer.param_groups, strict=True):
                    self._set_momentum(group, high)
                    group["max_momentum"] = high
                    group["base_momentum"] = low
        super().__init__(optimizer, last_epoch)

    def _set_momentum(self, group: dict[str, Any], momentum: Any) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum

    def _between(self, start: Any, end: Any, share: float) -> Any:
        """From `start` to `end` by a share of the way, which is straight or half a cosine wave."""
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self) -> list[Any]:
        """The rates of this step; sets the momentum too."""
        self._check_inside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(errors.steps_exceeded(step, self.total_steps))
        begin, last = 0.0, self._schedule_phases[-1]
        for phase in self._schedule_phases:
            if step <= phase["end_step"] or phase is last:
                break
            begin = phase["end_step"]
        share = (step - begin) / (phase["end_step"] - begin)
        rates = []
        for group in self.optimizer.param_groups:
            start, end = group[phase["start_lr"]], group[phase["end_lr"]]
            rates.append(self._between(start, end, share))
            if self.cycle_momentum:
                start, end = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._between(start, end, share))
        return rates


def number_of_steps(total: Any, epochs: Any, per_epoch: Any) -> int:
    """How many steps the cycle takes, as the reader said it."""
    if total is not None:
        given = {"total_steps": total}
    elif epochs is not None and per_epoch is not None:
        given = {"epochs": epochs, "steps_per_epoch": per_epoch}
    else:
        raise ValueError(errors.TOTAL_STEPS)
    for name, value in given.items():
        if value <= 0 or not isinstance(value, int):
            raise ValueError(errors.positive_integer(name, value))
    return math.prod(given.values())


def phases(total: int, share: float, three: bool) -> list[dict[str, Any]]:
    """Up and down; with three phases, up, as far down, and then to the end."""
    words = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
    up = (float(share * total) - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum")
    down: tuple[float, str, str, str, str]
    if not three:
        down = (total - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")
        return [dict(zip(words, one, strict=True)) for one in (up, down)]
    middle = float(2 * share * total) - 2
    down = (middle, "max_lr", "initial_lr", "base_momentum", "max_momentum")
    out = (total - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")
    return [dict(zip(words, one, strict=True)) for one in (up, down, out)]
