"""Converting a tensor to another dtype or device: `to` and its many shorthands."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, fresh
from course_lib.memory.devices import device as Device
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.words import errors

__all__: list[str] = []


@op(
    kind="same",
    layout="kernel",
    operands=("self",),
    method=False,
    inplace=False,
    node="ToCopyBackward0",
    self=lambda grad, self_dtype: cast_back(grad, self_dtype),
)
def cast_back(self, dtype):
    """The gradient, cast back to the input's dtype; only its real part if that dtype is real."""
    if self.dtype.kind == "c" and dtype.numpy.kind != "c":
        self = self.real
    return self.astype(dtype.numpy)


@op(
    kind="same",
    layout="kernel",
    operands=("self",),
    method=False,
    inplace=False,
    self=lambda grad, self_dtype: cast_back(grad, self_dtype),
)
def to_copy(self, dtype, device, memory_format=None):
    """A copy in another dtype, on another device, in another memory format."""
    numpy_dtype = dtype.numpy
    if self.__class__ is np.ndarray and memory_format is None and device is devices.CPU:
        if simple(self) and not dtype.reduced and self.dtype.kind not in "cV":
            return self.astype(numpy_dtype)
    if self.__class__ is MetaArray and device is not devices.META:
        raise NotImplementedError(errors.META_COPY)
    to_real = self.dtype.kind == "c" and numpy_dtype.kind != "c"
    if to_real and dtype is not dtypes.bool_:
        errors.warn_once(errors.COMPLEX_TO_REAL)
    if not self.shape and device is not devices.META:
        array = cast(np.asarray(self), numpy_dtype, to_real)
        return array.astype(numpy_dtype)[()]
    result = fresh.empty_like(self, numpy_dtype, device is devices.META, memory_format)
    if device is not devices.META:
        np.copyto(result, cast(self, numpy_dtype, to_real), casting="unsafe")
    return result


def simple(array: Any) -> bool:
    """Whether an array is row-major and NumPy gives its copies the same strides as PyTorch."""
    shape = array.shape
    return array.flags.c_contiguous and bool(shape) and 1 not in shape and 0 not in shape


def cast(array: Any, numpy_dtype: np.dtype, to_real: bool) -> Any:
    """`array`, ready for NumPy's cast: real parts if `to_real`, float32 on the way to 16 bits."""
    if to_real and numpy_dtype.kind != "b":
        array = array.real
    if numpy_dtype.itemsize == 2 and numpy_dtype.kind in "fV" and array.dtype.kind != "V":
        return array.astype(np.float32)
    return array


def converted(self: Tensor, dtype: DType, device: Device, copy: bool = False) -> Any:
    """The array of `self` in a dtype on a device: the same array if nothing changes."""
    if not copy and dtype is self._dtype and device == self.device:
        return self._array
    return modes.quiet(to_copy.op.kernel, self._array, dtype, device)


def moved(
    self: Tensor,
    dtype: DType | None = None,
    device: Device | None = None,
    copy: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """`self` in a dtype on a device: itself if nothing changes and no copy is asked for."""
    now, have = modes.now, devices.of(self._array)
    where = have if device is None else devices.usable(device)
    wanted = dtype or self._dtype
    if wanted is self._dtype and where is have and not copy:
        return self
    if now.grad and self.requires_grad:
        return to_copy(self, wanted, where, memory_format)
    array = now.quiet(to_copy.op.kernel, self._array, wanted, where, memory_format)
    made = Tensor._make(array, wanted)
    if now.inference:
        made._more().inference = True
    return made


@accepts("Tensor")
def to(
    self: Tensor,
    device: Any = None,
    dtype: DType | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Any = None,
    tensor: Any = None,
) -> Tensor:
    """The tensor converted to another dtype or device, or to those of another tensor.

    If nothing changes, the tensor itself is returned, unless `copy` is True.

    >>> torch.tensor([1.7, -1.7]).to(torch.int64)
    tensor([ 1, -1])
    """
    if tensor is not None:
        device, dtype = model(tensor)
    return moved(self, dtype, device, copy, memory_format)


def model(tensor: Any) -> tuple[Device, DType]:
    """The device and dtype of a tensor, or of the tensor that a number stands for."""
    if isinstance(tensor, Tensor):
        return tensor.device, tensor._dtype
    return devices.CPU, dtypes.OF_PYTHON[type(kinds.number(tensor))]


def shorthand(name: str, wanted: DType) -> None:
    """Attach a method that converts to one dtype."""

    @accepts("Tensor", name)
    def convert(self: Tensor, *, memory_format: Any = None) -> Tensor:
        return moved(self, wanted, memory_format=memory_format)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"The tensor as {wanted!r}: itself if it is that already."
    attach_as(name, convert)


SHORTHANDS = {
    "float": dtypes.float32,
    "double": dtypes.float64,
    "half": dtypes.float16,
    "bfloat16": dtypes.bfloat16,
    "int": dtypes.int32,
    "long": dtypes.int64,
    "short": dtypes.int16,
    "char": dtypes.int8,
    "byte": dtypes.uint8,
    "bool": dtypes.bool_,
    "cfloat": dtypes.complex64,
    "cdouble": dtypes.complex128,
}
for _name, _dtype in SHORTHANDS.items():
    shorthand(_name, _dtype)


@accepts("Tensor")
def cpu(self: Tensor, *, memory_format: Any = None) -> Tensor:
    """The tensor on the CPU; the tensor itself if it is there already."""
    return moved(self, None, devices.CPU, memory_format=memory_format)


@accepts("Tensor")
def cuda(
    self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None
) -> Tensor:
    """The tensor on a GPU; AssertionError if there is none."""
    if device is not None and device.type != "cuda":
        raise RuntimeError(errors.CUDA_DEVICE_EXPECTED)
    return moved(self, None, device or Device("cuda"), memory_format=memory_format)


@accepts("Tensor", "type")
def type_(
    self: Tensor, dtype: Any = None, non_blocking: bool = False, memory_format: Any = None
) -> Any:
    """The name of the tensor's type, or the tensor converted to `dtype`.

    >>> torch.tensor([1.5]).type()
    'torch.FloatTensor'
    >>> torch.tensor([1.5]).type(torch.int64)
    tensor([1])
    """
    if dtype is None:
        return type_string(self._dtype, self.device)
    if isinstance(dtype, DType):
        return moved(self, dtype, memory_format=memory_format)
    wanted = named_type(dtype)
    if wanted is None:
        return self.to(dtypes.default_dtype())
    return moved(self, wanted, devices.CPU)


def type_string(dtype: DType, device: Device) -> str:
    """``torch.FloatTensor``, ``torch.meta.LongTensor``, …"""
    where = "" if device.type == "cpu" else f"{device.type}."
    return f"torch.{where}{dtype.legacy}"


def named_type(value: Any) -> DType | None:
    """The dtype that a legacy class or its name stands for; None for ``torch.Tensor``."""
    if not isinstance(value, (str, type)):
        raise TypeError(errors.TYPE_EXPECTED)
    if value is Tensor or value == "torch.Tensor":
        return None
    text = value if isinstance(value, str) else errors.class_name(value)
    if text.startswith("torch.cuda."):
        raise RuntimeError(errors.CUDA_LIBRARY)
    for found in dtypes.all_dtypes():
        if text == f"torch.{found.legacy}":
            return found
    raise ValueError(f"invalid type: '{text}'")


for _method in (to, cpu, cuda):
    attach_as(_method.__name__, _method)
attach_as("type", type_)
