"""`compare`: pictures next to each other, as one picture."""

import re
from html import escape
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.svg import FONTS, dress_svg, undress_svg
from course_lib.viz.drawing.theme import light, size_of
from course_lib.viz.reading.arguments import came

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
        many = "Two" if len(parts) == 2 else str(len(parts))
        alt = " ".join(f"{title}: {part.alt}" if title else part.alt for title, part in parts)
        super().__init__(
            "\n\n".join(_under(title, picture.text) for title, picture in parts),
            f"{many} pictures. {alt}",
            make_svg=lambda: beside([p.svg for _, p in parts], [title for title, _ in parts], alt),
        )


def _under(title: str, text: str) -> str:
    if not title:
        return text
    return "\n".join([title, *(f"    {line}".rstrip() for line in text.splitlines())])


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
