"""The drawing of a broadcast: the table of sizes, then both operands stretched, cell by cell."""

from course_lib.viz.broadcast import (
    Broadcast,
    Part,
    blocks,
    entry,
    grid,
    notes,
    sentences,
    shown,
    strides,
    title,
)
from course_lib.viz.chart import Chart
from course_lib.viz.storage_svg import LETTER, PAD, WIDE

HIGH, COLUMN = 28, 92  # of a table row, of a dimension
FILLS = (("leaf", "leaf line"), ("saved", "saved line"))  # of the first and of the second operand


def broadcast_svg(broadcast: Broadcast, alt: str) -> str:
    """Table, grids and sentences, from top to bottom."""
    chart = Chart()
    chart.text(PAD, PAD + 6, title(broadcast), 14, face="Helvetica", bold=True)
    y = _table(chart, broadcast, PAD + 34.0)
    y = chart.sentences(y, sentences(broadcast), "ink")
    if broadcast.result is not None:
        y = _grids(chart, broadcast, y + 10)
        said = [
            note.replace("in (round brackets)", "with dashed lines") for note in notes(broadcast)
        ]
        chart.sentences(y, said)
    return chart.svg(alt)


def _table(chart: Chart, broadcast: Broadcast, y: float) -> float:
    """Sizes by dimension, so that the right ends of the shapes stand below each other."""
    names = [part.name for part in broadcast.parts]
    left = PAD + max(map(len, [*names, "dimension"])) * LETTER + 16
    xs = [left + dim * (COLUMN + 6) for dim in range(broadcast.dims)]
    chart.text(PAD, y, "dimension", 11.5, "muted", face="Helvetica")
    for dim, x in enumerate(xs):
        chart.text(x + COLUMN / 2, y, str(dim), 11.5, "muted", "middle")
    y += 8
    for part, (fill, line) in zip(broadcast.parts, FILLS, strict=True):
        chart.text(PAD, y + 18, part.name, bold=True)
        for dim, x in enumerate(xs):
            failed = dim == broadcast.failed
            told = entry(broadcast, part, dim).replace("->", "\N{RIGHTWARDS ARROW}")
            if failed:
                chart.frame(x, y, COLUMN, HIGH, "stale", "stale line", 2.4)
            elif broadcast.size(part, dim) is None:
                chart.frame(x, y, COLUMN, HIGH, "paper", "constant line", 1, "1.5,3")
            elif broadcast.repeats(part, dim):
                chart.frame(x, y, COLUMN, HIGH, "paper", line, 1.6, "5,3")
            else:
                chart.frame(x, y, COLUMN, HIGH, fill, line, 1.4)
            chart.text(x + COLUMN / 2, y + 18, told, anchor="middle", bold=failed)
        if not xs:
            chart.text(left, y + 18, "no dimensions", 11.5, "muted", face="Helvetica")
        y += HIGH + 6
    if broadcast.result is None:
        x = xs[broadcast.failed or 0]
        chart.text(
            x + COLUMN / 2, y + 14, "here it fails", 11.5, "ink", "middle", "Helvetica", True
        )
        return y + 44
    y += 4
    chart.text(PAD, y + 18, "result", bold=True)
    for x, size in zip(xs, broadcast.result, strict=True):
        chart.frame(x - 3, y - 3, COLUMN + 6, HIGH + 6, "paper", "result line")
        chart.frame(x, y, COLUMN, HIGH, "result", "result line", 1.6)
        chart.text(x + COLUMN / 2, y + 18, str(size), anchor="middle", bold=True)
    if not xs:
        chart.text(left, y + 18, "no dimensions", 11.5, "muted", face="Helvetica")
    return y + HIGH + 30


def _grids(chart: Chart, broadcast: Broadcast, y: float) -> float:
    """Both operands side by side, or below each other where the page ends."""
    x, lowest = float(PAD), y
    for part, look in zip(broadcast.parts, FILLS, strict=True):
        told = [cell for cell, _ in grid(broadcast, part)]
        wide = max([36.0, *(len(cell) * LETTER + 14 for cell in told)])
        head = f"as {broadcast.result}, stride {strides(broadcast, part)}"
        columns = shown(broadcast.result or ())[-1:] or (1,)
        needs = max(columns[0] * wide, len(head) * 11 * 0.605)
        if x > PAD and x + needs > WIDE:
            x, y = float(PAD), lowest + 14
        chart.text(x, y + 10, part.name, bold=True)
        chart.text(x, y + 25, head, 11, "muted")
        lowest = max(lowest, _grid(chart, broadcast, part, look, (x, y + 34), wide))
        x += needs + 36
    return lowest + 30


def _grid(
    chart: Chart, broadcast: Broadcast, part: Part, look: tuple[str, str],
    corner: tuple[float, float], wide: float,
) -> float:  # fmt: skip
    """The cells of one operand; returns where they end."""
    x, top = corner
    cells = grid(broadcast, part)
    if not cells:
        chart.text(x, top + 12, "no elements", 11, "muted")
        return top + 16
    rows, columns = (1, 1, *shown(broadcast.result or ()))[-2:]
    for block, label in enumerate(blocks(broadcast.result or ())):
        if label:
            chart.text(x, top + 10, label, 11, "muted")
            top += 16
        for k, (told, ghost) in enumerate(cells[block * rows * columns :][: rows * columns]):
            row, column = divmod(k, columns)
            at = (x + column * wide, top + row * HIGH)
            if ghost:
                chart.frame(*at, wide, HIGH, "paper", look[1], 1, "4,3")
            else:
                chart.frame(*at, wide, HIGH, *look, 1.6)
            role = "muted" if ghost else "ink"
            chart.text(at[0] + wide / 2, at[1] + 18, told, 12, role, "middle", bold=not ghost)
        top += rows * HIGH + 8
    return top - 8
