"""`draw_broadcast`: how shapes are fitted to each other, which cells are read again, the result."""

import functools
import math
import operator
import sys
from dataclasses import replace
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, WIDE, Chart, drawn
from course_lib.viz.pictures.broadcast_cells import (
    Broadcast,
    Cell,
    Part,
    blocks,
    describe_broadcast,
    entry,
    grids,
    in_a_sentence,
    in_order,
    notes,
    sentences,
    shown,
    title,
    words_of,
)
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import is_tensor, number

FEW = 4096  # elements; of larger tensors the indices are told and not the values
OPERATIONS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "==": operator.eq, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


def draw_broadcast(a: Any, b: Any, *more: Any, op: str = "+", names: Any = None) -> Picture:
    """The picture of broadcasting, and of what an operation makes of it.

    Give two or three tensors, numbers or bare shapes such as `(2, 1)`. `op` is the operation whose
    result is drawn: "+", "-", "*", "/", "==", ">" or "<". Bare shapes have no result to draw.

    >>> import course_lib as torch
    >>> column, row = torch.tensor([[1], [2]]), torch.tensor([10, 20, 30])
    >>> draw_broadcast(column, row)
    column (2, 1) and row (3,) broadcast to (2, 3)
    dimension         0         1
    column            2    1 -> 3
    row        new -> 2         3
    result            2         3
    Sizes are compared from the right; a size of 1 fits every other.
    column: dimension 1 has size 1 and is stretched to 3 (stride 0).
    row: dimension 0 is missing, so it is added in front, with size 2 (stride 0).
    column as (2, 3), stride (1, 0)
         1  (1) (1)
         2  (2) (2)
    row as (2, 3), stride (0, 1)
         10   20   30
        (10) (20) (30)
    column + row, shape (2, 3), a tensor of its own
         11   21   31
         12   22   32
    Cells in (round brackets) are ghosts: they have no memory of their own.
    """
    instead = "Draw two of them first, then what comes out: draw_broadcast(a + b, c, d)."
    arguments.exactly(
        "draw_broadcast", more[1:], "two or three tensors, numbers or shapes", instead
    )
    arguments.one_of("draw_broadcast", "op", op, OPERATIONS)
    known = Names(names, None, sys._getframe(1), who="draw_broadcast", things=(a, b, *more))
    things = (a, b, *more)
    parts = [_part(thing, letter, known) for thing, letter in zip(things, "abc")]
    broadcast = replace(describe_broadcast(*parts), op=op)
    broadcast = replace(broadcast, cells=_compute_corner(broadcast, things))
    alt = " ".join([f"{title(broadcast)}.", *sentences(broadcast), *in_a_sentence(broadcast)])
    return drawn(words_of(broadcast), alt, lambda chart: _put_broadcast(chart, broadcast))


def _compute_corner(broadcast: Broadcast, things: tuple[Any, ...]) -> tuple[str, ...] | None:
    """The numbers in the drawn corner of the result; no more than that corner is computed."""
    if broadcast.result is None or any(part.cells is None for part in broadcast.parts):
        return None
    corner = tuple(slice(0, n) for n in shown(broadcast.result))
    try:
        wide = [
            thing.detach().expand(broadcast.result)[corner] if is_tensor(thing) else thing
            for thing in things
        ]
        result = functools.reduce(OPERATIONS[broadcast.op], wide)
        if not is_tensor(result):
            return (number(result),)
        return tuple(map(number, result.reshape(-1).tolist()))
    except Exception:  # the operation refuses these dtypes: then only the operands are drawn
        return None


def _part(thing: Any, letter: str, names: Names) -> Part:
    arguments.dense("draw_broadcast", thing, sparse=True)
    if is_tensor(thing):
        shape = tuple(thing.shape)
        return Part(names.of(thing) or letter, shape, _stride(thing, shape), _values(thing))
    if isinstance(thing, (bool, int, float, complex)):
        value = number(getattr(thing, "item", lambda: thing)())
        return Part(value, (), (), (value,))
    if isinstance(thing, (tuple, list)) and all(type(n) is int and n >= 0 for n in thing):
        return Part(letter, tuple(thing), in_order(tuple(thing)))
    raise TypeError(
        f"draw_broadcast wants tensors, numbers or shapes such as (2, 3), "
        f"not {thing if isinstance(thing, (tuple, list)) else arguments.came(thing)}. "
        "For example: draw_broadcast(x, (3, 1))."
    )


def _stride(tensor: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return tuple(tensor.stride())
    except Exception:  # a layout without strides broadcasts by shape alone
        return in_order(shape)


def _values(tensor: Any) -> tuple[str, ...] | None:
    if math.prod(tensor.shape) > FEW:
        return None
    try:
        return tuple(map(number, tensor.detach().reshape(-1).tolist()))
    except Exception:  # no values to read, as on the meta device
        return None


# ---- the drawing ----

HIGH, COLUMN = 28, 92  # of a table row, of a dimension
FILLS = (("leaf", "leaf line"), ("saved", "saved line"), ("added", "added line"))  # of the operands
RESULT = ("result", "result line")
SIGN = 36  # between two grids: room for what is done with them


def _put_broadcast(chart: Chart, broadcast: Broadcast) -> None:
    """Table, grids and sentences, from top to bottom."""
    chart.heading(title(broadcast))
    y = _put_table(chart, broadcast, PAD + 34.0)
    y = chart.sentences(y, sentences(broadcast), "ink")
    if broadcast.result is not None:
        y = _put_grids(chart, broadcast, y + 10)
        said = (n.replace("in (round brackets)", "with dashed lines") for n in notes(broadcast))
        chart.sentences(y, list(said))


def _put_table(chart: Chart, broadcast: Broadcast, y: float) -> float:
    """Sizes by dimension, so that the right ends of the shapes stand below each other."""
    names = [part.name for part in broadcast.parts]
    left = PAD + max(map(len, [*names, "dimension"])) * LETTER + 16
    xs = [left + dim * (COLUMN + 6) for dim in range(broadcast.dims)]
    chart.text(PAD, y, "dimension", 11.5, "muted", face="Helvetica")
    for dim, x in enumerate(xs):
        chart.text(x + COLUMN / 2, y, str(dim), 11.5, "muted", "middle")
    y += 8
    for part, (fill, line) in zip(broadcast.parts, FILLS):
        chart.text(PAD, y + 18, part.name, bold=True)
        for dim, x in enumerate(xs):
            failed = dim == broadcast.failed
            look: tuple[Any, ...] = (fill, line, 1.4)
            if failed:
                look = ("stale", "stale line", 2.4)
            elif broadcast.size(part, dim) is None:
                look = ("paper", "constant line", 1, "1.5,3")
            elif broadcast.repeats(part, dim):
                look = ("paper", line, 1.6, "5,3")
            chart.frame(x, y, COLUMN, HIGH, *look)
            told = entry(broadcast, part, dim).replace("->", "\N{RIGHTWARDS ARROW}")
            chart.text(x + COLUMN / 2, y + 18, told, anchor="middle", bold=failed)
        if not xs:
            chart.text(left, y + 18, "no dimensions", 11.5, "muted", face="Helvetica")
        y += HIGH + 6
    if broadcast.result is None:
        x = xs[broadcast.failed or 0] + COLUMN / 2
        chart.text(x, y + 14, "here it fails", 11.5, "ink", "middle", "Helvetica", True)
        return y + 44
    y += 4
    chart.text(PAD, y + 18, "result", bold=True)
    for x, size in zip(xs, broadcast.result, strict=True):
        chart.frame(x - 3, y - 3, COLUMN + 6, HIGH + 6, "paper", "result line")
        chart.frame(x, y, COLUMN, HIGH, "result", "result line", 1.6)
        chart.text(x + COLUMN / 2, y + 18, str(size), anchor="middle", bold=True)
    if not xs:
        chart.text(left, y + 18, "no dimensions", 11.5, "muted", face="Helvetica")
    return y + HIGH + 30


def _put_grids(chart: Chart, broadcast: Broadcast, y: float) -> float:
    """Operands and result side by side, or below each other where the page ends."""
    x, lowest = float(PAD), y
    columns = shown(broadcast.result or ())[-1:] or (1,)
    looks = [*FILLS[: len(broadcast.parts)], RESULT]
    for k, ((name, head, cells), look) in enumerate(zip(grids(broadcast), looks)):
        wide = max([36.0, *(len(cell) * LETTER + 14 for cell, _ in cells)])
        needs = max(columns[0] * wide, len(head) * 11 * 0.605, len(name) * 12 * 0.605)
        if x > PAD and x + needs > WIDE:
            x, y = float(PAD), lowest + 14
        chart.text(x, y + 10, name, bold=True)
        chart.text(x, y + 25, head, 11, "muted")
        top = y + 34
        lowest = max(lowest, _grid(chart, broadcast, cells, look, (x, top), wide))
        sign = "" if k == 0 else "=" if look is RESULT else broadcast.op
        if broadcast.cells and x > PAD:
            chart.text(x - SIGN / 2, top + 19, sign, 14, "ink", "middle", bold=True)
        x += needs + SIGN
    return lowest + 30


def _grid(
    chart: Chart, broadcast: Broadcast, cells: list[Cell], look: tuple[str, str],
    corner: tuple[float, float], wide: float,
) -> float:  # fmt: skip
    """The cells of one grid; returns where they end."""
    x, top = corner
    if not cells:
        chart.text(x, top + 12, "no elements", 11, "muted")
        return top + 16
    rows, columns = (1, 1, *shown(broadcast.result or ()))[-2:]
    for block, label in enumerate(blocks(broadcast.result or ())):
        if label:
            chart.text(x, top + 10, label, 11, "muted")
            top += 16
        for k, (told, ghost) in enumerate(cells[block * rows * columns :][: rows * columns]):
            row, column = divmod(k, columns)
            at = (x + column * wide, top + row * HIGH)
            chart.frame(*at, wide, HIGH, *(("paper", look[1], 1, "4,3") if ghost else (*look, 1.6)))
            role = "muted" if ghost else "ink"
            chart.text(at[0] + wide / 2, at[1] + 18, told, 12, role, "middle", bold=not ghost)
        top += rows * HIGH + 8
    return top - 8
