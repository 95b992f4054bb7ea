"""What the current thread is doing: recording or not, and how its kernels run."""

from __future__ import annotations

import contextvars
import threading

import numpy as np


class Modes(threading.local):
    """Per thread, as in PyTorch: switching recording off in one thread leaves the others alone."""

    grad = True  # results remember how they were made
    inference = False  # inside torch.inference_mode()
    anomaly = False  # nodes keep the stack of their forward call
    check_nan = True  # … and a NaN in a gradient is an error
    packing: tuple = ()  # what `saved_tensors_hooks` do to each new node: the innermost last
    no_packing = ""  # why registering such a hook is an error at the moment
    special = False  # anomaly or packing: recording takes the long way

    def __init__(self) -> None:
        # Note [Quiet kernels]: 1/0 is inf in PyTorch, without a word; NumPy warns.  NumPy keeps
        # that choice in a context variable, so a kernel run inside a context of its own is quiet
        # and the reader's NumPy settings stay as they are.  `Context.run` costs 40 ns where
        # `np.errstate` costs 800.
        context = contextvars.copy_context()
        context.run(np.seterr, all="ignore")
        self.quiet = context.run


modes = Modes()
