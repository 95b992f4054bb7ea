"""The memory behind a tensor: the storage, the part of it that the tensor shows, and copies."""

import copy as python_copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.calls.rules import refuse
from course_lib.core.graph import Version, Window
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, layout
from course_lib.memory.dims import wrap_dim
from course_lib.memory.meta import MetaArray
from course_lib.memory.size import Size
from course_lib.words import errors

__all__ = ["TypedStorage", "UntypedStorage", "numel"]


# ---- sizes and steps -----------------------------------------------------------------------------


def _size(self: Tensor, dim: int | None = None) -> Any:
    """The size of each dimension, or of one.

    >>> torch.zeros(2, 3).size(), torch.zeros(2, 3).size(1)
    (torch.Size([2, 3]), 3)
    """
    shape = self._array.shape
    if dim is None:
        return tuple.__new__(Size, shape)
    return shape[wrap_dim(dim, len(shape), scalar=False)]


def _stride(self: Tensor, dim: int | None = None) -> Any:
    """For each dimension, how many elements of memory to step to the next index.

    >>> torch.zeros(2, 3).stride()
    (3, 1)
    """
    steps = tuple(s // self._dtype.itemsize for s in self._array.strides)
    return steps if dim is None else steps[wrap_dim(dim, len(steps), scalar=False)]


def _storage_offset(self: Tensor) -> int:
    """The number of elements in the storage before the first element of the tensor.

    >>> torch.tensor([1, 2, 3]).narrow(0, 1, 2).storage_offset()
    1
    """
    return self._offset() // self._dtype.itemsize


@composite(method=False)
def numel(input: Tensor) -> int:
    """The number of elements.

    >>> torch.numel(torch.zeros(2, 3))
    6
    """
    return int(input._array.size)


def _dim(self: Tensor) -> int:
    """The number of dimensions."""
    return self._array.ndim


def _element_size(self: Tensor) -> int:
    """The number of bytes of one element."""
    return self._dtype.itemsize


def _nbytes(self: Tensor) -> int:
    """The number of bytes that the elements would need without gaps or sharing."""
    return self._array.size * self._dtype.itemsize


# ---- whose memory it is --------------------------------------------------------------------------


def _get_base(self: Tensor) -> Tensor | None:
    """The tensor that this one is a view of; None if it is not a view."""
    return None if self._view is None else self._view.base


def _is_view(self: Tensor) -> bool:
    """Whether autograd records this tensor as a view of another."""
    return self._view is not None and self._view.base is not None


def _data_ptr(self: Tensor) -> int:
    """The address of the first element.

    >>> x = torch.zeros(2, 3)
    >>> x.t().data_ptr() == x.data_ptr()
    True
    """
    self._share()
    if self._array.__class__ is not np.ndarray or not self._array.size:
        return 0
    return layout.address(self._array)


class UntypedStorage:
    """The memory of one or more tensors, as bytes."""

    __slots__ = ("__weakref__", "_owner")

    def __init__(self, owner: Any):
        self._owner = owner

    def _bytes(self) -> np.ndarray:
        return self._owner.reshape(-1).view(np.uint8)

    @property
    def device(self) -> devices.device:
        """Where the memory is."""
        return devices.of(self._owner)

    def nbytes(self) -> int:
        """The number of bytes."""
        return int(self._owner.nbytes)

    size = __len__ = nbytes

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return layout.address(self._owner) if self.nbytes() and self.device.type != "meta" else 0

    def tolist(self) -> list[int]:
        """The bytes as numbers."""
        return self._bytes().tolist()

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return UntypedStorage(self._bytes()[index])
        if not isinstance(index, int) or isinstance(index, bool):
            raise TypeError(errors.storage_index(index))
        if not -len(self) <= index < len(self):
            raise IndexError(errors.storage_range(index + len(self) * (index < 0), len(self)))
        return int(self._bytes()[index])

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def __repr__(self) -> str:
        numbers = "\n".join(f" {n}" for n in self.tolist())
        name = "[torch.storage.UntypedStorage"
        return f"{numbers}\n{name}(device={self.device}) of size {len(self)}]"


class TypedStorage:
    """The memory of one or more tensors, read as elements of one dtype, as files name it."""

    def __init__(self, untyped: UntypedStorage, dtype: DType):
        self._untyped_storage, self.dtype = untyped, dtype

    def untyped(self) -> UntypedStorage:
        """The same memory as bytes."""
        return self._untyped_storage


def _untyped_storage(self: Tensor) -> UntypedStorage:
    """The memory of this tensor, and of all that share it, as bytes.

    >>> torch.zeros(2, 3).t().untyped_storage().nbytes()
    24
    """
    self._share()
    return UntypedStorage(layout.owner(self._array))


# ---- copies --------------------------------------------------------------------------------------

# `copy.copy`, `copy.deepcopy` and `pickle` rebuild a view of a storage.  `copy` keeps the storage.
# `deepcopy` copies each storage once per call, so that tensors that share memory still do in the
# copy.  A pickle holds the whole storage of each tensor, as in PyTorch.


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
    made = dtypes.dtype_of_name(dtype)
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
    result = window(layout.owner(self._array), *parts(self), type(self))
    result.__dict__.update(self.__dict__)
    return result


def deep(self: Tensor, memo: dict) -> Tensor:
    """`copy.deepcopy`: a leaf over a copy of the memory; only leaves can be deep-copied.

    >>> import copy
    >>> x = torch.tensor([1, 2])
    >>> copy.deepcopy(x).data_ptr() == x.data_ptr()
    False
    """
    refuse(not self.is_leaf, errors.DEEPCOPY_OF_RESULT)
    if id(self) in memo:
        return memo[id(self)]
    self._share()
    owner = layout.owner(self._array)
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
    owner = layout.owner(self._array)
    storage = owner if owner.__class__ is MetaArray else owner.reshape(-1).view(np.uint8)
    return rebuild_tensor, (storage, *parts(self), type(self)), self.__dict__ or None


def rebuild_tensor(storage: Any, dtype: str, *rest: Any) -> Tensor:
    """A tensor from what `reduce` stored."""
    if storage.__class__ is not MetaArray:
        storage = layout.own_array(np.array(storage).view(dtypes.dtype_of_name(dtype).numpy))
    return window(storage, dtype, *rest)


for _name, _method in {
    "size": _size,
    "stride": _stride,
    "storage_offset": _storage_offset,
    "numel": numel,
    "nelement": numel,
    "dim": _dim,
    "ndimension": _dim,
    "element_size": _element_size,
    "data_ptr": _data_ptr,
    "untyped_storage": _untyped_storage,
    "_is_view": _is_view,
    "ndim": property(_dim),
    "itemsize": property(_element_size),
    "nbytes": property(_nbytes),
    "_base": property(_get_base),
    "__copy__": shallow,
    "__deepcopy__": deep,
    "__reduce_ex__": reduce,
}.items():
    attach_as(_name, _method)
