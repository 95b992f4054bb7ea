"""Anomaly mode: an error in backward shows the forward call that made the failing node."""

from __future__ import annotations

from typing import Any

from course_lib.modes import modes, switched
from course_lib.words import errors


class set_detect_anomaly:
    """Switch anomaly mode on or off at once; as a context manager, until the end of the block.

    In anomaly mode, before an error in backward, a warning shows the forward call that made the
    failing node.  A gradient with a NaN is an error too, unless `check_nan` is False.

    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True):
        for at, (name, on) in enumerate((("enabled", mode), ("check_nan", check_nan)), 1):
            if not isinstance(on, bool):
                raise TypeError(errors.other_argument("set_anomaly_enabled", name, at, "bool", on))
        self.inside = switched(anomaly=mode, check_nan=check_nan)
        self.inside.__enter__()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        self.inside.__exit__(*error)


class detect_anomaly(set_detect_anomaly):
    """`set_detect_anomaly(True)` for a ``with`` block, with PyTorch's warning that it is slow."""

    def __init__(self, check_nan: bool = True):
        errors.warn(errors.ANOMALY_SLOW)
        self.inside = switched(anomaly=True, check_nan=check_nan)

    def __enter__(self) -> None:
        self.inside.__enter__()


def is_anomaly_enabled() -> bool:
    """Whether nodes keep the stack of their forward call.

    >>> torch.is_anomaly_enabled()
    False
    """
    return modes.anomaly
