"""`Film`: one drawing with steps, and the words of each step.

The drawing holds everything that is to be seen in any step. What belongs to some steps only is
marked with the first and the last of them (`data-from`, `data-to`, counted from 0), and hidden
unless the last step shows it; an attribute that changes is marked with its values (`data-changes`).
So without a script the image shows the end of the film; with one (`alive.js`) it has a slider.
"""

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

from course_lib.viz.drawing.alive import figure
from course_lib.viz.drawing.diagram import Diagram
from course_lib.viz.drawing.picture import Picture, format_pre, image, picture_of
from course_lib.viz.drawing.svg import dress_svg, undress_svg


@dataclass(frozen=True)
class Scene:
    """One step of a film in words: its title, and the sentences that go with it."""

    title: str
    words: tuple[str, ...] = ()


class Film(Picture):
    """A picture that has steps: a slider in a notebook, its last step in a file.

    `make_film` makes the drawing with its marked steps.

    >>> film = Film("one, two", "a film", [Scene("one"), Scene("two")], lambda: "<svg/>")
    >>> [scene.title for scene in film.scenes]
    ['one', 'two']
    """

    def __init__(
        self, text: str, alt: str, scenes: list[Scene], make_film: Callable[[], str],
        frames: Sequence[Diagram] = (),
    ) -> None:  # fmt: skip
        self.scenes, self._make_film = tuple(scenes), make_film
        self.frames = tuple(frames)  # one per step, where Graphviz draws them
        end = frames[-1] if frames else None
        super().__init__(text, alt, make_svg=lambda: last_step(self.film), diagram=end)

    @functools.cached_property
    def film(self) -> str:
        """The drawing with all its steps, as a living picture wants it."""
        return self._make_film()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook stores: words, and HTML that holds the drawing. Once is enough."""
        return super()._repr_mimebundle_(include, {"image/svg+xml", *(exclude or ())})

    def _html(self) -> str:
        if not self.scenes:
            return super()._html()
        steps = "".join(
            f"<li><b>{escape(scene.title)}</b>"
            + "".join(f"<br>{escape(line)}" for line in scene.words)
            + "</li>"
            for scene in self.scenes
        )
        told = f"<details><summary>Steps in words</summary><ol>{steps}</ol></details>"
        words = f"<details><summary>In words</summary>{format_pre(self.text)}</details>"
        pace = 250 if len(self.scenes) > 20 else 1600  # many steps are seen as a motion
        return figure(image(self.film, self.alt), told + words, alive=True, pace=pace)


def during(shape: str, first: int, last: int, end: int) -> str:
    """A shape that is to be seen from one step to another, in a film whose last step is `end`."""
    marks = f' data-from="{first}"'
    marks += f' data-to="{last}" display="none"' if last < end else ""
    return re.sub(r"^<\w+", lambda tag: tag[0] + marks, shape, count=1)


def last_step(film: str) -> str:
    """The drawing of the last step alone.

    >>> last_step('<a data-from="0" data-to="0" display="none"/><b data-from="1"/>')
    '<b/>'
    """
    film = re.sub(r'<(\w+)[^>]* display="none"[^>]*?(/>|>[^<]*</\1>)', "", film)
    return re.sub(r' data-(from|changes)="[^"]*"', "", film)


# ---- a film made of stills ----


def film_from(stills: list[str], alt: str) -> str:
    """One drawing made of one still per step; all have the same elements, some look different.

    An attribute that changes is written down with the steps in which it gets each value, and of
    words that change there is one version beside the other.
    """
    pieces = (re.findall(r"<[^>]*>|[^<]+", undress_svg(still)) for still in stills)
    return dress_svg("".join(map(_merge_versions, zip(*pieces, strict=True))), alt)


def _merge_versions(versions: tuple[str, ...]) -> str:
    """One piece of a film: a tag as it is in the end, and what its attributes were before; or the
    words between tags, one version beside the other."""
    if len(set(versions)) == 1:
        return versions[0]
    if versions[0][0] != "<":
        runs, end = _runs(versions), len(versions) - 1
        return "".join(during(f"<tspan>{words}</tspan>", a, b, end) for words, a, b in runs)
    known = [dict(re.findall(r' ([\w:-]+)="([^"]*)"', tag)) for tag in versions]
    names = dict.fromkeys(name for attributes in known for name in attributes)
    changes = []
    for name in names:
        runs = _runs([attributes.get(name, "") for attributes in known])
        if len(runs) > 1:
            changes.append("|".join([name, *(f"{first}:{value}" for value, first, _ in runs)]))
    marks = f' data-changes="{";".join(changes)}"'
    return re.sub(r"(/?>)$", lambda close: marks + close[0], versions[-1])


def _runs(values: Sequence[str]) -> list[tuple[str, int, int]]:
    """Equal neighbours taken together: each value with the first and the last step that has it.

    >>> _runs(["a", "a", "b"])
    [('a', 0, 1), ('b', 2, 2)]
    """
    runs = [
        (value, [step for step, _ in run])
        for value, run in groupby(enumerate(values), key=lambda pair: pair[1])
    ]
    return [(value, steps[0], steps[-1]) for value, steps in runs]


def film_of(frames: list[Diagram], scenes: list[Scene], text: str, alt: str) -> Film:
    """The film of diagrams that have the same boxes, arrows and lengths of words."""
    return Film(
        text, alt, scenes, lambda: film_from([picture_of(f).svg for f in frames], alt), frames
    )


def sample_positions(values: Sequence[Any], most: int) -> list[int]:
    """Positions of at most `most` values, evenly spread, first and last among them.

    >>> sample_positions("abcdefghij", 4), sample_positions("ab", 4)
    ([0, 3, 6, 9], [0, 1])
    """
    if len(values) <= most:
        return list(range(len(values)))
    return [round(i * (len(values) - 1) / (most - 1)) for i in range(most)]
