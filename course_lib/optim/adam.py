"""Adam and AdamW: steps whose size adapts, for each element, to its own gradients."""

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.elementwise.arithmetic import lerp
from course_lib.ops.elementwise.clamp import maximum
from course_lib.optim.optimizer import Rule, check_options, fresh_state, number, real_views
from course_lib.words import errors

__all__ = ["Adam", "AdamW"]


class Adam(Rule):
    """Adam: steps against the running mean of the gradients, divided by their typical size.

    Per element, `exp_avg` is the running mean of the gradients and `exp_avg_sq` that of their
    squares.  Both start from zero, hence the bias corrections.  The step is then
    ``lr * mean / (sqrt(mean of squares) + eps)``.

    >>> w = torch.tensor([1., 100.], requires_grad=True)
    >>> optimizer = torch.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, 99.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ):
        check_options(lr, epsilon=eps)
        for place in (0, 1):
            if not 0.0 <= betas[place] < 1.0:
                what = f"beta parameter at index {place}"
                raise ValueError(errors.invalid_option(what, betas[place]))
        check_options(0.0, weight_decay=weight_decay)
        if not any(all(isinstance(betas[i], kind) for i in (0, 1)) for kind in (float, Tensor)):
            raise ValueError(errors.BETAS)
        defaults: dict[str, Any] = {"lr": lr, "betas": tuple(betas), "eps": eps}
        defaults |= {"weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize}
        defaults |= {"foreach": foreach, "capturable": capturable, "differentiable": differentiable}
        defaults |= {"fused": fused, "decoupled_weight_decay": decoupled_weight_decay}
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state = self.state[param]
        if not state:
            largest = ("max_exp_avg_sq",) if group["amsgrad"] else ()
            state.update(fresh_state(param, "exp_avg", "exp_avg_sq", *largest))
        lr = number(group["lr"])
        beta1, beta2 = map(number, group["betas"])
        state["step"] += 1
        if group["decoupled_weight_decay"] and group["weight_decay"] != 0:
            param.mul_(1 - lr * group["weight_decay"])
        elif group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        param, grad, mean, square = real_views(param, grad, state["exp_avg"], state["exp_avg_sq"])
        if beta1 > 0.5:  # as `lerp` computes it then, by common calls
            mean.add_((grad - mean) * (1 - beta1))
        else:
            lerp.inplace(mean, grad, 1 - beta1)
        square.mul_(beta2).add_(grad * (1 - beta2) * grad)
        if group["amsgrad"]:
            (largest_,) = real_views(state["max_exp_avg_sq"])
            square = largest_.copy_(maximum(largest_, square))
        steps = state["step"].item()
        rate = lr / (1 - beta1**steps)
        size = (1 - beta2**steps) ** 0.5
        param.add_((mean * -rate).div_((square.sqrt() / size).add_(group["eps"])))


class AdamW(Adam):
    """Adam with decoupled weight decay, which shrinks the parameters themselves before the step.

    >>> w = torch.tensor([1.], requires_grad=True)
    >>> optimizer = torch.optim.AdamW([w], lr=0.1, weight_decay=0.5)
    >>> (w * 0).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9500], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        given: dict[str, Any] = {"foreach": foreach, "maximize": maximize, "capturable": capturable}
        given |= {"differentiable": differentiable, "fused": fused, "decoupled_weight_decay": True}
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **given)
