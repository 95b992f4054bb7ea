"""Padding a tensor: with a constant, mirrored or repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.words import errors

__all__ = ["constant_pad_nd"]


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    refuses=errors.check_constant_pad,
    self=lambda grad, pad: constant_pad_nd(grad, tuple(-n for n in pad), 0),
)
def constant_pad_nd(self, pad, value=0):
    """The tensor padded with one value around its last dimensions; negative numbers crop.

    >>> torch.constant_pad_nd(torch.tensor([1, 2, 3]), (1, -1))
    tensor([0, 1, 2])
    """
    first = self.ndim - len(pad) // 2  # of the dimensions that are padded
    shape, kept, spots = list(self.shape), [...], [...]
    for dim, before, after in zip(range(first, self.ndim), pad[-2::-2], pad[::-2], strict=True):
        size = shape[dim]
        kept.append(slice(max(-before, 0), size - max(-after, 0)))
        shape[dim] = size + before + after
        spots.append(slice(max(before, 0), shape[dim] - max(after, 0)))
    whole = np.full_like(self, self.dtype.type(value), shape=shape, order="C")
    whole[tuple(spots)] = self[tuple(kept)]
    return whole


# ---- margins taken from the tensor itself --------------------------------------------------------


def taken(name: str, node: str, keeps: bool = False) -> Any:
    """Declare an operation that reads the last dimensions at given places, for one node name.

    `keeps`: PyTorch saves the input, so that it must not change before the backward pass.
    """
    kept = lambda grad, self, places: added_back(grad, self.shape, places)  # noqa: E731
    forgot = lambda grad, self_shape, places: added_back(grad, self_shape, places)  # noqa: E731

    @op(
        kind="same",
        layout="contiguous",
        method=False,
        name=name,
        node=node,
        operands=("self",),
        self=kept if keeps else forgot,
    )
    def read(self, places):
        for axis, spots in enumerate(places, self.ndim - len(places)):
            self = np.take(self, spots, axis)
        return self

    return read


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, places: read_again(grad, places),
)
def added_back(self, shape, places):
    """The adjoint of reading at `places`: each element is added where it came from."""
    for axis, spots in enumerate(places, self.ndim - len(places)):
        part = self
        self = np.zeros((*part.shape[:axis], shape[axis], *part.shape[axis + 1 :]), part.dtype)
        np.add.at(self, (*[slice(None)] * axis, spots), part)
    return self


read_again = taken("_read_again", "IndexBackward0")
READERS = {
    (mode, n): taken(f"{word}_pad{n}d", f"{word.title()}Pad{n}DBackward0", True)
    for mode, word in (("reflect", "reflection"), ("replicate", "replication"))
    for n in (1, 2)
}


def places_of(mode: str, size: int, before: int, after: int) -> Any:
    """For each place of a padded dimension, the index of its element in the original one."""
    at = np.arange(-before, size + after, dtype=np.int64)
    if mode == "replicate":
        return np.clip(at, 0, size - 1)
    period = max(2 * (size - 1), 1)
    return (size - 1) - np.abs((size - 1) - at % period) if size > 1 else at * 0


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """The tensor padded around its last dimensions.

    `pad` lists the margins in pairs (before, after), beginning with the last dimension.

    >>> torch.nn.functional.pad(torch.tensor([1, 2, 3]), (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    >>> torch.nn.functional.pad(torch.tensor([[1., 2., 3.]]), (2, 0), mode="reflect")
    tensor([[3., 2., 1., 2., 3.]])
    """
    pad = tuple(pad)
    if mode == "constant":
        return constant_pad_nd(input, pad, 0 if value is None else value)
    shape, n = input._array.shape, len(pad) // 2
    errors.check_pad(shape, pad, mode, value)
    if (mode, n) not in READERS:
        where = "of three dimensions, " if n > 2 else ""
        raise NotImplementedError(errors.absent(f"torch.nn.functional.pad({where}mode={mode!r})"))
    margins = zip(shape[: -n - 1 : -1], pad[::2], pad[1::2], strict=True)
    return READERS[mode, n](input, [places_of(mode, *numbers) for numbers in margins][::-1])
