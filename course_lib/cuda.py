"""`torch.cuda` on a machine without a GPU: what it answers, and what it refuses.

>>> torch.device("cuda" if torch.cuda.is_available() else "cpu")
device(type='cpu')
"""

from course_lib.accelerator import device_count, is_available
from course_lib.calls.missing import complete_module as _completed
from course_lib.words import errors

__all__ = ["device_count", "empty_cache", "is_available", "manual_seed", "manual_seed_all"]

__path__: list[str] = []  # no files below, but an answer to `import course_lib.cuda.amp`


def missing(*_: object, **__: object) -> None:
    """Raises AssertionError: there is no GPU to ask."""
    raise AssertionError(errors.not_compiled_with("CUDA"))


def nothing(*_: object, **__: object) -> None:
    """Does nothing: there is no GPU to do it."""


current_device = synchronize = get_device_name = missing
empty_cache = manual_seed = manual_seed_all = nothing

__getattr__, __dir__ = _completed(globals(), "cuda")
