"""Errors of norms, inverses and decompositions."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.linalg import expected_scalar_type, two_dtypes
from course_lib.words.errors.sentence import Sentence, type_word


class _LinAlgError(RuntimeError):
    """Raised for a matrix without the wanted inverse or form: `torch.linalg.LinAlgError`."""

    __module__ = "torch._C"


# ---- norms ---------------------------------------------------------------------------------------

MATRIX_NORM_SCALAR = "linalg.vector_norm: Expected a non-complex scalar as the order of norm."


def float_needed(op: str, tensor: Any) -> str:
    word = type_word(tensor._dtype)
    return f"{op}: Expected a floating point or complex tensor as input. Got {word}"


def check_float(op: str, tensor: Any) -> None:
    """Raise PyTorch's error for a tensor of integers."""
    if tensor._dtype.category < 2:
        raise RuntimeError(float_needed(op, tensor))


def check_norm_dtype(op: str, self: Any, dtype: Any) -> None:
    """Raise PyTorch's error if a norm cannot be computed in `dtype`."""
    if dtype is None:
        return
    word = type_word(dtype)
    if dtype.category < 2:
        raise RuntimeError(f"{op}: dtype should be floating point or complex, but got {word}")
    if dtype.is_complex != self._dtype.is_complex:
        kind = "complex" if self._dtype.is_complex else "real"
        raise RuntimeError(f"{op}: dtype should be {kind} for {kind} inputs, but got {word}")
    if dtype.itemsize < self._dtype.itemsize:
        raise RuntimeError(
            f"{op}: the dtype of the input ({type_word(self._dtype)}) should be convertible "
            f"without narrowing to the specified dtype ({word})"
        )


def check_vector_norm(self: Any, ord: Any, dim: Any, keepdim: Any, dtype: Any) -> None:
    """Raise PyTorch's error unless this norm is defined for the vectors along `dim`."""
    from course_lib.memory.dims import wrap_dims  # here, since that file needs messages too

    if isinstance(ord, str):
        raise TypeError("linalg_vector_norm(): argument 'ord' must be Number, not str")
    if isinstance(ord, complex):
        raise RuntimeError(MATRIX_NORM_SCALAR)
    check_float("linalg.vector_norm", self)
    check_norm_dtype("linalg.vector_norm", self, dtype)
    shape = self._array.shape
    dims = () if dim is None else wrap_dims(dim, len(shape))
    if ord < 0 or ord == float("inf"):
        text = "inf" if ord == float("inf") else f"{ord:g}"
        tail = "because the operation does not have an identity"
        if not dims and 0 in shape:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {text} norm on an empty tensor {tail}"
            )
        for d in dims:
            if shape and shape[d] == 0:
                raise RuntimeError(
                    f"linalg.vector_norm cannot compute the {text} norm on the dimension {d}"
                    "because this dimension is empty and the operation does not have an identity"
                )


norm_dims = Sentence(
    "linalg.norm: If dim is specified, it must be of length 1 or 2. Got {dim:list}"
)
norm_rank = Sentence(
    "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {ndim}D."
)


def matrix_norm_pair(dim: Any) -> str:
    return f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}"


matrix_norm_same = Sentence("linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")


def matrix_norm_order(ord: Any) -> str:
    text = ord if isinstance(ord, str) else f"{ord:g}"
    return f"linalg.matrix_norm: Order {text} not supported."


# ---- distances -----------------------------------------------------------------------------------


def check_cdist(x1: Any, x2: Any, p: Any) -> None:
    """Raise PyTorch's error unless the rows of both have distances."""
    for name, x in (("X1", x1), ("X2", x2)):
        if x._array.ndim < 2:
            raise RuntimeError(
                f"cdist only supports at least 2D tensors, {name} got: {x._array.ndim}D"
            )
    m, n = x1._array.shape[-1], x2._array.shape[-1]
    if m != n:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {m} X2: {n}")
    for name, x in (("X1", x1), ("X2", x2)):
        if x._dtype.category != 2:
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, {name} got: {type_word(x._dtype)}"
            )
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")


def check_cdist_dtypes(x1: Any, x2: Any, by_products: bool) -> None:
    """Raise PyTorch's error, which may be that of a matrix product, unless both have one dtype."""
    if x1._dtype is not x2._dtype:
        matrices = by_products and x1._array.ndim == x2._array.ndim == 2
        raise RuntimeError((two_dtypes if matrices else expected_scalar_type)(x1, x2))


# ---- square matrices -----------------------------------------------------------------------------


def check_matrix(op: str, tensor: Any, name: str = "A") -> None:
    """Raise PyTorch's error unless `tensor` is a matrix or a batch of them."""
    if tensor._array.ndim < 2:
        raise RuntimeError(f"{op}: The input tensor {name} must have at least 2 dimensions.")


def check_square(op: str, tensor: Any) -> None:
    """Raise PyTorch's error unless `tensor` is a square matrix or a batch of them."""
    check_matrix(op, tensor)
    m, n = tensor._array.shape[-2:]
    if m != n:
        raise RuntimeError(
            f"{op}: A must be batches of square matrices, but they are {m} by {n} matrices"
        )


def check_precision(op: str, tensor: Any) -> None:
    """Raise PyTorch's error for integers and for half precision."""
    check_float(op, tensor)
    if tensor._dtype.reduced:
        word = type_word(tensor._dtype)
        raise RuntimeError(f"{op}: Low precision dtypes not supported. Got {word}")


def check_kernel(kernel: str, tensor: Any, floats_only: bool = False) -> None:
    """Raise PyTorch's error for a dtype that a kernel does not support, half precision at least."""
    if tensor._dtype.reduced or (floats_only and tensor._dtype.category < 2):
        word = type_word(tensor._dtype)
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{word}'")


SVD_NOT_FINITE = (
    "The algorithm failed to converge because the input matrix contained non-finite values."
)

which_triangle = Sentence("Expected UPLO argument to be 'L' or 'U', but got {value}")


def singular(op: str, what: str, where: Any) -> _LinAlgError:
    """The error for a matrix without an inverse; `where` is its place in a batch, or None."""
    batch = "" if where is None else f"(Batch element {where}): "
    return _LinAlgError(f"{op}: {batch}{what}")


zero_pivot = Sentence(
    "The diagonal element {number} is zero, the inversion could not be completed because the "
    "input matrix is singular."
)

# ---- pseudoinverses, ranks, least squares --------------------------------------------------------

NO_EPS = "This function doesn't handle types other than float and double"
LSTSQ_DIMS = "torch.linalg.lstsq: input must have at least 2 dimensions."
LSTSQ_SCALAR = "torch.linalg.lstsq: other must have at least 1 dimension."
LSTSQ_RANKS = (
    "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - "
    "other.dim()) <= 1"
)


def check_lstsq(self: Any, b: Any, rcond: Any) -> None:
    """Raise PyTorch's error unless there is a least-squares solution."""
    one, two = self._array.shape, b._array.shape
    if len(one) < 2:
        raise RuntimeError(LSTSQ_DIMS)
    if not two:
        raise RuntimeError(LSTSQ_SCALAR)
    if self._dtype is not b._dtype:
        raise RuntimeError(
            "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's "
            f"dtype {type_word(self._dtype)} and other's dtype {type_word(b._dtype)}"
        )
    if not 0 <= len(one) - len(two) <= 1:
        raise RuntimeError(LSTSQ_RANKS)
    at = -1 if len(two) == 1 or two == one[:-1] else -2
    if one[-2] != two[at]:
        raise RuntimeError(f"torch.linalg.lstsq: input.size(-2) should match other.size({at})")
    if rcond is None and (self._dtype.reduced or self._dtype.category < 2):
        raise RuntimeError(NO_EPS)
    check_precision("linalg.lstsq", self)


# ---- cross products ------------------------------------------------------------------------------

CROSS_RANKS = "linalg.cross: inputs must have the same number of dimensions."
CROSS_NO_DIM = "no dimension of size 3 in input"
CROSS_DEPRECATED = (
    "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim "
    "explicitly or simply use torch.linalg.cross.\nThe default value of dim will change to agree "
    "with that of linalg.cross in a future release."
)

cross_length = Sentence(
    "linalg.cross: inputs dimension {dim} must have length 3. Got {one} and {two}"
)

# ---- linear layers -------------------------------------------------------------------------------

linear_scalar = Sentence(
    "both arguments to linear need to be at least 1D, but they are {one}D and {two}D"
)
