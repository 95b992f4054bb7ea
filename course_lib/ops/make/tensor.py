"""Making tensors from data: a copy of it, or the same memory where that is possible."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, layout
from course_lib.memory.meta import MetaArray
from course_lib.ops.make.convert import converted
from course_lib.ops.make.creation import finish, track
from course_lib.ops.make.data import array_of
from course_lib.words import errors

__all__ = ["as_tensor", "asarray", "from_numpy", "tensor"]


@accepts()
def tensor(
    data: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """A new tensor holding a copy of `data`: numbers, nested lists, an array or a tensor.

    Integers give int64, floats the default dtype, unless `dtype` says otherwise.

    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    if pin_memory:
        raise RuntimeError(errors.PIN_MEMORY)
    if isinstance(data, Tensor):
        errors.warn(errors.copy_construct("torch.tensor"))
    out = copied(data, dtype, device)
    if requires_grad:
        track(out)
    return out


def copied(data: Any, dtype: DType | None, device: Any) -> Tensor:
    """A new tensor with the values of `data`."""
    if isinstance(data, Tensor):
        where = data.device if device is None else devices.usable(device)
        return finish(converted(data, dtype or data._dtype, where, copy=True), dtype or data._dtype)
    meta = devices.usable(device) is devices.META
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
        found = numpy_dtype(array)
        source = finish(layout.like(array, array), found)
        dtype = dtype or found
        return finish(converted(source, dtype, devices.META if meta else devices.CPU), dtype)
    array, dtype = array_of(data, dtype)
    return finish(MetaArray(array.shape, array.dtype) if meta else array, dtype)


@accepts()
def as_tensor(data: Any, *, dtype: DType | None = None, device: Any = None) -> Tensor:
    """`data` as a tensor, without a copy where that is possible.

    If dtype and device already fit, a tensor is returned itself and an array shares its memory.

    >>> x = torch.tensor([1, 2])
    >>> torch.as_tensor(x) is x
    True
    """
    if isinstance(data, Tensor):
        return data.to(dtype=dtype, device=device)
    if isinstance(data, (np.ndarray, np.generic)):
        shared = over(np.asarray(data))
        where = devices.usable(device)
        return shared.to(dtype=dtype, device=where)
    return copied(data, dtype, device)


def from_numpy(*args: np.ndarray, **kwargs: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array: a write to one changes the other.

    >>> a = np.array([1, 2]); t = torch.from_numpy(a); a[0] = 9; t
    tensor([9, 2])
    """
    if kwargs or len(args) != 1:
        raise TypeError(errors.one_argument("from_numpy", len(args), kwargs))
    [array] = args
    if not isinstance(array, np.ndarray):
        raise TypeError(errors.expected_array(array))
    return over(array)


def over(array: np.ndarray) -> Tensor:
    """A tensor over the memory of a NumPy array."""
    found = numpy_dtype(array)
    if not array.flags.writeable:
        errors.warn_once(errors.NOT_WRITABLE)
    shared = layout.adopt(array)
    if not array.size:  # `adopt` puts PyTorch's strides there; keep NumPy's
        shared = layout.restride(shared, array.shape, array.strides, 0)
    out = finish(shared, found)
    out._share()
    return out


def numpy_dtype(array: np.ndarray) -> DType:
    """The dtype of an array's elements; refuses arrays that no tensor can share."""
    if any(s % array.itemsize for s in array.strides):
        raise ValueError(errors.ODD_STRIDES)
    if min(array.strides, default=0) < 0:
        raise ValueError(errors.NEGATIVE_STRIDES)
    if not array.dtype.isnative:
        raise ValueError(errors.BYTE_ORDER)
    return dtypes.of_numpy(array.dtype)


@accepts()
def asarray(
    obj: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """`obj` as a tensor; `copy` says whether memory must (True) or must not (False) be copied.

    >>> torch.asarray([1, 2.5])
    tensor([1.0000, 2.5000])
    """
    if isinstance(obj, (Tensor, np.ndarray, np.generic)):
        source = obj if isinstance(obj, Tensor) else over(np.asarray(obj))
        out = taken(source, dtype, device, copy)
    else:
        if copy is False:
            raise ValueError(errors.ALIAS_SEQUENCE)
        out = copied(obj, dtype, device)
    if requires_grad is None:
        if isinstance(obj, Tensor) and obj.requires_grad:
            errors.warn_once(errors.ASARRAY_TRACKED)
    elif requires_grad and not out.requires_grad:
        track(out)
    elif not requires_grad and out.requires_grad:
        out = out.detach()
    return out


def taken(source: Tensor, dtype: DType | None, device: Any, copy: bool | None) -> Tensor:
    """`source`, the same memory or a copy, as a tensor with the wanted dtype and device."""
    dtype = dtype or source._dtype
    where = source.device if device is None else devices.usable(device)
    if copy is False:
        if dtype is not source._dtype:
            raise ValueError(errors.alias_dtype(source._dtype, dtype))
        if where != source.device:
            raise ValueError(errors.alias_device(source.device, where))
    if copy:
        return finish(converted(source, dtype, where, copy=True), dtype)
    return source.to(dtype=dtype, device=where)
