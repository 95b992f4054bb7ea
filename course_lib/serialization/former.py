"""Files of this library's own first format, which `save` wrote before it wrote PyTorch's.

    data.json        what was saved: lists, dictionaries, numbers, and tensors as windows
    storage/0, …     the bytes of each storage, little-endian, once each

Reading takes numbers and text; every window is checked against its storage.
"""

from __future__ import annotations

import binascii
import json
import pickle
import sys
import zipfile
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory import devices, layout
from course_lib.memory.meta import MetaArray
from course_lib.memory.size import Size
from course_lib.ops.bridge.pickling import window
from course_lib.ops.bridge.storage import UntypedStorage
from course_lib.serialization.places import Place
from course_lib.serialization.rebuild import rebuild_parameter
from course_lib.words import errors

FORMAT = "course_lib 1"


def read(archive: zipfile.ZipFile, place: Place) -> Any:
    """The value in an archive."""
    try:
        tree = json.loads(part(archive, "data.json"))
        if not isinstance(tree, dict) or tree.get("format") != FORMAT:
            raise ValueError("another format")
        return Reader(lambda n: part(archive, f"storage/{n}"), place).decode(tree["value"])
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise pickle.UnpicklingError(errors.not_saved_data(str(error))) from error
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RecursionError) as error:
        raise pickle.UnpicklingError(errors.not_saved_data(f"broken archive: {error}")) from error


def part(archive: zipfile.ZipFile, name: str) -> bytes:
    """One member of an archive; stored as it is, so that it cannot be larger than the file."""
    info = archive.getinfo(name)
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
        raise ValueError(f"{name} is compressed")
    return archive.read(info)


class Reader:
    """Turns the tree of `data.json` into values again, believing nothing."""

    def __init__(self, storage_bytes: Callable[[int], bytes], place: Place):
        self.storage_bytes, self.place = storage_bytes, place
        self.storages: dict[int, Any] = {}
        self.tensors: list[Tensor] = []

    def decode(self, tree: Any) -> Any:
        if isinstance(tree, list):
            return [self.decode(v) for v in tree]
        if not isinstance(tree, dict):
            return tree
        [(kind, value)] = tree.items()
        if kind == "tensor":
            return self.decode_tensor(value)
        if kind == "again":
            return self.tensors[checked(value, low=0)]
        if kind in ("dict", "OrderedDict", "Counter"):
            pairs = {self.decode(k): self.decode(v) for k, v in value}
            mappings = {"OrderedDict": OrderedDict, "Counter": Counter}
            return mappings[kind](pairs) if kind in mappings else pairs
        if kind in ("tuple", "set", "frozenset", "Size"):
            types = {"tuple": tuple, "set": set, "frozenset": frozenset, "Size": Size}
            return types[kind](self.decode(v) for v in value)
        if kind == "complex":
            return complex(*value)
        if kind in ("bytes", "bytearray"):
            data = binascii.a2b_base64(value, strict_mode=True)
            return data if kind == "bytes" else bytearray(data)
        if kind == "dtype":
            return dtypes.named(value)
        if kind == "device":
            return devices.device(value)
        raise ValueError(f"a value of kind {kind!r}")

    def decode_tensor(self, fact: dict) -> Tensor:
        size, stride = (tuple(map(checked, fact[name])) for name in ("size", "stride"))
        offset, dtype = checked(fact["offset"]), dtypes.named(fact["dtype"])
        if min((*size, *stride, offset), default=0) < 0 or len(size) != len(stride):
            raise ValueError("a window with negative or missing sizes")
        requires_grad = fact["requires_grad"] is True and dtype.category >= dtypes.FLOATING
        if fact["storage"] is not None:
            array = self.storage(checked(fact["storage"], low=0), dtypes.named(fact["element"]))
        if fact["storage"] is None or isinstance(array, MetaArray):
            array = MetaArray(size, dtype.numpy, stride)
        else:
            if offset + layout.extent(size, stride, dtype.itemsize) > array.nbytes:
                raise ValueError("a window larger than its storage")
        made = window(array, dtype.name, offset, size, stride, requires_grad)
        if fact["class"] == "Parameter":
            made = rebuild_parameter(made, requires_grad, None)
        self.tensors.append(made)
        return made

    def storage(self, number: int, dtype: dtypes.dtype) -> Any:
        """Storage `number`, the same array each time."""
        if number not in self.storages:
            content = self.storage_bytes(number)
            if len(content) % dtype.itemsize:
                raise ValueError("a storage that is no whole number of elements")
            memory = np.frombuffer(content, np.uint8).copy()
            if dtype is dtypes.bool_:
                memory = (memory != 0).view(np.uint8)
            elif sys.byteorder == "big":
                width = dtype.itemsize // (2 if dtype.is_complex else 1)
                memory = memory.view(f"u{width}").byteswap().view(np.uint8)
            owner = layout.owned(memory.view(dtype.numpy))
            self.storages[number] = self.place(UntypedStorage(owner), "cpu")._owner
        return self.storages[number]


def checked(value: Any, low: int | None = None) -> int:
    """An integer from a file; anything else is refused."""
    if type(value) is not int or (low is not None and value < low):
        raise ValueError(f"{value!r} where a number belongs")
    return value
