"""`torch.backends`: which faster back ends there are.  None here, so every question gets a no.

>>> torch.backends.mps.is_available()
False
"""

from __future__ import annotations

from types import SimpleNamespace

__all__ = ["cuda", "cudnn", "mps"]


def absent() -> bool:
    """False: this library computes on the CPU, with NumPy."""
    return False


mps = SimpleNamespace(is_available=absent, is_built=absent)
cuda = SimpleNamespace(is_built=absent)
cudnn = SimpleNamespace(
    is_available=absent, enabled=True, deterministic=False, benchmark=False, version=lambda: None
)
