"""Errors of in-place writes and `out=`, and the function that warns."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from course_lib.memory import layout
from course_lib.words.errors.sentence import Sentence

OVERLAP_SELF = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
OVERLAP_PARTIAL = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location. Please clone() the tensor before performing the operation."
)


def check_overlap(written: Any, read: Any, apart: bool = False) -> None:
    """Raise if two arrays overlap in part, or at all if they have to lie `apart`."""
    if written is read and apart and isinstance(read, np.ndarray) and read.size:
        raise RuntimeError(OVERLAP_PARTIAL)
    if written is read or not isinstance(read, np.ndarray) or not isinstance(written, np.ndarray):
        return
    if (written.base is None and read.base is None) or not np.may_share_memory(written, read):
        return
    if not (layout.is_dense(written) and layout.is_dense(read)):
        return  # PyTorch does not check this case
    if written.strides == read.strides and written.size == read.size:
        if written.__array_interface__["data"] == read.__array_interface__["data"] and not apart:
            return
    if np.shares_memory(written, read):
        raise RuntimeError(OVERLAP_PARTIAL)


threads_kind = Sentence("{name} expects an int, but got {count:type}")


def not_a_switch(function: str, name: str, value: Any, position: int = 1) -> str:
    word = type(value).__name__
    return f"{function}(): argument '{name}' (position {position}) must be bool, not {word}"


def out_with_grad(name: str) -> str:
    name = name.removesuffix("_tensor")
    return (
        f"{name}(): functions with out=... arguments don't support automatic differentiation, "
        "but one of the arguments requires grad."
    )


resized_out = Sentence(
    "An output with one or more elements was resized since it had shape {old:list}, which does "
    "not match the required output shape {new:list}. This behavior is deprecated, and in a "
    "future PyTorch release outputs will not be resized unless they have zero elements. You can "
    "explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
    "t.resize_(0)."
)


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the user's code, not of the library's."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("course_lib"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


given: set[str] = set()
always = False  # what `set_warn_always` was told


def warn_once(text: str, key: str = "") -> None:
    """Warn as `warn` does, but once in a process, as PyTorch does where the warning is C++'s.

    A `key` counts texts that differ as one.
    """
    key = key or text
    if always:
        warn(text)
    elif key not in given:
        given.add(key)
        warn(text)


def set_warn_always(b: bool, /) -> None:
    """Show the warnings that come once in a process every time.

    >>> before = torch.is_warn_always_enabled()
    >>> torch.set_warn_always(True)
    >>> torch.is_warn_always_enabled()
    True
    >>> torch.set_warn_always(before)
    """
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    global always
    always = b


def is_warn_always_enabled() -> bool:
    """Whether `set_warn_always` was told to.

    >>> torch.is_warn_always_enabled() in (True, False)
    True
    """
    return always
