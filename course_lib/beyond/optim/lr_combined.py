"""Schedules made of schedules: one after the other, or all at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from course_lib.beyond.optim.lr_plateau import ReduceLROnPlateau
from course_lib.beyond.optim.lr_scheduler import LRScheduler, set_rate
from course_lib.optim.optimizer import Optimizer
from course_lib.words import errors

__all__ = ["ChainedScheduler", "SequentialLR"]


class _Several(LRScheduler):
    """What holds schedulers of one optimizer, and writes down their states with its own."""

    _schedulers: Any

    def _check(self, schedulers: Sequence[Any], optimizer: Any) -> None:
        kind = type(self).__name__
        for place, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(errors.scheduler_without_optimizer(kind, place))
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(errors.plateau_among_schedulers(kind, place))
            if optimizer is not scheduler.optimizer:
                raise ValueError(errors.other_optimizer(kind, scheduler, place, optimizer))

    def state_dict(self) -> dict[str, Any]:
        """All that a later run needs to go on from here, the parts' states included."""
        state = super().state_dict()
        state.pop("_schedulers")
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on where `state_dict` was taken."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            scheduler.load_state_dict(state)


class SequentialLR(_Several):
    """Several schedules, one after the other; each milestone is the first epoch of the next.

    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> warm = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=2)
    >>> decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [warm, decay], [2])
    >>> rates = []
    >>> for epoch in range(4):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step(); scheduler.step()
    >>> rates
    [0.1, 0.1, 1.0, 0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ):
        if len(schedulers) < 1:
            raise ValueError(errors.no_schedulers(type(self).__name__, chained=False))
        self._check(schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(errors.number_of_milestones(len(schedulers), len(milestones)))
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Each of them made its first step when it was made: that is undone, all but the first's.
        for group in optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched: Any = None) -> None:
        """Take back the first step of all schedulers inside `sched` (this one if not given)."""
        inside = [self if sched is None else sched]
        while inside:
            one = inside.pop()
            if hasattr(one, "_schedulers"):
                inside.extend(one._schedulers)
            elif hasattr(one, "last_epoch"):
                one.last_epoch -= 1

    def step(self) -> None:
        """Set the learning rates of the next epoch, by the scheduler whose turn it is."""
        self.last_epoch += 1
        turn = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[turn]
        if turn > 0 and self._milestones[turn - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Several):
    """Several schedules at once, each working on what the one before it left.

    >>> optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    >>> half = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> tenth = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.1)
    >>> scheduler = torch.optim.lr_scheduler.ChainedScheduler([half, tenth])
    >>> optimizer.step(); scheduler.step()
    >>> scheduler.get_last_lr()
    [0.05]
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None):
        if len(schedulers) < 1:
            raise ValueError(errors.no_schedulers(type(self).__name__, chained=True))
        owner = optimizer or schedulers[0].optimizer
        self._check(schedulers, owner)
        self._schedulers = schedulers
        self.optimizer = owner
        self._last_lr = self._rates()

    def step(self) -> None:
        """Set the learning rates of the next epoch, by every scheduler in turn."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._rates()
