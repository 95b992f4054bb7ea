"""Other memory for the same tensor: `resize_`, `set_`."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.graph import Window
from course_lib.core.tensor import Tensor, nothing
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.fresh import resized
from course_lib.memory.memory_formats import (
    channels_last,
    channels_last_3d,
    memory_format,
    order_of,
    preserve_format,
)
from course_lib.modes import modes
from course_lib.ops.bridge.storage import TypedStorage, UntypedStorage
from course_lib.words import errors

__all__ = ["resize_as_"]


def _resize_(self: Tensor, *size: Any, memory_format: memory_format | None = None) -> Tensor:
    """Another shape, row by row over the same storage, which grows if it is too small.

    >>> torch.tensor([1, 2, 3, 4]).resize_(2, 2)
    tensor([[1, 2],
            [3, 4]])
    """
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    if self.requires_grad and not self.is_inference():
        raise RuntimeError(errors.RESIZE_TRACKED)
    if self._array.shape == size and memory_format is None:
        return self
    if any(n < 0 for n in size):
        raise RuntimeError(errors.SIZE_OVERFLOW)
    itemsize = self._dtype.itemsize
    strides = layout.contiguous_strides(size, itemsize)
    if memory_format is not None and memory_format.order:
        strides = ordered(size, order_of(memory_format, len(size)), itemsize)
    self._share()
    self._array = resized(self._array, size, strides, self._offset())
    self._bump()
    return self


def ordered(size: Any, order: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Dense strides in bytes, the dimensions of `order` from the slowest to the fastest."""
    strides, step = [0] * len(size), itemsize
    for dim in reversed(order):
        strides[dim] = step
        step *= max(size[dim], 1)
    return tuple(strides)


def _resize_as_(
    self: Tensor, the_template: Tensor, *, memory_format: memory_format | None = None
) -> Tensor:
    """The shape of another tensor; see `resize_`."""
    if memory_format is preserve_format:
        orders = (channels_last, channels_last_3d)
        kept = (order for order in orders if the_template.is_contiguous(memory_format=order))
        memory_format = next(kept, None)
    return _resize_(self, *the_template._array.shape, memory_format=memory_format)


def resize_as_(
    input: Tensor, the_template: Tensor, *, memory_format: memory_format | None = None
) -> Tensor:
    """Give `input` the shape of another tensor; gives `input`.

    >>> torch.resize_as_(torch.tensor([1, 2]), torch.zeros(2, 1))
    tensor([[1],
            [2]])
    """
    return _resize_as_(input, the_template, memory_format=memory_format)


def _set_(
    self: Tensor, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = ()
) -> Tensor:
    """Make this tensor a window on other memory: that of a tensor, or a storage.

    >>> torch.zeros(2).set_(torch.tensor([1., 2., 3.]))
    tensor([1., 2., 3.])
    """
    if self.requires_grad and modes.grad:
        raise RuntimeError(errors.SET_TRACKED)
    wanted = self._dtype.numpy
    if source is None:
        array, start = layout.empty((0,), wanted), 0
    elif isinstance(source, Tensor):
        if source._dtype is not self._dtype:
            raise RuntimeError(errors.set_dtype(source._dtype, self._dtype))
        source._share()
        array, start = source._array, source._offset()
    else:
        array, start = elements(source, self._dtype), 0
    if size is not None:
        start = storage_offset * wanted.itemsize
        steps = tuple(s * wanted.itemsize for s in stride)
        steps = steps or layout.contiguous_strides(tuple(size), wanted.itemsize)
        owner = array.base if isinstance(array.base, np.ndarray) else array
        if start + layout.extent(tuple(size), steps, wanted.itemsize) > owner.nbytes:
            raise RuntimeError(errors.NOT_RESIZABLE)  # PyTorch would make memory of its own larger
        array = layout.restride(array, tuple(size), steps, start)
    self._array, self._view = array, Window(start) if start else None
    if self._extras is not None:
        self._extras.accumulator = nothing  # it is another leaf from now on
    self._bump()
    return self


def elements(storage: UntypedStorage | TypedStorage, dtype: dtypes.dtype) -> Any:
    """The memory of a storage as a flat array."""
    owner = (storage.untyped() if isinstance(storage, TypedStorage) else storage)._owner
    count = owner.nbytes // dtype.itemsize
    return layout.restride(owner, (count,), (dtype.itemsize,), 0, dtype.numpy)


for _name, _method in {"resize_": _resize_, "resize_as_": _resize_as_, "set_": _set_}.items():
    _method.__name__ = _name
    attach_as(_name, _method)
