"""How alike vectors are: their cosine, and vectors of length 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory.dims import check_broadcast
from course_lib.ops.elementwise.arithmetic import div
from course_lib.ops.elementwise.clamp import clamp_min
from course_lib.ops.layers import layer_op
from course_lib.ops.linalg.norms import vector_norm
from course_lib.words import errors

__all__ = ["cosine_similarity"]


@layer_op(node="CloneBackward0", self=lambda grad: grad)
def lifted(self, low):
    """Each element, at least `low`; the gradient passes as if nothing had been changed."""
    return np.maximum(self, self.dtype.type(low))


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine similarity: the cosine of the angle between the vectors along `dim`.

    >>> x, y = torch.tensor([[1., 0.], [1., 1.]]), torch.tensor([[0., 1.], [2., 2.]])
    >>> torch.cosine_similarity(x, y)
    tensor([0.0000, 1.0000])
    """
    common = dtypes.promote(x1._dtype, x2._dtype)
    if common.category < 2:
        raise RuntimeError(errors.cosine_of_integers(common))
    check_broadcast([x1._array, x2._array])
    x1, x2 = x1.to(common), x2.to(common)
    shape = np.broadcast_shapes(x1._array.shape, x2._array.shape)
    if x1._array.shape != x2._array.shape:
        x1, x2 = x1.expand(shape), x2.expand(shape)
    one, two = (lifted(vector_norm(x, 2, dim, True), eps) for x in (x1, x2))
    return ((x1 / one) * (x2 / two)).sum(dim)


def normalize(
    input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None
) -> Tensor:
    """The input divided by its norm along `dim`, so that the norm becomes 1.

    >>> torch.nn.functional.normalize(torch.tensor([[3., 4.]]))
    tensor([[0.6000, 0.8000]])
    """
    size = input.norm(p, dim, keepdim=True)
    wide = clamp_min(size, eps).expand_as(input)
    return div(input, wide, out=out)
