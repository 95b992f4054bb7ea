"""Resampling: a series or an image with another number of places.

Along each dimension a new place shows the nearest old one, or (bilinear) a mixture of two.
"""

import functools
import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import choose
from course_lib.calls.rules import lacking, refuse, refuse_type, refuse_value
from course_lib.calls.signature import Signature
from course_lib.calls.values import is_integer
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory.fresh import check_size
from course_lib.ops.layers import layer_op
from course_lib.words import errors

Array = Any
DIMS = {"linear": 3, "bilinear": 4, "trilinear": 5, "bicubic": 4, "lanczos": 4}


def step_of(size: int, out: int, factor: float | None, corners: bool = False) -> float:
    """How far apart two new places are, measured in old ones."""
    if corners:
        return (size - 1) / (out - 1) if out > 1 else 0.0
    return 1 / factor if factor else size / out


def nearest_places(size: int, out: int, factor: float | None) -> Array:
    """The old place that each new one shows; computed in float32, as PyTorch does."""
    at = np.arange(out, dtype=np.float32) * np.float32(step_of(size, out, factor))
    return np.minimum(np.floor(at).astype(np.int64), size - 1)


def mixture(size: int, out: int, factor: float | None, corners: bool) -> Array:
    """A matrix that mixes: row i has the shares of the two old places next to the new place i."""
    step, new = step_of(size, out, factor, corners), np.arange(out)
    at = new * step if corners else np.maximum((new + 0.5) * step - 0.5, 0)
    low = np.minimum(np.floor(at).astype(np.int64), size - 1)
    share = np.minimum(at - low, 1)
    matrix = np.zeros((out, size))
    matrix[new, low] = 1 - share
    matrix[new, np.minimum(low + 1, size - 1)] += share
    return matrix


def mixing(node: str, back: Any = None) -> Any:
    """Declare the multiplication of both dimensions of images by a matrix, for one node name."""

    def transposed(grad: Any, rows: Any, columns: Any) -> Any:
        return (back or mixed_images)(grad, rows.T, columns.T)

    @layer_op("same", node=node, self=transposed, shows={"rows": ..., "columns": ...})
    def mixed_images(self, rows, columns):
        """Images of which each row and each column is a mixture of old ones."""
        rows, columns = (matrix.astype(self.dtype) for matrix in (rows, columns))
        return np.matmul(np.matmul(rows, self), columns.T)

    return mixed_images


mixed = mixing("AdaptiveAvgPool2DBackwardBackward0")
upsampled = mixing("UpsampleBilinear2DBackward0", mixing("UpsampleBilinear2DBackwardBackward0"))


def reading(name: str, node: str) -> Any:
    """Declare reading the last dimensions at given places, for one node name."""
    facts = {"name": name, "node": node, "shows": {"at": ...}}

    @layer_op("same", **facts, self=lambda grad, self_shape, at: added_back(grad, self_shape, at))
    def read(self, at):
        for axis, spots in enumerate(at, self.ndim - len(at)):
            self = self.take(spots, axis)
        return self

    return read


READERS = {n: reading(f"upsample_nearest{n}d", f"UpsampleNearest{n}DBackward0") for n in (1, 2)}


@layer_op("same", self=lambda grad, at: READERS[len(at)](grad, at))
def added_back(self, shape, at):
    """The adjoint of reading at places: each element is added where it came from."""
    for axis, spots in enumerate(at, self.ndim - len(at)):
        part, wide = self, (*self.shape[:axis], shape[axis], *self.shape[axis + 1 :])
        self = np.zeros_like(part, order="C", shape=wide)
        np.add.at(self, (*[slice(None)] * axis, spots), part)
    return self


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
    output_size, factors = per_dimension(shape[2:], size, scale_factor)
    check_mode(len(shape), str(mode))
    if mode not in ("nearest", "bilinear") or len(shape) > 4 or input._dtype.name == "uint8":
        of = f"of a {len(shape)}-dimensional {input._dtype.name} tensor, mode={mode!r}"
        raise NotImplementedError(errors.absent(f"torch.nn.functional.interpolate({of})"))
    given = (input, output_size, *[align_corners or False] * (mode == "bilinear"), factors)
    signature, values = choose(resampling(mode, len(shape) - 2), given, {})
    sizes = signature.convert(values)["output_size"]
    if factors is None:
        factors = (None,) * len(sizes)
    else:  # products are rounded down
        each = zip(shape[2:], factors, strict=True)
        sizes = tuple(math.floor(float(n) * factor) for n, factor in each)
    says = errors.resampled_series if len(sizes) == 1 else errors.resampled_images
    refuse(min((*shape[2:], *sizes)) <= 0, says, shape[2:], sizes)
    refuse(not shape[1], errors.resampled_empty, shape)
    check_size((*shape[:2], *sizes), input._array.itemsize)
    images = f"upsample_{mode}2d_channels_last"
    kernel = images if len(shape) > 3 else "compute_indices_weights_nearest"
    lacking(input._dtype.category != dtypes.FLOATING, errors.no_kernel, kernel, input)
    each = list(zip(shape[2:], sizes, factors, strict=True))
    if mode == "bilinear":
        return upsampled(input, *(mixture(*numbers, bool(align_corners)) for numbers in each))
    return READERS[len(sizes)](input, [nearest_places(*numbers) for numbers in each])


def check_mode(ndim: int, mode: str) -> None:
    """Raise unless the mode exists for inputs with this number of dimensions."""
    needed = DIMS.get(mode, ndim)
    if mode.endswith("linear") and ndim in (3, 4, 5) and ndim != needed:
        raise NotImplementedError(errors.resampling_mode_dims(ndim, mode, needed))
    known = mode in ("nearest", "nearest-exact", "area", *DIMS)
    if not known or ndim not in (3, 4, 5) or ndim != needed:
        raise NotImplementedError(errors.resampling_dims(ndim, mode))


@functools.cache
def resampling(mode: str, dims: int) -> list[Signature]:
    """The signatures of PyTorch's function for this."""
    start = f"upsample_{mode}{dims}d(Tensor input, SymIntArrayRef"
    corners = ", bool align_corners" * (mode == "bilinear")
    scales = ["scales"] if dims == 1 else ["scales_h", "scales_w"]
    more = "".join(f", double? {name}=None" for name in scales)
    by_factors = Signature(f"{start}? output_size{corners}, ArrayRef<double>? scale_factors)")
    by_size = Signature(f"{start}[{dims}] output_size{corners}{more}, *, Tensor out=None)")
    return [by_factors, by_size]


def per_dimension(spatial: Any, size: Any, scale_factor: Any) -> Any:
    """The new sizes and the factors, of which one is given and the other None."""
    refuse_value(size is not None and scale_factor is not None, errors.RESAMPLING_BOTH)
    refuse_value(size is None and scale_factor is None, errors.RESAMPLING_SIZE)
    given = size if size is not None else scale_factor
    found = given if isinstance(given, (tuple, list)) else [given] * len(spatial)
    if len(found) != len(spatial):
        what = "output" if size is not None else "scale_factor"
        raise ValueError(errors.resampling_count[what](spatial, given))
    if given is size and found is given:
        whole = all(isinstance(n, int) or is_integer(n) for n in found)
        refuse_type(not whole, errors.resampled_types, [*map(type, found)])
    return (found, None) if size is not None else (None, found)
