"""`draw_axes`: the dimensions of tensors as labels that move, come and go over one storage."""

import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.drawing.theme import light, place
from course_lib.viz.reading import arguments
from course_lib.viz.reading.memory import Layout, memories, unreadable
from course_lib.viz.reading.names import Names


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
class Row:
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
    for name, reason in zip(called, map(unreadable, tensors), strict=True):
        if reason:
            words = f"{name} cannot be drawn: {reason}."
            return Picture(words, words)
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


def describe_axes(tensors: Sequence[Any], called: list[str], labels: Any) -> list[Row]:
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
    rows = [Row(called[0], first.describe(), axes)]
    for i, layout in enumerate(layouts[1:], 1):
        shares = memory_of[i] is memory_of[i - 1]
        nowhere = itertools.repeat(None, len(layout.shape))
        follow = follow_dimensions(layouts[i - 1], layout) if shares else nowhere
        axes = ()
        for n, step, was in zip(layout.shape, layout.stride, follow, strict=True):
            above = rows[-1].axes[was] if was is not None else Axis("new", n, step)
            label = above.label if shares else f"dim {len(axes)}"
            axes += (Axis(label, n, step, was, above.size != n),)
        rows.append(Row(called[i], layout.describe(), axes, shares))
    return rows


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


def notes(rows: list[Row]) -> list[str]:
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


# ---- the drawing ----

HIGH, GAP, BETWEEN = 44.0, 14.0, 34.0  # pixels: a box, the way to the next box, to the next row


def _put_rows(chart: Chart, rows: list[Row], sentences: list[str]) -> None:
    """Tensors as rows of axes, with sentences below."""
    wide = max([len(axis.description) for row in rows for axis in row.axes] + [12]) * 6.8 + 14
    wide = max([wide, *(len(axis.label) * LETTER + 14 for row in rows for axis in row.axes)])
    left = PAD + max(len(row.name) for row in rows) * LETTER + 14
    labels = list(dict.fromkeys(axis.label for row in rows for axis in row.axes))
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
            chart.box(x, y, wide, HIGH, fill, "4,3" if is_new else "")
            chart.text(x + wide / 2, y + 18, axis.label, anchor="middle", bold=True)
            chart.text(x + wide / 2, y + 34, axis.description, 11, "muted", "middle")
        if not row.axes:
            chart.text(left, y + 18, "no dimension", 11, "muted")
        y += HIGH
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
