"""NAdam: Adam with Nesterov's momentum, which looks one step ahead."""

from __future__ import annotations

from typing import Any

from course_lib.beyond.optim.adamax import check_betas
from course_lib.core.tensor import Tensor
from course_lib.ops.make.tensor import tensor
from course_lib.optim.rule import Rule, check_options, decayed, fresh_state, number, real_views

__all__ = ["NAdam"]


class NAdam(Rule):
    """Parameters move against a mixture of the gradient and of the mean that comes next.

    The momentum grows from half of ``betas[0]`` towards all of it, at the pace `momentum_decay`;
    `mu_product` keeps the product of what it has been.

    >>> w = torch.tensor([1., 100.], requires_grad=True)
    >>> optimizer = torch.optim.NAdam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.8944, 99.8944], requires_grad=True)
    """

    _older = {
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
    }

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ):
        check_options(lr, ("epsilon value", eps))
        check_betas(betas)
        check_options(
            0.0, ("weight_decay value", weight_decay), ("momentum_decay value", momentum_decay)
        )
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state, (beta1, beta2) = self.state[param], group["betas"]
        if not state:
            steps = {"step": tensor(0.0), "mu_product": tensor(1.0)}
            state.update({**fresh_state(param, "exp_avg", "exp_avg_sq"), **steps})
            state.update({name: state.pop(name) for name in ("exp_avg", "exp_avg_sq")})
        lr = number(group["lr"])
        state["step"] += 1
        grad = decayed(param, grad, lr, group)
        param, grad, mean, square = real_views(param, grad, state["exp_avg"], state["exp_avg_sq"])
        steps, fading = state["step"].item(), group["momentum_decay"]
        now, next_ = (beta1 * (1 - 0.5 * 0.96 ** (n * fading)) for n in (steps, steps + 1))
        state["mu_product"] *= now
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        size = square.div(1 - beta2**steps).sqrt_().add_(group["eps"])
        product = state["mu_product"].item()
        param.addcdiv_(grad, size, value=-lr * (1 - now) / (1 - product))
        param.addcdiv_(mean, size, value=(-lr * next_) / (1 - product * next_))
