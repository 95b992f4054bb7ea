"""RMSprop: the gradient, divided by its usual size."""

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.elementwise.arithmetic import lerp
from course_lib.optim.optimizer import Rule, check_options, fresh_state, number, real_views

__all__ = ["RMSprop"]


class RMSprop(Rule):
    """Parameters move against their gradient, divided by the root of its running mean square.

    With `centered`, by the running standard deviation; with `momentum`, steps accumulate.

    >>> w = torch.tensor([1., 100.], requires_grad=True)
    >>> optimizer = torch.optim.RMSprop([w], lr=0.01)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, 99.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ):
        check_options(lr, epsilon=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        defaults: dict[str, Any] = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps}
        defaults |= {"centered": centered, "weight_decay": weight_decay, "capturable": capturable}
        defaults |= {"foreach": foreach, "maximize": maximize, "differentiable": differentiable}
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state, momentum, alpha = self.state[param], group["momentum"], group["alpha"]
        if not state:
            more = ["momentum_buffer"] * (momentum > 0) + ["grad_avg"] * group["centered"]
            state.update(fresh_state(param, "square_avg", *more))
        lr = number(group["lr"])
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        param, grad, square = real_views(param, grad, state["square_avg"])
        square.mul_(alpha).add_((1 - alpha) * grad * grad)
        if group["centered"]:
            (mean,) = real_views(state["grad_avg"])
            lerp.inplace(mean, grad, 1 - alpha)
            size = (square - mean * mean).sqrt_()
        else:
            size = square.sqrt()
        size.add_(group["eps"])
        if momentum > 0:
            (buffer,) = real_views(state["momentum_buffer"])
            buffer.mul_(momentum).add_(grad / size)
            param.add_(buffer, alpha=-lr)
        else:
            param.add_(-lr * grad / size)
