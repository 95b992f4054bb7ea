"""Errors of views: sizes, strides and dimensions that do not fit."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

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

no_dimensions = Sentence("Dimension specified as {dim} but tensor has no dimensions")
dim_twice = Sentence("dim {dim} appears multiple times in the list of dims")
negative_size = Sentence("invalid shape dimension {size} at index {at} of shape {shape:list}")
shape_mismatch = Sentence("shape '{shape:list}' is invalid for input of size {numel}")
ambiguous_shape = Sentence(
    "cannot reshape tensor of 0 elements into shape {shape:list} because the unspecified "
    "dimension size -1 can be any value and is ambiguous"
)
t_dimensions = Sentence("{name}() expects a tensor with <= 2 dimensions, but self is {ndim}D")


scalar_transpose = Sentence(
    "Tensor.{name} is deprecated on 0-D tensors. This function is the identity in these cases."
)
not_matrices = Sentence(
    "tensor.{name} is only supported on matrices or batches of matrices. Got {ndim}-D tensor."
)
permute_count = Sentence(
    "permute(sparse_coo): number of dimensions in the tensor input does not match the length of "
    "the desired ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = "
    "{dims}"
)
movedim_counts = Sentence(
    "movedim: Invalid source or destination dims: source ({source:list} dims) should contain the "
    "same number of dims as destination ({destination:list} dims)"
)
movedim_twice = Sentence("movedim: repeated dim in `{which}` ({dims:list})")


expand_rank = Sentence(
    "expand({kind}{{{shape:list}}}, size={size:list}): the number of sizes provided ({size:dims}) "
    "must be greater or equal to the number of dimensions in the tensor ({shape:dims})"
)
expand_leading = Sentence(
    "The expanded size of the tensor ({wanted}) isn't allowed in a leading, non-existing "
    "dimension {dim}"
)
select_range = Sentence(
    "select(): index {index} out of range for tensor of size {shape:list} at dimension {dim}"
)


start_range = Sentence(
    "start out of range (expected to be in range of [-{size}, {size}], but got {start})"
)
narrow_range = Sentence("start ({start}) + length ({length}) exceeds dimension size ({size}).")
diagonal_dims = Sentence("diagonal dimensions cannot be identical {dim1}, {dim2}")


unfold_negative = Sentence("size is {size} but must be >= 0")
unfold_size = Sentence("maximum size for tensor at dimension {dim} is {length} but size is {size}")
unfold_step = Sentence("step is {step} but must be > 0")
negative_stride = Sentence(
    "as_strided: Negative strides are not supported at the moment, got strides: {strides:list}"
)
strided_sizes = Sentence(
    "Storage size calculation overflowed with sizes={sizes:list} and strides={strides:list}"
)
strided_offset = Sentence("Tensor: invalid storage offset {offset}")
strided_bounds = Sentence(
    "setStorage: sizes {sizes:list}, strides {strides:list}, storage offset {offset}, and "
    "itemsize {itemsize} requiring a storage size of {needed} are out of bounds for storage of "
    "size {there}"
)
unflatten_sizes = Sentence(
    "unflatten: Provided sizes {sizes:list} don't multiply up to the size of dim {dim} ({size}) "
    "in the input tensor"
)
unflatten_unexpected = Sentence("unflatten got an unexpected error:\n{text}")

# ---- splitting -----------------------------------------------------------------------------------

split_scalar = Sentence("{name} expects at least a 1-dimensional tensor")
split_negative = Sentence("split expects split_size be non-negative, but got split_size={size}")
split_zero = Sentence(
    "split_size can only be 0 if dimension size is 0, but got dimension size of {size}"
)
split_sum = Sentence(
    "split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at "
    "dimension {dim}), but got split_sizes={sizes:list}"
)
split_sizes_negative = Sentence(
    "split_with_sizes expects split_sizes have only non-negative entries, but got "
    "split_sizes={sizes:list}"
)
chunk_count = Sentence("chunk expects `chunks` to be greater than 0, got: {chunks}")

# ---- other dtypes over the same memory -----------------------------------------------------------

complex_dtype = Sentence(
    "view_as_complex is only supported for half, float and double tensors, but got a tensor of "
    "scalar type: {dtype:word}"
)
storage_range = Sentence("index {index} out of range for storage of size {size}")
storage_index = Sentence("can't index a torch.UntypedStorage with {index:type}")

SIZE_OVERFLOW = "numel: integer multiplication overflow"

# The property that forbids a view of the memory as a dtype of another size, and why.
view_dtype = Sentence("self.{what} to view {old:word} as {new:word} (different element sizes){got}")
