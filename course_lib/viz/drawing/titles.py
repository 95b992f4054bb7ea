"""Titles of frames in front of the arrows, on paper: Graphviz draws arrows over them."""

import re

from course_lib.viz.drawing.theme import light

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
        titles.extend(line[0] for line in TITLE.finditer(frame[0]))
        return TITLE.sub("", frame[0])

    svg = FRAME.sub(taken, svg)
    end = svg.rindex("</g>") if titles else len(svg)
    return svg[:end] + "".join(map(_on_paper, titles)) + svg[end:]


def _on_paper(title: str) -> str:
    line = TITLE.match(title)
    assert line is not None
    letters = len(line[3].replace("&#160;", " ").strip())
    return (
        f'<rect x="{float(line[1]) - 2:g}" y="{float(line[2]) - 10:g}" '
        f'width="{letters * LETTER + 4:g}" height="13" fill="{light("paper")}"/>\n{title}'
    )
