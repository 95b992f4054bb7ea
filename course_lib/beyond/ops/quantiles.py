"""Quantiles: the elements at given places of the sorted order, or between two of them."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.memory.dims import wrap_dim
from course_lib.ops.elementwise.rounding import ceil, floor, round
from course_lib.ops.make.like import full_like
from course_lib.ops.make.tensor import tensor
from course_lib.ops.pick.gather_scatter import gather
from course_lib.ops.pick.sort import sort
from course_lib.ops.shape.reshape import flatten
from course_lib.ops.shape.squeeze import squeeze, unsqueeze
from course_lib.ops.shape.transpose import transpose
from course_lib.words import errors

__all__ = ["nanquantile", "quantile"]


@composite()
def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """The value that a part `q` of the elements (along `dim`) stays below.

    Between two elements it is interpolated, or one is taken: "lower", "higher", "nearest",
    "midpoint".  With a vector `q` the result has a first dimension for its elements.

    >>> torch.quantile(torch.tensor([1., 2., 4.]), torch.tensor([0.5, 0.75]))
    tensor([2., 3.])
    """
    return at_parts("quantile", input, q, dim, keepdim, interpolation)


@composite()
def nanquantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Tensor:
    """`quantile` of the elements that are not nan.

    >>> torch.nanquantile(torch.tensor([1., float("nan"), 3.]), 0.5)
    tensor(2.)
    """
    return at_parts("nanquantile", input, q, dim, keepdim, interpolation)


def at_parts(name: str, input: Tensor, q: Any, dim: Any, keepdim: bool, how: str) -> Tensor:
    """What `quantile` or `nanquantile` gives."""
    errors.check_quantile(input, q, how)
    ndim = input._array.ndim
    parts = q if isinstance(q, Tensor) else tensor(q, dtype=input.dtype)
    if dim is None:
        ordered = flatten(input)
        for _ in range(ndim if keepdim else 0):
            ordered = unsqueeze(ordered, 0)
    else:
        axis = wrap_dim(dim, ndim)
        ordered = transpose(unsqueeze(input, -1), axis, ndim) if ndim else unsqueeze(input, 0)
        if not keepdim and ndim:
            ordered = squeeze(ordered, axis)
    ordered = sort(ordered, -1)[0]
    ranks = ranks_of(ordered, flatten(parts), name == "nanquantile")
    if how in ("lower", "higher", "nearest"):
        ranks = {"lower": floor, "higher": ceil, "nearest": round}[how](ranks)
    below = gather(ordered, -1, floor(ranks).long())
    if how in ("linear", "midpoint"):
        weight = full_like(ranks, 0.5) if how == "midpoint" else ranks - floor(ranks).detach()
        below = below.lerp_(gather(ordered, -1, ceil(ranks).long()), weight)
    if not parts._array.ndim:
        return below.squeeze_(-1)
    return below.unsqueeze_(0).transpose_(0, -1).squeeze_(-1)


def ranks_of(ordered: Tensor, parts: Tensor, skip_nan: bool) -> Tensor:
    """Which places of the sorted elements are meant, as numbers with fractions."""
    missing = ordered.isnan().sum(-1, keepdim=True)
    last = ordered._array.shape[-1] - 1
    if skip_nan:
        ranks = parts * (last - missing)
        return ranks.masked_fill(ranks < 0, 0)
    return (parts * last).expand(*missing.shape[:-1], -1).masked_fill(missing > 0, last)
