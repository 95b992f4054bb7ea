"""From a value to the pickle and the storages of a file.

Python's pickler does the work.  It is told three things: a storage is left out and named, a tensor
is written as the call that makes it again, and what PyTorch has too is written under PyTorch's
name.  Python's quick pickler insists on importing each name, so this is its slower twin.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory.fresh import layout as Layout
from course_lib.memory.meta import MetaArray
from course_lib.memory.size import Size
from course_lib.ops.bridge.storage import TypedStorage, UntypedStorage
from course_lib.serialization.rebuild import NAMES, STORAGES, form, rebuild_layout
from course_lib.words import errors

PATHS = {id(value): path for path, value in NAMES.items()}


class Storages:
    """The storages that a pickle names, in the order in which it names them."""

    def __init__(self) -> None:
        self.content: list[np.ndarray] = []
        self.keys: dict[int, str] = {}  # their numbers, by the id of the owner
        self.kept: list[tuple[Any, dtypes.dtype]] = []  # the owners, so that no id is used twice

    def name(self, storage: UntypedStorage, dtype: dtypes.dtype, kind: Any) -> tuple:
        """What stands in the pickle for a storage."""
        owner = storage._owner
        count = storage.nbytes() // dtype.itemsize
        if id(owner) not in self.keys:
            self.keys[id(owner)] = str(len(self.kept))
            self.kept.append((owner, dtype))
            empty = owner.__class__ is MetaArray
            bytes_of = np.zeros(storage.nbytes(), np.uint8) if empty else storage._bytes()
            self.content.append(bytes_of[: count * dtype.itemsize])
        key = self.keys[id(owner)]
        if self.kept[int(key)][1] is not dtype:
            raise RuntimeError(errors.TWO_DTYPES)
        return "storage", kind, key, str(storage.device), count


def pickler(pickle_module: Any) -> Any:
    """The class of picklers, made from the one that a module has."""
    base: Any = getattr(pickle_module, "_Pickler", pickle_module.Pickler)
    if not issubclass(base, pickle._Pickler):
        raise NotImplementedError(errors.foreign_pickler(pickle_module))

    class Pickler(base):
        def __init__(self, file: Any, protocol: int, storages: Storages):
            super().__init__(file, protocol=protocol)
            self.storages = storages

        def persistent_id(self, value: Any) -> Any:
            if isinstance(value, UntypedStorage):
                return self.storages.name(value, dtypes.uint8, UntypedStorage)
            if isinstance(value, TypedStorage):
                if value.dtype not in STORAGES:
                    return self.storages.name(value.untyped(), dtypes.uint8, UntypedStorage)
                return self.storages.name(value.untyped(), value.dtype, STORAGES[value.dtype])
            return None

        def reducer_override(self, value: Any) -> Any:
            if id(value) in PATHS:
                return PATHS[id(value)]
            kind = type(value)
            if isinstance(value, Tensor) and kind.__reduce_ex__ is Tensor.__reduce_ex__:
                return form(value)
            if kind is Size:
                return Size, (tuple(value),)
            if kind is Layout:
                return rebuild_layout, (repr(value),)
            return NotImplemented

        def save_global(self, value: Any, name: str | None = None) -> None:
            path = path_of(value)
            if path is None:
                super().save_global(value, name)
                return
            module, _, own = path.rpartition(".")
            self.write(pickle.GLOBAL + f"{module}\n{own}\n".encode())
            self.memoize(value)

    return Pickler


def path_of(value: Any) -> str | None:
    """The name that PyTorch's files have for a class or function of ours."""
    if getattr(value, "__module__", "") == "course_lib.nn.parameter":
        if value.__qualname__ == "Parameter":
            return "torch.nn.parameter.Parameter"
    return PATHS.get(id(value))


def pickled(value: Any, pickle_module: Any, protocol: int) -> tuple[bytes, list[np.ndarray]]:
    """The pickle of a value, and the bytes of the storages that it names."""
    file, storages = io.BytesIO(), Storages()
    pickler(pickle_module)(file, protocol, storages).dump(value)
    return file.getvalue(), storages.content
