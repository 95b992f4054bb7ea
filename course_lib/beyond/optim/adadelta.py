"""Adadelta: steps as large as earlier steps were, in proportion to the gradient."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.optim.rule import (
    Rule,
    add_into,
    check_options,
    fresh_state,
    number,
    plus,
    real_views,
)
from course_lib.words import errors

__all__ = ["Adadelta"]


class Adadelta(Rule):
    """Parameters move by the gradient, times the usual step, divided by the usual gradient.

    >>> w = torch.tensor([1.], requires_grad=True)
    >>> optimizer = torch.optim.Adadelta([w], eps=0.01)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.6877], requires_grad=True)
    """

    _older = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        check_options(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(errors.invalid_option("rho value", rho))
        check_options(0.0, ("epsilon value", eps), ("weight_decay value", weight_decay))
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state, rho, eps = self.state[param], group["rho"], group["eps"]
        if not state:
            state.update(fresh_state(param, "square_avg", "acc_delta"))
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = plus(grad, param, number(group["weight_decay"]))
        square, moved = state["square_avg"], state["acc_delta"]
        param, grad, square, moved = real_views(param, grad, square, moved)
        square.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        size, step = square.add(eps).sqrt_(), moved.add(eps).sqrt_()
        step = step.clone() if group["differentiable"] else step
        step.div_(size).mul_(grad)
        moved.mul_(rho).addcmul_(step, step, value=1 - rho)
        add_into(param, step, -number(group["lr"]))
