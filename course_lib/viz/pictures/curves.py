"""`live_curve`: a loss curve that grows while the loop runs; `draw_errors`: errors by step size.

Of a live curve, a notebook shows nothing for the first moments; then a drawing that is replaced a
few times a second; at the end that place is emptied and the finished picture is shown once. So a
stored notebook holds one picture, however fast the machine was, and nbval, which knows nothing of
replacements, sees the same: an empty place and one picture.
"""

import math
import reprlib
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from course_lib.viz.drawing.alive import in_a_notebook
from course_lib.viz.drawing.film import sample_positions
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.plot import axes, key, put_curve, ruled, sentences, set_titles, svg_of
from course_lib.viz.drawing.text import count, table
from course_lib.viz.drawing.theme import light
from course_lib.viz.reading import arguments
from course_lib.viz.reading.values import number

PAUSE, LONGEST = 0.4, 2.0  # seconds between two drawings
BUCKETS = 200  # a longer curve is drawn by the lowest and the highest value of each bucket
BARS, WIDE = "▁▂▃▄▅▆▇█", 40  # the curve in letters


@dataclass(frozen=True)
class Line:
    """One curve: its name and all its values, step by step."""

    name: str
    values: tuple[float, ...]


class LiveCurve:
    """What `live_curve` gives back: call `update` in the loop."""

    def __init__(self, title: str, log: bool) -> None:
        self.title, self.log = title, log
        self._values: dict[str, list[float]] = {}
        self._place: Any = None  # in a notebook: that of the drawing, once there is one
        self._next = time.monotonic() + PAUSE

    def update(self, loss: Any = None, /, **more: Any) -> None:
        """Adds one step: `update(loss)`, `update(train=a, test=b)`; tensors are read, not kept."""
        given = more if loss is None else {"loss": loss, **more}
        if not given:
            raise TypeError("update wants a loss, or several by name: update(train=a, test=b).")
        for name, value in given.items():
            now = arguments.number("update", name, value)
            self._values.setdefault(name, []).append(now)
        if time.monotonic() >= self._next:
            started = time.monotonic()
            self._show()
            # A slow screen must not eat the time of the training; but the first drawing loads
            # matplotlib, and is no measure.
            took = time.monotonic() - started
            self._next = time.monotonic() + max(PAUSE, min(10 * took, LONGEST))

    @property
    def lines(self) -> tuple[Line, ...]:
        """The curves so far, as plain data."""
        return tuple(Line(name, tuple(values)) for name, values in self._values.items())

    @property
    def picture(self) -> Picture:
        """The picture of what there is so far."""
        lines, title, log = self.lines, self.title, self.log
        words = [words for line in lines for words in (_describe(line), _bars(line))]
        text = "\n".join([title, *(words or ["no step yet"])])
        alt = sentences(title, *(map(_describe, lines) if lines else ["No step yet"]))
        return Picture(text, alt, make_svg=lambda: svg_of(_plot(lines, title, log), alt))

    def __enter__(self) -> "LiveCurve":
        return self

    def __exit__(self, *error: object) -> None:
        if in_a_notebook():
            from IPython.display import display

            if self._place is not None:
                self._place.update({}, raw=True)
            display(self.picture)
            return
        if sys.stdout.isatty():
            print("\r" + " " * 78, end="\r")
        print(self.picture)

    def _show(self) -> None:
        """What there is so far, in the place of what was shown before; output that cannot be taken
        back shows only the end."""
        if in_a_notebook():
            from IPython.display import display

            self._place = self._place or display({}, raw=True, display_id=True)
            self._place.update(self.picture)
        elif sys.stdout.isatty():
            bars = (f"{line.name} {_bars(line)} {number(line.values[-1])}" for line in self.lines)
            print(f"\r{'  '.join(bars)[:78]:78}", end="", flush=True)


def live_curve(title: str = "Training", *, log: bool = False) -> LiveCurve:
    """A curve to be fed in a training loop; `log=True` for a logarithmic scale.

        with live_curve() as curve:
            for _ in range(100):
                ...
                curve.update(loss)

    A notebook shows it growing and keeps the last picture; a terminal shows a line of bars.

    >>> with live_curve("Three steps") as curve:
    ...     for loss in (4.0, 2.0, 1.0):
    ...         curve.update(loss)
    Three steps
    loss: 3 steps, first 4., lowest 1. at step 3, last 1.
    █▃▁
    """
    return LiveCurve(str(title), bool(log))


# ---- the drawing ----


def _thin(values: tuple[float, ...]) -> list[tuple[int, float]]:
    """`(step, value)` of what is drawn: of a long curve, the extremes of each bucket."""
    steps = list(enumerate(values, start=1))
    if len(steps) <= 2 * BUCKETS:
        return steps
    kept = {steps[0], steps[-1]}
    for b in range(BUCKETS):
        bucket = steps[b * len(steps) // BUCKETS : (b + 1) * len(steps) // BUCKETS]
        known = [step for step in bucket if math.isfinite(step[1])] or bucket
        kept |= {min(known, key=lambda step: step[1]), max(known, key=lambda step: step[1])}
    return sorted(kept, key=lambda step: step[0])


def _plot(lines: tuple[Line, ...], title: str, log: bool) -> Any:
    ax = axes(440, 300)
    if log:
        ax.set_yscale("log")
    for k, line in enumerate(lines):
        steps = _thin(line.values)
        look = {"linewidth": 1.6, "markersize": 4.5, "markevery": sample_positions(steps, 8)}
        put_curve(ax, k, steps, label=line.name, **look)
    bad = sorted(
        {k for line in lines for k, v in enumerate(line.values, 1) if not math.isfinite(v)}
    )
    if bad:  # a curve that ends is not at its end: the steps without a number are marked
        ax.plot(
            bad, [0.02] * len(bad), "x", color=light("stale line"), label="no finite number",
            transform=ax.get_xaxis_transform(), clip_on=False,
        )  # fmt: skip
    ruled(ax)
    ax.xaxis.get_major_locator().set_params(integer=True)  # there is no step 2.5
    set_titles(ax, title, "step", lines[0].name if len(lines) == 1 else "")
    if len(lines) > 1 or bad:
        key(ax)
    return ax


# ---- words ----


def _bars(line: Line) -> str:
    """The curve in one line of letters, `x` where a value is no finite number."""
    kept = [line.values[k] for k in sample_positions(line.values, WIDE)]
    known = [value for value in kept if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    width = (high - low) or 1.0
    return "".join(
        BARS[round((value - low) / width * (len(BARS) - 1))] if math.isfinite(value) else "x"
        for value in kept
    )


def _describe(line: Line) -> str:
    values = line.values
    known = [(value, k) for k, value in enumerate(values, start=1) if math.isfinite(value)]
    told = f"{line.name}: {count(len(values), 'step')}, first {number(values[0])}"
    if known:
        lowest, step = min(known)
        told += f", lowest {number(lowest)} at step {step:,}"
    told += f", last {number(values[-1])}"
    if len(known) < len(values):
        bad = next(k for k, value in enumerate(values, start=1) if not math.isfinite(value))
        told += f"; {number(values[bad - 1])} first at step {bad:,}"
    return told


# ---- errors by step size ----

EXAMPLE = "{'float32': {0.1: 1e-3, 0.01: 1e-4}}"


@dataclass(frozen=True)
class Curve:
    """One line: its name, and `(eps, error)` by growing eps."""

    name: str
    points: tuple[tuple[float, float], ...]

    def best(self) -> tuple[float, float]:
        """The point with the smallest error (of equal ones, that with the largest eps)."""
        known = [point for point in self.points if not math.isnan(point[1])]
        return min(known or self.points, key=lambda point: (point[1], -point[0]))


def draw_errors(
    errors: Mapping[Any, Any], *, title: str = "Error of the numerical gradient"
) -> Picture:
    """The picture of errors against step sizes, both on logarithmic scales, a line per name.

    `errors` maps a name or a dtype to `{eps: error}`, or to pairs `(eps, error)`.

    >>> errors = {"float32": {0.1: 1e-3, 0.01: 1e-4, 0.001: 2e-3}}
    >>> print(draw_errors(errors))
    Error of the numerical gradient
      eps  float32
      0.1    0.001
     0.01   0.0001
    0.001    0.002
    float32: smallest error 0.0001 at eps 0.01
    Left of its lowest point rounding decides, right of it the length of the step.
    """
    title = str(title)
    curves = describe_errors(errors)
    said = _lowest(curves)
    every = sorted({eps for curve in curves for eps, _ in curve.points}, reverse=True)
    rows = [["eps", *(curve.name for curve in curves)]]
    for eps in every:
        cells = [dict(curve.points).get(eps) for curve in curves]
        rows.append([number(eps), *("" if e is None else number(e) for e in cells)])
    text = "\n".join([title, *table(rows, "  "), *said])
    alt = f"{title} against the step size. {'. '.join(said).removesuffix('.')}."
    return Picture(text, alt, make_svg=lambda: svg_of(_error_plot(curves, title), alt))


def describe_errors(errors: Mapping[Any, Any]) -> tuple[Curve, ...]:
    """The same as plain data."""
    if not isinstance(errors, Mapping) or not errors:
        came = "an empty dict" if isinstance(errors, Mapping) else arguments.came(errors)
        raise TypeError(f"draw_errors wants a dict such as {EXAMPLE}, not {came}.")
    curves, read = [], partial(arguments.number, "draw_errors")
    for name, points in errors.items():
        listed = points.items() if isinstance(points, Mapping) else points
        pairs = [*listed] if isinstance(points, (Mapping, list, tuple)) else []
        if not pairs or any(not isinstance(p, (tuple, list)) or len(p) != 2 for p in pairs):
            wants = f"{{eps: error}}, or pairs (eps, error), for {name}"
            raise TypeError(f"draw_errors wants {wants}, not {reprlib.repr(points)}.")
        measured = [(read("each eps", e), abs(read("each error", d))) for e, d in pairs]
        if not all(eps > 0 for eps, _ in measured):
            raise ValueError(
                f"draw_errors wants step sizes above 0 for {name}, since the scale is logarithmic. "
                "Leave out the others."
            )
        curves.append(Curve(str(name).rpartition(".")[2], tuple(sorted(measured))))
    return tuple(curves)


def _error_plot(curves: tuple[Curve, ...], title: str) -> Any:
    ax = axes(440, 340)
    ax.set_xscale("log")
    ax.set_yscale("log")
    drawable = [e for curve in curves for _, e in curve.points if 0 < e < math.inf]
    floor = min(drawable, default=1.0) / 10
    for k, one in enumerate(curves):
        points = [(eps, e or floor) for eps, e in one.points]
        put_curve(ax, k, points, label=one.name, linewidth=1.5, markersize=5)
        eps, error = one.best()
        ax.plot(
            [eps], [error or floor], marker="o", markersize=12, markerfacecolor="none",
            markeredgecolor=light("ink"), markeredgewidth=1.4, linestyle="none",
            label="" if k else "smallest error",
        )  # fmt: skip
    ruled(ax)
    set_titles(ax, title, "step size eps", "error")
    zeros = any(error == 0 for curve in curves for _, error in curve.points)
    key(ax, "an error of 0 is drawn at the lower edge" if zeros else "")
    return ax


def _lowest(curves: tuple[Curve, ...]) -> list[str]:
    said = []
    for curve in curves:
        eps, error = curve.best()
        said.append(f"{curve.name}: smallest error {number(error)} at eps {number(eps)}")
    if all(c.points[0][0] < c.best()[0] < c.points[-1][0] for c in curves):
        said.append(
            "Left of its lowest point rounding decides, right of it the length of the step."
        )
    return said
