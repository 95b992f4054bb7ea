"""`draw_boundary`: which class a classifier gives to each place of the plane, with the data."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.drawing.film import sample_positions
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.plot import BANDS, SERIES, axes, key, set_titles, spread, svg_of
from course_lib.viz.drawing.sheet import around
from course_lib.viz.drawing.theme import light
from course_lib.viz.reading import arguments
from course_lib.viz.reading.models import evaluating
from course_lib.viz.reading.values import is_tensor, number

COLUMNS = ("points[:, 0]", "points[:, 1]")
FINE, COARSE = 121, (13, 33)  # places asked per side; rows and columns of the text form
MANY = len(SERIES)  # classes that have a marker of their own
TINTS = [BANDS[k] for k in (0, 5, 2, 6, 4, 7)]  # neighbouring classes far apart


@dataclass(frozen=True)
class Boundary:
    """Points with the class they have and the class they get, and the class of every place.

    `field[row][column]` is the class at `across[column]`, `up[row]`; `axes` and `names` are what
    the two directions and the classes are called.
    """

    points: tuple[tuple[float, float], ...]
    labels: tuple[int, ...]
    given: tuple[int, ...]
    across: tuple[float, ...]
    up: tuple[float, ...]
    field: tuple[tuple[int, ...], ...]
    axes: tuple[str, str] = COLUMNS
    names: tuple[str, ...] = ()

    def classes(self) -> list[int]:
        """All classes that occur."""
        return sorted({*self.labels, *self.given, *(c for row in self.field for c in row)})

    def wrong(self) -> list[int]:
        """Positions of the points that get another class than they have."""
        pairs = zip(self.labels, self.given, strict=True)
        return [k for k, (label, given) in enumerate(pairs) if label != given]

    def name(self, number: int) -> str:
        """What a class is called: by its number where it has no name."""
        return self.names[number] if 0 <= number < len(self.names) else f"class {number}"


def draw_boundary(
    classifier: Callable[[Any], Any], points: Any, labels: Any, *, threshold: float = 0.0,
    limits: Any = None, axes: Any = COLUMNS, classes: Any = (), title: str = "Decision boundary",
) -> Picture:  # fmt: skip
    """The picture of a classifier of points in the plane, with labelled points on it.

    `points` is a tensor of shape (n, 2) and `labels` one of n classes. The classifier is asked
    about tensors of such points and answers with a score for each class (the largest wins), or
    with one score (class 1 above `threshold`, which is 0 for a logit and 0.5 for a probability),
    or with the classes themselves, as integers or bools. A module is asked in its evaluation mode,
    and put back into the mode it was in. `axes` are words for the two directions, and `classes`
    for the classes: `classes[0]` is class 0.

    >>> import course_lib as torch
    >>> points = torch.tensor([[0., 0.], [1., 1.]])
    >>> picture = draw_boundary(lambda p: p[:, 0] - 0.5, points, torch.tensor([0, 1]))
    >>> picture.text.splitlines()[0]
    'Decision boundary: 2 of 2 points get their own class'
    """
    example = "draw_boundary(model, points, labels)"
    arguments.function("draw_boundary", "a classifier that it can call", classifier, example)
    title = str(title)
    axes = arguments.two_words("draw_boundary", axes)
    if not isinstance(classes, (tuple, list)) or not all(isinstance(v, str) for v in classes):
        wants = 'a word for each class, such as ["cat", "dog"]'
        raise TypeError(f"draw_boundary: classes wants {wants}, not {arguments.came(classes)}.")
    boundary = describe_boundary(classifier, points, labels, threshold, limits)
    boundary = replace(boundary, axes=axes, names=tuple(classes))
    right = len(boundary.points) - len(boundary.wrong())
    head = f"{title}: {right} of {len(boundary.points)} points get their own class"
    every = [c for row in boundary.field for c in row]
    parts = [
        f"{boundary.name(c)} fills {round(100 * every.count(c) / len(every))} % of the plane"
        for c in boundary.classes()
    ]
    text, alt = "\n".join([head, *_in_words(boundary)]), f"{head}. {'; '.join(parts)}."
    return Picture(text, alt, make_svg=lambda: svg_of(_plot(boundary, title), alt))


def describe_boundary(
    classifier: Callable[[Any], Any], points: Any, labels: Any, threshold: float = 0.0,
    limits: Any = None,
) -> Boundary:  # fmt: skip
    """The same as plain data: asks the classifier about the points and about a grid."""
    arguments.tensor("draw_boundary", points, "points as a tensor")
    threshold = arguments.number("draw_boundary", "threshold", threshold)
    shape = tuple(points.shape)
    if len(shape) != 2 or shape[1] != 2 or not shape[0]:
        instead = "It holds no numbers." if 0 in shape else "Choose two columns: points[:, :2]."
        raise ValueError(f"draw_boundary wants points of shape (n, 2), not {shape}. {instead}")
    places = [(float(x), float(y)) for x, y in points.detach().tolist()]
    if not all(math.isfinite(v) for place in places for v in place):
        raise ValueError("draw_boundary wants finite points, and some hold nan or inf.")
    known = arguments.column("draw_boundary", "labels", labels)
    if any(label % 1 for label in known):  # nan, too
        raise ValueError("draw_boundary wants labels as whole numbers: the class of each point.")
    if len(known) != len(places):
        raise ValueError(
            f"draw_boundary got {len(places)} points and {len(known)} labels. "
            "Give one label for each point."
        )
    sides = [around(values, 0.15) for values in zip(*places, strict=True)]
    if limits is not None:
        sides = arguments.limits("draw_boundary", limits, 2, "((-1, 1), (-1, 1))")
    (left, right), (low, high) = sides
    across, up = spread(left, right, FINE), spread(low, high, FINE)
    grid = [[x, y] for y in up for x in across]
    with evaluating(classifier):
        given = _classes(classifier(points.detach()), threshold)
        asked = _classes(classifier(points.new_tensor(grid)), threshold)
    field = tuple(tuple(asked[r * FINE : (r + 1) * FINE]) for r in range(FINE))
    return Boundary(tuple(places), tuple(map(int, known)), tuple(given), across, up, field)


# ---- asking ----


def _classes(answer: Any, threshold: float) -> list[int]:
    if not is_tensor(answer):
        raise TypeError(
            f"draw_boundary wants a tensor from the classifier, not {arguments.came(answer)}. "
            "Give back one score for each point, or one for each class."
        )
    arguments.dense("draw_boundary", answer)
    shape = tuple(answer.shape)
    if len(shape) == 2 and shape[1] > 1:
        return [row.index(max(row)) for row in answer.detach().tolist()]
    if len(shape) not in (1, 2):
        raise ValueError(
            f"draw_boundary wants answers of shape (n,) or (n, classes), not {shape}. "
            "Give back one score for each point, or one for each class."
        )
    values = arguments.column("draw_boundary", "answers", answer)
    return [int(v > threshold) if isinstance(v, float) else int(v) for v in values]


# ---- the drawing ----


def _plot(boundary: Boundary, title: str) -> Any:
    ax = axes(440, 370)
    classes = boundary.classes()
    ink = light("ink")
    for k, c in enumerate(classes):  # class by class: between 0 and 2 there is no 1
        inside = [[float(given == c) for given in row] for row in boundary.field]
        if any(map(any, inside)):
            where = (boundary.across, boundary.up, inside)
            ax.contourf(*where, levels=[0.5, 1.5], colors=[TINTS[k % len(TINTS)]])
            if not all(map(all, inside)):
                ax.contour(*where, levels=[0.5], colors=ink, linewidths=1)
    wrong = boundary.wrong()
    for k, c in enumerate(classes):
        members = [i for i, label in enumerate(boundary.labels) if label == c]
        xs, ys = ([boundary.points[i][axis] for i in members] for axis in (0, 1))
        marker, role = SERIES[k % MANY]
        ax.plot(
            xs, ys, marker, color=light(role), markersize=5.5, markeredgecolor=light("paper"),
            markeredgewidth=0.6, label=boundary.name(c),
        )  # fmt: skip
    if wrong:
        xs, ys = ([boundary.points[i][axis] for i in wrong] for axis in (0, 1))
        ax.plot(
            xs, ys, "o", markersize=11, markerfacecolor="none", markeredgecolor=ink,
            markeredgewidth=1.5, label="wrong: gets another class",
        )  # fmt: skip
    set_titles(ax, title, *boundary.axes)
    key(ax)
    return ax


# ---- words ----


def _in_words(boundary: Boundary) -> list[str]:
    lines, wrong = [], boundary.wrong()
    for c in boundary.classes():
        members = [k for k, label in enumerate(boundary.labels) if label == c]
        missed = sum(k in wrong for k in members)
        many = "1 point" if len(members) == 1 else f"{len(members)} points"
        lines.append(f"{boundary.name(c)}: {many}, {missed} of them wrong")
    for k in wrong[:10]:
        place = ", ".join(map(number, boundary.points[k]))
        pair = boundary.labels[k], boundary.given[k]
        is_, gets = (boundary.name(c).removeprefix("class ") for c in pair)
        lines.append(f"wrong: ({place}) is {is_}, gets {gets}")
    if len(wrong) > 10:
        lines.append(f"... and {len(wrong) - 10} more wrong points")
    sides = [f"{number(line[0])} to {number(line[-1])}" for line in (boundary.across, boundary.up)]
    right, up = boundary.axes
    lines += ["", f"{up} goes up from {sides[1]}, {right} to the right from {sides[0]}"]
    letters = {c: str(k) if k < 10 else "+" for k, c in enumerate(boundary.classes())}
    rows, columns = (sample_positions(range(FINE), most) for most in COARSE)
    for r in reversed(rows):
        lines.append("".join(letters[boundary.field[r][c]] for c in columns))
    if boundary.names or list(letters) != list(range(len(letters))):
        lines.append(", ".join(f"{letter} is {boundary.name(c)}" for c, letter in letters.items()))
    return lines
