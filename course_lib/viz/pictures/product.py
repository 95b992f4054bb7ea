"""`draw_product`: `*` above `@`, and which numbers of two matrices make one number of each."""

import operator
import sys
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import PAD, Chart, drawn
from course_lib.viz.drawing.theme import light
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import number

ROWS, COLUMNS = 6, 6  # of a matrix that is drawn
HIGH, LETTER, GAP = 30, 7.3, 26  # pixels

Place = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """A matrix as words, and the places in it that are marked."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    marked: frozenset[Place]


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
    products = describe_products(a.detach(), b.detach(), at, called)
    text = "\n\n".join("\n".join(_in_words(product)) for product in products)
    alt = [f"Two products of the matrices {called[0]} and {called[1]}."]
    alt += [f"{p.name}, {p.rule}: {p.sum or p.refusal}." for p in products]
    return drawn([text], " ".join(alt), lambda chart: _put_products(chart, products))


def describe_products(a: Any, b: Any, at: Place, names: Any) -> tuple[Product, Product]:
    """The two products as plain data."""
    i, j = at
    one = [(i if m.shape[0] > 1 else 0, j if m.shape[1] > 1 else 0) for m in (a, b)]
    line = [(i, k) for k in range(a.shape[1])], [(k, j) for k in range(b.shape[0])]
    return (
        _product("*", "element by element", a, b, at, ([one[0]], [one[1]]), names),
        _product("@", "row by column", a, b, at, line, names),
    )


def _product(
    sign: str, rule: str, a: Any, b: Any, at: Place, used: tuple[list[Place], list[Place]],
    names: tuple[str, str],
) -> Product:  # fmt: skip
    name = f"{names[0]} {sign} {names[1]}"
    try:
        result = {"*": operator.mul, "@": operator.matmul}[sign](a, b)
    except RuntimeError as error:
        unmarked = _grid(names[0], a, []), _grid(names[1], b, [])
        return Product(name, sign, rule, unmarked, refusal=str(error).splitlines()[0])
    if not all(-1 < k < n for k, n in zip(at, result.shape, strict=True)):
        raise ValueError(
            f"draw_product: at={at} is no place in {name}, "
            f"whose shape is {tuple(result.shape)}. Rows and columns count from 0."
        )
    rows = zip((a.tolist(), b.tolist()), used, strict=True)
    pairs = zip(*([m[i][j] for i, j in places] for m, places in rows), strict=True)
    terms = " + ".join(f"{_factor(p)}*{_factor(q)}" for p, q in pairs)
    total = number(result.tolist()[at[0]][at[1]])
    grids = _grid(names[0], a, used[0]), _grid(names[1], b, used[1]), _grid(name, result, [at])
    return Product(name, sign, rule, grids, f"the result at {list(at)} is {terms} = {total}")


def _factor(value: Any) -> str:
    """A number as it stands in a product: a negative one in brackets.

    >>> _factor(2), _factor(-2)
    ('2', '(-2)')
    """
    words = number(value)
    return f"({words})" if words.startswith("-") else words


def _grid(name: str, matrix: Any, places: list[Place]) -> Grid:
    rows = tuple(tuple(map(number, row)) for row in matrix.tolist())
    return Grid(name, rows, frozenset(places))


# ---- words ----


def _in_words(product: Product) -> list[str]:
    height = max(len(grid.rows) for grid in product.grids)
    blocks = [_block(grid, height) for grid in product.grids]
    lines = ["    ".join(parts).rstrip() for parts in zip(*blocks, strict=True)]
    head = f"{product.name}  {product.rule}"
    return [head, *(f"    {line}" for line in [*lines, product.said])]


def _block(grid: Grid, height: int) -> list[str]:
    """The grid as lines of equal length, marked numbers in brackets."""
    wide = max(len(cell) for row in grid.rows for cell in row)
    lines = [
        "".join(
            f"[{cell:>{wide}}]" if (i, j) in grid.marked else f" {cell:>{wide}} "
            for j, cell in enumerate(row)
        )
        for i, row in enumerate(grid.rows)
    ]
    return lines + [" " * len(lines[0])] * (height - len(lines))


# ---- drawing ----


def _put_products(chart: Chart, products: tuple[Product, Product]) -> None:
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
                chart.text(x + GAP / 2, top + HIGH - 9, sign, 15, "ink", "middle", bold=True)
            x += GAP
        y = top + HIGH * max(len(grid.rows) for grid in product.grids) + 20
        chart.text(PAD, y, product.said, 12)
        y += 34


def _draw_grid(chart: Chart, grid: Grid, x: float, top: float) -> float:
    """The cells; a marked one is coloured and has a second line around it."""
    wide = max(34.0, max(len(cell) for row in grid.rows for cell in row) * LETTER + 14)
    chart.text(x, top - 6, grid.name, 11, "muted")
    for i, row in enumerate(grid.rows):
        for j, cell in enumerate(row):
            at, marked = (x + j * wide, top + i * HIGH), (i, j) in grid.marked
            chart.box(*at, wide, HIGH, light("result" if marked else "paper"))
            if marked:
                chart.box(at[0] + 3, at[1] + 3, wide - 6, HIGH - 6, light("result"))
            chart.text(at[0] + wide / 2, at[1] + 19, cell, anchor="middle", bold=marked)
    return x + wide * len(grid.rows[0])
