"""New tensors modelled on others: `zeros_like`, `new_zeros` and their relatives."""

from typing import Any

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import fresh
from course_lib.ops.make.creation import deliver, fill, fill_new, is_on_meta, track
from course_lib.ops.make.tensor import copy_data
from course_lib.words import errors

__all__ = ["empty_like", "full_like", "ones_like", "zeros_like"]


def allocate_like(input: Tensor, options: dict) -> tuple[Any, DType]:
    """Uninitialised memory like that of `input`, and its dtype."""
    wanted = options.get("dtype") or input._dtype
    meta, order = is_on_meta(options, input), options.get("memory_format")
    return fresh.empty_like(input._array, wanted.numpy, meta, order), wanted


def fill_like(value: Any, input: Tensor, options: dict) -> Tensor:
    """A tensor like `input`, filled with one value; uninitialised for None."""
    array, wanted = allocate_like(input, options)
    return deliver(fill(array, value, wanted), wanted, options)


@accepts()
def zeros_like(input: Tensor, **options: Any) -> Tensor:
    """Zeros like `input`: the same shape, dtype, device and memory layout, unless options differ.

    >>> torch.zeros_like(torch.tensor([1, 2]))
    tensor([0, 0])
    """
    return fill_like(0, input, options)


@accepts()
def ones_like(input: Tensor, **options: Any) -> Tensor:
    """Ones like `input`: the same shape, dtype, device and memory layout, unless options differ.

    >>> torch.ones_like(torch.tensor([1.5, 2.5]))
    tensor([1., 1.])
    """
    return fill_like(1, input, options)


@accepts()
def full_like(input: Tensor, fill_value: Any, **options: Any) -> Tensor:
    """A tensor like `input` (shape, dtype, device, memory layout), filled with `fill_value`.

    >>> torch.full_like(torch.tensor([1, 2]), 7)
    tensor([7, 7])
    """
    return fill_like(fill_value, input, options)


@accepts()
def empty_like(input: Tensor, **options: Any) -> Tensor:
    """An uninitialised tensor like `input`: the same shape, dtype, device and memory layout.

    >>> torch.empty_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    return fill_like(None, input, options)


# ---- methods: the dtype and device of `self`, the shape from the arguments -----------------------


@accepts("Tensor")
def new_zeros(self: Tensor, size: Any, **options: Any) -> Tensor:
    """Zeros of this shape, with the dtype and device of `self`.

    >>> torch.tensor([1, 2]).new_zeros(3)
    tensor([0, 0, 0])
    """
    return fill_new(0, size, options, self._dtype, self)


@accepts("Tensor")
def new_ones(self: Tensor, size: Any, **options: Any) -> Tensor:
    """Ones of this shape, with the dtype and device of `self`.

    >>> torch.tensor([1, 2]).new_ones(3)
    tensor([1, 1, 1])
    """
    return fill_new(1, size, options, self._dtype, self)


@accepts("Tensor")
def new_full(self: Tensor, size: Any, fill_value: Any, **options: Any) -> Tensor:
    """A tensor of this shape filled with `fill_value`, with the dtype and device of `self`.

    >>> torch.tensor([1, 2]).new_full((2,), 7)
    tensor([7, 7])
    """
    return fill_new(fill_value, size, options, self._dtype, self)


@accepts("Tensor")
def new_empty(self: Tensor, size: Any, **options: Any) -> Tensor:
    """An uninitialised tensor of this shape, with the dtype and device of `self`.

    >>> torch.tensor([1, 2]).new_empty(3).dtype
    torch.int64
    """
    return fill_new(None, size, options, self._dtype, self)


@accepts("Tensor")
def new_tensor(
    self: Tensor, data: Any, *, dtype: DType | None = None, device: Any = None, **options: Any
) -> Tensor:
    """A copy of `data` as a tensor with the dtype and device of `self`.

    >>> torch.tensor([1.5]).new_tensor([1, 2])
    tensor([1., 2.])
    """
    if isinstance(data, Tensor):
        errors.warn(errors.copy_construct("tensor.new_tensor"))
    made = copy_data(data, dtype or self._dtype, self.device if device is None else device)
    return track(made, options.get("requires_grad", False))


for _method in (new_zeros, new_ones, new_full, new_empty, new_tensor):
    attach_as(_method.__name__, _method)
