"""`draw_jacobian`: every derivative of a small function, rows for outputs, columns for inputs."""

import inspect
import itertools
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.drawing.text import count
from course_lib.viz.drawing.theme import HEAT
from course_lib.viz.reading import arguments
from course_lib.viz.reading.backward import starting
from course_lib.viz.reading.models import library_of
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import is_tensor, number

# ---- in words and as a grid of cells ----

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


def words_of(jacobian: Jacobian) -> list[str]:
    """The lines of the text form: the same cells, and the sentences."""
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
    return [*lines, *jacobian.captions]


def spans_of(jacobian: Jacobian) -> str:
    """What replaces the names of many columns."""
    spans = ", ".join(f"{many} of {name}" for name, many in jacobian.blocks)
    return f"Columns from left to right: {spans}. Signs stand for numbers; a dot is 0."


def _line(name: str, left: int, cells: tuple[str, ...] | list[str], wide: int) -> str:
    gap = "  " if wide > 1 else " "
    return f"    {name.ljust(left)}{gap}{gap.join(c.rjust(wide) for c in cells)}".rstrip()


# ---- drawing ----

COLOURS = "Blue: below 0. Orange: above 0. The stronger the colour, the larger the number."


def _put_matrix(chart: Chart, jacobian: Jacobian) -> None:
    """Title, grid, what backward computes, and the sentences below."""
    chart.heading(jacobian.title)
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
    many = [] if jacobian.numbered else [spans_of(jacobian)]
    chart.sentences(y, [*jacobian.captions, *many, COLOURS])


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


# ---- the function ----

MOST = 64  # rows or columns that are drawn


def draw_jacobian(
    function: Callable[..., Any], *inputs: Any, gradient: Any = None, names: Any = None
) -> Picture:
    """The picture of all derivatives of `function(*inputs)`: its Jacobian matrix.

    A row is a number of the result, a column is a number of an input. It runs the function once, on
    copies of the inputs, and backward once for each row. With `gradient`, it shows what
    `result.backward(gradient)` computes instead of the matrix: `gradient @ Jacobian`.
    Up to 16 rows and columns have numbers, up to 64 have signs.

    >>> import course_lib as torch
    >>> draw_jacobian(lambda x: x * x, torch.tensor([1., 2.]))
    Jacobian of y = function(x)
               x[0]  x[1]
        y[0]     2.     0
        y[1]      0    4.
    y has shape (2,), x has shape (2,): 2 rows and 2 columns.
    Only the diagonal has numbers other than 0: y[i] has a slope for x[i] only.
    """
    example = "draw_jacobian(lambda x: x * x, x)"
    arguments.function("draw_jacobian", "a function and then its inputs", function, example)
    if not inputs:
        raise TypeError(f"draw_jacobian wants at least one input. For example: {example}.")
    for value in inputs:
        if not is_tensor(value) or not value.is_floating_point():
            came = f"{value.dtype} tensor" if is_tensor(value) else arguments.came(value)
            raise TypeError(
                f"draw_jacobian wants tensors of real floats as inputs, not {came}. "
                "Put other arguments into a lambda."
            )
    known = Names(names, None, sys._getframe(1), who="draw_jacobian")
    jacobian = describe_jacobian(function, inputs, known, gradient)
    alt = " ".join([f"{jacobian.title}.", *jacobian.captions])
    return drawn(words_of(jacobian), alt, lambda chart: _put_matrix(chart, jacobian))


def describe_jacobian(
    function: Callable[..., Any], inputs: tuple[Any, ...], names: Names, gradient: Any = None
) -> Jacobian:
    """The matrix and what is to be said of it, as plain data."""
    fresh = [value.detach().clone().requires_grad_() for value in inputs]
    result = function(*fresh)
    if not is_tensor(result):
        raise TypeError(
            "draw_jacobian wants a function that returns one tensor, not "
            f"{arguments.came(result)}. Pick one result in a lambda."
        )
    columns = sum(math.prod(value.shape) for value in inputs)
    rows = math.prod(result.shape)
    if max(rows, columns) > MOST:
        raise ValueError(
            f"draw_jacobian draws up to {MOST} rows and columns, and this Jacobian has {rows:,} "
            f"rows and {columns:,} columns. Give it a smaller input of the same kind."
        )
    called = _name_inputs(function, inputs, names)
    y = "result" if "y" in called else "y"
    values = _rows(result, fresh)
    vector: tuple[float, ...] = ()
    product: tuple[float, ...] = ()
    if gradient is not None:
        start = starting(result, gradient, "draw_jacobian")
        vector = tuple(start.detach().reshape(-1).tolist())
        product = _row(result, fresh, start)
    blocks = tuple((n, math.prod(v.shape)) for n, v in zip(called, inputs, strict=True))
    places = tuple(p for n, v in zip(called, inputs, strict=True) for p in _places(n, v.shape))
    captions = [_shapes(y, result, inputs, called), _pattern(y, values, called)]
    captions += _remarks(result, values, vector)
    return Jacobian(
        f"Jacobian of {y} = {_title(function)}({', '.join(called)})",
        _places(y, result.shape), places, blocks, values,
        tuple(captions), vector, product,
    )  # fmt: skip


# ---- derivatives ----


def _rows(result: Any, fresh: list[Any]) -> tuple[tuple[float, ...], ...]:
    """One backward pass for each number of the result."""
    library, flat = library_of(result), result.reshape(-1)
    rows = []
    for i in range(math.prod(result.shape)):
        one = library.zeros_like(flat.detach())
        one[i] = 1
        rows.append(_row(flat, fresh, one))
    return tuple(rows)


def _row(result: Any, fresh: list[Any], gradient: Any) -> tuple[float, ...]:
    if not result.requires_grad:
        return (0.0,) * sum(math.prod(value.shape) for value in fresh)
    grads = library_of(result).autograd.grad(
        result, fresh, gradient, retain_graph=True, allow_unused=True
    )
    numbers: list[float] = []
    for grad, value in zip(grads, fresh, strict=True):
        flat = [0.0] * math.prod(value.shape) if grad is None else grad.reshape(-1).tolist()
        numbers += flat
    return tuple(numbers)


# ---- names ----


def _places(name: str, shape: Any) -> tuple[str, ...]:
    """The name of each number: `x[0, 1]`; a tensor without dimensions is one number, `x`."""
    places = itertools.product(*(range(n) for n in shape))
    return tuple(f"{name}[{', '.join(map(str, p))}]" if p else name for p in places)


def _name_inputs(
    function: Callable[..., Any], inputs: tuple[Any, ...], names: Names
) -> tuple[str, ...]:
    """What inputs are called: as the caller calls them, else as the function does."""
    try:
        own = [p.name for p in inspect.signature(function).parameters.values() if p.kind < 2]
    except (TypeError, ValueError):  # written in C, without a signature
        own = []
    known = [names.of(value).partition(",")[0] for value in inputs]
    plain = ["x"] if len(inputs) == 1 else [f"x{i}" for i in range(len(inputs))]
    own = own if len(own) >= len(inputs) else plain
    given = [k or o for k, o in zip(known, own, strict=False)]
    return tuple(given if len(set(given)) == len(given) else plain)


def _title(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return name if name.isidentifier() else "function"


# ---- sentences ----


def _shapes(y: str, result: Any, inputs: tuple[Any, ...], called: tuple[str, ...]) -> str:
    each = [f"{n} has shape {tuple(v.shape)}" for n, v in zip(called, inputs, strict=True)]
    columns = sum(math.prod(value.shape) for value in inputs)
    size = f"{count(math.prod(result.shape), 'row')} and {count(columns, 'column')}"
    return f"{y} has shape {tuple(result.shape)}, {', '.join(each)}: {size}."


def _pattern(y: str, values: tuple[tuple[float, ...], ...], called: tuple[str, ...]) -> str:
    """What is to be seen at once: where the numbers other than 0 are."""
    name = " and ".join(called)
    height, width = len(values), len(values[0]) if values else 0
    if not height or not width:
        return f"There are no numbers in {name if height else y}, so there is no slope."
    filled = {(i, j) for i, row in enumerate(values) for j, v in enumerate(row) if v != 0}
    if not filled:
        return f"All numbers are 0: no gradient of {y} reaches {name}."
    if height * width == 1:
        return f"One number: the slope of {y} with respect to {name}."
    if height == width and all(i == j for i, j in filled):
        return f"Only the diagonal has numbers other than 0: {y}[i] has a slope for {name}[i] only."
    if height == width and all(j <= i for i, j in filled):
        return f"Above the diagonal all is 0: {y}[i] has slopes for {name}[0] to {name}[i] only."
    if height == width and all(j >= i for i, j in filled):
        return f"Below the diagonal all is 0: {y}[i] has no slope for what comes before {name}[i]."
    if len(filled) == height * width:
        each = f"each number of {y}" if height > 1 else y
        return f"No number is 0: {each} has a slope for every number of {name}."
    return f"{len(filled)} of {height * width} numbers are not 0."


def _remarks(
    result: Any, values: tuple[tuple[float, ...], ...], vector: tuple[float, ...]
) -> list[str]:
    remarks = []
    if not result.requires_grad:
        remarks.append("The result has no graph: nothing leads from it back to the inputs.")
    if not all(math.isfinite(v) for row in values for v in row):
        remarks.append(
            "nan and inf are what backward computes here; draw_nonfinite shows which function "
            "made them."
        )
    if vector:
        remarks.append(
            "backward(v) computes the row v @ J at once and never the matrix: each row times its "
            "number in v, added up."
        )
    elif result.dim() == 0:
        remarks.append("One row: this is what backward() adds to .grad.")
    return remarks
