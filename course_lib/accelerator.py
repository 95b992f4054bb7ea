"""`torch.accelerator` on a machine without one: what it answers, and what it refuses.

>>> torch.accelerator.is_available(), torch.accelerator.device_count()
(False, 0)
"""

from __future__ import annotations

from typing import Any

from course_lib.declare.public import completed as _completed
from course_lib.words import errors

__all__ = [
    "current_accelerator",
    "current_device_idx",
    "current_device_index",
    "current_stream",
    "device_count",
    "device_index",
    "empty_cache",
    "empty_host_cache",
    "get_device_capability",
    "get_memory_info",
    "is_available",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "reset_accumulated_memory_stats",
    "reset_peak_memory_stats",
    "set_device_idx",
    "set_device_index",
    "set_stream",
    "synchronize",
]


def is_available() -> bool:
    """Whether there is a GPU or the like: False in this library."""
    return False


def device_count() -> int:
    """The number of accelerators."""
    return 0


def current_accelerator(check_available: bool = False) -> None:
    """The kind of accelerator that tensors can be on: None."""


def missing(*_: Any, **__: Any) -> Any:
    """Raises RuntimeError: there is no accelerator to ask."""
    raise RuntimeError(errors.NO_ACCELERATOR)


current_device_index = current_stream = set_device_index = set_stream = synchronize = missing
empty_cache = empty_host_cache = memory_stats = memory_allocated = max_memory_allocated = missing
memory_reserved = max_memory_reserved = reset_peak_memory_stats = get_memory_info = missing
reset_accumulated_memory_stats = get_device_capability = missing


def current_device_idx() -> Any:
    """The older name of `current_device_index`."""
    errors.warn("Use `current_device_index` instead.", FutureWarning)
    return missing()


def set_device_idx(device: Any, /) -> Any:
    """The older name of `set_device_index`."""
    errors.warn("Use `set_device_index` instead.", FutureWarning)
    return missing()


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
