"""Hooks on tensors: functions that are called with a gradient when it has been computed."""

import itertools
import weakref
from collections.abc import Callable
from typing import Any

from course_lib.calls.rules import refuse
from course_lib.core.graph import edge
from course_lib.core.tensor import Tensor
from course_lib.core.writes import seems_leaf
from course_lib.declare.methods import attach_as
from course_lib.words import errors


class RemovableHandle:
    """Removes a hook: ``handle.remove()``, or at the end of a ``with`` block."""

    numbers = itertools.count()

    def __init__(self, hooks: dict[int, Callable], hook: Callable):
        self.id = next(RemovableHandle.numbers)
        self._hooks = hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> "RemovableHandle":
        return self

    def __exit__(self, *_: Any) -> None:
        self.remove()


def register_hook(self: Tensor, hook: Callable) -> RemovableHandle:
    """Call ``hook(grad)`` when this tensor's gradient is computed; it may return a new one."""
    refuse(not self.requires_grad, errors.HOOK_WITHOUT_GRAD)
    node = edge(self)
    if self._node is not None:
        return RemovableHandle(node.more().tensor.setdefault(self._output_nr, {}), hook)
    hooks = self._more().hooks  # the leaf holds them: its AccumulateGrad may be freed
    if node is not None:
        node.more().tensor[0] = hooks
    return RemovableHandle(hooks, hook)


def hooks_of(self: Tensor) -> dict[int, Callable] | None:
    """The hooks that `register_hook` gave this tensor, by number; None if there are none."""
    if self._node is None:
        hooks = {} if self._extras is None else self._extras.hooks
        return hooks if hooks or hooks.__class__ is not dict else None  # a dict is our own
    extras = self.grad_fn.extras
    return None if extras is None else extras.tensor.get(self._output_nr)


def register_post_accumulate_grad_hook(self: Tensor, hook: Callable) -> RemovableHandle:
    """Call ``hook(tensor)`` after a gradient was added to this leaf's `.grad`."""
    refuse(not self.requires_grad, errors.HOOK_WITHOUT_GRAD)
    refuse(self.grad_fn is not None, errors.POST_HOOK_NON_LEAF)
    return RemovableHandle(self._more().post_accumulate, hook)


def post_hooks_of(self: Tensor) -> dict[int, Callable] | None:
    """The hooks that `register_post_accumulate_grad_hook` gave this leaf, by number; None if there
    are none."""
    return (self._extras is not None and self._extras.post_accumulate) or None


def retain_grad(self: Tensor) -> None:
    """Keep this non-leaf's gradient in `.grad` when backward passes through it."""
    refuse(not self.requires_grad, errors.RETAIN_WITHOUT_GRAD)
    if not seems_leaf(self) and not retains_grad(self) and self.grad_fn is not None:
        self._more().retains = True
        self._node.more().retain[self._output_nr] = weakref.ref(self)


def retains_grad(self: Tensor) -> bool:
    """Whether a non-leaf keeps its gradient: True after `retain_grad()`."""
    return self._extras is not None and self._extras.retains


attach_as("register_hook", register_hook)
attach_as("_backward_hooks", property(hooks_of))
attach_as("register_post_accumulate_grad_hook", register_post_accumulate_grad_hook)
attach_as("_post_accumulate_grad_hooks", property(post_hooks_of))
attach_as("retain_grad", retain_grad)
attach_as("retains_grad", property(retains_grad))
