"""`torch.linalg`: norms, inverses, systems of equations, decompositions."""

from course_lib.declare.fronts import publish as _publish
from course_lib.declare.public import completed as _completed
from course_lib.ops.linalg.determinants import linalg_det as det
from course_lib.ops.linalg.norms import linalg_norm as norm
from course_lib.ops.linalg.norms import matrix_norm, vector_norm
from course_lib.ops.linalg.products import linalg_cross_product as cross
from course_lib.ops.linalg.pseudoinverse import lstsq
from course_lib.ops.linalg.singular import svd
from course_lib.ops.linalg.solve import inv, solve
from course_lib.ops.linalg.spectral import eigvalsh
from course_lib.ops.linalg.spectral import linalg_eigh as eigh
from course_lib.ops.linalg.triangular import qr
from course_lib.words.errors.matrices import _LinAlgError as LinAlgError

__all__ = [
    "LinAlgError",
    "cross",
    "det",
    "eigh",
    "eigvalsh",
    "inv",
    "lstsq",
    "matrix_norm",
    "norm",
    "qr",
    "solve",
    "svd",
    "vector_norm",
]


_publish(globals(), "linalg")
__getattr__, __dir__ = _completed(globals(), "linalg")
