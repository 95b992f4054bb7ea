"""The modes, per thread: whether operations are recorded, and whether errors show their forward.

The old mode is restored after exceptions.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from course_lib.modes import modes, switched
from course_lib.words import errors


def _recording(mode: bool) -> dict[str, Any]:
    """The modes for recording on or off; in inference mode it stays off, whatever `mode` is."""
    inference = modes.now.inference
    return {"grad": mode and not inference, "asked": mode and inference}


class _Mode(switched):
    """A mode that works as a context manager and as a decorator."""

    given: tuple = ()  # the arguments of another mode like this, for a call of what it decorates

    def __call__(self, function: Callable) -> Callable:
        again = functools.partial(type(self), *self.given)
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Any:
                # The mode is active while the generator runs, not while its caller does.
                inner = function(*args, **kwargs)
                while True:
                    with again():
                        value = next(inner, inner)
                    if value is inner:
                        return
                    yield value

            return generator

        @functools.wraps(function)
        def decorate_context(*args: Any, **kwargs: Any) -> Any:
            with again():
                return function(*args, **kwargs)

        return decorate_context


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
        pass

    def __enter__(self) -> None:
        self.before = modes.exchange(_recording(self.target))


class enable_grad(no_grad):
    """Inside, operations are recorded, even within `no_grad`.

    >>> x = torch.tensor(1., requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     (2 * x).requires_grad
    True
    """

    target = True


class set_grad_enabled(_Mode):
    """Switch recording on or off at once; as a context manager, until the end of the block.

    >>> torch.set_grad_enabled(False)
    torch.autograd.grad_mode.set_grad_enabled(mode=False)
    >>> torch.is_grad_enabled()
    False
    >>> _ = torch.set_grad_enabled(True)
    """

    def __init__(self, mode: bool):
        if mode.__class__ is not bool:
            raise TypeError(errors.other_argument("set_grad_enabled", "enabled", 1, "bool", mode))
        self.mode, self.given = mode, (mode,)
        self.before = modes.exchange(_recording(mode))

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"

    def __call__(self, function: Callable) -> Callable:
        self.__exit__()  # as a decorator it acts only inside the function
        return super().__call__(function)

    def __enter__(self) -> None:
        modes.exchange(_recording(self.mode))  # the exit restores the mode from before the call


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
        super().__init__(grad=not mode, asked=False, inference=mode)
        self.mode, self.given = mode, (mode,)


def is_grad_enabled() -> bool:
    """Whether operations are recorded at this point.

    >>> torch.is_grad_enabled()
    True
    """
    return modes.grad or modes.asked


# ---- anomaly mode --------------------------------------------------------------------------------


class set_detect_anomaly(switched):
    """Switch anomaly mode on or off at once; as a context manager, until the end of the block.

    In anomaly mode, before an error in backward, a warning shows the forward call that made the
    failing node.  A gradient with a NaN is an error too, unless `check_nan` is False.

    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True):
        for position, (name, value) in enumerate((("enabled", mode), ("check_nan", check_nan)), 1):
            if not isinstance(value, bool):
                given = ("set_anomaly_enabled", name, position, "bool", value)
                raise TypeError(errors.other_argument(*given))
        super().__init__(anomaly=mode, check_nan=check_nan)
        super().__enter__()

    def __enter__(self) -> None:
        pass


class detect_anomaly(switched):
    """`set_detect_anomaly(True)` for a ``with`` block, with PyTorch's warning that it is slow."""

    def __init__(self, check_nan: bool = True):
        errors.warn(errors.ANOMALY_SLOW)
        super().__init__(anomaly=True, check_nan=check_nan)
        self.before = {name: getattr(modes, name) for name in self.wanted}  # here, as in PyTorch

    def __enter__(self) -> None:
        modes.exchange(self.wanted)


def is_anomaly_enabled() -> bool:
    """Whether nodes keep the stack of their forward call.

    >>> torch.is_anomaly_enabled()
    False
    """
    return modes.anomaly
