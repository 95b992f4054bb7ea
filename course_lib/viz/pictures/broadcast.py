"""`draw_broadcast`: how shapes are fitted to each other, which cells are read again, the result."""

import functools
import itertools
import math
import operator
import sys
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, WIDE, Chart
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import is_tensor, number

# ---- what it says ----

CORNER = (4, 6)  # rows and columns that are drawn of each block; of further dimensions, BLOCKS
BLOCKS = 2


@dataclass(frozen=True)
class Part:
    """An operand: `cells` tells its elements in row order, None where that would be too much
    or where only a shape is known; then cells are told by their index."""

    name: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    cells: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Broadcast:
    """What a picture of a broadcast says: `result` is None where the shapes do not fit, `failed`
    the dimension of the longest shape where they do not, `message` what PyTorch says then.
    `cells` tells the drawn corner of what `op` gives, None where the numbers are not known."""

    parts: tuple[Part, ...]
    result: tuple[int, ...] | None
    failed: int | None = None
    message: str = ""
    op: str = "+"
    cells: tuple[str, ...] | None = None

    @property
    def formula(self) -> str:
        """What is computed, in the names of the operands."""
        return f" {self.op} ".join(part.name for part in self.parts)

    @property
    def dims(self) -> int:
        """How many dimensions the longest shape has."""
        return max(len(part.shape) for part in self.parts)

    def size(self, part: Part, dim: int) -> int | None:
        """The size of a part in a dimension of the result; None where the part has no such one."""
        own = dim - self.dims + len(part.shape)
        return part.shape[own] if own >= 0 else None

    def repeats(self, part: Part, dim: int) -> bool:
        """Whether the part is read again and again along that dimension."""
        if self.result is None:
            return False
        return self.size(part, dim) in (None, 1) and self.result[dim] != 1


def in_order(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a tensor whose elements lie in row order.

    >>> in_order((2, 3))
    (3, 1)
    """
    return tuple(math.prod(max(n, 1) for n in shape[dim + 1 :]) for dim in range(len(shape)))


def shown(result: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the corner that is drawn.

    >>> shown((7, 7, 100, 100))
    (1, 2, 4, 6)
    """
    blocks = [1] * max(len(result) - 3, 0) + [BLOCKS] * (len(result) > 2)
    limits = [*blocks, *CORNER[max(2 - len(result), 0) :]]
    return tuple(min(n, limit) for n, limit in zip(result, limits, strict=True))


def strides(broadcast: Broadcast, part: Part) -> tuple[int, ...]:
    """The strides of a part once it is stretched: what `expand` would give it."""
    assert broadcast.result is not None
    if not part.shape:
        return (0,) * broadcast.dims
    found: list[int] = []
    for dim in reversed(range(broadcast.dims)):
        own = dim - broadcast.dims + len(part.shape)
        if broadcast.repeats(part, dim):
            found.append(0)
        elif own >= 0:
            found.append(part.stride[own])
        else:  # a dimension of size 1 in front
            found.append(broadcast.result[dim + 1] * found[-1])
    return tuple(reversed(found))


def grid(broadcast: Broadcast, part: Part | None) -> list[tuple[str, bool]]:
    """What is in each drawn cell of the stretched part, or of the result, and whether it is a
    ghost."""
    assert broadcast.result is not None
    if part is None:
        return [(told, False) for told in broadcast.cells or ()]
    cells = []
    missing = broadcast.dims - len(part.shape)
    again = [broadcast.repeats(part, dim) for dim in range(broadcast.dims)]
    for index in itertools.product(*map(range, shown(broadcast.result))):
        own = tuple(0 if n == 1 else i for i, n in zip(index[missing:], part.shape, strict=True))
        flat = sum(i * step for i, step in zip(own, in_order(part.shape), strict=True))
        told = str(list(own)) if part.cells is None else part.cells[flat]
        cells.append((told, any(i and repeat for i, repeat in zip(index, again, strict=True))))
    return cells


def blocks(result: tuple[int, ...]) -> list[str]:
    """The names of the drawn blocks: `[0]`, `[1]`; one without a name below three dimensions.

    >>> blocks((2, 4, 6)), blocks((4, 6))
    (['[0]', '[1]'], [''])
    """
    outer = shown(result)[:-2]
    return [str(list(index)) if outer else "" for index in itertools.product(*map(range, outer))]


# ---- words ----


def title(broadcast: Broadcast) -> str:
    """The first line: what is fitted, and whether it fits."""
    *before, last = (f"{part.name} {part.shape}" for part in broadcast.parts)
    to = "cannot be broadcast" if broadcast.result is None else f"broadcast to {broadcast.result}"
    return f"{', '.join(before)} and {last} {to}"


def sentences(broadcast: Broadcast) -> list[str]:
    """What happens in the dimensions where something happens."""
    if broadcast.result is None:
        sizes = [broadcast.size(part, broadcast.failed or 0) for part in broadcast.parts]
        one, other = list(dict.fromkeys(n for n in sizes if n not in (None, 1)))[:2]
        return [
            f"Dimension {broadcast.failed}: {one} and {other} differ, and neither is 1.",
            f"PyTorch says: {broadcast.message}",
        ]
    said = ["Sizes are compared from the right; a size of 1 fits every other."]
    for part in broadcast.parts:
        for dim, there in enumerate(broadcast.result):
            size = broadcast.size(part, dim)
            stride = " (stride 0)" if broadcast.repeats(part, dim) else ""
            if size is None:
                said.append(
                    f"{part.name}: dimension {dim} is missing, so it is added in front, "
                    f"with size {there}{stride}."
                )
            elif stride:
                said.append(
                    f"{part.name}: dimension {dim} has size 1 and is stretched to {there}{stride}."
                )
    return said if said[1:] else ["The shapes are equal: nothing is stretched."]


def words_of(broadcast: Broadcast) -> list[str]:
    """The lines of the text form."""
    lines = [title(broadcast), *_table(broadcast), *sentences(broadcast)]
    if broadcast.result is None:
        return lines
    for part in broadcast.parts:
        lines.append(f"{part.name} as {broadcast.result}, stride {strides(broadcast, part)}")
        lines += _rows(broadcast, grid(broadcast, part))
    if broadcast.cells is not None:
        lines.append(f"{broadcast.formula}, shape {broadcast.result}, a tensor of its own")
        lines += _rows(broadcast, grid(broadcast, None))
    return lines + notes(broadcast)


def in_a_sentence(broadcast: Broadcast) -> list[str]:
    """The result as a sentence, for readers who cannot see it, if it is small."""
    if not broadcast.cells or broadcast.result != shown(broadcast.result or ()):
        return []
    columns, cells = (1, *broadcast.result)[-1], broadcast.cells
    lines = (", ".join(cells[at : at + columns]) for at in range(0, len(cells), columns))
    return [f"{broadcast.formula} is {'; '.join(lines)}."]


def notes(broadcast: Broadcast) -> list[str]:
    """How to read the grids."""
    assert broadcast.result is not None
    said = []
    if any(ghost for part in broadcast.parts for _, ghost in grid(broadcast, part)):
        said.append("Cells in (round brackets) are ghosts: they have no memory of their own.")
    if 0 not in broadcast.result and any(part.cells is None for part in broadcast.parts):
        said.append("Numbers in square brackets are indices of cells.")
    if shown(broadcast.result) != broadcast.result:
        said.append("Only a corner is shown.")
    return said


def entry(broadcast: Broadcast, part: Part, dim: int) -> str:
    """A part's entry in the table of sizes: `3`, `1 -> 3`, `new -> 2`, `-`."""
    size = broadcast.size(part, dim)
    wanted = None if broadcast.result is None else broadcast.result[dim]
    if size is None:
        return "-" if wanted is None else f"new -> {wanted}"
    return f"{size} -> {wanted}" if broadcast.repeats(part, dim) else str(size)


def _table(broadcast: Broadcast) -> list[str]:
    """The sizes, aligned from the right."""
    dims = range(broadcast.dims)
    rows = [["dimension", *map(str, dims)]]
    rows += [[p.name, *(entry(broadcast, p, dim) for dim in dims)] for p in broadcast.parts]
    if broadcast.result is None:
        rows.append(["", *("^ here" if dim == broadcast.failed else "" for dim in dims)])
    else:
        rows.append(["result", *map(str, broadcast.result)])
    first = max(len(row[0]) for row in rows)
    wide = max((len(cell) for row in rows for cell in row[1:]), default=0)
    return [
        "  ".join([row[0].ljust(first), *(cell.rjust(wide) for cell in row[1:])]).rstrip()
        for row in rows
    ]


def _rows(broadcast: Broadcast, told: list[tuple[str, bool]]) -> list[str]:
    """The cells of a grid, row by row."""
    assert broadcast.result is not None
    cells = [f"({cell})" if ghost else f" {cell} " for cell, ghost in told]
    if not cells:
        return ["    no elements"]
    wide = max(map(len, cells))
    rows, columns = (1, 1, *shown(broadcast.result))[-2:]
    lines = []
    for block, label in enumerate(blocks(broadcast.result)):
        lines += [f"    {label}"] if label else []
        for row in range(block * rows, (block + 1) * rows):
            line = " ".join(cell.rjust(wide) for cell in cells[row * columns : (row + 1) * columns])
            lines.append(f"    {line}".rstrip())
    return lines


# ---- the picture ----

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
    broadcast = replace(broadcast, cells=_computed(broadcast, things))
    lines = words_of(broadcast)
    alt = " ".join([f"{title(broadcast)}.", *sentences(broadcast), *in_a_sentence(broadcast)])
    return Picture("\n".join(lines), alt, make_svg=lambda: broadcast_svg(broadcast, alt))


def describe_broadcast(*parts: Part) -> Broadcast:
    """The fitting of two or three shapes as plain data."""
    names = [part.name for part in parts]
    parts = tuple(
        replace(part, name=f"{part.name} ({letter})") if names.count(part.name) > 1 else part
        for part, letter in zip(parts, "abc")
    )
    broadcast = Broadcast(parts, None)
    fitted = parts[0].shape
    for part in parts[1:]:  # from the left, as an operation on several is computed
        dims = max(len(fitted), len(part.shape))
        result = []
        for back in range(1, dims + 1):  # from the right, as PyTorch does
            one, other = (s[-back] if back <= len(s) else 1 for s in (fitted, part.shape))
            if one != other and 1 not in (one, other):
                failed = broadcast.dims - back
                return replace(broadcast, failed=failed, message=_message(fitted, part.shape))
            result.append(other if one == 1 else one)
        fitted = tuple(reversed(result))
    return replace(broadcast, result=fitted)


def _message(a: tuple[int, ...], b: tuple[int, ...]) -> str:
    """What an operation says of these two shapes: one is tried, on tensors without memory."""
    import course_lib

    one = course_lib.zeros(())
    try:
        one.expand(a) + one.expand(b)
    except RuntimeError as error:
        return str(error)
    raise AssertionError(f"{a} and {b} do fit")


def _computed(broadcast: Broadcast, things: tuple[Any, ...]) -> tuple[str, ...] | None:
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


def broadcast_svg(broadcast: Broadcast, alt: str) -> str:
    """Table, grids and sentences, from top to bottom."""
    chart = Chart()
    chart.text(PAD, PAD + 6, title(broadcast), 14, face="Helvetica", bold=True)
    y = _put_table(chart, broadcast, PAD + 34.0)
    y = chart.sentences(y, sentences(broadcast), "ink")
    if broadcast.result is not None:
        y = _grids(chart, broadcast, y + 10)
        said = (n.replace("in (round brackets)", "with dashed lines") for n in notes(broadcast))
        chart.sentences(y, list(said))
    return chart.svg(alt)


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
            told = entry(broadcast, part, dim).replace("->", "\N{RIGHTWARDS ARROW}")
            if failed:
                chart.frame(x, y, COLUMN, HIGH, "stale", "stale line", 2.4)
            elif broadcast.size(part, dim) is None:
                chart.frame(x, y, COLUMN, HIGH, "paper", "constant line", 1, "1.5,3")
            elif broadcast.repeats(part, dim):
                chart.frame(x, y, COLUMN, HIGH, "paper", line, 1.6, "5,3")
            else:
                chart.frame(x, y, COLUMN, HIGH, fill, line, 1.4)
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


def _grids(chart: Chart, broadcast: Broadcast, y: float) -> float:
    """Operands and result side by side, or below each other where the page ends."""
    drawn = []
    for part, look in zip(broadcast.parts, FILLS):
        head = f"as {broadcast.result}, stride {strides(broadcast, part)}"
        drawn.append((part.name, head, grid(broadcast, part), look))
    if broadcast.cells is not None:
        head = f"shape {broadcast.result}"
        drawn.append((broadcast.formula, head, grid(broadcast, None), RESULT))
    x, lowest = float(PAD), y
    columns = shown(broadcast.result or ())[-1:] or (1,)
    for k, (name, head, cells, look) in enumerate(drawn):
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
    chart: Chart, broadcast: Broadcast, cells: list[tuple[str, bool]], look: tuple[str, str],
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
            if ghost:
                chart.frame(*at, wide, HIGH, "paper", look[1], 1, "4,3")
            else:
                chart.frame(*at, wide, HIGH, *look, 1.6)
            role = "muted" if ghost else "ink"
            chart.text(at[0] + wide / 2, at[1] + 18, told, 12, role, "middle", bold=not ghost)
        top += rows * HIGH + 8
    return top - 8
