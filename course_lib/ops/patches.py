"""Patches of images as columns (`unfold`), and columns added up to images again (`fold`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.forms.declare import op
from course_lib.ops.convolution import columns, padded, put_back, repeated, windows

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
def image_to_columns(self: Any, kernel: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    single = self.ndim == 3
    x = self[None] if single else self
    out = blocks(x.shape[2:], kernel, stride, padding, dilation)
    found = columns(windows(padded(x, padding), kernel, stride, dilation), out, 1)[:, 0]
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
def columns_to_image(
    self: Any, size: Any, kernel: Any, stride: Any, padding: Any, dilation: Any
) -> Any:
    single = self.ndim == 2
    x = self[None] if single else self
    chans = x.shape[1] // math.prod(kernel)
    places = blocks(size, kernel, stride, padding, dilation)
    parts = np.reshape(x, (x.shape[0], chans, *kernel, *places))
    found = put_back(parts, (x.shape[0], chans, *size), stride, padding, dilation)
    return found[0] if single else found


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
    kernel, step = repeated(kernel_size, 2, "kernel_size"), repeated(stride, 2, "stride")
    margin, gap = repeated(padding, 2, "padding"), repeated(dilation, 2, "dilation")
    shape = input._array.shape
    errors.check_unfold(shape, kernel, gap, margin, step)
    found: Tensor = image_to_columns(input, kernel, step, margin, gap)
    return found


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
    size = repeated(output_size, 2, "output_size")
    kernel, step = repeated(kernel_size, 2, "kernel_size"), repeated(stride, 2, "stride")
    margin, gap = repeated(padding, 2, "padding"), repeated(dilation, 2, "dilation")
    errors.check_fold(input._array.shape, size, kernel, gap, margin, step)
    found: Tensor = columns_to_image(input, size, kernel, step, margin, gap)
    return found
