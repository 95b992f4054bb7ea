"""The drawing of storages: bars of cells, a track per tensor below, then the tensors as grids.

The layout is a grid, so it is ours; Graphviz would have nothing to decide. `Sheet` collects shapes
and grows with them.
"""

from html import escape

from course_lib.viz.storage import Bar, Window, told, value_at
from course_lib.viz.svg import FONTS, dressed
from course_lib.viz.theme import light, place

HIGH, TRACK, PAD, GAP, WIDE, LETTER = (
    34,
    17,
    14,
    20,
    760,
    7.3,
)  # pixels; LETTER: one 12 px typewriter letter


class Sheet:
    """Shapes in drawing order and the room they take.

    >>> sheet = Sheet()
    >>> sheet.text(0, 10, "a")
    >>> sheet.width > 0
    True
    """

    def __init__(self) -> None:
        self.shapes: list[str] = []
        self.width = self.height = 0.0

    def text(
        self, x: float, y: float, words: str, size: float = 12, role: str = "ink",
        anchor: str = "start", face: str = "Courier", bold: bool = False,
    ) -> None:  # fmt: skip
        left = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        self._reach(x + (1 - left) * len(words) * size * 0.605, y + 4)
        weight = ' font-weight="bold"' if bold else ""
        self.shapes.append(
            f'<text xml:space="preserve" x="{x:g}" y="{y:g}" text-anchor="{anchor}" '
            f'font-family="{FONTS[face]}" font-size="{size:g}"{weight} fill="{light(role)}">'
            f"{escape(words)}</text>"
        )

    def box(self, x: float, y: float, w: float, h: float, fill: str, dash: str = "") -> None:
        self._reach(x + w, y + h)
        line = light("muted") if dash else light("arrow")
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" '
            f'stroke="{line}"{dashes}/>'
        )

    def _reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def svg(self, alt: str) -> str:
        width, height = round(self.width + PAD), round(self.height + PAD)
        head = f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        page = f'<rect width="{width}" height="{height}" fill="{light("paper")}"/>'
        shapes = "\n".join([page, *self.shapes])
        return dressed(f'{head}xmlns="http://www.w3.org/2000/svg">\n{shapes}\n</svg>', alt)


def storage_svg(bars: list[Bar], sentences: list[str], alt: str) -> str:
    """The drawing of some storages, with sentences below."""
    sheet = Sheet()
    y = PAD + 4.0
    for bar in bars:
        y = _bar(sheet, bar, y)
        y = _windows(sheet, bar, y)
    for sentence in sentences:
        sheet.text(PAD, y, sentence, 11, "muted", face="Helvetica")
        y += 15
    return sheet.svg(alt)


def _cell_width(bar: Bar) -> float:
    longest = max([len(cell) for cell in bar.cells] + [len(f"@{len(bar.cells)}")])
    return max(36.0, longest * LETTER + 12)


def _bar(sheet: Sheet, bar: Bar, y: float) -> float:
    """The storage itself, in as many lines as it needs; returns where to go on."""
    wide = _cell_width(bar)
    names = [window.name for window in bar.windows]
    left = PAD + max(map(len, names)) * LETTER + 12
    plural = "cell" if bar.size == 1 else "cells"
    sheet.text(PAD, y + 4, "storage", bold=True)
    sheet.text(PAD + 8 * LETTER, y + 4, f"{bar.size:,} {plural}, {bar.dtype}", 11, "muted")
    y += 14
    per_line = max(int((WIDE - left) // wide), 4)
    unused = set(bar.unused())
    for start in range(0, len(bar.cells), per_line):
        line = range(start, min(start + per_line, len(bar.cells)))
        for k in line:
            x = left + (k - start) * wide
            if k in unused:
                sheet.box(x, y, wide, HIGH, light("paper"), "1.5,3")
            else:
                sheet.box(x, y, wide, HIGH, place(k, len(bar.cells)))
            _cell(sheet, x + wide / 2, y, bar.cells[k], k)
        y += HIGH + 3
        for window in bar.windows:
            _track(sheet, window, line, left, wide, y)
            y += TRACK
        y += 10
    return y + 6


def _cell(sheet: Sheet, x: float, y: float, value: str, k: int) -> None:
    sheet.text(x, y + 15, value, anchor="middle")
    sheet.text(x, y + 28, f"@{k}", 10, "muted", "middle")


def _track(sheet: Sheet, window: Window, line: range, left: float, wide: float, y: float) -> None:
    """Under the bar, one mark per cell that the tensor uses, with a count when more than once."""
    sheet.text(PAD, y + 10, window.name, bold=True)
    for k in line:
        times = window.uses[k]
        x = left + (k - line.start) * wide
        if times == 1:
            sheet.box(x + 5, y + 5, wide - 10, 4, light("arrow"))
        elif times:
            sheet.text(x + wide / 2, y + 11, f"{times} x", 11, "ink", "middle")


def _windows(sheet: Sheet, bar: Bar, y: float) -> float:
    """The tensors side by side, in a new line where the page ends; returns where to go on."""
    wide = _cell_width(bar)
    x, lowest = float(PAD), y
    for window in bar.windows:
        columns = window.shown[-1] if window.shown else 1
        needs = max(columns * wide + 30, (len(told(window)) + 2) * 11 * 0.605)
        if x > PAD and x + needs > WIDE:
            x, y = float(PAD), lowest + 14
        lowest = max(lowest, _grid(sheet, bar, window, x, y, wide))
        x += needs + 24
    return lowest + 30


def _grid(sheet: Sheet, bar: Bar, window: Window, x: float, y: float, wide: float) -> float:
    sheet.text(x, y + 10, window.name, bold=True)
    sheet.text(x, y + 25, told(window), 11, "muted")
    top = y + 34
    if not window.places:
        sheet.text(x, top + 12, "no elements", 11, "muted")
        return top + 16
    columns = window.shown[-1] if window.shown else 1
    rows = window.shown[-2] if len(window.shown) > 1 else 1
    blocks = len(window.places) // (rows * columns)
    pitch = rows * HIGH + GAP
    top += GAP - 8 if blocks > 1 else 0
    for k, spot in enumerate(window.places):
        block, inside = divmod(k, rows * columns)
        if blocks > 1 and inside == 0:
            index = ", ".join(map(str, _unravel(block, window.shown[:-2])))
            sheet.text(x, top + block * pitch - 5, f"{window.name}[{index}]", 10.5, "muted")
        row, column = divmod(inside, columns)
        at = (x + column * wide, top + block * pitch + row * HIGH)
        if window.seen_before(k):
            sheet.box(*at, wide, HIGH, light("paper"), "4,3")
        else:
            sheet.box(*at, wide, HIGH, place(spot, len(bar.cells)))
        _cell(sheet, at[0] + wide / 2, at[1], value_at(bar, spot), spot)
    return top + blocks * pitch - GAP


def _unravel(k: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The index whose number in row order is `k`.

    >>> _unravel(5, (2, 3))
    (1, 2)
    """
    index: tuple[int, ...] = ()
    for n in reversed(shape):
        k, i = divmod(k, n)
        index = (i, *index)
    return index
