"""Finishing an SVG: both themes, words for screen readers, the same bytes everywhere."""

import re
from html import escape, unescape

from course_lib.viz.drawing.diagram import Box, Diagram
from course_lib.viz.drawing.dot import ARROWS, BOXES, heading, legend_of
from course_lib.viz.drawing.theme import DARK, light

# Menlo, Consolas and DejaVu Sans Mono are no wider than Courier, Arial than Helvetica; the boxes
# were measured with those two.
FONTS = {
    "Courier": "Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',Courier,monospace",
    "Helvetica": "Helvetica,Arial,'Liberation Sans',sans-serif",
}

CHARACTER = 7.2  # pixels, of the typewriter font at 12 pixels
_TEXT = re.compile(
    r'<text [^>]*text-anchor="(?P<anchor>\w+)" x="(?P<x>[-0-9.]+)" y="(?P<y>[-0-9.]+)"[^>]*>'
    r"(?P<words>[^<]*)</text>"
)


def finish(svg: str, alt: str, diagram: Diagram) -> str:
    """Graphviz's SVG made ours: no version comment, no tooltips, no ids, pixels as the unit.

    >>> finish('<?xml?><!-- by 1.2 --><svg width="8pt"><title>g</title></svg>', "a", Diagram("g"))
    '<svg width="8" role="img" aria-label="a"></svg>'
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    svg = in_front(svg) if diagram.groups else svg
    svg = _dress_lines(svg, diagram.boxes)
    svg = _with_swatches(svg, legend_of(diagram))
    svg = _with_marks(svg, diagram)
    svg = re.sub(r"<title>.*?</title>\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<g id="[^"]*" class="[^"]*"( transform="[^"]*")?>', r"<g\1>", svg)
    svg = svg.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    svg = re.sub(r'(width|height)="([0-9.]+)pt"', r'\1="\2"', svg)
    for face, stack in FONTS.items():
        svg = re.sub(rf'font-family="{face}[^"]*"', f'font-family="{stack}"', svg)
    return dress_svg(svg.strip(), alt)


def _with_marks(svg: str, diagram: Diagram) -> str:
    """Boxes and arrows marked with what they are: `alive.js` looks for them.

    The marks are no ids, so two pictures on a page do not get in each other's way.
    """
    boxes = {box.id: box for box in diagram.boxes}
    ends = {f"{a.head}->{a.tail}": a for a in diagram.arrows}  # how Graphviz was told to turn them
    ends |= {f"{a.tail}->{a.head}": a for a in diagram.arrows}

    def marked(group: re.Match[str]) -> str:
        name = unescape(group[1])
        if name in boxes:
            box = boxes[name]
            title = "".join(heading(box)[:2])
            told = escape("\n".join([title, *box.details])).replace("\n", "&#10;")
            alike = f' data-alike="{escape(";".join(box.alike))}"' * bool(box.alike)
            return f'<g data-box="{escape(name)}" data-told="{told}"{alike}>\n'
        return f'<g data-tail="{escape(ends[name].tail)}" data-head="{escape(ends[name].head)}">\n'

    head = r'<g id="[^"]*" class="(?:node|edge)">\s*<title>([^<]*)</title>\n?'
    return re.sub(head, marked, svg)


def _dress_lines(svg: str, boxes: tuple[Box, ...]) -> str:
    """The lines of each box: its number and tag muted, its title bold, its hooks marked."""
    known = {box.id: box for box in boxes}
    parts, done = [], 0
    for name in re.finditer(r"<title>([^<]*)</title>", svg):
        box = known.get(unescape(name[1]))
        if box is None:
            continue
        end = svg.find("</g>", name.end())
        texts = list(_TEXT.finditer(svg, name.end(), end))
        for k, text in enumerate(texts):
            line = text["words"]
            if k == 0:
                number, title, tag = map(escape, heading(box))
                bold = f'<tspan font-weight="bold">{title}</tspan>'
                words = title if box.kind == "no gradient" else bold
                line = _mute(number) + words + _mute(tag)
            elif k <= len(box.facts):
                line = _mute(line)
            elif k >= len(texts) - len(box.hooks) > 0:
                parts += [svg[done : text.start()], _hook(text)]
                done, line = text.start(), f'<tspan fill="{light("result line")}">{line}</tspan>'
            parts += [svg[done : text.start("words")], line]
            done = text.end("words")
    return "".join([*parts, svg[done:]])


def _mute(words: str) -> str:
    return words and f'<tspan fill="{light("muted")}" font-size="11">{words}</tspan>'


def _hook(text: re.Match[str]) -> str:
    """A little hook in the room that `dot.py` leaves in front of the line."""
    wide = CHARACTER * len(unescape(text["words"]))
    x = float(text["x"]) - (wide / 2 if text["anchor"] == "middle" else 0)
    at = f'transform="translate({x:g} {float(text["y"]) - 9:g})"'
    look = f'fill="none" stroke="{light("result line")}" stroke-width="1.6"'
    line = "M12,0V6C12,8.2 10.4,9.5 8.5,9.5C6.6,9.5 5,8.2 5,6V4M2.5,6L5,3.5L7.5,6"
    return f'<path {at} {look} d="{line}"/>\n'


def _with_swatches(svg: str, legend: dict[str, str]) -> str:
    """A little box of the right shape in front of each line of the legend."""
    kinds = {escape(words): kind for kind, words in legend.items()}

    def beside(text: re.Match[str]) -> str:
        kind = kinds.get(text["words"].replace("&#160;", " "))
        return (_swatch(kind, float(text["x"]) + 2, float(text["y"]) - 9) if kind else "") + text[0]

    return _TEXT.sub(beside, svg)


def _swatch(kind: str, x: float, y: float) -> str:
    if kind.endswith(" arrow"):
        return _little_arrow(kind.removesuffix(" arrow"), x, y)
    shape, style, fill, line, _ = BOXES[kind]
    look = f'fill="{light(fill)}" stroke="{light(line)}"'
    look += ' stroke-dasharray="3,2"' if kind in ("constant", "fold") else ""
    at = f'transform="translate({x:g} {y:g})" {look}'
    if "diagonals" in style:
        return f'<path {at} d="M0,0H24V11H0ZM0,4L4,0M20,0L24,4M24,7L20,11M4,11L0,7"/>\n'
    if shape == "note":
        return f'<path {at} d="M0,0H19L24,5V11H0ZM19,0V5H24"/>\n'
    if kind == "result":
        return f'<path {at} d="M0,0H24V11H0ZM2.5,2.5H21.5V8.5H2.5Z"/>\n'
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


def dress_svg(svg: str, alt: str) -> str:
    """The SVG with its alt text and, for the colours that occur in it, the dark theme.

    The rules are inside it: an image sees of a page only whether the reader prefers dark.
    """
    rules = "".join(
        f'[{name}="{light}"]{{{name}:{dark}}}'
        for light, dark in DARK.items()
        for name in ("fill", "stroke")
        if re.search(rf'{name}(="|\|[^;"]*:){light}', svg)  # now, or in another step of a film
    )
    style = f"\n<style>@media (prefers-color-scheme: dark){{{rules}}}</style>" if rules else ""
    head = f' role="img" aria-label="{escape(alt)}">{style}'
    return re.sub(r"^(<svg[^>]*?)\s*>", lambda m: m[1] + head, svg, count=1)


def undress_svg(svg: str) -> str:
    """The same without its theme and its alt text, to become part of another drawing.

    >>> undress_svg(dress_svg('<svg width="8"><path fill="#ffffff"/></svg>', "a"))
    '<svg width="8"><path fill="#ffffff"/></svg>'
    """
    svg = re.sub(r"\n?<style>.*?</style>", "", svg, flags=re.DOTALL)
    return re.sub(r' role="img" aria-label="[^"]*"', "", svg, count=1)


# ---- frames on paper ----

FRAME = re.compile(r'<g id="[^"]*" class="cluster">.*?</g>\n?', re.DOTALL)
TITLE = re.compile(r'<text [^>]*x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>([^<]*)</text>\n?')
LETTER = 5.6  # about the width of one, in pixels


def in_front(svg: str) -> str:
    """Graphviz's SVG with the titles of its frames at the end, each on a piece of paper.

    >>> frame = '<g id="c" class="cluster"><text text-anchor="start" x="1" y="9">A</text></g>'
    >>> in_front(f'<svg><g>{frame}<path d="M0,0"/></g></svg>').index("path") < 60
    True
    """
    titles: list[str] = []

    def taken(frame: re.Match[str]) -> str:
        for line in TITLE.finditer(frame[0]):
            letters = len(line[3].replace("&#160;", " ").strip())
            titles.append(
                f'<rect x="{float(line[1]) - 2:g}" y="{float(line[2]) - 10:g}" '
                f'width="{letters * LETTER + 4:g}" height="13" fill="{light("paper")}"/>\n{line[0]}'
            )
        return TITLE.sub("", frame[0])

    svg = FRAME.sub(taken, svg)
    end = svg.rindex("</g>") if titles else len(svg)
    return svg[:end] + "".join(titles) + svg[end:]
