"""Errors of normalization and embeddings."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.elementwise import no_kernel
from course_lib.words.errors.indexing import type_name_of
from course_lib.words.errors.sentence import Sentence, type_string, type_word

INDEX_RANGE = "index out of range in self"
EMBEDDING_WEIGHT = "'weight' must be 2-D"
PADDING_IDX = "Padding_idx must be within num_embeddings"


def check_parameters(input: Any, *parameters: Any) -> None:
    """Raise unless the parameters have the input's dtype; those of short inputs may be float32."""
    wanted = input._dtype
    given = [p for p in parameters if p is not None]
    if all(p._dtype is wanted for p in given):
        return
    if given[0]._dtype is wanted:
        other = next(p._dtype for p in given if p._dtype is not wanted)
        raise RuntimeError(f"expected scalar type {type_word(wanted)} but found {type_word(other)}")
    if any(p._dtype.name != "float32" for p in given):
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if not wanted.reduced:
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def check_shape_argument(name: str, value: Any) -> None:
    """Raise unless this is a sequence of whole numbers."""
    start = f"{name}(): argument 'normalized_shape' (position 2) must be tuple of ints"
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"{start}, not {type(value).__name__}")
    for at, size in enumerate(value):
        if not hasattr(size, "__index__"):
            kind = type(size).__name__
            raise TypeError(f"{start}, but found element of type {kind} at pos {at}")


def check_normalized(input: Any, normalized: Any, weight: Any, bias: Any, gap: str) -> None:
    """Raise unless the input's last dimensions, weight and bias have the normalized shape."""
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
    """Raise unless the arguments of `layer_norm` fit."""
    check_normalized(input, normalized, weight, bias, ", ")
    check_parameters(input, weight, bias)
    if input._dtype.category != 2:
        raise NotImplementedError(no_kernel("LayerNormKernelImpl", input._dtype))


def check_group_norm(input: Any, groups: int, weight: Any, bias: Any) -> None:
    """Raise unless the channels can be split into equal groups."""
    shape = list(input._array.shape)
    if len(shape) < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {len(shape)}"
        )
    count = shape[0] * shape[1] // groups
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
            shown = [0] if weight is None else list(weight._array.shape)  # NB: also for the bias
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, "
                f"but got {name} of shape {shown} and input of shape {shape}"
            )
    check_parameters(input, weight, bias)
    if input._dtype.category != 2:
        raise NotImplementedError(no_kernel("GroupNormKernelImpl", input._dtype))


spatial_elements = Sentence(
    "Expected more than 1 spatial element when training, got input size torch.Size({shape:list})"
)


def check_vector_weight(input: Any, bias_dims: int) -> None:
    """Raise where PyTorch would add a bias to a product with a matrix, but it is a vector."""
    rows = input.ndim == 2 or (input.ndim == 3 and input.flags.c_contiguous)
    if rows or (input.ndim == 1 and bias_dims):
        raise RuntimeError("mat2 must be a matrix, got 1-D tensor")


def check_running(mean: Any, variance: Any, own: bool) -> None:
    """Raise unless both statistics are there, or, if the input's `own` are used, neither."""
    if (mean is None) != (variance is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    if mean is None and not own:
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )


values_per_channel = Sentence(
    "Expected more than 1 value per channel when training, got input size {shape:size}"
)
channel_parameter = Sentence("{name} should contain {channels} elements not {found}")
embedding_indices = Sentence(
    "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, "
    "Int; but got {kind} instead (while checking arguments for embedding)"
)


def check_embedding(weight: Any, indices: Any, padding_idx: int) -> None:
    """Raise unless every index is a valid row of the weight."""
    import numpy as np

    if not hasattr(indices, "_array"):
        raise TypeError(
            "embedding(): argument 'indices' (position 2) must be Tensor, not "
            f"{type_name_of(indices)}"
        )
    if weight._array.ndim != 2:
        raise RuntimeError(EMBEDDING_WEIGHT)
    if indices._dtype.name not in ("int64", "int32"):
        raise RuntimeError(embedding_indices(type_string(indices._dtype)))
    places = indices._array
    if not hasattr(places, "restride"):
        if np.any((places < 0) | (places >= weight._array.shape[0])):
            raise IndexError(INDEX_RANGE)


def check_batch_norm(
    self: Any, weight: Any, bias: Any, mean: Any, variance: Any, eps: float
) -> None:
    """Raise unless weight, bias and statistics have one number for each channel."""
    count = self._array.shape[1] if self._array.ndim > 1 else 0
    named = {"running_mean": mean, "running_var": variance, "weight": weight, "bias": bias}
    for name, value in named.items():
        if value is not None and value._array.size != count:
            raise RuntimeError(channel_parameter(name, count, value._array.size))
    if self._dtype.category != 2:
        raise NotImplementedError(no_kernel("batch_norm", self._dtype))
