"""Stochastic gradient descent: a step against the gradient, optionally with momentum."""

from operator import itemgetter
from typing import Any

import numpy as np

from course_lib.calls.rules import refuse_value
from course_lib.core.tensor import Tensor
from course_lib.modes import modes
from course_lib.optim.optimizer import Rule, check_options, number
from course_lib.words import errors

__all__ = ["SGD"]

ARRAYS = (np.ndarray, np.float32, np.float64)
not_plain = itemgetter("momentum", "weight_decay", "maximize")


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
        check_options(lr, lambda x: x < 0.0, momentum=momentum, weight_decay=weight_decay)
        refuse_value(nesterov and (momentum <= 0 or dampening != 0), errors.NESTEROV)
        defaults: dict[str, Any] = {"lr": lr, "momentum": momentum, "dampening": dampening}
        defaults |= {"weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize}
        defaults |= {"foreach": foreach, "differentiable": differentiable, "fused": fused}
        super().__init__(params, defaults)

    def _left_over(self, group: dict[str, Any]) -> list[Tensor]:
        params: list[Tensor] = group["params"]
        if group["lr"].__class__ is not float or any(not_plain(group)):
            return params
        left: list[Tensor] = modes.now.quiet(descend, params, -group["lr"])
        return left

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        decay, momentum = number(group["weight_decay"]), group["momentum"]
        if decay != 0:
            grad = grad.add(param, alpha=decay)
        if momentum != 0:
            state = self.state[param]
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = grad.detach().clone()
            else:
                buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        param.add_(grad, alpha=-number(group["lr"]))


def descend(params: list[Tensor], factor: float) -> list[Tensor]:
    """The fast path: ``param += factor * param.grad`` in the memory of plain parameters.

    Returns the other parameters.
    """
    left = []
    for param in params:
        more, dtype = param._extras, param._dtype
        if more is None or (grad := more.grad) is None:
            continue
        array = param._array
        plain = dtype.plain and grad._dtype is dtype and grad._array.__class__ in ARRAYS
        own = array.__class__ is np.ndarray and param._view is None and not more.inference
        if plain and own:
            array += grad._array * factor
            (param._cell or param._share()).bump()
        else:
            left.append(param)
    return left
