"""Optimizers that update each parameter separately: one rule, applied to all of them in turn."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from course_lib.autograd.grad_mode import enable_grad, set_grad_enabled
from course_lib.core.tensor import Tensor
from course_lib.ops.make.like import zeros_like
from course_lib.ops.make.tensor import tensor
from course_lib.ops.shape.complex_views import view_as_real
from course_lib.optim.optimizer import Optimizer
from course_lib.words import errors


class Rule(Optimizer):
    """A base of optimizers: the subclass's `_update` says what a step does to one parameter.

    PyTorch has further implementations of the same rules for lists of tensors (`foreach`) and
    compiled ones (`fused`); here, these options only change what is refused.
    """

    def __init__(self, params: Any, defaults: dict[str, Any]):
        super().__init__(params, defaults)
        if defaults.get("fused"):
            if defaults["differentiable"]:
                raise RuntimeError(errors.FUSED_DIFFERENTIABLE)
            if defaults["foreach"]:
                raise RuntimeError(errors.FUSED_FOREACH)

    def __init_subclass__(cls, **kwargs: Any):
        if Rule in cls.__bases__:  # PyTorch writes it in each class: `SGD.step`
            shared = Rule.step.__wrapped__  # type: ignore[attr-defined]
            step = FunctionType(shared.__code__, globals(), "step", shared.__defaults__)
            step.__doc__, step.__qualname__ = shared.__doc__, f"{cls.__name__}.step"
            cls.step = step  # type: ignore[method-assign]
        super().__init_subclass__(**kwargs)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update the parameters once, from their gradients; returns what `closure` returned.

        The closure, if there is one, recomputes the loss and the gradients.

        >>> w = torch.tensor([1.], requires_grad=True)
        >>> optimizer = torch.optim.SGD([w], lr=0.1)
        >>> (w * w).sum().backward()
        >>> optimizer.step()
        >>> w
        tensor([0.8000], requires_grad=True)
        """
        loss = None
        with set_grad_enabled(self.defaults["differentiable"]):
            if closure is not None:
                with enable_grad():
                    loss = closure()
            for group in self.param_groups:
                for param in self._left_over(group):
                    if param.grad is not None:
                        check_group(group, param)
                        grad = -param.grad if group["maximize"] else param.grad
                        self._update(param, grad, group)
        return loss

    def _left_over(self, group: dict[str, Any]) -> list[Tensor]:
        """The parameters that need `_update`; a rule may have a fast path for the others."""
        params: list[Tensor] = group["params"]
        return params

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Change one parameter in place."""
        raise NotImplementedError


def check_group(group: dict[str, Any], param: Tensor) -> None:
    """Raise PyTorch's error if this parameter cannot be updated in the way that was asked for."""
    if group.get("fused") and not param.is_floating_point():
        raise RuntimeError(errors.fused_parameters(param))
    if group["foreach"] and group["differentiable"]:
        raise AssertionError(errors.FOREACH_DIFFERENTIABLE)
    if group.get("capturable"):
        raise AssertionError(errors.CAPTURABLE)


def check_options(lr: Any, *least: tuple[str, Any]) -> None:
    """Raise PyTorch's error if the learning rate, or one of the options, is below zero."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError(errors.one_element("lr"))
    for spoken, value in (("learning rate", lr), *least):
        if not value >= 0.0:
            raise ValueError(errors.invalid_option(spoken, value))


def number(option: Any) -> Any:
    """An option as a number; it stays a tensor only if gradients must reach it."""
    if not isinstance(option, Tensor):
        return option
    return option.squeeze() if option.requires_grad else option.item()


def decayed(param: Tensor, grad: Tensor, lr: Any, group: dict[str, Any]) -> Tensor:
    """The gradient plus weight decay; decoupled weight decay shrinks the parameter instead."""
    decay = number(group["weight_decay"])
    if not isinstance(decay, Tensor) and decay == 0:
        return grad
    if group["decoupled_weight_decay"]:
        param.mul_(1 - lr * decay)
        return grad
    return plus(grad, param, decay)


def plus(self: Tensor, other: Tensor, factor: Any) -> Tensor:
    """``self + factor * other``."""
    if isinstance(factor, Tensor):
        return self.addcmul(other.clone(), factor)
    return self.add(other, alpha=factor)


def add_into(self: Tensor, other: Tensor, factor: Any) -> None:
    """Add ``factor * other`` to `self`."""
    if isinstance(factor, Tensor):
        self.addcmul_(other, factor)
    else:
        self.add_(other, alpha=factor)


def fresh_state(param: Tensor, *names: str) -> dict[str, Tensor]:
    """The state of a parameter before its first step: zeros, and a step count of 0."""
    return {"step": tensor(0.0), **{name: zeros_like(param) for name in names}}


def real_views(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Complex tensors as pairs of real numbers, so that each part is treated separately."""
    return tuple(view_as_real(one) if one._dtype.is_complex else one for one in tensors)
