"""`torch.linalg`: norms, inverses, systems of equations, decompositions."""

from collections.abc import Sequence

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.errors.matrices import _LinAlgError as LinAlgError
from course_lib.ops.decompositions import (
    cholesky,
    cond,
    eig,
    eigvals,
    eigvalsh,
    matrix_rank,
    qr,
    svd,
    svdvals,
)
from course_lib.ops.decompositions import linalg_eigh as eigh
from course_lib.ops.determinants import det
from course_lib.ops.determinants import linalg_slogdet as slogdet
from course_lib.ops.matmul import matmul
from course_lib.ops.norms import linalg_norm as norm
from course_lib.ops.norms import matrix_norm, vector_norm
from course_lib.ops.products import chain
from course_lib.ops.pseudoinverse import lstsq, pinv
from course_lib.ops.solving import inv, matrix_power, solve
from course_lib.ops.solving import linalg_cross_product as cross

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "vecdot",
    "vector_norm",
]


def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The product of many matrices, multiplied in the order that costs least.

    The first and the last may be vectors.

    >>> torch.linalg.multi_dot([torch.ones(2, 3), torch.ones(3, 4), torch.ones(4)])
    tensor([12., 12.])
    """
    errors.check_chain(tensors)
    result = chain(list(tensors))
    return result if out is None else out.copy_(result)  # type: ignore[attr-defined]


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """The dot products of the vectors along `dim`, those of `x` conjugated.

    >>> torch.linalg.vecdot(torch.tensor([[1., 2.]]), torch.tensor([[3., 4.]]))
    tensor([11.])
    """
    if x.dim() == 1 and y.dim() == 1:  # type: ignore[attr-defined]
        return x.vdot(y)  # type: ignore[attr-defined]
    return (x.conj() * y).sum(dim)  # type: ignore[attr-defined]


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """A view of the diagonal of each matrix.

    >>> torch.linalg.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return A.diagonal(offset, dim1, dim2)  # type: ignore[attr-defined]
