"""Adagrad: steps that shrink with all the gradients there have been."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.modes import modes
from course_lib.ops.make.like import full_like
from course_lib.ops.make.tensor import tensor
from course_lib.optim.in_place import accumulate, descend_by_root, fields, written
from course_lib.optim.rule import Rule, check_options, number, plus, real_views
from course_lib.words import errors

__all__ = ["Adagrad"]


class Adagrad(Rule):
    """Parameters move against their gradient, divided by the root of the sum of its squares.

    >>> w = torch.tensor([1., 100.], requires_grad=True)
    >>> optimizer = torch.optim.Adagrad([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.9000, 99.9000], requires_grad=True)
    """

    _older = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ):
        check_options(
            lr,
            ("lr_decay value", lr_decay),
            ("weight_decay value", weight_decay),
            ("initial_accumulator_value value", initial_accumulator_value),
            ("epsilon value", eps),
        )
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for param in group["params"]:
                self.state[param] = self._fresh(param)

    def _fresh(self, param: Tensor) -> dict[str, Tensor]:
        start = self.defaults["initial_accumulator_value"]
        start = complex(start, start) if param.is_complex() else start
        return {"step": tensor(0.0), "sum": full_like(param, start)}

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        state = self.state[param]
        if not state:
            state.update(self._fresh(param))
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = plus(grad, param, number(group["weight_decay"]))
        lr = number(group["lr"]) / (1 + (state["step"].item() - 1) * group["lr_decay"])
        if self._in_place(param, grad, state["sum"], group, lr):
            return
        param, grad, total = real_views(param, grad, state["sum"])
        total.addcmul_(grad, grad, value=1)
        # The root is saved for its own gradient: then eps must not be written into it.
        size = total.sqrt() + group["eps"] if group["differentiable"] else total.sqrt()
        if not group["differentiable"]:
            size.add_(group["eps"])
        if isinstance(lr, Tensor):
            param.addcmul_(grad / size, -lr)
        else:
            param.addcdiv_(grad, size, value=-lr)

    def _in_place(
        self, param: Tensor, grad: Tensor, total: Tensor, group: dict[str, Any], lr: Any
    ) -> bool:
        """The ordinary step, done in the memory of the parameter; False if it is not ordinary."""
        if group["differentiable"] or isinstance(lr, Tensor):
            return False
        arrays = fields(param, grad, total)
        if arrays is None:
            return False
        modes.quiet(accumulate, arrays[2], arrays[1], None)
        modes.quiet(descend_by_root, *arrays, lr, group["eps"])
        written((total, 1), (param, 1))
        return True

    def share_memory(self) -> None:
        """Not here: memory shared between processes."""
        raise NotImplementedError(errors.absent("torch.optim.Adagrad.share_memory"))
