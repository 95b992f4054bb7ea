"""How alike two tensors are: cosines, distances, and losses composed of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.ops.elementwise.arithmetic import div
from course_lib.ops.elementwise.clamp import clamp_min
from course_lib.ops.elementwise.exponentials import exp, xlogy
from course_lib.ops.elementwise.powers import sqrt
from course_lib.ops.elementwise.with_numbers import less, number_less, plus
from course_lib.ops.linalg.norms import vector_norm
from course_lib.ops.pick.masking import where
from course_lib.words import errors

__all__ = [
    "cosine_similarity",
]


@op(
    kind="promote",
    method=False,
    inplace=False,
    node="CloneBackward0",
    operands=("self",),
    self=lambda grad: grad,
)
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
    errors.check_broadcast([x1._array, x2._array])
    x1, x2 = x1.to(common), x2.to(common)
    shape = np.broadcast_shapes(x1._array.shape, x2._array.shape)
    if x1._array.shape != x2._array.shape:
        x1, x2 = x1.expand(shape), x2.expand(shape)
    one = lifted(vector_norm(x1, 2, dim, True), eps)
    two = lifted(vector_norm(x2, 2, dim, True), eps)
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


# ---- losses --------------------------------------------------------------------------------------


def kl_div(input: Any, target: Any, reduction: str, log_target: bool) -> Any:
    """The terms of the Kullback-Leibler divergence, or their mean or sum."""
    if log_target:
        values = exp(target) * (target - input)
    else:
        values = xlogy(target, target) - target * input
    if reduction == "none":
        return values
    return values.mean() if reduction == "mean" else values.sum()


def hinge(input: Any, target: Any, margin: float) -> Any:
    """The terms of `hinge_embedding_loss`."""
    zero = input.new_zeros(())
    lacks = where(target != 1, clamp_min(number_less(margin, input), 0), zero)
    return lacks + where(target != -1, input, zero)


def cosine_embedding(input1: Any, input2: Any, target: Any, margin: float) -> Any:
    """The terms of `cosine_embedding_loss`."""
    dim = target._array.ndim
    errors.check_cosine_embedding(input1._array.shape, input2._array.shape, target._array.shape)
    one = plus((input1 * input1).sum(dim), 1e-12)
    two = plus((input2 * input2).sum(dim), 1e-12)
    cos = (input1 * input2).sum(dim) / sqrt(one * two)
    zero = cos.new_zeros(())
    alike = where(target == 1, number_less(1, cos), zero)
    return alike + where(target == -1, clamp_min(less(cos, margin), 0), zero)
