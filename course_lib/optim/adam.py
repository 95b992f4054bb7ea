"""Adam and AdamW: steps whose size adapts, for each element, to its own gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.modes import modes
from course_lib.ops.elementwise.clamp import maximum
from course_lib.optim.in_place import adapt, descend_by_size, fields, written
from course_lib.optim.rule import Rule, check_options, decayed, fresh_state, number, real_views
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

    _older = {
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "fused": None,
    }

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
        listed = foreach and not capturable
        if isinstance(lr, Tensor) and listed:
            raise ValueError(errors.FOREACH_TENSOR_RATE)
        check_options(lr, ("epsilon value", eps))
        for place in (0, 1):
            if not 0.0 <= betas[place] < 1.0:
                spoken = f"beta parameter at index {place}"
                raise ValueError(errors.invalid_option(spoken, betas[place]))
        check_options(0.0, ("weight_decay value", weight_decay))
        defaults = {
            "lr": lr,
            "betas": checked_betas(betas, bool(listed)),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state = self.state[param]
        if not state:
            largest = ("max_exp_avg_sq",) if group["amsgrad"] else ()
            state.update(fresh_state(param, "exp_avg", "exp_avg_sq", *largest))
        differentiable = group["differentiable"]
        lr = number(group["lr"])
        beta1, beta2 = map(number, group["betas"])
        state["step"] += 1
        grad = decayed(param, grad, lr, group)
        if self._in_place(param, grad, state, group, lr, beta1, beta2):
            return
        param, grad, mean, square = real_views(param, grad, state["exp_avg"], state["exp_avg_sq"])
        mean.lerp_(grad, 1 - beta1)
        if isinstance(beta2, Tensor):
            square.lerp_(grad.square(), 1 - beta2)
        else:
            square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if group["amsgrad"]:
            (largest_,) = real_views(state["max_exp_avg_sq"])
            largest_.copy_(maximum(largest_.clone() if differentiable else largest_, square))
            square = largest_
        steps = state["step"].clone() if differentiable else state["step"].item()
        rate = lr / (1 - beta1**steps)
        size = (1 - beta2**steps) ** 0.5
        if differentiable:  # the rate is a tensor, which `value=` cannot be
            param.addcdiv_(
                mean.clone(), (square.sqrt() / (size * -rate)).add_(group["eps"] / -rate)
            )
        else:
            param.addcdiv_(mean, (square.sqrt() / size).add_(group["eps"]), value=-rate)

    def _in_place(
        self,
        param: Tensor,
        grad: Tensor,
        state: dict[str, Any],
        group: dict[str, Any],
        lr: Any,
        beta1: Any,
        beta2: Any,
    ) -> bool:
        """The fast path: the step on the parameter's own memory; False if it does not apply."""
        if group["differentiable"] or beta1 <= 0.5:
            return False
        if any(isinstance(option, Tensor) for option in (lr, beta1, beta2)):
            return False
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        largest = (state["max_exp_avg_sq"],) if group["amsgrad"] else ()
        found = fields(param, grad, mean, square, *largest)
        if found is None:
            return False
        array, slope, means, *squares = found
        steps = state["step"].item()
        rate, root = lr / (1 - beta1**steps), (1 - beta2**steps) ** 0.5
        modes.quiet(adapt, means, squares[0], slope, beta1, beta2)
        if largest:
            np.maximum(squares[1], squares[0], out=squares[1])
        modes.quiet(descend_by_size, array, means, squares[-1], rate, root, group["eps"])
        written((mean, 1), (square, 2), *[(one, 1) for one in largest], (param, 1))
        return True


def checked_betas(betas: Any, listed: bool) -> tuple:
    """The two decay factors; PyTorch's error unless both are floats or both one-element tensors."""
    tensors = [isinstance(beta, Tensor) for beta in betas]
    if not (all(tensors) or all(isinstance(beta, float) for beta in betas)):
        raise ValueError(errors.BETAS)
    for place, beta in enumerate(betas):
        if isinstance(beta, Tensor):
            if listed:
                raise ValueError(errors.foreach_tensor(f"betas[{place}]"))
            if beta.numel() != 1:
                raise ValueError(errors.one_element(f"betas[{place}]"))
    return tuple(beta.squeeze() if isinstance(beta, Tensor) else beta for beta in betas)


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
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True
