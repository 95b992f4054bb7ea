"""`draw_errors`: how wrong a numerical gradient is for each step size, the V of gradient checks."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.plot import SERIES, axes, key, svg_of, titled
from course_lib.viz.drawing.theme import light
from course_lib.viz.reading import arguments
from course_lib.viz.reading.values import number

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
    said = ". ".join(_sentences(curves)).removesuffix(".")
    alt = f"{title} against the step size. {said}."
    return Picture(
        _in_words(curves, title), alt, make_svg=lambda: svg_of(_plot(curves, title), alt)
    )


def describe_errors(errors: Mapping[Any, Any]) -> tuple[Curve, ...]:
    """The same as plain data."""
    if not isinstance(errors, Mapping) or not errors:
        came = "an empty dict" if isinstance(errors, Mapping) else arguments.came(errors)
        raise TypeError(f"draw_errors wants a dict such as {EXAMPLE}, not {came}.")
    curves = []
    for name, points in errors.items():
        if not isinstance(points, (Mapping, list, tuple)):
            raise TypeError(
                f"draw_errors wants a dict such as {EXAMPLE}, not {points!r} for {name}."
            )
        pairs = [*(points.items() if isinstance(points, Mapping) else points)]
        if any(not isinstance(one, (tuple, list)) or len(one) != 2 for one in pairs):
            raise TypeError(f"draw_errors wants pairs (eps, error) for {name}, not {points!r}.")
        measured = tuple(sorted((_number("eps", e), abs(_number("error", d))) for e, d in pairs))
        if not measured or measured[0][0] <= 0:
            raise ValueError(
                f"draw_errors wants step sizes above 0 for {name}, since the scale is logarithmic. "
                "Leave out the others."
            )
        curves.append(Curve(str(name).rpartition(".")[2], measured))
    return tuple(curves)


def _number(what: str, value: Any) -> float:
    return arguments.number("draw_errors", f"each {what}", value)


def _plot(curves: tuple[Curve, ...], title: str) -> Any:
    ax = axes(440, 340)
    ax.set_xscale("log")
    ax.set_yscale("log")
    drawable = [e for curve in curves for _, e in curve.points if 0 < e < math.inf]
    floor = min(drawable, default=1.0) / 10
    for k, curve in enumerate(curves):
        marker, role = SERIES[k % len(SERIES)]
        points = [(eps, e or floor) for eps, e in curve.points]
        ax.plot(
            *zip(*points, strict=True), marker=marker, markersize=5, linewidth=1.5,
            color=light(role), label=curve.name, linestyle=("-", "--", ":", "-.")[k % 4],
        )  # fmt: skip
        eps, error = curve.best()
        ax.plot(
            [eps], [error or floor], marker="o", markersize=12, markerfacecolor="none",
            markeredgecolor=light("ink"), markeredgewidth=1.4, linestyle="none",
            label="" if k else "smallest error",
        )  # fmt: skip
    ax.grid(color=light("function"), linewidth=0.8)
    ax.set_axisbelow(True)
    titled(ax, title, "step size eps", "error")
    zeros = any(error == 0 for curve in curves for _, error in curve.points)
    key(ax, "an error of 0 is drawn at the lower edge" if zeros else "")
    return ax


def _in_words(curves: tuple[Curve, ...], title: str) -> str:
    every = sorted({eps for curve in curves for eps, _ in curve.points}, reverse=True)
    table = [["eps", *(curve.name for curve in curves)]]
    for eps in every:
        cells = [dict(curve.points).get(eps) for curve in curves]
        table.append([number(eps), *("" if e is None else number(e) for e in cells)])
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True)).rstrip()
        for row in table
    ]
    return "\n".join([title, *lines, *_sentences(curves)])


def _sentences(curves: tuple[Curve, ...]) -> list[str]:
    said = []
    for curve in curves:
        eps, error = curve.best()
        said.append(f"{curve.name}: smallest error {number(error)} at eps {number(eps)}")
    if all(c.points[0][0] < c.best()[0] < c.points[-1][0] for c in curves):
        said.append(
            "Left of its lowest point rounding decides, right of it the length of the step."
        )
    return said
