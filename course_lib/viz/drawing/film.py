"""`Film`: one drawing with steps, and the words of each step.

The drawing holds everything that is to be seen in any step. What belongs to some steps only is
marked with the first and the last of them (`data-from`, `data-to`, counted from 0), and hidden
unless the last step shows it. So without a script the image shows the end of the film; with one
(`alive.js`) it has a slider. Nothing is stored twice.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import groupby

from course_lib.viz.drawing.alive import figure
from course_lib.viz.drawing.diagram import Diagram
from course_lib.viz.drawing.picture import Picture, image, picture_of, preformatted
from course_lib.viz.drawing.svg import dressed, undressed


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
        self,
        text: str,
        alt: str,
        scenes: list[Scene],
        make_film: Callable[[], str],
        diagram: Diagram | None = None,
    ) -> None:
        self.scenes, self._make_film = tuple(scenes), make_film
        self.frames: tuple[Diagram, ...] = ()  # one per step, where Graphviz has drawn them
        super().__init__(text, alt, make_svg=lambda: last_step(self.film), diagram=diagram)

    @functools.cached_property
    def film(self) -> str:
        """The drawing with all its steps, as a living picture wants it."""
        return self._make_film()

    def _html(self) -> str:
        steps = "".join(
            f"<li><b>{escape(scene.title)}</b>"
            + "".join(f"<br>{escape(line)}" for line in scene.words)
            + "</li>"
            for scene in self.scenes
        )
        told = f"<details><summary>Steps in words</summary><ol>{steps}</ol></details>"
        words = f"<details><summary>In words</summary>{preformatted(self.text)}</details>"
        return figure(image(self.film, self.alt), told + words, alive=True)


def during(shape: str, first: int, last: int, end: int) -> str:
    """A shape that is to be seen from one step to another, in a film whose last step is `end`.

    >>> during('<path d="M0,0"/>', 2, 3, end=5)
    '<path data-from="2" data-to="3" visibility="hidden" d="M0,0"/>'
    >>> during("<g>", 2, 5, end=5)
    '<g data-from="2">'
    """
    marks = f' data-from="{first}"'
    marks += f' data-to="{last}" visibility="hidden"' if last < end else ""
    return re.sub(r"^<\w+", lambda tag: tag[0] + marks, shape, count=1)


def film_from(stills: list[str]) -> str:
    """One drawing made of one still per step; all have the same lines, some look different.

    >>> print(film_from(['<svg>\\n<b/>\\n<a/>\\n</svg>', '<svg>\\n<c/>\\n<a/>\\n</svg>']))
    <svg>
    <b data-from="0" data-to="0" visibility="hidden"/>
    <c data-from="1"/>
    <a/>
    </svg>
    """
    end = len(stills) - 1
    merged: list[str] = []
    for versions in zip(*(still.split("\n") for still in stills), strict=True):
        runs = [(line, [k for k, _ in run]) for line, run in
                groupby(enumerate(versions), key=lambda pair: pair[1])]  # fmt: skip
        if len(runs) == 1:
            merged.append(versions[0])
            continue
        merged += [during(line, steps[0], steps[-1], end) for line, steps in runs]
    return "\n".join(merged)


def last_step(film: str) -> str:
    """The drawing of the last step alone; what it does not show is on lines of its own.

    >>> last_step('<a data-from="0" data-to="0" visibility="hidden"/>\\n<b data-from="1"/>')
    '<b/>'
    """
    film = re.sub(r'<[^>]* visibility="hidden"[^\n]*\n', "", film)
    return re.sub(r' data-from="\d+"', "", film)


def film_of(frames: list[Diagram], scenes: list[Scene], text: str, alt: str) -> Film:
    """The film of diagrams that have the same boxes, arrows and lengths of words."""

    def drawn() -> str:
        stills = [undressed(picture_of(frame).svg) for frame in frames]
        return dressed(film_from(stills), alt)

    film = Film(text, alt, scenes, drawn, frames[-1])
    film.frames = tuple(frames)
    return film
