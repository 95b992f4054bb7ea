"""`torch.backends`: which faster back ends there are.  None here, so every question gets a no.

>>> torch.backends.mps.is_available()
False
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from course_lib.declare.public import completed as _completed

__all__ = [
    "cuda",
]


def absent() -> bool:
    """False: this library computes on the CPU, with NumPy."""
    return False


def back_end(name: str, **facts: Any) -> Any:
    """A module without a file, which `import` finds: ``import course_lib.backends.cudnn``."""
    made = sys.modules[f"{__name__}.{name}"] = ModuleType(f"{__name__}.{name}")
    vars(made).update(facts)
    return made


cuda = back_end("cuda", is_built=absent)

__getattr__, __dir__ = _completed(globals(), "backends")
