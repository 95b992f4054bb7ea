"""Stochastic gradient descent: a step against the gradient, optionally with momentum."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.modes import modes
from course_lib.optim.in_place import descend, descend_all, fields, remember, written
from course_lib.optim.rule import Rule, add_into, check_options, number, plus
from course_lib.words import errors

__all__ = ["SGD"]


not_plain = itemgetter("momentum", "weight_decay", "maximize", "differentiable", "fused")


class SGD(Rule):
    """Stochastic gradient descent: ``p -= lr * grad`` for every parameter.

    With `momentum`, the gradient is replaced by a running sum of gradients that decays by this
    factor; with `nesterov`, by a look-ahead at that sum after the next step.

    >>> w = torch.tensor([1.], requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    >>> for _ in range(2):
    ...     optimizer.zero_grad()
    ...     (w * w).sum().backward()
    ...     optimizer.step()
    >>> w
    tensor([0.4600], requires_grad=True)
    """

    _older = {
        "nesterov": False,
        "maximize": False,
        "foreach": None,
        "differentiable": False,
        "fused": False,
    }

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        check_options(lr, ("momentum value", momentum), ("weight_decay value", weight_decay))
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(errors.NESTEROV)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _left_over(self, group: dict[str, Any]) -> list[Tensor]:
        params: list[Tensor] = group["params"]
        if group["lr"].__class__ is not float or any(not_plain(group)):
            return params
        left: list[Tensor] = modes.now.quiet(descend_all, params, group["lr"])
        return left

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        decay, momentum = number(group["weight_decay"]), group["momentum"]
        if not (group["differentiable"] or group["nesterov"] or decay.__class__ is Tensor or decay):
            if self._in_place(param, grad, group, momentum):
                return
        if isinstance(decay, Tensor) or decay != 0:
            grad = plus(grad, param, decay)
        if momentum != 0:
            state = self.state[param]
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = grad.detach().clone()
            else:
                buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        add_into(param, grad, -number(group["lr"]))

    def _in_place(self, param: Tensor, grad: Tensor, group: dict[str, Any], momentum: Any) -> bool:
        """The fast path: the step on the parameter's own memory; False if it does not apply."""
        lr = number(group["lr"])
        buffer = self.state[param].get("momentum_buffer") if momentum else None
        if isinstance(lr, Tensor) or (momentum and buffer is None):
            return False
        arrays = fields(param, grad) if buffer is None else fields(param, grad, buffer)
        if arrays is None:
            return False
        if buffer is not None:
            modes.quiet(remember, arrays[2], arrays[1], momentum, 1 - group["dampening"])
            written((buffer, 2))
        modes.quiet(descend, arrays[0], arrays[-1], lr)
        written((param, 1))
        return True
