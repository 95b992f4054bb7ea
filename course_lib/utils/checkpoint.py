"""Trading time for memory: run a part of the model twice instead of keeping what it computed.

Forward runs the function and forgets what its operations saved.  Backward, when it first needs
one of these values, runs the function again.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any

from course_lib.autograd.backward import backward
from course_lib.autograd.function import Function
from course_lib.autograd.grad_mode import enable_grad
from course_lib.core.tensor import Tensor
from course_lib.declare.public import completed as _completed
from course_lib.modes import modes
from course_lib.rng.rng import default_generator
from course_lib.utils.replay import CheckpointError, Replay
from course_lib.words import errors

__all__ = [
    "CheckpointError",
    "checkpoint",
    "checkpoint_sequential",
    "noop_context_fn",
]


class switches:
    """What `set_checkpoint_early_stop` and `set_checkpoint_debug_enabled` decide for all calls."""

    early_stop: bool | None = None
    debug: bool | None = None


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
        if determinism_check not in ("default", "none"):
            raise ValueError(errors.checkpoint_check(determinism_check))
        traced = debug if switches.debug is None else switches.debug
        if traced and context_fn is not noop_context_fn:
            raise ValueError(errors.CHECKPOINT_DEBUG_CONTEXT)
        call = functools.partial(function, **kwargs)
        before, later = context_fn()
        if not modes.grad:
            return call(*args)
        early = early_stop if switches.early_stop is None else switches.early_stop
        again = _in_state(call, later, default_generator.get_state() if preserve else None)
        replay = Replay(again, args, early, determinism_check == "default", traced)
        return replay.first(call, args, before)
    if context_fn is not noop_context_fn or debug:
        raise ValueError(errors.CHECKPOINT_CONTEXT)
    if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        errors.warn(errors.CHECKPOINT_NO_GRAD)
    return CheckpointFunction.apply(function, preserve, *args)


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


def _in_state(call: Callable, context: Any, state: Any) -> Callable:
    """`call` for the second run: in its context, with the random numbers of the first."""

    def again(*args: Any) -> None:
        with _random_state(state), context:
            call(*args)

    return again


class CheckpointFunction(Function):
    """One node for a whole function; its backward runs the function, and backward through it."""

    @staticmethod
    def forward(ctx: Any, function: Callable, preserve: bool, *args: Any) -> Any:
        ctx.run, ctx.args = function, args
        ctx.state = default_generator.get_state() if preserve else None
        ctx.save_for_backward(*(a for a in args if isinstance(a, Tensor)))
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if not modes.task.whole:
            raise RuntimeError(errors.CHECKPOINT_PARTIAL)
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


__getattr__, __dir__ = _completed(globals(), "utils.checkpoint")
