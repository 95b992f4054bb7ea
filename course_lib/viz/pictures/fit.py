"""`draw_fit`: measured points, what a model predicts for them, and how far it is off."""

from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing import plot
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.plot import SERIES, key, svg_of, titled
from course_lib.viz.drawing.theme import light
from course_lib.viz.reading import wanted
from course_lib.viz.reading.values import is_tensor, number

ROWS = 12  # points told in words
AXES = '("length", "depth")'  # an example of axes


@dataclass(frozen=True)
class Fit:
    """Points from left to right, and the number predicted for each."""

    points: tuple[tuple[float, float], ...]
    predicted: tuple[float, ...]

    def error(self) -> float:
        """The mean of the squared distances."""
        pairs = zip(self.points, self.predicted, strict=True)
        return sum((y - p) ** 2 for (_, y), p in pairs) / len(self.points)


def draw_fit(
    x: Any, y: Any, predicted: Any, *, axes: Any = ("x", "y"), limits: Any = None,
    title: str = "Fit",
) -> Picture:  # fmt: skip
    """Points at `x` and `y`, a line through what is `predicted` for each `x`, and the distances.

    Each of the three is a tensor or a list of n numbers; a tensor of shape (n, 1) will do. `axes`
    are words for the two directions, `limits` the lowest and the highest number going up, which
    keeps several pictures alike. Raises `TypeError` or `ValueError` for other things.

    >>> draw_fit([1.0, 2.0], [3.0, 5.0], [3.0, 4.0])
    Fit: 2 points, mean squared error 0.5
    x   y   predicted
    1.  3.  3.
    2.  5.  4.
    """
    fit = describe_fit(x, y, predicted)
    across, up = _words(axes)
    span = limits if limits is None else wanted.pair("draw_fit", "limits", limits, "(0, 20)")
    head = f"{title}: {len(fit.points)} points, mean squared error {number(fit.error())}"
    text = "\n".join([head, *_table(fit, across, up)])
    alt = f"{head}. Going up is {up}, to the right {across}."
    return Picture(text, alt, make_svg=lambda: svg_of(_plot(fit, (across, up), span, title), alt))


def describe_fit(x: Any, y: Any, predicted: Any) -> Fit:
    """The same as plain data."""
    given = {
        "x": _column("x", x),
        "y": _column("y", y),
        "predicted": _column("predicted", predicted),
    }
    counts = {name: len(column) for name, column in given.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{count} of {name}" for name, count in counts.items())
        raise ValueError(f"draw_fit wants as many numbers in each, not {told}.")
    rows = sorted(zip(*given.values(), strict=True), key=lambda row: row[0])
    return Fit(tuple((row[0], row[1]) for row in rows), tuple(row[2] for row in rows))


def _column(what: str, given: Any) -> list[float]:
    values = given.detach().tolist() if is_tensor(given) else given
    if isinstance(values, (list, tuple)):
        column = [v[0] if isinstance(v, list) and len(v) == 1 else v for v in values]
        if column and all(isinstance(v, (int, float)) for v in column):
            return [float(v) for v in column]
    shape = f" of shape {tuple(given.shape)}" if is_tensor(given) else ""
    raise TypeError(
        f"draw_fit wants {what} as a tensor or a list of numbers, one for each point, "
        f"not {wanted.came(given)}{shape}."
    )


def _words(given: Any) -> tuple[str, str]:
    if (
        isinstance(given, (tuple, list))
        and len(given) == 2
        and all(isinstance(v, str) for v in given)
    ):
        return given[0], given[1]
    raise TypeError(f"draw_fit: axes wants two words such as {AXES}, not {wanted.came(given)}.")


def _table(fit: Fit, across: str, up: str) -> list[str]:
    rows = [(across, up, "predicted")]
    for (x, y), p in list(zip(fit.points, fit.predicted, strict=True))[:ROWS]:
        rows.append((number(x), number(y), number(p)))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{word:<{w}}" for word, w in zip(row, wide, strict=True)) for row in rows]
    more = len(fit.points) - ROWS
    return [line.rstrip() for line in lines] + ([f"... and {more} more points"] if more > 0 else [])


def _plot(fit: Fit, words: tuple[str, str], span: tuple[float, float] | None, title: str) -> Any:
    ax = plot.axes(440, 320)
    xs, ys = zip(*fit.points, strict=True)
    (dot, dots), (_, line) = SERIES[0], SERIES[1]
    for x, y, p in zip(xs, ys, fit.predicted, strict=True):
        ax.plot([x, x], [y, p], color=light("muted"), linewidth=1, linestyle=":")
    ax.plot(xs, fit.predicted, color=light(line), linewidth=2, label="predicted")
    ax.plot(
        xs, ys, dot, color=light(dots), markersize=6, markeredgecolor=light("paper"),
        markeredgewidth=0.6, label="measured",
    )  # fmt: skip
    if span:
        ax.set_ylim(*span)
    titled(ax, title, *words)
    key(ax)
    return ax
