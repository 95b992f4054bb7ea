"""Errors for indices, masks and assigned values that do not fit."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence, type_word


def of_numpy(numpy_dtype: Any) -> Any:
    """The tensor dtype of an array (imported late: the dtypes themselves need messages)."""
    from course_lib.dtypes import dtypes

    return dtypes.of_numpy(numpy_dtype)


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

SCALAR_NAMES = {
    "bool": "bool",
    "uint8": "uint8_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int",
    "int64": "int64_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def type_name_of(value: Any) -> str:
    """The name of a value's type as C prints it: with its module, unless built in."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def invalid_index(value: Any) -> str:
    return (
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
        f"indices (got {type_name_of(value)})"
    )


index_range = Sentence("index {index} is out of bounds for dimension {dim} with size {size}")


def too_many_indices(ndim: int, given: int | None = None) -> str:
    tail = "" if given is None else f" (got {given})"
    return f"too many indices for tensor of dimension {ndim}{tail}"


mask_shape = Sentence(
    "The shape of the mask {mask:list} at index {dim} does not match the shape of the indexed "
    "tensor {shape:list} at index {at}"
)


def index_shapes(shapes: list[tuple]) -> str:
    shown = ", ".join(str(list(s)) for s in shapes)
    return f"shape mismatch: indexing tensors could not be broadcast together with shapes {shown}"


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
not_a_tensor_element = Sentence(
    "expected Tensor as element {number} in argument {position}, but got {value:type}"
)
tuple_of_tensors = Sentence(
    "{name}(): argument '{argument}' (position {position}) must be tuple of Tensors, not "
    "{value:type}"
)

# ---- written values ------------------------------------------------------------------------------


def cannot_set_to(value: Any, dtype: Any) -> str:
    return f"can't assign a {type_name_of(value)} to a torch.{dtype.legacy}"


def number_overflow(dtype: Any) -> str:
    return f"value cannot be converted to type {SCALAR_NAMES[dtype.name]} without overflow"


fill_value_dims = Sentence(
    "fill_ only supports 0-dimension value tensor but got tensor with {ndim} dimensions."
)


def copy_argument(value: Any) -> str:
    return f"copy_(): argument 'other' (position 1) must be Tensor, not {type_name_of(value)}"


def values_must_be_tensor(name: str, value: Any) -> str:
    return f"{name}(): argument 'values' (position 2) must be Tensor, not {type_name_of(value)}"


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


def where_condition(dtype: Any) -> str:
    return (
        "where expected condition to be a boolean tensor, but got a tensor with dtype "
        + type_word(dtype)
    )


def where_condition_argument(value: Any) -> str:
    return f"where(): argument 'condition' (position 1) must be Tensor, not {type_name_of(value)}"
