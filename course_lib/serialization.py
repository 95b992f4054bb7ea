"""`save` and `load`: data in a file, and nothing that could run.

A file is a zip archive without compression:

    data.json        what was saved: lists, dictionaries, numbers, and tensors as windows
    storage/0, …     the bytes of each storage, little-endian, once each

Loading reads numbers and text; it never looks up a name, imports a module or calls a function that
the file names, and every window is checked against its storage.  So a file from a stranger can be
wrong, but not dangerous.  (PyTorch's own files are pickles: not read here.)
"""

from __future__ import annotations

import binascii
import contextlib
import io
import os
import pickle
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import devices, dtypes, errors, layout
from course_lib.facts.meta import MetaArray
from course_lib.facts.size import Size
from course_lib.ops.copying import owner_of, parts, window

if TYPE_CHECKING:
    import zipfile

__all__ = ["load", "save"]

FORMAT = "course_lib 1"
CLASSES: dict[str, type] = {"Tensor": Tensor}  # the tensor classes that a file may name

# ---- saving --------------------------------------------------------------------------------------


def save(obj: Any, f: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write `obj` to a file: tensors, numbers, text, and lists, tuples, dictionaries of them.

    Tensors that share memory still share it after loading.  A file on disk appears complete or
    not at all.

    >>> import io
    >>> buffer = io.BytesIO()
    >>> torch.save({"weight": torch.tensor([1., 2.])}, buffer)
    >>> _ = buffer.seek(0)
    >>> torch.load(buffer)
    {'weight': tensor([1., 2.])}
    """
    import json
    import zipfile  # 5 ms that only readers and writers of files should pay

    archive = io.BytesIO()
    writer = Writer()
    tree = {"format": FORMAT, "value": writer.encode(obj)}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as file:
        file.writestr("data.json", json.dumps(tree))
        for number, storage in enumerate(writer.storages):
            file.writestr(f"storage/{number}", little_endian(storage).tobytes())
    if isinstance(f, (str, os.PathLike)):
        write_atomically(os.fspath(f), archive.getvalue())
    else:
        f.write(archive.getvalue())


def write_atomically(path: str, content: bytes) -> None:
    """Write a file next to `path`, then move it there: nobody ever sees half of it."""
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise RuntimeError(errors.no_parent(os.path.dirname(path)))
    temporary = f"{path}.{os.getpid()}.saving"
    try:
        with open(temporary, "wb") as file:
            file.write(content)
        if os.path.exists(path):
            os.chmod(temporary, os.stat(path).st_mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def little_endian(storage: np.ndarray) -> np.ndarray:
    """The bytes of a storage in the order that files have."""
    flat = storage.reshape(-1)
    if sys.byteorder == "big" and flat.dtype.itemsize > 1:
        flat = flat.byteswap()
    return flat.view(np.uint8)


class Writer:
    """Turns a value into what JSON can hold; gathers the storages on the way.

    Numbers, text, None, True and False stand for themselves, lists for lists; anything else is an
    object with one key that says what it is.  A tensor met again is a reference to the first one.
    """

    def __init__(self) -> None:
        self.storages: list[np.ndarray] = []
        self.places: dict[int, int] = {}  # id of an owner → number of its storage
        self.seen: dict[int, int] = {}  # id of a tensor → number of the tensor
        self.alive: list[Any] = []  # what ids were taken of

    def encode(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind in (bool, int, float, str):
            return value
        if kind is list:
            return [self.encode(v) for v in value]
        if isinstance(value, Tensor):
            return self.encode_tensor(value)
        if kind in (dict, OrderedDict, Counter):
            pairs = [[self.encode(k), self.encode(v)] for k, v in value.items()]
            return {kind.__name__: pairs}
        if kind in (tuple, set, frozenset, Size):
            return {kind.__name__: [self.encode(v) for v in value]}
        if kind is complex:
            return {"complex": [value.real, value.imag]}
        if kind in (bytes, bytearray):
            return {kind.__name__: binascii.b2a_base64(value, newline=False).decode()}
        if kind is dtypes.dtype:
            return {"dtype": value.name}
        if kind is devices.device:
            return {"device": str(value)}
        raise TypeError(errors.no_data(value))

    def encode_tensor(self, value: Tensor) -> Any:
        if id(value) in self.seen:
            return {"again": self.seen[id(value)]}
        self.seen[id(value)] = len(self.seen)
        value._share()
        owner = owner_of(value._array)
        self.alive += [value, owner]
        dtype, offset, size, stride, requires_grad = parts(value)
        fact = {"dtype": dtype, "offset": offset, "size": size, "stride": stride}
        fact["requires_grad"] = requires_grad
        name = type(value).__name__
        fact["class"] = name if CLASSES.get(name) is type(value) else "Tensor"
        if isinstance(owner, MetaArray):
            fact["storage"] = None
        else:
            if id(owner) not in self.places:
                self.places[id(owner)] = len(self.storages)
                self.storages.append(owner)
            fact["storage"] = self.places[id(owner)]
            fact["element"] = dtypes.of_numpy(owner.dtype).name
        return {"tensor": fact}


# ---- loading -------------------------------------------------------------------------------------


def load(
    f: str | os.PathLike[str] | IO[bytes],
    map_location: Any = None,
    *,
    weights_only: bool = True,
    mmap: bool | None = None,
) -> Any:
    """What `save` wrote to a file.  Nothing in a file is ever run, whatever `weights_only` says.

    `map_location` may be ``"cpu"`` or ``"meta"``: where the tensors shall be.

    >>> import io
    >>> buffer = io.BytesIO()
    >>> torch.save([1, torch.tensor([2])], buffer)
    >>> _ = buffer.seek(0)
    >>> torch.load(buffer)
    [1, tensor([2])]
    """
    where = None if map_location is None else location(map_location)
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return read(file, where)
    return read(f, where)


def location(map_location: Any) -> str:
    """The kind of device that tensors shall be loaded to."""
    if isinstance(map_location, (str, devices.device)):
        where = devices.device(map_location).type
        if where in ("cpu", "meta"):
            return where
    raise NotImplementedError(errors.map_location(map_location))


def read(file: IO[bytes], where: str | None) -> Any:
    """The value in an open file."""
    import json
    import zipfile

    content = file.read()
    if not content:
        raise EOFError
    if not content.startswith(b"PK"):
        raise pickle.UnpicklingError(errors.not_saved_data("the file is no archive"))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            tree = json.loads(part(archive, "data.json"))
            if not isinstance(tree, dict) or tree.get("format") != FORMAT:
                raise ValueError("another format")
            return Reader(lambda n: part(archive, f"storage/{n}"), where).decode(tree["value"])
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise pickle.UnpicklingError(errors.not_saved_data(str(error))) from error
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RecursionError) as error:
        raise pickle.UnpicklingError(errors.not_saved_data(f"broken archive: {error}")) from error


def part(archive: zipfile.ZipFile, name: str) -> bytes:
    """One member of an archive; stored as it is, so that it cannot be larger than the file."""
    from zipfile import ZIP_STORED

    info = archive.getinfo(name)
    if info.compress_type != ZIP_STORED or info.file_size != info.compress_size:
        raise ValueError(f"{name} is compressed")
    return archive.read(info)


class Reader:
    """Turns what `Writer` made into values again, believing nothing."""

    def __init__(self, storage_bytes: Callable[[int], bytes], where: str | None):
        self.storage_bytes, self.where = storage_bytes, where
        self.storages: dict[int, np.ndarray] = {}
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
        if fact["storage"] is None or self.where == "meta":
            array: Any = MetaArray(size, dtype.numpy, stride)
        else:
            array = self.storage(checked(fact["storage"], low=0), dtypes.named(fact["element"]))
            if offset + layout.extent(size, stride, dtype.itemsize) > array.nbytes:
                raise ValueError("a window larger than its storage")
        kind = CLASSES[fact["class"]]
        made = window(array, dtype.name, offset, size, stride, requires_grad, kind)
        if self.where == "cpu" and isinstance(array, MetaArray):
            raise NotImplementedError(errors.META_COPY)
        self.tensors.append(made)
        return made

    def storage(self, number: int, dtype: dtypes.dtype) -> np.ndarray:
        """Storage `number`, the same array each time."""
        if number not in self.storages:
            raw = np.frombuffer(self.storage_bytes(number), np.uint8).copy()
            if dtype.category == dtypes.BOOL:
                raw = (raw != 0).view(np.uint8)
            flat = raw.view(dtype.numpy)
            if sys.byteorder == "big" and flat.dtype.itemsize > 1:
                flat = flat.byteswap()
            self.storages[number] = layout.owned(flat)
        return self.storages[number]


def checked(value: Any, low: int | None = None) -> int:
    """An integer from a file; anything else is refused."""
    if type(value) is not int or (low is not None and value < low):
        raise ValueError(f"{value!r} where a number belongs")
    return value
