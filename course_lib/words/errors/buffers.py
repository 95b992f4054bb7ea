"""Histograms, buffers, and the older names of decompositions."""

from __future__ import annotations

import math
from typing import Any

from course_lib.words.errors.elementwise import no_kernel
from course_lib.words.errors.types import C_NAMES

QR_DEPRECATED = (
    "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch "
    "release.\nThe boolean parameter 'some' has been replaced with a string parameter 'mode'.\n"
    "Q, R = torch.qr(A, some)\nshould be replaced with\n"
    "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"
)
READ_ONLY_BUFFER = (
    "The given buffer is not writable, and PyTorch does not support non-writable tensors. This "
    "means you can write to the underlying (supposedly non-writable) buffer using the tensor. You "
    "may want to copy the buffer to protect its data or make it writable before converting it to a "
    "tensor. This type of warning will be suppressed for the rest of this program."
)
SWAPPED = (
    "Trying to execute AccumulateGrad node that was poisoned by swap_tensors this can happen when "
    "you try to run backward on a tensor that was swapped. For a module m with "
    "`torch.__future__.set_swap_module_params_on_conversion(True)` you should not change the "
    "device or dtype of the module (e.g. `m.cpu()` or `m.half()`) between running forward and "
    "backward. To resolve this, please only change the device/dtype before running forward (or "
    "after both forward and backward)."
)
OTHER_SLOTS = "Cannot swap t1 and t2 if they have different slots"


def check_svd(input: Any) -> None:
    """Raise for a vector or a number."""
    if input._array.ndim < 2:
        raise RuntimeError(
            "linalg.svd: input should have at least 2 dimensions, but has "
            f"{input._array.ndim} dimensions instead"
        )


def weakly_held(name: str) -> str:
    return f"Cannot swap {name} because it has weakref associated with it"


def held(name: str, count: int) -> str:
    return (
        f"Expected use_count of {name} to be 1 or 2 with an AccumulateGrad node but got {count} "
        "make sure you are not holding references to the tensor in other places."
    )


def opened(buffer: Any) -> memoryview:
    """The memory of an object; raises for one that has none, or none in a row."""
    try:
        memory = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if not memory.c_contiguous:
        raise RuntimeError("could not retrieve buffer from object")
    return memory


def check_buffer(length: int, count: int, offset: int, itemsize: int) -> int:
    """The number of elements in a buffer of `length` bytes; raises if they do not fit."""
    if not length or not count:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({length} bytes) minus 1"
        )
    left = length - offset
    if count < 0 and left % itemsize:
        raise ValueError(
            f"buffer length ({left} bytes) after offset ({offset} bytes) must be a multiple of "
            f"element size ({itemsize})"
        )
    count = left // itemsize if count < 0 else count
    if count * itemsize > left:
        raise ValueError(
            f"requested buffer length ({count} * {itemsize} bytes) after offset ({offset} bytes) "
            f"must not be greater than actual buffer length ({length} bytes)"
        )
    return count


def check_histogram(input: Any, bins: Any, range: Any, weight: Any) -> None:
    """Raise for bins, weights and dtypes that do not fit together."""
    kind = C_NAMES[input._dtype.name]
    if isinstance(bins, int):
        number = bins
    else:
        number = check_edges(bins, input._dtype, kind)
    if weight is not None:
        if weight._dtype is not input._dtype:
            raise RuntimeError(
                "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor "
                f"should have the same dtype, but got input({kind}), and "
                f"weight({C_NAMES[weight._dtype.name]})"
            )
        if weight._array.size != input._array.size:
            raise RuntimeError(
                "torch.histogramdd: if weight tensor is provided it should have the same shape as "
                "the input tensor excluding its innermost dimension, but got input with shape "
                f"[{input._array.size}, 1] and weight with shape [{weight._array.size}]"
            )
    if number <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {number} for dimension 0")
    if range is not None and len(range) != 2:
        raise RuntimeError(
            "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but "
            f"got {len(range)}"
        )
    if input._dtype.name not in ("float32", "float64"):
        raise NotImplementedError(no_kernel("histogramdd", input._dtype))


def check_edges(bins: Any, dtype: Any, kind: str) -> int:
    """The number of bins between edges; raises for edges that cannot be."""
    shape = bins._array.shape
    if bins._dtype is not dtype:
        raise RuntimeError(
            "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got "
            f"input with dtype {kind} and bins for dimension 0 with dtype "
            f"{C_NAMES[bins._dtype.name]}"
        )
    if len(shape) != 1:
        raise RuntimeError(
            f"torch.histogramdd: bins tensor should have one dimension, but got {len(shape)} "
            "dimensions in the bins tensor for dimension 0"
        )
    if not shape[0]:
        raise RuntimeError(
            "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in "
            "the bins tensor for dimension 0"
        )
    return shape[0] - 1


def check_limits(low: float, high: float) -> None:
    """Raise for limits that are no range."""
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(
            f"torch.histogramdd: dimension 0's range [{low:g}, {high:g}] is not finite"
        )
    if low > high:
        raise RuntimeError(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for "
            "dimension 0"
        )
