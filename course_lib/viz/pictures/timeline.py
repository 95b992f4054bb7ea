"""A time line of version counters, as plain data: what happened, to which tensor, in which line."""

from dataclasses import dataclass, replace

from course_lib.viz.drawing.film import Scene, during
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart
from course_lib.viz.drawing.text import cut

MOMENTS, TRACKS = 24, 6  # that are drawn
BEFORE = "before"  # where a film looks for the first time: at what was there already
# Kinds of marks by how much they matter: what is written comes first.
TOLD = {"stale": 1000, "written": 100, "uncounted": 100, "saved": 10}


@dataclass(frozen=True)
class Mark:
    """Something that happened to the tensor of a track.

    `kind` is "new" (its counter begins), "written", "uncounted" (its numbers changed, its counter
    did not), "saved" (by the function `by`), "now", "stale" (the function wants version `before`
    and finds `version`).
    """

    track: int
    kind: str
    version: int
    before: int | None = None
    by: str = ""
    view: bool = False  # it is a view of that tensor which was saved: they share the counter


@dataclass(frozen=True)
class Moment:
    """One row: where in the code, what stands there, and the marks."""

    where: str
    what: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Timeline:
    """Everything a picture of versions says; `tracks` are names of tensors.

    >>> Timeline("Versions", (), ()).error
    ''
    """

    title: str
    tracks: tuple[str, ...]
    moments: tuple[Moment, ...]
    error: str = ""
    captions: tuple[str, ...] = ()


def describe_mark(mark: Mark, tracks: tuple[str, ...]) -> str:
    """A mark in words.

    >>> describe_mark(Mark(0, "written", 1, 0), ("y",))
    'y is written: version 0 -> 1'
    """
    name = f"a view of {tracks[mark.track]}" if mark.view else tracks[mark.track]
    return {
        "new": f"{name} begins at version {mark.version}",
        "written": f"{name} is written: version {mark.before} -> {mark.version}",
        "uncounted": f"{name}: numbers changed, not counted, still version {mark.version}",
        "saved": f"{mark.by} saves {name} at version {mark.version}",
        "now": f"{name} is at version {mark.version}",
        "stale": f"{mark.by} wants {name} at version {mark.before}, finds version {mark.version}",
    }[mark.kind]


def words_of(timeline: Timeline) -> list[str]:
    """The lines of the text form."""
    wide = max((len(moment.where) for moment in timeline.moments), default=0)
    lines = [timeline.title]
    for moment in timeline.moments:
        lines.append(f"{moment.where.ljust(wide)}  {moment.what}".strip())
        lines += [f"    {describe_mark(mark, timeline.tracks)}" for mark in moment.marks]
    if timeline.error:
        lines.append(f"PyTorch says: {timeline.error}")
    return lines + list(timeline.captions)


def scenes_of(timeline: Timeline) -> list[Scene]:
    """The moments as steps of a film."""
    scenes = [
        Scene(
            f"{moment.where}  {moment.what}".strip(),
            tuple(describe_mark(mark, timeline.tracks) for mark in moment.marks),
        )
        for moment in timeline.moments
    ]
    if timeline.error and scenes:
        last = scenes[-1]
        scenes[-1] = replace(last, words=(*last.words, f"PyTorch says: {timeline.error}"))
    return scenes


def alt_of(timeline: Timeline) -> str:
    """What is to be seen: who is saved, who is written, and how it ends."""
    marks = [mark for moment in timeline.moments for mark in moment.marks]
    said = [describe_mark(m, timeline.tracks) for m in marks if m.kind in TOLD]
    more = f"{len(said) - 8} more. " if len(said) > 8 else ""
    sentences = "".join(f"{words}. " for words in said[:8])
    return f"{timeline.title}. {sentences}{more}{timeline.error}".strip()


def keep_drawable(timeline: Timeline) -> Timeline:
    """The same without tensors that nobody saves or writes, and of a size that can be drawn.

    In a film, what was saved before its first line does not count; and of tensors that only
    appear, those made inside the block are kept where nothing is saved or written.
    """
    score = [0] * len(timeline.tracks)
    for moment in timeline.moments:
        for mark in moment.marks:
            weight = TOLD.get(mark.kind, 1 if mark.kind == "new" else 0)
            weight = 0 if moment.where == BEFORE else weight
            score[mark.track] = max(score[mark.track], weight)
    least = 10 if max(score, default=0) >= 10 else min(1, max(score, default=0))
    wanted = [track for track, points in enumerate(score) if points >= least]
    chosen = sorted(sorted(wanted, key=lambda track: -score[track])[:TRACKS])
    moments = []
    for moment in timeline.moments:
        left = tuple(
            replace(mark, track=chosen.index(mark.track))
            for mark in moment.marks
            if mark.track in chosen
        )
        if left:
            moments.append(replace(moment, marks=left))
    captions = timeline.captions
    if len(wanted) > TRACKS:
        captions += (f"{len(wanted) - TRACKS} more tensors are not shown.",)
    if len(moments) > MOMENTS:
        captions += (f"{len(moments) - MOMENTS:,} moments in between are not shown.",)
        moments = moments[: MOMENTS // 2] + moments[-MOMENTS // 2 :]
    names = number_names([timeline.tracks[track] for track in chosen])
    return replace(timeline, tracks=names, moments=tuple(moments), captions=captions)


def number_names(names: list[str]) -> tuple[str, ...]:
    """The names with a number behind those that come again: a variable may get a new tensor.

    >>> number_names(["x", "y", "y"])
    ('x', 'y', 'y (2)')
    """
    counts = [names[: k + 1].count(name) for k, name in enumerate(names)]
    return tuple(
        name if count == 1 else f"{name} ({count})"
        for name, count in zip(names, counts, strict=True)
    )


# ---- the drawing ----

ROW, HIGH, LETTERS = 34, 24, 46  # of a row, of a mark; letters of code in a line
# kind of a mark: (fill, line, width of the line)
LOOKS = {
    "new": ("paper", "leaf line", 1.4), "written": ("result", "result line", 2.2),
    "uncounted": ("stale", "stale line", 1.4), "saved": ("saved", "saved line", 1.4),
    "now": ("paper", "leaf line", 1.4), "stale": ("stale", "stale line", 2.6),
}  # fmt: skip


def timeline_svg(timeline: Timeline, alt: str) -> str:
    """A film of it: title, rails with their marks, and the error below."""
    chart = Chart()
    chart.heading(timeline.title)
    y = put_timeline(chart, timeline, PAD + 40.0, film=True) + 20
    if timeline.error:
        start = len(chart.shapes)
        y = chart.sentences(y, [f"PyTorch says: {timeline.error}"], "ink") + 6
        _appear(chart, start, len(timeline.moments) - 1)
    chart.sentences(y, list(timeline.captions))
    return chart.svg(alt)


def put_timeline(chart: Chart, timeline: Timeline, y: float, film: bool = False) -> float:
    """The rails with their marks, drawn on a chart from `y` on; returns where they end.

    In a film, each moment appears with its step.
    """
    wheres = max((len(moment.where) for moment in timeline.moments), default=0)
    whats = max((len(cut(moment.what, LETTERS)) for moment in timeline.moments), default=0)
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
    for k, (moment, top) in enumerate(zip(timeline.moments, tops, strict=True)):
        start = len(chart.shapes)
        chart.text(PAD, top + 20, moment.where, 11, "muted")
        chart.text(code, top + 20, cut(moment.what, LETTERS))
        _marks(chart, moment, top, rails, wide)
        if film:
            _appear(chart, start, k)
    return y


def _appear(chart: Chart, start: int, step: int) -> None:
    """The shapes from number `start` on are to be seen from a step of the film on."""
    chart.shapes[start:] = [during(shape, step, step, step) for shape in chart.shapes[start:]]


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
        "uncounted": "numbers changed, not counted",
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
