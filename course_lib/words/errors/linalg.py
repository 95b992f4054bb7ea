"""Errors of matrices: products, sums by letters, norms, distances, inverses, decompositions."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

not_for_bool = Sentence("\"{kernel}\" not implemented for 'Bool'")

# ---- products ------------------------------------------------------------------------------------

no_matrix = Sentence("{name} must be a matrix")
two_dtypes = Sentence("expected m1 and m2 to have the same dtype, but got: {self:c} != {mat2:c}")
inner_sizes = Sentence(
    "mat1 and mat2 shapes cannot be multiplied ({mat1.shape[0]}x{mat1.shape[1]} and "
    "{mat2.shape[0]}x{mat2.shape[1]})"
)

MV_SCALAR = "Dimension specified as 0 but tensor has no dimensions"

mv_ranks = Sentence("vector + matrix @ vector expected, got 1, {self.ndim}, {vec.ndim}")
mv_sizes = Sentence(
    "size mismatch, got input ({self.shape[0]}), mat ({self.shape[0]}x{self.shape[1]}), vec "
    "({vec.shape[0]})"
)
mv_dtypes = Sentence(
    "addmv input tensors must have the same dtype, but got {vec:word}, {self:word}, and {vec:word}"
)
dot_ranks = Sentence("1D tensors expected, but got {self.ndim}D and {tensor.ndim}D tensors")
dot_dtypes = Sentence(
    "dot : expected both vectors to have same dtype, but found {self:word} and {tensor:word}"
)
dot_sizes = Sentence(
    "inconsistent tensor size, expected tensor [{self.shape[0]}] and src [{tensor.shape[0]}] to "
    "have the same number of elements, but got {self.shape[0]} and {tensor.shape[0]} elements "
    "respectively"
)
no_batch = Sentence("{name} must be a 3D tensor")
bmm_sizes = Sentence(
    "Expected size for first two dimensions of batch2 tensor to be: {wanted:list} but got: "
    "{got:list}."
)
expected_scalar_type = Sentence("expected scalar type {one:word} but found {two:word}")
matmul_scalar = Sentence(
    "both arguments to matmul need to be at least 1D, but they are {one}D and {two}D"
)
linear_scalar = Sentence(
    "both arguments to linear need to be at least 1D, but they are {one}D and {two}D"
)

# ---- a product added to something ----------------------------------------------------------------

addmm_rank = Sentence("{name} must be a matrix, got {matrix.ndim}-D tensor")
addmm_dtypes = Sentence(
    "{name} and mat2 must have the same dtype, but got {one:word} and {mat2:word}"
)
baddbmm_dtypes = Sentence(
    "Input dtypes must be the same, got: input {self:c}, batch1: {batch1:c}, batch2: {batch2:c}"
)
complex_factor = Sentence("value cannot be converted to type {self:c} without overflow")

# ---- einsum --------------------------------------------------------------------------------------

EINSUM_ARGUMENTS = (
    "einsum(): must specify the equation string and at least one operand, or at least one operand "
    "and its subscripts list"
)
EINSUM_FEWER = "einsum(): fewer operands were provided than specified in the equation"
EINSUM_MORE = "einsum(): more operands were provided than specified in the equation"
EINSUM_OUTPUT_ELLIPSIS = "einsum(): found '.' for output but an ellipsis (...) was already found"

einsum_equation = Sentence(
    "einsum(): argument 'equation' (position 1) must be str, not {value:type}"
)
einsum_operand = Sentence("expected Tensor as element {at} in argument 1, but got {value:type}")
einsum_second_ellipsis = Sentence(
    "einsum(): found '.' for operand {at} for which an ellipsis was already found"
)
einsum_dot = Sentence("einsum(): found '.' for {where} that is not part of any ellipsis{tail}")
einsum_letter = Sentence(
    "einsum(): invalid subscript given at index {at} in the equation string, subscripts must be "
    "in [a-zA-Z]"
)
einsum_too_many = Sentence(
    "einsum(): the number of subscripts in the equation ({named}) is more than the number of "
    "dimensions ({ndim}) for operand {at}"
)
einsum_subscripts = Sentence(
    "einsum(): the number of subscripts in the equation ({named}) does not match the number of "
    "dimensions ({ndim}) for operand {at} and no ellipsis was given"
)
einsum_output_twice = Sentence(
    "einsum(): output subscript {letter} appears more than once in the output"
)
einsum_output = Sentence(
    "einsum(): output subscript {letter} does not appear in the equation for any input operand"
)
einsum_ellipsis_sizes = Sentence(
    "einsum(): dimension {dim} covered by ellipsis in operand {at}has size {n} which does not "
    "broadcast with previously seen ellipsis with size {seen} for the respective dimension"
)
einsum_sizes = Sentence(
    "einsum(): subscript {letter} has size {n} for operand {at} which does not broadcast with "
    "previously seen size {seen}"
)
einsum_repeated = Sentence(
    "einsum(): subscript {letter} is repeated for operand {at} but the sizes don't match, {n} != "
    "{m}"
)

# ---- norms ---------------------------------------------------------------------------------------

NORM_TEXT_ORDER = "linalg_vector_norm(): argument 'ord' must be Number, not str"
NORM_COMPLEX_ORDER = "linalg.vector_norm: Expected a non-complex scalar as the order of norm."

float_needed = Sentence(
    "{op}: Expected a floating point or complex tensor as input. Got {tensor:word}"
)
norm_dtype_type = Sentence(
    "linalg_vector_norm(): argument 'dtype' must be torch.dtype, not {dtype:kind}"
)
norm_dtype_integer = Sentence(
    "{op}: dtype should be floating point or complex, but got {dtype:word}"
)
norm_dtype_kind = Sentence("{op}: dtype should be {kind} for {kind} inputs, but got {dtype:word}")
norm_dtype_narrower = Sentence(
    "{op}: the dtype of the input ({own:word}) should be convertible without narrowing to the "
    "specified dtype ({dtype:word})"
)
norm_of_nothing = Sentence(
    "linalg.vector_norm cannot compute the {ord:g} norm on an empty tensor because the operation "
    "does not have an identity"
)
norm_of_no_vector = Sentence(
    "linalg.vector_norm cannot compute the {ord:g} norm on the dimension {dim}because this "
    "dimension is empty and the operation does not have an identity"
)
norm_dims = Sentence(
    "linalg.norm: If dim is specified, it must be of length 1 or 2. Got {dim:list}"
)
norm_rank = Sentence(
    "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {ndim}D."
)
matrix_norm_pair = Sentence("linalg.matrix_norm: dim must be a 2-tuple. Got {dim}")
matrix_norm_same = Sentence("linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
matrix_norm_order = Sentence("linalg.matrix_norm: Order {ord} not supported.")

# ---- distances -----------------------------------------------------------------------------------

CDIST_POWER = "cdist only supports non-negative p values"

cdist_rank = Sentence("cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
cdist_columns = Sentence("X1 and X2 must have the same number of columns. X1: {m} X2: {n}")
cdist_dtype = Sentence("cdist only supports floating-point dtypes, {name} got: {x:word}")

# ---- inverses and decompositions -----------------------------------------------------------------

SVD_NOT_FINITE = (
    "The algorithm failed to converge because the input matrix contained non-finite values."
)

matrix_rank = Sentence("{op}: The input tensor A must have at least 2 dimensions.")
not_square = Sentence(
    "{op}: A must be batches of square matrices, but they are {m} by {n} matrices"
)
low_precision = Sentence("{op}: Low precision dtypes not supported. Got {tensor:word}")
which_triangle = Sentence("Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
zero_pivot = Sentence(
    "The diagonal element {number} is zero, the inversion could not be completed because the "
    "input matrix is singular."
)

LSTSQ_DIMS = "torch.linalg.lstsq: input must have at least 2 dimensions."
LSTSQ_SCALAR = "torch.linalg.lstsq: other must have at least 1 dimension."
LSTSQ_RANKS = (
    "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - "
    "other.dim()) <= 1"
)
LSTSQ_TYPES = "This function doesn't handle types other than float and double"

lstsq_dtypes = Sentence(
    "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype "
    "{self:word} and other's dtype {b:word}"
)
lstsq_rows = Sentence("torch.linalg.lstsq: input.size(-2) should match other.size({at})")

# ---- cross products ------------------------------------------------------------------------------

CROSS_RANKS = "linalg.cross: inputs must have the same number of dimensions."

cross_dtypes = Sentence("expected scalar type {self:word} but found {other:word}")
cross_length = Sentence(
    "linalg.cross: inputs dimension {dim} must have length 3. Got {one} and {two}"
)
