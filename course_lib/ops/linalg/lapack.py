"""What all decompositions share: the check of their matrix, LAPACK's arrays, and its failures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.memory import layout
from course_lib.ops.elementwise.zeroing import is_complex
from course_lib.ops.linalg.matmul import flipped, matmul, product
from course_lib.words import errors

__all__: list[str] = []


def checked(name: str, square: bool = False, kernel: str = "") -> Any:
    """A check that the argument is a matrix of floats, square if it must be.

    `kernel`: the kernel that refuses half precision, if there is one, as its message calls it.
    """

    def check(**values: Any) -> None:
        matrix = next(iter(values.values()))
        (errors.check_square if square else errors.check_matrix)(name, matrix)
        if kernel:
            errors.check_float(name, matrix)
            errors.check_kernel(kernel, matrix)
        errors.check_precision(name, matrix)

    return check


def times(a: Any, b: Any) -> Any:
    """The product of (batches of) matrices, arrays or tensors."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return matmul(a, b)
    return product(a, b)


def adjoint(x: Any) -> Any:
    """Rows and columns swapped, and conjugated if complex."""
    return flipped(x).conj() if is_complex(x) else flipped(x)


def by_columns(array: Any, rows: int = 0) -> Any:
    """The same matrices with their columns contiguous: how LAPACK leaves its results.

    `rows`: how many rows there is memory for, if that is more than the matrices have.
    """
    if array.__class__ is not np.ndarray:
        return array
    *batch, m, n = array.shape
    memory = np.empty(math.prod((*batch, n, max(m, rows))), array.dtype)
    step = array.itemsize
    strides = layout.contiguous_strides((*batch, n, max(m, rows)), step)
    laid = layout.restride(memory, array.shape, (*strides[:-2], step, strides[-2]), 0)
    laid[...] = array
    return laid


def decomposed(array: Any, **options: Any) -> Any:
    """NumPy's `svd` of an array, or PyTorch's error if it does not converge."""
    try:
        return np.linalg.svd(array, **options)
    except np.linalg.LinAlgError:
        bad = np.isnan(array).any((-2, -1)).reshape(-1)
        where = int(bad.argmax()) if array.ndim > 2 else None
        raise errors.singular("linalg.svd", errors.SVD_NOT_FINITE, where) from None


def phaseless(turning: Any, name: str, other: Any = 0.0) -> None:
    """Raise PyTorch's error if a gradient turns complex vectors, whose phase means nothing.

    `turning` is how much it turns each vector; it may turn a partner by the opposite, `other`.
    """
    sizes = np.asarray(getattr(turning, "_array", turning))
    limit = 0.01 + 0.01 * np.abs(np.asarray(getattr(other, "_array", other)))
    if (np.abs(sizes + getattr(other, "_array", other)) > limit).any():
        raise RuntimeError(errors.phase_matters(name))
