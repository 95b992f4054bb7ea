"""The drawing of a walk: a bar of cells, an arc from each element to the next in row order."""

from course_lib.viz.storage import Bar, Window, told, value_at
from course_lib.viz.storage_svg import HIGH, PAD, Sheet
from course_lib.viz.strides import Step, Walk
from course_lib.viz.theme import light, place

WIDE, ARC, FULL = 36.0, 16.0, 46.0  # pixels: a cell, the lowest and the highest arc
CELLS = 28  # that are drawn


def strides_svg(bar: Bar, window: Window, walk: Walk, sentences: list[str], alt: str) -> str:
    """The drawing of one walk, with sentences below."""
    sheet = Sheet()
    sheet.text(PAD, PAD + 4, window.name, bold=True)
    sheet.text(PAD + (len(window.name) + 1) * 7.3, PAD + 4, told(window), 11, "muted")
    top = PAD + 30 + max([_rise(step) for step in walk.steps if _over(step)], default=0)
    cells = min(len(bar.cells), max(walk.places, default=0) + 1, CELLS)
    for k in range(cells):
        x, seen = PAD + k * WIDE, k in walk.places
        fill = place(k, len(bar.cells)) if seen else light("paper")
        sheet.box(x, top, WIDE, HIGH, fill, "" if seen else "1.5,3")
        sheet.text(x + WIDE / 2, top + 15, value_at(bar, k), anchor="middle")
        sheet.text(x + WIDE / 2, top + 28, f"@{k}", 10, "muted", "middle")
    for step in walk.steps:
        if max(step.start, step.end) < cells:
            _arc(sheet, step, top if _over(step) else top + HIGH)
    y = top + HIGH + 24 + max([_rise(step) for step in walk.steps if not _over(step)], default=0)
    if not all(step.fits for step in walk.steps):
        sentences = [*sentences, "Dashed: a step unlike those of the last dimension."]
    if max(walk.places, default=0) >= cells:
        sentences = [*sentences, f"Cells after @{cells - 1} are not drawn."]
    for sentence in sentences:
        sheet.text(PAD, y, sentence, 11, "muted", face="Helvetica")
        y += 15
    return sheet.svg(alt)


def _over(step: Step) -> bool:
    return step.end >= step.start


def _rise(step: Step) -> float:
    return min(ARC + 5 * (abs(step.end - step.start) - 1), FULL)


def _arc(sheet: Sheet, step: Step, y: float) -> None:
    """An arc with an arrow head and its length: above the bar forwards, below it backwards."""
    up = -1 if _over(step) else 1
    x, to = (PAD + k * WIDE + WIDE / 2 for k in (step.start, step.end))
    x, to = x - 4 * up, to + 4 * up  # arcs that meet in a cell leave a gap between them
    if step.start == step.end:
        x, to = x - 8, to + 8
    high = y + up * _rise(step)
    line = light("arrow" if step.fits else "stale line")
    look = '"1.2"' if step.fits else '"1.8" stroke-dasharray="4,3"'
    path = f"M{x:g},{y + 2 * up:g}C{x:g},{high:g} {to:g},{high:g} {to:g},{y + 3 * up:g}"
    sheet.shapes.append(f'<path d="{path}" fill="none" stroke="{line}" stroke-width={look}/>')
    head = f"M{to - 3:g},{y + 8 * up:g}L{to:g},{y + 2 * up:g}L{to + 3:g},{y + 8 * up:g}"
    sheet.shapes.append(f'<path d="{head}" fill="none" stroke="{line}"/>')
    middle = y + up * (0.75 * _rise(step) + 2)
    label = middle - 3 if up < 0 else middle + 12
    length = f"{step.end - step.start:+d}"
    sheet.text((x + to) / 2, label, length, 10, "ink", "middle", bold=not step.fits)
