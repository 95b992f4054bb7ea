"""`draw_storage`: the flat memory behind tensors, and each tensor as a window on it."""

import itertools
import math
import sys
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import GAP, HIGH, LETTER, PAD, TRACK, WIDE, Sheet
from course_lib.viz.drawing.theme import light, place
from course_lib.viz.reading import wanted
from course_lib.viz.reading.arrays import over_arrays
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import dtype_of, number

CELLS = 64  # of a storage that are drawn
CORNER = (6, 8, 12)  # blocks, rows, columns of a tensor that are drawn


@dataclass(frozen=True)
class Window:
    """A tensor as numbers: place of `t[i, j]` = offset + i * stride[0] + j * stride[1].

    `shown` is the shape of the corner that is drawn, `places` its places in the storage, in row
    order; `uses` counts for each drawn cell of the storage how often the whole tensor uses it.
    """

    name: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    shown: tuple[int, ...]
    places: tuple[int, ...]
    uses: tuple[int, ...]

    def seen_before(self, k: int) -> bool:
        """Whether element `k` has no memory of its own: an earlier one lies at the same place."""
        return self.places[k] in self.places[:k]


@dataclass(frozen=True)
class Bar:
    """One storage: its length, what lies in its first cells, and the tensors that look at it."""

    size: int
    dtype: str
    cells: tuple[str, ...]
    windows: tuple[Window, ...]

    def unused(self) -> list[int]:
        """Drawn cells that belong to none of the tensors."""
        used = [any(counts) for counts in zip(*(w.uses for w in self.windows), strict=True)]
        return [place for place, is_used in enumerate(used) if not is_used]

    def sharing(self) -> list[tuple[str, ...]]:
        """Names of tensors that have cells in common: all of them at once, or pair by pair."""
        names = tuple(window.name for window in self.windows)
        pairs: list[tuple[str, ...]] = [
            (one.name, other.name)
            for one, other in itertools.combinations(self.windows, 2)
            if any(a and b for a, b in zip(one.uses, other.uses, strict=True))
        ]
        everyone = len(pairs) == len(names) * (len(names) - 1) // 2
        return [names] if pairs and everyone else pairs


def draw_storage(*tensors: Any, names: Any = None) -> Picture:
    """The picture of the memory behind tensors: which cell of which tensor is which place.

    >>> import course_lib as torch
    >>> a = torch.tensor([[1, 2], [3, 4]])
    >>> b = a.t()
    >>> draw_storage(a, b)
    Storage of 4 cells, int64: 1 2 3 4
    a  shape (2, 2), stride (2, 1), offset 0
        1 @0  2 @1
        3 @2  4 @3
    b  shape (2, 2), stride (1, 2), offset 0
        1 @0  3 @2
        2 @1  4 @3
    @ is the place in the storage.
    a and b share memory: a write through one is seen through the other.

    NumPy arrays may stand beside the tensors.
    """
    frame = sys._getframe(1)
    tensors, names = over_arrays(tensors, names, frame)
    wanted.tensors("draw_storage", tensors)
    bars, sentences = describe_storage(tensors, Names(names, None, frame, who="draw_storage"))
    sentences += notes(bars)
    text = "\n".join([*(line for bar in bars for line in _in_words(bar)), *sentences])
    alt = _alt(bars, sentences)
    return Picture(text, alt, make_svg=lambda: storage_svg(bars, sentences, alt))


def describe_storage(tensors: tuple[Any, ...], names: Names) -> tuple[list[Bar], list[str]]:
    """The storages behind the tensors as plain data, and a sentence for each tensor without one."""
    groups: dict[Any, list[tuple[str, Any]]] = {}
    refused = []
    for i, tensor in enumerate(tensors):
        name = names.of(tensor) or (f"tensor {i}" if len(tensors) > 1 else "tensor")
        reason = _no_storage(tensor)
        if reason:
            refused.append(f"{name} cannot be drawn: {reason}.")
            continue
        storage = tensor.untyped_storage()
        key = (storage.data_ptr() or f"empty {i}", dtype_of(tensor))
        groups.setdefault(key, []).append((name, tensor))
    return [_bar(group) for group in groups.values()], refused


def notes(bars: list[Bar]) -> list[str]:
    """The sentences under the picture: how to read it, and what is special in it."""
    said = ["@ is the place in the storage."] if bars else []
    for bar in bars:
        for *names, last in bar.sharing():
            others = "other" if len(names) == 1 else "others"
            said.append(
                f"{', '.join(names)} and {last} share memory: "
                f"a write through one is seen through the {others}."
            )
        for window in bar.windows:
            if any(map(window.seen_before, range(len(window.places)))):
                said.append(f"{window.name}: dashed cells have no memory of their own.")
            if window.shown != window.shape:
                said.append(f"{window.name}: only a corner is shown.")
        if bar.unused():
            said.append("Dotted cells of the storage belong to none of these tensors.")
        if len(bar.cells) < bar.size:
            said.append(f"{bar.size - len(bar.cells):,} more cells of the storage are not shown.")
    if len(bars) > 1:
        said.append(f"{len(bars)} storages: no write into one is seen in another.")
    return said


def _no_storage(tensor: Any) -> str:
    if getattr(tensor.device, "type", "") == "meta":
        return "it is on the meta device, where tensors have a shape but no memory"
    try:
        tensor.untyped_storage().data_ptr(), tensor.stride(), tensor.storage_offset()
    except Exception:
        return "its layout has no single flat storage"
    return ""


def _bar(group: list[tuple[str, Any]]) -> Bar:
    tensor = group[0][1]
    size = tensor.untyped_storage().nbytes() // tensor.element_size()
    windows = tuple(_window(name, t, min(size, CELLS)) for name, t in group)
    cells = _cells(group, windows, min(size, CELLS))
    return Bar(size, dtype_of(tensor), cells, windows)


def _window(name: str, tensor: Any, cells: int) -> Window:
    shape, stride = tuple(tensor.shape), tuple(tensor.stride())
    offset = tensor.storage_offset()
    limits = [2] * max(len(shape) - 3, 0) + list(CORNER[3 - min(len(shape), 3) :])
    shown = tuple(min(n, limit) for n, limit in zip(shape, limits, strict=True))
    places = tuple(
        offset + sum(i * step for i, step in zip(index, stride, strict=True))
        for index in itertools.product(*map(range, shown))
    )
    uses = _uses(shape, stride, offset, cells)
    return Window(name, shape, stride, offset, shown, places, uses)


def _uses(shape: Any, stride: Any, offset: int, cells: int) -> tuple[int, ...]:
    """How many elements lie at each of the first places, dimension by dimension: no tensor is too
    large for it."""
    ways = [int(place == offset) for place in range(cells)]
    for n, step in zip(shape, stride, strict=True):
        if step == 0:
            ways = [n * way for way in ways]
        else:
            ways = [
                sum(ways[max(p - step * (n - 1), p % step) : p + 1 : step]) for p in range(cells)
            ]
            ways = ways if n else [0] * cells
    return tuple(ways)


def _cells(group: list[tuple[str, Any]], windows: tuple[Window, ...], n: int) -> tuple[str, ...]:
    """What lies in the first `n` cells; a dot where that cannot be found out."""
    tensor = group[0][1]
    try:
        flat = tensor.detach().as_strided((n,), (1,), 0).tolist()
        return tuple(map(number, flat))
    except Exception:  # then only what the tensors themselves show
        known: dict[int, str] = {}
        for (_, t), window in zip(group, windows, strict=True):
            if math.prod(window.shape) <= 10_000 and window.shown == window.shape:
                known.update(zip(window.places, map(number, _flat(t.tolist())), strict=True))
        return tuple(known.get(place, ".") for place in range(n))


def _flat(values: Any) -> list[Any]:
    rows = [values]
    while rows and isinstance(rows[0], list):
        rows = [value for row in rows for value in row]
    return rows


# ---- words ----


def value_at(bar: Bar, place: int) -> str:
    """The value in a cell, "?" for a cell too far along to be drawn."""
    return bar.cells[place] if place < len(bar.cells) else "?"


def _in_words(bar: Bar) -> list[str]:
    more = " ..." if len(bar.cells) < bar.size else ""
    plural = "cell" if bar.size == 1 else "cells"
    head = f"Storage of {bar.size:,} {plural}, {bar.dtype}: {' '.join(bar.cells)}{more}"
    lines = [head.rstrip(": ")]
    for window in bar.windows:
        lines.append(f"{window.name}  {told(window)}")
        width = window.shown[-1] if window.shown else 1
        cells = [f"{value_at(bar, place)} @{place}" for place in window.places]
        wide = max(map(len, cells), default=0)
        cells = [cell.rjust(wide) for cell in cells]
        rows = [cells[i : i + width] for i in range(0, len(cells), max(width, 1))]
        for i, row in enumerate(rows):
            if len(window.shown) > 2 and i and i % window.shown[-2] == 0:
                lines.append("")
            lines.append("    " + "  ".join(row))
    return lines


def told(window: Window) -> str:
    """Shape, stride and offset in words."""
    return f"shape {window.shape}, stride {window.stride}, offset {window.offset}"


def _alt(bars: list[Bar], sentences: list[str]) -> str:
    parts = []
    for bar in bars:
        seen = "; ".join(f"{window.name} has {told(window)}" for window in bar.windows)
        parts.append(f"A storage of {bar.size:,} {bar.dtype} cells. {seen}.")
    return " ".join([*parts, *sentences[1 if bars else 0 :]])


# ---- the drawing ---------------------------------------------------------------------------------


def storage_svg(bars: list[Bar], sentences: list[str], alt: str) -> str:
    """The drawing of some storages, with sentences below."""
    sheet = Sheet()
    y = PAD + 4.0
    for bar in bars:
        y = _put_bar(sheet, bar, y)
        y = _windows(sheet, bar, y)
    for sentence in sentences:
        sheet.text(PAD, y, sentence, 11, "muted", face="Helvetica")
        y += 15
    return sheet.svg(alt)


def _cell_width(bar: Bar) -> float:
    longest = max([len(cell) for cell in bar.cells] + [len(f"@{len(bar.cells)}")])
    return max(36.0, longest * LETTER + 12)


def _put_bar(sheet: Sheet, bar: Bar, y: float) -> float:
    """The storage itself, in as many lines as it needs; returns where to go on."""
    wide = _cell_width(bar)
    names = [window.name for window in bar.windows]
    left = PAD + max(map(len, names)) * LETTER + 12
    plural = "cell" if bar.size == 1 else "cells"
    sheet.text(PAD, y + 4, "storage", bold=True)
    sheet.text(PAD + 8 * LETTER, y + 4, f"{bar.size:,} {plural}, {bar.dtype}", 11, "muted")
    y += 14
    per_line = max(int((WIDE - left) // wide), 4)
    unused = set(bar.unused())
    for start in range(0, len(bar.cells), per_line):
        line = range(start, min(start + per_line, len(bar.cells)))
        for k in line:
            x = left + (k - start) * wide
            if k in unused:
                sheet.box(x, y, wide, HIGH, light("paper"), "1.5,3")
            else:
                sheet.box(x, y, wide, HIGH, place(k, len(bar.cells)))
            _cell(sheet, x + wide / 2, y, bar.cells[k], k)
        y += HIGH + 3
        for window in bar.windows:
            _track(sheet, window, line, left, wide, y)
            y += TRACK
        y += 10
    return y + 6


def _cell(sheet: Sheet, x: float, y: float, value: str, k: int) -> None:
    sheet.text(x, y + 15, value, anchor="middle")
    sheet.text(x, y + 28, f"@{k}", 10, "muted", "middle")


def _track(sheet: Sheet, window: Window, line: range, left: float, wide: float, y: float) -> None:
    """Under the bar, one mark per cell that the tensor uses, with a count when more than once."""
    sheet.text(PAD, y + 10, window.name, bold=True)
    for k in line:
        times = window.uses[k]
        x = left + (k - line.start) * wide
        if times == 1:
            sheet.box(x + 5, y + 5, wide - 10, 4, light("arrow"))
        elif times:
            sheet.text(x + wide / 2, y + 11, f"{times} x", 11, "ink", "middle")


def _windows(sheet: Sheet, bar: Bar, y: float) -> float:
    """The tensors side by side, in a new line where the page ends; returns where to go on."""
    wide = _cell_width(bar)
    x, lowest = float(PAD), y
    for window in bar.windows:
        columns = window.shown[-1] if window.shown else 1
        needs = max(columns * wide + 30, (len(told(window)) + 2) * 11 * 0.605)
        if x > PAD and x + needs > WIDE:
            x, y = float(PAD), lowest + 14
        lowest = max(lowest, _grid(sheet, bar, window, x, y, wide))
        x += needs + 24
    return lowest + 30


def _grid(sheet: Sheet, bar: Bar, window: Window, x: float, y: float, wide: float) -> float:
    sheet.text(x, y + 10, window.name, bold=True)
    sheet.text(x, y + 25, told(window), 11, "muted")
    top = y + 34
    if not window.places:
        sheet.text(x, top + 12, "no elements", 11, "muted")
        return top + 16
    columns = window.shown[-1] if window.shown else 1
    rows = window.shown[-2] if len(window.shown) > 1 else 1
    blocks = len(window.places) // (rows * columns)
    pitch = rows * HIGH + GAP
    top += GAP - 8 if blocks > 1 else 0
    for k, spot in enumerate(window.places):
        block, inside = divmod(k, rows * columns)
        if blocks > 1 and inside == 0:
            index = ", ".join(map(str, _unravel(block, window.shown[:-2])))
            sheet.text(x, top + block * pitch - 5, f"{window.name}[{index}]", 10.5, "muted")
        row, column = divmod(inside, columns)
        at = (x + column * wide, top + block * pitch + row * HIGH)
        if window.seen_before(k):
            sheet.box(*at, wide, HIGH, light("paper"), "4,3")
        else:
            sheet.box(*at, wide, HIGH, place(spot, len(bar.cells)))
        _cell(sheet, at[0] + wide / 2, at[1], value_at(bar, spot), spot)
    return top + blocks * pitch - GAP


def _unravel(k: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The index whose number in row order is `k`.

    >>> _unravel(5, (2, 3))
    (1, 2)
    """
    index: tuple[int, ...] = ()
    for n in reversed(shape):
        k, i = divmod(k, n)
        index = (i, *index)
    return index
