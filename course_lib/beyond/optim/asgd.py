"""ASGD: gradient descent that also keeps the average of where it has been."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.make.tensor import tensor
from course_lib.optim.rule import Rule, check_options, fresh_state, number, plus, real_views

__all__ = ["ASGD"]


class ASGD(Rule):
    """Parameters move against their gradient, ever more slowly; `ax` in the state is their average.

    The average begins after `t0` steps; `alpha` and `lambd` say how the rate falls.

    >>> w = torch.tensor([1.], requires_grad=True)
    >>> optimizer = torch.optim.ASGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000], requires_grad=True)
    """

    _older = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ):
        check_options(lr, ("weight_decay value", weight_decay))
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state, lr = self.state[param], number(group["lr"])
        if not state:
            average = fresh_state(param, "ax")["ax"]
            rates = {"eta": tensor(float(lr)), "mu": tensor(1.0)}
            state.update({"step": tensor(0.0), **rates, "ax": average})
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = plus(grad, param, number(group["weight_decay"]))
        param, grad, average = real_views(param, grad, state["ax"])
        rate, share = state["eta"].item(), state["mu"].item()
        param.mul_(1 - group["lambd"] * rate)
        param.add_(grad, alpha=-rate)
        if share == 1:
            average.copy_(param)
        else:
            average.add_(param.sub(average).mul_(share))
        steps = state["step"].item()
        state["eta"].fill_(lr / (1 + group["lambd"] * lr * steps) ** group["alpha"])
        state["mu"].fill_(1 / max(1, steps - group["t0"]))
