"""What a program sets for all that comes after it: a check neither meets it nor leaves it behind.

An answer may switch recording off and not on again, or a cell above may have. The next check would
judge another answer by it.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def ordinary_settings() -> Iterator[None]:
    """Within the block the library is as after its import; after it, as it was before.

    Warnings that come once in a process come each time, though.

    Random numbers go on from where they were within the block, and after it from there once more.

    >>> import course_lib as torch
    >>> with ordinary_settings():
    ...     _ = torch.set_grad_enabled(False)
    >>> torch.is_grad_enabled()
    True
    """
    torch = sys.modules.get("course_lib")
    if torch is None:  # then no answer uses it
        yield
        return
    before = torch.is_grad_enabled(), torch.get_default_dtype(), torch.get_default_device()
    numbers, warned = torch.get_rng_state(), torch.is_warn_always_enabled()
    _set(torch, True, torch.float32, torch.device("cpu"))
    torch.set_warn_always(True)  # else an answer would be judged by what warned before it
    try:
        yield
    finally:
        _set(torch, *before)
        torch.set_rng_state(numbers)
        torch.set_warn_always(warned)


def _set(torch: Any, recording: bool, dtype: object, device: object) -> None:
    torch.set_grad_enabled(recording)
    torch.set_default_dtype(dtype)
    if torch.get_default_device() != device:
        torch.set_default_device(device)
