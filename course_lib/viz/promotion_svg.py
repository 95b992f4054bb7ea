"""The drawing of a promotion: the chart of dtypes, with the ways of two operands lit."""

from course_lib.viz.chart import Chart
from course_lib.viz.promotion import CATEGORIES, NEXT, Operand, Promotion, told
from course_lib.viz.storage_svg import LETTER, PAD

HIGH, ROW, GAP = 26, 62, 26  # of a box, from row to row, between columns
# column and row of each dtype; a half row lies between two rows
SPOTS = {
    "bool": (0, 1.5),
    "uint8": (1, 1),
    "int8": (1, 2),
    "int16": (2, 1.5),
    "int32": (3, 1.5),
    "int64": (4, 1.5),
    "complex32": (5, 0),
    "float16": (5, 1),
    "bfloat16": (5, 2),
    "complex64": (6, 0),
    "float32": (6, 1),
    "complex128": (7, 0),
    "float64": (7, 1),
}


def promotion_svg(promotion: Promotion, title: str, alt: str) -> str:
    """The chart with its operands above and its reasons below."""
    chart = Chart()
    chart.text(PAD, PAD + 6, title, 14, face="Helvetica", bold=True)
    y = PAD + 30.0
    for letter, one in zip("AB", promotion.operands, strict=True):
        _row_of(chart, letter, one, y)
        y += 21
    seen = _seen(promotion)
    places = {dtype: place for dtype, place in _places(y + 34).items() if dtype in seen}
    lit = {
        step
        for one in promotion.operands
        if one.role != "gives way"
        for step in zip(one.path, one.path[1:], strict=False)
    }
    for dtype, place in places.items():
        for later in NEXT[dtype]:
            if later in places:
                _step(chart, place, places[later], (dtype, later) in lit)
    for dtype, place in places.items():
        _dtype(chart, dtype, place, promotion)
    _categories(chart, places)
    y = chart.height + 26
    chart.sentences(y, list(promotion.reasons), "ink")
    return chart.svg(alt)


def _row_of(chart: Chart, letter: str, one: Operand, y: float) -> None:
    chart.frame(PAD, y - 12, 16, 16, "leaf", "leaf line", 1.4)
    chart.text(PAD + 8, y, letter, anchor="middle", bold=True)
    chart.text(PAD + 26, y, one.name, bold=True)
    words = f"{told(one)}: {one.role}"
    chart.text(PAD + 26 + len(one.name) * LETTER + 14, y, words, 11.5, "muted", face="Helvetica")


def _seen(promotion: Promotion) -> set[str]:
    """The dtypes that are drawn: complex32, which few meet, only when it is concerned."""
    concerned = {promotion.result, *(one.dtype for one in promotion.operands)}
    return {dtype for dtype in NEXT if dtype != "complex32" or dtype in concerned}


def _places(top: float) -> dict[str, tuple[float, float, float]]:
    """Left edge, top edge and width of each box."""
    widths = [0.0] * 8
    for dtype, (column, _) in SPOTS.items():
        widths[column] = max(widths[column], len(dtype) * LETTER + 16)
    lefts = [PAD + sum(widths[:column]) + column * GAP for column in range(8)]
    return {
        dtype: (lefts[column], top + row * ROW, widths[column])
        for dtype, (column, row) in SPOTS.items()
    }


def _step(
    chart: Chart, start: tuple[float, float, float], end: tuple[float, float, float], lit: bool
) -> None:
    """An arrow between two boxes: to the right, or straight up within a column."""
    (x0, y0, w0), (x1, y1, _) = start, end
    if x0 == x1:
        middle = x0 + w0 / 2
        chart.arrow((middle, y0 - 1), (middle, y1 + HIGH + 5), lit)
    else:
        chart.arrow((x0 + w0 + 1, y0 + HIGH / 2), (x1 - 5, y1 + HIGH / 2), lit)


def _dtype(
    chart: Chart, dtype: str, place: tuple[float, float, float], promotion: Promotion
) -> None:
    """The box of one dtype, with the letters of the operands that start there."""
    x, y, wide = place
    starts = [
        (letter, one)
        for letter, one in zip("AB", promotion.operands, strict=True)
        if one.dtype == dtype
    ]
    on_the_way = any(dtype in one.path and one.role != "gives way" for one in promotion.operands)
    away = bool(starts) and all(one.role != "counts" for _, one in starts)
    if dtype == promotion.result:
        chart.frame(x - 4, y - 4, wide + 8, HIGH + 8, "paper", "result line", 1.6)
        chart.frame(x, y, wide, HIGH, "result", "result line", 2.4)
        chart.text(x + wide / 2 + 9, y + HIGH + 18, "result", 11.5, face="Helvetica", bold=True)
    elif away:
        chart.frame(x, y, wide, HIGH, "paper", "leaf line", 1.6, "5,3")
    elif starts:
        chart.frame(x, y, wide, HIGH, "leaf", "leaf line", 2.4)
    elif on_the_way:
        chart.frame(x, y, wide, HIGH, "paper", "result line", 2)
    else:
        chart.frame(x, y, wide, HIGH, "function", "function line")
    strong = bool(starts) or dtype == promotion.result
    chart.text(x + wide / 2, y + 17, dtype, anchor="middle", bold=strong)
    for k, (letter, _) in enumerate(starts):
        left = x - 6 + k * 18
        chart.frame(left, y - 22, 16, 16, "leaf", "leaf line", 1.4)
        chart.text(left + 8, y - 10, letter, anchor="middle", bold=True)


def _categories(chart: Chart, places: dict[str, tuple[float, float, float]]) -> None:
    """The names of the categories: above the complex ones, below the others."""
    bottom = max(y for _, y, _ in places.values()) + HIGH + 30
    for name, members in CATEGORIES.items():
        drawn = [places[dtype] for dtype in members if dtype in places]
        left, right = min(x for x, _, _ in drawn), max(x + w for x, _, w in drawn)
        if name == "complex":
            at = min(y for _, y, _ in drawn) - 30
            chart.line([(left, at + 5), (left, at), (right, at), (right, at + 5)], "constant line")
            chart.text((left + right) / 2, at - 5, name, 11.5, "muted", "middle", "Helvetica")
            continue
        chart.line(
            [(left, bottom - 5), (left, bottom), (right, bottom), (right, bottom - 5)],
            "constant line",
        )
        chart.text((left + right) / 2, bottom + 14, name, 11.5, "muted", "middle", "Helvetica")
