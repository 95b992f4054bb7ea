"""Singular values and singular vectors."""

from __future__ import annotations

from typing import Any

from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.ops.elementwise.zeroing import is_complex
from course_lib.ops.linalg.lapack import adjoint, by_columns, checked, decomposed, phaseless, times
from course_lib.ops.linalg.spectral import diagonal_matrix, on_diagonal, pairs
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__: list[str] = []

check_matrix = checked("linalg.svd", kernel="linalg_svd_cpu")


def check_svd(A: Any, driver: Any, **_: Any) -> None:
    """Raise PyTorch's error unless there is a decomposition, and no choice of algorithm."""
    check_matrix(A=A)
    if driver is not None:
        raise RuntimeError(errors.SVD_DRIVER)


@op(
    kind="promote",
    name="linalg_svd",
    node="LinalgSvdBackward0",
    layout="kernel",
    method=False,
    inplace=False,
    operands=("A",),
    check=check_svd,
    returns=("U", "S", "Vh"),
    A=lambda grads, U, S, Vh, full_matrices: svd_gradient(
        grads, *(thin(U, S, Vh) if full_matrices else (U, S, Vh))
    ),
)
def svd(A, full_matrices=True, *, driver=None):
    """The factors of ``A = U @ diag(S) @ Vh``: U and Vh orthogonal, S in descending order.

    >>> U, S, Vh = torch.linalg.svd(torch.tensor([[3., 0.], [0., 4.]]))
    >>> S
    tensor([4., 3.])
    """
    u, s, vh = decomposed(A, full_matrices=full_matrices)
    return by_columns(u), layout.owned(s), by_columns(vh)


def thin(u: Any, s: Any, vh: Any) -> tuple[Any, Any, Any]:
    """The factors without the vectors that no singular value belongs to."""
    count = s.shape[-1]
    return u[..., :count], s, vh[..., :count, :]


def svd_gradient(grads: Any, u: Any, s: Any, vh: Any) -> Any:
    """The gradient of singular values and vectors; vectors beyond the last value have none.

    After J. Townsend, Differentiating the Singular Value Decomposition (2016), and for complex
    matrices Z.-Q. Wan and S.-X. Zhang, Automatic Differentiation for Complex Valued SVD (2019).
    """
    on_u, on_s, on_vh = grads
    inner = None if on_s is None else diagonal_matrix(on_s)
    if on_u is None and on_vh is None:
        return None if inner is None else times(u * unsqueeze(on_s, -2), vh)
    count = s.shape[-1]
    turned_u = turned_v = 0.0
    if on_u is not None:
        on_u = on_u[..., :count]
        turned_u = skewed(times(adjoint(u), on_u))
    if on_vh is not None:
        on_vh = on_vh[..., :count, :]
        turned_v = skewed(times(vh, adjoint(on_vh)))
    apart = pairs(s * s)  # in row j and column k: 1 / (s_k² - s_j²), and 0 where j is k
    core = (turned_u * apart) * unsqueeze(s, -2) + unsqueeze(s, -1) * (turned_v * apart)
    if is_complex(u):
        phases = [t if isinstance(t, float) else on_diagonal(t) for t in (turned_u, turned_v)]
        phaseless(phases[0], "svd_backward: The singular vectors", phases[1])
        if on_u is not None:  # what turns u and v together changes no product
            core = core + diagonal_matrix(phases[0] / (2 * s))
    core = core if inner is None else core + inner
    result = times(times(u, core), vh)
    if on_u is not None and u.shape[-2] > count:
        rest = on_u - times(u, times(adjoint(u), on_u))
        result = result + times(rest / unsqueeze(s, -2), vh)
    if on_vh is not None and vh.shape[-1] > count:
        rest = on_vh - times(times(on_vh, adjoint(vh)), vh)
        result = result + times(u / unsqueeze(s, -2), rest)
    return result


def skewed(x: Any) -> Any:
    """A matrix minus its adjoint."""
    return x - adjoint(x)
