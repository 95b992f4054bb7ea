"""Converting a tensor to another dtype or device: `to` and its many shorthands."""

from functools import partial
from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.calls.rules import refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, fresh
from course_lib.memory.devices import device as Device
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.ops.make.creation import finish
from course_lib.words import errors

converting = partial(
    op,
    "same",
    layout="kernel",
    method=False,
    inplace=False,
    self=lambda grad, self_dtype: cast_back(grad, self_dtype),
)


@converting(node="ToCopyBackward0")
def cast_back(self, dtype):
    """The gradient, cast back to the input's dtype; only its real part if that dtype is real."""
    if self.dtype.kind == "c" and dtype.numpy.kind != "c":
        self = self.real
    return self.astype(dtype.numpy)


@converting()
def to_copy(self, dtype, device, memory_format=None):
    """A copy in another dtype, on another device, in another memory format."""
    target, source = dtype.numpy, self
    if self.__class__ is MetaArray and device is not devices.META:
        raise NotImplementedError(errors.META_COPY)
    if self.dtype.kind == "c" and target.kind not in "cb":
        errors.warn_once(errors.COMPLEX_TO_REAL)
        source = self.real
    if device is devices.META:
        return fresh.empty_like(self, target, True, memory_format)
    if dtype.reduced and source.dtype.kind != "V":
        source = source.astype(np.float32)  # as C++ does
    if not self.shape:
        return np.asarray(source).astype(target)[()]
    result = fresh.empty_like(self, target, False, memory_format)
    np.copyto(result, source, casting="unsafe")
    return result


def no_way_back(grad: Any) -> Any:
    """Always an error: a gradient on the meta device has no numbers for an input that has some."""
    raise NotImplementedError(errors.META_COPY)


to_meta = converting(name="to_meta", node="ToCopyBackward0", self=no_way_back)(to_copy.op.kernel)


def move(
    self: Tensor,
    dtype: DType | None = None,
    device: Device | None = None,
    copy: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """`self` in a dtype on a device: itself if nothing changes and no copy is asked for."""
    have = devices.of(self._array)
    where = have if device is None else devices.usable(device)
    wanted = dtype or self._dtype
    if wanted is self._dtype and where is have and not copy:
        return self
    if modes.grad and self.requires_grad:
        leaves = where is devices.META and have is not where
        return (to_meta if leaves else to_copy)(self, wanted, where, memory_format)
    array = modes.now.quiet(to_copy.op.kernel, self._array, wanted, where, memory_format)
    return finish(array, wanted)


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
    return move(self, dtype, device, copy, memory_format)


def model(tensor: Any) -> tuple[Device, DType]:
    """The device and dtype of a tensor, or of the tensor that a number stands for."""
    if isinstance(tensor, Tensor):
        return tensor.device, tensor._dtype
    return devices.CPU, dtypes.OF_PYTHON[type(kinds.number(tensor))]


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


def shorthand(name: str, wanted: DType) -> None:
    """Attach a method that converts to one dtype."""

    @accepts("Tensor", name)
    def convert(self: Tensor, *, memory_format: Any = None) -> Tensor:
        return move(self, wanted, memory_format=memory_format)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"The tensor as {wanted!r}: itself if it is that already."
    attach_as(name, convert)


for _name, _dtype in SHORTHANDS.items():
    shorthand(_name, _dtype)


@accepts("Tensor")
def cpu(self: Tensor, *, memory_format: Any = None) -> Tensor:
    """The tensor on the CPU; the tensor itself if it is there already."""
    return move(self, None, devices.CPU, memory_format=memory_format)


@accepts("Tensor")
def cuda(
    self: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None
) -> Tensor:
    """The tensor on a GPU; AssertionError if there is none."""
    refuse(device is not None and device.type != "cuda", errors.CUDA_DEVICE_EXPECTED)
    return move(self, None, device or Device("cuda"), memory_format=memory_format)


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
        where = "" if self.device.type == "cpu" else f"{self.device.type}."
        return f"torch.{where}{self._dtype.legacy}"
    if isinstance(dtype, DType):
        return move(self, dtype, memory_format=memory_format)
    refuse_type(not isinstance(dtype, (str, type)), errors.TYPE_EXPECTED)
    if dtype is Tensor or dtype == "torch.Tensor":
        return move(self, dtypes.default_dtype())
    text = dtype if isinstance(dtype, str) else errors.class_name(dtype)
    refuse(text.startswith("torch.cuda."), errors.no_cuda_library, "initialize CUDA")
    refuse_value(text not in dtypes.LEGACY, f"invalid type: '{text}'")
    return move(self, dtypes.LEGACY[text], devices.CPU)


for _method in (to, cpu, cuda):
    attach_as(_method.__name__, _method)
attach_as("type", type_)
