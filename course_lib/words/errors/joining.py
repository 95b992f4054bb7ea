"""Errors of joining, repeating and rearranging."""

from __future__ import annotations

from typing import Any

EMPTY_CAT = "torch.cat(): expected a non-empty list of Tensors"
REPEAT_RANK = (
    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
)
NEGATIVE_REPEATS = "Repeats must be non-negative"
NEGATIVE_REPEAT = "repeats can not be negative"
REPEATS_RANK = "repeats must be 0-dim or 1-dim tensor"
MESHGRID_DTYPE = "meshgrid expects all tensors to have the same dtype"
MESHGRID_EMPTY = "meshgrid expects a non-empty TensorList"
MESHGRID_INDEXING = (
    "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument."
)
ROLL = "`shifts` required"


def empty_list(name: str) -> str:
    return f"{name} expects a non-empty TensorList"


def tensors_argument(name: str, value: Any) -> str:
    return (
        f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, "
        f"not {type(value).__name__}"
    )


def element_type(at: int, value: Any) -> str:
    return f"expected Tensor as element {at} in argument 0, but got {type(value).__name__}"


def cat_scalar(at: int) -> str:
    return f"zero-dimensional tensor (at position {at}) cannot be concatenated"


def cat_dims(one: int, other: int) -> str:
    return f"Tensors must have same number of dimensions: got {one} and {other}"


def cat_sizes(dim: int, expected: int, size: int, at: int) -> str:
    return (
        f"Sizes of tensors must match except in dimension {dim}. Expected size {expected} but got "
        f"size {size} for tensor number {at} in the list."
    )


def stack_sizes(first: Any, other: Any, at: int) -> str:
    return (
        f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and "
        f"{list(other)} at entry {at}"
    )


def repeats_size(repeats: int, size: int, dim: int) -> str:
    return (
        "repeats must have the same size as input along dim, but got repeats.size(0) = "
        f"{repeats} and input.size({dim}) = {size}"
    )


def roll_align(shifts: int, dims: int) -> str:
    return f"shifts and dimensions must align. shifts: {shifts}, dims:{dims}"


def triangle_rank(name: str) -> str:
    return f"{name}: input tensor must have at least 2 dimensions"


def meshgrid_rank(ndim: int) -> str:
    return f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {ndim}"


def meshgrid_unknown(indexing: Any) -> str:
    return 'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + str(indexing)


REPEATS_ONE_DIM = "repeat_interleave only accept 1D vector as repeat"
