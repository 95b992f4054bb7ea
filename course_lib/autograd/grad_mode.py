"""Switching recording off and on: per thread, restored after exceptions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.modes import modes


def _record(mode: bool) -> None:
    """Switch recording; in inference mode it stays off, whatever is asked for."""
    now = modes.now
    now.grad, now.asked = mode and not now.inference, mode and now.inference


class _Mode:
    """A mode that works as a context manager and as a decorator."""

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, *error: Any) -> None:
        raise NotImplementedError

    def again(self) -> _Mode:
        """A fresh mode of the same kind, for one call of a decorated function."""
        return type(self)()

    def __call__(self, function: Callable) -> Callable:
        if inspect.isclass(function):
            errors.warn(errors.DECORATED_CLASS, FutureWarning)
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Any:
                # The mode holds while the generator runs, not while its caller does.
                inner = function(*args, **kwargs)
                step, sent = inner.send, None
                while True:
                    try:
                        with self.again():
                            value = step(sent)
                    except StopIteration as stop:
                        return stop.value
                    try:
                        step, sent = inner.send, (yield value)
                    except GeneratorExit:
                        with self.again():
                            inner.close()
                        raise
                    except BaseException as error:
                        step, sent = inner.throw, error

            return generator

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self.again():
                return function(*args, **kwargs)

        return decorated


class no_grad(_Mode):
    """Inside, operations are not recorded: results do not require grad.

    >>> x = torch.tensor(1., requires_grad=True)
    >>> with torch.no_grad():
    ...     (2 * x).requires_grad
    False
    """

    target = False

    def __new__(cls, function: Any = None) -> Any:
        if function is None:
            return object.__new__(cls)
        return cls()(function)  # @torch.no_grad without parentheses

    def __init__(self, function: Any = None):
        self.previous = (True, False)

    def __enter__(self) -> None:
        now = modes.now
        self.previous = (now.grad, now.asked)
        _record(self.target)

    def __exit__(self, *error: Any) -> None:
        now = modes.now
        now.grad, now.asked = self.previous


class enable_grad(no_grad):
    """Inside, operations are recorded, also within `no_grad`.

    >>> x = torch.tensor(1., requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     (2 * x).requires_grad
    True
    """

    target = True


class set_grad_enabled(_Mode):
    """Switch recording at the call; as a context manager, until the end of the block.

    >>> torch.set_grad_enabled(False)
    torch.autograd.grad_mode.set_grad_enabled(mode=False)
    >>> torch.is_grad_enabled()
    False
    >>> _ = torch.set_grad_enabled(True)
    """

    def __init__(self, mode: bool):
        if mode.__class__ is not bool:
            raise TypeError(errors.not_a_switch("set_grad_enabled", "enabled", mode))
        now = modes.now
        self.previous, self.mode = (now.grad, now.asked), mode
        _record(mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"

    def again(self) -> set_grad_enabled:
        return set_grad_enabled(self.mode)

    def __call__(self, function: Callable) -> Callable:
        modes.grad, modes.asked = self.previous  # as a decorator it acts only inside the function
        return super().__call__(function)

    def __enter__(self) -> None:
        _record(self.mode)

    def __exit__(self, *error: Any) -> None:
        now = modes.now
        now.grad, now.asked = self.previous


class inference_mode(_Mode):
    """Inside, nothing is recorded, and results can never take part in recording later.

    >>> with torch.inference_mode():
    ...     x = torch.ones(2)
    >>> x.is_inference()
    True
    """

    def __new__(cls, mode: Any = True) -> Any:
        if isinstance(mode, bool):
            return object.__new__(cls)
        return cls()(mode)

    def __init__(self, mode: Any = True):
        self.mode, self.previous = mode, (True, False, False)

    def again(self) -> inference_mode:
        return inference_mode(self.mode)

    def __enter__(self) -> None:
        self.previous = (modes.grad, modes.asked, modes.inference)
        modes.grad, modes.asked, modes.inference = not self.mode, False, self.mode

    def __exit__(self, *error: Any) -> None:
        modes.grad, modes.asked, modes.inference = self.previous


def is_grad_enabled() -> bool:
    """Whether operations are recorded at this point.

    >>> torch.is_grad_enabled()
    True
    """
    return modes.grad or modes.asked


def is_inference_mode_enabled() -> bool:
    """Whether this point is inside `torch.inference_mode()`.

    >>> torch.is_inference_mode_enabled()
    False
    """
    return modes.inference


def is_inference(input: Tensor) -> bool:
    """Whether a tensor was made inside `torch.inference_mode()`: `Tensor.is_inference`.

    >>> torch.is_inference(torch.ones(1))
    False
    """
    return input.is_inference()
