"""Patches of images as columns (`unfold`), and columns added up to images again (`fold`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.ops.layers.convolution import Plan, framed, windows
from course_lib.words import errors

__all__: list[str] = []


def blocks(size: Any, kernel: Any, stride: Any, padding: Any, dilation: Any) -> tuple:
    """How many windows fit along each dimension."""
    return tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(size, kernel, stride, padding, dilation, strict=True)
    )


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    node="Im2ColBackward0",
    operands=("self",),
    self=lambda grad, self_shape, kernel, stride, padding, dilation: columns_to_image(
        grad, self_shape[-2:], kernel, stride, padding, dilation
    ),
)
def image_to_columns(self, kernel, stride, padding, dilation):
    single = self.ndim == 3
    x = self[None] if single else self
    out = blocks(x.shape[2:], kernel, stride, padding, dilation)
    wide = framed(x, padding, tuple(n + 2 * p for n, p in zip(x.shape[2:], padding)))
    seen = windows(wide, kernel, stride, dilation).transpose(0, 1, 4, 5, 2, 3)
    found = seen.reshape(len(x), x.shape[1] * math.prod(kernel), math.prod(out))
    return found[0] if single else found


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    node="Col2ImBackward0",
    operands=("self",),
    self=lambda grad, kernel, stride, padding, dilation: image_to_columns(
        grad, kernel, stride, padding, dilation
    ),
)
def columns_to_image(self, size, kernel, stride, padding, dilation):
    single = self.ndim == 2
    x = self[None] if single else self
    chans = x.shape[1] // math.prod(kernel)
    places = blocks(size, kernel, stride, padding, dilation)
    wide = tuple(n + 2 * p for n, p in zip(size, padding, strict=True))
    plan = Plan(wide, kernel, places, stride, dilation)
    long = np.zeros((chans, math.prod(plan.stride), len(x) * plan.area), x.dtype)
    rows = plan.spaced_long(np.reshape(x, (len(x), x.shape[1], *places)))
    plan.put_back(rows, long, slice(0, len(x)))
    found = plan.image(long, padding, size)
    return found[0] if single else found


def both(value: Any, name: str) -> tuple[int, ...]:
    """One number for the rows and one for the columns."""
    found = (value, value) if isinstance(value, int) else tuple(value)
    if len(found) != 2:
        raise RuntimeError(errors.not_two(name, len(found)))
    return found


def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Every window of an image as a column.

    >>> x = torch.arange(6.).view(1, 1, 2, 3)
    >>> torch.nn.functional.unfold(x, 2)
    tensor([[[0., 1.],
             [1., 2.],
             [3., 4.],
             [4., 5.]]])
    """
    kernel, gap = both(kernel_size, "kernel_size"), both(dilation, "dilation")
    margin, step = both(padding, "padding"), both(stride, "stride")
    shape = input._array.shape
    errors.check_unfold(shape, kernel, gap, margin, step)
    return image_to_columns(input, kernel, step, margin, gap)


def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """The sum of windows, each a column, at their places in an image.

    >>> torch.nn.functional.fold(torch.ones(1, 4, 2), (2, 3), 2)
    tensor([[[[1., 2., 1.],
              [1., 2., 1.]]]])
    """
    size = both(output_size, "output_size")
    kernel, gap = both(kernel_size, "kernel_size"), both(dilation, "dilation")
    margin, step = both(padding, "padding"), both(stride, "stride")
    errors.check_fold(input._array.shape, size, kernel, gap, margin, step)
    return columns_to_image(input, size, kernel, step, margin, gap)
