"""`torch.accelerator` on a machine without one."""

from course_lib.calls.missing import complete_module as _completed

__all__ = ["current_accelerator", "device_count", "is_available"]


def is_available() -> bool:
    """Whether there is a GPU or the like: False in this library."""
    return False


def device_count() -> int:
    """How many there are: 0."""
    return 0


def current_accelerator(check_available: bool = False) -> None:
    """The device that tensors should be moved to: None, there is none."""


__getattr__, __dir__ = _completed(globals(), "accelerator")
