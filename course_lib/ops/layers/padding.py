"""Padding a tensor: with a constant, mirrored or repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule
from course_lib.core.tensor import Tensor
from course_lib.ops.layers import layer_op
from course_lib.words import errors

__all__ = ["constant_pad_nd"]


def croppable(self: Any, pad: Any) -> None:
    """Raise if more is cropped than there is."""
    for size, before, after in zip(self._array.shape[::-1], pad[::2], pad[1::2], strict=False):
        if size + min(before, after, before + after) < 0:
            raise RuntimeError(errors.NARROW_LENGTH)


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


# ---- margins taken from the tensor itself --------------------------------------------------------


def taken(name: str, node: str, formula: Any = None) -> Any:
    """Declare an operation that reads the last dimensions at given places, for one node name."""

    @layer_op(
        "same",
        name=name,
        node=node,
        self=formula or (lambda grad, self_shape, places: added_back(grad, self_shape, places)),
    )
    def read(self, places):
        for axis, spots in enumerate(places, self.ndim - len(places)):
            self = np.take(self, spots, axis)
        return self

    return read


@layer_op("same", self=lambda grad, places: read_again(grad, places))
def added_back(self, shape, places):
    """The adjoint of reading at `places`: each element is added where it came from."""
    for axis, spots in enumerate(places, self.ndim - len(places)):
        part = self
        self = np.zeros((*part.shape[:axis], shape[axis], *part.shape[axis + 1 :]), part.dtype)
        np.add.at(self, (*[slice(None)] * axis, spots), part)
    return self


read_again = taken("_read_again", "IndexBackward0")
# NB: PyTorch saves the input, so that it must not change before the backward pass.
READERS = {
    (mode, n): taken(
        f"{word}_pad{n}d",
        f"{word.title()}Pad{n}DBackward0",
        lambda grad, self, places: added_back(grad, self.shape, places),
    )
    for mode, word in (("reflect", "reflection"), ("replicate", "replication"))
    for n in (1, 2)
}


def places_of(mode: str, size: int, before: int, after: int) -> Any:
    """For each place of a padded dimension, the index of its element in the original one."""
    at = np.arange(-before, size + after, dtype=np.int64)
    if mode == "replicate":
        return np.clip(at, 0, size - 1)
    return size - 1 - np.abs(size - 1 - at % max(2 * (size - 1), 1))


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """The tensor padded around its last dimensions.

    `pad` lists the margins in pairs (before, after), beginning with the last dimension.

    >>> torch.nn.functional.pad(torch.tensor([1, 2, 3]), (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    >>> torch.nn.functional.pad(torch.tensor([[1., 2., 3.]]), (2, 0), mode="reflect")
    tensor([[3., 2., 1., 2., 3.]])
    """
    if not isinstance(input, Tensor):
        raise TypeError(errors.other_argument("pad", "input", 1, "Tensor", input))
    if isinstance(pad, int):
        raise TypeError(errors.other_argument("pad", "pad", 2, "tuple of ints", pad))
    pad = tuple(pad)
    if mode == "constant":
        return constant_pad_nd(input, pad, 0 if value is None else value)
    shape, n = input._array.shape, len(pad) // 2
    margins = list(zip(shape[: -n - 1 : -1], pad[::2], pad[1::2], strict=False))
    check_pad(shape, pad, mode, value, margins)
    if (mode, n) not in READERS:
        where = "of three dimensions, " if n > 2 else ""
        raise NotImplementedError(errors.absent(f"torch.nn.functional.pad({where}mode={mode!r})"))
    return READERS[mode, n](input, [places_of(mode, *numbers) for numbers in margins][::-1])


def check_pad(shape: Any, pad: Any, mode: str, value: Any, margins: list) -> None:
    """Raise unless the padding can be filled from the tensor in this mode."""
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(errors.unknown_padding(mode))
    if len(pad) % 2:
        raise RuntimeError(errors.ODD_PADDING)
    if value:
        raise RuntimeError(errors.padding_value(mode))
    n = len(pad) // 2
    if n not in (1, 2, 3) or len(shape) not in (n + 1, n + 2):
        raise NotImplementedError(errors.pad_combination(pad, shape))
    if mode != "circular" and 0 in shape[len(shape) - n - 1 :]:
        raise RuntimeError(errors.pad_of_empty(n + 1, n + 2, shape))
    for turn, (size, before, after) in enumerate(margins):
        if mode == "reflect" and max(before, after) >= size:
            at = len(shape) - 1 - turn
            raise RuntimeError(errors.wide_padding(4 + 2 * turn, before, after, at, shape))
