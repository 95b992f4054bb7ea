"""The length of a vector, by several measures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.forms.declare import op
from course_lib.ops.adjoints import axes, shared_out, spread
from course_lib.ops.masks import masked
from course_lib.ops.rounding import abs, sgn

__all__ = ["norm"]


@op(
    kind="norm",
    name="linalg_vector_norm",
    method=False,
    layout="contiguous",
    operands=("self",),
    check=errors.check_norm,
    self=lambda grad, self, self_shape, result, ord, dim, keepdim: norm_gradient(
        spread(grad, self_shape, dim, keepdim),
        self,
        spread(result, self_shape, dim, keepdim),
        ord,
        dim,
    ),
)
def vector_norm(
    self: Any, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Any:
    """``sum(|x| ** ord) ** (1 / ord)`` along `dim`; for infinity the largest ``|x|``."""
    over = axes(dim, self.ndim)
    if ord == 0:
        return np.add.reduce(np.not_equal(self, 0), axis=over, keepdims=keepdim).astype(
            np.abs(self[:0] if self.ndim else self).dtype
        )
    size = np.abs(self)
    if math.isinf(ord):
        kernel = np.maximum if ord > 0 else np.minimum
        initial = {"initial": 0} if ord > 0 else {}
        return kernel.reduce(size, axis=over, keepdims=keepdim, **initial)
    if ord == 1:
        return np.add.reduce(size, axis=over, keepdims=keepdim)
    if ord == 2:
        return np.sqrt(np.add.reduce(size * size, axis=over, keepdims=keepdim))
    total = np.add.reduce(np.power(size, size.dtype.type(ord)), axis=over, keepdims=keepdim)
    return np.power(total, size.dtype.type(1 / ord))


def norm_gradient(grad: Any, value: Any, length: Any, ord: float, dim: Any) -> Any:
    """The gradient of a norm: for 2, the direction of the vector; 0 where the length is."""
    if ord == 0:
        return None  # a count is flat: no gradient, as in PyTorch
    if ord == 1:
        return grad * sgn(value)
    if ord == 2:
        return masked(grad * (value / length), length != 0)
    if math.isinf(ord):
        largest = abs(value) == length
        return sgn(value) * masked(shared_out(grad, largest, dim, True), largest)
    if ord < 1:
        powers = masked(sgn(value) * abs(value) ** (ord - 1), value != 0)
        return powers * grad * length ** (1 - ord)
    if ord < 2:
        powers = sgn(value) * abs(value) ** (ord - 1)
    else:
        powers = value * abs(value) ** (ord - 2)
    return powers * masked(grad / length ** (ord - 1), length != 0)


def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """The length of all elements taken as one vector, or of the vectors along `dim`.

    `p` tells how to measure: 2 (or "fro") the Euclidean length, 1 the sum of magnitudes, infinity
    the largest magnitude.

    >>> torch.tensor([3., 4.]).norm()
    tensor(5.)
    """
    if p == "nuc":
        raise NotImplementedError("norm(p='nuc')")
    if isinstance(p, str) and p != "fro":
        raise RuntimeError(errors.norm_name(p))
    order = 2.0 if p is None or p == "fro" else p
    return vector_norm(input, order, dim, keepdim, dtype=dtype, out=out)


Tensor.norm = norm  # type: ignore[attr-defined]
