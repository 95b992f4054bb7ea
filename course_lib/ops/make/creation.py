"""Tensors made from shapes: zeros, ones, one value, uninitialised memory, the identity matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_memory
from course_lib.declare.out import put
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, fresh
from course_lib.modes import modes
from course_lib.ops.make.data import stored
from course_lib.ops.make.fill import in_range
from course_lib.words import errors

ndarray = np.ndarray
__all__ = [
    "empty",
    "empty_strided",
    "eye",
    "full",
    "ones",
    "zeros",
]


# ---- what all makers of tensors have in common ---------------------------------------------------


def finish(array: Any, dtype: DType, requires_grad: bool = False) -> Tensor:
    """A new leaf over `array`; 0-dim memory is kept as a scalar (Note [Scalars])."""
    if array.__class__ is ndarray and not array.shape and array.base is None:
        array = array[()]
    out = Tensor._make(array, dtype)
    if requires_grad:
        track(out)
    if modes.now.inference:
        out._more().inference = True
    return out


def track(out: Tensor) -> None:
    """Make a new tensor require grad; RuntimeError for integers."""
    if out._dtype.category < dtypes.FLOATING:
        raise RuntimeError(errors.ONLY_FLOATING_FACTORY)
    out._requires_grad = True


def chosen(options: dict, usual: DType | None = None) -> DType:
    """The dtype of a new tensor: as asked for, else that of `out`, else the usual one."""
    dtype, out = options.get("dtype"), options.get("out")
    if out is not None:
        if dtype is not None and dtype is not out._dtype:
            raise RuntimeError(errors.out_dtype(dtype, out._dtype))
        return out._dtype
    return dtype or usual or dtypes.default_dtype()


def located(options: dict, like: Tensor | None = None) -> bool:
    """Whether a new tensor is a meta tensor, without memory; refuses unavailable devices.

    Without a device among the options, it is where `out` or the tensor `like` is.
    """
    device, out = options.get("device"), options.get("out")
    if out is not None:
        if device is not None and device.type != out.device.type:
            raise RuntimeError(errors.out_device(device.type, out.device.type))
        return out.is_meta
    if device is None and like is not None:
        return like.is_meta
    return devices.usable(device) is devices.META


def deliver(array: Any, dtype: DType, options: dict) -> Tensor:
    """The array as a new tensor, or written into `out`."""
    if options.get("pin_memory"):
        raise RuntimeError(errors.PIN_MEMORY)
    out, requires_grad = options.get("out"), options.get("requires_grad", False)
    if out is None:
        return finish(array, dtype, requires_grad)
    if out._array.shape != array.shape:  # makers resize without a warning
        out._share()
        out._array = fresh.empty(array.shape, dtype.numpy, out.is_meta)
    check_memory(out, ())
    put(out, array)
    if requires_grad:
        out.requires_grad_()
    return out


def fill(array: Any, value: Any, dtype: DType) -> Any:
    """`array`, every element `value`; RuntimeError with PyTorch's message if it does not fit."""
    if value not in (0, 1):
        value = number_in(value, dtype)
    if array.__class__ is ndarray:
        array.fill(value)
    return array


def number_in(value: Any, dtype: DType) -> Any:
    """A number as an element of a dtype."""
    if dtype.plain and value.__class__ in (float, int) and -1e38 < value < 1e38:
        return dtype.numpy.type(value)
    if isinstance(value, complex) and not (dtype.is_complex or value.imag):
        value = value.real
    too_large = dtype.is_floating_point and not in_range(value, dtype)
    if too_large or (isinstance(value, complex) and not dtype.is_complex):
        raise RuntimeError(errors.number_overflow(dtype))
    try:
        return stored([value], {type(value)}, dtype)[0]
    except (RuntimeError, ValueError):
        raise RuntimeError(errors.number_overflow(dtype)) from None


# ---- from a shape --------------------------------------------------------------------------------


def filled(value: Any, size: Any, options: dict, usual: DType | None = None) -> Tensor:
    """A tensor filled with one value."""
    wanted = chosen(options, usual)
    array = fresh.empty(size, wanted.numpy, located(options))
    fill(array, value, wanted)
    return deliver(array, wanted, options)


@accepts()
def zeros(
    *size: Any,
    **options: Any,
) -> Tensor:
    """A tensor of the given shape filled with zeros, of the default dtype unless you give one.

    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    if size and min(size) < 0:
        raise RuntimeError(errors.negative_size_of("zeros"))
    return filled(0, size, options)


@accepts()
def ones(
    *size: Any,
    **options: Any,
) -> Tensor:
    """A tensor of the given shape filled with ones, of the default dtype unless you give one.

    >>> torch.ones(2)
    tensor([1., 1.])
    """
    return filled(1, size, options)


@accepts()
def full(
    size: Any,
    fill_value: Any,
    **options: Any,
) -> Tensor:
    """A tensor of shape `size` filled with `fill_value`, whose type decides the dtype.

    >>> torch.full((2,), 7)
    tensor([7, 7])
    """
    usual = dtypes.of_number(fill_value)
    return filled(fill_value, size, options, usual)


@accepts()
def empty(
    *size: Any,
    **options: Any,
) -> Tensor:
    """An uninitialised tensor of the given shape: its elements are arbitrary until you write them.

    >>> torch.empty(2, 3).shape
    torch.Size([2, 3])
    """
    wanted = chosen(options)
    array = fresh.empty(size, wanted.numpy, located(options))
    return deliver(array, wanted, options)


@accepts()
def empty_strided(
    size: Any,
    stride: Any,
    **options: Any,
) -> Tensor:
    """An uninitialised tensor with these strides, counted in elements.

    >>> torch.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    wanted = chosen(options)
    numpy_dtype = wanted.numpy
    if len(size) != len(stride):
        raise RuntimeError(errors.strides_rank(size, stride))
    fresh.check_size(size, numpy_dtype.itemsize)
    if min(stride, default=0) < 0:
        raise RuntimeError(errors.too_large_strided(size, stride))
    strides = tuple(s * numpy_dtype.itemsize for s in stride)
    array = fresh.empty_strided(size, strides, numpy_dtype, located(options))
    return deliver(array, wanted, options)


@accepts()
def eye(
    n: int,
    m: int | None = None,
    **options: Any,
) -> Tensor:
    """A matrix with ones on its diagonal and zeros elsewhere.

    >>> torch.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    m = n if m is None else m
    for name, value in (("n", n), ("m", m)):
        if value < 0:
            raise RuntimeError(errors.negative_count(name, value))
    wanted = chosen(options)
    array = fresh.empty((n, m), wanted.numpy, located(options))
    if array.__class__ is np.ndarray:
        array.fill(0)
        array.reshape(-1)[: min(n, m) * m : m + 1] = 1
    return deliver(array, wanted, options)
