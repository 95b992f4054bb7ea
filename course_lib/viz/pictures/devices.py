"""`draw_devices`: in which memory tensors lie, and what can go from one device to another."""

import itertools
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.drawing.text import cut
from course_lib.viz.drawing.theme import place as tint
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import dtype_of, number

CELLS, LETTERS = 6, 20  # of a tensor that are drawn, and of its name
HIGH, HEAD, ROW, ROAD = 26, 48, 62, 236  # pixels: cell, title of a device, tensor, way between two


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


# ---- drawing ----


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
    letters = [min(len(held.name), LETTERS) + len(held.description) for held in device.held]
    rows = [(n + 1) * LETTER + 20 for n in letters]
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
        name = cut(held.name, LETTERS, LETTERS // 2)
        chart.text(x + 12, y, name, bold=True)
        chart.text(x + 12 + (len(name) + 1) * LETTER, y, held.description, 11, "muted")
        cell = held.cell
        for k, value in enumerate(held.values):
            left = x + 12 + k * cell
            if device.has_memory:
                chart.box(left, y + 8, cell, HIGH, tint(k, len(held.values)))
            else:
                chart.frame(left, y + 8, cell, HIGH, "paper", "constant line", 1, "3,3")
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
