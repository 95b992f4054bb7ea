"""Images with another number of pixels, as functions."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.layers import interpolate as resampling
from course_lib.ops.layers.adaptive_pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
)
from course_lib.words import errors

AREA = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}
ALIGNED = ("linear", "bilinear", "bicubic", "trilinear", "lanczos")


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """The input with `size` places, or `scale_factor` times as many.

    `mode` is "nearest", "nearest-exact", "linear" (series), "bilinear" or "bicubic" (images),
    "trilinear" (volumes) or "area".  With `antialias`, a pixel of a smaller image mixes all pixels
    that it covers.

    >>> torch.nn.functional.interpolate(torch.tensor([[[1., 2.]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    >>> torch.nn.functional.interpolate(torch.tensor([[[1., 2.]]]), 4, mode="linear")
    tensor([[[1.0000, 1.2500, 1.7500, 2.0000]]])
    """
    ndim = input._array.ndim
    if mode not in ALIGNED and align_corners is not None:
        raise ValueError(errors.RESAMPLING_CORNERS)
    sizes, factors = wanted(input, size, scale_factor)
    if recompute_scale_factor:
        if size is not None:
            raise ValueError(errors.RESAMPLING_RECOMPUTE)
        factors = (None,) * len(sizes)
    errors.check_antialias(ndim, mode, antialias, bool(align_corners))
    errors.check_resampling_mode(ndim, mode)
    if mode == "area":
        return AREA[ndim](input, sizes)
    return resampling.resampled(input, mode, sizes, factors, bool(align_corners), antialias)


def wanted(input: Tensor, size: Any, scale_factor: Any) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """The new sizes, and the factors if they were given."""
    if size is not None and scale_factor is not None:
        raise ValueError(errors.RESAMPLING_BOTH)
    if size is None and scale_factor is None:
        raise ValueError(errors.RESAMPLING_SIZE)
    spatial = input._array.shape[2:]
    given = size if size is not None else scale_factor
    found = tuple(given) if isinstance(given, (tuple, list)) else (given,) * len(spatial)
    if len(found) != len(spatial):
        what = "output" if size is not None else "scale_factor"
        raise ValueError(errors.resampling_count(what, given, spatial))
    if size is not None:
        return found, (None,) * len(found)
    return resampling.new_sizes(input, found), found


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
