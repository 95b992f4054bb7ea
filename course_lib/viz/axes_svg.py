"""The drawing of rows of axes: a box per dimension, a line to where it was one row above."""

from course_lib.viz.axes import Axis, Row
from course_lib.viz.storage_svg import LETTER, PAD, Sheet
from course_lib.viz.theme import light, place

HIGH, GAP, BETWEEN = 44.0, 14.0, 34.0  # pixels: a box, the way to the next box, to the next row


def axes_svg(rows: list[Row], sentences: list[str], alt: str) -> str:
    """The drawing of tensors as rows of axes, with sentences below."""
    sheet = Sheet()
    wide = max([len(_size(axis)) for row in rows for axis in row.axes] + [12]) * 6.8 + 14
    wide = max([wide, *(len(axis.label) * LETTER + 14 for row in rows for axis in row.axes)])
    left = PAD + max(len(row.name) for row in rows) * LETTER + 14
    labels = list(dict.fromkeys(axis.label for row in rows for axis in row.axes))
    y = float(PAD)
    for i, row in enumerate(rows):
        if i and row.shares:
            for d, axis in enumerate(row.axes):
                _line(sheet, axis, left + wide / 2, wide + GAP, d, y)
        y += BETWEEN if i else 0
        sheet.text(PAD, y + 18, row.name, bold=True)
        for d, axis in enumerate(row.axes):
            x = left + d * (wide + GAP)
            is_new = i > 0 and axis.was is None
            fill = light("paper") if is_new else place(labels.index(axis.label), len(labels))
            sheet.box(x, y, wide, HIGH, fill, "4,3" if is_new else "")
            sheet.text(x + wide / 2, y + 18, axis.label, anchor="middle", bold=True)
            sheet.text(x + wide / 2, y + 34, _size(axis), 11, "muted", "middle")
        if not row.axes:
            sheet.text(left, y + 18, "no dimension", 11, "muted")
        y += HIGH
    y += 20
    for sentence in sentences:
        sheet.text(PAD, y, sentence, 11, "muted", face="Helvetica")
        y += 15
    return sheet.svg(alt)


def _size(axis: Axis) -> str:
    return f"size {axis.size}, stride {axis.stride}"


def _line(sheet: Sheet, axis: Axis, x: float, pitch: float, d: int, y: float) -> None:
    """From the box above to the box below; dashed where only a part goes on."""
    if axis.was is None:
        return
    start, end = x + axis.was * pitch, x + d * pitch
    look = f'fill="none" stroke="{light("arrow")}" stroke-width="1.6"'
    look += ' stroke-dasharray="4,3"' if axis.is_part else ""
    low = y + BETWEEN
    bend = f"C{start:g},{y + 16:g} {end:g},{low - 16:g} {end:g},{low - 1:g}"
    sheet.shapes.append(f'<path d="M{start:g},{y:g}{bend}" {look}/>')
    head = f"M{end - 4:g},{low - 7:g}L{end:g},{low - 1:g}L{end + 4:g},{low - 7:g}"
    sheet.shapes.append(f'<path d="{head}" fill="none" stroke="{light("arrow")}"/>')
