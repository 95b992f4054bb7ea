"""`torch.accelerator` on a machine without one: what it answers, and what it refuses.

>>> torch.accelerator.is_available(), torch.accelerator.device_count()
(False, 0)
"""

from __future__ import annotations

from typing import Any

from course_lib.declare.public import completed as _completed
from course_lib.words import errors

__all__ = [
    "device_index",
    "is_available",
]


def is_available() -> bool:
    """Whether there is a GPU or the like: False in this library."""
    return False


def missing(*_: Any, **__: Any) -> Any:
    """Raises RuntimeError: there is no accelerator to ask."""
    raise RuntimeError(errors.NO_ACCELERATOR)


class device_index:
    """A block in which one accelerator is the current one; None changes nothing."""

    def __init__(self, device: int | None, /):
        self.idx = device

    def __enter__(self) -> None:
        if self.idx is not None:
            missing()

    def __exit__(self, *_: Any) -> None:
        return None


__getattr__, __dir__ = _completed(globals(), "accelerator")
