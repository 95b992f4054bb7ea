"""Hooks on tensors: functions that are called with a gradient when it has been computed."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from course_lib.autograd.handles import RemovableHandle
from course_lib.core.graph import edge
from course_lib.core.tensor import Tensor
from course_lib.core.writes import seems_leaf
from course_lib.declare.methods import attach_as
from course_lib.modes import modes
from course_lib.words import errors


def register_hook(self: Tensor, hook: Callable) -> RemovableHandle:
    """Call ``hook(grad)`` when this tensor's gradient is computed; it may return a new one."""
    if not self.requires_grad:
        raise RuntimeError(errors.HOOK_WITHOUT_GRAD)
    node = edge(self)
    if self._node is None:  # the leaf holds the hooks: its AccumulateGrad may be freed
        if node is not None:
            node.more().tensor[0] = self._more().hooks
        return RemovableHandle(self._more().hooks, hook)
    return RemovableHandle(node.more().tensor.setdefault(self._output_nr, {}), hook)


def hooks_of(self: Tensor) -> dict[int, Callable] | None:
    """The hooks that `register_hook` gave this tensor, by number; None if there are none."""
    if self._node is None:
        hooks = {} if self._extras is None else self._extras.hooks
        return hooks if hooks or hooks.__class__ is not dict else None  # a dict is our own
    extras = self.grad_fn.extras
    return None if extras is None else extras.tensor.get(self._output_nr)


def set_hooks(self: Tensor, hooks: dict[int, Callable] | None) -> None:
    """Replace the hooks of this tensor."""
    found = {} if hooks is None else hooks
    if self._node is None:
        self._more().hooks = found
    if self.requires_grad and (node := edge(self)) is not None:
        node.more().tensor[self._output_nr] = found


def delete_hooks(self: Tensor) -> None:
    """Always an error: hooks are removed through their handles."""
    raise RuntimeError(errors.DELETE_HOOKS)


def register_post_accumulate_grad_hook(self: Tensor, hook: Callable) -> RemovableHandle:
    """Call ``hook(tensor)`` after a gradient was added to this leaf's `.grad`."""
    if not self.requires_grad:
        raise RuntimeError(errors.HOOK_WITHOUT_GRAD)
    if self.grad_fn is not None:
        raise RuntimeError(errors.POST_HOOK_NON_LEAF)
    return RemovableHandle(self._more().post_accumulate, hook)


def post_hooks_of(self: Tensor) -> dict[int, Callable] | None:
    """The hooks that `register_post_accumulate_grad_hook` gave this leaf, by number; None if there
    are none."""
    return (self._extras is not None and self._extras.post_accumulate) or None


def retain_grad(self: Tensor) -> None:
    """Keep this non-leaf's gradient in `.grad` when backward passes through it."""
    if not self.requires_grad:
        raise RuntimeError(errors.RETAIN_WITHOUT_GRAD)
    if not seems_leaf(self) and not retains_grad(self) and self.grad_fn is not None:
        self._more().retains = True
        self._node.more().retain[self._output_nr] = weakref.ref(self)


def retains_grad(self: Tensor) -> bool:
    """Whether a non-leaf keeps its gradient: True after `retain_grad()`."""
    return self._extras is not None and self._extras.retains


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable, *, mode: str = "all"
) -> MultiHandle:
    """Call a hook once per backward pass for several tensors.

    With ``mode="all"``, ``fn(grads)`` is called when all gradients that this pass computes have
    arrived (None for the other tensors); with ``"any"``, ``fn(grad)`` at the first one.

    >>> x, y = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    >>> handle = torch.autograd.graph.register_multi_grad_hook((x, y), print)
    >>> (x * 2 + y).backward()
    [tensor([2.]), tensor([1.])]
    """
    if mode not in ("all", "any"):
        raise ValueError(errors.hook_mode(mode))
    group = Group([edge(tensor) for tensor in tensors], fn)
    arrived = group.collect if mode == "all" else group.first
    return MultiHandle(
        [
            register_hook(tensor, functools.partial(arrived, position))
            for position, tensor in enumerate(tensors)
        ]
    )


class Group:
    """The tensors of one multi-tensor hook, and the state of each running pass, by its task."""

    def __init__(self, nodes: list[Any], fn: Callable):
        self.nodes, self.fn = nodes, fn
        self.lock = threading.Lock()
        self.passes: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()

    def collect(self, position: int, grad: Tensor | None) -> None:
        """Store a gradient that has arrived; after the last one of the pass, call the hook."""
        if grad is None:
            return
        task = modes.task
        with self.lock:
            if task not in self.passes:
                awaited = sum(task.will_run(node) for node in self.nodes)
                self.passes[task] = [awaited, [None] * len(self.nodes)]
            state = self.passes[task]
            state[0] -= 1
            state[1][position] = grad
        if not state[0]:
            del self.passes[task]
            self.fn(state[1])

    def first(self, position: int, grad: Tensor) -> None:
        """Call the hook if this gradient is the first one of the pass."""
        with self.lock:
            seen = modes.task in self.passes
            self.passes[modes.task] = True
        if not seen:
            self.fn(grad)


class MultiHandle:
    """Removes the hooks of several tensors together."""

    def __init__(self, handles: list[RemovableHandle]):
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Remove the hook from all tensors."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> MultiHandle:
        return self

    def __exit__(self, *_: Any) -> None:
        self.remove()


attach_as("register_hook", register_hook)
attach_as("_backward_hooks", property(hooks_of, set_hooks, delete_hooks))
attach_as("register_post_accumulate_grad_hook", register_post_accumulate_grad_hook)
attach_as("_post_accumulate_grad_hooks", property(post_hooks_of))
attach_as("retain_grad", retain_grad)
attach_as("retains_grad", property(retains_grad))
