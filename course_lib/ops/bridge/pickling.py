"""Copies of tensors: `copy.copy`, `copy.deepcopy`, `pickle`.

All three rebuild a view of a storage.  `copy` keeps the storage.  `deepcopy` copies each storage
once per call, so that tensors that share memory still do in the copy.  A pickle holds the whole
storage of each tensor, as in PyTorch.
"""

from __future__ import annotations

import copy as python_copy
from typing import Any

import numpy as np

from course_lib.core.graph import Version, Window
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray
from course_lib.words import errors

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
        result._cell = Version(1)  # PyTorch writes once: the storage, into an empty tensor
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
    """`copy.deepcopy`: a leaf over a copy of the memory; only leaves can be deep-copied.

    >>> import copy
    >>> x = torch.tensor([1, 2])
    >>> copy.deepcopy(x).data_ptr() == x.data_ptr()
    False
    """
    if not self.is_leaf:
        raise RuntimeError(errors.DEEPCOPY_OF_RESULT)
    if id(self) in memo:
        return memo[id(self)]
    self._share()
    owner = owner_of(self._array)
    copies = memo.setdefault("storages", {})
    if id(owner) not in copies:
        copies[id(owner)] = owner.copy(), owner  # keeps the owner alive, and so its id
    result = window(copies[id(owner)][0], *parts(self), type(self))
    if self.grad is not None:
        result._more().grad = deep(self.grad, memo)
    result.__dict__.update(python_copy.deepcopy(self.__dict__, memo))
    memo[id(self)] = result
    return result


def reduce(self: Tensor, protocol: Any) -> tuple:
    """What `pickle` stores: the bytes of the storage, and the tensor's place in them."""
    self._share()
    owner = owner_of(self._array)
    storage = owner if owner.__class__ is MetaArray else owner.reshape(-1).view(np.uint8)
    return unpickled, (storage, *parts(self), type(self)), self.__dict__ or None


def unpickled(storage: Any, dtype: str, *rest: Any) -> Tensor:
    """A tensor from what `reduce` stored."""
    if storage.__class__ is not MetaArray:
        storage = layout.owned(np.array(storage).view(dtypes.named(dtype).numpy))
    return window(storage, dtype, *rest)


attach({"__copy__": shallow, "__deepcopy__": deep, "__reduce_ex__": reduce})
