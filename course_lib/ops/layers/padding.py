"""Padding a tensor with a constant."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, refuse
from course_lib.core.tensor import Tensor
from course_lib.ops.layers import layer_op
from course_lib.words import errors

__all__ = ["constant_pad_nd"]


def croppable(self: Any, pad: Any) -> None:
    """Raise if more is cropped than there is."""
    for size, before, after in zip(self._array.shape[::-1], pad[::2], pad[1::2], strict=False):
        refuse(size + min(before, after, before + after) < 0, errors.NARROW_LENGTH)


@layer_op(
    "same",
    refuses=(
        Rule(lambda pad: len(pad) % 2, errors.ODD_PADDING),
        Rule(lambda self, pad: len(pad) > 2 * self._array.ndim, errors.long_padding),
        croppable,
    ),
    self=lambda grad, pad: constant_pad_nd(grad, tuple(-n for n in pad), 0),
)
def constant_pad_nd(self, pad, value=0):
    """The tensor padded with one value around its last dimensions; negative numbers crop.

    >>> torch.constant_pad_nd(torch.tensor([1, 2, 3]), (1, -1))
    tensor([0, 1, 2])
    """
    edges = [(0, 0)] * (self.ndim - len(pad) // 2)
    edges += zip(pad[-2::-2], pad[::-2], strict=True)
    sizes = zip(self.shape, edges, strict=True)
    kept = [slice(max(-one, 0), size - max(-other, 0)) for size, (one, other) in sizes]
    more = [(max(one, 0), max(other, 0)) for one, other in edges]
    part = self[(..., *kept)]
    return np.pad(part, more, constant_values=self.dtype.type(value)) if more else part


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """The tensor padded around its last dimensions.

    `pad` lists the margins in pairs (before, after), beginning with the last dimension.

    >>> torch.nn.functional.pad(torch.tensor([1, 2, 3]), (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    """
    if mode == "constant":
        return constant_pad_nd(input, tuple(pad), 0 if value is None else value)
    if mode in ("reflect", "replicate", "circular"):
        raise NotImplementedError(errors.absent(f"torch.nn.functional.pad(mode={mode!r})"))
    raise NotImplementedError(errors.unknown_padding(mode))
