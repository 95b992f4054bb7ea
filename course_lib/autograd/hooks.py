"""Hooks on tensors: functions that see a gradient when it is there."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from course_lib.core.graph import edge
from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.handles import RemovableHandle


def register_hook(self: Tensor, hook: Callable) -> RemovableHandle:
    """Call ``hook(grad)`` when this tensor's gradient is computed; it may give a new one."""
    if not self.requires_grad:
        raise RuntimeError(errors.HOOK_WITHOUT_GRAD)
    node = edge(self)
    if self._node is None:  # the leaf keeps its hooks, its AccumulateGrad comes and goes
        if node is not None:
            node.more().tensor[0] = self._more().hooks
        return RemovableHandle(self._more().hooks, hook)
    return RemovableHandle(node.more().tensor.setdefault(self._output_nr, {}), hook)


def register_post_accumulate_grad_hook(self: Tensor, hook: Callable) -> RemovableHandle:
    """Call ``hook(tensor)`` after a gradient was added to this leaf's `.grad`."""
    if not self.requires_grad:
        raise RuntimeError(errors.HOOK_WITHOUT_GRAD)
    if self.grad_fn is not None:
        raise RuntimeError(errors.POST_HOOK_NON_LEAF)
    return RemovableHandle(self._more().post_accumulate, hook)


def retain_grad(self: Tensor) -> None:
    """Keep this non-leaf's gradient in `.grad` when backward passes through it."""
    if not self.requires_grad:
        raise RuntimeError(errors.RETAIN_WITHOUT_GRAD)
    if not self.is_leaf and not retains_grad(self) and self.grad_fn is not None:
        self._more().retains = True
        self._node.more().retain[self._output_nr] = weakref.ref(self)


def retains_grad(self: Tensor) -> bool:
    """Whether a non-leaf keeps its gradient: True after `retain_grad()`."""
    return self._extras is not None and self._extras.retains


Tensor.register_hook = register_hook  # type: ignore[attr-defined]
Tensor.register_post_accumulate_grad_hook = register_post_accumulate_grad_hook  # type: ignore[attr-defined]
Tensor.retain_grad = retain_grad  # type: ignore[attr-defined]
Tensor.retains_grad = property(retains_grad)  # type: ignore[attr-defined]
