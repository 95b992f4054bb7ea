"""Anomaly mode: an error in backward shows the forward call that it belongs to."""

from __future__ import annotations

from typing import Any

from course_lib.facts import errors
from course_lib.facts.modes import modes


def _switch(anomaly: bool, check_nan: bool) -> None:
    modes.anomaly, modes.check_nan = anomaly, check_nan
    modes.special = anomaly or bool(modes.packing)


class set_detect_anomaly:
    """Switch anomaly mode at the call; as a context manager, until the end of the block.

    With it, an error in backward is preceded by a warning that shows the forward call it belongs
    to, and a gradient with a NaN (unless `check_nan` is False) is an error.

    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True):
        self.previous = (modes.anomaly, modes.check_nan)
        _switch(bool(mode), check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        _switch(*self.previous)


class detect_anomaly(set_detect_anomaly):
    """`set_detect_anomaly(True)` for a ``with`` block, with PyTorch's warning about its price."""

    def __init__(self, check_nan: bool = True):
        errors.warn(errors.ANOMALY_SLOW)
        self.check_nan = check_nan
        self.previous = (modes.anomaly, modes.check_nan)

    def __enter__(self) -> None:
        self.previous = (modes.anomaly, modes.check_nan)
        _switch(True, self.check_nan)


def is_anomaly_enabled() -> bool:
    """Whether nodes keep the stack of their forward call.

    >>> torch.is_anomaly_enabled()
    False
    """
    return modes.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Whether a NaN in a gradient is an error in anomaly mode."""
    return modes.check_nan
