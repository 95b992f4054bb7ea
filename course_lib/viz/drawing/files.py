"""Files of pictures: which endings there are, and writing one whole or not at all.

PNG and PDF are the SVG, set on a page of its own size by Typst, which comes as one wheel, with
fonts inside. A PDF keeps its words as text that can be searched, and its alt text.
"""

import math
import os
from html import escape
from pathlib import Path
from typing import Literal

from course_lib.viz.drawing.render import CannotDraw, missing
from course_lib.viz.drawing.theme import PALETTE, THEMES, size_of

ENDINGS = (".svg", ".png", ".pdf", ".html", ".txt", ".gv", ".dot")
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{scheme}">
<title>{title}</title>
<style>
:root {{ color-scheme: {scheme}; font: 16px/1.5 system-ui, sans-serif; }}
body {{ margin: 1.5rem; background: light-dark({paper}); color: light-dark({ink}); }}
h1 {{ font-size: 1.25rem; }}
summary {{ cursor: pointer; padding: 0.3rem 0; }}
pre {{ overflow: visible; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


def page(title: str, body: str, theme: str) -> str:
    """One page of HTML that needs no other file.

    >>> page("A <graph>", "", "dark").count("A &lt;graph&gt;")
    2
    """
    scheme = "light dark" if theme == "auto" else theme
    colours = {role: ", ".join(PALETTE[role]) for role in ("paper", "ink")}
    return PAGE.format(title=escape(title), body=body, scheme=scheme, **colours)


def file_options(path: Path, theme: str | None, scale: float | None) -> tuple[str, str, float]:
    """Ending, theme and size of a file, where None is what such files have by themselves.

    Raises `ValueError`, with what to write instead, for what such a file cannot have.

    >>> file_options(Path("a.PNG"), None, None), file_options(Path("a.svg"), "dark", 3)
    (('.png', 'light', 2.0), ('.svg', 'dark', 3))
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        *most, last = ENDINGS
        raise ValueError(
            f"a picture is saved as {', '.join(most)} or {last}, not as {path.name!r}: "
            "give the name one of these endings"
        )
    fixed = ending in (".png", ".pdf")
    if theme is not None and ending in (".txt", ".gv", ".dot"):
        raise ValueError(f"a {ending} file has no theme: leave theme out")
    if theme not in (None, *THEMES):
        raise ValueError(f"theme wants 'auto', 'light' or 'dark', not {theme!r}")
    if theme == "auto" and fixed:
        raise ValueError(
            f"a {ending} file cannot follow the reader's theme: write theme='light' or "
            "theme='dark', or save the picture as .svg or .html"
        )
    if scale is not None and ending not in (".svg", ".png", ".pdf"):
        raise ValueError(f"a {ending} file has no size: leave scale out")
    if scale is not None and not (isinstance(scale, (int, float)) and 0 < scale <= 100):
        raise ValueError(f"scale wants a number above 0 and up to 100, such as 2, not {scale!r}")
    usual = 2.0 if ending == ".png" else 1.0
    return ending, theme or ("light" if fixed else "auto"), usual if scale is None else scale


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that at every moment it holds the old bytes or the new ones.

    Raises the `OSError` of the system, in a sentence that says what to do.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        if path.parent.is_dir():
            part.unlink(missing_ok=True)
        raise type(error)(_sentence(path, error)) from None


def _sentence(path: Path, error: OSError) -> str:
    folder = path.parent
    if path.is_dir():
        return f"{str(path)!r} is a folder: give the picture a name of its own in it"
    if not folder.exists():
        return f"there is no folder {str(folder)!r}: make it first, or save the picture elsewhere"
    if not folder.is_dir():
        return f"{str(folder)!r} is a file and no folder: save the picture elsewhere"
    reason = (error.strerror or str(error)).lower()
    return f"cannot write {str(path)!r} ({reason}): save the picture in another folder"


# ---- PNG and PDF ----

POINTS = 72  # per inch: one pixel of a drawing is one point
MOST = 250_000_000  # pixels of a PNG: they take a gigabyte of memory while it is made
SHEET = """\
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
    page = SHEET.format(width=f"{across:.2f}").encode()
    sharp = svg.replace('"pixelated"', '"optimizeSpeed"')  # the word of SVG 1.1, which Typst knows
    inputs = {"svg": sharp, "alt": alt}
    try:
        made = typst.compile(page, format=kind, ppi=POINTS * scale, sys_inputs=inputs, timestamp=0)
    except typst.TypstError as error:
        raise CannotDraw(f"Typst gave up: {str(error).strip().splitlines()[0]}") from error
    return bytes(made)
