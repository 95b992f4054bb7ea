"""`torch.linalg`: norms, inverses, systems of equations, decompositions."""

from course_lib.calls.missing import complete_module as _completed
from course_lib.declare.fronts import publish as _publish
from course_lib.ops.linalg.decompositions import _LinAlgError as LinAlgError
from course_lib.ops.linalg.decompositions import eigh, eigvalsh, inv, lstsq, svd
from course_lib.ops.linalg.einsum import linalg_cross as cross
from course_lib.ops.linalg.norms import linalg_norm as norm
from course_lib.ops.linalg.norms import vector_norm

__all__ = ["LinAlgError", "cross", "eigh", "eigvalsh", "inv", "lstsq", "norm", "svd", "vector_norm"]


_publish(globals(), "linalg")
__getattr__, __dir__ = _completed(globals(), "linalg")
