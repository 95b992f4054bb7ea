"""Hooks of modules: functions that get the inputs, the outputs, and the gradients of both.

A module without hooks never comes here; `Module.__call__` sees to that.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from course_lib.autograd.function import Function
from course_lib.autograd.grad_mode import is_grad_enabled
from course_lib.autograd.handles import RemovableHandle
from course_lib.core.tensor import Tensor
from course_lib.words import errors

__all__ = []


Hooks = dict[int, Callable]
everywhere: dict[str, Hooks] = {
    "forward_pre": {},
    "forward": {},
    "backward_pre": {},
    "backward": {},
}
any_everywhere: list[Hooks] = []  # those of them that have entries; read by every call


class Handle(RemovableHandle):
    """A handle that removes a module's hook, and the notes about it."""

    def __init__(self, hooks: Hooks, hook: Callable, prepend: bool = False, *notes: dict):
        super().__init__(hooks, hook)
        self._notes = notes
        for note in notes:
            note[self.id] = True
        if prepend:
            others = [(key, hooks.pop(key)) for key in list(hooks) if key != self.id]
            hooks.update(others)

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        super().remove()
        for note in self._notes:
            note.pop(self.id, None)


class BoundHook:
    """A hook that gets its module as the first argument, and does not keep it alive."""

    def __init__(self, hook: Callable, module: Any):
        self.hook, self.module = hook, weakref.ref(module)

    def __call__(self, *args: Any) -> Any:
        module = self.module()
        if module is None:
            raise RuntimeError(errors.DEAD_MODULE)
        return self.hook(module, *args)

    def __getstate__(self) -> dict:
        return {"hook": self.hook, "module": self.module()}

    def __setstate__(self, state: dict) -> None:
        self.__init__(state["hook"], state["module"])  # type: ignore[misc]


# ---- a call with hooks ---------------------------------------------------------------------------


def call(module: Any, args: tuple, kwargs: dict) -> Any:
    """The result of ``module(*args, **kwargs)`` when there are hooks."""
    late = dict(module._forward_hooks_always_called)  # those that must run even after an error
    try:
        return call_once(module, args, kwargs, late)
    except Exception:
        for key in [key for key in late if key in module._forward_hooks]:
            run_silenced(module, key, args, kwargs)
        raise


def call_once(module: Any, args: tuple, kwargs: dict, late: dict[int, bool]) -> Any:
    args, kwargs = before_forward(module, args, kwargs)
    pre = [*everywhere["backward_pre"].values(), *module._backward_pre_hooks.values()]
    full = list(everywhere["backward"].values())
    if module._is_full_backward_hook:
        full += module._backward_hooks.values()
    watch = BackwardHook(module, full, pre) if full or pre else None
    if watch is not None:
        args = watch.inputs(args)
    result = module.forward(*args, **kwargs)
    for key, hook in [*everywhere["forward"].items(), *module._forward_hooks.items()]:
        late.pop(key, None)
        named = key in module._forward_hooks_with_kwargs or key in global_with_kwargs
        changed = hook(module, args, kwargs, result) if named else hook(module, args, result)
        result = result if changed is None else changed
    if watch is not None:
        if not isinstance(result, (Tensor, tuple)):
            errors.warn(errors.hooks_want_tensors(type(result)))
        result = watch.outputs(result)
    if module._is_full_backward_hook is False:
        hook_on_node(module, args, result)
    return result


def before_forward(module: Any, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """The arguments as the forward-pre hooks leave them."""
    for key, hook in [*everywhere["forward_pre"].items(), *module._forward_pre_hooks.items()]:
        if key in module._forward_pre_hooks_with_kwargs:
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


def run_silenced(module: Any, key: int, args: tuple, kwargs: dict) -> None:
    """Run a hook that must always run; its own error is only a warning."""
    try:
        if key in module._forward_hooks_with_kwargs:
            module._forward_hooks[key](module, args, kwargs, None)
        else:
            module._forward_hooks[key](module, args, None)
    except Exception as error:
        errors.warn(errors.hook_silenced(error))


def hook_on_node(module: Any, args: tuple, result: Any) -> None:
    """Put the old backward hooks on the last operation of `forward`, whatever that is."""
    found = result
    while not isinstance(found, Tensor):
        if isinstance(found, dict):
            found = next(value for value in found.values() if isinstance(value, Tensor))
        else:
            found = found[0]
    node = found.grad_fn
    if node is not None:
        for hook in module._backward_hooks.values():
            node.register_hook(BoundHook(hook, module))
        missing = seen_too_little(args, result, node)
        if missing is not None:
            errors.warn(missing, FutureWarning)


def seen_too_little(args: tuple, result: Any, node: Any) -> str | None:
    """What PyTorch says if one node cannot show all gradients of a call, None if it can."""
    results = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(value, Tensor) for value in results):
        return errors.OLD_HOOK_RESULT
    if not all(isinstance(arg, Tensor) for arg in args):
        return errors.OLD_HOOK_INPUT
    if len({value.grad_fn for value in results} - {None}) > 1:
        return errors.OLD_HOOK_RESULT_NODES
    before = {arg.grad_fn for arg in args} - {None}
    if before != {edge[0] for edge in node.next_functions}:
        return errors.OLD_HOOK_NODES
    return None


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

    def __init__(self, module: Any, hooks: list[Callable], pre_hooks: list[Callable]):
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs: tuple | None = None
        self.count_in = self.count_out = 0
        self.places_in: list[int] | None = None  # which inputs are tensors; None: none is watched
        self.places_out: list[int] | None = None

    def inputs(self, args: tuple) -> tuple:
        """The arguments of `forward`, passed through the first node."""
        self.count_in = len(args)
        args, self.places_in = watched(args, self.arrived_in)
        return args

    def outputs(self, result: Any) -> Any:
        """The result of `forward`, passed through the second node."""
        results = result if isinstance(result, tuple) else (result,)
        self.count_out = len(results)
        results, self.places_out = watched(results, self.arrived_out)
        return results if isinstance(result, tuple) else results[0]

    def arrived_out(self, _: Any, grads: tuple) -> Any:
        """Called when the gradients of the outputs have arrived."""
        places = self.places_out or []
        found = spread(places, grads, self.count_out)
        for hook in self.pre_hooks:
            changed = hook(self.module, found)
            if changed is not None:
                if len(changed) != len(found):
                    text = errors.hook_count(True, len(changed), len(found))
                    raise RuntimeError(text)
                found = changed
        self.grad_outputs = found
        if self.places_in is None:
            self.without_inputs(found)
        return tuple(found[i] for i in places)

    def without_inputs(self, grad_outputs: tuple) -> None:
        """No input requires grad, so nothing will arrive there: the hooks run now."""
        errors.warn(errors.FULL_HOOK_WITHOUT_INPUT)
        for hook in self.hooks:
            changed = hook(self.module, (None,) * self.count_in, grad_outputs)
            if changed is not None and any(grad is not None for grad in changed):
                raise RuntimeError(errors.HOOK_GRADS_EXPECTED_NONE)
        self.grad_outputs = None

    def arrived_in(self, grads: tuple, _: Any) -> Any:
        """Called when the gradients of the inputs have arrived, too."""
        if self.grad_outputs is None:
            return None
        places = self.places_in or []
        found = spread(places, grads, self.count_in)
        for hook in self.hooks:
            changed = hook(self.module, found, self.grad_outputs)
            if changed is not None:
                if len(changed) != len(found):
                    raise RuntimeError(errors.hook_count(False, len(changed), len(found)))
                found = changed
        self.grad_outputs = None
        return tuple(found[i] for i in places)

    # PyTorch's name for both, which stands in its messages.
    arrived_in.__name__ = arrived_out.__name__ = "hook"


def spread(places: list[int], values: Any, count: int) -> tuple:
    """The values at their places, None elsewhere."""
    found = [None] * count
    for place, value in zip(places, values, strict=True):
        found[place] = value
    return tuple(found)


def watched(args: tuple, hook: Callable) -> tuple[tuple, list[int] | None]:
    """The arguments, passed through a node with a hook, and which of them are tensors."""
    places = [i for i, arg in enumerate(args) if isinstance(arg, Tensor)]
    if not is_grad_enabled() or not any(args[i].requires_grad for i in places):
        return args, None
    news = BackwardHookFunction.apply(*[args[i] for i in places])
    next(new.grad_fn for new in news if new.grad_fn is not None).register_hook(hook)
    found = list(args)
    for place, new in zip(places, news, strict=True):
        found[place] = new
    kind = type(args)
    return (tuple(found) if kind is tuple else kind(*found)), places


# ---- hooks of all modules ------------------------------------------------------------------------

global_with_kwargs: dict[int, bool] = {}


class GlobalHandle(Handle):
    """A handle that removes a hook of all modules."""

    def __init__(self, which: str, hook: Callable, *notes: dict):
        super().__init__(everywhere[which], hook, False, *notes)
        any_everywhere[:] = [hooks for hooks in everywhere.values() if hooks]

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        super().remove()
        any_everywhere[:] = [hooks for hooks in everywhere.values() if hooks]
