"""Finishing an SVG: both themes, words for screen readers, the same bytes everywhere."""

import re
from html import escape

from course_lib.viz.drawing.diagram import Box, Diagram
from course_lib.viz.drawing.dot import ARROWS, BOXES, heading, legend_of
from course_lib.viz.drawing.theme import DARK, light
from course_lib.viz.drawing.titles import in_front

# Menlo, Consolas and DejaVu Sans Mono are no wider than Courier, Arial than Helvetica; the boxes
# were measured with those two.
FONTS = {
    "Courier": "Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',Courier,monospace",
    "Helvetica": "Helvetica,Arial,'Liberation Sans',sans-serif",
}


def finish(svg: str, alt: str, diagram: Diagram) -> str:
    """Graphviz's SVG made ours: no version comment, no tooltips, no ids, pixels as the unit.

    >>> finish('<?xml?><!-- by 1.2 --><svg width="8pt"><title>g</title></svg>', "a", Diagram("g"))
    '<svg width="8" role="img" aria-label="a"></svg>'
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    svg = in_front(svg) if diagram.groups else svg
    svg = _with_bold_titles(svg, diagram.boxes)
    svg = _with_swatches(svg, legend_of(diagram))
    svg = re.sub(r"<title>.*?</title>\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<g id="[^"]*" class="[^"]*"( transform="[^"]*")?>', r"<g\1>", svg)
    svg = svg.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    svg = re.sub(r'(width|height)="([0-9.]+)pt"', r'\1="\2"', svg)
    for face, stack in FONTS.items():
        svg = re.sub(rf'font-family="{face}[^"]*"', f'font-family="{stack}"', svg)
    return dressed(svg.strip(), alt)


def _with_bold_titles(svg: str, boxes: tuple[Box, ...]) -> str:
    """The first line of each box: its number and tag muted, its title bold."""
    known = {box.id: box for box in boxes}
    parts, done = [], 0
    for name in re.finditer(r"<title>([^<]*)</title>", svg):
        start = svg.find(">", svg.find("<text", name.end())) + 1
        end = svg.find("</text>", start)
        if name[1] in known and done < start < end:
            parts += [svg[done:start], _first_line(known[name[1]])]
            done = end
    return "".join([*parts, svg[done:]])


def _first_line(box: Box) -> str:
    number, title, tag = heading(box)
    muted = f'<tspan fill="{light("muted")}" font-size="10.5">%s</tspan>'
    words = muted % escape(number) if number else ""
    words += f'<tspan font-weight="bold">{escape(title)}</tspan>'
    return words + (muted % escape(tag) if tag else "")


def _with_swatches(svg: str, legend: dict[str, str]) -> str:
    """A little box of the right shape in front of each line of the legend."""
    for kind, line_of_words in legend.items():
        words = re.escape(escape(line_of_words)).replace(r"\ ", "(?: |&#160;)")
        line = re.search(rf'<text [^>]*x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>{words}</text>', svg)
        if line:
            swatch = _swatch(kind, float(line[1]) + 2, float(line[2]) - 9)
            svg = svg[: line.start()] + swatch + svg[line.start() :]
    return svg


def _swatch(kind: str, x: float, y: float) -> str:
    if kind.endswith(" arrow"):
        return _little_arrow(kind.removesuffix(" arrow"), x, y)
    if kind not in BOXES:
        return ""
    shape, style, fill, line, _ = BOXES[kind]
    look = f'fill="{light(fill)}" stroke="{light(line)}"'
    look += ' stroke-dasharray="3,2"' if kind in ("constant", "fold") else ""
    at = f'transform="translate({x:g} {y:g})" {look}'
    if "diagonals" in style:
        return f'<path {at} d="M0,0H24V11H0ZM0,4L4,0M20,0L24,4M24,7L20,11M4,11L0,7"/>\n'
    if shape == "note":
        return f'<path {at} d="M0,0H19L24,5V11H0ZM19,0V5H24"/>\n'
    inner = "M2.5,2.5H21.5V8.5H2.5Z" if kind == "result" else ""
    if inner:
        return f'<path {at} d="M0,0H24V11H0Z{inner}"/>\n'
    corner = 4 if "rounded" in style else 0
    return f'<rect {at} width="24" height="11" rx="{corner}"/>\n'


def _little_arrow(kind: str, x: float, y: float) -> str:
    """A line like the arrows of that kind, as wide as a little box."""
    look = ARROWS[kind]
    colour = light("saved line" if kind == "saved" else "arrow")
    dash = {"dashed": ' stroke-dasharray="5,2"', "dotted": ' stroke-dasharray="1,4"'}
    at = f'transform="translate({x:g} {y:g})" fill="none" stroke="{colour}"'
    line = f'<path {at}{dash.get(look.get("style", ""), "")} d="M0,6H19"/>\n'
    if look["arrowhead"] == "odot":
        return line + f'<ellipse {at} cx="21.5" cy="6" rx="2.5" ry="2.5"/>\n'
    if look["arrowhead"] == "none":
        return line
    at = at.replace('fill="none"', f'fill="{colour}"')
    return line + f'<polygon {at} points="18,2.5 24.5,6 18,9.5"/>\n'


def dressed(svg: str, alt: str) -> str:
    """The SVG with its alt text and, for the colours that occur in it, the dark theme.

    The rules are needed inside the file: a page shows it as an image, which sees nothing of the
    page's own style but does see whether the reader prefers dark.
    """
    rules = "".join(
        f'[fill="{light}"]{{fill:{dark}}}' * (f'fill="{light}"' in svg)
        + f'[stroke="{light}"]{{stroke:{dark}}}' * (f'stroke="{light}"' in svg)
        for light, dark in DARK.items()
    )
    style = f"\n<style>@media (prefers-color-scheme: dark){{{rules}}}</style>" if rules else ""
    head = f' role="img" aria-label="{escape(alt)}">{style}'
    return re.sub(r"^(<svg[^>]*?)\s*>", lambda m: m[1] + head, svg, count=1)
