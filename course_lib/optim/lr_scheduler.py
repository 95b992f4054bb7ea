"""`torch.optim.lr_scheduler`: schedules that change the learning rate during training.

Call `scheduler.step()` once per epoch, after the optimizer's steps of that epoch.

>>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.)
>>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
>>> optimizer.step()
>>> scheduler.step()
>>> scheduler.get_last_lr()
[0.5]
"""

import functools
import math
import weakref
from typing import Any

from course_lib.calls.missing import complete_module as _completed
from course_lib.calls.rules import refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.optim.optimizer import Optimizer
from course_lib.words import errors

__all__ = ["CosineAnnealingLR", "LRScheduler", "ReduceLROnPlateau", "StepLR"]


class LRScheduler:
    """The base of every scheduler: a subclass says in `get_lr` what comes next.

    Most compute the next rate from the present one, so that several can work on one optimizer.

    >>> class Halve(torch.optim.lr_scheduler.LRScheduler):
    ...     def get_lr(self):
    ...         return [base / 2 ** self.last_epoch for base in self.base_lrs]
    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> scheduler = Halve(optimizer)
    >>> optimizer.step(); scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1):
        refuse_type(not isinstance(optimizer, Optimizer), errors.no_optimizer, optimizer)
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copy_rate(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(errors.no_initial_rate(number))
        self.base_lrs = [copy_rate(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        watch_steps(optimizer)
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def get_last_lr(self) -> list[Any]:
        """The learning rates that were set last, one per group."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The learning rates of this epoch, computed from those of the one before."""
        raise NotImplementedError

    def step(self) -> None:
        """Set the learning rates of the next epoch."""
        if self._step_count == 1 and not getattr(self.optimizer, "_opt_called", False):
            errors.warn(errors.STEPS_IN_WRONG_ORDER)
        self._step_count += 1
        self.last_epoch += 1
        self._get_lr_called_within_step = True
        try:
            rates = self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            set_rate(group, rate)
        self._last_lr = self._rates()

    def _rates(self) -> list[Any]:
        """The learning rates as they are, one per group."""
        return [copy_rate(group["lr"]) for group in self.optimizer.param_groups]

    def _check_inside_step(self) -> None:
        """Warn a reader who asks `get_lr` for the present rate: it gives the next."""
        if not self._get_lr_called_within_step:
            errors.warn(errors.USE_LAST_LR)

    # ---- to a file and back ----------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """All that a later run needs to go on from here, without the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on where `state_dict` was taken."""
        self.__dict__.update(state_dict)


def copy_rate(value: Any) -> Any:
    """A number, or a copy of a tensor, which the optimizer may write to."""
    return value.clone() if isinstance(value, Tensor) else value


def set_rate(group: dict[str, Any], rate: Any) -> None:
    """Set a group's learning rate; one that is a tensor is written into."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(rate.squeeze() if isinstance(rate, Tensor) else rate)
    else:
        group["lr"] = rate


def watch_steps(optimizer: Optimizer) -> None:
    """Let the optimizer note that a step was made, so that a wrong order can be warned of."""
    step: Any = optimizer.step
    if hasattr(step, "_wrapped_by_lr_sched"):
        return
    function, owner = step.__func__, weakref.ref(optimizer)

    @functools.wraps(function)
    def noting(*args: Any, **kwargs: Any) -> Any:
        self: Any = owner()
        self._opt_called = True
        return function(self, *args, **kwargs)

    vars(noting)["_wrapped_by_lr_sched"] = True
    vars(optimizer)["step"] = noting


class StepLR(LRScheduler):
    """The rate, times `gamma` after every `step_size` epochs.

    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    >>> rates = []
    >>> for epoch in range(5):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step(); scheduler.step()
    >>> rates
    [1.0, 1.0, 0.5, 0.5, 0.25]
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates of this epoch."""
        self._check_inside_step()
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._rates()
        return [group["lr"] * self.gamma for group in self.optimizer.param_groups]


class CosineAnnealingLR(LRScheduler):
    """The rate, along half a cosine wave down to `eta_min` in `T_max` epochs, and up again.

    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
    >>> rates = []
    >>> for epoch in range(5):
    ...     rates.append(round(scheduler.get_last_lr()[0], 4))
    ...     optimizer.step(); scheduler.step()
    >>> rates
    [1.0, 0.8536, 0.5, 0.1464, 0.0]
    """

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates of this epoch."""
        self._check_inside_step()
        if self._is_initial:
            return self._rates()
        height = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        if self._step_count == 1 and self.last_epoch > 0:  # resumed
            return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]
        groups = self.optimizer.param_groups
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # from the lowest point up
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            pairs = zip(self.base_lrs, groups, strict=True)
            return [group["lr"] + (base - self.eta_min) * rise for base, group in pairs]
        before = 1 + math.cos(math.pi * (self.last_epoch - 1) / self.T_max)
        return [height / before * (group["lr"] - self.eta_min) + self.eta_min for group in groups]


class ReduceLROnPlateau(LRScheduler):
    """The rate, times `factor` whenever a quantity has not improved for `patience` epochs.

    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    >>> for loss in [3., 2., 2., 2.]:
    ...     optimizer.step(); scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: list[float] | float = 0,
        eps: float = 1e-8,
    ):
        refuse_value(factor >= 1.0, errors.PLATEAU_FACTOR)
        refuse_value(mode not in ("min", "max"), f"mode {mode} is unknown!")
        unknown = threshold_mode not in ("rel", "abs")
        refuse_value(unknown, f"threshold mode {threshold_mode} is unknown!")
        refuse_type(not isinstance(optimizer, Optimizer), errors.no_optimizer, optimizer)
        groups = len(optimizer.param_groups)
        several = list(min_lr) if isinstance(min_lr, (list, tuple)) else None
        if several is not None and len(several) != groups:
            raise ValueError(errors.number_of_least_rates(groups, len(several)))
        self.factor, self.optimizer = factor, optimizer
        self.default_min_lr: Any = min_lr if several is None else None
        self.min_lrs: list[Any] = [min_lr] * groups if several is None else several
        self.patience, self.cooldown, self.eps = patience, cooldown, eps
        self.last_epoch, self._last_lr = 0, self._rates()
        self.mode_worse, self.mode = math.inf if mode == "min" else -math.inf, mode
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.best, self.cooldown_counter, self.num_bad_epochs = self.mode_worse, 0, 0

    def step(self, metrics: Any) -> None:  # type: ignore[override]
        """Look at the quantity `metrics` of this epoch, and lower the rates if it is time."""
        current = float(metrics)
        self.last_epoch += 1
        if self._is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self._rates()

    @property
    def in_cooldown(self) -> bool:
        """Whether the rates were lowered so recently that nothing is counted yet."""
        return self.cooldown_counter > 0

    def _is_better(self, value: float, best: float) -> bool:
        change = -self.threshold if self.mode == "min" else self.threshold
        best = best * (1.0 + change) if self.threshold_mode == "rel" else best + change
        return value < best if self.mode == "min" else value > best

    def _reduce_lr(self) -> None:
        for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                set_rate(group, new)


__getattr__, __dir__ = _completed(globals(), "optim.lr_scheduler")
