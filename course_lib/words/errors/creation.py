"""Errors of functions that make tensors."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.arguments import kind_of
from course_lib.words.errors.sentence import Sentence

DEFAULT_COMPLEX = "invalid default scalar type for complex"
LONG_OVERFLOW = "Overflow when unpacking long long"
PIN_MEMORY = (
    "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is "
    "available on this system."
)
NEGATIVE_STEPS = "number of steps must be non-negative"
STEP_ZERO = "step must be nonzero"
STEP_SIGN = "upper bound and lower bound inconsistent with step sign"
TOO_LONG = "invalid size, possible overflow?"
BYTE_ORDER = (
    "given numpy array has byte order different from the native byte order. Conversion between "
    "byte orders is currently not supported."
)
NEGATIVE_STRIDES = (
    "At least one stride in the given numpy array is negative, and tensors with negative strides "
    "are not currently supported. (You can probably work around this by making a copy of your "
    "array  with array.copy().) "
)
ODD_STRIDES = (
    "given numpy array strides not a multiple of the element byte size. Copy the numpy array to "
    "reallocate the memory."
)
NOT_WRITABLE = (
    "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. "
    "This means writing to this tensor will result in undefined behavior. You may want to copy "
    "the array to protect its data or make it writable before converting it to a tensor. This "
    "type of warning will be suppressed for the rest of this program."
)
ARRAYS_IN_LIST = (
    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider "
    "converting the list to a single numpy.ndarray with numpy.array() before converting to a "
    "tensor."
)

copy_construct = Sentence(
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than {function}(sourceTensor)."
)


def could_not_infer(value: Any) -> str:
    return f"Could not infer dtype of {kind_of(value)}"


def invalid_data(value: Any) -> str:
    return f"new(): invalid data type '{kind_of(value)}'"


def not_a_sequence(value: Any) -> str:
    return f"new(): data must be a sequence (got {kind_of(value)})"


def too_many_dimensions(value: Any) -> str:
    return f"too many dimensions '{kind_of(value)}'"


ragged = Sentence("expected sequence of length {expected} at dim {dim} (got {found})")
value_overflow = Sentence("value cannot be converted to type {dtype.name} without overflow")


def expected_array(value: Any) -> str:
    return f"expected np.ndarray (got {kind_of(value)})"


def one_argument(function: str, given: int, kwargs: dict) -> str:
    if kwargs:
        return f"torch._VariableFunctionsClass.{function}() takes no keyword arguments"
    return f"torch._VariableFunctionsClass.{function}() takes exactly one argument ({given} given)"


negative_dimension = Sentence(
    "Trying to create tensor with negative dimension {size}: {shape:list}"
)
negative_size_of = Sentence("{function}: Dimension size must be non-negative.")
negative_count = Sentence("{name} must be greater or equal to 0, got {value}")
too_large = Sentence("Storage size calculation overflowed with sizes={shape:list}")
too_large_strided = Sentence(
    "Storage size calculation overflowed with sizes={shape:list} and strides={strides:list}"
)
strides_rank = Sentence(
    "dimensionality of sizes ({sizes:dims}) must match dimensionality of strides ({strides:dims})"
)
unsupported_range = Sentence("unsupported range: {start:g} -> {end:g}")


def steps_ends(function: str, dims: dict[str, int]) -> str:
    got = " and ".join(f"{which} with {count} dimension(s)" for which, count in dims.items())
    return f"{function} only supports 0-dimensional start and end tensors, but got {got}."


def steps_complex(function: str, inferred: Any, dtype: Any) -> str:
    number = "float" if inferred.itemsize == 8 else "double"
    return (
        f"torch.{function}(): inferred dtype c10::complex<{number}> can't be safely cast to passed "
        f"dtype {dtype.legacy.removesuffix('Tensor')}"
    )


def out_dtype(wanted: Any, out: Any) -> str:
    words = [d.legacy.removesuffix("Tensor") for d in (wanted, out)]
    return f"dtype {words[0]} does not match dtype of out parameter ({words[1]})"


out_device = Sentence("device type {wanted} does not match device type of out parameter ({out})")

ALIAS_SEQUENCE = "can't alias arbitrary sequence into a tensor."

ASARRAY_TRACKED = (
    "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. "
    "Pass requires_grad=False explicitly to get the old behavior and silence this warning."
)


def alias_dtype(have: Any, want: Any) -> str:
    words = [d.legacy.removesuffix("Tensor") for d in (have, want)]
    return f"can't alias tensor with dtype '{words[0]}' into dtype '{words[1]}'."


alias_device = Sentence("can't alias tensor from device '{have}' to '{want}'.")
