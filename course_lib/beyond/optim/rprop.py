"""Rprop: only the signs of the gradient count; step sizes grow and shrink by themselves."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.make.like import full_like
from course_lib.optim.rule import Rule, check_options, fresh_state, number, real_views
from course_lib.words import errors

__all__ = ["Rprop"]


class Rprop(Rule):
    """A step grows while its gradient keeps its sign, and shrinks when the sign has turned.

    >>> w = torch.tensor([1., 100.], requires_grad=True)
    >>> optimizer = torch.optim.Rprop([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, 99.9000], requires_grad=True)
    """

    _older = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        check_options(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(errors.invalid_etas(etas))
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state, (less, more) = self.state[param], group["etas"]
        if not state:
            state.update(fresh_state(param, "prev"))
            start = number(group["lr"])
            start = complex(start, start) if param.is_complex() else start
            state["step_size"] = full_like(grad, start)
        state["step"] += 1
        param, grad, before, size = real_views(param, grad, state["prev"], state["step_size"])
        before = before.clone() if group["differentiable"] else before
        agreement: Any = grad.mul(before).sign()
        factor = agreement.clone()
        factor[agreement.gt(0)], factor[agreement.lt(0)] = more, less
        factor[agreement.eq(0)] = 1
        size.mul_(factor).clamp_(*group["step_sizes"])
        grad = grad.clone()
        grad[factor.eq(less)] = 0  # after a turn, no step
        param.addcmul_(grad.sign(), size, value=-1)
        real_views(state["prev"])[0].copy_(grad)
