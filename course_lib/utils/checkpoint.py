"""Trading time for memory: run a part of the model twice instead of keeping what it computed.

Forward runs the function and forgets what its operations saved.  Backward, when it first needs
one of these values, runs the function again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from course_lib.autograd.backward import backward
from course_lib.autograd.function import Function
from course_lib.autograd.grad_mode import enable_grad
from course_lib.autograd.graph import saved_tensors_hooks
from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.rng import default_generator

__all__ = ["CheckpointError", "checkpoint", "checkpoint_sequential", "noop_context_fn"]


class CheckpointError(RuntimeError):
    """The second run saved other tensors than the first one."""


def noop_context_fn() -> tuple[Any, Any]:
    """Two contexts that do nothing: one for the first run, one for the second."""
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable,
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args)``, of which nothing but the arguments is kept for backward.

    The function runs again during backward, with the random numbers of the first run unless
    ``preserve_rng_state=False``.  With `use_reentrant`, one node stands for the whole function
    and starts a backward pass of its own; without, only the saved values are replaced.

    >>> x = torch.tensor(1., requires_grad=True)
    >>> torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=False).backward()
    >>> x.grad
    tensor(2.7183)
    """
    if use_reentrant is None:
        errors.warn(errors.CHECKPOINT_REENTRANT)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs and use_reentrant:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if not use_reentrant:
        return _Replay(function, args, kwargs, preserve, context_fn).first()
    if context_fn is not noop_context_fn or debug:
        raise ValueError(errors.CHECKPOINT_CONTEXT)
    if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        errors.warn(errors.CHECKPOINT_NO_GRAD)
    return _Checkpoint.apply(function, preserve, *args)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """The functions, one after the other, in `segments` checkpoints; the last part is kept.

    >>> x = torch.tensor(1., requires_grad=True)
    >>> steps = [torch.exp, torch.sin, torch.neg]
    >>> torch.utils.checkpoint.checkpoint_sequential(steps, 2, x, use_reentrant=False)
    tensor(-0.4108, grad_fn=<NegBackward0>)
    """
    if use_reentrant is None:
        errors.warn(errors.CHECKPOINT_SEQUENTIAL_REENTRANT)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    steps = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(steps) // segments
    for start in range(0, size * (segments - 1), size):
        input = checkpoint(
            _chain(steps[start : start + size]),
            input,
            use_reentrant=use_reentrant,
            preserve_rng_state=preserve,
        )
    return _chain(steps[size * (segments - 1) :])(input)


def _chain(steps: Sequence[Callable]) -> Callable:
    def run(value: Any) -> Any:
        for step in steps:
            value = step(value)
        return value

    return run


@contextlib.contextmanager
def _random_state(state: Any) -> Any:
    """Inside, random numbers continue from `state`; afterwards, from where they were."""
    if state is None:
        yield
        return
    now = default_generator.get_state()
    default_generator.set_state(state)
    try:
        yield
    finally:
        default_generator.set_state(now)


class _Replay:
    """One checkpoint without a node of its own: its operations save a number instead of a tensor.

    The number says which of the saved tensors it was; the second run counts along.
    """

    def __init__(
        self, function: Callable, args: tuple, kwargs: dict, preserve: bool, contexts: Callable
    ):
        self.call = (function, args, kwargs)
        self.state = default_generator.get_state() if preserve else None
        self.contexts = contexts()
        self.saved = 0  # how many tensors the first run saved
        self.again: dict[int, Tensor] = {}  # those that the second run saved, until they are used

    def first(self) -> Any:
        function, args, kwargs = self.call
        with self.contexts[0], saved_tensors_hooks(self.number, self.value):
            return function(*args, **kwargs)

    def number(self, tensor: Tensor) -> int:
        self.saved += 1
        return self.saved - 1

    def value(self, number: int) -> Tensor:
        if number not in self.again:
            self.second()
        return self.again.pop(number)

    def second(self) -> None:
        function, args, kwargs = self.call
        found: list[Tensor] = []

        def keep(tensor: Tensor) -> Tensor:
            found.append(tensor.detach())
            return tensor

        hooks = saved_tensors_hooks(keep, lambda tensor: tensor)
        with enable_grad(), _random_state(self.state), self.contexts[1], hooks:
            function(*args, **kwargs)
        if len(found) != self.saved:
            raise CheckpointError(errors.checkpoint_mismatch(self.saved, len(found)))
        self.again = dict(enumerate(found))


class _Checkpoint(Function):
    """One node for a whole function; its backward runs the function, and backward through it."""

    @staticmethod
    def forward(ctx: Any, function: Callable, preserve: bool, *args: Any) -> Any:
        ctx.run, ctx.args = function, args
        ctx.state = default_generator.get_state() if preserve else None
        ctx.save_for_backward(*(a for a in args if isinstance(a, Tensor)))
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        saved = iter(ctx.saved_tensors)
        args = []
        for value in ctx.args:
            if isinstance(value, Tensor):
                original = next(saved)
                value = original.detach().requires_grad_(original.requires_grad)
            args.append(value)
        with enable_grad(), _random_state(ctx.state):
            found = ctx.run(*args)
        outputs = found if isinstance(found, tuple) else (found,)
        tracked = [
            (out, one)
            for out, one in zip(outputs, grads, strict=True)
            if isinstance(out, Tensor) and out.requires_grad
        ]
        if not tracked:
            raise RuntimeError(errors.CHECKPOINT_NOTHING)
        backward([out for out, _ in tracked], [grad for _, grad in tracked])
        return (None, None, *(a.grad if isinstance(a, Tensor) else None for a in args))
