"""Views, copied: each gives what its view shows, in memory of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.beyond.ops.triangles import diagonal_copy
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.ops.make.clone import clone_in
from course_lib.ops.pick.slices import _embed, narrow, select, slice_
from course_lib.ops.shape.complex_views import view_as_complex, view_as_real
from course_lib.ops.shape.expand import expand
from course_lib.ops.shape.reshape import view_shape
from course_lib.ops.shape.squeeze import ALL, squeeze_all, squeeze_dim, squeeze_dims, unsqueeze
from course_lib.ops.shape.strided import as_strided, unfold
from course_lib.ops.shape.transpose import alias, permute, t, transpose

__all__ = [
    "alias_copy",
    "as_strided_copy",
    "detach_copy",
    "diagonal_copy",
    "expand_copy",
    "narrow_copy",
    "permute_copy",
    "select_copy",
    "slice_copy",
    "squeeze_copy",
    "t_copy",
    "transpose_copy",
    "unfold_copy",
    "unsqueeze_copy",
    "view_as_complex_copy",
    "view_as_real_copy",
    "view_copy",
]


def copied(view: Any) -> Callable:
    """The operation that copies what a view operation shows; the same formulas hold."""
    facts = view.op

    def kernel(*args: Any, **kwargs: Any) -> Any:
        return view(*args, **kwargs)

    kernel.__name__ = facts.name + "_copy"
    kernel.__wrapped__ = facts.kernel
    kernel.__doc__ = f"`{facts.name}` in memory of its own."
    declare = op(
        kind="same",
        layout="contiguous",
        method=False,
        node=facts.label + "_copy",
        operands=("self",),
        **facts.formulas,
    )
    return declare(kernel)


alias_copy = copied(alias)
as_strided_copy = copied(as_strided)
expand_copy = copied(expand)
permute_copy = copied(permute)
select_copy = copied(select)
slice_along = copied(slice_)
t_copy = copied(t)
transpose_copy = copied(transpose)
unfold_copy = copied(unfold)
unsqueeze_copy = copied(unsqueeze)
view_as_complex_copy = copied(view_as_complex)
view_as_real_copy = copied(view_as_real)
view_copy = copied(view_shape)
squeeze_copies = {view: copied(view) for view in (squeeze_all, squeeze_dim, squeeze_dims)}


@composite(method=False)
def squeeze_copy(self: Any, dim: Any = ALL) -> Any:
    """`squeeze` in memory of its own.

    >>> torch.squeeze_copy(torch.tensor([[1, 2]]))
    tensor([1, 2])
    """
    if dim is ALL:
        return squeeze_copies[squeeze_all](self)
    return squeeze_copies[squeeze_dim if isinstance(dim, int) else squeeze_dims](self, dim)


@composite(method=False)
def slice_copy(
    self: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """A range of one dimension in memory of its own.

    >>> torch.slice_copy(torch.tensor([1, 2, 3]), 0, 1)
    tensor([2, 3])
    """
    return slice_along(self, dim, start or 0, (1 << 63) - 1 if end is None else end, step)


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    node="NarrowCopyBackward0",
    self=lambda grad, self_shape, dim, start, length: _embed(
        grad, self_shape, narrow, (dim, start, length)
    ),
)
def narrow_copy(self, dim, start, length):
    """`narrow` in memory of its own.

    >>> torch.tensor([1, 2, 3]).narrow_copy(0, 1, 2)
    tensor([2, 3])
    """
    return narrow(self, dim, start, length)


def detach_copy(input: Tensor) -> Tensor:
    """A copy without history."""
    return clone_in(input.detach(), tuple(range(input._array.ndim)))
