"""`Chart`: shapes in drawing order and the room they take; `drawn`: the picture of one.

For pictures whose layout is fixed, so that Graphviz would have nothing to decide.
"""

import math
import textwrap
from collections.abc import Callable, Sequence
from html import escape

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.svg import FONTS, dress_svg
from course_lib.viz.drawing.theme import light

HIGH, TRACK, PAD, GAP, WIDE = 34, 17, 14, 20, 760  # pixels
LETTER = 7.3  # pixels of a 12 px typewriter letter
LINE = 104  # letters of a sentence in one line


class Chart:
    """Shapes in drawing order and the room they take; colours go by their role in the theme."""

    def __init__(self) -> None:
        self.shapes: list[str] = []
        self.width = self.height = 0.0

    def text(
        self, x: float, y: float, words: str, size: float = 12, role: str = "ink",
        anchor: str = "start", face: str = "Courier", bold: bool = False,
    ) -> None:  # fmt: skip
        left = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        self._reach(x + (1 - left) * len(words) * size * 0.605, y + 4)
        weight = ' font-weight="bold"' if bold else ""
        self.shapes.append(
            f'<text xml:space="preserve" x="{x:g}" y="{y:g}" text-anchor="{anchor}" '
            f'font-family="{FONTS[face]}" font-size="{size:g}"{weight} fill="{light(role)}">'
            f"{escape(words)}</text>"
        )

    def heading(self, words: str) -> None:
        """The title at the top."""
        self.text(PAD, PAD + 6, words, 14, face="Helvetica", bold=True)

    def area(self, tag: str, x: float, y: float, w: float, h: float, look: str) -> None:
        """A shape with four edges; `look` is the rest of its attributes."""
        self._reach(x + w, y + h)
        place = f'x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"'
        self.shapes.append(f"<{tag} {place}{look}/>")

    def box(self, x: float, y: float, w: float, h: float, fill: str, dash: str = "") -> None:
        """A cell; `fill` is a colour itself."""
        line = light("muted") if dash else light("arrow")
        self.area("rect", x, y, w, h, f' fill="{fill}" stroke="{line}"{_dashes(dash)}')

    def patch(self, x: float, y: float, w: float, h: float, fill: str) -> None:
        """A part of something that is drawn with a line later."""
        self.area("rect", x, y, w, h, f' fill="{fill}"')

    def frame(
        self, x: float, y: float, w: float, h: float, fill: str = "paper", line: str = "muted",
        width: float = 1, dash: str = "", round_by: float = 0,
    ) -> None:  # fmt: skip
        """A rectangle."""
        corner = f' rx="{round_by:g}"' if round_by else ""
        stroke = f'stroke="{light(line)}" stroke-width="{width:g}"{_dashes(dash)}'
        self.area("rect", x, y, w, h, f'{corner} fill="{light(fill)}" {stroke}')

    def picture(self, x: float, y: float, w: float, h: float, address: str) -> None:
        """An image, its pixels kept as squares; `address` holds its data."""
        look = f' image-rendering="pixelated" preserveAspectRatio="none" href="{address}"'
        self.area("image", x, y, w, h, look)

    def path(
        self, path: str, role: str = "arrow", width: float | None = None, dash: str = ""
    ) -> None:
        """A line in the language of SVG, whose room others have taken."""
        thick = "" if width is None else f' stroke-width="{width:g}"'
        look = f'fill="none" stroke="{light(role)}"{thick}{_dashes(dash)}'
        self.shapes.append(f'<path d="{path}" {look}/>')

    def notes(self, y: float, notes: list[str]) -> None:
        """Sentences under a drawing, each on its line."""
        for k, note in enumerate(notes):
            self.text(PAD, y + 15 * k, note, 11, "muted", face="Helvetica")

    def _reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def svg(self, alt: str) -> str:
        width, height = round(self.width + PAD), round(self.height + PAD)
        head = f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        page = f'<rect width="{width}" height="{height}" fill="{light("paper")}"/>'
        shapes = "\n".join([page, *self.shapes])
        return dress_svg(f'{head}xmlns="http://www.w3.org/2000/svg">\n{shapes}\n</svg>', alt)

    # ---- arrows and sentences ----

    def line(
        self, points: list[tuple[float, float]], role: str = "arrow", width: float = 1,
        dash: str = "",
    ) -> None:  # fmt: skip
        """A line through points."""
        for x, y in points:
            self._reach(x, y)
        self.path("M" + "L".join(f"{x:g},{y:g}" for x, y in points), role, width, dash)

    def dot(self, x: float, y: float, radius: float, role: str) -> None:
        """A filled circle with a thin rim in the colour of the paper."""
        self._reach(x + radius, y + radius)
        self.shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{light(role)}" '
            f'stroke="{light("paper")}"/>'
        )

    def arrow(
        self, start: tuple[float, float], end: tuple[float, float], heavy: bool = False
    ) -> None:
        """A straight arrow: thin and dotted, or heavy and solid with a larger head."""
        role = "result line" if heavy else "constant line"
        long = 10.0 if heavy else 6.0
        (x0, y0), (x1, y1) = start, end
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        neck = (x1 - dx * long, y1 - dy * long)
        self.line([start, neck], role, 3.2 if heavy else 1, "" if heavy else "1.5,3")
        wide = long * 0.45
        left = (neck[0] - dy * wide, neck[1] + dx * wide)
        right = (neck[0] + dy * wide, neck[1] - dx * wide)
        head = " ".join(f"{round(x, 2):g},{round(y, 2):g}" for x, y in (end, left, right))
        self.shapes.append(f'<polygon points="{head}" fill="{light(role)}"/>')

    def sentences(self, y: float, sentences: list[str], role: str = "muted") -> float:
        """Sentences under a drawing, each on lines of its own; returns where to go on."""
        for sentence in sentences:
            for line in textwrap.wrap(sentence, LINE):
                self.text(PAD, y, line, 11.5, role, face="Helvetica")
                y += 16
        return y


def _dashes(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def drawn(lines: Sequence[str], alt: str, draw: Callable[[Chart], object]) -> Picture:
    """A picture from the lines of its text form; `draw` fills its chart once it is looked at."""

    def svg() -> str:
        chart = Chart()
        draw(chart)
        return chart.svg(alt)

    return Picture("\n".join(lines), alt, make_svg=svg)


def around(values: Sequence[float], room: float) -> tuple[float, float]:
    """The ends of a side on which these values lie, with a part of its length as room."""
    known = [value for value in values if math.isfinite(value)] or [0.0]
    room = room * (max(known) - min(known)) or 1.0
    return min(known) - room, max(known) + room
