"""`torch.backends`: what programs set for a GPU, and ask about one; there is none here.

>>> torch.backends.cudnn.deterministic = True
>>> torch.backends.mps.is_available()
False
"""

from types import SimpleNamespace

from course_lib.accelerator import is_available
from course_lib.calls.missing import complete_module as _completed

__all__ = ["cudnn", "mps"]

cudnn = SimpleNamespace(is_available=is_available, deterministic=False, benchmark=False)
mps = SimpleNamespace(is_available=is_available, is_built=is_available)

__getattr__, __dir__ = _completed(globals(), "backends")
