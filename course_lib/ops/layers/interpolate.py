"""Resampling: a series, an image or a volume with another number of places.

Along each dimension a new place is a mixture of a few old ones, its *taps*: of one (nearest), two
(linear) or four (cubic), or of as many as it covers (antialias).  The dimensions are treated one
after the other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.memory_formats import in_format_of
from course_lib.ops.layers.padding import add_along, taken
from course_lib.words import errors

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


# ---- all old places that a new one covers --------------------------------------------------------


def triangle(gap: Array) -> Array:
    """The weights of linear mixing."""
    return np.maximum(1 - gap, 0)


def cubic(gap: Array) -> Array:
    """The weights of cubic mixing; for a smaller image another curve than above."""
    near = (1.5 * gap - 2.5) * gap * gap + 1
    far = ((-0.5 * gap + 2.5) * gap - 4) * gap + 2
    return np.where(gap < 1, near, np.where(gap < 2, far, 0))


def lanczos(gap: Array) -> Array:
    """The weights of Lanczos: a sinc that is cut off by a wider one."""
    return np.where(gap < 3, np.sinc(gap) * np.sinc(gap / 3), 0)


CURVES = {"bilinear": (triangle, 1), "bicubic": (cubic, 2), "lanczos": (lanczos, 3)}


def covering_taps(mode: str, size: int, out: int, factor: float | None, corners: bool) -> Taps:
    """All places under a curve, which is as wide as a new place, but not narrower than an old."""
    curve, reach = CURVES[mode]
    step = step_of(size, out, factor, corners)
    wide = max(step, 1.0)
    centre = step * (np.arange(out) + 0.5)
    first = np.maximum((centre - reach * wide + 0.5).astype(np.int64), 0)
    last = np.minimum((centre + reach * wide + 0.5).astype(np.int64), size)
    most = int(np.max(last - first, initial=1))
    places = first[:, None] + np.arange(most)
    weights = curve(np.abs((places - centre[:, None] + 0.5) / wide))
    weights = np.where(places < last[:, None], weights, 0)
    weights = weights / np.add.reduce(weights, axis=1, keepdims=True)
    return list(zip(np.minimum(places, size - 1).T, weights.T, strict=True))


# ---- bytes ---------------------------------------------------------------------------------------


def mixed_bytes(x: Array, axis: int, taps: Taps) -> Array:
    """Bytes mixed along one dimension with whole numbers, as PyTorch does it for speed.

    The weights become 16-bit numbers, as large as fits; a new byte is a shifted sum.
    """
    matrix = np.zeros((len(taps[0][0]), x.shape[axis]))
    for places, weights in taps:
        np.add.at(matrix, (np.arange(len(places)), places), weights)
    bits = 0
    while bits < 22 and int(0.5 + np.max(matrix) * (1 << (bits + 1))) < 1 << 15:
        bits += 1
    scaled = matrix * (1 << bits)
    whole = np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int64)
    rows = np.moveaxis(x, axis, -1).astype(np.int64)
    sums = (np.matmul(rows, whole.T) + (1 << bits >> 1)) >> bits
    return np.moveaxis(np.clip(sums, 0, 255).astype(np.uint8), -1, axis)


# ---- the operations ------------------------------------------------------------------------------


def mixed(name: str, node: str) -> Any:
    """Declare an operation that mixes taps, for one node name."""

    @op(
        kind="same",
        layout="kernel",
        method=False,
        name=name,
        node=node,
        operands=("self",),
        check=errors.check_resampling(name),
        self=lambda grad, self_shape, taps: unmixed(grad, self_shape, taps),
    )
    def mix(self, taps):
        mixture = self
        if self.dtype == np.uint8:
            for axis in range(self.ndim - 1, 1, -1):
                if len(taps[axis - 2][0][0]) != self.shape[axis]:
                    mixture = mixed_bytes(mixture, axis, taps[axis - 2])
            return in_format_of(mixture, self)
        for axis, found in enumerate(taps, start=2):
            wide = (-1,) + (1,) * (self.ndim - axis - 1)
            mixture = sum(
                np.take(mixture, places, axis) * weights.astype(self.dtype).reshape(wide)
                for places, weights in found
            )
        return in_format_of(mixture, self)

    return mix


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    self=lambda grad, taps: mixed_again(grad, taps),
)
def unmixed(self, shape, taps):
    """The adjoint of mixing: each place's share, added where it came from."""
    parts = self
    for axis, found in enumerate(taps, start=2):
        wide = (-1,) + (1,) * (self.ndim - axis - 1)
        whole = np.zeros((*parts.shape[:axis], shape[axis], *parts.shape[axis + 1 :]), self.dtype)
        for places, weights in found:
            part = parts * weights.astype(self.dtype).reshape(wide)
            add_along(whole, part, axis, places)
        parts = whole
    return in_format_of(parts, self)


mixed_again = mixed("_mixed_again", "MulBackward0")
MIXERS = {
    ("linear", 1): mixed("upsample_linear1d", "UpsampleLinear1DBackward0"),
    ("bilinear", 2): mixed("upsample_bilinear2d", "UpsampleBilinear2DBackward0"),
    ("trilinear", 3): mixed("upsample_trilinear3d", "UpsampleTrilinear3DBackward0"),
    ("bicubic", 2): mixed("upsample_bicubic2d", "UpsampleBicubic2DBackward0"),
}
COVERS = {
    "bilinear": mixed("_upsample_bilinear2d_aa", "UpsampleBilinear2DAaBackward0"),
    "bicubic": mixed("_upsample_bicubic2d_aa", "UpsampleBicubic2DAaBackward0"),
    "lanczos": mixed("_upsample_lanczos2d_aa", "UpsampleLanczos2DAaBackward0"),
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


def resampled(
    input: Any, mode: str, sizes: Any, factors: Any, corners: bool, antialias: bool
) -> Tensor:
    """The input with `sizes` places; `factors` are what was asked for, if it was not sizes."""
    olds = input._array.shape[2:]
    errors.check_resampled_sizes(input._array.shape, sizes)
    each = list(zip(olds, sizes, factors, strict=True))
    if antialias:
        return COVERS[mode](input, [covering_taps(mode, *numbers, corners) for numbers in each])
    if (mode, len(olds)) in MIXERS:
        taps = cubic_taps if mode == "bicubic" else linear_taps
        return MIXERS[mode, len(olds)](input, [taps(*numbers, corners) for numbers in each])
    errors.check_nearest(input, len(olds))
    places = [nearest_places(*numbers, mode == "nearest-exact") for numbers in each]
    whole = [np.arange(n) for n in input._array.shape[:2]]
    return READERS[mode, len(olds)](input, [*whole, *places])


def new_sizes(input: Any, factors: Any) -> tuple[int, ...]:
    """The sizes that come of multiplying, rounded down."""
    return tuple(
        math.floor(float(size) * factor)
        for size, factor in zip(input._array.shape[2:], factors, strict=True)
    )
