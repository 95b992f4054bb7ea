"""`torch.svd` and `torch.qr`: the older names of two decompositions, with V instead of Vh."""

from __future__ import annotations

from typing import Any

from course_lib.calls.return_types import return_type
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.ops.elementwise.rounding import conj
from course_lib.ops.linalg import singular, triangular
from course_lib.ops.linalg.singular import svdvals
from course_lib.ops.make.like import new_empty
from course_lib.words import errors

__all__ = ["qr", "svd"]


def named(name: str, found: dict[str, Tensor], out: Any) -> Any:
    """The results under their names, written into the tensors of `out` if there are any."""
    if out is None:
        return return_type(name, tuple(found))(found.values())
    for target, value in zip(out, found.values(), strict=True):
        target.resize_(value.shape).copy_(value)
    return return_type(f"{name}_out", tuple(found))(out)


def turned(vh: Tensor) -> Tensor:
    """V from Vh: the two last dimensions swapped, and conjugated."""
    return conj(vh.transpose(-2, -1))


@composite()
def svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None) -> Any:
    """The factors of ``input = U @ diag(S) @ V.T``; `torch.linalg.svd` is the newer name.

    Without `some`, U and V are square; without `compute_uv`, they are zeros.

    >>> torch.svd(torch.tensor([[3., 0.], [0., 4.]])).S
    tensor([4., 3.])
    """
    if not isinstance(some, bool):
        raise TypeError("some")  # the front replaces this message by PyTorch's
    errors.check_svd(input)
    if compute_uv:
        u, s, vh = singular.svd(input, full_matrices=not some)
        return named("svd", {"U": u, "S": s, "V": turned(vh)}, out)
    s, (*batch, m, n) = svdvals(input), input.shape
    u, vh = (new_empty(input, (*batch, size, size)).zero_() for size in (m, n))
    return named("svd", {"U": u, "S": s, "V": turned(vh)}, out)


@composite()
def qr(input: Tensor, some: bool = True, *, out: Any = None) -> Any:
    """The factors of ``input = Q @ R``; `torch.linalg.qr` is the newer name.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # PyTorch calls it deprecated
    ...     Q, R = torch.qr(torch.tensor([[3., 1.], [4., 2.]]))
    >>> (Q @ R).round()
    tensor([[3., 1.],
            [4., 2.]])
    """
    if not isinstance(some, bool):
        raise TypeError("some")  # the front replaces this message by PyTorch's
    errors.warn_once(errors.QR_DEPRECATED)
    q, r = triangular.qr(input, "reduced" if some else "complete")
    return named("qr", {"Q": q, "R": r}, out)
