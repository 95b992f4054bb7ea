"""`draw_strides`: the walk through the storage in row order, and which dimensions merge."""

import itertools
import math
import sys
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import HIGH, LETTER, PAD, Chart, drawn
from course_lib.viz.drawing.side_by_side import Row
from course_lib.viz.drawing.theme import light, place
from course_lib.viz.reading import arguments
from course_lib.viz.reading.memory import Layout, Memory, memories, unreadable
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


@dataclass(frozen=True)
class Walk:
    """The places in row order, the steps between them, and how each dimension meets the next.

    `seams` holds a pair for each two neighbouring dimensions that are longer than 1.
    """

    places: tuple[int, ...]
    steps: tuple[Step, ...]
    seams: tuple[tuple[int, int], ...]
    merging: tuple[bool, ...]
    count: int


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
    if reason := unreadable(tensor):
        words = f"{name} cannot be drawn: {reason}."
        return Picture(words, words)
    ((memory, _),) = memories([tensor])
    layout = memory.layout(tensor)
    walk = walk_of(layout)
    sentences = verdicts(layout, walk)
    what, way = layout.describe(), _in_words(walk)
    alt = f"{name} has {what}. " + " ".join(way + sentences)
    lines = [f"{name}  {what}", *(f"    {line}" for line in way), *sentences]
    return drawn(lines, alt, lambda chart: _put_walk(chart, name, memory, layout, walk, sentences))


def walk_of(layout: Layout) -> Walk:
    """The walk through the storage that reads a tensor in row order."""
    shape, stride = layout.shape, layout.stride
    long = [dim for dim, n in enumerate(shape) if n > 1]
    seams = tuple(itertools.pairwise(long))
    merging = tuple(stride[i] == shape[j] * stride[j] for i, j in seams)
    indices = itertools.islice(itertools.product(*map(range, shape)), STOPS)
    stops = [
        (index, layout.offset + sum(i * s for i, s in zip(index, stride, strict=True)))
        for index in indices
    ]
    steps: list[Step] = []
    for (before, start), (after, end) in itertools.pairwise(stops):
        dim = next(d for d in long if before[d] != after[d])
        inner = [fits for (i, _), fits in zip(seams, merging, strict=True) if i >= dim]
        steps.append(Step(len(steps) + 1, start, end, dim, all(inner)))
    places = tuple(place for _, place in stops)
    return Walk(places, tuple(steps), seams, merging, math.prod(shape))


def verdicts(layout: Layout, walk: Walk) -> list[str]:
    """A sentence for each two dimensions that meet: whether `view` can make one of them."""
    said = []
    for (i, j), fits in zip(walk.seams, walk.merging, strict=True):
        product = layout.shape[j] * layout.stride[j]
        verb, so = ("merge", "and") if fits else ("do not merge", "but")
        said.append(
            f"Dimensions {i} and {j} {verb}: stride[{i}] is {layout.stride[i]}, {so} shape[{j}] * "
            f"stride[{j}] is {layout.shape[j]} * {layout.stride[j]} = {product}."
        )
    if not walk.seams:
        said.append("There are no two dimensions to merge.")
    if walk.count > len(walk.places):
        said.append(f"Only the first {len(walk.places)} of {walk.count:,} elements are shown.")
    return said


def _in_words(walk: Walk) -> list[str]:
    more = " ..." if walk.count > len(walk.places) else ""
    lines = [f"places in row order: {' '.join(map(str, walk.places))}{more}".rstrip(": ")]
    for dim in sorted({step.dim for step in walk.steps}):
        step = next(step for step in walk.steps if step.dim == dim)
        grows = f"the index of dimension {dim} grows"
        lines.append(f"{grows}: a step of {step.end - step.start:+d}")
    return lines


# ---- the drawing ----

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
    steps = [step for step in walk.steps if max(step.start, step.end) in cells]
    rises = _rises(steps)
    top = PAD + 40 + max([rises[step] for step in steps if _over(step)], default=0)
    for k, value in zip(cells, values, strict=True):
        x, seen = PAD + (k - first) * wide, k in walk.places
        fill = place(k - first, len(cells)) if seen else light("paper")
        chart.box(x, top, wide, HIGH, fill, "" if seen else "1.5,3")
        chart.text(x + wide / 2, top + 15, value, anchor="middle")
        chart.text(x + wide / 2, top + 28, f"@{k}", 11, "muted", "middle")
    for step in steps:
        _arc(chart, step, first, wide, top if _over(step) else top + HIGH, rises[step])
    labels: list[Box] = []
    for step in steps:
        y = top if _over(step) else top + HIGH
        labels.append(_label(chart, step, first, wide, y, rises[step], labels))
    y = top + HIGH + 28 + max([rises[step] for step in steps if not _over(step)], default=0)
    if steps:
        sentences = [*sentences, "The numbers in circles count the steps of the walk."]
    if not all(step.fits for step in walk.steps):
        sentences = [*sentences, "Dashed: a step unlike those of the last dimension."]
    if first:
        sentences = [*sentences, f"Cells before @{first} are not drawn."]
    if last > max(cells, default=last):
        sentences = [*sentences, f"Cells after @{cells[-1]} are not drawn."]
    chart.notes(y, sentences)


def _over(step: Step) -> bool:
    return step.end >= step.start


def _rises(steps: list[Step]) -> dict[Step, float]:
    """How far each arc rises: arcs that would cross get different heights."""
    rises: dict[Step, float] = {}
    lanes: dict[Step, int] = {}
    for step in steps:
        low, high = sorted((step.start, step.end))
        taken = {
            lanes[other]
            for other in lanes
            if _over(other) == _over(step)
            and low < max(other.start, other.end)
            and min(other.start, other.end) < high
        }
        lanes[step] = next((n for n in range(LANES) if n not in taken), step.number % LANES)
        rises[step] = min(ARC + 5 * (high - low - 1), FULL) + LANE * lanes[step]
    return rises


def _ends(step: Step, first: int, wide: float) -> tuple[float, float]:
    """From where to where an arc goes; arcs that meet in a cell leave a gap between them."""
    x, to = (PAD + (k - first) * wide + wide / 2 for k in (step.start, step.end))
    if step.start == step.end:
        return x - 4, to + 4
    return (x + 4, to - 4) if _over(step) else (x - 4, to + 4)


def _arc(chart: Chart, step: Step, first: int, wide: float, y: float, rise: float) -> None:
    """An arc with an arrow head: above the bar forwards, below it backwards."""
    up = -1 if _over(step) else 1
    x, to = _ends(step, first, wide)
    high = y + up * rise
    look = ("arrow", 1.2) if step.fits else ("stale line", 1.8, "4,3")
    path = f"M{x:g},{y + 2 * up:g}C{x:g},{high:g} {to:g},{high:g} {to:g},{y + 3 * up:g}"
    chart.path(path, *look)
    head = f"M{to - 3:g},{y + 8 * up:g}L{to:g},{y + 2 * up:g}L{to + 3:g},{y + 8 * up:g}"
    chart.path(head, look[0])


def _label(
    chart: Chart, step: Step, first: int, wide: float, y: float, rise: float, others: list[Box]
) -> Box:
    """The number of a step in a circle and its length beside it, clear of the other labels."""
    up = -1 if _over(step) else 1
    length = f"{step.end - step.start:+d}"
    half = ROUND + 2.5 + len(length) * 3.4
    x, to = sorted(_ends(step, first, wide))
    middle = (x + to) / 2
    at = y + up * 0.75 * rise  # the highest point of the arc; a short one would be covered
    if to - x < 2 * half + 16:
        at += up * (ROUND + 3)
    box = _around(middle, at, half)
    for _ in range(8):
        left, top, right, low = box
        if not any(a < right and left < c and b < low and top < d for a, b, c, d in others):
            break
        at += up * 4
        box = _around(middle, at, half)
    center = middle - half + ROUND
    line, paper = light("arrow" if step.fits else "stale line"), light("paper")
    chart.patch(box[0], at - 6, box[2] - box[0], 12, paper)
    chart.shapes.append(
        f'<circle cx="{center:g}" cy="{at:g}" r="{ROUND:g}" fill="{paper}" stroke="{line}"/>'
    )
    chart.text(center, at + 4, f"{step.number}", 11, "ink", "middle", bold=not step.fits)
    chart.text(center + ROUND + 2, at + 4, length, 11, "ink", bold=not step.fits)
    return box


def _around(x: float, y: float, half: float) -> Box:
    return (x - half, y - ROUND, x + half, y + ROUND)
