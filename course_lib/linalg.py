"""`torch.linalg`: norms, inverses, systems of equations, decompositions."""

from course_lib.core.tensor import Tensor
from course_lib.declare.fronts import publish as _publish
from course_lib.declare.out import into
from course_lib.declare.public import completed as _completed
from course_lib.ops.linalg.determinants import linalg_det as det
from course_lib.ops.linalg.matmul import matmul
from course_lib.ops.linalg.norms import linalg_norm as norm
from course_lib.ops.linalg.norms import matrix_norm, vector_norm
from course_lib.ops.linalg.products import linalg_cross_product as cross
from course_lib.ops.linalg.pseudoinverse import lstsq
from course_lib.ops.linalg.singular import svd, svdvals
from course_lib.ops.linalg.solve import inv, matrix_power, solve
from course_lib.ops.linalg.spectral import eigvalsh
from course_lib.ops.linalg.spectral import linalg_eigh as eigh
from course_lib.ops.linalg.triangular import qr
from course_lib.words import errors
from course_lib.words.errors.matrices import _LinAlgError as LinAlgError

__all__ = [
    "LinAlgError",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "norm",
    "qr",
    "solve",
    "svd",
    "svdvals",
    "vecdot",
    "vector_norm",
]


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
