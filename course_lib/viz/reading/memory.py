"""Where tensors lie: the bytes behind them, by address, and what stands in them.

Whether two tensors share memory is a question about bytes, so that dtypes and the storage objects
of a library do not matter: only addresses, strides and sizes in bytes do. A NumPy array is drawn as
a tensor over its own memory.
"""

import itertools
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from types import FrameType, SimpleNamespace
from typing import Any

from course_lib.viz.reading.arguments import name_parameters
from course_lib.viz.reading.models import library_of
from course_lib.viz.reading.values import dtype_of, number

# How the elements of each dtype lie in memory, in the words of `struct`; complex ones are pairs.
FORMATS = dict(bool="?", uint8="B", uint16="H", uint32="I", uint64="Q", int8="b", int16="h")
FORMATS |= dict(int32="i", int64="q", float16="e", float32="f", float64="d")
FORMATS |= dict(complex64="ff", complex128="dd")
WORK = 10**6  # steps that NumPy may take to find out whether two tensors have a byte in common


@dataclass(frozen=True)
class Layout:
    """A tensor as numbers: place of `t[i, j]` = offset + i * stride[0] + j * stride[1].

    A place is counted in elements of `size` bytes, from byte `begin` of the memory. `turned` is how
    a value is changed while it is read, "conjugate" or "negative".
    """

    dtype: str
    size: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    begin: int = 0
    turned: str = ""

    def describe(self) -> str:
        """Shape, stride and offset in words."""
        return f"shape {self.shape}, stride {self.stride}, offset {self.offset}"

    def byte(self, place: int) -> int:
        """The first byte of an element."""
        return self.begin + place * self.size

    def places(self, shown: Sequence[int]) -> tuple[int, ...]:
        """The places of the corner of that shape, in row order.

        >>> Layout("int64", 8, (2, 3), (1, 2), 4).places((2, 2))
        (4, 6, 5, 7)
        """
        steps = zip(shown, self.stride, strict=True)
        walks = [range(0, n * step, step) if step else (0,) * n for n, step in steps]
        return tuple(self.offset + sum(steps) for steps in itertools.product(*walks))

    def extent(self) -> tuple[int, int]:
        """The first byte of the tensor and the one after its last; equal when it is empty."""
        if 0 in self.shape:
            return self.byte(self.offset), self.byte(self.offset)
        last = sum((n - 1) * step for n, step in zip(self.shape, self.stride, strict=True))
        return self.byte(self.offset), self.byte(self.offset + last + 1)

    def uses(self, place: int) -> int:
        """How many elements lie at that place, however large the tensor is.

        >>> Layout("int64", 8, (3, 4), (2, 1), 0).uses(2)  # [0, 2] and [1, 0]
        2
        """
        if 0 in self.shape:
            return 0
        dims = sorted(zip(self.stride, self.shape, strict=True), reverse=True)
        rest = sum((n - 1) * step for step, n in dims)
        ways = {place - self.offset: 1}  # what is left to walk: in how many ways it was reached
        for step, n in dims:
            rest -= (n - 1) * step
            if step == 0:
                ways = {left: count * n for left, count in ways.items()}
                continue
            onwards: dict[int, int] = {}
            for left, count in ways.items():
                fewest = max(0, -((rest - left) // step))
                for i in range(fewest, min(n - 1, left // step) + 1):
                    onwards[left - i * step] = onwards.get(left - i * step, 0) + count
            ways = onwards
        return ways.get(0, 0)


def follow_dimensions(above: Layout, layout: Layout) -> list[int | None]:
    """For each dimension the one above it comes from: equal in size and step, else in step.

    Steps are compared in bytes: a view may have another dtype.

    >>> rows = Layout("int64", 8, (2, 3), (3, 1), 0)
    >>> follow_dimensions(rows, Layout("int64", 8, (3, 1, 2), (1, 3, 3), 0))
    [1, None, 0]
    """
    found: list[int | None] = [None] * len(layout.shape)
    for same_size in (True, False):
        for d, (n, step) in enumerate(zip(layout.shape, layout.stride, strict=True)):
            for i, (size, wide) in enumerate(zip(above.shape, above.stride, strict=True)):
                alike = wide * above.size == step * layout.size and (size == n) == same_size
                if alike and found[d] is None and i not in found:
                    found[d] = i
    return found


class Memory:
    """Bytes that lie together: one storage, or several that overlap."""

    def __init__(self, storages: list[Any]) -> None:
        self.start = min(storage.data_ptr() for storage in storages)
        begins = [storage.data_ptr() - self.start for storage in storages]
        self._spans = [(b, b + s.nbytes(), s) for b, s in zip(begins, storages, strict=True)]
        self.nbytes = max(end for _, end, _ in self._spans)

    def layout(self, tensor: Any) -> Layout:
        """Where a tensor of this memory looks."""
        turned = [word for word, is_so in (("conjugate", "is_conj"), ("negative", "is_neg"))
                  if getattr(tensor, is_so, bool)()]  # fmt: skip
        return Layout(
            dtype_of(tensor), tensor.element_size(), tuple(tensor.shape), tuple(tensor.stride()),
            tensor.storage_offset(), tensor.untyped_storage().data_ptr() - self.start,
            " ".join(turned),
        )  # fmt: skip

    def read(self, start: int, end: int) -> bytes:
        """The bytes from `start` to `end`, from whichever storage has them."""
        found = b""
        while start < end:
            reach = [span for span in self._spans if span[0] <= start]
            begin, stop, storage = max(reach, key=itemgetter(1))
            found += bytes(storage[start - begin : min(stop, end) - begin].tolist())
            start = min(stop, end)
        return found

    def values(self, layout: Layout, places: Sequence[int]) -> tuple[str, ...]:
        """What the tensor says at places of its storage."""
        raw = b"".join(self.read(layout.byte(place), layout.byte(place + 1)) for place in places)
        values = decode_elements(raw, layout.dtype, layout.size)
        if "conjugate" in layout.turned:
            values = [value.conjugate() for value in values]
        return tuple(number(-v if "negative" in layout.turned else v) for v in values)


def memories(tensors: Sequence[Any]) -> list[tuple[Memory, list[int]]]:
    """The memories behind tensors and the numbers of the tensors in each, in the order met.

    Storages that overlap are one memory: two arrays or buffers may be windows on the same bytes.
    Empty storages are nobody's.
    """
    found: list[list[int]] = []  # the numbers of tensors whose storages overlap
    storages = [tensor.untyped_storage() for tensor in tensors]
    places = [(str(tensors[i].device), s.data_ptr(), i) for i, s in enumerate(storages)]
    end = ("", 0)  # of the last of these memories: its device, and the address behind it
    for device, address, i in sorted(places):
        if (device, address) >= end:
            found.append([])
        found[-1].append(i)
        end = max(end, (device, address + storages[i].nbytes()))
    met = sorted(found, key=min)
    return [(Memory([storages[i] for i in members]), sorted(members)) for members in met]


def unreadable(tensor: Any) -> str:
    """Why the memory of a tensor cannot be looked at; "" where it can.

    >>> import course_lib as torch
    >>> unreadable(torch.zeros(2)), unreadable(torch.zeros(2, device="meta"))
    ('', 'it is on the meta device, where tensors have a shape but no memory')
    """
    if getattr(tensor.device, "type", "") == "meta":
        return "it is on the meta device, where tensors have a shape but no memory"
    try:
        storage = tensor.untyped_storage()
        storage.data_ptr(), tensor.stride(), tensor.storage_offset()
        storage[: min(1, storage.nbytes())].tolist()
    except Exception:  # sparse layouts and wrappers refuse in ways of their own
        return "its layout has no single flat storage"
    return ""


def in_common(one: Layout, other: Layout) -> bool | None:
    """Whether two tensors of one memory have a byte in common; None when nobody can say.

    >>> even, odd = Layout("int64", 8, (2,), (2,), 0), Layout("int64", 8, (2,), (2,), 1)
    >>> in_common(even, odd), in_common(even, even)
    (False, True)
    """
    import numpy as np

    footprints = [  # arrays of their shapes and strides, never read: NumPy compares addresses
        np.asarray(SimpleNamespace(__array_interface__={
            "version": 3,
            "data": (4096 + layout.byte(layout.offset), True),  # any address but that of nothing
            "typestr": f"|V{layout.size}",
            "shape": layout.shape,
            "strides": tuple(step * layout.size for step in layout.stride),
        }))
        for layout in (one, other)
    ]  # fmt: skip
    try:
        return np.shares_memory(footprints[0], footprints[1], max_work=WORK)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return None


def decode_elements(raw: bytes, dtype: str, size: int) -> list[Any]:
    """The elements in some bytes; of a dtype that Python cannot read, the bytes themselves."""
    if dtype == "bfloat16":  # the upper half of a float32
        halves = (raw[i : i + 2] for i in range(0, len(raw), 2))
        return [struct.unpack("<f", b"\0\0" + half)[0] for half in halves]
    if dtype in FORMATS:
        found = struct.iter_unpack(f"={FORMATS[dtype]}", raw)
        return [complex(*pair) if len(pair) == 2 else pair[0] for pair in found]
    return ["0x" + raw[i : i + size][::-1].hex() for i in range(0, len(raw), size)]


# ---- which bytes of a large memory are drawn ----

Part = tuple[int, int]  # first byte, and the one after the last


def parts_of(nbytes: int, step: int, extents: Sequence[Part], budget: int) -> list[Part]:
    """The parts that are drawn, from left to right, in steps of the largest element.

    Everything while it fits. Else parts grow at once from every end of every tensor, and from the
    ends of the memory, until `budget` bytes are used up: inwards first, then over the edge.
    """
    if nbytes <= budget:
        return [(0, nbytes)] if nbytes else []
    covered = [(start, end) for start, end in extents if start < end]
    parts: list[Part] = []
    for turn in range(1, budget // step + 1):
        long, edge = turn * step, step * (turn > 2)
        wanted = [(0, min(long, 2 * step)), (nbytes - min(long, 2 * step), nbytes)]
        for start, end in covered:
            wanted.append((start - edge, min(start + long, end) + edge * (start + long >= end)))
            wanted.append((max(end - long, start) - edge * (end - long <= start), end + edge))
        grown: list[Part] = []  # in order; those with next to nothing in between are one
        for start, end in sorted(wanted):
            start, end = max(start, 0), min(end, nbytes)
            start, end = start - start % step, min(end + -end % step, nbytes)
            if grown and start <= grown[-1][1] + 4 * step:
                grown[-1] = (grown[-1][0], max(grown[-1][1], end))
            else:
                grown.append((start, end))
        if parts and sum(b - a for a, b in grown) > budget:
            break
        parts = grown
    return parts


# ---- NumPy arrays ----


def over_arrays(
    things: tuple[Any, ...], names: Any, frame: FrameType | None
) -> tuple[tuple[Any, ...], Any]:
    """The things with every array replaced by a tensor on its memory, and the names with theirs."""
    library = next(filter(None, map(library_of, things)), None)
    if library is None or not any(map(_has_numbers, things)):
        return things, names
    true_tensors = [thing for thing in things if library_of(thing)]
    tensors, found = [], dict(name_parameters("draw_storage", "names", names))
    for thing in things:
        if _has_numbers(thing):  # it is called as the reader does, and told from a tensor
            scopes = [found, *([frame.f_locals, frame.f_globals] if frame else [])]
            known = [pair for scope in scopes for pair in list(scope.items()) if pair[1] is thing]
            named = (f"{n} (array)" for n, _ in known if not str(n).startswith("_"))
            thing = found[next(named, "array")] = _tensor_over(thing, true_tensors, library)
        tensors.append(thing)
    return tuple(tensors), found


def _has_numbers(thing: Any) -> bool:
    """Whether it is an array that a tensor could be made of."""
    np = sys.modules.get("numpy")  # without it there is no array
    return np is not None and isinstance(thing, np.ndarray) and thing.dtype.kind in "biufc"


def _tensor_over(array: Any, tensors: list[Any], library: Any) -> Any:
    """A tensor that looks where the array looks: at a tensor's storage or at the array's owner."""
    if any(step < 0 or step % array.itemsize for step in array.strides):
        raise ValueError(
            "draw_storage draws arrays whose steps are whole elements and go forwards, as those of "
            f"tensors do; this one has strides {array.strides}. Draw its base, or a copy."
        )
    import numpy as np

    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    low, high = np.lib.array_utils.byte_bounds(array)
    wanted = library.from_numpy(np.empty(0, array.dtype)).dtype
    whole = library.from_numpy(np.ndarray((owner.nbytes,), np.uint8, owner))
    for tensor in (*tensors, whole):
        start = tensor.untyped_storage().data_ptr()
        inside = start <= low and high <= start + tensor.untyped_storage().nbytes()
        if inside and (low - start) % array.itemsize == 0:
            count = tensor.untyped_storage().nbytes() // tensor.element_size()
            flat = tensor.detach().as_strided((count,), (1,), 0)  # as they stand in the storage
            flat = (flat.conj() if flat.is_conj() else flat).view(library.uint8)
            flat = flat[: flat.numel() // array.itemsize * array.itemsize].view(wanted)
            steps = [step // array.itemsize for step in array.strides]
            return flat.as_strided(array.shape, steps, (low - start) // array.itemsize)
    return library.from_numpy(array)
