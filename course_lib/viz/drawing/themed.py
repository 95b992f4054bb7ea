"""A finished SVG in one theme only, or in another size."""

import re

from course_lib.viz.drawing.theme import DARK

THEMES = ("auto", "light", "dark")
STYLE = re.compile(r"<style>@media \(prefers-color-scheme: dark\).*?</style>\n?", re.DOTALL)


def themed(svg: str, theme: str) -> str:
    """The drawing in that theme; "auto" leaves it to follow the reader's.

    >>> themed('<svg><rect fill="#ffffff"/></svg>', "dark")
    '<svg><rect fill="#14171c"/></svg>'
    """
    if theme == "auto":
        return svg
    svg = STYLE.sub("", svg)
    if theme == "light":
        return svg
    return re.sub(
        r'(?<= )(fill|stroke)="(#[0-9a-f]{6})"',
        lambda found: f'{found[1]}="{DARK.get(found[2], found[2])}"',
        svg,
    )


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of a drawing, in pixels.

    >>> size_of('<svg width="8" height="9.5" viewBox="0 0 8 9.5"></svg>')
    (8.0, 9.5)
    """
    found = re.match(r'<svg width="([0-9.]+)" height="([0-9.]+)"', svg)
    assert found is not None  # each of our drawings begins so
    return float(found[1]), float(found[2])


def scaled(svg: str, scale: float) -> str:
    """The drawing that many times as large on the page.

    >>> scaled('<svg width="8" height="9" viewBox="0 0 8 9"></svg>', 1.5)
    '<svg width="12" height="13.5" viewBox="0 0 8 9"></svg>'
    """
    width, height = (f"{side * scale:g}" for side in size_of(svg))
    return re.sub(
        r'^<svg width="[^"]*" height="[^"]*"', f'<svg width="{width}" height="{height}"', svg
    )
