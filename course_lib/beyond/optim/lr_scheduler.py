"""What all schedulers share: they count epochs and set the learning rates of an optimizer."""

from __future__ import annotations

import functools
import weakref
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.optim.optimizer import Optimizer
from course_lib.words import errors

__all__ = ["LRScheduler"]


class LRScheduler:
    """The base of every scheduler: a subclass says in `get_lr` what comes next.

    Most compute the next rate from the present one, so that several can work on one optimizer.
    Some know the rate of any epoch at once (`_get_closed_form_lr`), to jump there.

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
        if not isinstance(optimizer, Optimizer):
            raise TypeError(errors.no_optimizer(optimizer))
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(errors.no_initial_rate(number))
        self.base_lrs = [copied(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        watch_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def get_last_lr(self) -> list[Any]:
        """The learning rates that were set last, one per group."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The learning rates of this epoch, computed from those of the one before."""
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Set the learning rates of the next epoch."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                errors.warn(errors.STEP_REPLACED)
            elif not getattr(self.optimizer, "_opt_called", False):
                errors.warn(errors.STEPS_IN_WRONG_ORDER)
        self._step_count += 1
        if epoch is not None:
            errors.warn(errors.EPOCH_GIVEN)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        self._get_lr_called_within_step = True
        try:
            self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
            jump = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
            self._set((jump or self.get_lr)())
        finally:
            self._get_lr_called_within_step = False

    def _set(self, rates: list[Any]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            set_rate(group, rate)
        self._last_lr = self._rates()

    def _rates(self) -> list[Any]:
        """The learning rates as they are, one per group."""
        return [copied(group["lr"]) for group in self.optimizer.param_groups]

    def _scaled(self, factor: float) -> list[Any]:
        """The learning rates as they are, times `factor`."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]

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


def copied(value: Any) -> Any:
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

    noting._wrapped_by_lr_sched = True
    optimizer.step = noting


def one_each(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """A value for each group: those given, or the same for all."""
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        value = [value] * groups
    if len(value) != groups:
        raise ValueError(errors.number_of_values(name, len(value), groups))
    return [copied(one) for one in value]
