"""`draw_fit`: measured points, what a model predicts for them, and how far it is off."""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from course_lib.viz.drawing.film import Film, Scene, film_from, sample_positions
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import Chart, around
from course_lib.viz.drawing.text import table
from course_lib.viz.reading import arguments
from course_lib.viz.reading.values import is_tensor, number

ROWS, SCENES, ROOM = 12, 40, 0.06  # points told in words, steps of a film, share of a side
LEFT, TOP, WIDTH, HEIGHT = 52, 48, 420, 240  # pixels of the plot
Point = tuple[float, float]


@dataclass(frozen=True)
class Fit:
    """Points from left to right, and the number predicted for each."""

    points: tuple[tuple[float, float], ...]
    predicted: tuple[float, ...]

    def error(self) -> float:
        """The mean of the squared distances."""
        pairs = zip(self.points, self.predicted, strict=True)
        return sum((y - p) * (y - p) for (_, y), p in pairs) / len(self.points)  # ** may overflow


def draw_fit(
    x: Any, y: Any, predicted: Any, *, axes: Any = ("x", "y"), limits: Any = None,
    title: str = "Fit",
) -> Picture:  # fmt: skip
    """Points at `x` and `y`, a line through what is `predicted` for each `x`, and the distances.

    Each is a tensor or a list of n numbers; a tensor of shape (n, 1) will do. If `predicted` is a
    list of such, one for each step of training, it is a film. `axes` are words for the two
    directions, `limits` the lowest and highest number up. Raises `TypeError` or `ValueError`.

    >>> draw_fit([1.0, 2.0], [3.0, 5.0], [3.0, 4.0])
    Fit: 2 points, mean squared error 0.5
    x   y   predicted
    1.  3.  3.
    2.  5.  4.
    """
    many = isinstance(predicted, (tuple, list)) and min(map(_size, predicted), default=1) > 1
    fits = [describe_fit(x, y, one) for one in (predicted if many else [predicted])]
    words, last = arguments.two_words("draw_fit", axes), len(fits) - 1
    span = None if limits is None else arguments.limits("draw_fit", limits, 1, "(0, 20)")[0]
    errors = [number(fit.error()) for fit in fits]
    error = f"{errors[0]} at first, {errors[last]} in step {last}" if last else errors[0]
    head = f"{title}: {len(fits[0].points)} points, mean squared error {error}"
    text = "\n".join([head, *_table(fits[last], *words)])
    alt = f"{head}. Going up is {words[1]}, to the right {words[0]}."

    def still(step: int) -> str:
        return fit_svg(fits[step], words, span, title, alt)

    if not last:
        return Picture(text, alt, make_svg=lambda: still(0))
    span = span or around((*(y for _, y in fits[0].points), *fits[0].predicted), ROOM)
    drawable = sum(all(map(math.isfinite, fit.predicted)) for fit in fits) or 1
    shown = sample_positions(fits[:drawable], SCENES)
    scenes = [Scene(f"Step {k}", (f"mean squared error {errors[k]}",)) for k in shown]
    return Film(text, alt, scenes, lambda: film_from([*map(still, shown)], alt))


def _size(one: Any) -> int:
    return one.numel() if is_tensor(one) else len(one) if isinstance(one, (tuple, list)) else 1


def describe_fit(x: Any, y: Any, predicted: Any) -> Fit:
    """The same as plain data."""
    columns = ("x", x), ("y", y), ("predicted", predicted)
    given = {k: [*map(float, arguments.column("draw_fit", k, v))] for k, v in columns}
    counts = {name: len(column) for name, column in given.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{count} of {name}" for name, count in counts.items())
        raise ValueError(f"draw_fit wants as many numbers in each, not {told}.")
    rows = sorted(zip(*given.values(), strict=True), key=lambda row: row[0])
    return Fit(tuple((row[0], row[1]) for row in rows), tuple(row[2] for row in rows))


def _table(fit: Fit, across: str, up: str) -> list[str]:
    rows = [(across, up, "predicted")]
    for (x, y), p in list(zip(fit.points, fit.predicted, strict=True))[:ROWS]:
        rows.append((number(x), number(y), number(p)))
    more = len(fit.points) - ROWS
    return table(rows, "  ", left=True) + ([f"... and {more} more points"] if more > 0 else [])


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers between two numbers, at most so many.

    >>> ticks(0, 17), ticks(1.2, 1.5)
    ([0.0, 5.0, 10.0, 15.0], [1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5])
    """
    exponent = math.floor(math.log10((high - low) / most))
    step = next(
        Fraction(10) ** exponent * m
        for m in (1, 2, 5, 10, 20)
        if (high - low) / (float(Fraction(10) ** exponent) * m) <= most
    )
    first = math.ceil(Fraction(low).limit_denominator(10**12) / step)
    last = math.floor(Fraction(high).limit_denominator(10**12) / step)
    return [float(k * step) for k in range(first, last + 1)][:most]


def fit_svg(
    fit: Fit, words: tuple[str, str], span: tuple[float, float] | None, title: str, alt: str
) -> str:
    """The plot. It is no matplotlib figure: under a slider it must be drawn in no time."""
    chart = Chart()
    xs, ys = zip(*fit.points, strict=True)
    scales = around(xs, ROOM), span or around((*ys, *fit.predicted), ROOM)
    (left, right), (low, high) = scales
    bottom = TOP + HEIGHT

    def at(x: float, y: float) -> Point:
        across, up = (x - left) / (right - left), (y - low) / (high - low)
        return round(LEFT + WIDTH * across, 2), round(bottom - HEIGHT * up, 2)

    chart.frame(LEFT, TOP, WIDTH, HEIGHT)
    chart.text(LEFT, 20, title, 13, bold=True, face="Helvetica")
    for value in ticks(left, right):
        x, _ = at(value, low)
        chart.line([(x, bottom), (x, bottom + 4)], "muted")
        chart.text(x, bottom + 17, f"{value:g}", 11, "muted", "middle", "Helvetica")
    for value in ticks(low, high):
        _, y = at(left, value)
        chart.line([(LEFT - 4, y), (LEFT, y)], "muted")
        chart.text(LEFT - 8, y + 4, f"{value:g}", 11, "muted", "end", "Helvetica")
    chart.text(LEFT + WIDTH / 2, bottom + 36, words[0], 12, "ink", "middle", "Helvetica")
    chart.text(LEFT, TOP - 8, words[1], 12, "ink", face="Helvetica")
    for (x, y), p in zip(fit.points, fit.predicted, strict=True):
        for start, end in within([(x, y), (x, p)], low, high):
            chart.line([at(*start), at(*end)], "muted", dash="2,3")
    for start, end in within([*zip(xs, fit.predicted, strict=True)], low, high):
        chart.line([at(*start), at(*end)], "result line", 2.4)
    for x, y in fit.points:
        if low <= y <= high:
            chart.dot(*at(x, y), 4, "leaf line")
    legend = bottom + 58
    chart.dot(LEFT + 6, legend - 4, 4, "leaf line")
    chart.text(LEFT + 16, legend, "measured", 11, face="Helvetica")
    chart.line([(LEFT + 100, legend - 4), (LEFT + 124, legend - 4)], "result line", 2.4)
    chart.text(LEFT + 130, legend, "predicted", 11, face="Helvetica")
    chart.line([(LEFT + 220, legend - 4), (LEFT + 244, legend - 4)], "muted", dash="2,3")
    chart.text(LEFT + 250, legend, "error", 11, face="Helvetica")
    lost = sum(not math.isfinite(v) for pair in zip(ys, fit.predicted, strict=True) for v in pair)
    if lost:
        missing = f"{lost} number{'s are' if lost > 1 else ' is'} not finite and not drawn."
        chart.text(LEFT, legend + 20, missing, 11, "stale line", face="Helvetica", bold=True)
    return chart.svg(alt)


def within(line: list[Point], low: float, high: float) -> list[tuple[Point, ...]]:
    """The pieces of a line that lie between two heights; in place of others, no length.

    >>> within([(0, 0), (2, 4), (3, math.inf)], 1, 9)
    [((0.5, 1.0), (2, 4)), ((2, 1), (2, 1))]
    """
    pieces: list[tuple[Point, ...]] = []
    for (x0, y0), (x1, y1) in itertools.pairwise(line):
        if not math.isfinite(y0 + y1) or max(y0, y1) < low or min(y0, y1) > high:
            pieces.append(((x0, low), (x0, low)))
            continue
        ends = []
        for x, y in ((x0, y0), (x1, y1)):
            edge = min(max(y, low), high)
            share = 0.0 if edge == y else (edge - y0) / (y1 - y0)
            ends.append((x, y) if edge == y else (x0 + share * (x1 - x0), float(edge)))
        pieces.append(tuple(ends))
    return pieces
