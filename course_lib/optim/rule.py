"""Optimizers that update each parameter separately: one rule, applied to all of them in turn."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from course_lib.autograd.grad_mode import enable_grad, no_grad
from course_lib.core.tensor import Tensor
from course_lib.ops.make.like import zeros_like
from course_lib.ops.make.tensor import tensor
from course_lib.ops.shape.complex_views import view_as_real
from course_lib.optim.optimizer import Optimizer
from course_lib.words import errors


class Rule(Optimizer):
    """A base of optimizers: the subclass's `_update` says what a step does to one parameter.

    PyTorch has further implementations of the same rules for lists of tensors (`foreach`) and
    compiled ones (`fused`); here, these options are accepted and change nothing.
    """

    def __init__(self, params: Any, defaults: dict[str, Any]):
        for option in ("differentiable", "capturable"):
            if defaults.get(option):
                raise NotImplementedError(errors.absent(f"{option}=True in optimizers"))
        super().__init__(params, defaults)

    def __init_subclass__(cls, **kwargs: Any):
        if Rule in cls.__bases__:  # PyTorch writes it in each class: `SGD.step`
            shared = Rule.step
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
        with no_grad():
            if closure is not None:
                with enable_grad():
                    loss = closure()
            for group in self.param_groups:
                for param in self._left_over(group):
                    if param.grad is not None:
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


def check_options(lr: Any, *least: tuple[str, Any]) -> None:
    """Raise PyTorch's error if the learning rate, or one of the options, is below zero."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError(errors.one_element("lr"))
    for spoken, value in (("learning rate", lr), *least):
        if not value >= 0.0:
            raise ValueError(errors.invalid_option(spoken, value))


def number(option: Any) -> Any:
    """An option as a number, also if it was given as a tensor."""
    return option.item() if isinstance(option, Tensor) else option


def fresh_state(param: Tensor, *names: str) -> dict[str, Tensor]:
    """The state of a parameter before its first step: zeros, and a step count of 0."""
    return {"step": tensor(0.0), **{name: zeros_like(param) for name in names}}


def real_views(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Complex tensors as pairs of real numbers, so that each part is treated separately."""
    return tuple(view_as_real(one) if one._dtype.is_complex else one for one in tensors)
