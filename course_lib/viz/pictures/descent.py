"""`draw_descent`: the way of a search for small losses, on the loss itself."""

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.film import Film, Scene, sample_positions
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.plot import BANDS, axes, key, sentences, set_titles, spread, svg_of
from course_lib.viz.drawing.text import table
from course_lib.viz.drawing.theme import light
from course_lib.viz.reading import arguments
from course_lib.viz.reading.values import is_tensor, number

FINE, COARSE = 41, (13, 33)  # points of the surface per side; rows and columns of its text form
ROWS = 24  # steps that the words tell
SCENES = 60  # steps of the film
PAIR = (tuple, list)


@dataclass(frozen=True)
class Descent:
    """The points of a path with their losses, and the loss on a grid around them.

    `across` and `up` are the places of the columns and of the rows; `surface[row][column]` is the
    loss there. With one parameter there is one row, and `up` is empty.
    """

    names: tuple[str, ...]
    path: tuple[tuple[float, ...], ...]
    losses: tuple[float, ...]
    across: tuple[float, ...]
    up: tuple[float, ...]
    surface: tuple[tuple[float, ...], ...]

    def at(self, k: int) -> str:
        """A point in words."""
        pairs = zip(self.names, self.path[k], strict=True)
        return " and ".join(f"{name} = {number(value)}" for name, value in pairs)

    def outside(self, k: int) -> str:
        """What is added to words about a point that the picture does not show."""
        sides = zip((self.across, self.up), self.path[k], strict=False)
        return "" if all(s[0] <= v <= s[-1] for s, v in sides) else " (not shown)"

    def levels(self) -> list[float]:
        """Losses where one band of the picture ends and the next begins: as many points of the
        surface lie in each, so that a steep rim does not swallow the valley."""
        known = sorted(v for row in self.surface for v in row if math.isfinite(v))
        parts = len(BANDS)
        bounds = [known[k * (len(known) - 1) // parts] for k in range(1, parts)] if known else []
        return sorted({float(f"{bound:.2g}") for bound in bounds})


def draw_descent(
    loss: Callable[..., Any], path: Iterable[Any], *, limits: Any = None, title: str = "Descent",
) -> Picture:  # fmt: skip
    """The picture of a path over the surface of a loss with one or two parameters.

    `path` holds the parameters after each step: pairs `(w, b)`, for which `loss(w, b)` is asked, or
    tensors of two elements, for which `loss(tensor)` is asked, or single numbers. Tensors are asked
    about with tensors of their own dtype, numbers with numbers. `limits` is what is drawn,
    `((left, right), (low, high))`; by default it is the path with some room around it.

    >>> picture = draw_descent(lambda w: (w - 1) ** 2, [3.0, 2.0, 1.5])
    >>> print("\\n".join(picture.text.splitlines()[:5]))
    Descent: 2 steps, the loss goes from 4. to 0.25
    step   w loss
       0  3.   4.
       1  2.   1.
       2 1.5 0.25
    """
    example = "draw_descent(lambda w: (w - 1) ** 2, [3.0, 2.0])"
    arguments.function("draw_descent", "the loss as a function", loss, example)
    if not isinstance(path, Iterable) or isinstance(path, (str, Mapping)):
        raise TypeError(
            f"draw_descent wants the path as a list of points, not {arguments.came(path)}. "
            f"For example: {example}."
        )
    arguments.dense("draw_descent", path)
    title = str(title)
    descent = describe_descent(loss, path, limits)
    steps, said = len(descent.path) - 1, [*map(number, descent.losses)]
    way = f"the loss goes from {said[0]} to {said[-1]}"
    head = f"{title}: {steps} step{'s' * (steps != 1)}, {way}"
    kind = "Contour lines of the loss" if descent.up else "The curve of the loss"
    ends = [descent.at(k) + descent.outside(k) for k in (0, -1)]
    alt = sentences(head, f"{kind} with the path from {ends[0]} to {ends[1]}")
    scenes = [
        Scene(f"Step {k}", (f"{descent.at(k)}: the loss is {said[k]}",))
        for k in sample_positions(descent.path, SCENES)
    ]
    text = "\n".join([head, *_table(descent), "", *_map(descent)])
    return Film(text, alt, scenes, lambda: svg_of(_plot(descent, title), alt))


def describe_descent(loss: Callable[..., Any], path: Iterable[Any], limits: Any = None) -> Descent:
    """The same as plain data: asks `loss` about the path and about a grid."""
    points = list(path)
    if not points:
        raise ValueError("draw_descent wants a path of at least one point, and it is empty.")
    places = [_coordinates(point) for point in points]
    count = len(places[0])
    if count not in (1, 2) or any(len(place) != count for place in places):
        raise ValueError(
            "draw_descent wants points of one or of two parameters, all alike, "
            f"not of {', '.join(map(str, sorted(set(map(len, places)))))}. "
            "Choose which two of the parameters to draw."
        )
    names = _names(loss, _like(points[0], places[0]), count)

    def height(place: tuple[float, ...]) -> float:
        return arguments.number("draw_descent", "the loss", loss(*_like(points[0], place)))

    sides = _limits(places, count, limits)
    across = spread(*sides[0], FINE)
    up = spread(*sides[1], FINE) if count == 2 else ()
    rows: list[tuple[float, ...]] = [(y,) for y in up] or [()]
    return Descent(
        names, tuple(places), tuple(map(height, places)), across, up,
        tuple(tuple(height((x, *row)) for x in across) for row in rows),
    )  # fmt: skip


# ---- numbers and tensors ----


def _coordinates(point: Any) -> tuple[float, ...]:
    """The parameters at a point, as numbers."""
    arguments.dense("draw_descent", point)
    plain = point.detach().reshape(-1).tolist() if is_tensor(point) else point
    values = plain if isinstance(plain, PAIR) else [plain]
    return tuple(arguments.number("draw_descent", "each parameter", value) for value in values)


def _like(point: Any, place: tuple[float, ...]) -> list[Any]:
    """Arguments for the loss at a place, of the kind that `point` is made of."""
    if is_tensor(point) and point.dim():
        return [point.new_tensor(list(place))]
    parts = zip(point if isinstance(point, PAIR) else [point], place, strict=True)
    return [like.new_tensor(x) if is_tensor(like) else x for like, x in parts]


def _names(loss: Callable[..., Any], place: list[Any], count: int) -> tuple[str, ...]:
    """The parameters as the loss calls them, if it takes those of a point; a builtin that does not
    tell is believed."""
    try:
        signature = inspect.signature(loss)
    except (TypeError, ValueError):
        return tuple(f"parameter[{i}]" for i in range(count))
    try:
        signature.bind(*place)
    except TypeError:
        told = f"{len(place)} parameter{'s' * (len(place) > 1)}"
        raise TypeError(
            f"draw_descent wants a loss that takes what a point has, {told}, and its signature is "
            f"{signature}. Write lambda w, b: ... for points (w, b)."
        ) from None
    names = tuple(signature.parameters)
    return names[:count] if names[count - 1 :] else tuple(f"{names[0]}[{i}]" for i in range(count))


def _limits(places: list[tuple[float, ...]], count: int, limits: Any) -> list[tuple[float, float]]:
    if limits is not None:
        example = "((-3, 3), (0, 5))" if count == 2 else "(-3, 3)"
        return arguments.limits("draw_descent", limits, count, example)
    found = []
    for values in zip(*places, strict=True):
        known = [v for v in values if math.isfinite(v)] or [0.0]
        low, high = min(known), max(known)
        room = 0.3 * (high - low) or max(abs(low), 1.0)
        found.append((low - room, high + room))
    return found


# ---- the drawing ----


def _plot(descent: Descent, title: str) -> Any:
    ax = axes(440, 350)
    ink, paper = light("ink"), light("paper")
    xs = [place[0] for place in descent.path]
    if descent.up:
        _surface(ax, descent)
        ys = [place[1] for place in descent.path]
        set_titles(ax, title, descent.names[0], descent.names[1])
        ax.set_ylim(descent.up[0], descent.up[-1])
    else:
        ax.plot(descent.across, descent.surface[0], color=light("leaf line"), linewidth=1.6)
        ys = list(descent.losses)
        set_titles(ax, title, descent.names[0], "loss")
    ax.set_xlim(descent.across[0], descent.across[-1])
    shown = sample_positions(xs, SCENES)
    for step, (k, following) in enumerate(zip(shown, shown[1:], strict=False), start=1):
        ax.plot(
            xs[k : following + 1], ys[k : following + 1], gid=f"from-{step}",
            color=ink, linewidth=1.3, marker="o", markersize=3.6,
        )  # fmt: skip
    for k, word, marker in ((0, "start", "s"), (len(xs) - 1, "end", "D")):
        ax.plot(
            [xs[k]], [ys[k]], marker=marker, markersize=7, color=paper, markeredgecolor=ink,
            markeredgewidth=1.6, linestyle="none", gid=f"from-{len(shown) - 1 if k else 0}",
            label=f"{word}{descent.outside(k)}: loss {number(descent.losses[k])}",
        )  # fmt: skip
    key(ax, "numbers on lines: the loss there" if descent.up else "")
    return ax


def _surface(ax: Any, descent: Descent) -> None:
    levels = descent.levels()
    if not levels:
        return
    import numpy

    where = descent.across, descent.up, numpy.ma.masked_invalid(numpy.array(descent.surface))
    ax.contourf(*where, levels=levels, colors=BANDS[: len(levels) + 1], extend="both")
    lines = ax.contour(*where, levels=levels, colors=light("muted"), linewidths=0.6)
    ax.clabel(lines, fontsize=11, colors=light("ink"), fmt=number)


# ---- words ----


def _table(descent: Descent) -> list[str]:
    """The steps, or an even choice of many."""
    kept = sample_positions(descent.path, ROWS)
    rows = [["step", *descent.names, "loss"]]
    rows += [[str(k), *map(number, descent.path[k]), number(descent.losses[k])] for k in kept]
    more = [f"{len(kept)} of {len(descent.path):,} points are told."]
    return table(rows, " ") + more * (len(kept) < len(descent.path))


def _map(descent: Descent) -> list[str]:
    """The surface in letters, low to high in digits, and the path on it."""
    levels = descent.levels()
    if not descent.up:
        told = sample_positions(descent.across, 9)
        row = ", ".join(
            f"{number(descent.surface[0][k])} at {number(descent.across[k])}" for k in told
        )
        return [f"The curve: {row}"]
    rows, columns = COARSE
    field = [
        [_digit(descent.surface[r][c], levels) for c in sample_positions(descent.across, columns)]
        for r in sample_positions(descent.up, rows)
    ]
    marks = {**dict.fromkeys(range(1, len(descent.path) - 1), "*"), 0: "S"}
    for k in [*sorted(marks, reverse=True), len(descent.path) - 1]:
        if not descent.outside(k):
            sides = zip(descent.path[k], (descent.across, descent.up), reversed(COARSE))
            at = [round((v - s[0]) / ((s[-1] - s[0]) or 1.0) * (size - 1)) for v, s, size in sides]
            field[at[1]][at[0]] = marks.get(k, "E")
    bounds = ", ".join(f"{k} below {number(v)}" for k, v in enumerate(levels))
    return [
        f"{descent.names[1]} goes up from {number(descent.up[0])} to {number(descent.up[-1])}, "
        f"{descent.names[0]} to the right from {number(descent.across[0])} to "
        f"{number(descent.across[-1])}",
        *("".join(row) for row in reversed(field)),
        f"loss: {bounds}, {len(levels)} above; S start{descent.outside(0)}, * path, "
        f"E end{descent.outside(-1)}",
    ]


def _digit(value: float, levels: list[float]) -> str:
    return str(sum(value >= level for level in levels)) if math.isfinite(value) else " "
