"""Resampling: a series or an image with another number of places.

Along each dimension a new place shows the nearest old one, or (bilinear) a mixture of two.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.ops.layers.padding import taken
from course_lib.words import errors

__all__: list[str] = []

Array = Any


def step_of(size: int, out: int, factor: float | None, corners: bool = False) -> float:
    """How far apart two new places are, measured in old ones."""
    if corners:
        return (size - 1) / (out - 1) if out > 1 else 0.0
    return 1 / factor if factor else size / out


def nearest_places(size: int, out: int, factor: float | None) -> Array:
    """The old place that each new one shows; computed in float32, as PyTorch does."""
    at = np.arange(out, dtype=np.float32) * np.float32(step_of(size, out, factor))
    return np.minimum(np.floor(at).astype(np.int64), size - 1)


def mixture(size: int, out: int, factor: float | None, corners: bool, dtype: Any) -> Array:
    """A matrix that mixes: row i has the shares of the two old places next to the new place i."""
    step, new = step_of(size, out, factor, corners), np.arange(out)
    at = new * step if corners else np.maximum((new + 0.5) * step - 0.5, 0)
    low = np.minimum(np.floor(at).astype(np.int64), size - 1)
    share = np.minimum(at - low, 1)
    matrix = np.zeros((out, size))
    matrix[new, low] = 1 - share
    matrix[new, np.minimum(low + 1, size - 1)] += share
    return matrix.astype(dtype)


@op(
    kind="same",
    layout="contiguous",
    method=False,
    name="upsample_bilinear2d",
    node="UpsampleBilinear2DBackward0",
    operands=("self",),
    refuses=errors.check_resampling("upsample_bilinear2d"),
    self=lambda grad, rows, columns: unmixed(grad, rows, columns),
)
def mixed(self, rows, columns):
    """Images of which each row and each column is a mixture of old ones."""
    return np.matmul(np.matmul(rows, self), columns.T)


@op(
    kind="same",
    layout="contiguous",
    method=False,
    operands=("self",),
    self=lambda grad, rows, columns: mixed(grad, rows, columns),
)
def unmixed(self, rows, columns):
    """The adjoint of mixing: each place's share, added where it came from."""
    return np.matmul(np.matmul(rows.T, self), columns)


READERS = {n: taken(f"upsample_nearest{n}d", f"UpsampleNearest{n}DBackward0") for n in (1, 2)}


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The input with `size` places, or `scale_factor` times as many.

    `mode` is "nearest" (series and images) or "bilinear" (images).

    >>> torch.nn.functional.interpolate(torch.tensor([[[1., 2.]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    shape = input._array.shape
    if mode in ("nearest", "nearest-exact", "area") and align_corners is not None:
        raise ValueError(errors.RESAMPLING_CORNERS)
    sizes, factors = wanted(shape[2:], size, scale_factor)
    errors.check_resampling_mode(len(shape), mode)
    if mode not in ("nearest", "bilinear") or len(shape) > 4 or input._dtype.name == "uint8":
        of = f"of a {len(shape)}-dimensional {input._dtype.name} tensor, mode={mode!r}"
        raise NotImplementedError(errors.absent(f"torch.nn.functional.interpolate({of})"))
    errors.check_resampled_sizes(shape, sizes)
    each = list(zip(shape[2:], sizes, factors, strict=True))
    if mode == "bilinear":
        dtype = input._array.dtype
        rows, columns = (mixture(*numbers, bool(align_corners), dtype) for numbers in each)
        return mixed(input, rows, columns)
    errors.check_nearest(input, len(sizes))
    return READERS[len(sizes)](input, [nearest_places(*numbers) for numbers in each])


def wanted(
    spatial: tuple[int, ...], size: Any, scale_factor: Any
) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """The new sizes (products are rounded down), and the factors if they were given."""
    if size is not None and scale_factor is not None:
        raise ValueError(errors.RESAMPLING_BOTH)
    if size is None and scale_factor is None:
        raise ValueError(errors.RESAMPLING_SIZE)
    given = size if size is not None else scale_factor
    found = tuple(given) if isinstance(given, (tuple, list)) else (given,) * len(spatial)
    if len(found) != len(spatial):
        what = "output" if size is not None else "scale_factor"
        raise ValueError(errors.resampling_count(what, given, spatial))
    if size is not None:
        return found, (None,) * len(found)
    sizes = (math.floor(float(n) * factor) for n, factor in zip(spatial, found, strict=True))
    return tuple(sizes), found


def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """`interpolate`, by its old name."""
    errors.warn(errors.UPSAMPLE)
    return interpolate(input, size, scale_factor, mode, align_corners)
