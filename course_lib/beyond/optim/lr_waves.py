"""Schedules that come back: up and down again and again, or down and at once up again."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any

from course_lib.beyond.optim.lr_scheduler import LRScheduler, one_each, set_rate
from course_lib.optim.optimizer import Optimizer
from course_lib.words import errors

__all__ = ["CosineAnnealingWarmRestarts", "CyclicLR"]


class CyclicLR(LRScheduler):
    """The rate up from `base_lr` to `max_lr` and down again, in cycles; the momentum against it.

    The cycles stay as high (``"triangular"``), halve (``"triangular2"``), or shrink with each step
    by `gamma` (``"exp_range"``), or as `scale_fn` says.

    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0, momentum=0.9)
    >>> scheduler = torch.optim.lr_scheduler.CyclicLR(optimizer, 0.0, 1.0, step_size_up=2)
    >>> rates = []
    >>> for step in range(5):
    ...     rates.append(scheduler.get_last_lr()[0])
    ...     optimizer.step(); scheduler.step()
    >>> rates
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(errors.no_optimizer(optimizer))
        self.optimizer = optimizer
        lowest = one_each("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for rate, group in zip(lowest, optimizer.param_groups, strict=True):
                set_rate(group, rate)
        self.max_lrs = one_each("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError(errors.CYCLE_MODE)
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        by_step = scale_mode != "cycle" if scale_fn else mode == "exp_range"
        self.scale_mode = "iterations" if by_step else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
                raise ValueError(errors.CYCLE_MOMENTUM)
            self.use_beta1 = "betas" in optimizer.defaults
            self.base_momentums = one_each("base_momentum", optimizer, base_momentum)
            self.max_momentums = one_each("max_momentum", optimizer, max_momentum)
            if last_epoch == -1:
                self._set_momenta(self.max_momentums)
                for place, group in enumerate(optimizer.param_groups):
                    group["max_momentum"] = self.max_momentums[place]
                    group["base_momentum"] = self.base_momentums[place]
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lowest

    def _set_momenta(self, momenta: list[Any]) -> None:
        for group, momentum in zip(self.optimizer.param_groups, momenta, strict=True):
            if self.use_beta1:
                group["betas"] = (momentum, *group["betas"][1:])
            else:
                group["momentum"] = momentum

    def scale_fn(self, x: float) -> float:
        """How high a cycle is: `x` is its number, or with ``"iterations"`` that of the step."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / (2.0 ** (x - 1)) if self.mode == "triangular2" else self.gamma**x

    def get_lr(self) -> list[Any]:
        """The rates of this step; sets the momentum too."""
        self._check_inside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        rising = x <= self.step_ratio
        share = x / self.step_ratio if rising else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            pairs = zip(self.base_momentums, self.max_momentums, strict=True)
            self._set_momenta([high - (high - low) * share * scale for low, high in pairs])
        ends = zip(self.base_lrs, self.max_lrs, strict=True)
        return [low + (high - low) * share * scale for low, high in ends]

    def state_dict(self) -> dict[str, Any]:
        """All that a later run needs; of an own `scale_fn` what is in it, if it is an object."""
        state = super().state_dict()
        own = state.pop("_scale_fn_custom")
        plain = own is None or isinstance(own, types.FunctionType)
        state["_scale_fn_custom"] = None if plain else dict(vars(own))
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on where `state_dict` was taken."""
        kept = state_dict.pop("_scale_fn_custom")
        super().load_state_dict(state_dict)
        if kept is not None:
            vars(self._scale_fn_custom).update(kept)


class CosineAnnealingWarmRestarts(LRScheduler):
    """The rate down to `eta_min` along half a cosine wave, in `T_0` epochs; then from the start.

    Each wave is `T_mult` times as long as the one before.

    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2)
    >>> rates = []
    >>> for step in range(4):
    ...     rates.append(round(scheduler.get_last_lr()[0], 2))
    ...     optimizer.step(); scheduler.step()
    >>> rates
    [1.0, 0.5, 1.0, 0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(errors.positive_integer("T_0", T_0))
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(errors.wave_factor(T_mult))
        if not isinstance(eta_min, (float, int)):
            raise ValueError(errors.lowest_rate(eta_min))
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min, self.T_cur = T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates at this place of the wave."""
        self._check_inside_step()
        wave = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        low = self.eta_min
        return [low + (base - low) * wave / 2 for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Set the learning rates of the next epoch, or of `epoch`, which may be a fraction."""
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = 0 if epoch is None else epoch
            if epoch < 0:
                raise ValueError(errors.negative_epoch(epoch))
            self._jump(epoch)
        self.last_epoch = math.floor(epoch)
        self._get_lr_called_within_step = True
        try:
            self._set(self.get_lr())
        finally:
            self._get_lr_called_within_step = False

    def _jump(self, epoch: float) -> None:
        """Find the wave in which `epoch` lies, and the place in it."""
        first, factor = self.T_0, self.T_mult
        if epoch < first:
            self.T_i, self.T_cur = first, epoch
        elif factor == 1:
            self.T_cur = epoch % first
        else:
            wave = int(math.log(epoch / first * (factor - 1) + 1, factor))
            self.T_cur = epoch - first * (factor**wave - 1) / (factor - 1)
            self.T_i = first * factor**wave
