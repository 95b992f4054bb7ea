"""Tensors made from shapes: zeros, ones, one value, uninitialised memory, the identity matrix."""

from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.calls.rules import refuse
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_memory
from course_lib.declare.out import write_out
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, fresh
from course_lib.modes import modes
from course_lib.ops.make.fill import number_in
from course_lib.words import errors

__all__ = ["empty", "empty_strided", "eye", "full", "ones", "zeros"]


# ---- what all makers of tensors have in common ---------------------------------------------------


def finish(array: Any, dtype: DType) -> Tensor:
    """A new leaf over `array`; 0-dim memory is kept as a scalar (Note [Scalars])."""
    if array.__class__ is np.ndarray and not array.shape and array.base is None:
        array = array[()]
    out = Tensor._make(array, dtype)
    if modes.now.inference:
        out._more().inference = True
    return out


def track(out: Tensor, requires_grad: bool) -> Tensor:
    """A new tensor, which requires grad if that is wanted; RuntimeError for integers."""
    if requires_grad:
        refuse(out._dtype.category < dtypes.FLOATING, errors.ONLY_FLOATING_FACTORY)
        out._requires_grad = True
    return out


def choose_dtype(options: dict, usual: DType | None = None) -> DType:
    """The dtype of a new tensor: as asked for, else that of `out`, else the usual one."""
    dtype, out = options.get("dtype"), options.get("out")
    if out is None:
        return dtype or usual or dtypes.default_dtype()
    refuse(dtype not in (None, out._dtype), errors.out_dtype, dtype, out._dtype)
    return out._dtype


def is_on_meta(options: dict, like: Tensor | None = None) -> bool:
    """Whether a new tensor is a meta tensor, without memory; refuses unavailable devices.

    Without a device among the options, it is where `out` or the tensor `like` is.
    """
    device, out = options.get("device"), options.get("out")
    if out is not None and device is not None and device.type != out.device.type:
        raise RuntimeError(errors.out_device(device.type, out.device.type))
    there = like if out is None else out
    if there is not None and (device is None or there is out):
        return there.is_meta
    return devices.usable(device) is devices.META


def deliver(array: Any, dtype: DType, options: dict) -> Tensor:
    """The array as a new tensor, or written into `out`."""
    refuse(options.get("pin_memory"), errors.PIN_MEMORY)
    out, requires_grad = options.get("out"), options.get("requires_grad", False)
    if out is None:
        return track(finish(array, dtype), requires_grad)
    if out._array.shape != array.shape:  # makers resize without a warning
        out._share()
        out._array = fresh.empty(array.shape, dtype.numpy, out.is_meta)
    check_memory(out, ())
    write_out(out, array)
    return out.requires_grad_() if requires_grad else out


def fill(array: Any, value: Any, dtype: DType) -> Any:
    """`array`, every element `value`; uninitialised for None."""
    if array.__class__ is np.ndarray and value is not None:
        array.fill(value if value.__class__ is int and value in (0, 1) else number_in(value, dtype))
    return array


def fill_new(
    value: Any, size: Any, options: dict, usual: DType | None = None, like: Tensor | None = None
) -> Tensor:
    """A tensor filled with one value; uninitialised for None."""
    wanted = choose_dtype(options, usual)
    array = fresh.empty(size, wanted.numpy, is_on_meta(options, like))
    return deliver(fill(array, value, wanted), wanted, options)


# ---- from a shape --------------------------------------------------------------------------------


@accepts()
def zeros(*size: Any, **options: Any) -> Tensor:
    """A tensor of the given shape filled with zeros, of the default dtype unless you give one.

    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    refuse(size and min(size) < 0, errors.NEGATIVE_ZEROS)
    return fill_new(0, size, options)


@accepts()
def ones(*size: Any, **options: Any) -> Tensor:
    """A tensor of the given shape filled with ones, of the default dtype unless you give one.

    >>> torch.ones(2)
    tensor([1., 1.])
    """
    return fill_new(1, size, options)


@accepts()
def full(size: Any, fill_value: Any, **options: Any) -> Tensor:
    """A tensor of shape `size` filled with `fill_value`, whose type decides the dtype.

    >>> torch.full((2,), 7)
    tensor([7, 7])
    """
    return fill_new(fill_value, size, options, dtypes.of_number(fill_value))


@accepts()
def empty(*size: Any, **options: Any) -> Tensor:
    """An uninitialised tensor of the given shape: its elements are arbitrary until you write them.

    >>> torch.empty(2, 3).shape
    torch.Size([2, 3])
    """
    return fill_new(None, size, options)


@accepts()
def empty_strided(size: Any, stride: Any, **options: Any) -> Tensor:
    """An uninitialised tensor with these strides, counted in elements.

    >>> torch.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    wanted = choose_dtype(options)
    refuse(len(size) != len(stride), errors.strides_rank, size, stride)
    fresh.check_size(size, wanted.itemsize)
    refuse(min(stride, default=0) < 0, errors.strided_sizes, size, stride)
    strides = tuple(s * wanted.itemsize for s in stride)
    array = fresh.empty_strided(size, strides, wanted.numpy, is_on_meta(options))
    return deliver(array, wanted, options)


@accepts()
def eye(n: int, m: int | None = None, **options: Any) -> Tensor:
    """A matrix with ones on its diagonal and zeros elsewhere.

    >>> torch.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    m = n if m is None else m
    for name, value in (("n", n), ("m", m)):
        refuse(value < 0, errors.negative_count, name, value)
    wanted = choose_dtype(options)
    array = fill(fresh.empty((n, m), wanted.numpy, is_on_meta(options)), 0, wanted)
    array.reshape(-1)[: min(n, m) * m : m + 1] = 1
    return deliver(array, wanted, options)
