# Written by tools/write_stubs.py; run that again instead of editing this.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import overload
from course_lib.dtypes.dtypes import dtype as _DType
from course_lib.core.tensor import _Number
from course_lib.core.tensor import _EigenvaluesEigenvectors
from course_lib.core.tensor import _SolutionResidualsRankSingularValues
from course_lib.core.tensor import _USVh
from course_lib.core.tensor import Tensor
from course_lib.ops.linalg.decompositions import _LinAlgError

LinAlgError = _LinAlgError
def cross(input: Tensor, other: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The cross product of vectors of size 3 along `dim`, perpendicular to both."""
def eigh(
    input: Tensor,
    UPLO: str = 'L',
    *,
    out: Sequence[Tensor] | None = None,
) -> _EigenvaluesEigenvectors:
    """The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, in columns."""
def eigvalsh(input: Tensor, UPLO: str = 'L', *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of a symmetric matrix, in ascending order."""
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix, or of each matrix of a batch."""
def lstsq(
    input: Tensor,
    b: Tensor,
    rcond: _float | None = None,
    *,
    driver: str | None = None,
    out: Sequence[Tensor] | None = None,
) -> _SolutionResidualsRankSingularValues:
    """The least-squares solution: the X for which ``A X`` is closest to B."""
@overload
def norm(
    input: Tensor,
    ord: _Number | None = None,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of a vector, or of all elements."""
@overload
def norm(
    input: Tensor,
    ord: str,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of a vector, or of all elements."""
def svd(
    A: Tensor,
    full_matrices: _bool = True,
    *,
    driver: str | None = None,
    out: Sequence[Tensor] | None = None,
) -> _USVh:
    """The factors of ``A = U @ diag(S) @ Vh``: U and Vh orthogonal, S in descending order."""
def vector_norm(
    input: Tensor,
    ord: _Number = 2,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The `ord`-norm of the vectors along `dim`; of all elements if `dim` is None."""
