"""Errors of matrix products: ranks, sizes and dtypes that do not fit."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence, type_word

# C++ names of the element types, which some of these messages use.
PLAIN_C_NAMES = {
    "bool": "bool",
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def c_word(tensor: Any) -> str:
    """The C++ type of a tensor's elements."""
    return PLAIN_C_NAMES.get(tensor._dtype.name, tensor._dtype.name)


def require_tensors(op: str, **values: Any) -> None:
    """Raise PyTorch's error if an argument that must be a tensor is not one."""
    for at, (name, value) in enumerate(values.items()):
        if not hasattr(value, "_requires_grad"):
            shown = "input" if name == "self" else name
            kind = type(value).__name__
            if type(value).__module__ == "numpy":
                kind = f"numpy.{kind}"
            raise TypeError(
                f"{op}(): argument '{shown}' (position {at + 1}) must be Tensor, not {kind}"
            )


not_for_bool = Sentence("\"{kernel}\" not implemented for 'Bool'")


def refuse_bool(kernel: str, tensor: Any) -> None:
    """Raise PyTorch's error if `tensor` is boolean, which its kernel does not support."""
    if tensor._dtype.name == "bool":
        raise NotImplementedError(not_for_bool(kernel))


# ---- products of two -----------------------------------------------------------------------------


def check_mm(self: Any, mat2: Any) -> None:
    """Raise PyTorch's error unless two matrices can be multiplied."""
    require_tensors("mm", self=self, mat2=mat2)
    for name, value in (("self", self), ("mat2", mat2)):
        if value._array.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    check_inner(self, mat2)
    if self._dtype is not mat2._dtype:
        raise RuntimeError(two_dtypes(self, mat2))
    refuse_bool("addmm_impl_cpu_", self)


def two_dtypes(one: Any, other: Any) -> str:
    return f"expected m1 and m2 to have the same dtype, but got: {c_word(one)} != {c_word(other)}"


def check_inner(mat1: Any, mat2: Any) -> None:
    """Raise PyTorch's error unless one has as many columns as the other has rows."""
    (m, k), (n, p) = mat1._array.shape, mat2._array.shape
    if k != n:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({m}x{k} and {n}x{p})")


def check_mv(self: Any, vec: Any) -> None:
    """Raise PyTorch's error unless a matrix and a vector can be multiplied."""
    require_tensors("mv", self=self, vec=vec)
    if not self._array.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    check_addmv_parts(vec, self, vec, out_ndim=1)


def check_addmv_parts(input: Any, mat: Any, vec: Any, out_ndim: int) -> None:
    """Raise by the rules that `mv` and `addmv` share."""
    if mat._array.ndim != 2 or vec._array.ndim != 1 or out_ndim > 1:
        ranks = f"{out_ndim}, {mat._array.ndim}, {vec._array.ndim}"
        raise RuntimeError(f"vector + matrix @ vector expected, got {ranks}")
    (n, m), (k,) = mat._array.shape, vec._array.shape
    rows = input._array.size if input is not vec else n
    if m != k or rows not in (1, n):
        raise RuntimeError(f"size mismatch, got input ({rows}), mat ({n}x{m}), vec ({k})")
    if mat._dtype is not vec._dtype or input._dtype is not mat._dtype:
        words = f"{type_word(input._dtype)}, {type_word(mat._dtype)}, and {type_word(vec._dtype)}"
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {words}")
    refuse_bool("addmv_impl_cpu", mat)


def check_dot(self: Any, tensor: Any) -> None:
    """Raise PyTorch's error unless two vectors have a dot product."""
    require_tensors("dot", self=self, tensor=tensor)
    check_vectors(self, tensor)
    refuse_bool("dot", self)


def check_vectors(one: Any, two: Any) -> None:
    """Raise by the rules that `dot` and `vdot` share."""
    a, b = one._array, two._array
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    if one._dtype is not two._dtype:
        raise RuntimeError(
            "dot : expected both vectors to have same dtype, but found "
            f"{type_word(one._dtype)} and {type_word(two._dtype)}"
        )
    if a.size != b.size:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the "
            f"same number of elements, but got {a.size} and {b.size} elements respectively"
        )


def check_bmm(self: Any, mat2: Any) -> None:
    """Raise PyTorch's error unless two batches of matrices can be multiplied."""
    require_tensors("bmm", self=self, mat2=mat2)
    check_batches(self, mat2)
    if self._dtype is not mat2._dtype:
        raise RuntimeError(expected_scalar_type(self, mat2))
    refuse_bool("bmm", self)


def check_batches(batch1: Any, batch2: Any) -> None:
    """Raise unless these are two 3-D tensors of equally many matrices that can be multiplied."""
    for name, value in (("batch1", batch1), ("batch2", batch2)):
        if value._array.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    wanted = [batch1._array.shape[0], batch1._array.shape[2]]
    got = list(batch2._array.shape[:2])
    if wanted != got:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"{wanted} but got: {got}."
        )


expected_scalar_type = Sentence("expected scalar type {one:word} but found {two:word}")
matmul_scalar = Sentence(
    "both arguments to matmul need to be at least 1D, but they are {one}D and {two}D"
)

# ---- a product added to something ----------------------------------------------------------------


def check_addmm(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> None:
    """Raise PyTorch's error unless ``beta * self + alpha * mat1 @ mat2`` makes sense."""
    require_tensors("addmm", self=self, mat1=mat1, mat2=mat2)
    for name, value in (("mat1", mat1), ("mat2", mat2)):
        if value._array.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {value._array.ndim}-D tensor")
    check_inner(mat1, mat2)
    check_target(self, (mat1._array.shape[0], mat2._array.shape[1]))
    if self._dtype is not mat2._dtype:
        raise RuntimeError(same_dtype("self", self, mat2))
    if mat1._dtype is not mat2._dtype:
        raise RuntimeError(same_dtype("mat1", mat1, mat2))
    check_factors(self, beta, alpha)
    refuse_bool("addmm_impl_cpu_", self)


def same_dtype(name: str, one: Any, two: Any) -> str:
    words = f"{type_word(one._dtype)} and {type_word(two._dtype)}"
    return f"{name} and mat2 must have the same dtype, but got {words}"


def check_baddbmm(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> None:
    """Raise PyTorch's error unless ``beta * self + alpha * bmm(batch1, batch2)`` makes sense."""
    require_tensors("baddbmm", self=self, batch1=batch1, batch2=batch2)
    one, two = batch1._array.shape, batch2._array.shape
    if len(one) > 1 and len(two) > 2:
        check_target(self, (one[0], one[1], two[2]))
    if len({self._dtype, batch1._dtype, batch2._dtype}) > 1 and self._dtype is not batch1._dtype:
        raise RuntimeError(
            f"Input dtypes must be the same, got: input {c_word(self)}, batch1: {c_word(batch1)}, "
            f"batch2: {c_word(batch2)}"
        )
    check_batches(batch1, batch2)
    if batch1._dtype is not batch2._dtype:
        raise RuntimeError(expected_scalar_type(batch1, batch2))
    check_factors(self, beta, alpha)
    refuse_bool("baddbmm", self)


def check_target(self: Any, shape: tuple) -> None:
    """Raise PyTorch's error unless `self` can be expanded to `shape`."""
    from course_lib.words import errors

    own = self._array.shape
    if len(own) > len(shape):
        raise RuntimeError(errors.expand_rank(f"torch.{self._dtype.legacy}", own, shape))
    for dim in range(len(own) - 1, -1, -1):
        at = dim + len(shape) - len(own)
        if own[dim] not in (1, shape[at]):
            raise RuntimeError(errors.expand_size(shape[at], own[dim], at, shape, own))


def check_factors(self: Any, beta: Any, alpha: Any) -> None:
    """Raise PyTorch's error for a complex factor if the tensor is real."""
    for factor in (beta, alpha):
        if isinstance(factor, complex) and not self._dtype.is_complex:
            kind = c_word(self)
            raise RuntimeError(f"value cannot be converted to type {kind} without overflow")


# ---- outer products, traces ----------------------------------------------------------------------


def check_trace(self: Any) -> None:
    """Raise PyTorch's error unless the tensor is a matrix of numbers."""
    refuse_bool("trace", self)
    if self._array.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {self._array.ndim}")


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


def einsum_subscripts(named: int, ndim: int, at: int, ellipsis: bool) -> str:
    relation = "is more than" if ellipsis else "does not match"
    tail = "" if ellipsis else " and no ellipsis was given"
    return (
        f"einsum(): the number of subscripts in the equation ({named}) {relation} the number of "
        f"dimensions ({ndim}) for operand {at}{tail}"
    )


def einsum_output(letter: str, twice: bool) -> str:
    if twice:
        return f"einsum(): output subscript {letter} appears more than once in the output"
    return (
        f"einsum(): output subscript {letter} does not appear in the equation for any input operand"
    )


def einsum_sizes(letter: Any, n: int, at: int, seen: int, dim: int) -> str:
    if isinstance(letter, tuple):
        return (
            f"einsum(): dimension {dim} covered by ellipsis in operand {at}has size {n} which does "
            f"not broadcast with previously seen ellipsis with size {seen} for the respective "
            "dimension"
        )
    return (
        f"einsum(): subscript {letter} has size {n} for operand {at} which does not broadcast with "
        f"previously seen size {seen}"
    )


einsum_repeated = Sentence(
    "einsum(): subscript {letter} is repeated for operand {at} but the sizes don't match, {n} != "
    "{m}"
)
