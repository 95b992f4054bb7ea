"""New tensors modelled on others: `zeros_like`, `new_zeros` and their relatives."""

from __future__ import annotations

from typing import Any

from course_lib.calls.overloads import FACTORY_LIKE, FACTORY_NEW, accepts, accepts_method
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, fresh
from course_lib.ops.make.creation import deliver, fill, strided
from course_lib.ops.make.tensor import copied
from course_lib.words import errors

__all__ = ["empty_like", "full_like", "ones_like", "zeros_like"]


def alike(
    input: Tensor,
    dtype: DType | None = None,
    device: Any = None,
    memory_format: Any = None,
    **_: Any,
) -> tuple[Any, DType]:
    """Uninitialised memory like that of `input`, and its dtype."""
    wanted = dtype or input._dtype
    where = input.device if device is None else devices.usable(device)
    meta = where is devices.META
    return fresh.empty_like(input._array, wanted.numpy, memory_format, meta), wanted


def filled_like(value: Any, input: Tensor, **options: Any) -> Tensor:
    """A tensor like `input`, filled with one value."""
    array, wanted = alike(input, **options)
    fill(array, value, wanted)
    requires_grad = options.get("requires_grad", False)
    return deliver(array, wanted, None, requires_grad, options.get("pin_memory", False))


@accepts("Tensor input, *, " + FACTORY_LIKE)
def zeros_like(input: Tensor, **options: Any) -> Tensor:
    """Zeros like `input`: the same shape, dtype, device and memory layout, unless options differ.

    >>> torch.zeros_like(torch.tensor([1, 2]))
    tensor([0, 0])
    """
    return filled_like(0, input, **options)


@accepts("Tensor input, *, " + FACTORY_LIKE)
def ones_like(input: Tensor, **options: Any) -> Tensor:
    """Ones like `input`: the same shape, dtype, device and memory layout, unless options differ.

    >>> torch.ones_like(torch.tensor([1.5, 2.5]))
    tensor([1., 1.])
    """
    return filled_like(1, input, **options)


@accepts("Tensor input, Number fill_value, *, " + FACTORY_LIKE)
def full_like(input: Tensor, fill_value: Any, **options: Any) -> Tensor:
    """A tensor like `input` (shape, dtype, device, memory layout), filled with `fill_value`.

    >>> torch.full_like(torch.tensor([1, 2]), 7)
    tensor([7, 7])
    """
    return filled_like(fill_value, input, **options)


@accepts("Tensor input, *, " + FACTORY_LIKE)
def empty_like(input: Tensor, **options: Any) -> Tensor:
    """An uninitialised tensor like `input`: the same shape, dtype, device and memory layout.

    >>> torch.empty_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    array, wanted = alike(input, **options)
    requires_grad = options.get("requires_grad", False)
    return deliver(array, wanted, None, requires_grad, options.get("pin_memory", False))


# ---- methods: the dtype and device of `self`, the shape from the arguments -----------------------


def new_filled(self: Tensor, value: Any, size: Any, options: dict) -> Tensor:
    """A tensor filled with `value`, with the dtype and device of `self`; uninitialised for None."""
    wanted = options.get("dtype") or self._dtype
    array = fresh.empty(size, wanted.numpy, is_meta(self, options))
    if value is not None:
        fill(array, value, wanted)
    requires_grad = options.get("requires_grad", False)
    return deliver(array, wanted, None, requires_grad, options.get("pin_memory", False))


def is_meta(self: Tensor, options: dict) -> bool:
    """Whether a tensor made from `self` is a meta tensor."""
    device = options.get("device")
    return (self.device if device is None else devices.usable(device)) is devices.META


@accepts_method("tuple of ints size, *, " + FACTORY_NEW)
def new_zeros(self: Tensor, size: Any, **options: Any) -> Tensor:
    """Zeros of this shape, with the dtype and device of `self`.

    >>> torch.tensor([1, 2]).new_zeros(3)
    tensor([0, 0, 0])
    """
    return new_filled(self, 0, size, options)


@accepts_method("tuple of ints size, *, " + FACTORY_NEW)
def new_ones(self: Tensor, size: Any, **options: Any) -> Tensor:
    """Ones of this shape, with the dtype and device of `self`.

    >>> torch.tensor([1, 2]).new_ones(3)
    tensor([1, 1, 1])
    """
    return new_filled(self, 1, size, options)


@accepts_method("tuple of ints size, Number fill_value, *, " + FACTORY_NEW)
def new_full(self: Tensor, size: Any, fill_value: Any, **options: Any) -> Tensor:
    """A tensor of this shape filled with `fill_value`, with the dtype and device of `self`.

    >>> torch.tensor([1, 2]).new_full((2,), 7)
    tensor([7, 7])
    """
    return new_filled(self, fill_value, size, options)


@accepts_method("tuple of ints size, *, " + FACTORY_NEW)
def new_empty(self: Tensor, size: Any, **options: Any) -> Tensor:
    """An uninitialised tensor of this shape, with the dtype and device of `self`.

    >>> torch.tensor([1, 2]).new_empty(3).dtype
    torch.int64
    """
    return new_filled(self, None, size, options)


@accepts_method("tuple of ints size, tuple of ints stride, *, " + FACTORY_NEW)
def new_empty_strided(self: Tensor, size: Any, stride: Any, **options: Any) -> Tensor:
    """An uninitialised tensor with these strides, and the dtype and device of `self`.

    >>> torch.tensor([1.5]).new_empty_strided((2, 2), (1, 2)).stride()
    (1, 2)
    """
    wanted = options.get("dtype") or self._dtype
    array = strided(size, stride, wanted.numpy, is_meta(self, options))
    return deliver(array, wanted, None, options.get("requires_grad", False))


@accepts_method(
    "object data, *, torch.dtype dtype = None, torch.device device = None, "
    "bool requires_grad = False"
)
def new_tensor(
    self: Tensor, data: Any, *, dtype: DType | None = None, device: Any = None, **options: Any
) -> Tensor:
    """A copy of `data` as a tensor with the dtype and device of `self`.

    >>> torch.tensor([1.5]).new_tensor([1, 2])
    tensor([1., 2.])
    """
    if isinstance(data, Tensor):
        errors.warn(errors.copy_construct("tensor.new_tensor"))
    wanted = dtype or self._dtype
    out = copied(data, wanted, self.device if device is None else device)
    if options.get("requires_grad"):
        if wanted.category < dtypes.FLOATING:
            raise RuntimeError(errors.ONLY_FLOATING_FACTORY)
        out._requires_grad = True
    return out


for _method in (new_zeros, new_ones, new_full, new_empty, new_empty_strided, new_tensor):
    attach_as(_method.__name__, _method)
