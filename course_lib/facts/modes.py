"""What the current thread is doing: recording or not, and how its kernels run."""

from __future__ import annotations

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
        "no_packing",
        "packing",
        "quiet",
        "special",
        "task",
    )

    def __init__(self) -> None:
        self.grad = True  # results remember how they were made
        self.inference = False  # inside torch.inference_mode()
        self.asked = False  # `enable_grad` inside it: reported, but nothing is recorded there
        self.anomaly = False  # nodes keep the stack of their forward call
        self.check_nan = True  # … and a NaN in a gradient is an error
        self.packing: tuple = ()  # what `saved_tensors_hooks` do to each new node: innermost last
        self.no_packing = ""  # why registering such a hook is an error at the moment
        self.special = False  # anomaly or packing: recording takes the long way
        self.before_write: Any = None  # what a write in place has to tell first, if anybody
        self.task: Any = None  # the innermost backward pass that is running: autograd/task.py
        # Note [Quiet kernels]: 1/0 is inf in PyTorch, without a word; NumPy warns.  NumPy keeps
        # that choice in a context variable, so a kernel run inside a context of its own is quiet
        # and the reader's NumPy settings stay as they are.  `Context.run` costs 40 ns where
        # `np.errstate` costs 800.
        context = contextvars.copy_context()
        context.run(np.seterr, all="ignore")
        self.quiet = context.run


class Modes(threading.local):
    """Per thread, as in PyTorch: switching recording off in one thread leaves the others alone.

    ``modes.grad`` is ``modes.now.grad``.  Looking up what belongs to a thread costs as much as a
    multiplication, so hot paths do it once per call.
    """

    now: State

    def __init__(self) -> None:
        self.now = State()


def of_now(name: str) -> Any:
    """One of the modes as an attribute of `Modes`."""
    return property(
        lambda self: getattr(self.now, name), lambda self, value: setattr(self.now, name, value)
    )


for _name in State.__slots__:
    setattr(Modes, _name, of_now(_name))

modes: Any = Modes()
