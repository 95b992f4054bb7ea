"""`torch.linalg`: norms, inverses, systems of equations, decompositions."""

from collections.abc import Sequence

from course_lib.core.tensor import Tensor
from course_lib.declare.fronts import publish as _publish
from course_lib.declare.out import into
from course_lib.declare.public import completed as _completed
from course_lib.ops.linalg.determinants import linalg_det as det
from course_lib.ops.linalg.determinants import linalg_slogdet as slogdet
from course_lib.ops.linalg.matmul import matmul
from course_lib.ops.linalg.norms import cond, matrix_norm, vector_norm
from course_lib.ops.linalg.norms import linalg_norm as norm
from course_lib.ops.linalg.products import chain
from course_lib.ops.linalg.products import linalg_cross_product as cross
from course_lib.ops.linalg.pseudoinverse import lstsq, pinv
from course_lib.ops.linalg.singular import matrix_rank, svd, svdvals
from course_lib.ops.linalg.solve import inv, matrix_power, solve
from course_lib.ops.linalg.spectral import eig, eigvals, eigvalsh
from course_lib.ops.linalg.spectral import linalg_eigh as eigh
from course_lib.ops.linalg.triangular import cholesky, qr
from course_lib.words import errors
from course_lib.words.errors.matrices import _LinAlgError as LinAlgError

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
    if isinstance(tensors, Tensor):
        raise TypeError("tensors")  # the front replaces this message by PyTorch's
    errors.check_chain(tensors)
    return into(out, chain(list(tensors)), "multi_dot")


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """The dot products of the vectors along `dim`, those of `x` conjugated.

    >>> torch.linalg.vecdot(torch.tensor([[1., 2.]]), torch.tensor([[3., 4.]]))
    tensor([11.])
    """
    errors.check_vecdot(x, y)
    if x.dim() == 1 and y.dim() == 1:
        return into(out, x.vdot(y), "vdot")
    return into(out, (x.conj() * y).sum(dim), "linalg_vecdot")


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """A view of the diagonal of each matrix.

    >>> torch.linalg.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return A.diagonal(offset, dim1, dim2)


_publish(globals(), "linalg")
__getattr__, __dir__ = _completed(globals(), "linalg")
