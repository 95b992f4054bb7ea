"""What seed functions set: deterministic algorithms, numbers of threads.

Here every operation gives the same numbers each time, and NumPy decides about threads.  So these
functions only remember what they were told.
"""

from __future__ import annotations

from typing import Any

from course_lib.words import errors

__all__ = [
    "are_deterministic_algorithms_enabled",
    "get_deterministic_debug_mode",
    "get_num_interop_threads",
    "get_num_threads",
    "is_deterministic_algorithms_warn_only_enabled",
    "set_deterministic_debug_mode",
    "set_num_interop_threads",
    "set_num_threads",
    "use_deterministic_algorithms",
]

MODES = ("default", "warn", "error")
told = {"mode": 0, "threads": 1, "interop_threads": 1}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for algorithms whose results are the same each time; here all are.

    >>> torch.use_deterministic_algorithms(True)
    >>> torch.are_deterministic_algorithms_enabled()
    True
    >>> torch.use_deterministic_algorithms(False)
    """
    if not isinstance(mode, bool):
        raise TypeError(errors.not_a_switch("_set_deterministic_algorithms", "mode", mode))
    told["mode"] = 0 if not mode else 1 if warn_only else 2


def are_deterministic_algorithms_enabled() -> bool:
    """Whether they have been asked for.

    >>> torch.are_deterministic_algorithms_enabled()
    False
    """
    return told["mode"] > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether they have been asked for with warnings only.

    >>> torch.is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return told["mode"] == 1


def set_deterministic_debug_mode(debug_mode: Any) -> None:
    """The same as a number or a word: 0 "default", 1 "warn", 2 "error".

    >>> torch.set_deterministic_debug_mode("default")
    """
    if isinstance(debug_mode, str):
        if debug_mode not in MODES:
            raise RuntimeError(errors.unknown_debug_word(debug_mode))
        debug_mode = MODES.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(errors.unknown_debug_mode(debug_mode))
    told["mode"] = debug_mode


def get_deterministic_debug_mode() -> int:
    """0, 1 or 2: see `set_deterministic_debug_mode`.

    >>> torch.get_deterministic_debug_mode()
    0
    """
    return told["mode"]


def threads(name: str, count: Any) -> int:
    """A number of threads, checked as PyTorch checks it."""
    if count.__class__ is not int:
        raise RuntimeError(errors.threads_kind(name, count))
    if count < 1:
        raise RuntimeError(f"{name} expects a positive integer")
    return count


def set_num_threads(count: int) -> None:
    """Remember a number of threads.

    >>> torch.set_num_threads(1)
    """
    told["threads"] = threads("set_num_threads", count)


def get_num_threads() -> int:
    """The number of threads last set; 1 at first.

    >>> torch.get_num_threads()
    1
    """
    return told["threads"]


def set_num_interop_threads(count: int) -> None:
    """Remember a number of threads for operations side by side.

    >>> torch.set_num_interop_threads(1)
    """
    told["interop_threads"] = threads("set_num_interop_threads", count)


def get_num_interop_threads() -> int:
    """The number last set; 1 at first.

    >>> torch.get_num_interop_threads()
    1
    """
    return told["interop_threads"]
