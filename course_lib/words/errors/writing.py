"""Errors of in-place writes and `out=`, and the function that warns."""

from __future__ import annotations

import sys
import warnings

from course_lib.words.errors.sentence import Sentence

OVERLAP_SELF = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
OVERLAP_PARTIAL = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
    "a single memory location. Please clone() the tensor before performing the operation."
)


warn_always_kind = Sentence("setWarnOnlyOnce expects a bool, but got {b:type}")
threads_kind = Sentence("{name} expects an int, but got {count:type}")


other_argument = Sentence(
    "{function}(): argument '{name}' (position {position}) must be {wanted}, not {value:kind}"
)


out_with_grad = Sentence(
    "{name}(): functions with out=... arguments don't support automatic differentiation, but one "
    "of the arguments requires grad."
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
