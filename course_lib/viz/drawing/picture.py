"""A `Picture`: what the drawing functions give back, and how it shows itself; `compare`: several
pictures as one."""

import base64
import functools
import os
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any, Literal

from course_lib.viz.drawing.alive import figure
from course_lib.viz.drawing.diagram import Diagram
from course_lib.viz.drawing.dot import dot_of, graphviz_package
from course_lib.viz.drawing.files import export, file_options, page, write_whole
from course_lib.viz.drawing.lanes import within_lanes
from course_lib.viz.drawing.render import CannotDraw, svg_from
from course_lib.viz.drawing.svg import FONTS, dress_svg, finish, undress_svg
from course_lib.viz.drawing.text import alt_of, text_of
from course_lib.viz.drawing.theme import apply_theme, light, scale_svg, size_of
from course_lib.viz.reading.arguments import came


class Picture:
    """A drawing with its words.

    JupyterLab shows the drawing; a terminal shows `text`, which says the same. `svg` is the
    drawing, `alt` one sentence for readers who cannot see it, and `save("graph.svg")` keeps it. A
    picture that Graphviz lays out also has its `source`, and `graphviz()` for that package.

    >>> Picture("one line", "a line")
    one line
    """

    def __init__(
        self, text: str, alt: str, make_svg: Callable[[], str] | None = None,
        dot: Callable[[], str] | None = None, diagram: Diagram | None = None,
        make_living: Callable[[], str] | None = None,
    ) -> None:  # fmt: skip
        self.text, self.alt, self.diagram = text, alt, diagram
        self._make_svg, self._make_dot, self._make_living = make_svg, dot, make_living

    @functools.cached_property
    def svg(self) -> str:
        """The drawing. Raises `CannotDraw` where none can be made."""
        if self._make_svg is None:
            raise CannotDraw("this picture has only words")
        return self._make_svg()

    @functools.cached_property
    def source(self) -> str:
        """The source in Graphviz's language; `""` for a picture that Graphviz does not lay out."""
        return self._make_dot() if self._make_dot else ""

    def graphviz(self) -> Any:
        """The source as a `graphviz.Source`, the object of the graphviz package.

        Its `render` and `view` need the program `dot`; `save` of this class does not. Raises
        `CannotDraw` for a picture that Graphviz does not lay out.

        >>> picture_of(Diagram("Nothing to see")).graphviz().source[:7]
        'digraph'
        """
        if not self.source:
            raise CannotDraw(
                "this picture has no source: Graphviz does not lay it out; "
                "save it as .svg, .png, .pdf or .html"
            )
        return graphviz_package().Source(self.source)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook stores: words, HTML that shows even when untrusted, and the SVG.

        An untrusted notebook strips `<svg>` and `<style>` out of HTML but keeps an `<img>` with
        its data inside, so the drawing travels as one.
        """
        bundle = {"text/plain": self.text}
        try:
            bundle["text/html"] = self._html()
            bundle["image/svg+xml"] = self.svg
        except Exception as error:  # displaying never raises: the words say why
            reason = f"No drawing: {error}"
            bundle["text/plain"] = f"{self.text}\n\n({reason})"
            bundle["text/html"] = f"<p>{escape(reason)}</p>{format_pre(self.text)}"
        keys = set(bundle) if include is None else set(bundle) & set(include)
        return {key: bundle[key] for key in bundle if key in keys - set(exclude or ())}

    def _html(self) -> str:
        words = f"<details><summary>In words</summary>{format_pre(self.text)}</details>"
        living = self._make_living() if self._make_living else self.svg
        return figure(image(living, self.alt), words, alive=self.diagram is not None)

    def _repr_svg_(self) -> str | None:
        """The drawing for programs that ask for it by this name; None where none can be made."""
        return self._repr_mimebundle_().get("image/svg+xml")

    def _repr_html_(self) -> str:
        """The HTML of the bundle, for programs that ask for it by this name."""
        return self._repr_mimebundle_()["text/html"]

    def save(
        self, path: str | os.PathLike[str], *, theme: str | None = None, scale: float | None = None
    ) -> Path:
        """Writes the picture into a file and gives back its path; the ending says what is written.

        .svg, .png and .pdf hold the drawing, .html a page with drawing and words, .txt the words,
        .gv or .dot Graphviz's source. `theme` is "light", "dark", or "auto", which follows the
        reader's and is what .svg and .html do by themselves; .png and .pdf are light. `scale` is
        the size: 1 as in a notebook, which a .png shows with 2 pixels for each, sharp on any
        screen. Raises `CannotDraw`, `ValueError` or `OSError` with a remedy; a file that was there
        then stays as it was.

        >>> Picture("one line", "a line").save("line.jpg")
        Traceback (most recent call last):
        ValueError: a picture is saved as .svg, .png, .pdf, .html, .txt, .gv or .dot, not as \
'line.jpg': give the name one of these endings
        """
        path = Path(path)
        write_whole(path, self._contents(*file_options(path, theme, scale)))
        return path

    def _contents(self, ending: str, theme: str, scale: float) -> bytes:
        """What a file with that ending holds."""
        if ending in (".png", ".pdf"):
            kind: Literal["png", "pdf"] = "png" if ending == ".png" else "pdf"
            return export(apply_theme(self.svg, theme), self.alt, kind, scale)
        if ending == ".html":
            return page(self.text.partition("\n")[0], self._html(), theme).encode()
        if ending == ".svg":
            words = apply_theme(self.svg, theme)
            words = words if scale == 1 else scale_svg(words, scale)
        elif ending == ".txt":
            words = self.text
        else:
            words = self.graphviz().source.removesuffix("\n")
        return f"{words}\n".encode()


def picture_of(diagram: Diagram, text: str = "") -> Picture:
    """A picture that Graphviz lays out; `text` says it in other words than `text_of` would.

    >>> picture_of(Diagram("Nothing to see")).alt
    'Nothing to see.'
    """
    alt = alt_of(diagram)
    drawn = within_lanes(diagram)

    @functools.cache
    def svg() -> str:
        return finish(svg_from(dot_of(drawn)), alt, drawn)

    return Picture(
        text or text_of(diagram), alt, make_svg=svg, dot=lambda: dot_of(drawn), diagram=diagram,
        make_living=(lambda: with_insides(svg(), alt, diagram)) if diagram.inside else None,
    )  # fmt: skip


def with_insides(svg: str, alt: str, diagram: Diagram) -> str:
    """A drawing with what its boxes open to, each hidden in it until a living picture shows it."""
    hidden = [
        f'<g data-inside="{escape(name)}" display="none">\n'
        f"{undress_svg(with_insides(picture_of(inner).svg, '', inner))}\n</g>\n"
        for name, inner in diagram.inside
    ]
    whole = undress_svg(svg).removesuffix("</svg>") + "".join(hidden) + "</svg>"
    face = f' font-family="{FONTS["Courier"]}"'  # most words have it: said once, it takes no room
    return dress_svg(whole.replace(face, "").replace(" xmlns=", f"{face} xmlns=", 1), alt)


def image(svg: str, alt: str) -> str:
    """HTML that shows a drawing even in a notebook that is not trusted.

    It scrolls where the page is narrower: letters, of 11 pixels and more, never shrink.

    >>> image("<svg/>", "a dot")[27:73]
    '<img alt="a dot" src="data:image/svg+xml;base6'
    """
    data = base64.b64encode(svg.encode()).decode()
    source = f"data:image/svg+xml;base64,{data}"
    wide = re.match(r'<svg width="([0-9.]+)"', svg)
    least = f"min-width:{float(wide[1]):.0f}px;" if wide else ""
    drawing = f'<img alt="{escape(alt)}" src="{source}" style="{least}max-width:100%;height:auto">'
    return f'<div style="overflow:auto">{drawing}</div>'


def format_pre(text: str) -> str:
    """HTML for a text form.

    >>> format_pre("a -> b")
    '<pre>a -&gt; b</pre>'
    """
    return f"<pre>{escape(text)}</pre>"


# ---- several as one ----

PAD, GAP, HEAD, WIDE = 10, 24, 26, 1000  # pixels; a row is no wider than WIDE


def compare(*pictures: Any, titles: Any = None) -> Picture:
    """One picture of several: the same code in two versions, before and after.

    `titles` may also be the last argument without its name. A comparison that is given the title ""
    is taken apart again, so that its pictures stand in the same row.

    >>> print(compare(Picture("1 box", "a box"), Picture("2 boxes", "boxes"), ("before", "after")))
    before
        1 box
    <BLANKLINE>
    after
        2 boxes
    """
    if titles is None and len(pictures) > 1 and isinstance(pictures[-1], (tuple, list)):
        *pictures, titles = pictures  # type: ignore[assignment]
    if len(pictures) < 2:
        raise TypeError(f"compare wants two pictures or more, not {len(pictures)}: compare(a, b).")
    for picture in pictures:
        if not isinstance(picture, Picture):
            raise TypeError(
                f"compare wants two pictures or more, not {came(picture)}. "
                "Draw each first: compare(draw_graph(a), draw_graph(b))."
            )
    if titles is None:
        titles = ("left", "right") if len(pictures) == 2 else [""] * len(pictures)
    if not isinstance(titles, (tuple, list)) or len(titles) != len(pictures):
        count = len(titles) if isinstance(titles, (tuple, list)) else came(titles)
        raise ValueError(
            f"compare wants a title for each of {len(pictures)} pictures, not {count}."
        )
    parts: list[tuple[str, Picture]] = []
    for title, picture in zip(map(str, titles), pictures, strict=True):
        taken_apart = isinstance(picture, Row) and not title
        parts += picture.parts if taken_apart else [(title, picture)]
    return Row(parts)


class Row(Picture):
    """Pictures side by side, each with its title."""

    def __init__(self, parts: list[tuple[str, Picture]]) -> None:
        self.parts = parts
        told = []
        for title, part in parts:
            under = [f"    {line}".rstrip() for line in part.text.splitlines()]
            told.append("\n".join([title, *under]) if title else part.text)
        many = "Two" if len(parts) == 2 else str(len(parts))
        alt = " ".join(f"{title}: {part.alt}" if title else part.alt for title, part in parts)
        super().__init__(
            "\n\n".join(told),
            f"{many} pictures. {alt}",
            make_svg=lambda: beside([p.svg for _, p in parts], [title for title, _ in parts], alt),
        )


def beside(svgs: list[str], titles: list[str], alt: str) -> str:
    """The drawings in rows, each under its title, as one drawing."""
    x, y, high, width = float(PAD), float(PAD), 0.0, 0.0
    head = HEAD if any(titles) else 0
    parts = []
    for k, (svg, title) in enumerate(zip(svgs, titles, strict=True)):
        wide, tall = size_of(svg)
        room = max(wide, len(title) * 8.5)
        if x > PAD and x + room > WIDE:
            x, y, high = float(PAD), y + high + GAP, 0.0
        if title:
            parts.append(
                f'<text x="{x + 8:g}" y="{y + 17:g}" font-family="{FONTS["Helvetica"]}" '
                f'font-size="14" font-weight="bold" fill="{light("ink")}">{escape(title)}</text>'
            )
        # without its own theme and alt text, with ids of its own: a plot refers to its markers
        part = undress_svg(re.sub(r'( id="| href="#|url\(#)', rf"\g<1>part{k}-", svg))
        parts.append(part.replace("<svg ", f'<svg x="{x:g}" y="{y + head:g}" ', 1))
        width, high = max(width, x + room), max(high, tall + head)
        x += room + GAP
    w, h = round(width + PAD), round(y + high + PAD)
    page = f'<rect width="{w}" height="{h}" fill="{light("paper")}"/>'
    body = "\n".join([page, *parts])
    size = f'<svg width="{w}" height="{h}" viewBox="0 0 {w} {h}"'
    return dress_svg(f'{size} xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>', alt)
