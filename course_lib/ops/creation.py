"""Making tensors from data and from shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import devices, dtypes, errors, kinds, layout
from course_lib.facts.dtypes import dtype as DType
from course_lib.facts.meta import MetaArray
from course_lib.facts.modes import modes

__all__ = ["ones", "tensor", "zeros"]


def finish(array: Any, dtype: DType, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A new leaf over `array`, on `device`; 0-dim memory is kept as a scalar (Note [Scalars])."""
    where = devices.CPU if device is None else devices.device(device)
    if where.type == "meta":
        array = MetaArray(array.shape, dtype.numpy)
    elif where.type != "cpu":
        raise AssertionError(errors.NO_CUDA)
    if array.__class__ is np.ndarray and not array.shape and array.base is None:
        array = array[()]
    out = Tensor._make(array, dtype)
    if requires_grad:
        if dtype.category < dtypes.FLOATING:
            raise RuntimeError(errors.ONLY_FLOATING_FACTORY)
        out._requires_grad = True
    if modes.inference:
        out._more().inference = True
    return out


def infer(data: Any) -> DType:
    """The dtype of nested data: the highest category found; floats take the default dtype."""
    found: DType | None = None
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, (list, tuple)):
            stack.extend(value)
            continue
        if isinstance(value, Tensor):
            one = value._dtype
        elif isinstance(value, (np.ndarray, np.generic)):
            one = dtypes.of_numpy(value.dtype)
        elif isinstance(value, (bool, int, float, complex)):
            one = dtypes.of_number(value)
        else:
            raise RuntimeError(errors.could_not_infer(value))
        found = one if found is None else dtypes.promote(found, one)
    return found or dtypes.default_dtype()


def shape_of(data: Any) -> tuple[int, ...]:
    """The shape of nested sequences, read off their first elements."""
    shape = []
    while isinstance(data, (list, tuple)):
        shape.append(len(data))
        if not data:
            break
        data = data[0]
    return tuple(shape)


def plain(data: Any) -> Any:
    """Nested data with tensors replaced by their numbers."""
    if isinstance(data, (list, tuple)):
        return [plain(v) for v in data]
    if isinstance(data, Tensor):
        return data.item()
    return kinds.number(data)


def tensor(
    data: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new tensor holding a copy of `data`: numbers, nested lists, an array or a tensor.

    Integers give int64, floats the default dtype, unless `dtype` says otherwise.

    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    if isinstance(data, Tensor):
        errors.warn(errors.COPY_CONSTRUCT)
        wanted = dtype or data._dtype
        return finish(np.array(data._array, wanted.numpy), wanted, device, requires_grad)
    if isinstance(data, (np.ndarray, np.generic)):
        source = dtypes.of_numpy(data.dtype)
        wanted = dtype or source
        return finish(np.array(data, wanted.numpy, order="C"), wanted, device, requires_grad)
    wanted = dtype or infer(data)
    try:
        array = np.array(plain(data), wanted.numpy)
    except ValueError:
        raise ValueError(errors.ragged(data)) from None
    return finish(layout.owned(array), wanted, device, requires_grad)


def size_of(size: Sequence[Any]) -> tuple[int, ...]:
    """A shape given as numbers, or as one list, tuple or Size."""
    if len(size) == 1 and isinstance(size[0], (list, tuple)):
        size = size[0]
    return tuple(size)


def filled(value: Any, size: Any, dtype: DType | None, device: Any, requires_grad: bool) -> Tensor:
    """A tensor of one value."""
    wanted = dtype or dtypes.default_dtype()
    array = layout.empty(size_of(size), wanted.numpy)
    array[...] = value
    return finish(array, wanted, device, requires_grad)


def zeros(
    *size: Any, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of zeros.

    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    return filled(0, size, dtype, device, requires_grad)


def ones(
    *size: Any, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of ones.

    >>> torch.ones(2)
    tensor([1., 1.])
    """
    return filled(1, size, dtype, device, requires_grad)
