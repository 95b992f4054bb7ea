"""A `Picture`: what the drawing functions give back, and how it shows itself."""

import base64
import functools
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from course_lib.viz.drawing.alive import figure
from course_lib.viz.drawing.diagram import Diagram
from course_lib.viz.drawing.dot import dot_of
from course_lib.viz.drawing.lanes import within_lanes
from course_lib.viz.drawing.render import CannotDraw, svg_from
from course_lib.viz.drawing.svg import finish
from course_lib.viz.drawing.text import alt_of, text_of


class Picture:
    """A drawing with its words.

    JupyterLab shows the drawing; a terminal shows `text`, which says the same. `svg` and `dot`
    are sources, `alt` is one sentence for who cannot see it, `save("graph.svg")` keeps it.

    >>> Picture("one line", "a line")
    one line
    """

    def __init__(
        self,
        text: str,
        alt: str,
        make_svg: Callable[[], str] | None = None,
        dot: Callable[[], str] | None = None,
        diagram: Diagram | None = None,
    ) -> None:
        self.text, self.alt, self.diagram = text, alt, diagram
        self._make_svg, self._make_dot = make_svg, dot

    @functools.cached_property
    def svg(self) -> str:
        """The drawing. Raises `CannotDraw` where none can be made."""
        if self._make_svg is None:
            raise CannotDraw("this picture has only words")
        return self._make_svg()

    @functools.cached_property
    def dot(self) -> str:
        """The source in Graphviz's language; `""` for a picture that is not made by Graphviz."""
        return self._make_dot() if self._make_dot else ""

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
            bundle["text/html"] = f"<p>{escape(reason)}</p>{preformatted(self.text)}"
        keys = set(bundle) if include is None else set(bundle) & set(include)
        return {key: bundle[key] for key in bundle if key in keys - set(exclude or ())}

    def _html(self) -> str:
        words = f"<details><summary>In words</summary>{preformatted(self.text)}</details>"
        return figure(image(self.svg, self.alt), words, alive=self.diagram is not None)

    def save(self, path: str | Path) -> Path:
        """Writes .svg, .png, .pdf, .txt, or .dot for a picture that is made by Graphviz."""
        path = Path(path)
        kind = path.suffix.lower().lstrip(".")
        if kind in ("png", "pdf"):
            from course_lib.viz.drawing.export import export

            path.write_bytes(export(self.svg, kind))
            return path
        if kind not in ("svg", "txt", "dot"):
            raise ValueError(
                f"a picture is saved as .svg, .txt, .dot, .png or .pdf, not {path.name!r}"
            )
        if kind == "dot" and not self.dot:
            raise CannotDraw("this picture is not made by Graphviz: save it as .svg, .png or .pdf")
        source = {"svg": "svg", "txt": "text", "dot": "dot"}[kind]
        path.write_text(getattr(self, source) + "\n", encoding="utf-8", newline="\n")
        return path


def picture_of(diagram: Diagram) -> Picture:
    """A picture that Graphviz lays out.

    >>> picture_of(Diagram("Nothing to see")).alt
    'Nothing to see.'
    """
    alt = alt_of(diagram)
    drawn = within_lanes(diagram)
    return Picture(
        text_of(diagram),
        alt,
        make_svg=lambda: finish(svg_from(dot_of(drawn)), alt, drawn),
        dot=lambda: dot_of(drawn),
        diagram=diagram,
    )


def image(svg: str, alt: str) -> str:
    """HTML that shows a drawing even in a notebook that is not trusted.

    >>> image("<svg/>", "a dot")[:46]
    '<img alt="a dot" src="data:image/svg+xml;base6'
    """
    data = base64.b64encode(svg.encode()).decode()
    source = f"data:image/svg+xml;base64,{data}"
    return f'<img alt="{escape(alt)}" src="{source}" style="max-width:100%;height:auto">'


def preformatted(text: str) -> str:
    """HTML for a text form.

    >>> preformatted("a -> b")
    '<pre>a -&gt; b</pre>'
    """
    return f"<pre>{escape(text)}</pre>"
