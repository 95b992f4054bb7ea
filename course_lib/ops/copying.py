"""Copies of tensors: `copy.copy`, `copy.deepcopy`, `pickle`.

All three rebuild a window on a storage.  `copy` keeps the storage, `deepcopy` copies each storage
once per call, so that what shared memory before shares memory after; a pickle holds, as
PyTorch's does, the whole storage of each tensor.
"""

from __future__ import annotations

import copy as python_copy
from typing import Any

import numpy as np

from course_lib.core.graph import Version, Window
from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors, layout
from course_lib.facts.meta import MetaArray
from course_lib.forms.methods import attach

__all__: list[str] = []


def owner_of(array: Any) -> Any:
    """The storage of an array: see Note [Owner]."""
    return array if array.__class__ is MetaArray or array.base is None else array.base


def window(
    storage: Any,
    dtype: str,
    offset: int,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    requires_grad: bool,
    kind: type = Tensor,
) -> Tensor:
    """A leaf over part of `storage`, a flat array; `offset` and `stride` count bytes."""
    made = dtypes.named(dtype)
    array = layout.restride(storage, size, stride, offset, made.numpy)
    result = Tensor._make(array, made, kind)
    if array.__class__ is not MetaArray:
        result._cell = Version(1)  # the storage was put into an empty tensor: one write
    result._requires_grad = requires_grad
    if offset:
        result._view = Window(offset)
    return result


def parts(self: Tensor) -> tuple:
    """The arguments of `window` after the storage, for this tensor."""
    array = self._array
    return self._dtype.name, self._offset(), array.shape, array.strides, self.requires_grad


def shallow(self: Tensor) -> Tensor:
    """`copy.copy`: another leaf over the same memory.

    >>> import copy
    >>> x = torch.tensor([1, 2])
    >>> copy.copy(x).data_ptr() == x.data_ptr()
    True
    """
    self._share()
    result = window(owner_of(self._array), *parts(self), type(self))
    result.__dict__.update(self.__dict__)
    return result


def deep(self: Tensor, memo: dict) -> Tensor:
    """`copy.deepcopy`: a leaf over a copy of the memory; only leaves can be copied so.

    >>> import copy
    >>> x = torch.tensor([1, 2])
    >>> copy.deepcopy(x).data_ptr() == x.data_ptr()
    False
    """
    if not self.is_leaf:
        raise RuntimeError(errors.DEEPCOPY_OF_RESULT)
    if id(self) in memo:
        found: Tensor = memo[id(self)]
        return found
    self._share()
    owner = owner_of(self._array)
    copies = memo.setdefault("storages", {})
    if id(owner) not in copies:
        copies[id(owner)] = owner.copy(), owner  # the owner too: its id must stay taken
    result = window(copies[id(owner)][0], *parts(self), type(self))
    if self.grad is not None:
        result._more().grad = deep(self.grad, memo)
    result.__dict__.update(python_copy.deepcopy(self.__dict__, memo))
    memo[id(self)] = result
    return result


# ---- pickle --------------------------------------------------------------------------------------


def reduce(self: Tensor, protocol: Any) -> tuple:
    """What `pickle` stores: the bytes of the storage and the window on them."""
    self._share()
    owner = owner_of(self._array)
    if owner.__class__ is MetaArray:
        storage: Any = None
    else:
        storage = owner.reshape(-1).view(np.uint8)
    state = self.__dict__ or None
    return unpickled, (storage, *parts(self), type(self)), state


def unpickled(storage: Any, dtype: str, offset: int, size: Any, stride: Any, *rest: Any) -> Tensor:
    """A tensor from what `reduce` stored."""
    if storage is None:
        numpy_dtype = dtypes.named(dtype).numpy
        return window(MetaArray(size, numpy_dtype, stride), dtype, offset, size, stride, *rest)
    flat = np.array(storage).view(dtypes.named(dtype).numpy)
    return window(layout.owned(flat), dtype, offset, size, stride, *rest)


attach(
    {
        "__copy__": shallow,
        "__deepcopy__": deep,
        "__reduce_ex__": reduce,
    }
)
