"""Quantiles: the elements at given places of the sorted order, or between two of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors
from course_lib.facts.dims import wrap_dim
from course_lib.forms.composite import composite
from course_lib.ops.blends import lerp
from course_lib.ops.gathering import gather
from course_lib.ops.reshape import flatten
from course_lib.ops.sorting import sort
from course_lib.ops.squeezing import squeeze, unsqueeze
from course_lib.ops.views import movedim, transpose

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
    errors.check_quantile(name, input, q, how)
    ndim, dtype = input._array.ndim, input._array.dtype
    parts = q._array if isinstance(q, Tensor) else dtype.type(q)
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
    ranks = ranks_of(ordered._array, np.atleast_1d(parts), name == "nanquantile")
    if how in ("lower", "higher", "nearest"):
        ranks = {"lower": np.floor, "higher": np.ceil, "nearest": np.rint}[how](ranks)
    below = gather(ordered, -1, places(np.floor(ranks)))
    if how in ("linear", "midpoint"):
        weight = np.full_like(ranks, 0.5) if how == "midpoint" else ranks - np.floor(ranks)
        above = gather(ordered, -1, places(np.ceil(ranks)))
        below = lerp(below, above, Tensor._make(weight, input._dtype))
    return movedim(below, -1, 0) if parts.ndim else squeeze(below, -1)


def ranks_of(ordered: Any, parts: Any, skip_nan: bool) -> Any:
    """Which places of the sorted elements are meant, as numbers with fractions."""
    missing = np.sum(np.isnan(ordered), axis=-1, keepdims=True)
    last = ordered.shape[-1] - 1
    if skip_nan:
        return np.maximum(parts * (last - missing), 0).astype(ordered.dtype)
    return np.where(missing > 0, last, parts * ordered.dtype.type(last)).astype(ordered.dtype)


def places(ranks: Any) -> Tensor:
    """Whole ranks as indices."""
    return Tensor._make(ranks.astype(np.int64), dtypes.int64)
