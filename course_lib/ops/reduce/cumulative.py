"""Running sums along a dimension; differences of neighbours."""

import numpy as np

from course_lib.calls.rules import lacking, refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.out import into
from course_lib.memory.dims import wrap_dim
from course_lib.modes import modes
from course_lib.ops.elementwise.arithmetic import sub
from course_lib.ops.elementwise.compare import ne
from course_lib.ops.make.like import empty_like
from course_lib.ops.pick.slices import narrow
from course_lib.ops.reduce.sums import reducing
from course_lib.ops.shape.rearrange import flip
from course_lib.words import errors

__all__ = ["cumsum", "diff"]


# ---- sums ----------------------------------------------------------------------------------------


@reducing(
    kind="sum",
    inplace=True,
    refuses=lambda dtype: lacking(
        dtype is not None and not dtype.category, errors.no_kernel, "cumsum_out_cpu", dtype
    ),
    self=lambda grad, dim: flip(cumsum(flip(grad, dim), dim), dim),  # of this and all later ones
)
def cumsum(self, dim, *, dtype=None):
    """The running sum along `dim`: each element plus all those before it.

    >>> torch.tensor([1, 2, 3]).cumsum(0)
    tensor([1, 3, 6])
    """
    axis = wrap_dim(dim, self.ndim)
    return np.add.accumulate(self, axis=axis, dtype=self.dtype) if self.ndim else self.copy()


# ---- differences ---------------------------------------------------------------------------------


@composite()
def diff(input: Tensor, n: int = 1, dim: int = -1, *, out: Tensor | None = None) -> Tensor:
    """Each element minus the one before it, along `dim`; repeated `n` times.

    >>> torch.tensor([1, 4, 9]).diff()
    tensor([3, 5])
    """
    refuse(not input._array.ndim, errors.DIFF_OF_SCALAR)
    refuse(n < 0, errors.negative_order, n)
    value, minus = input, ne if input._dtype.category == 0 else sub
    for _ in range(n):
        size = value._array.shape[wrap_dim(dim, value._array.ndim)]
        if not size:
            break
        value = minus(narrow(value, dim, 1, size - 1), narrow(value, dim, 0, size - 1))
    if value is input:
        return into(out, empty_like(input.detach()).copy_(input), "")
    if out is not None and modes.grad and (value.requires_grad or out.requires_grad):
        raise RuntimeError(errors.out_with_grad(minus.op.name))
    return into(out, value, minus.op.name)
