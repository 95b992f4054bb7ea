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


# ---- words ----


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


# ---- drawing ----


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
                chart.text(x + GAP / 2, top + HIGH - 9, sign, 15, "ink", "middle", bold=True)
            x += GAP
        y = top + HIGH * max(len(grid.rows) for grid in product.grids) + 20
        chart.text(PAD, y, product.said, 12)
        y += 34


def _draw_grid(chart: Chart, grid: Grid, x: float, top: float) -> float:
    """The cells; a marked one is coloured and has a second line around it."""
    wide = max(34.0, grid.longest * LETTER + 14)
    chart.text(x, top - 6, grid.name, 11, "muted")
    for i, row in enumerate(grid.rows):
        for j, cell in enumerate(row):
            at, marked = (x + j * wide, top + i * HIGH), (i, j) in grid.marked
            chart.box(*at, wide, HIGH, light("result" if marked else "paper"))
            if marked:
                chart.box(at[0] + 3, at[1] + 3, wide - 6, HIGH - 6, light("result"))
            chart.text(at[0] + wide / 2, at[1] + 19, cell, anchor="middle", bold=marked)
    return x + wide * len(grid.rows[0])
