"""What a file calls to make tensors, and what it says of them: PyTorch's functions, here.

    _rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks, metadata)

A tensor is a window on a storage.  `form` says which function with which arguments a tensor is
saved as; the functions turn them into tensors again and believe none of the arguments.
"""

from __future__ import annotations

import math
import sys
from collections import OrderedDict
from typing import Any

import numpy as np

from course_lib.core.graph import Version
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.devices import device
from course_lib.memory.fresh import layout as Layout
from course_lib.memory.fresh import strided
from course_lib.memory.meta import MetaArray
from course_lib.memory.size import Size
from course_lib.ops.bridge import pickling
from course_lib.ops.bridge.storage import TypedStorage, UntypedStorage
from course_lib.words import errors

# ---- loading -------------------------------------------------------------------------------------


def rebuild_tensor(storage: Any, offset: Any, size: Any, stride: Any) -> Tensor:
    """A tensor that shows part of a storage."""
    if not isinstance(storage, TypedStorage):
        raise TypeError(f"{type(storage).__name__} where a storage belongs")
    return window(storage, storage.dtype, offset, size, stride)


def rebuild_tensor_v2(
    storage: Any,
    offset: Any,
    size: Any,
    stride: Any,
    requires_grad: Any,
    hooks: Any,
    metadata: Any = None,
) -> Tensor:
    """The same, with what autograd wants to know; hooks are never saved."""
    return told(rebuild_tensor(storage, offset, size, stride), requires_grad, metadata)


def rebuild_tensor_v3(
    storage: Any,
    offset: Any,
    size: Any,
    stride: Any,
    requires_grad: Any,
    hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Tensor:
    """The same for a dtype whose storages have no name of their own: the storage is bytes."""
    if not isinstance(storage, TypedStorage) or not isinstance(dtype, dtypes.dtype):
        raise TypeError("a storage and a dtype are expected")
    if dtype is dtypes.bool_:
        raise TypeError("bytes that may be other than 0 and 1")
    return told(window(storage, dtype, offset, size, stride), requires_grad, metadata)


def rebuild_meta_tensor(dtype: Any, size: Any, stride: Any, requires_grad: Any) -> Tensor:
    """A tensor on the meta device: it has no storage."""
    if not isinstance(dtype, dtypes.dtype):
        raise TypeError("a dtype is expected")
    nothing = TypedStorage(UntypedStorage(MetaArray((0,), np.uint8)), dtype)
    made = window(nothing, dtype, 0, size, stride)
    made._cell = None
    return told(made, requires_grad, None)


def rebuild_parameter(data: Any, requires_grad: Any, hooks: Any) -> Tensor:
    """A parameter."""
    from course_lib.nn.parameter import Parameter

    if not isinstance(data, Tensor):
        raise TypeError(f"{type(data).__name__} where a tensor belongs")
    return Parameter(data, bool(requires_grad))


def rebuild_parameter_with_state(data: Any, requires_grad: Any, hooks: Any, state: Any) -> Tensor:
    """A parameter with attributes of its own."""
    return with_state(rebuild_parameter(data, requires_grad, hooks), state)


def rebuild_from_type(function: Any, kind: Any, arguments: Any, state: Any) -> Tensor:
    """A tensor with attributes of its own, or of a class derived from Tensor."""
    if function is rebuild_from_type or not any(function is f for f in FUNCTIONS.values()):
        raise TypeError(f"{function!r} makes no tensor")
    if not isinstance(kind, type) or not issubclass(kind, Tensor):
        raise TypeError(f"{kind!r} is no class of tensors")
    made = function(*arguments)
    if type(made) is not kind:
        made.__class__ = kind
    if hasattr(kind, "__setstate__"):
        made.__setstate__(state)
        return made
    return with_state(made, state)


def rebuild_layout(name: Any) -> Layout:
    """The layout with this name."""
    if name != repr(strided):
        raise TypeError(f"the layout {name!r}")
    return strided


FUNCTIONS: dict[str, Any] = {
    "torch._utils._rebuild_tensor": rebuild_tensor,
    "torch._utils._rebuild_tensor_v2": rebuild_tensor_v2,
    "torch._utils._rebuild_tensor_v3": rebuild_tensor_v3,
    "torch._utils._rebuild_meta_tensor_no_storage": rebuild_meta_tensor,
    "torch._utils._rebuild_parameter": rebuild_parameter,
    "torch._utils._rebuild_parameter_with_state": rebuild_parameter_with_state,
    "torch._tensor._rebuild_from_type_v2": rebuild_from_type,
}


def window(storage: TypedStorage, dtype: dtypes.dtype, *place: Any) -> Tensor:
    """A tensor over part of a storage, after PyTorch's checks of that part; sizes are elements."""
    offset, size, stride = place
    for number in (offset, *size, *stride):
        if type(number) is not int:
            raise TypeError(f"{number!r} where a number belongs")
    if offset < 0:
        raise RuntimeError(errors.negative_offset(offset))
    if len(size) != len(stride):
        raise RuntimeError(errors.unequal_ranks(size, stride))
    if min(size, default=0) < 0 or math.prod(size) >= 2**63:
        raise RuntimeError(errors.NUMEL_OVERFLOW)
    backwards = any(s < 0 and n > 1 for n, s in zip(size, stride, strict=True))
    far = layout.extent(size, stride, 1)
    if backwards or far * dtype.itemsize >= 2**63 or len(size) > 64:
        if 0 not in size:
            raise RuntimeError(errors.too_large_strided(size, stride))
    owner = storage.untyped()._owner
    steps = tuple(s * dtype.itemsize for s in stride)
    if owner.__class__ is MetaArray:
        owner = MetaArray(size, dtype.numpy, steps)
    elif far and (offset + far) * dtype.itemsize > owner.nbytes:
        raise RuntimeError(errors.NOT_RESIZABLE)
    try:
        made = pickling.window(owner, dtype.name, offset * dtype.itemsize, size, steps, False)
    except (OverflowError, ValueError) as error:  # larger than NumPy can describe
        raise RuntimeError(errors.too_large_strided(size, stride)) from error
    made._cell = Version(1)  # PyTorch writes once: the storage, into an empty tensor
    return made


def told(made: Tensor, requires_grad: Any, metadata: Any) -> Tensor:
    """`made` with what was saved beside its place in memory."""
    for mark in metadata or ():  # saved by PyTorch as a view that conjugates or negates when read
        if mark not in ("conj", "neg"):
            raise TypeError(f"a tensor with {mark!r}")
        if metadata[mark]:
            made = made.conj().clone() if mark == "conj" else -made
    if requires_grad:
        made.requires_grad = True
    return made


def with_state(made: Tensor, state: Any) -> Tensor:
    """`made` with the attributes that were saved."""
    if state and type(state) is not dict:
        raise TypeError(f"a state that is a {type(state).__name__}")
    made.__dict__.update(state or {})
    return made


# ---- saving --------------------------------------------------------------------------------------


def form(value: Any) -> tuple:
    """The function and arguments that make this tensor again."""
    parameters = sys.modules.get("course_lib.nn.parameter")  # without it, there are none
    if parameters and issubclass(type(value), parameters.Parameter):
        arguments: tuple = (value.detach(), value.requires_grad, OrderedDict())
        if not value.__dict__:
            return rebuild_parameter, arguments
        return rebuild_parameter_with_state, (*arguments, value.__dict__)
    function, arguments = plain_form(value)
    if type(value) is Tensor and not value.__dict__:
        return function, arguments
    return rebuild_from_type, (function, type(value), arguments, value.__dict__)


def plain_form(value: Tensor) -> tuple:
    """The same for what every tensor has."""
    for hook in hooks_of(value):
        if not getattr(hook, "__torch_unserializable__", False):
            errors.warn(errors.hook_not_saved(hook))
    value._share()
    owner, dtype = pickling.owner_of(value._array), value.dtype
    size, stride, tracked = tuple(value.shape), value.stride(), value.requires_grad
    if owner.__class__ is MetaArray:
        return rebuild_meta_tensor, (dtype, size, stride, tracked)
    place: tuple = (value.storage_offset(), size, stride, tracked, OrderedDict())
    storage = UntypedStorage(owner)
    if dtype in STORAGES:
        return rebuild_tensor_v2, (TypedStorage(storage, dtype), *place)
    return rebuild_tensor_v3, (storage, *place, dtype)


def hooks_of(value: Tensor) -> list[Any]:
    """The functions that wait for the gradient of a tensor."""
    if value._node is not None:
        return [*value._node.more().tensor.get(value._output_nr, {}).values()]
    return [] if value._extras is None else [*value._extras.hooks.values()]


# ---- names ---------------------------------------------------------------------------------------


class StorageType:
    """What PyTorch's files call ``torch.FloatStorage`` and the like: a dtype, for storages."""

    def __init__(self, dtype: dtypes.dtype):
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"StorageType({self.dtype})"


NAMELESS = (dtypes.uint16, dtypes.uint32, dtypes.uint64)
STORAGES = {d: StorageType(d) for d in dtypes.all_dtypes() if d not in NAMELESS}
NAMES: dict[str, Any] = {  # what stands in files, and what that is here
    **FUNCTIONS,
    "torch.serialization._get_layout": rebuild_layout,
    "torch.Size": Size,
    "torch.Tensor": Tensor,
    "torch.device": device,
    "torch.storage.UntypedStorage": UntypedStorage,
    **{f"torch.{dtype.name}": dtype for dtype in dtypes.all_dtypes()},
    **{
        f"torch.{dtype.legacy.replace('Tensor', 'Storage')}": kind
        for dtype, kind in STORAGES.items()
    },
}
PARAMETER = "torch.nn.parameter.Parameter"  # left out above, since few programs that save need nn


def named(path: str) -> Any:
    """What a name of PyTorch's files is here, or None."""
    if path == PARAMETER:
        from course_lib.nn.parameter import Parameter

        return Parameter
    return NAMES.get(path)
