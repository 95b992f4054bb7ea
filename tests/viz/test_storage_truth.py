"""`draw_storage` against brute force: hundreds of random views, looked at byte by byte.

What the picture says is compared with what the libraries say of each element: its address, its
bytes, its value, and which other tensors have one of these bytes.
"""

import itertools
import random
from collections import Counter

import pytest

from course_lib.viz.pictures.storage_cells import describe_storage
from course_lib.viz.reading.memory import decode_elements
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import number

STARTS = {
    "float32": lambda lib, n: lib.arange(n, dtype=lib.float32) / 8, "float64": lambda lib,
    n: lib.arange(n, dtype=lib.float64) - 0.5, "int64": lambda lib, n: lib.arange(n) * 3,
    "complex64": lambda lib, n: lib.arange(n) * (1.0 - 2.0j), "bool": lambda lib,
    n: lib.arange(n) % 3 == 0, "bfloat16": lambda lib, n: lib.arange(n).to(lib.bfloat16),
}  # fmt: skip
BITS = ("uint8", "int16", "int32", "float32", "float64", "int64")


def changed(lib, rng, t):
    """A view of `t`, made at random; `t` itself where that way is not open."""
    dims = t.dim()
    way = rng.choice(
        ("slice", "step", "permute", "expand", "strided", "bits", "part", "narrow", "view", "index")
    )
    if way in ("slice", "step", "narrow", "index") and dims:
        d = rng.randrange(dims)
        n = t.shape[d]
        start = rng.randint(0, n)
        if way == "index":
            return t.select(d, rng.randrange(n)) if n else t
        if way == "narrow":
            return t.narrow(d, start, rng.randint(0, n - start))
        step = 1 if way == "slice" else rng.randint(1, 4)
        return t[(slice(None),) * d + (slice(start, rng.randint(start, n), step),)]
    if way == "permute":
        return t.permute(rng.sample(range(dims), dims))
    if way == "expand":
        return t.expand(rng.randint(1, 3), *t.shape)
    if way == "strided" and t.numel():
        room = t.untyped_storage().nbytes() // t.element_size()
        shape = [rng.randint(1, 4) for _ in range(rng.randint(0, 3))]
        steps = [rng.randint(0, 5) for _ in shape]
        last = sum((n - 1) * step for n, step in zip(shape, steps, strict=True))
        return t.as_strided(shape, steps, rng.randint(0, room - last - 1)) if last < room else t
    if way == "bits" and dims and t.dtype not in (lib.complex64, lib.complex128):
        return viewed(t, getattr(lib, rng.choice(BITS)))
    if way == "part" and t.dtype is lib.complex64:
        return rng.choice((t.real, t.imag))
    if way == "view" and t.is_contiguous() and t.numel() % 4 == 0 and t.numel():
        return t.view(4, -1)
    return t


def viewed(t, dtype):
    try:
        return t.view(dtype)
    except RuntimeError:  # its steps or its length do not allow it
        return t


def random_tensors(lib, rng):
    """Views of one, two or three storages, some of them large."""
    found = []
    for _ in range(rng.randint(1, 3)):
        name = rng.choice(list(STARTS))
        start = STARTS[name](lib, rng.choice((1, 5, 12, 16, 40, 64, 200, 1500)))
        for _ in range(rng.randint(1, 3)):
            t = start
            for _ in range(rng.randint(0, 4)):
                t = changed(lib, rng, t)
            found.append(t)
    rng.shuffle(found)
    return found


def addresses(t):
    """The address of each element, in row order, from `data_ptr` and strides alone."""
    size = t.element_size()
    walks = itertools.product(*map(range, t.shape))
    return [
        t.data_ptr() + size * sum(i * s for i, s in zip(index, t.stride(), strict=True))
        for index in walks
    ]


def touched(t):
    """The addresses of all bytes of a tensor."""
    return {a + k for a in set(addresses(t)) for k in range(t.element_size())}


def flat(values):
    rows = [values]
    while rows and isinstance(rows[0], list):
        rows = [value for row in rows for value in row]
    return rows


@pytest.mark.parametrize("seed", range(200))
def test_random_views_are_drawn_as_they_lie(lib, seed):
    tensors = random_tensors(lib, random.Random(seed))
    tensors = [t for k, t in enumerate(tensors) if not any(t is other for other in tensors[:k])]
    named = {f"t{k}": t for k, t in enumerate(tensors)}
    bars, refused = describe_storage(tuple(tensors), Names(named, None, None))
    assert not refused
    assert sorted(w.name for bar in bars for w in bar.windows) == sorted(named)
    for bar in bars:
        own = {w.name: named[w.name] for w in bar.windows}
        start = min(t.untyped_storage().data_ptr() for t in own.values())
        bytes_of = {name: touched(t) for name, t in own.items()}
        check_rows(bar, own, start, bytes_of)
        for window in bar.windows:
            check_window(window, own[window.name], start)
        check_sharing(bar, bytes_of)
    check_apart(bars, named)


def check_rows(bar, own, start, bytes_of):
    """Each drawn cell: what stands in it, who uses it how often, and whether nobody does."""
    anyone = set().union(*bytes_of.values())
    some = next(iter(own.values())).untyped_storage()
    for (first, end), content in zip(bar.parts, bar.content, strict=True):
        assert list(content) == some[first:end].tolist()
        free = {byte for byte in range(first, end) if start + byte not in anyone}
        assert free == {byte for byte in bar.unused if first <= byte < end}
    assert bar.hidden() + sum(map(len, bar.content)) == some.nbytes()
    for row in bar.rows:
        readers = {w: Counter(addresses(own[w.name])) for w in bar.windows if row.has(w)}
        assert readers
        for part in row.parts:
            for cell in part:
                assert cell.byte == cell.place * row.layout.size
                raw = bytes(some[cell.byte : cell.byte + row.layout.size].tolist())
                (value,) = decode_elements(raw, row.layout.dtype, row.layout.size)
                assert cell.value == number(value)
                for w, uses in readers.items():
                    assert w.layout.uses(cell.place) == uses[start + cell.byte]


def check_window(window, tensor, start):
    """The corner: addresses and values of its elements."""
    corner = tensor[tuple(slice(n) for n in window.shown)] if tensor.dim() else tensor
    told = [start + window.layout.byte(place) for place in window.places]
    assert told == (addresses(corner) if corner.numel() else [])
    assert list(window.values) == (list(map(number, flat(corner.tolist()))) if told else [])
    assert window.layout.offset == tensor.storage_offset()


def check_sharing(bar, bytes_of):
    some = [w.name for w in bar.windows if bytes_of[w.name]]
    assert bar.pairs == tuple(
        (a, b, bool(bytes_of[a] & bytes_of[b])) for a, b in itertools.combinations(some, 2)
    )


def check_apart(bars, named):
    """Tensors of two pictured memories have no byte in common."""
    for one, other in itertools.combinations(bars, 2):
        for a, b in itertools.product(one.windows, other.windows):
            assert not touched(named[a.name]) & touched(named[b.name])
