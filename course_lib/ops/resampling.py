"""Resampling: a series, an image or a volume with another number of places.

Along each dimension a new place is a mixture of a few old ones, its *taps*: of one (nearest), two
(linear) or four (cubic).  The dimensions are treated one after the other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.forms.declare import op
from course_lib.ops.padding import taken

__all__: list[str] = []

Array = Any
Taps = list[tuple[Array, Array]]  # for each tap, which place is read and with what weight
CUBIC = -0.75


# ---- which places, and how much of each ----------------------------------------------------------


def step_of(size: int, out: int, factor: float | None, corners: bool) -> float:
    """How far apart two new places are, measured in old ones."""
    if corners:
        return (size - 1) / (out - 1) if out > 1 else 0.0
    return 1 / factor if factor else size / out


def nearest_places(size: int, out: int, factor: float | None, exact: bool) -> Array:
    """The old place that each new one shows; computed in float32, as PyTorch does."""
    step = np.float32(step_of(size, out, factor, False))
    at = np.arange(out, dtype=np.float32) + np.float32(0.5 if exact else 0)
    return np.minimum(np.floor(at * step).astype(np.int64), size - 1)


def linear_taps(size: int, out: int, factor: float | None, corners: bool) -> Taps:
    """Two neighbours, and how near each is."""
    step, new = step_of(size, out, factor, corners), np.arange(out)
    at = new * step if corners else np.maximum((new + 0.5) * step - 0.5, 0)
    low = np.minimum(np.floor(at).astype(np.int64), size - 1)
    share = np.minimum(at - low, 1)
    return [(low, 1 - share), (np.minimum(low + 1, size - 1), share)]


def cubic_taps(size: int, out: int, factor: float | None, corners: bool) -> Taps:
    """Four neighbours, weighted by the cubic convolution."""
    step, new = step_of(size, out, factor, corners), np.arange(out)
    at = new * step if corners else (new + 0.5) * step - 0.5
    low = np.floor(at).astype(np.int64)
    taps = []
    for n in (-1, 0, 1, 2):
        gap = np.abs(at - (low + n))
        near = ((CUBIC + 2) * gap - (CUBIC + 3)) * gap * gap + 1
        far = ((CUBIC * gap - 5 * CUBIC) * gap + 8 * CUBIC) * gap - 4 * CUBIC
        taps.append((np.clip(low + n, 0, size - 1), np.where(gap <= 1, near, far)))
    return taps


# ---- the operations ------------------------------------------------------------------------------


def mixed(name: str, node: str) -> Any:
    """Declare an operation that mixes taps, for one node name."""

    @op(
        kind="same",
        layout="contiguous",
        method=False,
        name=name,
        node=node,
        operands=("self",),
        check=errors.check_resampling(name),
        self=lambda grad, self_shape, taps: unmixed(grad, self_shape, taps),
    )
    def mix(self: Any, taps: Any) -> Any:
        for axis, found in enumerate(taps, start=2):
            wide = (-1,) + (1,) * (self.ndim - axis - 1)
            self = sum(
                np.take(self, places, axis) * weights.astype(self.dtype).reshape(wide)
                for places, weights in found
            )
        return self

    return mix


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, taps: mixed_again(grad, taps),
)
def unmixed(self: Any, shape: Any, taps: Any) -> Any:
    """The adjoint of mixing: each place's share, added where it came from."""
    for axis, found in enumerate(taps, start=2):
        wide = (-1,) + (1,) * (self.ndim - axis - 1)
        whole = np.zeros((*self.shape[:axis], shape[axis], *self.shape[axis + 1 :]), self.dtype)
        for places, weights in found:
            part = self * weights.astype(self.dtype).reshape(wide)
            np.add.at(np.moveaxis(whole, axis, 0), places, np.moveaxis(part, axis, 0))
        self = whole
    return self


mixed_again = mixed("_mixed_again", "MulBackward0")
MIXERS = {
    ("linear", 1): mixed("upsample_linear1d", "UpsampleLinear1DBackward0"),
    ("bilinear", 2): mixed("upsample_bilinear2d", "UpsampleBilinear2DBackward0"),
    ("trilinear", 3): mixed("upsample_trilinear3d", "UpsampleTrilinear3DBackward0"),
    ("bicubic", 2): mixed("upsample_bicubic2d", "UpsampleBicubic2DBackward0"),
}
READERS = {
    ("nearest", n): taken(f"upsample_nearest{n}d", f"UpsampleNearest{n}DBackward0")
    for n in (1, 2, 3)
} | {
    ("nearest-exact", n): taken(
        f"_upsample_nearest_exact{n}d", f"UpsampleNearestExact{n}DBackward0"
    )
    for n in (1, 2, 3)
}


def resampled(input: Any, mode: str, sizes: Any, factors: Any, corners: bool) -> Tensor:
    """The input with `sizes` places; `factors` are what was asked for, if it was not sizes."""
    olds = input._array.shape[2:]
    errors.check_resampled_sizes(olds, sizes)
    places: list[Any] = []
    for size, out, factor in zip(olds, sizes, factors, strict=True):
        if (mode, len(olds)) in READERS:
            places.append(nearest_places(size, out, factor, mode == "nearest-exact"))
        else:
            taps = cubic_taps if mode == "bicubic" else linear_taps
            places.append(taps(size, out, factor, corners))
    if (mode, len(olds)) in MIXERS:
        found: Tensor = MIXERS[mode, len(olds)](input, places)
        return found
    errors.check_nearest(input, len(olds))
    whole = [np.arange(n) for n in input._array.shape[:2]]
    shown: Tensor = READERS[mode, len(olds)](input, [*whole, *places])
    return shown


def new_sizes(input: Any, factors: Any) -> tuple[int, ...]:
    """The sizes that come of multiplying, rounded down."""
    return tuple(
        math.floor(float(size) * factor)
        for size, factor in zip(input._array.shape[2:], factors, strict=True)
    )
