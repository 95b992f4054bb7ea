"""`draw_broadcast` and `draw_product`: which cells of two operands make which cell of the result.

`draw_broadcast` shows how shapes are fitted to each other and which cells are read again;
`draw_product` shows `*` above `@`, and which numbers of two matrices make one number of each.
"""

import functools
import math
import operator
import sys
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, WIDE, Chart, drawn
from course_lib.viz.drawing.theme import light
from course_lib.viz.pictures.broadcast_cells import Broadcast, Part, describe_broadcast, in_order
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
    said = [f"{broadcast.title()}.", *broadcast.sentences(), *broadcast.result_in_words()]
    return drawn(broadcast.words(), " ".join(said), lambda chart: _put_broadcast(chart, broadcast))


def _compute_corner(broadcast: Broadcast, things: tuple[Any, ...]) -> tuple[str, ...] | None:
    """The numbers in the drawn corner of the result; no more than that corner is computed."""
    if broadcast.failed is not None or any(part.cells is None for part in broadcast.parts):
        return None
    corner = tuple(slice(0, n) for n in broadcast.corner)
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
        try:
            stride = tuple(thing.stride())
        except Exception:  # a layout without strides broadcasts by shape alone
            stride = in_order(shape)
        return Part(names.of(thing) or letter, shape, stride, _values(thing))
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
    chart.heading(broadcast.title())
    y = _put_table(chart, broadcast, PAD + 34.0)
    y = chart.sentences(y, broadcast.sentences(), "ink")
    if broadcast.failed is None:
        y = _put_grids(chart, broadcast, y + 10)
        said = (n.replace("in (round brackets)", "with dashed lines") for n in broadcast.notes())
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
            told = broadcast.entry(part, dim).replace("->", "\N{RIGHTWARDS ARROW}")
            chart.text(x + COLUMN / 2, y + 18, told, anchor="middle", bold=failed)
        if not xs:
            chart.text(left, y + 18, "no dimensions", 11.5, "muted", face="Helvetica")
        y += HIGH + 6
    if broadcast.failed is not None:
        x = xs[broadcast.failed] + COLUMN / 2
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
    columns = (1, *broadcast.corner)[-1]
    looks = [*FILLS[: len(broadcast.parts)], RESULT]
    for k, ((name, head, cells), look) in enumerate(zip(broadcast.grids(), looks)):
        wide = max([36.0, *(len(cell) * LETTER + 14 for cell, _ in cells)])
        needs = max(columns * wide, len(head) * 11 * 0.605, len(name) * 12 * 0.605)
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
    for label, rows in broadcast.blocks(cells):
        if label:
            chart.text(x, top + 10, label, 11, "muted")
            top += 16
        for row in rows:
            for column, (told, ghost) in enumerate(row):
                left = x + column * wide
                style: tuple[Any, ...] = ("paper", look[1], 1, "4,3") if ghost else (*look, 1.6)
                chart.frame(left, top, wide, HIGH, *style)
                role = "muted" if ghost else "ink"
                chart.text(left + wide / 2, top + 18, told, 12, role, "middle", bold=not ghost)
            top += HIGH
        top += 8
    return top - 8


# ---- two products ----

ROWS, COLUMNS = 6, 6  # of a matrix that is drawn
TALL, GAP = 30, 26  # pixels: of a row of a matrix, between two matrices

Place = tuple[int, int]
RULES = {"*": ("element by element", operator.mul), "@": ("row by column", operator.matmul)}


@dataclass(frozen=True)
class Grid:
    """A matrix as words, and the places in it that are marked."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    marked: frozenset[Place]

    @property
    def longest(self) -> int:
        """How many letters its longest cell has."""
        return max(len(cell) for row in self.rows for cell in row)


@dataclass(frozen=True)
class Product:
    """One of the two products: two factors and the result, or why there is none."""

    name: str
    sign: str
    rule: str
    grids: tuple[Grid, ...]
    sum: str = ""
    refusal: str = ""

    @property
    def said(self) -> str:
        """What comes out, or that nothing does."""
        return self.sum or f"refused: {self.refusal}"


def draw_product(a: Any, b: Any, *more: Any, at: Place = (0, 0), names: Any = None) -> Picture:
    """Both products of two matrices, with the numbers marked that the result at `at` is made of.

    >>> import course_lib as torch
    >>> a, b = torch.tensor([[1, 2], [3, 4]]), torch.tensor([[5, 6], [7, 8]])
    >>> draw_product(a, b)
    a * b  element by element
        [1] 2     [5] 6     [ 5] 12
         3  4      7  8      21  32
        the result at [0, 0] is 1*5 = 5
    <BLANKLINE>
    a @ b  row by column
        [1][2]    [5] 6     [19] 22
         3  4     [7] 8      43  50
        the result at [0, 0] is 1*5 + 2*7 = 19
    """
    arguments.exactly("draw_product", more, "two matrices", "The place goes by name: at=(0, 1).")
    for matrix in (a, b):
        arguments.tensor("draw_product", matrix, "two matrices: tensors with two dimensions")
        if len(matrix.shape) != 2:
            raise ValueError(
                "draw_product wants two matrices: tensors with two dimensions, "
                f"not one of shape {tuple(matrix.shape)}. Try x.reshape(1, -1) or x[None]."
            )
        if not (1 <= matrix.shape[0] <= ROWS and 1 <= matrix.shape[1] <= COLUMNS):
            raise ValueError(
                f"draw_product draws 1 to {ROWS} rows and 1 to {COLUMNS} columns, "
                f"not {tuple(matrix.shape)}. Give it a corner: x[:{ROWS}, :{COLUMNS}]."
            )
    if not (isinstance(at, (tuple, list)) and len(at) == 2 and all(type(k) is int for k in at)):
        raise TypeError(f"draw_product: at wants a row and a column such as (0, 1), not {at!r}.")
    found = Names(names, None, sys._getframe(1), who="draw_product", things=(a, b))
    called = (found.of(a) or "a", found.of(b) or "b")
    products = [describe_product(sign, a.detach(), b.detach(), at, called) for sign in RULES]
    text = "\n\n".join("\n".join(_in_words(product)) for product in products)
    alt = [f"Two products of the matrices {called[0]} and {called[1]}."]
    alt += [f"{p.name}, {p.rule}: {p.sum or p.refusal}." for p in products]
    return drawn([text], " ".join(alt), lambda chart: _put_products(chart, products))


def describe_product(sign: str, a: Any, b: Any, at: Place, names: tuple[str, str]) -> Product:
    """One of the two products as plain data."""
    rule, operation = RULES[sign]
    name, (i, j) = f"{names[0]} {sign} {names[1]}", at
    matrices, refusal = [a, b], ""
    used: list[list[Place]] = [[], []]
    try:
        result = operation(a, b)
    except RuntimeError as error:
        refusal = str(error).splitlines()[0]
    else:
        if not all(-1 < k < n for k, n in zip(at, result.shape, strict=True)):
            raise ValueError(
                f"draw_product: at={at} is no place in {name}, "
                f"whose shape is {tuple(result.shape)}. Rows and columns count from 0."
            )
        used = [[(i, k) for k in range(a.shape[1])], [(k, j) for k in range(b.shape[0])], [at]]
        if sign == "*":  # a matrix of one row or one column is broadcast
            used[:2] = [[(min(i, m.shape[0] - 1), min(j, m.shape[1] - 1))] for m in (a, b)]
        matrices.append(result)
    rows = [matrix.tolist() for matrix in matrices]
    told = [tuple(tuple(map(number, row)) for row in matrix) for matrix in rows]
    grids = tuple(map(Grid, (*names, name), told, map(frozenset, used)))
    if refusal:
        return Product(name, sign, rule, grids, refusal=refusal)
    terms = []
    for place, other in zip(*used[:2], strict=True):
        factors = [told[0][place[0]][place[1]], told[1][other[0]][other[1]]]
        terms.append("*".join(f"({n})" if n.startswith("-") else n for n in factors))
    said = f"the result at {list(at)} is {' + '.join(terms)} = {told[2][at[0]][at[1]]}"
    return Product(name, sign, rule, grids, said)


def _in_words(product: Product) -> list[str]:
    height = max(len(grid.rows) for grid in product.grids)
    blocks = [_block(grid, height) for grid in product.grids]
    lines = ["    ".join(parts).rstrip() for parts in zip(*blocks, strict=True)]
    head = f"{product.name}  {product.rule}"
    return [head, *(f"    {line}" for line in [*lines, product.said])]


def _block(grid: Grid, height: int) -> list[str]:
    """The grid as lines of equal length, marked numbers in brackets."""
    wide = grid.longest
    lines = [
        "".join(
            f"[{cell:>{wide}}]" if (i, j) in grid.marked else f" {cell:>{wide}} "
            for j, cell in enumerate(row)
        )
        for i, row in enumerate(grid.rows)
    ]
    return lines + [" " * len(lines[0])] * (height - len(lines))


def _put_products(chart: Chart, products: list[Product]) -> None:
    """The products one above the other."""
    y = PAD + 6.0
    for product in products:
        chart.text(PAD, y, product.name, 13, bold=True)
        beside = PAD + len(product.name) * 8 + 16
        chart.text(beside, y, product.rule, 12, "muted", face="Helvetica")
        x, top = float(PAD), y + 26
        for grid, sign in zip(product.grids, (product.sign, "=", ""), strict=False):
            x = _draw_grid(chart, grid, x, top)
            if sign != "=" or not product.refusal:
                chart.text(x + GAP / 2, top + TALL - 9, sign, 15, "ink", "middle", bold=True)
            x += GAP
        y = top + TALL * max(len(grid.rows) for grid in product.grids) + 20
        chart.text(PAD, y, product.said, 12)
        y += 34


def _draw_grid(chart: Chart, grid: Grid, x: float, top: float) -> float:
    """The cells; a marked one is coloured and has a second line around it."""
    wide = max(34.0, grid.longest * LETTER + 14)
    chart.text(x, top - 6, grid.name, 11, "muted")
    for i, row in enumerate(grid.rows):
        for j, cell in enumerate(row):
            at, marked = (x + j * wide, top + i * TALL), (i, j) in grid.marked
            chart.box(*at, wide, TALL, light("result" if marked else "paper"))
            if marked:
                chart.box(at[0] + 3, at[1] + 3, wide - 6, TALL - 6, light("result"))
            chart.text(at[0] + wide / 2, at[1] + 19, cell, anchor="middle", bold=marked)
    return x + wide * len(grid.rows[0])
