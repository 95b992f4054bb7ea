"""Sorting, ranking, and the distinct values of a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite, dispatcher
from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.memory.order import order
from course_lib.memory.places import taken
from course_lib.ops.elementwise.zeroing import no_formula
from course_lib.ops.make.clone import laid_like
from course_lib.ops.pick import ties
from course_lib.ops.reduce.adjoints import placed
from course_lib.words import errors

__all__ = [
    "argsort",
    "sort",
    "topk",
    "unique",
]

# ---- order ---------------------------------------------------------------------------------------


def sorting(node: str) -> Any:
    """Declare `sort`; if a stable order is asked for, its node has another name."""

    @op(
        kind="same",
        name="sort",
        node=node,
        method=False,
        layout="kernel",
        operands=("self",),
        returns=("values", "indices"),
        refuses=errors.check_sort,
        self=lambda grad, self_shape, indices, dim: placed(grad, self_shape, indices, dim, True),
    )
    def sort(self, dim=-1, descending=False, *, stable=None):
        if not self.ndim:
            return self.copy(), np.zeros_like(self, np.int64)
        axis = wrap_dim(dim, self.ndim)
        indices = order(self, axis, descending)
        if not stable and self.shape[axis] > ties.FEW:
            indices = ties.rearranged(indices, self, axis, ties.introsort)
        return laid(taken(self, indices, axis), self), laid(indices, self)

    return sort


def laid(result: Any, like: Any) -> Any:
    """A result of sorting, laid out in memory like the input."""
    plain = like.size and 1 not in like.shape and layout.lies_in_rows(like)
    return result if plain else laid_like(result, like)


sort_plain, sort_stable = sorting("SortBackward0"), sorting("SortBackward1")


@dispatcher
def sort(*args: Any, **kwargs: Any) -> Any:
    """The elements in ascending order along `dim` (or descending), and their int64 indices.

    ``sort(input, dim=-1, descending=False, stable=False)``

    >>> torch.tensor([3, 1, 2]).sort()
    torch.return_types.sort(
    values=tensor([1, 2, 3]),
    indices=tensor([1, 2, 0]))
    """
    which = sort_stable if "stable" in kwargs else sort_plain
    return which(*args, **kwargs)


@composite()
def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False
) -> Tensor:
    """The indices that sort `input` along `dim`.

    >>> torch.tensor([3, 1, 2]).argsort()
    tensor([1, 2, 0])
    """
    return sort_plain(input.detach(), dim, descending)[1]


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    returns=("values", "indices"),
    refuses=errors.check_topk,
    self=lambda grad, self_shape, indices, dim: placed(grad, self_shape, indices, dim, True),
)
def topk(self, k, dim=-1, largest=True, sorted=True):
    """The `k` largest elements along `dim`, largest first (or the smallest), and their indices.

    >>> torch.tensor([1, 4, 2]).topk(2)
    torch.return_types.topk(
    values=tensor([4, 2]),
    indices=tensor([1, 2]))
    """
    if not self.ndim:
        return self.copy(), np.zeros_like(self, np.int64)
    axis = wrap_dim(dim, self.ndim)
    indices = order(self, axis, largest)
    if k:
        indices = ties.rearranged(indices, self, axis, ties.leading(k, sorted), not sorted)
    indices = indices[(slice(None),) * axis + (slice(k),)]
    return taken(self, indices, axis), indices


# ---- different values ----------------------------------------------------------------------------


@op(
    kind="same",
    name="_unique2",
    node="Unique2Backward0",
    method=False,
    layout="contiguous",
    operands=("self",),
    returns=("output", "inverse", "counts"),
    refuses=errors.unless("unique", "complex"),
    self=lambda grads: no_formula("_unique2"),
)
def unique_values(self):
    """The distinct values in ascending order, each element's place among them, and the counts."""
    values, inverse, counts = np.unique(
        self, return_inverse=True, return_counts=True, equal_nan=False
    )
    return values, kinds.as_indices(inverse.reshape(self.shape)), kinds.as_indices(counts)


@composite()
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct values in ascending order.

    `return_inverse` adds the place of each element among them, `return_counts` how often each
    value occurs.

    >>> torch.tensor([3, 1, 3]).unique(return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    if dim is not None:
        raise NotImplementedError(errors.absent("torch.unique(dim=…)"))
    values, places, numbers = unique_values(input)
    if not return_inverse and not return_counts:
        return values
    return (values, *([places] * return_inverse), *([numbers] * return_counts))
