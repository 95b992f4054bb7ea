"""What in-place writes and `out=` refuse, and how a warning is given."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from course_lib.facts import layout
from course_lib.facts.errors.types import type_word

OVERLAP_SELF = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
OVERLAP_PARTIAL = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location. Please clone() the tensor before performing the operation."
)


def check_overlap(written: Any, read: Any) -> None:
    """Raise if two windows overlap in part: the order of writing would decide the result."""
    if written is read or not isinstance(read, np.ndarray) or not isinstance(written, np.ndarray):
        return
    if (written.base is None and read.base is None) or not np.may_share_memory(written, read):
        return
    if not (layout.is_dense(written) and layout.is_dense(read)):
        return  # PyTorch finds this too hard to tell
    if written.strides == read.strides and written.size == read.size:
        if written.__array_interface__["data"] == read.__array_interface__["data"]:
            return
    if np.shares_memory(written, read):
        raise RuntimeError(OVERLAP_PARTIAL)


def not_a_switch(function: str, name: str, value: Any) -> str:
    word = type(value).__name__
    return f"{function}(): argument '{name}' (position 1) must be bool, not {word}"


def out_as_computed(made: Any, given: Any) -> str:
    return f"Found dtype {type_word(given)} but expected {type_word(made)}"


def out_with_grad(op: Any) -> str:
    name = op.name.removesuffix("_tensor")
    return (
        f"{name}(): functions with out=... arguments don't support automatic differentiation, "
        "but one of the arguments requires grad."
    )


def resized_out(old: tuple, new: tuple) -> str:
    return (
        f"An output with one or more elements was resized since it had shape {list(old)}, which "
        f"does not match the required output shape {list(new)}. This behavior is deprecated, and "
        "in a future PyTorch release outputs will not be resized unless they have zero elements. "
        "You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
        "t.resize_(0)."
    )


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the reader's code, not at one of ours."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("course_lib"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


given: set[str] = set()


def warn_once(text: str) -> None:
    """Warn as `warn` does, but only the first time."""
    if text not in given:
        given.add(text)
        warn(text)
