"""What normalization and lookups refuse."""

from __future__ import annotations

from typing import Any

from course_lib.facts.errors.elementwise import no_kernel
from course_lib.facts.errors.losses import torch_size

INDEX_RANGE = "index out of range in self"
EMBEDDING_WEIGHT = "'weight' must be 2-D"
PADDING_IDX = "Padding_idx must be within num_embeddings"


def check_normalized(input: Any, normalized: Any, weight: Any, bias: Any, gap: str) -> None:
    """Raise unless the last dimensions are those that were announced."""
    found, expected = list(input._array.shape), list(normalized)
    if not expected:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
            f"element, but got normalized_shape = {expected}"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and list(value._array.shape) != expected:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(value._array.shape)} and normalized_shape = {expected}"
            )
    if found[len(found) - len(expected) :] != expected or len(found) < len(expected):
        wanted = ", ".join(map(str, expected))
        raise RuntimeError(
            f"Given normalized_shape={expected}, expected input with shape [*{gap}{wanted}], but "
            f"got input of size{found}"
        )


def check_layer_norm(input: Any, normalized: Any, weight: Any, bias: Any) -> None:
    """Raise unless `layer_norm` can be."""
    check_normalized(input, normalized, weight, bias, ", ")
    if input._dtype.category != 2:
        raise NotImplementedError(no_kernel("LayerNormKernelImpl", input._dtype))


def check_rms_norm(input: Any, normalized: Any, weight: Any) -> None:
    """Raise unless `rms_norm` can be."""
    check_normalized(input, normalized, weight, None, "")


def check_group_norm(input: Any, groups: int, weight: Any, bias: Any) -> None:
    """Raise unless the channels make equal groups."""
    shape = list(input._array.shape)
    if len(shape) < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {len(shape)}"
        )
    count = shape[0] * shape[1] // max(groups, 1)
    for n in shape[2:]:
        count *= n
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size "
            f"{[shape[0] * shape[1] // groups, groups, *shape[2:]]}"
        )
    if groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    if shape[1] % groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {shape} and num_groups={groups}"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and list(value._array.shape) != [shape[1]]:
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, "
                f"but got {name} of shape {list(value._array.shape)} and input of shape {shape}"
            )


def spatial_elements(shape: Any) -> str:
    return (
        "Expected more than 1 spatial element when training, got input size "
        f"torch.Size({list(shape)})"
    )


def values_per_channel(shape: Any) -> str:
    return (
        f"Expected more than 1 value per channel when training, got input size {torch_size(shape)}"
    )


def channel_parameter(name: str, channels: int, found: Any) -> str:
    return f"{name} should contain {channels} elements not {found}"


def embedding_indices(kind: str) -> str:
    return (
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
        f"Long, Int; but got {kind} instead (while checking arguments for embedding)"
    )


def check_embedding(weight: Any, indices: Any, padding_idx: int, scale_grad_by_freq: bool) -> None:
    """Raise unless the indices are those of rows."""
    import numpy as np

    if not hasattr(indices, "_array"):
        raise TypeError(
            "embedding(): argument 'indices' (position 2) must be Tensor, not "
            f"{type(indices).__name__}"
        )
    if weight._array.ndim != 2:
        raise RuntimeError(EMBEDDING_WEIGHT)
    if indices._dtype.name not in ("int64", "int32"):
        raise RuntimeError(embedding_indices("torch." + indices._dtype.legacy))
    places = indices._array
    if not hasattr(places, "restride"):
        if np.any((places < 0) | (places >= weight._array.shape[0])):
            raise IndexError(INDEX_RANGE)


def check_batch_norm(
    self: Any, weight: Any, bias: Any, mean: Any, variance: Any, eps: float
) -> None:
    """Raise unless there is one parameter for each channel."""
    count = self._array.shape[1]
    named = {"running_mean": mean, "running_var": variance, "weight": weight, "bias": bias}
    for name, value in named.items():
        if value is not None and value._array.size != count:
            raise RuntimeError(channel_parameter(name, count, value._array.size))
