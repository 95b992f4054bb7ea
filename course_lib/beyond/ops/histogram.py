"""Histograms with edges that one may choose: `torch.histogram`."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.beyond.ops.old_decompositions import named
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.ops.make.ranges import linspace
from course_lib.words import errors

__all__ = ["histogram"]


@op(
    kind="same",
    name="histogram_counts",
    node="NotImplemented",
    method=False,
    layout="contiguous",
    operands=("self",),
    returns=("hist", "bin_edges"),
    self=lambda grads: errors.raise_no_derivative("histogram"),
)
def counts(self, edges, weight, density):
    """The weights of the elements between each edge and the next; the last edge belongs to both."""
    elements = np.ravel(self)
    inside = np.logical_and(elements >= edges[0], elements <= edges[-1])
    part = np.searchsorted(edges, elements[inside], side="right") - 1
    weights = None if weight is None else np.ravel(weight)[inside]
    part = np.minimum(part, len(edges) - 2)
    hist = np.bincount(part, weights, minlength=len(edges) - 1).astype(self.dtype)
    return (hist / hist.sum() / np.diff(edges) if density else hist), edges.copy()


counts.op.Node.name = lambda node: "torch::autograd::NotImplemented"


def limits(input: Tensor, range: Any) -> tuple[float, float]:
    """The first and the last edge: those asked for, else the smallest and the largest element."""
    low, high = 0.0, 1.0
    if range is not None:
        low, high = (float(limit) for limit in range)
    elif input._array.size:
        low, high = float(np.min(input._array)), float(np.max(input._array))
    errors.check_limits(low, high)
    return (low - 0.5, high + 0.5) if low == high else (low, high)


@composite()
def histogram(
    input: Tensor,
    bins: Any = 100,
    *,
    range: Any = None,
    weight: Tensor | None = None,
    density: bool = False,
    out: Any = None,
) -> Any:
    """How many elements are in each bin, and the edges of the bins.

    `bins` is their number, or a tensor with their edges. Elements count as much as their `weight`;
    with `density`, the area under the histogram is 1.

    >>> torch.histogram(torch.tensor([1., 2., 1.]), bins=4, range=(0., 4.))
    torch.return_types.histogram(
    hist=tensor([0., 2., 1., 0.]),
    bin_edges=tensor([0., 1., 2., 3., 4.]))
    """
    if isinstance(bins, Tensor) and range is not None:
        raise TypeError("range")  # the front replaces this message by PyTorch's
    errors.check_histogram(input, bins, range, weight)
    if isinstance(bins, Tensor):
        edges = bins.clone()
    else:
        edges = linspace(*limits(input, range), bins + 1, dtype=input.dtype)
    hist, edges = counts(input, edges, weight, density)
    return named("histogram", {"hist": hist, "bin_edges": edges}, out)
