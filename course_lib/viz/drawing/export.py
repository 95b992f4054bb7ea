"""PNG and PDF of any picture: our own SVG, drawn once more by matplotlib.

No program has to be installed for it, and graphs, storages, films and plots all go the same way. It
knows the part of SVG that our drawings use, and no more.
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from course_lib.viz.drawing.render import CannotDraw

DOTS = 72  # per inch: one pixel of a drawing is one point
SHARP = 2  # a PNG has so many pixels for each pixel of the drawing
FACES = {  # (font that comes with matplotlib, its size against the one that was measured)
    "Menlo": ("DejaVu Sans Mono", 1.0),
    "Helvetica": ("DejaVu Sans", 0.9),
}
LETTER = 0.602  # width of a typewriter letter, in font sizes
STEP = re.compile(r"[A-Za-z]|-?[0-9]*\.?[0-9]+(?:e-?[0-9]+)?")
INHERITED = (
    "fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight",
    "text-anchor", "clip-path",
)  # fmt: skip
OURS = "{http://www.w3.org/2000/svg}"


def export(svg: str, kind: str) -> bytes:
    """The drawing as a file of that kind, "png" or "pdf".

    >>> export('<svg width="8" height="8" xmlns="http://www.w3.org/2000/svg"></svg>', "png")[1:4]
    b'PNG'
    """
    import io

    from course_lib.viz.drawing.plot import figure_class

    figure_made = figure_class()
    import matplotlib

    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 1)), float(root.get("height", 1))
    page = io.BytesIO()
    quiet = {"Software": None} if kind == "png" else {"CreationDate": None, "Producer": None}
    with matplotlib.rc_context({"lines.scale_dashes": False, "pdf.fonttype": 42}):
        figure = figure_made((width / DOTS, height / DOTS), dpi=DOTS)
        ax = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        ax.set_axis_off()
        drawing = _Drawing(ax, root)
        for element, look, place in _elements(root):
            drawing.add(element, look, place)
        figure.savefig(page, format=kind, dpi=DOTS * SHARP, metadata=quiet)
    return page.getvalue()


def _elements(root: Any) -> Iterator[tuple[Any, dict[str, str], Any]]:
    """Every element in drawing order with its look, inherited or own, and its way to the page."""
    from matplotlib.transforms import Affine2D

    waiting: list[tuple[Any, dict[str, str], Any]] = [(root, {}, Affine2D())]
    while waiting:
        element, inherited, outer = waiting.pop()
        name = element.tag.removeprefix(OURS)
        if name in ("style", "defs", "clipPath"):
            continue
        own = {key: element.get(key) for key in INHERITED if element.get(key)}
        look = {**inherited, **own}
        place = _transform(element.get("transform", "")) + outer
        if name == "svg" and element is not root:
            x, y = float(element.get("x", 0)), float(element.get("y", 0))
            place = Affine2D().translate(x, y) + place
        yield element, look, place
        if name != "text":
            waiting += [(child, look, place) for child in reversed(element)]


def _transform(words: str) -> Any:
    """`translate(4 20) rotate(90)`: what is written last is done first."""
    from matplotlib.transforms import Affine2D

    whole: Any = Affine2D()
    for name, inside in reversed(re.findall(r"(\w+)\(([^)]*)\)", words)):
        numbers = [float(n) for n in re.split(r"[ ,]+", inside.strip())]
        step = Affine2D()
        if name == "translate":
            step.translate(numbers[0], (numbers + [0.0])[1])
        elif name == "scale":
            step.scale(numbers[0], numbers[-1])
        elif name == "rotate" and len(numbers) == 3:
            step.rotate_deg_around(numbers[1], numbers[2], numbers[0])
        elif name == "rotate":
            step.rotate_deg(numbers[0])
        else:
            raise CannotDraw(f"a drawing uses {name!r}, which .png and .pdf do not know")
        whole = whole + step
    return whole


class _Drawing:
    """Puts elements of an SVG on the axes of a page."""

    def __init__(self, ax: Any, root: Any) -> None:
        self.ax = ax
        self.named = {e.get("id"): e for e in root.iter() if e.get("id")}

    def add(self, element: Any, look: dict[str, str], place: Any) -> None:
        name = element.tag.removeprefix(OURS)
        if name == "text":
            self._text(element, look, place)
        elif name == "use":
            from matplotlib.transforms import Affine2D

            at = Affine2D().translate(float(element.get("x", 0)), float(element.get("y", 0)))
            shape = self.named[element.get("href", "").removeprefix("#")]
            own = {key: shape.get(key) for key in INHERITED if shape.get(key)}
            self._shape(_outline(shape).transformed(at), {**own, **look}, place)
        elif name not in ("svg", "g"):
            self._shape(_outline(element), look, place)

    def _shape(self, path: Any, look: dict[str, str], place: Any) -> None:
        from matplotlib.patches import PathPatch

        dashes = [float(n) for n in re.findall(r"[0-9.]+", look.get("stroke-dasharray", ""))]
        patch = PathPatch(
            path.transformed(place),
            facecolor=look.get("fill", "black"),
            edgecolor=look.get("stroke", "none"),
            linewidth=float(look.get("stroke-width", 1)),
            linestyle=(0, dashes * (2 if len(dashes) % 2 else 1)) if dashes else "-",
        )
        self.ax.add_patch(patch)
        clip = self.named.get(look.get("clip-path", "")[len("url(#") : -1])
        if clip is not None:
            patch.set_clip_path(_outline(clip[0]).transformed(place), self.ax.transData)

    def _text(self, element: Any, look: dict[str, str], place: Any) -> None:
        """A line of words: pieces of several sizes stand one after another."""
        pieces = [(element.text or "", look)]
        for part in element:
            own = {key: part.get(key) for key in INHERITED if part.get(key)}
            pieces += [(part.text or "", {**look, **own}), (part.tail or "", look)]
        pieces = [(words, how) for words, how in pieces if words.strip("\n")]
        wide = [len(words) * float(how["font-size"]) * LETTER for words, how in pieces]
        start = {"middle": 0.5, "end": 1.0}.get(look.get("text-anchor", ""), 0.0)
        x, y = float(element.get("x", 0)), float(element.get("y", 0))
        alone = len(pieces) == 1
        x -= 0 if alone else start * sum(wide)
        turned = place.get_matrix()
        for (words, how), room in zip(pieces, wide, strict=True):
            at = place.transform((x, y))
            self._words(words, how, at, turned, look.get("text-anchor", "") if alone else "")
            x += room

    def _words(self, words: str, look: dict[str, str], at: Any, turned: Any, anchor: str) -> None:
        import math

        family = look.get("font-family", "").partition(",")[0]
        font, size = FACES.get(family, FACES["Helvetica"])
        self.ax.text(
            *at, words, parse_math=False, family=font, color=look.get("fill", "black"),
            fontsize=float(look["font-size"]) * size,
            fontweight="bold" if look.get("font-weight") in ("bold", "700") else "normal",
            ha={"middle": "center", "end": "right"}.get(anchor, "left"), va="baseline",
            rotation=-math.degrees(math.atan2(turned[1, 0], turned[0, 0])),
            rotation_mode="anchor",
        )  # fmt: skip


# ---- outlines ----


def _outline(element: Any) -> Any:
    """The path of a shape."""
    from matplotlib.path import Path

    name = element.tag.removeprefix(OURS)
    if name == "path":
        return _path(element.get("d", ""))
    if name in ("polygon", "polyline"):
        numbers = [float(n) for n in re.findall(r"-?[0-9.]+", element.get("points", ""))]
        corners = list(zip(numbers[::2], numbers[1::2], strict=True))
        if name == "polygon":
            return Path([*corners, corners[0]], closed=True)
        return Path(corners)
    if name == "ellipse":
        from matplotlib.transforms import Affine2D

        cx, cy, rx, ry = (float(element.get(key, 0)) for key in ("cx", "cy", "rx", "ry"))
        return Path.unit_circle().transformed(Affine2D().scale(rx, ry).translate(cx, cy))
    if name == "rect":
        x, y, w, h, r = (float(element.get(key, 0)) for key in ("x", "y", "width", "height", "rx"))
        return _path(
            f"M{x + r},{y}H{x + w - r}Q{x + w},{y} {x + w},{y + r}V{y + h - r}"
            f"Q{x + w},{y + h} {x + w - r},{y + h}H{x + r}Q{x},{y + h} {x},{y + h - r}"
            f"V{y + r}Q{x},{y} {x + r},{y}Z"
        )
    raise CannotDraw(f"a drawing uses {name!r}, which .png and .pdf do not know")


def _path(words: str) -> Any:
    """The path that an SVG writes as `M0,0H4V4Z`; all our places are absolute."""
    from matplotlib.path import Path

    codes = {"M": Path.MOVETO, "L": Path.LINETO, "Q": Path.CURVE3, "C": Path.CURVE4}
    points: list[tuple[float, float]] = []
    kinds: list[Any] = []
    start, command = (0.0, 0.0), ""
    waiting = STEP.findall(words)[::-1]
    while waiting:
        if waiting[-1].isalpha():
            command = waiting.pop().upper()
            if command == "Z":
                points.append(start)
                kinds.append(Path.CLOSEPOLY)
                continue
        if command in "HV":
            x, y = points[-1]
            value = float(waiting.pop())
            new = [(value, y) if command == "H" else (x, value)]
            kind = Path.LINETO
        else:
            count = {"Q": 2, "C": 3}.get(command, 1)
            new = [(float(waiting.pop()), float(waiting.pop())) for _ in range(count)]
            kind = codes[command]
        if command == "M":
            start, command = new[0], "L"  # further places after an M are lines
        points += new
        kinds += [kind] * len(new)
    return Path(points or [(0, 0)], kinds or None)
