"""The bridge to NumPy, and through DLPack to any other array library: one memory, two names."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.words import errors

__all__ = ["from_dlpack", "to_dlpack"]


def over(array: np.ndarray) -> Tensor:
    """A tensor over the memory of `array`."""
    return Tensor._make(layout.sharable(array), dtypes.of_numpy(array.dtype))


# ---- NumPy ---------------------------------------------------------------------------------------


def numpy(self: Tensor, *, force: bool = False) -> np.ndarray:
    """A NumPy array over the same memory: a write to one changes the other.

    Raises RuntimeError for a tensor that requires grad, unless `force` or inside `no_grad`.

    >>> torch.tensor([1, 2]).numpy()
    array([1, 2])
    """
    if not isinstance(force, bool):
        raise TypeError(errors.flag_not_bool("numpy", "force", force))
    if self._array.__class__ is MetaArray:
        if force:
            raise NotImplementedError(errors.META_COPY)
        raise TypeError(errors.NUMPY_OF_META)
    if self.requires_grad and modes.grad and not force:
        raise RuntimeError(errors.NUMPY_OF_TRACKED)
    if self._dtype is dtypes.bfloat16:
        raise TypeError(errors.numpy_of(self._dtype))
    self._share()
    array = self._array
    if not array.size:  # as in PyTorch, an empty tensor has strides of 0
        return np.ndarray(array.shape, array.dtype, array, 0, (0,) * array.ndim)
    return array.view()  # a new array object: reshaping it does not affect the tensor


# NumPy calls the next two.  Their parameters are PyTorch's and lack those that NumPy 2 added, so
# NumPy warns of deprecation, with either library.


def as_array(self: Tensor, dtype: Any = None) -> np.ndarray:
    """The array that `np.asarray` gets: the same memory, or a copy of another dtype.

    >>> import numpy as np
    >>> np.asarray(torch.tensor([1., 2.]))
    array([1., 2.], dtype=float32)
    """
    array = numpy(self)
    return array if dtype is None else array.astype(dtype, copy=False)


def wrap_array(self: Tensor, array: np.ndarray) -> Tensor:
    """The result of a NumPy function of a tensor, as a tensor again."""
    return over(array.astype(np.uint8) if array.dtype == np.bool_ else array)


# ---- DLPack --------------------------------------------------------------------------------------


class DLDeviceType(enum.IntEnum):
    """DLPack's numbers for the kinds of devices."""

    kDLCPU = 1
    kDLCUDA = 2


class _Capsule:
    """A DLPack capsule in the form of an array, as NumPy expects it."""

    def __init__(self, capsule: Any):
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def pack(
    self: Tensor,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: Any = None,
    copy: bool | None = None,
) -> Any:
    """A capsule with the memory, for another library's `from_dlpack`."""
    if stream is not None and not isinstance(stream, int):
        raise TypeError(errors.DLPACK_STREAM_TYPE)
    if self.requires_grad:
        raise BufferError(errors.DLPACK_TRACKED)
    if self.device.type != "cpu":
        raise BufferError(errors.dlpack_pack(self.device))
    if stream not in (None, -1):
        raise AssertionError(errors.DLPACK_STREAM)
    self._share()
    array = self._array.copy() if copy else self._array
    if max_version is None:
        return array.__dlpack__()
    return array.__dlpack__(max_version=max_version)


def pack_device(self: Tensor) -> tuple[DLDeviceType, int]:
    """The device that holds the memory, as DLPack's numbers."""
    if self.device.type != "cpu":
        raise ValueError(errors.dlpack_device(self.device.type))
    return DLDeviceType.kDLCPU, 0


def to_dlpack(input: Tensor) -> Any:
    """A DLPack capsule with the memory of `input`, to be consumed once."""
    return pack(input)


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor that shares the memory of any array with DLPack; a write to one changes the other.

    >>> import numpy as np
    >>> a = np.array([1., 2.])
    >>> torch.from_dlpack(a).add_(1)
    tensor([2., 3.], dtype=torch.float64)
    >>> a
    array([2., 3.])
    """
    if device is not None and str(device) not in ("cpu", "cpu:0"):
        raise NotImplementedError(f"from_dlpack(device={device!r})")
    if isinstance(ext_tensor, Tensor):
        if ext_tensor.requires_grad:
            raise BufferError(errors.DLPACK_TRACKED)
        if ext_tensor.device.type != "cpu":
            raise BufferError(errors.dlpack_pack(ext_tensor.device))
        ext_tensor._share()
        array = ext_tensor._array
        result = Tensor._make(layout.adopt(array), ext_tensor._dtype)
    elif hasattr(ext_tensor, "__dlpack__"):
        result = over(layout.adopt(np.from_dlpack(ext_tensor)))
    elif type(ext_tensor).__name__ == "PyCapsule":
        result = over(layout.adopt(np.from_dlpack(_Capsule(ext_tensor))))
    else:
        raise RuntimeError(errors.DLPACK_CAPSULE)
    return result.clone() if copy else result


attach(
    {
        "numpy": numpy,
        "__array__": as_array,
        "__array_wrap__": wrap_array,
        "__dlpack__": pack,
        "__dlpack_device__": pack_device,
    }
)
