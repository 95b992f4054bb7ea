"""`torch.cuda` on a machine without a GPU: what it answers, and what it refuses.

The usual line works everywhere:

>>> torch.device("cuda" if torch.cuda.is_available() else "cpu")
device(type='cpu')
"""

from __future__ import annotations

from typing import Any

from course_lib.declare.public import completed as _completed
from course_lib.memory.devices import device as Device
from course_lib.words import errors

__all__ = [
    "current_device",
    "device",
    "empty_cache",
    "get_device_name",
    "init",
    "is_available",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "synchronize",
]


__path__: list[str] = []  # no files below, but an answer to `import course_lib.cuda.amp`


def is_available() -> bool:
    """Whether tensors can be on a GPU: False in this library."""
    return False


def missing(*_: Any, **__: Any) -> Any:
    """Raises AssertionError: there is no GPU to ask."""
    raise AssertionError(errors.NO_CUDA)


def nothing(*_: Any, **__: Any) -> None:
    """Does nothing: there is no GPU to do it."""


init = current_device = synchronize = get_device_name = get_device_capability = missing
get_device_properties = mem_get_info = current_stream = default_stream = initial_seed = missing
get_rng_state = set_rng_state = missing
empty_cache = manual_seed = manual_seed_all = seed = seed_all = nothing


class device:
    """A block in which a GPU is the current one; without GPUs it changes nothing."""

    def __init__(self, device: Any):
        self.idx = device if isinstance(device, int) else Device(device).index
        self.prev_idx = -1

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: Any) -> None:
        return None


__getattr__, __dir__ = _completed(globals(), "cuda")
