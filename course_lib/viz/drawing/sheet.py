"""`Sheet`: shapes in drawing order, and the room they take.

For pictures whose layout is fixed, so that Graphviz would have nothing to decide.
"""

from html import escape

from course_lib.viz.drawing.svg import FONTS, dressed
from course_lib.viz.drawing.theme import light

HIGH, TRACK, PAD, GAP, WIDE, LETTER = (
    34,
    17,
    14,
    20,
    760,
    7.3,
)  # pixels; LETTER: one 12 px typewriter letter


class Sheet:
    """Shapes in drawing order and the room they take.

    >>> sheet = Sheet()
    >>> sheet.text(0, 10, "a")
    >>> sheet.width > 0
    True
    """

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

    def box(self, x: float, y: float, w: float, h: float, fill: str, dash: str = "") -> None:
        self._reach(x + w, y + h)
        line = light("muted") if dash else light("arrow")
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" '
            f'stroke="{line}"{dashes}/>'
        )

    def patch(self, x: float, y: float, w: float, h: float, fill: str) -> None:
        """A part of something that is drawn with a line later."""
        self._reach(x + w, y + h)
        size = f'width="{w:g}" height="{h:g}"'
        self.shapes.append(f'<rect x="{x:g}" y="{y:g}" {size} fill="{fill}"/>')

    def picture(self, x: float, y: float, w: float, h: float, address: str) -> None:
        """An image, its pixels kept as squares; `address` holds its data."""
        self._reach(x + w, y + h)
        self.shapes.append(
            f'<image x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" '
            f'image-rendering="pixelated" preserveAspectRatio="none" href="{address}"/>'
        )

    def _reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def svg(self, alt: str) -> str:
        width, height = round(self.width + PAD), round(self.height + PAD)
        head = f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        page = f'<rect width="{width}" height="{height}" fill="{light("paper")}"/>'
        shapes = "\n".join([page, *self.shapes])
        return dressed(f'{head}xmlns="http://www.w3.org/2000/svg">\n{shapes}\n</svg>', alt)
