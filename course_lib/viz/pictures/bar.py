"""A memory and the tensors that look at it, as plain data: what `draw_storage` has to say."""

import itertools
from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading.memory import (
    Layout,
    Memory,
    Part,
    in_common,
    memories,
    parts_of,
    unreadable,
)
from course_lib.viz.reading.names import Names

CELLS = 64  # of a row that are drawn; bytes, where rows of several dtypes stand over them
CORNER = (6, 8, 12)  # blocks, rows, columns of a tensor that are drawn
LONGEST, LETTERS = 16, 104  # columns of a tensor with one dimension; letters of the cells of a line


@dataclass(frozen=True)
class Window:
    """A tensor: where it looks, and what it says at the corner that is drawn.

    `values` are those of the elements of the corner, of shape `shown`, in row order; `uses` counts
    for each drawn cell of its row, part by part, how often the whole tensor uses it.
    """

    name: str
    layout: Layout
    shown: tuple[int, ...]
    values: tuple[str, ...]
    uses: tuple[tuple[int, ...], ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The places of the elements of the corner."""
        return self.layout.places(self.shown)

    def seen_before(self, k: int) -> bool:
        """Whether element `k` has no memory of its own: an earlier one lies at the same place."""
        return self.places[k] in self.places[:k]


@dataclass(frozen=True)
class Cell:
    """An element of a row: its place, its first byte, and what stands there."""

    place: int
    byte: int
    value: str


@dataclass(frozen=True)
class Row:
    """The memory read as elements of one dtype, from byte `begin` on; `parts` are drawn."""

    dtype: str
    size: int
    begin: int
    count: int
    parts: tuple[tuple[Cell, ...], ...]

    def has(self, window: Window) -> bool:
        """Whether a tensor reads the memory this way."""
        layout = window.layout
        return (layout.dtype, layout.begin) == (self.dtype, self.begin)


@dataclass(frozen=True)
class Bar:
    """One memory: a row for each way to read it, and the tensors that look at it.

    `parts` are the bytes that are drawn, `content` what stands in them; `unused` are those of them
    that no tensor reaches. `pairs` says of two tensors whether they have a byte in common.
    """

    nbytes: int
    storages: int
    parts: tuple[Part, ...]
    content: tuple[bytes, ...]
    rows: tuple[Row, ...]
    windows: tuple[Window, ...]
    unused: frozenset[int]
    pairs: tuple[tuple[str, str, bool | None], ...]

    def sharing(self, verdict: bool | None = True) -> list[tuple[str, ...]]:
        """Names of tensors that have memory in common: all of them at once, or pair by pair.

        With False those that have none in common, with None those of which it is not known.
        """
        pairs: list[tuple[str, ...]] = [(a, b) for a, b, said in self.pairs if said is verdict]
        names = tuple(dict.fromkeys(name for a, b, _ in self.pairs for name in (a, b)))
        return [names] if pairs and len(pairs) == len(self.pairs) else pairs

    def hidden(self) -> int:
        """How many bytes are not drawn."""
        return self.nbytes - sum(end - start for start, end in self.parts)

    def is_whole(self) -> bool:
        """Whether every byte is drawn, and there is one way to read them."""
        return len(self.rows) == 1 and len(self.parts) == 1

    def unit(self) -> tuple[int, str]:
        """What lengths are counted in: the elements of the only row, or bytes."""
        return (1, "byte") if len(self.rows) > 1 else (self.rows[0].size, "cell")

    def counted(self, nbytes: int) -> str:
        """A length in words: `4 cells`, `1 cell`, `16 bytes`."""
        size, word = self.unit()
        return f"{nbytes // size:,} {word}{'' if nbytes // size == 1 else 's'}"


def label_of(bar: Bar, row: Row) -> str:
    """What a row is called among the rows of its memory."""
    return f"{row.dtype} from byte {row.begin}" if bar.storages > 1 else row.dtype


def describe_storage(tensors: tuple[Any, ...], names: Names) -> tuple[list[Bar], list[str]]:
    """The memories behind the tensors as plain data, and a sentence for each tensor without one."""
    drawn: list[tuple[str, Any]] = []
    refused = []
    called = names.each(tensors)
    for i, (name, tensor) in enumerate(zip(called, tensors, strict=True)):
        if any(tensor is other for other in tensors[:i]):
            continue
        reason = unreadable(tensor)
        if reason:
            refused.append(f"{name} cannot be drawn: {reason}.")
        else:
            drawn.append((name, tensor))
    found = memories([tensor for _, tensor in drawn])
    return [_bar(memory, [drawn[i] for i in members]) for memory, members in found], refused


def _bar(memory: Memory, members: list[tuple[str, Any]]) -> Bar:
    layouts = [memory.layout(tensor) for _, tensor in members]
    ways = list(dict.fromkeys((one.dtype, one.size, one.begin) for one in layouts))
    sizes = [size for _, size, _ in ways]
    budget = CELLS * min(sizes) if len(ways) == 1 else max(CELLS, 2 * CELLS * min(sizes))
    parts = parts_of(memory.nbytes, max(sizes), [one.extent() for one in layouts], budget)
    rows = []
    for dtype, size, begin in ways:
        ends = [
            begin + tensor.untyped_storage().nbytes()
            for (_, tensor), one in zip(members, layouts, strict=True)
            if (one.dtype, one.begin) == (dtype, begin)
        ]
        count = (max(ends) - begin) // size
        whole = Layout(dtype, size, (count,), (1,), 0, begin)
        rows.append(Row(dtype, size, begin, count, _cells(memory, whole, parts)))
    windows = tuple(
        _window(name, memory, one, rows[ways.index((one.dtype, one.size, one.begin))])
        for (name, _), one in zip(members, layouts, strict=True)
    )
    pairs = tuple(
        (one.name, other.name, in_common(one.layout, other.layout))
        for one, other in itertools.combinations(windows, 2)
        if 0 not in one.layout.shape and 0 not in other.layout.shape
    )
    return Bar(
        memory.nbytes,
        len({one.begin for one in layouts}),
        tuple(parts),
        tuple(memory.read(*part) for part in parts),
        tuple(rows),
        windows,
        _unused(parts, layouts),
        pairs,
    )


def _cells(memory: Memory, row: Layout, parts: list[Part]) -> tuple[tuple[Cell, ...], ...]:
    """The elements of a row that lie wholly in the parts."""
    found = []
    for start, end in parts:
        first = max(0, -((row.begin - start) // row.size))
        places = range(first, min((end - row.begin) // row.size, row.shape[0]))
        values = memory.values(row, places)
        found.append(tuple(map(Cell, places, map(row.byte, places), values)))
    return tuple(found)


def _window(name: str, memory: Memory, layout: Layout, row: Row) -> Window:
    dims = len(layout.shape)
    limits = [2] * max(dims - 3, 0) + list(CORNER[3 - min(dims, 3) :])
    if dims == 1:
        limits = [LONGEST]
    shown = tuple(min(n, limit) for n, limit in zip(layout.shape, limits, strict=True))
    places = layout.places(shown)
    values = memory.values(layout, places)
    longest = max([len(f"@{max(places, default=0)}"), *map(len, values)])
    columns = max(LETTERS // (longest + 2), 4)  # no wider than a page
    if dims and shown[-1] > columns:
        values = tuple(value for k, value in enumerate(values) if k % shown[-1] < columns)
        shown = (*shown[:-1], columns)
    uses = tuple(tuple(layout.uses(cell.place) for cell in part) for part in row.parts)
    return Window(name, layout, shown, values, uses)


def _unused(parts: list[Part], layouts: list[Layout]) -> frozenset[int]:
    """The drawn bytes that no tensor reaches."""
    free = {byte for part in parts for byte in range(*part)}
    for layout in layouts:
        for start, end in parts:
            first, last = ((byte - layout.begin) // layout.size for byte in (start, end))
            places = range(first, last + 1)
            for place in filter(layout.uses, places):
                free.difference_update(range(layout.byte(place), layout.byte(place + 1)))
    return frozenset(free)
