"""`torch.save` and `torch.load`: tensors and plain containers in PyTorch's files, both ways.

A file is a zip archive in which nothing is compressed: `data.pkl` is a pickle of what was saved,
with each tensor as a window on its storage, and `data/0`, `data/1`, … are the bytes of storages.

A pickle is a program for a machine with a stack: *push a string*, *call what lies below with what
lies on top*.  Python's own imports any name and calls it.  `Reader` knows few instructions and the
names in `NAMES`; what it calls, the last column of `CALLED`, believes none of its arguments.
"""

import codecs
import io
import os
import pickle
import sys
import zipfile
from collections import Counter, OrderedDict
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace
from typing import IO, Any

import numpy as np

from course_lib.calls.missing import complete_module as _completed
from course_lib.calls.rules import refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory import fresh, layout
from course_lib.memory.devices import device
from course_lib.memory.size import Size
from course_lib.nn.parameter import Parameter
from course_lib.ops.bridge.storage import TypedStorage, UntypedStorage, window
from course_lib.words import errors

__getattr__, __dir__ = _completed(globals(), "serialization")
in_python: Any = pickle  # which has each of its two classes in Python, too


def save(obj: Any, f: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write tensors, numbers, text and containers of them to a file that PyTorch can read, too.

    Tensors that share memory share it after loading.  Of a model, save the `state_dict()`.
    """
    path = isinstance(f, (str, os.PathLike))
    refuse(not path and not hasattr(f, "write"), errors.SAVE_TARGET, error=AttributeError)
    parent = os.path.dirname(f) if path else ""  # type: ignore[arg-type]
    refuse(parent and not os.path.isdir(parent), errors.no_parent, parent)
    pickled, whole = io.BytesIO(), io.BytesIO()
    writer = Writer(pickled, protocol=2)
    writer.storages = {}
    writer.dump(obj)
    records = [("data.pkl", pickled.getvalue()), ("byteorder", sys.byteorder.encode())]
    records += [(f"data/{name}", content) for name, _, content in writer.storages.values()]
    with zipfile.ZipFile(whole, "w") as archive:
        for name, content in [*records, ("version", b"3\n")]:
            info = zipfile.ZipInfo(f"archive/{name}")
            fill = -(whole.tell() + 34 + len(info.filename)) % 64
            info.extra = b"FB" + fill.to_bytes(2, "little") + b"Z" * fill  # as PyTorch fills space
            archive.writestr(info, content)
    with open(f, "wb") if isinstance(f, (str, os.PathLike)) else nullcontext(f) as file:
        file.write(whole.getvalue())


def load(f: Any, map_location: Any = None, *, weights_only: bool = True) -> Any:
    """What `save` or PyTorch wrote: data and nothing else, whatever `weights_only` says.

    ``map_location="cpu"`` is for what PyTorch saved on another device; with "meta", only shapes and
    dtypes are loaded.  A dict or a function decides for each storage by its device.

    >>> import io
    >>> buffer = io.BytesIO()
    >>> torch.save(torch.nn.Linear(2, 1).state_dict(), buffer)
    >>> _ = buffer.seek(0)
    >>> torch.nn.Linear(2, 1).load_state_dict(torch.load(buffer))
    <All keys matched successfully>
    """
    known = isinstance(f, (str, os.PathLike)) or hasattr(f, "seek")
    refuse(not known, errors.not_seekable, f, error=AttributeError)
    with open(f, "rb") if isinstance(f, (str, os.PathLike)) else nullcontext(f) as file:
        head = file.read(4)
        if head != b"PK\x03\x04":
            raise pickle.UnpicklingError(errors.NO_ARCHIVE) if head else EOFError
        asked: list[str] = []
        try:
            return Reader(file, partial(place_storage, map_location, asked)).load()
        except Exception as error:  # of `map_location` itself, or else of the file
            raise (error if asked else load_error(error)) from None


def place_storage(wanted: Any, asked: list, storage: UntypedStorage, location: str) -> Any:
    """The storage where `map_location` wants it; `asked` is not empty while a function runs."""
    if isinstance(wanted, dict):
        location = wanted.get(location, location)
    elif isinstance(wanted, (str, device)):
        location = str(wanted)
    elif wanted is not None:
        asked.append(location)
        found = wanted(storage, location)
        asked.clear()
        if found is not None:
            return want(UntypedStorage, found)
    if location not in ("cpu", "meta"):
        cuda = str(location).partition(":")[0] == "cuda"
        raise RuntimeError(errors.NO_CUDA_STORAGE if cuda else errors.unrestorable(location))
    owner = storage._owner
    meta = location == "meta"
    return UntypedStorage(fresh.empty(owner.shape, owner.dtype, True)) if meta else storage


def load_error(error: Exception) -> Exception:
    """What `torch.load` raises when the file asks for more than data, or is damaged."""
    if isinstance(error, RuntimeError):
        return error
    text = str(error)
    if isinstance(error, zipfile.BadZipFile):
        text = text.replace("File is not a zip file", "failed finding central directory")
        return RuntimeError(errors.bad_archive(text))
    if isinstance(error, KeyError):  # no such instruction, or no such part of the archive
        text = f"Unsupported operand {text}" if text.isdigit() else error.args[0]
    return pickle.UnpicklingError(errors.not_loaded(text or "The pickle ends too soon"))


def want(kind: Any, value: Any) -> Any:
    """`value`, if it is of this very type."""
    refuse_type(type(value) is not kind, errors.file_wants, value, kind)
    return value


def key(value: Any) -> Any:
    """`value`, if it takes little time to hash: that visits each part, and tuples can be nested."""
    parts = [value]
    for part in parts:
        parts.extend(part if isinstance(part, tuple) else ())
        refuse_value(len(parts) > 100, errors.LONG_KEY)
    return value


def rebuilt(
    storage: Any, offset: Any, size: Any, stride: Any, grad: Any, hooks: Any, dtype: Any = None
) -> Tensor:
    """A tensor that shows a part of a storage; offset, size and stride count elements."""
    owner, dtype = want(TypedStorage, storage).untyped()._owner, dtype or storage.dtype
    if dtype is not storage.dtype and not any(dtype is known for known in NAMELESS):
        raise ValueError(errors.OTHER_TENSOR)
    low = min(map(whole, (offset, *want(tuple, size), *want(tuple, stride))))
    fits, width = low >= 0 and len(size) == len(stride), dtype.itemsize
    if not fits or (offset + layout.extent(size, stride, 1)) * width > owner.nbytes:
        raise ValueError(errors.OUTSIDE)
    made = window(owner, dtype.name, offset * width, size, tuple(s * width for s in stride), False)
    made.requires_grad = grad
    return made


whole = partial(want, int)
NAMELESS = (dtypes.uint16, dtypes.uint32, dtypes.uint64)  # their storages are saved as bytes
rebuilt_nameless = partial(rebuilt)
STORAGES = {d: SimpleNamespace(dtype=d) for d in dtypes.all_dtypes() if d not in NAMELESS}
CALLED: dict[str, tuple[Any, Any]] = {  # the name in files: what it is here, what is called instead
    "collections.OrderedDict": (OrderedDict, lambda: OrderedDict()),
    "collections.Counter": (Counter, lambda counts: Counter(want(dict, counts))),
    "__builtin__.set": (set, lambda values: {key(value) for value in want(list, values)}),
    "__builtin__.complex": (complex, lambda a, b: complex(want(float, a), want(float, b))),
    "_codecs.encode": (codecs.encode, lambda x, c: want(str, c == "latin1" and x).encode(c)),
    "torch.Size": (Size, lambda sizes: Size(map(whole, want(tuple, sizes)))),
    "torch.device": (device, lambda kind, *index: device(want(str, kind), *map(whole, index))),
    "torch._utils._rebuild_tensor_v2": (rebuilt, rebuilt),
    "torch._utils._rebuild_tensor_v3": (rebuilt_nameless, rebuilt),
    "torch._utils._rebuild_parameter": (Parameter, lambda x, g, _: Parameter(want(Tensor, x), g)),
}
NAMES = {path: meaning for path, (meaning, _) in CALLED.items()}
NAMES |= {f"torch.{dtype.name}": dtype for dtype in dtypes.all_dtypes()}
NAMES |= {f"torch.{d.legacy.replace('Tensor', 'Storage')}": kind for d, kind in STORAGES.items()}
BYTES = NAMES["torch.storage.UntypedStorage"] = SimpleNamespace(dtype=dtypes.uint8)
PATHS = {id(meaning): path for path, meaning in NAMES.items()}
INSTEAD = {id(meaning): instead for meaning, instead in CALLED.values()}
PLAIN = {type(None), bool, int, float, complex, str, bytes, tuple, list, dict, set}
PLAIN |= {OrderedDict, Counter, Size, device}


class Writer(in_python._Pickler):  # the one in C insists on importing each name
    """Python's pickler; `storages` has number, type and content of each, by the id of its owner."""

    def persistent_id(self, value: Any) -> Any:
        if type(value) is not TypedStorage:
            return None
        owner, kind = value.untyped()._owner, STORAGES.get(value.dtype, BYTES)
        count = owner.nbytes // kind.dtype.itemsize
        if id(owner) not in self.storages:
            content = value.untyped()._bytes()[: count * kind.dtype.itemsize].tobytes()
            self.storages[id(owner)] = str(len(self.storages)), kind, content
        name, known, _ = self.storages[id(owner)]
        refuse(known is not kind, errors.TWO_DTYPES)
        return "storage", kind, name, "cpu", count

    def reducer_override(self, value: Any) -> Any:
        if type(value) is Parameter and not value.__dict__:
            return Parameter, (value.detach(), value.requires_grad, OrderedDict())
        if type(value) is Tensor and not value.__dict__ and value.device.type == "cpu":
            storage = TypedStorage(value.untyped_storage(), value.dtype)
            place = value.storage_offset(), tuple(value.shape), value.stride(), value.requires_grad
            more = (value.dtype,) if value.dtype in NAMELESS else ()
            return (rebuilt_nameless if more else rebuilt), (storage, *place, OrderedDict(), *more)
        if id(value) not in PATHS and type(value) not in PLAIN:
            raise pickle.PicklingError(errors.not_saved(type(value)))
        return PATHS.get(id(value), NotImplemented)

    def save_global(self, value: Any, name: str | None = None) -> None:
        module, _, own = PATHS[id(value)].rpartition(".")
        self.write(pickle.GLOBAL + f"{module}\n{own}\n".encode())
        self.memoize(value)


class Reader(in_python._Unpickler):
    """Python's unpickler with few instructions and names: a file can be wrong, but nothing runs."""

    def __init__(self, file: IO[bytes], place: Any):
        self.zip, self.place = zipfile.ZipFile(file), place
        parts, names = self.zip.infolist(), self.zip.NameToInfo
        if len(names) < len(parts) or sum(p.compress_size for p in parts) > file.seek(0, 2):
            raise zipfile.BadZipFile("archive is larger inside than outside")
        self.root = parts[0].filename.partition("/")[0]
        if f"{self.root}/byteorder" in names and self.record("byteorder").decode() != sys.byteorder:
            raise pickle.UnpicklingError(errors.OTHER_ORDER)
        pickled = self.record("data.pkl")
        super().__init__(io.BytesIO(pickled))
        self.room, self.storages = len(pickled), dict[str, TypedStorage]()

    def record(self, name: str) -> bytes:
        part = self.zip.getinfo(f"{self.root}/{name}")
        if part.compress_type != zipfile.ZIP_STORED or part.file_size != part.compress_size:
            raise zipfile.BadZipFile(f"{name} is compressed")
        return self.zip.read(part)

    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.{name}" not in NAMES:
            raise pickle.UnpicklingError(errors.unsafe_global(f"{module}.{name}"))
        return NAMES[f"{module}.{name}"]

    def persistent_load(self, asked: Any) -> TypedStorage:
        _, kind, name, location, size = want(tuple, asked)
        if want(str, name) not in self.storages:
            dtype = want(SimpleNamespace, kind).dtype
            content = np.frombuffer(self.record(f"data/{name}"), np.uint8)
            refuse_value(content.nbytes != want(int, size) * dtype.itemsize, errors.OUTSIDE)
            memory = fresh.empty((size,), dtype.numpy)
            memory.view(np.uint8)[:] = content != 0 if dtype is dtypes.bool_ else content
            storage = self.place(UntypedStorage(memory), want(str, location))
            self.storages[name] = TypedStorage(storage, dtype)
        return self.storages[name]

    def call(self) -> None:
        arguments, function = want(tuple, self.stack.pop()), self.stack.pop()
        self.room -= sum(len(x) for x in arguments if type(x) in (str, tuple, list, dict))
        if self.room < 0 or id(function) not in INSTEAD:  # one long list can be named many times
            raise pickle.UnpicklingError(errors.unknown_call(function))
        self.stack.append(INSTEAD[id(function)](*arguments))

    def build(self) -> None:
        state = want(dict, self.stack.pop())
        if [*state] != ["_metadata"]:
            raise pickle.UnpicklingError(errors.unknown_call(state))
        want(OrderedDict, self.stack[-1])._metadata = state["_metadata"]

    def put(self, items: list[Any]) -> Any:
        target = self.stack[-1]
        if type(target) is list:
            return target.extend(items)
        kind = dict if type(target) is dict else OrderedDict
        return want(kind, target).update(zip(map(key, items[::2]), items[1::2], strict=True))

    safe = """PROTO NONE NEWTRUE NEWFALSE BININT BININT1 BININT2 LONG1 BINFLOAT BINUNICODE MARK
        EMPTY_TUPLE EMPTY_LIST EMPTY_DICT TUPLE TUPLE1 TUPLE2 TUPLE3 BINGET LONG_BINGET BINPUT
        LONG_BINPUT BINPERSID GLOBAL STOP"""
    codes = [getattr(pickle, name)[0] for name in safe.split()]
    dispatch = {
        **{code: in_python._Unpickler.dispatch[code] for code in codes},
        pickle.REDUCE[0]: call,
        pickle.BUILD[0]: build,
        pickle.APPEND[0]: lambda self: self.put([self.stack.pop()]),
        pickle.SETITEM[0]: lambda self: self.put([self.stack.pop(-2), self.stack.pop()]),
        **dict.fromkeys(pickle.APPENDS + pickle.SETITEMS, lambda self: self.put(self.pop_mark())),
    }
