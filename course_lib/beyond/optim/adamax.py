"""Adamax: Adam that divides by the largest gradient seen lately instead of the usual one."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.elementwise.clamp import maximum
from course_lib.optim.rule import Rule, check_options, fresh_state, number, plus, real_views
from course_lib.words import errors

__all__ = ["Adamax"]


def check_betas(betas: Any) -> None:
    """Raise PyTorch's error unless both decay factors are at least 0 and below 1."""
    for place, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(errors.invalid_option(f"beta parameter at index {place}", beta))


class Adamax(Rule):
    """Parameters move against the mean gradient, divided by the decaying maximum of its size.

    >>> w = torch.tensor([1., 100.], requires_grad=True)
    >>> optimizer = torch.optim.Adamax([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, 99.9000], requires_grad=True)
    """

    _older = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ):
        check_options(lr, ("epsilon value", eps))
        check_betas(betas)
        check_options(0.0, ("weight_decay value", weight_decay))
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state, (beta1, beta2) = self.state[param], group["betas"]
        if not state:
            state.update(fresh_state(param, "exp_avg", "exp_inf"))
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = plus(grad, param, number(group["weight_decay"]))
        param, grad, mean, top = real_views(param, grad, state["exp_avg"], state["exp_inf"])
        mean.lerp_(grad, 1 - beta1)
        top.copy_(maximum(top.mul_(beta2), grad.abs().add_(group["eps"])))
        rate = number(group["lr"]) / (1 - beta1 ** state["step"].item())
        param.addcdiv_(mean, top, value=-rate)
