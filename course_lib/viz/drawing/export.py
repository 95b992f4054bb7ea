"""PNG and PDF of any picture: its SVG, set on a page of its own size by Typst.

Typst comes as one wheel, with fonts inside and no program to install. A PDF keeps its words as text
that can be searched, and its alt text for screen readers.
"""

import math
from typing import Literal

from course_lib.viz.drawing.render import CannotDraw, missing
from course_lib.viz.drawing.themed import size_of

POINTS = 72  # per inch: one pixel of a drawing is one point
MOST = 250_000_000  # pixels of a PNG: they take a gigabyte of memory while it is made
PAGE = """\
#set page(width: auto, height: auto, margin: 0pt)
#set document(title: sys.inputs.alt)
#image(bytes(sys.inputs.svg), format: "svg", width: {width}pt, alt: sys.inputs.alt)
"""


def export(svg: str, alt: str, kind: Literal["png", "pdf"], scale: float) -> bytes:
    """The drawing as a file of that kind, "png" or "pdf", `scale` times as large.

    Raises `CannotDraw` where Typst is not installed, or the PNG would be too large.

    >>> svg = '<svg width="8" height="8" xmlns="http://www.w3.org/2000/svg"></svg>'
    >>> export(svg, "nothing", "png", scale=2)[1:4]
    b'PNG'
    """
    try:
        import typst
    except ImportError as error:
        raise CannotDraw(f"{missing('typst')}, or save the picture as .svg or .html") from error
    width, height = size_of(svg)
    if kind == "png" and width * height * scale**2 > MOST:
        most = int(math.sqrt(MOST / (width * height)) * 100) / 100
        raise CannotDraw(
            f"a .png of {width * scale:,.0f} x {height * scale:,.0f} pixels is too large: "
            f"save it with scale={most:g}, or as .svg or .pdf"
        )
    across = width if kind == "png" else width * scale
    page = PAGE.format(width=f"{across:.2f}").encode()
    sharp = svg.replace('"pixelated"', '"optimizeSpeed"')  # the word of SVG 1.1, which Typst knows
    inputs = {"svg": sharp, "alt": alt}
    try:
        made = typst.compile(page, format=kind, ppi=POINTS * scale, sys_inputs=inputs, timestamp=0)
    except typst.TypstError as error:
        raise CannotDraw(f"Typst gave up: {str(error).strip().splitlines()[0]}") from error
    return bytes(made)
