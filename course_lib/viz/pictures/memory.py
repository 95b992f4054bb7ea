"""`draw_memory` and `draw_devices`: how many bytes are kept, and in which memory tensors lie.

`draw_memory` shows the bytes that a graph keeps for backward, function by function; `draw_devices`
the devices of tensors, and what can go from one to another.
"""

import itertools
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.drawing.text import count, cut
from course_lib.viz.drawing.theme import place as tint
from course_lib.viz.pictures.graph import FREED
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import BEHIND, Storages, in_bytes, list_saved, storages_of, total
from course_lib.viz.reading.values import dtype_of, number
from course_lib.viz.reading.walk import FAR, in_turn, name_of, walk

ROWS, LETTERS = 32, 44  # that are drawn; of code
TOGETHER = "together"  # the note of a row that stands for many, and has words but no bar
KINDS = {  # of bytes: colour of the fill, of the line
    "tensors with a name": ("leaf", "leaf line"),
    "only the graph keeps them": ("saved", "saved line"),
}
SENTENCES = {
    "recomputed": "that backward recomputes. The inputs that a checkpoint keeps are not counted.",
    "packed": "behind hooks, which keep something else instead.",
}


@dataclass(frozen=True)
class Row:
    """Bytes of a function: `parts` has one number for each kind."""

    where: str
    what: str
    parts: tuple[int, ...]
    note: str = ""

    @property
    def total(self) -> int:
        return sum(self.parts)

    def describe(self) -> str:
        """The bytes in words."""
        parts = [f"{in_bytes(n)} {kind}" for kind, n in zip(KINDS, self.parts, strict=True) if n]
        words = f"{in_bytes(self.total)}" + (f": {', '.join(parts)}" if parts else "")
        return words + (f" ({self.note})" if self.note else "")


@dataclass(frozen=True)
class Memory:
    """Everything a picture of memory says."""

    title: str
    rows: tuple[Row, ...]
    captions: tuple[str, ...]


def draw_memory(of: Any, *, names: Any = None, params: Any = None) -> Picture:
    """The picture of the bytes that are kept for backward.

    Each function of the graph of `of` has a row with the bytes that it saved. A storage that
    several share is counted once, at the first of them.

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = (x * x).exp().sum()
    >>> draw_memory(y)
    Memory that the graph of y keeps
    [1] MulBackward0  other = x, self = x
        8 bytes: 8 bytes tensors with a name
    [2] ExpBackward0  result
        8 bytes: 8 bytes only the graph keeps them
    16 bytes are saved. 8 bytes of them have no name: backward() frees them.
    1 of 3 functions saves no tensor.
    """
    arguments.tensor("draw_memory", of)
    known = Names(names, params, sys._getframe(1), who="draw_memory")
    instead = " that could keep memory. Give it the loss before backward()."
    arguments.require_made("draw_memory", of, known.of(of) or "this", instead)
    memory = describe_memory(of, known)
    parts = [f"{memory.title}: {len(memory.rows)} rows."]
    lines = [memory.title]
    wide = max((len(row.where) for row in memory.rows), default=0)
    for row in memory.rows:
        lines += [f"{row.where:<{wide}}  {row.what}".rstrip(), f"    {row.describe()}"]
    most = max(memory.rows, key=lambda row: row.total, default=None)
    if most is not None:
        parts.append(f"The longest is {most.where} {most.what}: {most.describe()}.")
    alt = " ".join([*parts, *memory.captions])
    return drawn([*lines, *memory.captions], alt, lambda chart: _put_memory(chart, memory))


def describe_memory(output: Any, names: Names) -> Memory:
    """What each function of a graph keeps, in the order in which functions ran."""
    graph = walk([output.grad_fn])
    nodes = [graph.nodes[i] for i in in_turn(graph)]
    named = storages_of(names.tensors)
    owners: dict[tuple[str, int], int] = {}
    everything: Storages = {}
    rows, every = [], []
    for k, node in enumerate(nodes, start=1):
        saved = list_saved(node)
        every += saved
        items = [item for item in saved if item.tensor is not None or item.state in BEHIND]
        storages = storages_of(tensor for item in items for tensor in item.held)
        new = {key: size for key, size in storages.items() if key not in owners}
        others = sorted({owners[key] for key in storages if key in owners})
        owners.update(dict.fromkeys(new, k))
        everything.update(new)
        if not items:
            continue
        known = [(item.name, ", ".join(map(names.of, item.held))) for item in items]
        what = ", ".join(f"{n} = {own.partition(',')[0]}" if own else n for n, own in known)
        notes = [f"shares with {', '.join(f'[{other}]' for other in others)}"] if others else []
        notes += [BEHIND[state] for state in BEHIND if any(item.state == state for item in items)]
        inside = {key: size for key, size in new.items() if key in named}
        parts = (total(inside), total(new, named))
        rows.append(Row(f"[{k}] {name_of(node)}", what, parts, "; ".join(notes)))
    captions = [_summary(everything, named)]
    none = len(nodes) - len(rows)
    counts = Counter(item.state for item in every if item.state in BEHIND and not item.packed)
    captions += [f"Not kept: {count(counts[s], 'saved tensor')} {SENTENCES[s]}" for s in counts]
    if any(item.state == "freed" for item in every):
        captions.append(FREED)
    elif none:
        verb = "saves" if none == 1 else "save"
        captions.append(f"{none:,} of {len(nodes):,} functions {verb} no tensor.")
    captions += [f"Only the {FAR:,} functions nearest to the output are here."] if graph.cut else []
    title = f"Memory that the graph of {names.of(output) or 'the output'} keeps"
    return Memory(title, _largest(rows), tuple(captions))


def _summary(everything: Storages, named: Storages) -> str:
    free = total(everything, named)
    start = f"{in_bytes(total(everything))} are saved."
    if not everything:
        return start
    if not free:
        return f"{start} All of it is in tensors that have a name and stay."
    return f"{start} {in_bytes(free)} of them have no name: backward() frees them."


def _largest(rows: list[Row]) -> tuple[Row, ...]:
    """All rows, or the longest ones in their order and one more for the others."""
    if len(rows) <= ROWS:
        return tuple(rows)
    chosen = sorted(range(len(rows)), key=lambda k: -rows[k].total)[: ROWS - 1]
    rest = [row for k, row in enumerate(rows) if k not in chosen]
    sums = tuple(map(sum, zip(*(row.parts for row in rest), strict=True)))
    more = Row(f"{len(rest):,} more functions", "", sums, TOGETHER)
    return (*(rows[k] for k in sorted(chosen)), more)


# ---- the drawing of bytes ----

HIGH, LONG = 26.0, 300.0  # pixels: a row, its bar


def _put_memory(chart: Chart, memory: Memory) -> None:
    """What the colours mean, and a row with a bar for each function."""
    chart.heading(memory.title)
    x, y = float(PAD), PAD + 32.0
    for kind, look in KINDS.items():
        chart.frame(x, y - 10, 22, 12, *look, 1.4)
        chart.text(x + 28, y, kind, 11.5, "muted", face="Helvetica")
        x += 28 + len(kind) * 6.4 + 26
    wheres = max((len(row.where) for row in memory.rows), default=0)
    whats = max((len(cut(row.what, LETTERS)) for row in memory.rows), default=0)
    code = PAD + wheres * LETTER + 14
    left = code + whats * LETTER + 18
    single = [row.total for row in memory.rows if row.note != TOGETHER]
    most = max(single, default=0) or 1
    y += 8
    for row in memory.rows:
        chart.text(PAD, y + 17, row.where, 11, "muted")
        chart.text(code, y + 17, cut(row.what, LETTERS))
        x = left
        for look, size in zip(KINDS.values(), row.parts, strict=True):
            wide = size / most * LONG if row.note != TOGETHER else 0  # it would dwarf the others
            if wide:
                chart.frame(x, y + 4, max(wide, 1.5), HIGH - 8, *look, 1.4)
            x += wide
        words = in_bytes(row.total) + (f", {row.note}" if row.note else "")
        chart.text(x + 8, y + 17, words, 12, "muted")
        y += HIGH
    chart.line([(left, y - HIGH * len(memory.rows)), (left, y)], "arrow", 1)
    chart.sentences(y + 22, list(memory.captions))


# ---- devices ----

CELLS = 6  # of a tensor that are drawn
CELL, HEAD, ROW, ROAD = 26, 48, 62, 236  # pixels: cell, title of a device, tensor, way between two


@dataclass(frozen=True)
class Held:
    """One tensor where it lies: `values` of its first elements, "?" where there is no memory."""

    name: str
    description: str
    values: tuple[str, ...]
    more: bool

    @property
    def cell(self) -> float:
        """How wide a cell is, in pixels."""
        return max(28.0, max(map(len, self.values), default=0) * LETTER + 10)


@dataclass(frozen=True)
class Device:
    """One device and what lies there; meta keeps shapes and has no memory."""

    name: str
    held: tuple[Held, ...]

    @property
    def has_memory(self) -> bool:
        return not self.name.startswith("meta")

    @property
    def description(self) -> str:
        return "a memory" if self.has_memory else "shapes without memory"


class Way(NamedTuple):
    """From one device to another: what to write, whether it is possible, what it does."""

    start: str
    end: str
    call: str
    open: bool
    does: str


def draw_devices(*tensors: Any, names: Any = None) -> Picture:
    """The picture of the devices of some tensors, and of the ways between those devices.

    >>> import course_lib as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> draw_devices(x, x.to("meta"), names={"x": x})
    cpu: a memory
        x  shape (2,), float32, 8 bytes: 1. 2.
    meta: shapes without memory
        x.to("meta")  shape (2,), float32, no bytes: ? ?
    cpu -> meta: .to("meta") takes shape and dtype, the numbers stay behind
    meta -> cpu: .to("cpu") is refused, there are no numbers
    """
    arguments.tensors("draw_devices", tensors)
    known = Names(names, None, sys._getframe(1), who="draw_devices", things=tensors)
    devices = describe_devices(tensors, known)
    ways = find_ways(devices)
    lines, alt = [], []
    for device in devices:
        lines.append(f"{device.name}: {device.description}")
        inside = ", ".join(held.name for held in device.held)
        alt.append(f"{device.name}: {device.description}, with {inside}.")
        for held in device.held:
            more = " ..." if held.more else ""
            lines.append(f"    {held.name}  {held.description}: {' '.join(held.values)}{more}")
    lines += [f"{way.start} -> {way.end}: {way.call} {way.does}" for way in ways]
    alt += [f"From {way.start} to {way.end}, {way.call} {way.does}." for way in ways]
    return drawn(lines, " ".join(alt), lambda chart: _put_devices(chart, devices, ways))


def describe_devices(tensors: tuple[Any, ...], names: Names) -> list[Device]:
    """The devices in the order in which the tensors name them."""
    found: dict[str, list[Held]] = {}
    for name, tensor in zip(names.each(tensors), tensors, strict=True):
        found.setdefault(str(tensor.device), []).append(_describe_tensor(name, tensor))
    return [Device(name, tuple(held)) for name, held in found.items()]


def find_ways(devices: list[Device]) -> list[Way]:
    """Between neighbours, there and back."""
    ways = []
    for one, other in itertools.pairwise(devices):
        for start, end in ((one, other), (other, one)):
            does = "copies the numbers"
            if not start.has_memory:
                does = "is refused, there are no numbers"
            elif not end.has_memory:
                does = "takes shape and dtype, the numbers stay behind"
            ways.append(Way(start.name, end.name, f'.to("{end.name}")', start.has_memory, does))
    return ways


def _describe_tensor(name: str, tensor: Any) -> Held:
    count, meta = tensor.numel(), tensor.device.type == "meta"
    size = "no bytes" if meta else f"{count * tensor.element_size():,} bytes"
    told = f"shape {tuple(tensor.shape)}, {dtype_of(tensor)}, {size}"
    values = [] if meta else tensor.detach().reshape(-1)[:CELLS].tolist()
    cells = ["?"] * min(count, CELLS) if meta else map(number, values)
    return Held(name, told, tuple(cells), count > CELLS)


# ---- the drawing of devices ----


def _put_devices(chart: Chart, devices: list[Device], ways: list[Way]) -> None:
    """A frame per device, side by side; between neighbours an arrow there and one back."""
    high = HEAD + ROW * max(len(device.held) for device in devices)
    high = max(high, 124)  # room for the two arrows with their words
    x = float(PAD)
    edges = []
    for device in devices:
        wide = _width(device)
        _device(chart, device, x, wide, high)
        edges.append((x, x + wide))
        x += wide + ROAD
    for i, way in enumerate(ways):
        (_, left), (right, _) = edges[i // 2 : i // 2 + 2]
        _way(chart, way, (left + 8, right - 8), PAD + 40 + 58 * (i % 2), back=bool(i % 2))


def _width(device: Device) -> float:
    rows = [(len(held.name) + 1 + len(held.description)) * LETTER + 20 for held in device.held]
    cells = [len(held.values) * held.cell + 44 for held in device.held]
    return max(*rows, *cells, (len(device.name) + 2 + len(device.description)) * LETTER + 28)


def _device(chart: Chart, device: Device, x: float, wide: float, high: float) -> None:
    dash = "" if device.has_memory else "5,3"
    chart.frame(x, PAD, wide, high, "paper", "function line", 1.6, dash, 6)
    chart.text(x + 12, PAD + 21, device.name, 13, bold=True)
    beside = x + 12 + (len(device.name) + 2) * LETTER
    chart.text(beside, PAD + 21, device.description, 11, "muted")
    for i, held in enumerate(device.held):
        y = PAD + HEAD + i * ROW - 4.0
        chart.text(x + 12, y, held.name, bold=True)
        chart.text(x + 12 + (len(held.name) + 1) * LETTER, y, held.description, 11, "muted")
        cell = held.cell
        for k, value in enumerate(held.values):
            left = x + 12 + k * cell
            if device.has_memory:
                chart.box(left, y + 8, cell, CELL, tint(k, len(held.values)))
            else:
                chart.frame(left, y + 8, cell, CELL, "paper", "constant line", 1, "3,3")
            chart.text(left + cell / 2, y + 25, value, anchor="middle")
        if held.more:
            chart.text(x + 16 + len(held.values) * cell, y + 25, "...")


def _way(chart: Chart, way: Way, ends: tuple[float, float], y: float, back: bool) -> None:
    """An arrow with its words: heavy where something goes, dotted where nothing can."""
    middle = sum(ends) / 2
    start, end = reversed(ends) if back else ends
    chart.text(middle, y - 8, way.call, anchor="middle", bold=True)
    chart.arrow((start, y), (end, y), heavy=way.open)
    for k, line in enumerate(way.does.removeprefix("is ").split(", ")):
        chart.text(middle, y + 15 + 13 * k, line, 11, "muted", "middle", "Helvetica")
