"""A memory and the tensors that look at it, as plain data, and the drawing of both."""

import bisect
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.sheet import GAP, HIGH, LETTER, PAD, TRACK, WIDE, Chart
from course_lib.viz.drawing.theme import light, place
from course_lib.viz.reading.memory import Layout, Memory, in_common, memories, parts_of, unreadable
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.nonfinite import place_of

CELLS = 64  # of a row that are drawn; bytes, where rows of several dtypes stand over them
CORNER = (6, 8, 12)  # blocks, rows, columns of a tensor that are drawn
LONGEST, LETTERS = 16, 104  # columns of a tensor with one dimension; letters of the cells of a line


@dataclass(frozen=True)
class Window:
    """A tensor: where it looks, and what it says at the corner that is drawn.

    `values` are those of the elements of the corner, of shape `shown`, in row order.
    """

    name: str
    layout: Layout
    shown: tuple[int, ...]
    values: tuple[str, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The places of the elements of the corner."""
        return self.layout.places(self.shown)

    def seen_before(self, k: int) -> bool:
        """Whether element `k` has no memory of its own: an earlier one lies at the same place."""
        return self.places[k] in self.places[:k]


@dataclass(frozen=True)
class Cell:
    """An element of the memory: its place in its row, its first byte, and what stands there."""

    place: int
    byte: int
    value: str


@dataclass(frozen=True)
class Row:
    """The memory read as elements of one dtype, from one byte on; `parts` are drawn."""

    layout: Layout
    parts: tuple[tuple[Cell, ...], ...]

    def has(self, window: Window) -> bool:
        """Whether a tensor reads the memory this way."""
        one, other = window.layout, self.layout
        return (one.dtype, one.begin) == (other.dtype, other.begin)


@dataclass(frozen=True)
class Bar:
    """One memory: a row for each way to read it, and the tensors that look at it.

    `parts` are the bytes that are drawn, `content` what stands in them; `unused` are those of them
    that no tensor reaches. `pairs` says of two tensors whether they have a byte in common.
    """

    nbytes: int
    storages: int
    parts: tuple[tuple[int, int], ...]
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
        return (1, "byte") if len(self.rows) > 1 else (self.rows[0].layout.size, "cell")

    def describe(self, window: Window) -> str:
        """Where a tensor looks, and how it reads the bytes if there are several ways."""
        dtype = f", {window.layout.dtype}" if len(self.rows) > 1 else ""
        return window.layout.describe() + dtype

    def label(self, row: Row) -> str:
        """What a row is called among the rows of its memory."""
        layout = row.layout
        return f"{layout.dtype} from byte {layout.begin}" if self.storages > 1 else layout.dtype

    def counted(self, nbytes: int) -> str:
        """A length in words: `4 cells`, `1 cell`, `16 bytes`."""
        size, word = self.unit()
        return f"{nbytes // size:,} {word}{'' if nbytes // size == 1 else 's'}"


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
    ways: dict[tuple[str, int, int], int] = {}  # to read the memory, and where they end
    for (_, tensor), one in zip(members, layouts, strict=True):
        way = (one.dtype, one.size, one.begin)
        ways[way] = max(ways.get(way, 0), one.begin + tensor.untyped_storage().nbytes())
    sizes = [size for _, size, _ in ways]
    budget = CELLS * min(sizes) * (1 if len(ways) == 1 else 2)
    budget = max(CELLS, budget)
    parts = parts_of(memory.nbytes, max(sizes), [one.extent() for one in layouts], budget)
    rows = []
    for (dtype, size, begin), end in ways.items():
        whole = Layout(dtype, size, ((end - begin) // size,), (1,), 0, begin)
        rows.append(Row(whole, tuple(_cells(memory, whole, *part) for part in parts)))
    windows = tuple(
        _window(name, memory, one) for (name, _), one in zip(members, layouts, strict=True)
    )
    pairs = tuple(
        (one.name, other.name, in_common(one.layout, other.layout))
        for one, other in itertools.combinations(windows, 2)
        if 0 not in one.layout.shape and 0 not in other.layout.shape
    )
    return Bar(
        memory.nbytes, len({one.begin for one in layouts}), tuple(parts),
        tuple(memory.read(*part) for part in parts), tuple(rows), windows,
        _find_unused(parts, layouts), pairs,
    )  # fmt: skip


def _cells(memory: Memory, row: Layout, start: int, end: int) -> tuple[Cell, ...]:
    """The elements of a row that lie wholly in a part."""
    first = max(0, -((row.begin - start) // row.size))
    places = range(first, min((end - row.begin) // row.size, row.shape[0]))
    return tuple(map(Cell, places, map(row.byte, places), memory.values(row, places)))


def _window(name: str, memory: Memory, layout: Layout) -> Window:
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
        shown = (*shown[:-1], columns)
        values = memory.values(layout, layout.places(shown))
    return Window(name, layout, shown, values)


def _find_unused(parts: list[tuple[int, int]], layouts: list[Layout]) -> frozenset[int]:
    """The drawn bytes that no tensor reaches."""
    free = {byte for part in parts for byte in range(*part)}
    for layout in layouts:
        for start, end in parts:
            first, last = ((byte - layout.begin) // layout.size for byte in (start, end))
            places = range(first, last + 1)
            for spot in filter(layout.uses, places):
                free.difference_update(range(layout.byte(spot), layout.byte(spot + 1)))
    return frozenset(free)


# ---- the drawing ----

BYTE, SMALL = 16.0, 6.7  # pixels: a byte in two digits; one 11 px letter
Tints = Callable[[int, int], list[str]]  # of the bytes from the first to before the second


def put_storage(chart: Chart, bars: list[Bar], sentences: list[str]) -> None:
    """Some memories, with sentences below."""
    y = PAD + 4.0
    for k, bar in enumerate(bars):
        tints = tints_of(bar, k, len(bars))
        y = _put_bar(chart, bar, tints, y)
        y = _windows(chart, bar, tints, y)
    chart.notes(y, sentences)


def tints_of(bar: Bar, family: int, families: int) -> Tints:
    """Which tints a cell has: one for each place that is drawn and begins within its bytes.

    So a cell has the same colour wherever it is drawn again, and a wide cell shows the colours of
    the narrow ones that lie in it.
    """
    begins = {cell.byte for row in bar.rows for part in row.parts for cell in part}
    begins |= {window.layout.byte(spot) for window in bar.windows for spot in window.places}
    ordered = sorted(begins)

    def tints(start: int, end: int) -> list[str]:
        inside = range(bisect.bisect_left(ordered, start), bisect.bisect_left(ordered, end))
        found = [place(k, len(ordered), family, families) for k in inside]
        return list(dict.fromkeys(found))

    return tints


# ---- the memory ----


def _put_bar(chart: Chart, bar: Bar, tints: Tints, y: float) -> float:
    """The memory itself, in as many lines as it needs; returns where to go on."""
    several = len(bar.rows) > 1
    labels = [window.name for window in bar.windows]
    labels += [bar.label(row) for row in bar.rows] if several else []
    left = PAD + max(map(len, labels)) * LETTER + 12
    title = "storage" if bar.storages == 1 else "memory"
    dtypes = "" if several else f", {bar.rows[0].layout.dtype}"
    chart.text(PAD, y + 4, title, bold=True)
    chart.text(PAD + 8 * LETTER, y + 4, f"{bar.counted(bar.nbytes)}{dtypes}", 11, "muted")
    y += 14
    scale = max(_cell_width(bar, row) / row.layout.size for row in bar.rows)
    scale = max(scale, BYTE) if several else scale
    step = max(row.layout.size for row in bar.rows)
    long = max(int((WIDE - left) / scale) // step, 1 if several else 4) * step  # bytes of a line
    before = 0
    for k, (start, end) in enumerate(bar.parts):
        if start > before:
            gap = f"{bar.counted(start - before)} not drawn"
            gap = f"\N{HORIZONTAL ELLIPSIS} {gap} \N{HORIZONTAL ELLIPSIS}"
            chart.text(left, y + 10, gap, 11, "muted", face="Helvetica")
            y += 24
        before = end
        for first in range(start, end, long):
            y = _line(chart, bar, tints, k, range(first, min(first + long, end)), left, scale, y)
    return y + 6


def _line(
    chart: Chart, bar: Bar, tints: Tints, part: int, line: range, left: float, scale: float,
    y: float,
) -> float:  # fmt: skip
    """The bytes of one line, each row of elements over them, and under it who uses them."""
    several = len(bar.rows) > 1
    if several:
        chart.text(PAD, y + 11, "bytes", 11, "muted")
        for byte in line:
            x = left + (byte - line.start + 0.5) * scale
            value = f"{bar.content[part][byte - bar.parts[part][0]]:02x}"
            chart.text(x, y + 11, value, 11, "muted", "middle")
        y += 17
    for row in bar.rows:
        size = row.layout.size
        cells = [
            (cell, left + (cell.byte - line.start) * scale)
            for cell in row.parts[part]
            if cell.byte in line
        ]
        if not cells:
            continue
        if several:
            chart.text(PAD, y + 21, bar.label(row), 11, "muted")
        for cell, x in cells:
            ends = (cell.byte, cell.byte + size)
            if bar.unused.issuperset(range(*ends)):
                chart.box(x, y, size * scale, HIGH, light("paper"), "1.5,3")
            else:
                _draw_tints(chart, x, y, size * scale, tints(*ends))
            _cell(chart, x + size * scale / 2, y, cell.value, cell.place)
        y += HIGH + 3
        for window in filter(row.has, bar.windows):
            used = [(x, window.layout.uses(cell.place)) for cell, x in cells]
            if any(times for _, times in used) or bar.is_whole():
                _track(chart, window.name, used, size * scale, y)
                y += TRACK
        y += 6 if several else 0
    return y + 10


def _draw_tints(
    chart: Chart, x: float, y: float, w: float, fills: list[str], dash: str = ""
) -> None:
    """A cell in its tints, side by side."""
    if len(fills) > 1:
        for k, fill in enumerate(fills):
            chart.patch(x + k * w / len(fills), y, w / len(fills), HIGH, fill)
    chart.box(x, y, w, HIGH, fills[0] if len(fills) == 1 else "none", dash)


def _cell(chart: Chart, x: float, y: float, value: str, k: int) -> None:
    chart.text(x, y + 15, value, anchor="middle")
    chart.text(x, y + 28, f"@{k}", 11, "muted", "middle")


def _track(chart: Chart, name: str, used: list[tuple[float, int]], wide: float, y: float) -> None:
    """Under a row, one mark per cell that the tensor uses, with a count when more than once."""
    chart.text(PAD, y + 10, name, bold=True)
    for x, times in used:
        if times == 1:
            chart.box(x + 5, y + 5, wide - 10, 4, light("arrow"))
        elif times:
            chart.text(x + wide / 2, y + 11, f"{times} x", 11, "ink", "middle")


# ---- the tensors ----


def _cell_width(bar: Bar, row: Row) -> float:
    """Wide enough for what is said in the cells of a row, and in the tensors that read it so."""
    said = [(cell.value, cell.place) for part in row.parts for cell in part]
    for window in filter(row.has, bar.windows):
        said += zip(window.values, window.places, strict=True)
    return max([36.0, *(max(len(v) * LETTER, len(f"@{at}") * SMALL) + 12 for v, at in said)])


def _windows(chart: Chart, bar: Bar, tints: Tints, y: float) -> float:
    """The tensors side by side, in a new line where the page ends; returns where to go on."""
    x, lowest = float(PAD), y
    for window in bar.windows:
        wide = _cell_width(bar, next(row for row in bar.rows if row.has(window)))
        columns = window.shown[-1] if window.shown else 1
        told = bar.describe(window)
        needs = max(columns * wide + 30, (len(told) + 2) * 11 * 0.605)
        if x > PAD and x + needs > WIDE:
            x, y = float(PAD), lowest + 14
        chart.text(x, y + 10, window.name, bold=True)
        chart.text(x, y + 25, told, 11, "muted")
        lowest = max(lowest, _grid(chart, window, tints, x, y + 34, wide))
        x += needs + 24
    return lowest + 30


def _grid(chart: Chart, window: Window, tints: Tints, x: float, top: float, wide: float) -> float:
    if not window.places:
        chart.text(x, top + 12, "no elements", 11, "muted")
        return top + 16
    columns = window.shown[-1] if window.shown else 1
    rows = window.shown[-2] if len(window.shown) > 1 else 1
    blocks = len(window.places) // (rows * columns)
    pitch = rows * HIGH + GAP
    top += GAP - 8 if blocks > 1 else 0
    for k, spot in enumerate(window.places):
        block, inside = divmod(k, rows * columns)
        if blocks > 1 and inside == 0:
            index = ", ".join(map(str, place_of(block, window.shown[:-2])))
            chart.text(x, top + block * pitch - 5, f"{window.name}[{index}]", 11, "muted")
        row, column = divmod(inside, columns)
        at = (x + column * wide, top + block * pitch + row * HIGH)
        fills = tints(window.layout.byte(spot), window.layout.byte(spot + 1))
        _draw_tints(chart, *at, wide, fills, "4,3" if window.seen_before(k) else "")
        _cell(chart, at[0] + wide / 2, at[1], window.values[k], spot)
    return top + blocks * pitch - GAP
