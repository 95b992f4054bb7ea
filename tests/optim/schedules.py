"""Schedules to follow step by step; run with a Python that has torch, this records PyTorch's rates.

python tests/optim/schedules.py
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

RECORD = Path(__file__).with_suffix(".json")
STEPS = 14
LOSSES = [5.0, 4.0, 3.0, 3.0, 3.0, 3.0, 2.9999, 2.9, 2.9, 2.9, 2.9, 2.8, 2.8, 2.8]

# name → (plan, optimizer): what makes a scheduler
SCHEDULES: dict[str, Callable[[Any, Any], Any]] = {
    "step": lambda plan, o: plan.StepLR(o, 3, gamma=0.5),
    "cosine": lambda plan, o: plan.CosineAnnealingLR(o, T_max=5, eta_min=0.01),
    "plateau": lambda plan, o: plan.ReduceLROnPlateau(o, patience=1, cooldown=1),
    "plateau up": lambda plan, o: plan.ReduceLROnPlateau(
        o, mode="max", patience=2, threshold_mode="abs", min_lr=[0.02, 0.2]
    ),
}


def optimizer(torch: Any) -> Any:
    """Two groups with learning rates of their own."""
    first, second = (torch.zeros(2, requires_grad=True) for _ in range(2))
    groups = [{"params": first}, {"params": second, "lr": 0.5}]
    return torch.optim.SGD(groups, lr=0.1, momentum=0.9)


def advance(name: str, scheduler: Any, epoch: int) -> list[float]:
    """The learning rates after one more step."""
    scheduler.optimizer.step()
    if name.startswith("plateau"):
        scheduler.step(LOSSES[epoch])
    else:
        scheduler.step()
    return list(scheduler.get_last_lr())


def follow(torch: Any, name: str) -> dict[str, Any]:
    """The rates of every step, and what the state's entries are called."""
    o = optimizer(torch)
    scheduler = SCHEDULES[name](torch.optim.lr_scheduler, o)
    rates = [list(scheduler.get_last_lr())]
    rates += [advance(name, scheduler, epoch) for epoch in range(STEPS)]
    return {"rates": rates, "state": list(scheduler.state_dict())}


def main() -> None:
    import torch

    facts = {name: follow(torch, name) for name in SCHEDULES}
    lines = [f"{json.dumps(name)}: {json.dumps(fact)}" for name, fact in facts.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
