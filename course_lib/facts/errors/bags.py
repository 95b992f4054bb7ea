"""What bags of embeddings, and bilinear products, refuse."""

from __future__ import annotations

from typing import Any

BAG_MODE = "mode has to be one of sum, mean or max"
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


def check_bag(indices: Any, offsets: Any, rows: int) -> None:
    """Raise unless the offsets cut the indices into bags, and the indices are those of rows."""
    import numpy as np

    for tensor in (indices, offsets):
        if tensor._dtype.name not in ("int64", "int32"):
            raise RuntimeError(
                "Expected tensor for argument #1 'indices' to have one of the following scalar "
                f"types: Long, Int; but got torch.{tensor._dtype.legacy} instead (while checking "
                "arguments for embedding_bag)"
            )
    starts, places = np.asarray(offsets._array), np.asarray(indices._array)
    if starts.size and starts[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
            f"position 0. However, got {starts[0]}\n[ torch.LongTensor{{}} ]"
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


def check_bilinear(input1: Any, input2: Any, weight: Any, bias: Any) -> None:
    """Raise unless the two inputs fit the weight."""
    one, two, shape = (t._array.shape for t in (input1, input2, weight))
    if len(one) != len(two):
        raise RuntimeError(
            f"bilinear(): input dimensions do not match: got {len(one)} and {len(two)}"
        )
    for dim, (a, b) in enumerate(zip(one[:-1], two[:-1], strict=True)):
        if a != b:
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {dim}: got {a} and {b}"
            )
    for name, size, wanted in (("input1", one[-1], shape[1]), ("input2", two[-1], shape[2])):
        if size != wanted:
            raise RuntimeError(
                f"bilinear(): {name} size does not match weight size: got {size} but expected "
                f"{wanted}"
            )
    if bias is not None and bias._array.shape[0] != shape[0]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias._array.shape[0]} but "
            f"expected {shape[0]}"
        )
