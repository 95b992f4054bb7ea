"""Errors for indices, masks and assigned values that do not fit."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence

SCALAR_INDEX = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
    "to convert a 0-dim tensor to a number"
)
SCALAR_SLICE = "slice() cannot be applied to a 0-dim tensor."
SLICE_STEP = "step must be greater than zero"
INDEX_DTYPE = "tensors used as indices must be long, int, byte or bool tensors"
INDEX_OF_EMPTY = "index is out of bounds for dimension with size 0"
BYTE_INDEX = (
    "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."
)
LIST_AS_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in "
    "pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as "
    "tensor index, x[torch.tensor(seq)], which will result either in an error or a different result"
)


def type_name_of(value: Any) -> str:
    """The name of a value's type as C prints it: with its module, unless built in."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


invalid_index = Sentence(
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
    "indices (got {kind})"
)
index_range = Sentence("index {index} is out of bounds for dimension {dim} with size {size}")
too_many_indices = Sentence("too many indices for tensor of dimension {ndim}{tail}")
mask_shape = Sentence(
    "The shape of the mask {mask:list} at index {dim} does not match the shape of the indexed "
    "tensor {shape:list} at index {at}"
)


index_shapes = Sentence(
    "shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
)
index_value_shape = Sentence(
    "shape mismatch: value tensor of shape {shape:list} cannot be broadcast to indexing result "
    "of shape {wanted:list}"
)
index_put_dtypes = Sentence(
    "Index put requires the source and destination dtypes match, got {one:word} for the "
    "destination and {two:word} for the source."
)
expanded_write = Sentence(
    "Use of {name} on expanded tensors is deprecated. Please clone() the tensor before "
    "performing this operation. This also applies to advanced indexing e.g. {example}"
)
sequence_data = Sentence("new(): invalid data type '{value:type}'")

# ---- written values ------------------------------------------------------------------------------


cannot_set_to = Sentence("can't assign a {kind} to a torch.{dtype.legacy}")
number_overflow = Sentence("value cannot be converted to type {dtype:stdint} without overflow")
fill_value_dims = Sentence(
    "fill_ only supports 0-dimension value tensor but got tensor with {value._array.ndim} "
    "dimensions."
)

# ---- masks ---------------------------------------------------------------------------------------

mask_dtype = Sentence("{name} only supports boolean masks, but got mask with dtype {dtype:c}")
masked_fill_value = Sentence(
    "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {ndim} "
    "dimension(s)."
)

# ---- where ---------------------------------------------------------------------------------------

WHERE_BYTE = (
    "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a "
    "future version of PyTorch. Use a boolean condition instead."
)
NONZERO_META = (
    "The register_meta function for torch.nonzero() raises unimplemented by default, as a correct "
    "data-independent implementation does not exist. This implementation returns a fake value, "
    "assuming all elements of the tensor are non-zero. To enable this registration, please set "
    "'torch.fx.experimental._config.meta_nonzero_assume_all_nonzero' to True."
)
where_condition = Sentence(
    "where expected condition to be a boolean tensor, but got a tensor with dtype {condition:word}"
)
