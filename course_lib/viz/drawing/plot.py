"""Plots by matplotlib, made like every other picture: two themes, plain words, the same bytes.

matplotlib is imported when the first plot is drawn, and only its `Figure` is used: no global state,
no window, nothing that a reader's own `pyplot` could notice.
"""

import logging
import re
from collections.abc import Sequence
from typing import Any

from course_lib.viz.drawing.render import CannotDraw, missing
from course_lib.viz.drawing.svg import FONTS, dress_svg
from course_lib.viz.drawing.theme import FAINT, light

BANDS = [pair[0] for pair in FAINT]  # from low to high
# kind: (marker, colour role), told apart by shape as well as by colour
SERIES = (
    ("o", "leaf line"), ("s", "result line"), ("^", "saved line"), ("D", "stale line"),
    ("v", "function line"), ("P", "arrow"),
)  # fmt: skip
SALT = "course_lib"  # matplotlib hashes ids with it; by itself it would take a random one
DOTS = 72  # per inch: one pixel of ours is one point of matplotlib


def axes(width: float = 420, height: float = 300) -> Any:
    """The axes of an empty plot of that many pixels; its figure is `axes(...).figure`. Raises
    `CannotDraw` where matplotlib is not installed.

    >>> axes().get_xlim()
    (np.float64(0.0), np.float64(1.0))
    """
    # matplotlib says on stderr that it looks for fonts, the first time on a machine: that would
    # be stored in the notebook.
    fonts = logging.getLogger("matplotlib.font_manager")
    level = fonts.level
    fonts.setLevel(logging.ERROR)
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CannotDraw(missing("matplotlib")) from error
    finally:
        fonts.setLevel(level)
    figure = Figure((width / DOTS, height / DOTS), dpi=DOTS, layout="constrained")
    figure.patch.set(facecolor=light("paper"))
    ax = figure.subplots()
    ax.set_facecolor(light("paper"))
    ax.tick_params(which="both", colors=light("muted"), labelsize=11)
    for spine in ax.spines.values():
        spine.set(edgecolor=light("muted"))
    return ax


def set_titles(ax: Any, title: str, across: str, up: str) -> None:
    """Words around the plot: its title and what its two axes mean."""
    ax.set_title(title, fontsize=12, fontweight="bold", loc="left", color=light("ink"))
    ax.set_xlabel(across, color=light("ink"), fontsize=11)
    ax.set_ylabel(up, color=light("ink"), fontsize=11)


def key(ax: Any, title: str = "") -> None:
    """Below the plot, which marker and colour stands for what."""
    ax.figure.legend(
        loc="outside lower center", ncols=3, fontsize=11, labelcolor=light("ink"), frameon=False,
        title=title or None, title_fontproperties={"size": 10},
    ).get_title().set_color(light("muted"))  # fmt: skip


def put_curve(ax: Any, k: int, points: Sequence[tuple[float, float]], **look: Any) -> None:
    """Curve number `k`, told from the others by its marker, its colour and its kind of line."""
    marker, role = SERIES[k % len(SERIES)]
    style = ("-", "--", ":", "-.")[k % 4]
    ax.plot(*zip(*points, strict=True), marker=marker, color=light(role), linestyle=style, **look)


def ruled(ax: Any) -> None:
    """A grid behind the curves."""
    ax.grid(color=light("function"), linewidth=0.8)
    ax.set_axisbelow(True)


def svg_of(ax: Any, alt: str) -> str:
    """The plot as one of our SVGs."""
    import io

    import matplotlib

    page = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": SALT}):
        ax.figure.savefig(
            page, format="svg", dpi=DOTS, metadata={"Date": None, "Creator": None, "Format": None}
        )
    return dress_svg(_plain(page.getvalue()), alt)


def spread(low: float, high: float, count: int) -> tuple[float, ...]:
    """So many places from one end to the other, evenly spread."""
    return tuple(low + (high - low) * k / (count - 1) for k in range(count))


def sentences(*parts: str) -> str:
    """The parts with a full stop each; a number such as `4.` brings its own.

    >>> sentences("Descent", "from 4. to 1.")
    'Descent. from 4. to 1.'
    """
    return " ".join(f"{part.removesuffix('.')}." for part in parts)


def _plain(svg: str) -> str:
    """matplotlib's SVG in our form: attributes instead of styles, because the dark theme goes by
    attribute; two digits, because more are neither seen nor equal on every machine."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\s*|<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style[^>]*>(.*?)</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*</defs>\s*", "", svg)
    svg = re.sub(r"<g id=\"from-(\d+)\">", r'<g data-from="\1">', svg)  # a step of a film
    svg = re.sub(r"<g id=\"[^\"]*\">", "<g>", svg)
    svg = re.sub(r"<[^>]+>", lambda tag: _attributes(tag[0]), svg)
    svg = re.sub(r'(width|height)="([0-9.]+)pt"', lambda m: f'{m[1]}="{float(m[2]):g}"', svg)
    for known in (' xmlns:xlink="http://www.w3.org/1999/xlink"', ' version="1.1"', "xlink:"):
        svg = svg.replace(known, "")
    # An id is a hash of numbers in full precision: numbered in their order, they are the same too.
    for k, name in enumerate(dict.fromkeys(re.findall(r'id="([^"]*)"', svg)), start=1):
        svg = re.sub(rf'(id="|#){re.escape(name)}\b', rf"\g<1>p{k}", svg)
    # `width` and `height` come first in each of our drawings: `compare` reads them there.
    head, body = svg.split(">", 1)
    size = "".join(re.findall(r' (?:width|height)="[^"]*"', head))
    head = re.sub(r' (?:width|height)="[^"]*"', "", head).replace("<svg", f"<svg{size}", 1)
    body = re.sub(r"\s*\n\s*([LQCMz])", r"\1", re.sub(r"\n\s*", "\n", body))
    return f"{head}>{body}".strip()


def _attributes(tag: str) -> str:
    tag = re.sub(r' style="([^"]*)"', lambda style: _strip_style(style[1]), tag)
    tag = re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", tag)
    for face, family in (("Courier", "monospace"), ("Helvetica", "sans-serif")):
        tag = re.sub(
            rf"font-family=\"[^\"]*'?{family}'?[^\"]*\"", f'font-family="{FONTS[face]}"', tag
        )
    return tag


def _strip_style(style: str) -> str:
    found = []
    for rule in filter(None, (rule.strip() for rule in style.split(";"))):
        name, _, value = rule.partition(":")
        value = value.strip()
        if name == "font":  # `bold 12px 'DejaVu Sans', ..., sans-serif`
            size = re.search(r"([0-9.]+)px\s+(.*)", value)
            assert size is not None
            found += [f'font-size="{size[1]}"', f'font-family="{size[2]}"']
            weight = re.match(r"(bold|\d+) ", value)
            found += [f'font-weight="{weight[1]}"'] if weight else []
        else:
            plain = value.removesuffix("px")
            found.append(f'{name}="{plain}"')
    return "".join(f" {attribute}" for attribute in found)
