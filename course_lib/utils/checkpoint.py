"""Trading time for memory: run a part of the model twice instead of keeping what it computed.

Forward runs the function and forgets what its operations saved.  Backward, when it first needs
one of these values, runs the function again.
"""

import contextlib
import functools
import weakref
from collections.abc import Callable
from typing import Any

from course_lib.autograd.backward import backward
from course_lib.autograd.function import Function
from course_lib.autograd.grad_mode import enable_grad
from course_lib.autograd.graph import saved_tensors_hooks
from course_lib.autograd.saving import Keeper
from course_lib.calls.missing import complete_module as _completed
from course_lib.calls.rules import lacking, refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.modes import modes
from course_lib.ops.make.generator import default_generator, fork_rng
from course_lib.words import errors

__all__ = ["CheckpointError", "checkpoint"]

ONLY_PYTORCH = ("context_fn", "debug", "determinism_check", "early_stop")


def checkpoint(
    function: Callable, *args: Any, use_reentrant: bool | None = None, **kwargs: Any
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
    for name in ONLY_PYTORCH:
        lacking(name in kwargs, errors.absent, f"checkpoint({name}=…)")
    state = default_generator.get_state() if kwargs.pop("preserve_rng_state", True) else None
    if not use_reentrant:
        call = functools.partial(function, **kwargs)
        return Replay(call, args, state).first(args) if modes.grad else call(*args)
    refuse_value(kwargs, "Unexpected keyword arguments: " + ",".join(kwargs))
    if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        errors.warn(errors.CHECKPOINT_NO_GRAD)
    return CheckpointFunction.apply(function, state, *args)


@contextlib.contextmanager
def random_state(state: Any) -> Any:
    """Inside, random numbers continue from `state`; afterwards, from where they were."""
    with fork_rng(enabled=state is not None):
        if state is not None:
            default_generator.set_state(state)
        yield


# ---- one node for the whole function -------------------------------------------------------------


class CheckpointFunction(Function):
    """One node for a whole function; its backward runs the function, and backward through it."""

    @staticmethod
    def forward(ctx: Any, function: Callable, state: Any, *args: Any) -> Any:
        ctx.run, ctx.state, ctx.args = function, state, args
        ctx.save_for_backward(*(a for a in args if isinstance(a, Tensor)))
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        task = modes.task
        while task is not None:
            refuse(task.captures, errors.CHECKPOINT_PARTIAL)
            task = task.outer
        saved = iter(ctx.saved_tensors)
        args = []
        for value in ctx.args:
            if isinstance(value, Tensor):
                original = next(saved)
                value = original.detach().requires_grad_(original.requires_grad)
            args.append(value)
        with enable_grad(), random_state(ctx.state):
            found = ctx.run(*args)
        outputs = found if isinstance(found, tuple) else (found,)
        tracked = [
            (out, one)
            for out, one in zip(outputs, grads, strict=True)
            if isinstance(out, Tensor) and out.requires_grad
        ]
        refuse(not tracked, errors.CHECKPOINT_NOTHING)
        backward([out for out, _ in tracked], [grad for _, grad in tracked])
        return (None, None, *(a.grad if isinstance(a, Tensor) else None for a in args))


# ---- the nodes of the function, their saved values replaced --------------------------------------


class CheckpointError(RuntimeError):
    """The second run saved other tensors than the first one."""


class Enough(Exception):
    """Raised in the second run when all that was saved is there again; the rest is not needed."""


class Moment:
    """Stands for a backward pass where there is none: `grad_fn._saved_…` read by hand."""


class Replay(Keeper):
    """One call of a checkpointed function: what it saved is computed again when it is needed.

    In the first run, the number of each saved tensor is saved in its place.  When backward first
    needs one, the function runs again and fills a list, for this one backward pass.
    """

    def __init__(self, run: Callable, args: tuple, state: Any):
        self.run, self.state = run, state
        self.facts: list[dict] = []  # what the first run saved
        self.filled: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # by backward pass
        # The tensors among the arguments are saved as a node would save them.
        # Within another checkpoint they are numbers too; then that one runs again first.
        self.args = [None if isinstance(a, Tensor) else a for a in args]
        self.keep({str(n): a for n, a in enumerate(args) if isinstance(a, Tensor)})

    def first(self, args: tuple) -> Any:
        """The function's result; each tensor that it saves is replaced by its number."""
        with saved_tensors_hooks(self.reserve, self.value):
            return self.run(*args)

    def reserve(self, tensor: Tensor) -> int:
        """The number that is saved in place of a tensor."""
        self.facts.append(facts_of(tensor))
        return len(self.facts) - 1

    def value(self, number: int) -> Tensor:
        """The tensor that belongs to a number; runs the function again if that was not done."""
        task = modes.task or Moment()
        if task not in self.filled:
            self.second(self.filled.setdefault(task, []))
        tensor: Any = self.filled[task][number]
        refuse(tensor is None, errors.CHECKPOINT_UNPACKED_TWICE, error=CheckpointError)
        self.filled[task][number] = None
        return tensor

    def second(self, filled: list[Tensor]) -> None:
        """Run the function again and put into the list what it saves, as the first run did."""

        def fill(tensor: Tensor) -> Tensor:
            tensor = tensor.detach() if tensor.requires_grad else tensor
            filled.append(tensor)
            if len(filled) == len(self.facts):
                raise Enough
            return tensor

        args = [
            self.unpack(str(n)) if str(n) in self._tensors else a for n, a in enumerate(self.args)
        ]
        hooks = saved_tensors_hooks(fill, lambda tensor: tensor)
        with contextlib.suppress(Enough), hooks, enable_grad(), random_state(self.state):
            self.run(*args)
        if len(filled) != len(self.facts):
            counts = len(self.facts), len(filled)
            raise CheckpointError(errors.checkpoint_mismatch(*counts, errors.CHECKPOINT_TIP))
        pairs = enumerate(zip(self.facts, map(facts_of, filled), strict=True))
        say = errors.checkpoint_difference
        different = "".join(say(at, before, now) for at, (before, now) in pairs if before != now)
        if different:
            raise CheckpointError(errors.checkpoint_other(different, errors.CHECKPOINT_TIP))


def facts_of(tensor: Tensor) -> dict[str, Any]:
    """What has to be the same in both runs."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


__getattr__, __dir__ = _completed(globals(), "utils.checkpoint")
