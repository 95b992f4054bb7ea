"""Errors of margin losses, and of losses for distributions."""

from __future__ import annotations

from typing import Any

from course_lib.dtypes import dtypes
from course_lib.words.errors.elementwise import no_kernel
from course_lib.words.errors.types import type_word

MULTI_MARGIN_P = "only p == 1 and p == 2 supported"
VAR_SIZE = "var is of incorrect size"
VAR_NEGATIVE = "var has negative entry/entries"


def check_multi_margin(
    self: Any, target: Any, weight: Any, p: int, margin: float, reduction: str
) -> None:
    """Raise unless there is one valid class for each row of scores, and the weights fit."""
    import numpy as np

    shape, found = list(self._array.shape), list(target._array.shape)
    rows = shape[0] if len(shape) == 2 else 1
    check_rows(shape)
    if len(found) > 1 or target._array.size != rows:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input "
            f"samples (batch size). Expected target size [{rows}], but got {found}. Input has "
            f"shape {shape}."
        )
    if weight is not None and list(weight._array.shape) != (shape or [1])[-1:]:
        raise RuntimeError(
            f"inconsistent weight size, expected {shape[-1]} but got {list(weight._array.shape)}"
        )
    if not self._array.size:
        return  # PyTorch checks no further if there is nothing to compute
    if self._dtype.name not in ("float32", "float64"):
        raise NotImplementedError(no_kernel("multi_margin_loss_cpu_kernel", self._dtype))
    wanted = [(target, dtypes.int64)] + [(weight, self._dtype)] * (weight is not None)
    for tensor, dtype in wanted:
        if tensor._dtype is not dtype:
            one, other = type_word(dtype), type_word(tensor._dtype)
            raise RuntimeError(f"expected scalar type {one} but found {other}")
    places = np.asarray(target._array)
    if np.any((places < 0) | (places >= (shape or [1])[-1])):
        raise RuntimeError("target out of range")


def check_rows(shape: list[int]) -> None:
    """Raise unless this is the shape of scores: a row of them, or rows."""
    if len(shape) > 2 or 0 in shape[-1:]:
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {shape}"
        )


def check_multilabel_margin(self: Any, target: Any, reduction: str) -> None:
    """Raise unless there are as many targets as scores, and all are valid classes (or -1)."""
    import numpy as np

    shape, found = list(self._array.shape), list(target._array.shape)
    check_rows(shape)
    if shape != found and not self._array.size == target._array.size == 1 >= len(found):
        raise RuntimeError(f"inconsistent target size: {found} for input of size: {shape}")
    if self._dtype.name not in ("float32", "float64"):
        kernel = "multilabel_margin_loss_forward_out_frame"
        raise NotImplementedError(no_kernel(kernel, self._dtype))
    if target._dtype is not dtypes.int64:
        raise RuntimeError(f"expected scalar type Long but found {type_word(target._dtype)}")
    places = np.asarray(target._array)
    if places.size and places.min() < -1:
        raise RuntimeError("argument #2 'target' is out of range")
    if places.size and places.max() >= (shape or [1])[-1]:
        raise RuntimeError("argument #2 'target' is out of range")
