"""Margins around a tensor: constant, mirrored, repeated or from the other side."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.forms.declare import op

__all__ = ["constant_pad_nd"]


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    check=errors.check_constant_pad,
    self=lambda grad, pad: constant_pad_nd(grad, tuple(-n for n in pad), 0),
)
def constant_pad_nd(self: Any, pad: Any, value: Any = 0) -> Any:
    """More places around the last dimensions, all of one value; negative numbers cut off.

    >>> torch.constant_pad_nd(torch.tensor([1, 2, 3]), (1, -1))
    tensor([0, 1, 2])
    """
    pairs = [(0, 0)] * (self.ndim - len(pad) // 2) + list(zip(pad[-2::-2], pad[::-2], strict=True))
    kept = [slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(self.shape, pairs, strict=True)]
    shape = tuple(n + a + b for n, (a, b) in zip(self.shape, pairs, strict=True))
    fill = self.dtype.type(value)
    whole = np.full_like(self, fill, shape=shape, order="C")
    spots = [slice(max(a, 0), n - max(b, 0)) for n, (a, b) in zip(shape, pairs, strict=True)]
    whole[tuple(spots)] = self[tuple(kept)]
    return whole


# ---- margins taken from the tensor itself --------------------------------------------------------


def taken(name: str, node: str) -> Any:
    """Declare an operation that reads each dimension at given places, for one node name."""

    @op(
        kind="same",
        layout="contiguous",
        method=False,
        name=name,
        node=node,
        operands=("self",),
        self=lambda grad, self_shape, places: added_back(grad, self_shape, places),
    )
    def read(self: Any, places: Any) -> Any:
        return self[np.ix_(*places)]

    return read


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, places: read_again(grad, places),
)
def added_back(self: Any, shape: Any, places: Any) -> Any:
    """The adjoint of reading at `places`: each element added where it came from."""
    for axis, (size, spots) in enumerate(zip(shape, places, strict=True)):
        if len(spots) != size or np.any(spots != np.arange(size)):
            whole = np.zeros((*self.shape[:axis], size, *self.shape[axis + 1 :]), self.dtype)
            np.add.at(np.moveaxis(whole, axis, 0), spots, np.moveaxis(self, axis, 0))
            self = whole
    return self


read_again = taken("_read_again", "IndexBackward0")
READERS = {
    ("reflect", 1): taken("reflection_pad1d", "ReflectionPad1DBackward0"),
    ("reflect", 2): taken("reflection_pad2d", "ReflectionPad2DBackward0"),
    ("reflect", 3): taken("reflection_pad3d", "ReflectionPad3DBackward0"),
    ("replicate", 1): taken("replication_pad1d", "ReplicationPad1DBackward0"),
    ("replicate", 2): taken("replication_pad2d", "ReplicationPad2DBackward0"),
    ("replicate", 3): taken("replication_pad3d", "ReplicationPad3DBackward0"),
    ("circular", 1): taken("_pad_circular1d", "CopySlices"),
    ("circular", 2): taken("_pad_circular2d", "CopySlices"),
    ("circular", 3): taken("_pad_circular3d", "CopySlices"),
}


def places_of(mode: str, size: int, before: int, after: int) -> Any:
    """Which element of a dimension stands at each place of the padded one."""
    if mode == "circular":  # negative numbers cut off first: what is left goes round
        start, end = max(-before, 0), size - max(-after, 0)
        return start + np.arange(-max(before, 0), end - start + max(after, 0)) % (end - start)
    at = np.arange(-before, size + after)
    if mode == "replicate":
        return np.clip(at, 0, size - 1)
    period = max(2 * (size - 1), 1)
    return (size - 1) - np.abs((size - 1) - at % period) if size > 1 else at * 0


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """More places around the last dimensions, listed in pairs from the last dimension on.

    >>> torch.nn.functional.pad(torch.tensor([1, 2, 3]), (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    >>> torch.nn.functional.pad(torch.tensor([[1., 2., 3.]]), (2, 0), mode="reflect")
    tensor([[3., 2., 1., 2., 3.]])
    """
    pad = tuple(pad)
    if mode == "constant":
        found: Tensor = constant_pad_nd(input, pad, 0 if value is None else value)
        return found
    shape = input._array.shape
    errors.check_pad(shape, pad, mode, value)
    places = [np.arange(n) for n in shape]
    for turn in range(len(pad) // 2):
        axis = len(shape) - 1 - turn
        places[axis] = places_of(mode, shape[axis], pad[2 * turn], pad[2 * turn + 1])
    result: Tensor = READERS[mode, len(pad) // 2](input, places)
    return result
