"""The modes of the current thread: whether it records, and how its kernels run."""

import contextvars
import threading
from typing import Any

import numpy as np


class State:
    """The modes of one thread."""

    __slots__ = (
        "anomaly",
        "asked",
        "before_write",
        "check_nan",
        "grad",
        "inference",
        "packing",
        "quiet",
        "special",
        "task",
    )

    def __init__(self) -> None:
        self.grad = True  # results remember how they were made
        self.inference = False  # inside torch.inference_mode()
        self.asked = False  # `enable_grad` inside inference mode: reported, but nothing is recorded
        self.anomaly = False  # nodes keep the stack of their forward call
        self.check_nan = True  # … and a NaN in a gradient is an error
        self.packing: tuple = ()  # called on each new node by `saved_tensors_hooks`; innermost last
        self.special = False  # anomaly, packing or inference: no call is a common one
        self.before_write: Any = None  # called with a tensor before it is written to; or None
        self.task: Any = None  # the innermost running backward pass: Pass
        # Note [Quiet kernels]: in PyTorch 1/0 is silently inf; NumPy warns.  NumPy keeps that
        # setting in a context variable, so a kernel that runs in its own context is quiet, and the
        # user's NumPy settings do not change.  `Context.run` costs 40 ns, `np.errstate` 800.
        context = contextvars.copy_context()
        context.run(np.seterr, all="ignore")
        self.quiet = context.run


class Modes(threading.local):
    """Per thread, as in PyTorch: switching recording off in one thread leaves the others alone.

    ``modes.grad`` is ``modes.now.grad``.  Looking up a thread's state costs as much as a
    multiplication, so fast paths do it once per call.
    """

    now: State

    def __init__(self) -> None:
        self.now = State()

    def exchange(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Change some modes of this thread; returns their old values."""
        now, before = self.now, {}
        for name, value in wanted.items():
            before[name] = getattr(now, name)
            setattr(now, name, value)
        now.special = now.anomaly or now.inference or now.packing != ()
        return before


def mode_property(name: str) -> Any:
    """One of the modes as an attribute of `Modes`."""
    return property(
        lambda self: getattr(self.now, name), lambda self, value: setattr(self.now, name, value)
    )


for _name in State.__slots__:
    setattr(Modes, _name, mode_property(_name))

modes: Any = Modes()


class switched:
    """Other modes inside a ``with`` block; afterwards the old ones again, even after an error.

    >>> with switched(grad=False):
    ...     modes.grad
    False
    >>> modes.grad
    True
    """

    wanted: dict[str, Any]

    def __init__(self, **wanted: Any):
        self.wanted = wanted

    def __enter__(self) -> None:
        self.before = modes.exchange(self.wanted)

    def __exit__(self, *error: Any) -> None:
        modes.exchange(self.before)
