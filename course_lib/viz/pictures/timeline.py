"""A time line of version counters, as plain data: what happened, to which tensor, in which line."""

from dataclasses import dataclass, replace

from course_lib.viz.drawing.film import Film, Scene, during
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


# kind of a mark: colours of its fill and line, width of the line, what is written on it, and what
# is said of it
KINDS = {
    "new": ("paper", "leaf line", 1.4, "version {version}", "{name} begins at version {version}"),
    "written": ("result", "result line", 2.2, "written: {before} \N{RIGHTWARDS ARROW} {version}",
        "{name} is written: version {before} -> {version}"),
    "uncounted": ("stale", "stale line", 1.4, "numbers changed, not counted",
        "{name}: numbers changed, not counted, still version {version}"),
    "saved": ("saved", "saved line", 1.4, "{function} saves {a_view}version {version}",
        "{by} saves {name} at version {version}"),
    "now": ("paper", "leaf line", 1.4, "version {version}", "{name} is at version {version}"),
    "stale": ("stale", "stale line", 2.6, "{function} wants {before}, finds {version}",
        "{by} wants {name} at version {before}, finds version {version}"),
}  # fmt: skip


def describe_mark(mark: Mark, tracks: tuple[str, ...]) -> str:
    """A mark in words.

    >>> describe_mark(Mark(0, "written", 1, 0), ("y",))
    'y is written: version 0 -> 1'
    """
    name = f"a view of {tracks[mark.track]}" if mark.view else tracks[mark.track]
    return KINDS[mark.kind][-1].format(name=name, **vars(mark))


def _label(mark: Mark) -> str:
    """What is written on a mark."""
    function, a_view = mark.by.removesuffix("Backward0"), "a view, " * mark.view
    return KINDS[mark.kind][-2].format(function=function, a_view=a_view, **vars(mark))


def picture_of_versions(timeline: Timeline) -> Film:
    """The picture of a time line, with the tensors that matter."""
    timeline = keep_drawable(timeline)
    wide = max((len(moment.where) for moment in timeline.moments), default=0)
    lines, scenes, alt = [timeline.title], [], []
    for moment in timeline.moments:
        said = [describe_mark(mark, timeline.tracks) for mark in moment.marks]
        lines.append(f"{moment.where.ljust(wide)}  {moment.what}".strip())
        lines += [f"    {words}" for words in said]
        scenes.append(Scene(f"{moment.where}  {moment.what}".strip(), tuple(said)))
        told = zip(moment.marks, said, strict=True)
        alt += [f"{words}." for mark, words in told if mark.kind in TOLD]
    if timeline.error:
        end = f"PyTorch says: {timeline.error}"
        lines.append(end)
        scenes[-1:] = [replace(scene, words=(*scene.words, end)) for scene in scenes[-1:]]
    alt[8:] = [f"{len(alt) - 8} more."] if len(alt) > 8 else []
    sentence = " ".join([f"{timeline.title}.", *alt, timeline.error]).strip()
    text = "\n".join([*lines, *timeline.captions])
    return Film(text, sentence, scenes, lambda: timeline_svg(timeline, sentence))


def keep_drawable(timeline: Timeline) -> Timeline:
    """The same without tensors that nobody saves or writes, and of a size that can be drawn.

    In a film, what was saved before its first line does not count; and of tensors that only
    appear, those made inside the block are kept where nothing is saved or written.
    """
    score = [0] * len(timeline.tracks)
    for moment in timeline.moments:
        for mark in moment.marks if moment.where != BEFORE else ():
            score[mark.track] = max(score[mark.track], TOLD.get(mark.kind, mark.kind == "new"))
    least = min(10 if max(score, default=0) >= 10 else 1, max(score, default=0))
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
    names: list[str] = []  # with a number where one comes again: a variable may get a new tensor
    known = [timeline.tracks[track] for track in chosen]
    for k, name in enumerate(known):
        again = known[:k].count(name)
        names.append(f"{name} ({again + 1})" if again else name)
    return replace(timeline, tracks=tuple(names), moments=tuple(moments), captions=captions)


# ---- the drawing ----

ROW, HIGH, LETTERS = 34, 24, 46  # of a row, of a mark; letters of code in a line


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
    words = [_label(mark) for moment in timeline.moments for mark in moment.marks]
    longest = max(map(len, [*words, *timeline.tracks]), default=0)
    wide = longest * LETTER + 22
    middles = [left + track * (wide + 16) + wide / 2 for track in range(len(timeline.tracks))]
    for name, x in zip(timeline.tracks, middles, strict=True):
        chart.text(x, y, name, anchor="middle", bold=True)
    y += 12
    tops: list[float] = []
    begins: dict[int, float] = {}  # of rails
    for moment in timeline.moments:
        tops.append(y)
        tracks = [mark.track for mark in moment.marks]
        begins = {track: y + HIGH for track in tracks} | begins
        y += ROW * max([1, *map(tracks.count, tracks)])
    for track in sorted(begins):
        chart.line([(middles[track], begins[track]), (middles[track], y)], "constant line", 1.6)
    for k, (moment, top) in enumerate(zip(timeline.moments, tops, strict=True)):
        start = len(chart.shapes)
        chart.text(PAD, top + 20, moment.where, 11, "muted")
        chart.text(code, top + 20, cut(moment.what, LETTERS))
        for i, mark in enumerate(moment.marks):
            above = sum(other.track == mark.track for other in moment.marks[:i])
            _put_mark(chart, mark, middles[mark.track] - wide / 2, top + above * ROW + 4, wide)
        if film:
            _appear(chart, start, k)
    return y


def _appear(chart: Chart, start: int, step: int) -> None:
    """The shapes from number `start` on are to be seen from a step of the film on."""
    chart.shapes[start:] = [during(shape, step, step, step) for shape in chart.shapes[start:]]


def _put_mark(chart: Chart, mark: Mark, x: float, y: float, wide: float) -> None:
    fill, line, width, *_ = KINDS[mark.kind]
    is_saved, is_stale = mark.kind == "saved", mark.kind == "stale"
    if is_stale:
        chart.frame(x - 4, y - 4, wide + 8, HIGH + 8, "paper", line, 1.4)
    look = (line, width, "5,3" if is_saved else "", 0 if is_saved else 6)
    chart.frame(x, y, wide, HIGH, fill, *look)
    bold = is_stale or mark.kind == "written"
    chart.text(x + wide / 2, y + 16, _label(mark), anchor="middle", bold=bold)
