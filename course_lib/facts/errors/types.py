"""dtypes and devices that do not fit."""

from __future__ import annotations

from typing import Any

# fmt: off
DEVICE_TYPES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia",
    "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)
# fmt: on


def type_word(dtype: Any) -> str:
    """The bare type name in messages: Float, Long, Bool …"""
    return dtype.legacy.removesuffix("Tensor")


def cannot_cast(made: Any, wanted: Any) -> str:
    return (
        f"result type {type_word(made)} can't be cast to the desired output type "
        f"{type_word(wanted)}"
    )


def numpy_dtype_unsupported(numpy_dtype: Any) -> str:
    return (
        f"can't convert np.ndarray of type {numpy_dtype}. The only supported types are: float64, "
        "float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, "
        "uint16, uint8, and bool."
    )


def promotion_unsupported(a: Any, b: Any) -> str:
    return (
        "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote "
        f"{type_word(a)} and {type_word(b)}"
    )


def mean_of_integers(op: Any, dtype: Any, given: bool) -> str:
    what = "dtype" if given else "Input dtype"
    start = "could not infer output dtype. " if not given else ""
    tail = f"Got: {type_word(dtype)}"
    return f"{op.name}(): {start}{what} must be either a floating point or complex dtype. {tail}"


def two_devices(one: str, two: str) -> str:
    return (
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{one} and {two}!"
    )


def unknown_device(name: str) -> str:
    return (
        "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, "
        "xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device "
        f"string: {name}"
    )


def invalid_device(text: str) -> str:
    return f"Invalid device string: '{text}'"


def device_index_twice(text: str) -> str:
    return "type (string) must not include an index because index was passed explicitly: " + text


NO_CUDA = "Torch not compiled with CUDA enabled"
