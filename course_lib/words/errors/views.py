"""Errors of views: sizes, strides and dimensions that do not fit."""

from __future__ import annotations

from typing import Any

ONE_INFERRED = "only one dimension can be inferred"
VIEW_INCOMPATIBLE = (
    "view size is not compatible with input tensor's size and stride (at least one dimension "
    "spans across two contiguous subspaces). Use .reshape(...) instead."
)
PERMUTE_TWICE = "permute(): duplicate dims are not allowed."
FLATTEN_ORDER = "flatten() has invalid args: start_dim cannot come after end_dim"
UNFLATTEN_EMPTY = "unflatten: sizes must be non-empty"
SELECT_SCALAR = "select() cannot be applied to a 0-dim tensor."
NARROW_SCALAR = "narrow() cannot be applied to a 0-dim tensor."
NARROW_LENGTH = "narrow(): length must be non-negative."
NARROW_START = "start must be an 0-dim integral Tensor."
STRIDED_LENGTHS = "mismatch in length of strides and shape"
IMAG_OF_REAL = "imag is not implemented for tensors with non-complex dtypes."
REAL_VIEW_OF_REAL = "view_as_real is only supported for complex tensors"
COMPLEX_SCALAR = "Input tensor must have one or more dimensions"
COMPLEX_LAST = "Tensor must have a last dimension of size 2"
COMPLEX_STRIDE = "Tensor must have a last dimension with stride 1"
COMPLEX_STRIDES = "Tensor must have a stride divisible by 2 for all but last dimension"
T_OF_OTHER = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated "
    "and it will throw an error in a future release. Consider `x.mT` to transpose batches of "
    "matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a "
    "tensor."
)


def no_dimensions(dim: int) -> str:
    return f"Dimension specified as {dim} but tensor has no dimensions"


def dim_twice(dim: int) -> str:
    return f"dim {dim} appears multiple times in the list of dims"


def negative_size(size: int, at: int, shape: Any) -> str:
    return f"invalid shape dimension {size} at index {at} of shape {list(shape)}"


def shape_mismatch(shape: Any, numel: int) -> str:
    return f"shape '{list(shape)}' is invalid for input of size {numel}"


def ambiguous_shape(shape: Any) -> str:
    return (
        f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified "
        "dimension size -1 can be any value and is ambiguous"
    )


def t_dimensions(name: str, ndim: int) -> str:
    return f"{name}() expects a tensor with <= 2 dimensions, but self is {ndim}D"


def scalar_transpose(name: str) -> str:
    advice = " Consider using x.conj()." if "H" in name else ""
    end = advice or " This function is the identity in these cases."
    return f"Tensor.{name} is deprecated on 0-D tensors.{end}"


def not_matrices(name: str, ndim: int) -> str:
    if name == "H":
        batches = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
        return (
            f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.{batches}"
        )
    return (
        f"tensor.{name} is only supported on matrices or batches of matrices. Got {ndim}-D tensor."
    )


def permute_count(ndim: int, dims: int) -> str:
    return (
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length "
        f"of the desired ordering of dimensions i.e. input.dim() = {ndim} is not equal to "
        f"len(dims) = {dims}"
    )


def movedim_counts(source: Any, destination: Any) -> str:
    return (
        f"movedim: Invalid source or destination dims: source ({list(source)} dims) should "
        f"contain the same number of dims as destination ({list(destination)} dims)"
    )


def movedim_twice(which: str, dims: Any) -> str:
    return f"movedim: repeated dim in `{which}` ({list(dims)})"


def expand_rank(kind: str, shape: Any, size: Any) -> str:
    sizes = [int(one) for one in size]
    return (
        f"expand({kind}{{{list(shape)}}}, size={sizes}): the number of sizes "
        f"provided ({len(size)}) must be greater or equal to the number of dimensions in the "
        f"tensor ({len(shape)})"
    )


def expand_leading(wanted: int, dim: int) -> str:
    return (
        f"The expanded size of the tensor ({wanted}) isn't allowed in a leading, non-existing "
        f"dimension {dim}"
    )


def select_range(index: int, shape: Any, dim: int) -> str:
    return (
        f"select(): index {index} out of range for tensor of size {list(shape)} at dimension {dim}"
    )


def start_range(start: int, size: int) -> str:
    return f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"


def narrow_range(start: int, length: int, size: int) -> str:
    return f"start ({start}) + length ({length}) exceeds dimension size ({size})."


def diagonal_dims(dim1: int, dim2: int) -> str:
    return f"diagonal dimensions cannot be identical {dim1}, {dim2}"


def unfold_size(size: int, length: int, dim: int) -> str:
    if size < 0:
        return f"size is {size} but must be >= 0"
    return f"maximum size for tensor at dimension {dim} is {length} but size is {size}"


def unfold_step(step: int) -> str:
    return f"step is {step} but must be > 0"


def negative_stride(strides: Any) -> str:
    return (
        "as_strided: Negative strides are not supported at the moment, got strides: "
        f"{list(strides)}"
    )


def strided_sizes(sizes: Any, strides: Any) -> str:
    return (
        f"Storage size calculation overflowed with sizes={list(sizes)} and strides={list(strides)}"
    )


def strided_offset(offset: int) -> str:
    return f"Tensor: invalid storage offset {offset}"


def strided_bounds(
    sizes: Any, strides: Any, offset: int, itemsize: int, needed: int, there: int
) -> str:
    return (
        f"setStorage: sizes {list(sizes)}, strides {list(strides)}, storage offset {offset}, and "
        f"itemsize {itemsize} requiring a storage size of {needed} are out of bounds for storage "
        f"of size {there}"
    )


def unflatten_sizes(sizes: Any, dim: int, size: int) -> str:
    return (
        f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
        f"({size}) in the input tensor"
    )


def unflatten_unexpected(text: str) -> str:
    return f"unflatten got an unexpected error:\n{text}"


# ---- splitting -----------------------------------------------------------------------------------


def split_scalar(name: str) -> str:
    return f"{name} expects at least a 1-dimensional tensor"


def split_negative(size: int) -> str:
    return f"split expects split_size be non-negative, but got split_size={size}"


def split_zero(size: int) -> str:
    return f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}"


def split_sum(size: int, dim: int, sizes: Any) -> str:
    return (
        f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at "
        f"dimension {dim}), but got split_sizes={list(sizes)}"
    )


def split_sizes_negative(sizes: Any) -> str:
    return (
        "split_with_sizes expects split_sizes have only non-negative entries, but got "
        f"split_sizes={list(sizes)}"
    )


def chunk_count(chunks: int) -> str:
    return f"chunk expects `chunks` to be greater than 0, got: {chunks}"


# ---- other dtypes over the same memory -----------------------------------------------------------


def complex_dtype(name: str) -> str:
    return (
        "view_as_complex is only supported for half, float and double tensors, but got a tensor "
        f"of scalar type: {name}"
    )


def storage_range(index: int, size: int) -> str:
    return f"index {index} out of range for storage of size {size}"


def storage_index(index: Any) -> str:
    return f"can't index a torch.UntypedStorage with {type(index).__name__}"


SIZE_OVERFLOW = "numel: integer multiplication overflow"


def view_dtype(what: str, old: str, new: str, ratio: int, got: int) -> str:
    """The error if a property (`what`) forbids a view of the memory as a dtype of another size."""
    tail = f" to view {old} as {new} (different element sizes)"
    if what == "dim":
        return f"self.dim() cannot be 0{tail}"
    if what == "stride(-1)":
        return f"self.stride(-1) must be 1{tail}, but got {got}"
    return f"self.{what} must be divisible by {ratio}{tail}, but got {got}"
