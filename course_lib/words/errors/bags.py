"""Errors of embedding bags and bilinear products."""

from __future__ import annotations

from typing import Any

from course_lib.dtypes import dtypes
from course_lib.words.errors.types import type_string

BAG_MODE = "mode has to be one of sum, mean or max"
BAG_ORDER = (
    "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, "
    "input, ...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`."
)
BAG_OFFSETS = "offsets has to be a 1D Tensor"


def bag_offsets_given(offsets: Any) -> str:
    return (
        "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed "
        f"length sequences. However, found offsets of type {type(offsets)}"
    )


def bag_dims(ndim: int) -> str:
    return f"input has to be 1D or 2D Tensor, but got Tensor of dimension {ndim}"


def bag_shares(found: Any, wanted: Any) -> str:
    return (
        f"embedding_bag: If per_sample_weights (torch.Size({list(found)})) is not None, then it "
        f"must have the same shape as the input (torch.Size({list(wanted)}))"
    )


def bag_shares_mode(mode: str) -> str:
    return (
        "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
        f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
    )


def bag_max(name: str) -> str:
    what = "sparse weights" if name == "sparse" else "scaling the gradient by the frequency"
    return f"max mode does not support {what}"


def bag_table(ndim: int) -> str:
    return f"weight has to be a 2D Tensor, but got Tensor of dimension {ndim}"


def check_bag(indices: Any, offsets: Any, weight: Any, shares: Any, padding_idx: Any) -> None:
    """Raise unless the offsets split the indices into bags and every index is a valid row."""
    import numpy as np

    rows, end = weight._array.shape[0], "(while checking arguments for embedding_bag)"
    common = dtypes.promote(indices._dtype, offsets._dtype)
    if common.name not in ("int64", "int32"):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {type_string(common)} instead {end}"
        )
    if weight._dtype.category != 2:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: "
            f"Half, BFloat16, Float, Double; but got {type_string(weight._dtype)} instead {end}"
        )
    if shares is not None and shares._dtype is not weight._dtype:
        one, other = type_string(weight._dtype), type_string(shares._dtype)
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument "
            f"#1 'per_sample_weights'; but type {one} does not equal {other} {end}"
        )
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, but "
            f"got {padding_idx}"
        )
    starts, places = np.asarray(offsets._array), np.asarray(indices._array)
    if starts.size and starts[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
            f"position 0. However, got {int(starts[0])}\n[ torch.LongTensor{{}} ]"
        )
    if starts.size and starts[-1] > places.size:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {places.size} but got offsets[-1] "
            f"of {starts[-1]}"
        )
    wrong = np.nonzero((places < 0) | (places >= rows))[0]
    if wrong.size:
        raise RuntimeError(
            f"Index {wrong[0]} of input takes value {places[wrong[0]]} which is not in the valid "
            f"range [0, {rows})"
        )
