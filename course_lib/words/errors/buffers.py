"""Histograms, buffers, and the older names of decompositions."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence


def check_svd(input: Any) -> None:
    """Raise for a vector or a number."""
    if input._array.ndim < 2:
        raise RuntimeError(
            "linalg.svd: input should have at least 2 dimensions, but has "
            f"{input._array.ndim} dimensions instead"
        )


held = Sentence(
    "Expected use_count of {name} to be 1 or 2 with an AccumulateGrad node but got {count} make "
    "sure you are not holding references to the tensor in other places."
)


def opened(buffer: Any) -> memoryview:
    """The memory of an object; raises for one that has none, or none in a row."""
    try:
        memory = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if not memory.c_contiguous:
        raise RuntimeError("could not retrieve buffer from object")
    return memory
