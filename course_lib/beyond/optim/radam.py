"""RAdam: Adam that waits with dividing until it knows the usual size of the gradients."""

from __future__ import annotations

from typing import Any

from course_lib.beyond.optim.adamax import check_betas
from course_lib.core.tensor import Tensor
from course_lib.optim.rule import Rule, check_options, decayed, fresh_state, number, real_views

__all__ = ["RAdam"]


class RAdam(Rule):
    """In the first steps plain momentum; then Adam, its steps shortened by how sure it is.

    >>> w = torch.tensor([1., 100.], requires_grad=True)
    >>> optimizer = torch.optim.RAdam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.8000, 80.0000], requires_grad=True)
    """

    _older = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "capturable": False,
    }

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ):
        check_options(lr, ("epsilon value", eps))
        check_betas(betas)
        check_options(0.0, ("weight_decay value", weight_decay))
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state, (beta1, beta2) = self.state[param], group["betas"]
        if not state:
            state.update(fresh_state(param, "exp_avg", "exp_avg_sq"))
        lr = number(group["lr"])
        state["step"] += 1
        grad = decayed(param, grad, lr, group)
        param, grad, mean, square = real_views(param, grad, state["exp_avg"], state["exp_avg_sq"])
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        steps = state["step"].item()
        move: Any = mean / (1 - beta1**steps) * lr
        most = 2 / (1 - beta2) - 1
        known = most - 2 * steps * beta2**steps / (1 - beta2**steps)
        if known > 5.0:
            sure = (known - 4) * (known - 2) * most / ((most - 4) * (most - 2) * known)
            size = square.sqrt()
            size = size.add(group["eps"]) if group["differentiable"] else size.add_(group["eps"])
            move = move * ((1 - beta2**steps) ** 0.5 / size) * sure**0.5
        param.add_(move, alpha=-1.0)
