"""The colours of every picture, for light and for dark pages, and a finished drawing in one theme.

A picture is drawn with the light colours only. Each light colour belongs to one role, so the dark
theme is a table from colour to colour: one CSS rule per colour, inside the SVG (see `svg.py`). The
hues (blue, orange, purple, vermilion) stay apart for colour-blind readers, and whatever a colour
says, a shape or a word says as well.
"""

import re

# role: (light, dark)
PALETTE = {
    "paper": ("#ffffff", "#14171c"),
    "ink": ("#1f2328", "#e9ebee"),
    "muted": ("#4d5661", "#b4bcc6"),
    "arrow": ("#3f4852", "#c3cad3"),
    "leaf": ("#dbeafa", "#14344f"),
    "leaf line": ("#1f5f9e", "#6cb2f0"),
    "function": ("#f0f1f3", "#2a2f37"),
    "function line": ("#68717c", "#97a1ad"),
    "result": ("#fdebcf", "#46300b"),
    "result line": ("#965700", "#f0b050"),
    "saved": ("#ebe4f8", "#33264b"),
    "saved line": ("#69509f", "#b9a0f0"),
    "stale": ("#fcdfda", "#531d18"),
    "stale line": ("#b02a20", "#ff8f83"),
    "constant line": ("#69727d", "#98a2ae"),
    "added": ("#d9f2e3", "#123f2c"),
    "added line": ("#14704a", "#5fcf9a"),
    "heat 0": ("#b5cff5", "#1b4880"),  # from small through ordinary to large
    "heat 1": ("#cddff8", "#1a3b63"),
    "heat 2": ("#e4edf9", "#1c2f48"),
    "heat 3": ("#f6f5f0", "#272a2f"),
    "heat 4": ("#fdeed6", "#3d3120"),
    "heat 5": ("#fcdcae", "#533a12"),
    "heat 6": ("#fbc78c", "#663e0a"),
}
HEAT = 7  # steps, the middle one for what is ordinary

# Sixteen tints for places in a storage, first cell to last, from blue through green to orange.
# Every second one is fainter: neighbours differ in lightness too, for readers who see fewer hues.
PLACES = (
    ("#cfe0f7", "#17345c"), ("#9bd1f8", "#042a40"), ("#c9e8f2", "#12404f"), ("#86d9ec", "#1e5252"),
    ("#c8ecdf", "#114537"), ("#afe99f", "#055809"), ("#d8efc4", "#2b4617"), ("#d2cfa9", "#404e32"),
    ("#efeeb6", "#464210"), ("#cfd491", "#454f00"), ("#fae0b0", "#533910"), ("#f7d08a", "#411400"),
    ("#fad2bd", "#592d16"), ("#eac1bb", "#6a363a"), ("#f6ccd6", "#572335"), ("#e7c4eb", "#432843"),
)  # fmt: skip
FAINT = PLACES[::2]

DARK = dict(PALETTE.values()) | dict(PLACES)


def light(role: str) -> str:
    """The colour that pictures are drawn with.

    >>> light("paper")
    '#ffffff'
    """
    return PALETTE[role][0]


def place(index: int, size: int, family: int = 0, families: int = 1) -> str:
    """The tint of cell `index` of `size` cells; of several storages each has tints of its own."""
    families = min(families, len(PLACES))
    first = family % families
    start, end = (len(PLACES) * k // families for k in (first, first + 1))
    step = 2 if 2 * size <= end - start else 1  # few cells: faint tints are far enough apart
    return PLACES[start + min(index, size - 1) * ((end - start) // step) // size * step][0]


# ---- a finished SVG ----

THEMES = ("auto", "light", "dark")
STYLE = re.compile(r"<style>@media \(prefers-color-scheme: dark\).*?</style>\n?", re.DOTALL)


def apply_theme(svg: str, theme: str) -> str:
    """The drawing in that theme; "auto" leaves it to follow the reader's.

    >>> apply_theme('<svg><rect fill="#ffffff"/></svg>', "dark")
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


def scale_svg(svg: str, scale: float) -> str:
    """The drawing that many times as large on the page.

    >>> scale_svg('<svg width="8" height="9" viewBox="0 0 8 9"></svg>', 1.5)
    '<svg width="12" height="13.5" viewBox="0 0 8 9"></svg>'
    """
    width, height = (f"{side * scale:g}" for side in size_of(svg))
    return re.sub(
        r'^<svg width="[^"]*" height="[^"]*"', f'<svg width="{width}" height="{height}"', svg
    )
