"""`draw_strides` and `draw_axes`: how dimensions walk through a storage, and what becomes of them.

`draw_strides` shows the walk in row order, and which dimensions merge; `draw_axes` the dimensions
as labels that move, come and go over one storage.
"""

import itertools
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from course_lib.viz.drawing.picture import Picture, Row
from course_lib.viz.drawing.sheet import HIGH, LETTER, PAD, Chart, drawn
from course_lib.viz.drawing.theme import light, place
from course_lib.viz.reading import arguments
from course_lib.viz.reading.memory import Layout, Memory, follow_dimensions, memories, unreadable
from course_lib.viz.reading.names import Names

STOPS = 25  # elements of the walk that are drawn


@dataclass(frozen=True)
class Step:
    """From one element to the next in row order; `dim` is the dimension whose index grows."""

    number: int  # its place in the walk, from 1
    start: int
    end: int
    dim: int
    fits: bool  # the dimensions from `dim` on merge into one

    @property
    def over(self) -> bool:
        """Whether its arc is above the cells."""
        return self.end >= self.start

    @property
    def length(self) -> str:
        return f"{self.end - self.start:+d}"


@dataclass(frozen=True)
class Walk:
    """The places in row order, the steps between them, and how each dimension meets the next.

    `seams` holds two neighbouring dimensions that are longer than 1, and whether they merge.
    """

    places: tuple[int, ...]
    steps: tuple[Step, ...]
    seams: tuple[tuple[int, int, bool], ...]


def draw_strides(*tensors: Any, names: Any = None) -> Picture:
    """The walk from element to element in row order: `view` can merge what is one even walk.

    The drawing numbers the steps of the walk. Several tensors are drawn side by side.

    For `a = torch.tensor([[1, 2, 3], [4, 5, 6]])` and `t = a.t()`, the text form of
    `draw_strides(t)` is

        t  shape (3, 2), stride (1, 3), offset 0
            places in row order: 0 3 1 4 2 5
            the index of dimension 0 grows: a step of -2
            the index of dimension 1 grows: a step of +3
        Dimensions 0 and 1 do not merge: stride[0] is 1, but shape[1] * stride[1] is 2 * 3 = 6.
    """
    arguments.tensors("draw_strides", tensors)
    known = Names(names, None, sys._getframe(1), who="draw_strides", things=tensors)
    drawn = [_draw_tensor(*pair) for pair in zip(tensors, known.each(tensors), strict=True)]
    return drawn[0] if len(drawn) == 1 else Row([("", picture) for picture in drawn])


def _draw_tensor(tensor: Any, name: str) -> Picture:
    if refused := _refuse(tensor, name):
        return refused
    ((memory, _),) = memories([tensor])
    layout = memory.layout(tensor)
    walk = walk_of(layout)
    more = " ..." if math.prod(layout.shape) > len(walk.places) else ""
    way = [f"places in row order: {' '.join(map(str, walk.places))}{more}".rstrip(": ")]
    for dim, step in sorted({step.dim: step for step in reversed(walk.steps)}.items()):
        way.append(f"the index of dimension {dim} grows: a step of {step.length}")
    what, sentences = layout.describe(), verdicts(layout, walk)
    alt = f"{name} has {what}. " + " ".join(way + sentences)
    lines = [f"{name}  {what}", *(f"    {line}" for line in way), *sentences]
    return drawn(lines, alt, lambda chart: _put_walk(chart, name, memory, layout, walk, sentences))


def _refuse(tensor: Any, name: str) -> Picture | None:
    """The words in place of a tensor whose memory nobody can look at."""
    words = f"{name} cannot be drawn: {unreadable(tensor)}."
    return Picture(words, words) if unreadable(tensor) else None


def walk_of(layout: Layout) -> Walk:
    """The walk through the storage that reads a tensor in row order."""
    shape, stride = layout.shape, layout.stride
    long = [dim for dim, n in enumerate(shape) if n > 1]
    pairs = itertools.pairwise(long)
    seams = tuple((i, j, stride[i] == shape[j] * stride[j]) for i, j in pairs)
    indices = itertools.islice(itertools.product(*map(range, shape)), STOPS)
    stops = [
        (index, layout.offset + sum(i * s for i, s in zip(index, stride, strict=True)))
        for index in indices
    ]
    steps: list[Step] = []
    for (before, start), (after, end) in itertools.pairwise(stops):
        dim = next(d for d in long if before[d] != after[d])
        inner = [fits for i, _, fits in seams if i >= dim]
        steps.append(Step(len(steps) + 1, start, end, dim, all(inner)))
    return Walk(tuple(place for _, place in stops), tuple(steps), seams)


def verdicts(layout: Layout, walk: Walk) -> list[str]:
    """A sentence for each two dimensions that meet: whether `view` can make one of them."""
    said = []
    for i, j, fits in walk.seams:
        product = layout.shape[j] * layout.stride[j]
        verb, so = ("merge", "and") if fits else ("do not merge", "but")
        said.append(
            f"Dimensions {i} and {j} {verb}: stride[{i}] is {layout.stride[i]}, {so} shape[{j}] * "
            f"stride[{j}] is {layout.shape[j]} * {layout.stride[j]} = {product}."
        )
    if not walk.seams:
        said.append("There are no two dimensions to merge.")
    count = math.prod(layout.shape)
    if count > len(walk.places):
        said.append(f"Only the first {len(walk.places)} of {count:,} elements are shown.")
    return said


# ---- the drawing of a walk ----

WIDE, ARC, FULL = 36.0, 16.0, 46.0  # pixels: a cell at least, the lowest and the highest arc
LANE, LANES = 17.0, 5  # pixels between two arcs that would cross, and how many ways there are
ROUND = 8.0  # pixels: the radius of a step's number
CELLS = 28  # that are drawn
Box = tuple[float, float, float, float]  # of a label: left, top, right, bottom


def _put_walk(
    chart: Chart, name: str, memory: Memory, layout: Layout, walk: Walk, sentences: list[str]
) -> None:
    """One walk, with sentences below."""
    chart.text(PAD, PAD + 4, name, bold=True)
    chart.text(PAD + (len(name) + 1) * 7.3, PAD + 4, layout.describe(), 11, "muted")
    last = max(walk.places, default=-1)
    first = 0 if last < CELLS else min(walk.places)
    cells = range(first, min(last + 1, first + CELLS))
    values = memory.values(layout, cells)
    wide = max([WIDE, *(len(value) * LETTER + 8 for value in values)])
    rises = _rises([step for step in walk.steps if max(step.start, step.end) in cells])
    top = PAD + 40 + max([rise for step, rise in rises.items() if step.over], default=0)
    for k, value in zip(cells, values, strict=True):
        x, seen = PAD + (k - first) * wide, k in walk.places
        fill = place(k - first, len(cells)) if seen else light("paper")
        chart.box(x, top, wide, HIGH, fill, "" if seen else "1.5,3")
        chart.text(x + wide / 2, top + 15, value, anchor="middle")
        chart.text(x + wide / 2, top + 28, f"@{k}", 11, "muted", "middle")
    arcs = [Arc(step, first, wide, top, rise) for step, rise in rises.items()]
    for arc in arcs:
        arc.put(chart)
    labels: list[Box] = []
    for arc in arcs:
        labels.append(arc.put_label(chart, labels))
    y = top + HIGH + 28 + max([arc.rise for arc in arcs if not arc.step.over], default=0)
    more = {
        "The numbers in circles count the steps of the walk.": arcs,
        "Dashed: a step unlike those of the last dimension.": not all(s.fits for s in walk.steps),
        f"Cells before @{first} are not drawn.": first,
        f"Cells after @{cells.stop - 1} are not drawn.": last > max(cells, default=last),
    }
    chart.notes(y, [*sentences, *(words for words, so in more.items() if so)])


def _rises(steps: list[Step]) -> dict[Step, float]:
    """How far each arc rises: arcs that would cross get different heights."""
    rises: dict[Step, float] = {}
    lanes: dict[Step, int] = {}
    for step in steps:
        low, high = sorted((step.start, step.end))
        taken = {
            lane
            for other, lane in lanes.items()
            if other.over == step.over
            and low < max(other.start, other.end)
            and min(other.start, other.end) < high
        }
        lanes[step] = next((n for n in range(LANES) if n not in taken), step.number % LANES)
        rises[step] = min(ARC + 5 * (high - low - 1), FULL) + LANE * lanes[step]
    return rises


class Arc:
    """A step as it is drawn, from `x` to `to`: above the cells forwards, below them backwards."""

    def __init__(self, step: Step, first: int, wide: float, top: float, rise: float) -> None:
        self.step, self.rise = step, rise
        self.up, self.y = (-1, top) if step.over else (1, top + HIGH)
        x, to = (PAD + (k - first) * wide + wide / 2 for k in (step.start, step.end))
        gap = 4 if step.end > step.start else -4  # between arcs that meet in a cell
        self.x, self.to = x + gap, to - gap
        self.line = "arrow" if step.fits else "stale line"

    def put(self, chart: Chart) -> None:
        """The arc and its arrow head."""
        x, to, y, up = self.x, self.to, self.y, self.up
        high = y + up * self.rise
        path = f"M{x:g},{y + 2 * up:g}C{x:g},{high:g} {to:g},{high:g} {to:g},{y + 3 * up:g}"
        chart.path(path, self.line, *((1.2,) if self.step.fits else (1.8, "4,3")))
        head = f"M{to - 3:g},{y + 8 * up:g}L{to:g},{y + 2 * up:g}L{to + 3:g},{y + 8 * up:g}"
        chart.path(head, self.line)

    def put_label(self, chart: Chart, others: list[Box]) -> Box:
        """The number of a step in a circle and its length beside it, clear of the other labels."""
        half = ROUND + 2.5 + len(self.step.length) * 3.4
        middle = (self.x + self.to) / 2
        at = self.y + self.up * 0.75 * self.rise  # the highest point; a short arc would be covered
        if abs(self.to - self.x) < 2 * half + 16:
            at += self.up * (ROUND + 3)
        for _ in range(9):
            box = left, top, right, low = middle - half, at - ROUND, middle + half, at + ROUND
            if not any(a < right and left < c and b < low and top < d for a, b, c, d in others):
                break
            at += self.up * 4
        center, at, bold = left + ROUND, top + ROUND, not self.step.fits
        line, paper = light(self.line), light("paper")
        chart.patch(left, at - 6, right - left, 12, paper)
        chart.shapes.append(
            f'<circle cx="{center:g}" cy="{at:g}" r="{ROUND:g}" fill="{paper}" stroke="{line}"/>'
        )
        chart.text(center, at + 4, f"{self.step.number}", 11, "ink", "middle", bold=bold)
        chart.text(center + ROUND + 2, at + 4, self.step.length, 11, "ink", bold=bold)
        return box


# ---- which dimension is which ----


@dataclass(frozen=True)
class Axis:
    """A dimension: what it is called, and which dimension of the row above it was, if any."""

    label: str
    size: int
    stride: int
    was: int | None = None
    is_part: bool = False  # the same steps, but another number of them

    @property
    def description(self) -> str:
        return f"size {self.size}, stride {self.stride}"


@dataclass(frozen=True)
class Labelled:
    """A tensor as a row of axes; `shares` says whether it looks at the storage of the row above."""

    name: str
    description: str
    axes: tuple[Axis, ...]
    shares: bool = True


def draw_axes(*tensors: Any, labels: Any = None, names: Any = None) -> Picture:
    """Each tensor as a row of its dimensions, and where each dimension was one row above.

    A dimension is known by its size and its stride, so only what PyTorch says is drawn. For
    `x = torch.zeros(2, 3)` and `y = x.t().unsqueeze(0)`, the text form of
    `draw_axes(x, y, labels=["row", "column"])` is

        x  shape (2, 3), stride (3, 1), offset 0
            dimension 0: row, size 2, stride 3
            dimension 1: column, size 3, stride 1
        y  shape (1, 3, 2), stride (3, 1, 3), offset 0
            dimension 0: new, size 1, stride 3
            dimension 1: column, size 3, stride 1, was dimension 1 of x
            dimension 2: row, size 2, stride 3, was dimension 0 of x
        x and y look at one storage: no number was moved.
    """
    arguments.tensors("draw_axes", tensors)
    known = Names(names, None, sys._getframe(1), who="draw_axes", things=tensors)
    called = known.each(tensors)
    if refused := next(filter(None, map(_refuse, tensors, called)), None):
        return refused
    rows = describe_axes(tensors, called, labels)
    sentences = notes(rows)
    lines = []
    for i, row in enumerate(rows):
        lines.append(f"{row.name}  {row.description}")
        for d, axis in enumerate(row.axes):
            was = "" if axis.was is None else f", was dimension {axis.was} of {rows[i - 1].name}"
            lines.append(f"    dimension {d}: {axis.label}, {axis.description}{was}")
    alt = " ".join([*(f"{row.name} has {row.description}." for row in rows), *sentences])
    return drawn([*lines, *sentences], alt, lambda chart: _put_rows(chart, rows, sentences))


def describe_axes(tensors: Sequence[Any], called: list[str], labels: Any) -> list[Labelled]:
    """The rows from top to bottom, each axis labelled like the one it comes from."""
    memory_of = {i: memory for memory, members in memories(tensors) for i in members}
    layouts = [memory_of[i].layout(tensor) for i, tensor in enumerate(tensors)]
    first = layouts[0]
    letters = (f"{letter}{k or ''}" for k in itertools.count() for letter in ascii_uppercase)
    if labels is not None and not isinstance(labels, (list, tuple)):
        raise TypeError(
            'draw_axes: labels wants a list of words such as ["row", "column"], '
            f"not {arguments.came(labels)}."
        )
    given = list(map(str, labels or itertools.islice(letters, len(first.shape))))
    if len(given) != len(first.shape):
        raise ValueError(
            f"draw_axes wants {len(first.shape)} labels, not {len(given)}: one for each "
            f"dimension of the first tensor, whose shape is {first.shape}."
        )
    axes = tuple(map(Axis, given, first.shape, first.stride))
    rows = [Labelled(called[0], first.describe(), axes)]
    for i, layout in enumerate(layouts[1:], 1):
        shares = memory_of[i] is memory_of[i - 1]
        follow = follow_dimensions(layouts[i - 1], layout) if shares else [None] * len(layout.shape)
        axes = ()
        for n, step, was in zip(layout.shape, layout.stride, follow, strict=True):
            above = rows[-1].axes[was] if was is not None else Axis("new", n, step)
            label = above.label if shares else f"dim {len(axes)}"
            axes += (Axis(label, n, step, was, above.size != n),)
        rows.append(Labelled(called[i], layout.describe(), axes, shares))
    return rows


def notes(rows: list[Labelled]) -> list[str]:
    """The sentences under the picture."""
    said = []
    for above, row in itertools.pairwise(rows):
        if not row.shares:
            said.append(f"{row.name} has a storage of its own: the numbers were copied.")
            continue
        kept = {axis.was for axis in row.axes}
        gone = [axis.label for i, axis in enumerate(above.axes) if i not in kept]
        if gone:
            said.append(f"{', '.join(gone)} of {above.name} is gone in {row.name}.")
        said += [
            f"{axis.label} has size {axis.size} in {row.name}, "
            f"{above.axes[axis.was].size} in {above.name}."
            for axis in row.axes
            if axis.is_part and axis.was is not None
        ]
    if len(rows) > 1 and all(row.shares for row in rows):
        *names, last = [row.name for row in rows]
        said.append(f"{', '.join(names)} and {last} look at one storage: no number was moved.")
    return said


# ---- the drawing of dimensions ----

TALL, GAP, BETWEEN = 44.0, 14.0, 34.0  # pixels: a box, the way to the next box, to the next row


def _put_rows(chart: Chart, rows: list[Labelled], sentences: list[str]) -> None:
    """Tensors as rows of axes, with sentences below."""
    every = [axis for row in rows for axis in row.axes]
    wide = max([12, *(len(axis.description) for axis in every)]) * 6.8 + 14
    wide = max([wide, *(len(axis.label) * LETTER + 14 for axis in every)])
    left = PAD + max(len(row.name) for row in rows) * LETTER + 14
    labels = list(dict.fromkeys(axis.label for axis in every))
    y = float(PAD)
    for i, row in enumerate(rows):
        if i and row.shares:
            for d, axis in enumerate(row.axes):
                _line(chart, axis, left + wide / 2, wide + GAP, d, y)
        y += BETWEEN if i else 0
        chart.text(PAD, y + 18, row.name, bold=True)
        for d, axis in enumerate(row.axes):
            x = left + d * (wide + GAP)
            is_new = i > 0 and axis.was is None
            fill = light("paper") if is_new else place(labels.index(axis.label), len(labels))
            chart.box(x, y, wide, TALL, fill, "4,3" if is_new else "")
            chart.text(x + wide / 2, y + 18, axis.label, anchor="middle", bold=True)
            chart.text(x + wide / 2, y + 34, axis.description, 11, "muted", "middle")
        if not row.axes:
            chart.text(left, y + 18, "no dimension", 11, "muted")
        y += TALL
    chart.notes(y + 20, sentences)


def _line(chart: Chart, axis: Axis, x: float, pitch: float, d: int, y: float) -> None:
    """From the box above to the box below; dashed where only a part goes on."""
    if axis.was is None:
        return
    start, end = x + axis.was * pitch, x + d * pitch
    low = y + BETWEEN
    bend = f"C{start:g},{y + 16:g} {end:g},{low - 16:g} {end:g},{low - 1:g}"
    chart.path(f"M{start:g},{y:g}{bend}", width=1.6, dash="4,3" if axis.is_part else "")
    chart.path(f"M{end - 4:g},{low - 7:g}L{end:g},{low - 1:g}L{end + 4:g},{low - 7:g}")
