"""From an open file to what was saved: new files, old ones of PyTorch's, old ones of this library.

Two readers of pickles: the machine of `machine.py`, which only makes data, and Python's own, which
imports and calls whatever the file says.  Both ask `Storages` for the bytes of tensors.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable
from typing import IO, Any, NamedTuple

import numpy as np

from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.ops.bridge.storage import TypedStorage, UntypedStorage
from course_lib.serialization import former, safe
from course_lib.serialization.archive import Archive
from course_lib.serialization.machine import CALLED, Machine
from course_lib.serialization.places import Place
from course_lib.serialization.rebuild import StorageType, named
from course_lib.words import errors

LEGACY_MAGIC, LEGACY_PROTOCOL = 0x1950A86A20F9469CFC6C, 1001


class Reading(NamedTuple):
    """How a file is to be read."""

    place: Place
    weights_only: bool
    pickle_module: Any
    pickle_arguments: dict[str, Any]

    def unpickled(self, file: IO[bytes], storages: Callable[[Any], Any]) -> Any:
        """What the next pickle of a file makes."""
        if not self.weights_only:
            kind = trusting(self.pickle_module, storages)
            return kind(file, **self.pickle_arguments).load()
        try:
            return Machine(file, storages).load()
        except pickle.UnpicklingError as error:
            raise pickle.UnpicklingError(errors.weights_only(str(error))) from None


def read(file: IO[bytes], how: Reading) -> Any:
    """The value in an open file."""
    start = file.tell()
    head = file.read(4)
    file.seek(start)
    if not isinstance(head, bytes):
        raise AssertionError(errors.no_bytes(head))
    if not head:
        raise EOFError
    if head != b"PK\x03\x04":
        return read_legacy(io.BytesIO(file.read()), how)
    archive = Archive(file)
    if "data.json" in archive.names:
        return former.read(archive.zip, how.place)
    archive.check()
    if archive.has("constants.pkl"):
        raise RuntimeError(errors.torchscript())
    pickled = io.BytesIO(archive.record("data.pkl"))
    return how.unpickled(pickled, Storages(archive, how.place))


def unsafe_names(file: IO[bytes]) -> list[str]:
    """The names in a file that stand neither for data nor for what the user allows."""
    start = file.tell()
    head = file.read(4)
    file.seek(start)
    if head != b"PK\x03\x04":
        raise ValueError(errors.NO_CHECKPOINT)
    archive = Archive(file)
    archive.check()
    found = Machine(io.BytesIO(archive.record("data.pkl")), lambda asked: None).names()
    known = {*CALLED, *safe.by_path()}
    return sorted(path for path in found if path not in known and named(path) is None)


def trusting(pickle_module: Any, storages: Callable[[Any], Any]) -> type:
    """An unpickler without limits, which only knows where storages and PyTorch's names are."""

    class Unpickler(pickle_module.Unpickler):
        def persistent_load(self, asked: Any) -> Any:
            return storages(asked)

        def find_class(self, module: str, name: str) -> Any:
            found = named(f"{module}.{name}")
            if found is None and module.partition(".")[0] == "torch":
                raise pickle.UnpicklingError(errors.class_of_pytorch(f"{module}.{name}"))
            return super().find_class(module, name) if found is None else found

    return Unpickler


# ---- storages ------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """The storage that a pickle names, after a look at each part."""

    dtype: dtypes.dtype
    key: str
    location: str
    size: int

    @classmethod
    def of(cls, asked: Any) -> Asked:
        """The storage of ``("storage", torch.FloatStorage, "0", "cpu", 6)``."""
        try:
            _, kind, key, location, size = asked
        except (TypeError, ValueError):
            raise pickle.UnpicklingError(f"a storage named {asked!r}") from None
        dtype = dtypes.uint8 if kind is UntypedStorage else getattr(kind, "dtype", None)
        if dtype is None or not (kind is UntypedStorage or isinstance(kind, StorageType)):
            raise pickle.UnpicklingError(f"a storage of the type {kind!r}")
        if type(key) is not str or type(location) is not str or type(size) is not int:
            raise pickle.UnpicklingError(f"a storage named {asked[2:]!r}")
        return cls(dtype, key, location, size)


class Storages:
    """The storages in an archive: each is read once, and put where it belongs."""

    def __init__(self, archive: Archive, place: Place):
        self.archive, self.place = archive, place
        self.swapped = archive.byteorder() != sys.byteorder
        self.found: dict[str, TypedStorage] = {}

    def __call__(self, asked: Any) -> TypedStorage:
        want = Asked.of(asked)
        if want.key not in self.found:
            content = self.archive.record(f"data/{want.key}")
            if len(content) != want.size * want.dtype.itemsize:
                count = want.size * want.dtype.itemsize
                raise RuntimeError(errors.record_size(len(content), count))
            storage = UntypedStorage(elements(content, want.dtype, self.swapped))
            self.found[want.key] = TypedStorage(self.place(storage, want.location), want.dtype)
        return self.found[want.key]


def elements(content: bytes, dtype: dtypes.dtype, swapped: bool) -> np.ndarray:
    """Memory of our own with these bytes, read as elements."""
    memory = np.empty(len(content) // dtype.itemsize, dtype.numpy)
    fill(memory, content, dtype, swapped)
    return layout.owned(memory)


def fill(memory: np.ndarray, content: bytes, dtype: dtypes.dtype, swapped: bool) -> None:
    """Put bytes into memory; a truth value is one bit, and complex numbers are two numbers."""
    raw = np.frombuffer(content, np.uint8)
    if dtype is dtypes.bool_:
        raw = raw != 0
    elif swapped:
        width = dtype.itemsize // (2 if dtype.is_complex else 1)
        raw = raw.view(f"u{width}").byteswap().view(np.uint8)
    memory.view(np.uint8)[:] = raw


# ---- files from before the archive ---------------------------------------------------------------


class LegacyStorages:
    """Storages whose bytes come after the pickle: memory first, and then what belongs in it."""

    def __init__(self, place: Place, room: int):
        self.place, self.room = place, room
        self.waiting: dict[str, tuple[np.ndarray, dtypes.dtype]] = {}
        self.found: dict[str, TypedStorage] = {}

    def __call__(self, asked: Any) -> TypedStorage:
        if type(asked) is not tuple or len(asked) != 6 or asked[5] is not None:
            raise pickle.UnpicklingError(f"a storage named {asked!r}")
        want = Asked.of(asked[:5])
        if want.key not in self.found:
            self.room -= want.size * want.dtype.itemsize
            if want.size < 0 or self.room < 0:
                raise RuntimeError(errors.SHORT_LEGACY)
            memory = layout.owned(np.zeros(want.size, want.dtype.numpy))
            self.waiting[want.key] = memory, want.dtype
            storage = self.place(UntypedStorage(memory), want.location)
            self.found[want.key] = TypedStorage(storage, want.dtype)
        return self.found[want.key]

    def read(self, file: IO[bytes], keys: Any) -> None:
        """Read the bytes of the storages, in the order of their keys."""
        for key in keys:
            memory, dtype = self.waiting.pop(key)
            size = int.from_bytes(file.read(8), "little")
            content = file.read(memory.nbytes)
            if size != memory.size or len(content) != memory.nbytes:
                raise RuntimeError(errors.SHORT_LEGACY)
            fill(memory, content, dtype, sys.byteorder != "little")


def read_legacy(file: io.BytesIO, how: Reading) -> Any:
    """A file in the format that PyTorch wrote before version 1.6: pickles, and then bytes."""

    def nothing(asked: Any) -> Any:
        raise pickle.UnpicklingError("unsupported persistent id encountered")

    if how.unpickled(file, nothing) != LEGACY_MAGIC:
        raise RuntimeError(errors.BAD_MAGIC)
    protocol = how.unpickled(file, nothing)
    if protocol != LEGACY_PROTOCOL:
        raise RuntimeError(errors.bad_protocol(protocol))
    how.unpickled(file, nothing)  # about the machine that wrote it
    storages = LegacyStorages(how.place, file.getbuffer().nbytes)
    result = how.unpickled(file, storages)
    keys = how.unpickled(file, nothing)
    if type(keys) is not list or {*keys} != {*storages.waiting} or len({*keys}) < len(keys):
        raise RuntimeError(errors.SHORT_LEGACY)
    storages.read(file, keys)
    return result


def opened(f: Any) -> tuple[IO[bytes], bool]:
    """An open file for `f`, and whether it has to be closed."""
    if isinstance(f, (str, os.PathLike)):
        return open(f, "rb"), True
    try:
        f.seek(f.tell())
    except (AttributeError, io.UnsupportedOperation) as error:
        raise type(error)(errors.not_seekable(error)) from None
    return f, False
