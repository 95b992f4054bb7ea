"""Hooks of modules: functions that get the inputs, the outputs, and the gradients of both.

A module without hooks comes here only to register one; `Module.__call__` sees to that.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from course_lib.autograd.function import Function
from course_lib.autograd.grad_mode import is_grad_enabled
from course_lib.autograd.hooks import RemovableHandle
from course_lib.calls.rules import refuse
from course_lib.core.tensor import Tensor
from course_lib.words import errors

TABLES = ("_forward_pre_hooks", "_forward_hooks", "_backward_hooks")


def add_tables(module: Any) -> None:
    """Give a module what it lacks to hold hooks, and the names of buffers that are not saved."""
    own = module.__dict__
    for name in TABLES:
        own.setdefault(name, OrderedDict())
    for name in ("_hooks_with_kwargs", "_non_persistent_buffers_set"):
        own.setdefault(name, set())


class Hooked:
    """The part of `Module` that registers hooks."""

    def register_forward_pre_hook(
        self: Any, hook: Callable, *, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args)`` before `forward`; it may return other arguments."""
        handle = RemovableHandle(self._forward_pre_hooks, hook)
        self._hooks_with_kwargs.update({handle.id} if with_kwargs else ())
        return handle

    def register_forward_hook(
        self: Any, hook: Callable, *, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after `forward`; it may return another output."""
        handle = RemovableHandle(self._forward_hooks, hook)
        self._hooks_with_kwargs.update({handle.id} if with_kwargs else ())
        return handle

    def register_full_backward_hook(self: Any, hook: Callable) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` after backward has passed through."""
        return RemovableHandle(self._backward_hooks, hook)


def call(module: Any, args: tuple, kwargs: dict) -> Any:
    """The result of ``module(*args, **kwargs)`` when there are hooks."""
    args, kwargs = before_forward(module, args, kwargs)
    watch = None
    if module._backward_hooks:
        watch = BackwardHook(module)
        args = watch.inputs(args)
    result = module.forward(*args, **kwargs)
    for key, hook in list(module._forward_hooks.items()):
        named = (kwargs,) if key in module._hooks_with_kwargs else ()
        changed = hook(module, args, *named, result)
        result = result if changed is None else changed
    if watch is None:
        return result
    if not isinstance(result, (Tensor, tuple)):
        errors.warn(errors.hooks_want_tensors(type(result)))
    return watch.outputs(result)


def before_forward(module: Any, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """The arguments as the forward-pre hooks leave them."""
    for key, hook in list(module._forward_pre_hooks.items()):
        if key in module._hooks_with_kwargs:
            changed = hook(module, args, kwargs)
            if changed is not None:
                if not isinstance(changed, tuple) or len(changed) != 2:
                    raise RuntimeError(errors.pre_hook_result(changed))
                args, kwargs = changed
        else:
            changed = hook(module, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
    return args, kwargs


# ---- full backward hooks -------------------------------------------------------------------------


class BackwardHookFunction(Function):
    """Passes tensors on unchanged; its node is a place to observe gradients."""

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> tuple:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        return grads


class BackwardHook:
    """One observed call: a node before `forward` and one after it.

    Backward reaches the one after first and notes the gradients of the outputs; when it reaches
    the one before, the hooks get both.
    """

    def __init__(self, module: Any):
        self.module, self.hooks = module, list(module._backward_hooks.values())
        self.grad_outputs: tuple | None = None
        self.count_in = self.count_out = 0
        self.places_in: list[int] = []  # which inputs are tensors, if one of them is watched
        self.places_out: list[int] = []

    def inputs(self, args: tuple) -> tuple:
        """The arguments of `forward`, passed through the first node."""
        self.count_in = len(args)
        args, self.places_in = hook_arguments(args, self.arrived_in)
        return args

    def outputs(self, result: Any) -> Any:
        """The result of `forward`, passed through the second node."""
        results = result if isinstance(result, tuple) else (result,)
        self.count_out = len(results)
        results, self.places_out = hook_arguments(results, self.arrived_out)
        return results if isinstance(result, tuple) else results[0]

    def arrived_out(self, _: Any, grads: tuple) -> Any:
        """Called with the gradients of the outputs: if none will arrive before, the hooks run."""
        self.grad_outputs = spread(self.places_out, grads, self.count_out)
        if self.places_in:
            return
        errors.warn(errors.FULL_HOOK_WITHOUT_INPUT)
        for hook in self.hooks:
            changed = hook(self.module, (None,) * self.count_in, self.grad_outputs)
            if changed is not None and any(grad is not None for grad in changed):
                raise RuntimeError(errors.HOOK_GRADS_EXPECTED_NONE)
        self.grad_outputs = None

    def arrived_in(self, grads: tuple, _: Any) -> Any:
        """Called when the gradients of the inputs have arrived, too."""
        if self.grad_outputs is None:
            return None
        found = spread(self.places_in, grads, self.count_in)
        for hook in self.hooks:
            changed = hook(self.module, found, self.grad_outputs)
            if changed is not None:
                refuse(len(changed) != len(found), errors.hook_count, len(changed), len(found))
                found = changed
        self.grad_outputs = None
        return tuple(found[i] for i in self.places_in)

    # PyTorch's name for both, which stands in its messages.
    arrived_in.__name__ = arrived_out.__name__ = "hook"


def spread(places: list[int], values: Any, count: int) -> tuple:
    """The values at their places, None elsewhere."""
    found = [None] * count
    for place, value in zip(places, values, strict=True):
        found[place] = value
    return tuple(found)


def hook_arguments(args: tuple, hook: Callable) -> tuple[tuple, list[int]]:
    """The arguments, passed through a node with a hook, and which are tensors; none: not passed."""
    places = [i for i, arg in enumerate(args) if isinstance(arg, Tensor)]
    if not is_grad_enabled() or not any(args[i].requires_grad for i in places):
        return args, []
    news = BackwardHookFunction.apply(*[args[i] for i in places])
    next(new.grad_fn for new in news if new.grad_fn is not None).register_hook(hook)
    found = list(args)
    for place, new in zip(places, news, strict=True):
        found[place] = new
    kind = type(args)
    return (tuple(found) if kind is tuple else kind(*found)), places
