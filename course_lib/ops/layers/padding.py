"""Padding a tensor: with a constant, mirrored, repeated or wrapped around."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.memory_formats import in_format_of
from course_lib.modes import modes
from course_lib.ops.pick.slices import slice_
from course_lib.words import errors

__all__ = ["constant_pad_nd"]


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    check=errors.check_constant_pad,
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
    return in_format_of(whole, self)


# ---- margins taken from the tensor itself --------------------------------------------------------


def taken(name: str, node: str, keeps: bool = False) -> Any:
    """Declare an operation that reads each dimension at given places, for one node name.

    `keeps`: PyTorch saves the input, so that it must not change before the backward pass.
    """
    kept = lambda grad, self, places: added_back(grad, self.shape, places, self)  # noqa: E731
    forgot = lambda grad, self_shape, places: added_back(grad, self_shape, places)  # noqa: E731

    @op(
        kind="same",
        layout="kernel",
        method=False,
        name=name,
        node=node,
        operands=("self",),
        self=kept if keeps else forgot,
    )
    def read(self, places):
        found = self
        for axis, spots in enumerate(places):
            if moves(spots, self.shape[axis]):
                found = np.take(found, spots, axis)
        return in_format_of(found.copy() if found is self else found, self)

    return read


def moves(spots: Any, size: int) -> bool:
    """Whether reading a dimension at these places changes anything."""
    return len(spots) != size or bool(np.any(spots != np.arange(size)))


def add_along(whole: Any, part: Any, axis: int, spots: Any) -> None:
    """Add each slice of `part` along `axis` to that of `whole` at its place, in turn.

    All that go to different places are added at once: `np.add.at` takes eight times as long.
    """
    before, turn, turns = (slice(None),) * axis, [], {}
    for spot in spots.tolist():
        turns[spot] = turns.get(spot, -1) + 1
        turn.append(turns[spot])
    for number in range(max(turn, default=-1) + 1):
        now = np.flatnonzero(np.equal(turn, number))
        whole[(*before, spots[now])] += part[(*before, now)]


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    self=lambda grad, places: read_again(grad, places),
)
def added_back(self, shape, places, image=None):
    """The adjoint of reading at `places`: each element is added where it came from."""
    whole = self
    for axis, (size, spots) in enumerate(zip(shape, places, strict=True)):
        if moves(spots, size):
            part = whole
            whole = np.zeros((*part.shape[:axis], size, *part.shape[axis + 1 :]), self.dtype)
            add_along(whole, part, axis, spots)
    return in_format_of(whole, self if image is None else image)


read_again = taken("_read_again", "IndexBackward0")
READERS = {
    ("reflect", 1): taken("reflection_pad1d", "ReflectionPad1DBackward0", True),
    ("reflect", 2): taken("reflection_pad2d", "ReflectionPad2DBackward0", True),
    ("reflect", 3): taken("reflection_pad3d", "ReflectionPad3DBackward0", True),
    ("replicate", 1): taken("replication_pad1d", "ReplicationPad1DBackward0", True),
    ("replicate", 2): taken("replication_pad2d", "ReplicationPad2DBackward0", True),
    ("replicate", 3): taken("replication_pad3d", "ReplicationPad3DBackward0", True),
}


def places_of(mode: str, size: int, before: int, after: int) -> Any:
    """For each place of a padded dimension, the index of its element in the original one."""
    at = np.arange(-before, size + after, dtype=np.int64)
    if mode == "replicate":
        return np.clip(at, 0, size - 1)
    period = max(2 * (size - 1), 1)
    return (size - 1) - np.abs((size - 1) - at % period) if size > 1 else at * 0


def wrapped(input: Any, pad: Any) -> Tensor:
    """The tensor with circular padding: it continues periodically on all sides.

    It is written part by part, as in PyTorch, so that the graph is the same: first the middle, then
    each margin, copied from the other end of what has been written.
    """
    dims = [input._array.ndim - 1 - turn for turn in range(len(pad) // 2)]
    margins = list(zip(dims, pad[::2], pad[1::2], strict=True))
    shape = list(input._array.shape)
    for dim, before, after in margins:
        shape[dim] += before + after
    now = modes.now
    recorded = now.special or now.inference or (now.grad and input.requires_grad)
    if input._array.__class__ is np.ndarray and min(pad) >= 0 and not recorded:
        return read_around(input, margins)
    whole = input.new_empty(shape)
    middle = whole
    for dim, before, after in margins:
        middle = slice_(middle, dim, max(before, 0), shape[dim] - max(after, 0), 1)
        size = input._array.shape[dim]
        input = slice_(input, dim, max(-before, 0), size - max(-after, 0), 1)
    middle.copy_(input)
    for dim, before, after in margins[::-1]:
        end = shape[dim] - max(after, 0)
        if before > 0:
            part = slice_(whole, dim, end - before, end, 1)
            slice_(whole, dim, 0, before, 1).copy_(part)
        if after > 0:
            part = slice_(whole, dim, max(before, 0), max(before, 0) + after, 1)
            slice_(whole, dim, end, shape[dim], 1).copy_(part)
    return whole


def read_around(input: Tensor, margins: list[tuple[int, int, int]]) -> Tensor:
    """The same where no graph is made: the elements are looked up, dimension by dimension."""
    found = input._array
    for dim, before, after in margins:
        size = found.shape[dim]
        found = found.take(np.arange(-before, size + after) % size, dim)
    whole = Tensor._make(np.ascontiguousarray(found), input._dtype)
    whole._bump(1 + sum([(before > 0) + (after > 0) for _, before, after in margins]))
    return whole


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
    shape = input._array.shape
    errors.check_pad(shape, pad, mode, value)
    if mode == "circular":
        return wrapped(input, pad)
    places = [np.arange(n) for n in shape]
    for turn in range(len(pad) // 2):
        axis = len(shape) - 1 - turn
        places[axis] = places_of(mode, shape[axis], pad[2 * turn], pad[2 * turn + 1])
    return READERS[mode, len(pad) // 2](input, places)
