"""Reductions: many elements to one."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.forms.declare import op
from course_lib.ops.views import expand

__all__ = ["mean", "sum"]


@op(
    kind="sum",
    layout="contiguous",
    inplace=False,
    operands=("self",),
    self=lambda grad, self_shape: expand(grad, self_shape),
)
def sum(self: Any, *, dtype: Any = None) -> Any:
    """The sum of all elements.

    >>> torch.tensor([1., 2.]).sum()
    tensor(3.)
    """
    return np.sum(self)


@op(
    kind="mean",
    layout="contiguous",
    inplace=False,
    operands=("self",),
    self=lambda grad, self_shape: expand(grad, self_shape) / count(self_shape),
)
def mean(self: Any, *, dtype: Any = None) -> Any:
    """The mean of all elements.

    >>> torch.tensor([1., 2.]).mean()
    tensor(1.5000)
    """
    return np.mean(self)


def count(shape: Any) -> int:
    """The number of elements of a shape."""
    total = 1
    for n in shape:
        total *= n
    return total
