"""The drawing of a time line: code on the left, a rail per tensor, time runs downwards."""

from course_lib.viz.chart import Chart
from course_lib.viz.storage_svg import LETTER, PAD
from course_lib.viz.timeline import Mark, Moment, Timeline

ROW, HIGH, LETTERS = 34, 24, 46  # of a row, of a mark; letters of code in a line
# kind of a mark: (fill, line, width of the line)
LOOKS = {
    "new": ("paper", "leaf line", 1.4),
    "written": ("result", "result line", 2.2),
    "saved": ("saved", "saved line", 1.4),
    "now": ("paper", "leaf line", 1.4),
    "stale": ("stale", "stale line", 2.6),
}


def timeline_svg(timeline: Timeline, alt: str) -> str:
    """Title, rails with their marks, and the error below."""
    chart = Chart()
    chart.text(PAD, PAD + 6, timeline.title, 14, face="Helvetica", bold=True)
    y = put_timeline(chart, timeline, PAD + 40.0) + 20
    if timeline.error:
        y = chart.sentences(y, [f"PyTorch says: {timeline.error}"], "ink") + 6
    chart.sentences(y, list(timeline.captions))
    return chart.svg(alt)


def put_timeline(chart: Chart, timeline: Timeline, y: float) -> float:
    """The rails with their marks, drawn on a chart from `y` on; returns where they end."""
    wheres = max((len(moment.where) for moment in timeline.moments), default=0)
    whats = max((len(_cut(moment.what)) for moment in timeline.moments), default=0)
    code = PAD + (wheres * LETTER + 14 if wheres else 0)
    left = code + whats * LETTER + 26
    words = [_words(mark) for moment in timeline.moments for mark in moment.marks]
    longest = max(map(len, [*words, *timeline.tracks]), default=0)
    wide = longest * LETTER + 22
    rails = [left + track * (wide + 16) for track in range(len(timeline.tracks))]
    for name, x in zip(timeline.tracks, rails, strict=True):
        chart.text(x + wide / 2, y, name, anchor="middle", bold=True)
    y += 12
    tops = []
    for moment in timeline.moments:
        tops.append(y)
        y += ROW * _rows(moment)
    _rails(chart, timeline, tops, rails, wide, y)
    for moment, top in zip(timeline.moments, tops, strict=True):
        chart.text(PAD, top + 20, moment.where, 11, "muted")
        chart.text(code, top + 20, _cut(moment.what))
        _marks(chart, moment, top, rails, wide)
    return y


def _cut(code: str) -> str:
    return code if len(code) <= LETTERS else code[: LETTERS - 3] + "..."


def _rows(moment: Moment) -> int:
    """How many marks stand below each other, on the busiest rail."""
    counts = [mark.track for mark in moment.marks]
    return max([1, *map(counts.count, counts)])


def _words(mark: Mark) -> str:
    """What is written on a mark."""
    function = mark.by.removesuffix("Backward0")
    return {
        "new": f"version {mark.version}",
        "written": f"written: {mark.before} \N{RIGHTWARDS ARROW} {mark.version}",
        "saved": f"{function} saves {'a view, ' if mark.view else ''}version {mark.version}",
        "now": f"version {mark.version}",
        "stale": f"{function} wants {mark.before}, finds {mark.version}",
    }[mark.kind]


def _rails(
    chart: Chart, timeline: Timeline, tops: list[float], rails: list[float], wide: float, end: float
) -> None:
    for track, x in enumerate(rails):
        own = [
            top
            for moment, top in zip(timeline.moments, tops, strict=True)
            if any(mark.track == track for mark in moment.marks)
        ]
        if own:
            middle = x + wide / 2
            chart.line([(middle, own[0] + HIGH), (middle, end)], "constant line", 1.6)


def _marks(chart: Chart, moment: Moment, top: float, rails: list[float], wide: float) -> None:
    down = [0] * len(rails)
    for mark in moment.marks:
        x, y = rails[mark.track], top + down[mark.track] * ROW + 4
        down[mark.track] += 1
        fill, line, width = LOOKS[mark.kind]
        if mark.kind == "stale":
            chart.frame(x - 4, y - 4, wide + 8, HIGH + 8, "paper", line, 1.4)
        dash = "5,3" if mark.kind == "saved" else ""
        chart.frame(x, y, wide, HIGH, fill, line, width, dash, 0 if mark.kind == "saved" else 6)
        bold = mark.kind in ("written", "stale")
        chart.text(x + wide / 2, y + 16, _words(mark), anchor="middle", bold=bold)
