"""A Jacobian as plain data, in words and as a grid of cells in the colours of their size."""

import math
from dataclasses import dataclass

from course_lib.viz.drawing.chart import Chart
from course_lib.viz.drawing.sheet import LETTER, PAD
from course_lib.viz.drawing.theme import HEAT
from course_lib.viz.reading.values import number

NUMBERED = 16  # rows or columns that are drawn with numbers; more have signs
HIGH, SMALL, GAP = 28.0, 13.0, 8.0  # pixels: a cell with its number, one with a sign, blocks apart


@dataclass(frozen=True)
class Jacobian:
    """`values[i][j]` is the derivative of output number `i` with respect to input number `j`.

    `rows` and `columns` are their names, `blocks` how many columns each input has. `vector` is the
    gradient that backward would start with, and `product` what it would bring to the inputs.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    blocks: tuple[tuple[str, int], ...]
    values: tuple[tuple[float, ...], ...]
    captions: tuple[str, ...]
    vector: tuple[float, ...] = ()
    product: tuple[float, ...] = ()

    @property
    def numbered(self) -> bool:
        """Whether numbers fit into the cells; a larger matrix shows signs."""
        return max(len(self.rows), len(self.columns)) <= NUMBERED


def cell(value: float, numbered: bool = True) -> str:
    """What stands in a cell: the number, or only its sign where many cells are drawn.

    >>> cell(0.25), cell(-3.0, numbered=False), cell(0.0, numbered=False)
    ('0.25', '-', '.')
    """
    if numbered:
        return "0" if value == 0 else number(value)
    return "?" if not math.isfinite(value) else "." if value == 0 else "+" if value > 0 else "-"


# ---- words ----


def words_of(jacobian: Jacobian) -> str:
    """The text form: the same cells, and the sentences."""
    grid = [[cell(v, jacobian.numbered) for v in row] for row in jacobian.values]
    lines, left = [jacobian.title], max([5, *map(len, jacobian.rows)])
    if jacobian.numbered:
        last = [[number(v) for v in jacobian.product]] if jacobian.vector else []
        wide = max((len(c) for row in [*grid, *last, jacobian.columns] for c in row), default=0)
        lines.append(_line("", left, jacobian.columns, wide))
        lines += [_line(n, left, row, wide) for n, row in zip(jacobian.rows, grid, strict=True)]
        lines += [_line("v @ J", left, row, wide) for row in last]
        if jacobian.vector:
            lines.append(f"v = [{', '.join(map(number, jacobian.vector))}]")
    else:
        lines += [_line(n, left, row, 1) for n, row in zip(jacobian.rows, grid, strict=True)]
        lines.append(spans_of(jacobian))
    return "\n".join([*lines, *jacobian.captions])


def spans_of(jacobian: Jacobian) -> str:
    """What replaces the names of many columns."""
    spans = ", ".join(f"{many} of {name}" for name, many in jacobian.blocks)
    return f"Columns from left to right: {spans}. Signs stand for numbers; a dot is 0."


def _line(name: str, left: int, cells: tuple[str, ...] | list[str], wide: int) -> str:
    gap = "  " if wide > 1 else " "
    return f"    {name.ljust(left)}{gap}{gap.join(c.rjust(wide) for c in cells)}".rstrip()


# ---- drawing ----


def jacobian_svg(jacobian: Jacobian, alt: str) -> str:
    """Title, grid, what backward computes, and the sentences below."""
    chart = Chart()
    chart.text(PAD, PAD + 6, jacobian.title, 14, face="Helvetica", bold=True)
    large = jacobian.numbered
    cells = [cell(v, large) for row in (*jacobian.values, jacobian.product) for v in row]
    letters = max(map(len, [*cells, *(jacobian.columns if large else ())]), default=1)
    wide, high = (max(40.0, letters * LETTER + 12), HIGH) if large else (SMALL, SMALL)
    vector = [number(v) for v in jacobian.vector] if large else []
    beside = max(map(len, vector), default=0) * LETTER + 12  # the width of v
    names = PAD + beside + 18 if vector else float(PAD)
    longest = max([*map(len, jacobian.rows), 5 if vector else 0]) if large else 0
    left = names + longest * LETTER + 12 if large else names
    edges = _edges(jacobian, left, wide)
    top = PAD + 46.0
    _names(chart, jacobian, edges, wide, top)
    largest = max((abs(v) for row in jacobian.values for v in row if math.isfinite(v)), default=0.0)
    for i, row in enumerate(jacobian.values):
        y = top + i * high
        if vector:
            chart.frame(PAD, y, beside, high, "paper", "result line")
            chart.text(PAD + beside / 2, y + high * 0.66, vector[i], anchor="middle")
        if large:
            chart.text(left - 8, y + high * 0.66, jacobian.rows[i], 12, "muted", "end")
        for x, value in zip(edges, row, strict=True):
            _cell(chart, x, y, wide, high, value, heat(value, largest), large)
    y = top + len(jacobian.rows) * high + 22
    if vector:
        chart.text(PAD, top - 8, "v", 12, "muted", bold=True)
        chart.text(left - 8, y + high * 0.66, "v @ J", 12, "muted", "end", bold=True)
        for x, value in zip(edges, jacobian.product, strict=True):
            chart.frame(x, y, wide, high, "paper", "result line", 2)
            chart.text(x + wide / 2, y + high * 0.66, number(value), anchor="middle", bold=True)
        y += high + 22
    _sentences(chart, jacobian, y)
    return chart.svg(alt)


def heat(value: float, largest: float) -> str:
    """The colour of a cell: blue below 0, orange above, stronger when it is large.

    >>> heat(2.0, 2.0), heat(-0.1, 2.0), heat(0.0, 2.0)
    ('heat 6', 'heat 2', 'paper')
    """
    if value == 0:
        return "paper"
    if not math.isfinite(value):
        return "stale"
    middle = HEAT // 2
    steps = max(1, math.ceil(abs(value) / largest * middle))
    return f"heat {middle + steps if value > 0 else middle - steps}"


def _edges(jacobian: Jacobian, left: float, wide: float) -> list[float]:
    """The left edge of each column; inputs stand a little apart."""
    edges, x = [], left
    for _, many in jacobian.blocks:
        edges += [x + k * wide for k in range(many)]
        x += many * wide + GAP
    return edges


def _names(chart: Chart, jacobian: Jacobian, edges: list[float], wide: float, top: float) -> None:
    if jacobian.numbered:
        for x, name in zip(edges, jacobian.columns, strict=True):
            chart.text(x + wide / 2, top - 8, name, 12, "muted", "middle")
        return
    at = 0
    for name, many in jacobian.blocks:
        if many:
            chart.text(edges[at], top - 8, name, 12, "muted")
        at += many


def _cell(
    chart: Chart, x: float, y: float, wide: float, high: float, value: float, fill: str,
    large: bool,
) -> None:  # fmt: skip
    chart.frame(x, y, wide, high, fill, "function line" if large else fill, 1 if large else 0.5)
    role = "muted" if value == 0 else "ink"
    size = 12 if large else 10
    chart.text(x + wide / 2, y + high * 0.68, cell(value, large), size, role, "middle")


def _sentences(chart: Chart, jacobian: Jacobian, y: float) -> None:
    colours = "Blue: below 0. Orange: above 0. The stronger the colour, the larger the number."
    lines = [*jacobian.captions, *([] if jacobian.numbered else [spans_of(jacobian)]), colours]
    chart.sentences(y, lines)
