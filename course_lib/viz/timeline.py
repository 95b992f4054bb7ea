"""A time line of version counters, as plain data: what happened, to which tensor, in which line."""

from dataclasses import dataclass, replace

MOMENTS, TRACKS = 24, 6  # that are drawn


@dataclass(frozen=True)
class Mark:
    """Something that happened to the tensor of a track.

    `kind` is "new" (its counter begins), "written", "saved" (by the function `by`), "now", "stale"
    (the function wants version `before` and finds `version`).
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


def told(mark: Mark, tracks: tuple[str, ...]) -> str:
    """A mark in words.

    >>> told(Mark(0, "written", 1, 0), ("y",))
    'y is written: version 0 -> 1'
    """
    name = f"a view of {tracks[mark.track]}" if mark.view else tracks[mark.track]
    return {
        "new": f"{name} begins at version {mark.version}",
        "written": f"{name} is written: version {mark.before} -> {mark.version}",
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
        lines += [f"    {told(mark, timeline.tracks)}" for mark in moment.marks]
    if timeline.error:
        lines.append(f"PyTorch says: {timeline.error}")
    return lines + list(timeline.captions)


def alt_of(timeline: Timeline) -> str:
    """What is to be seen: who is saved, who is written, and how it ends."""
    marks = [mark for moment in timeline.moments for mark in moment.marks]
    said = [told(m, timeline.tracks) for m in marks if m.kind in ("saved", "written", "stale")]
    more = f"{len(said) - 8} more. " if len(said) > 8 else ""
    sentences = "".join(f"{words}. " for words in said[:8])
    return f"{timeline.title}. {sentences}{more}{timeline.error}".strip()


def kept(timeline: Timeline) -> Timeline:
    """The same without tensors that nobody saves or writes, and of a size that can be drawn."""
    marks = [mark for moment in timeline.moments for mark in moment.marks]
    score = [0] * len(timeline.tracks)
    for mark in marks:
        weight = {"stale": 1000, "saved": 10, "written": 10}.get(mark.kind, 0)
        score[mark.track] = max(score[mark.track], weight)
    wanted = [track for track, points in enumerate(score) if points or not any(score)]
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
    names = told_apart([timeline.tracks[track] for track in chosen])
    return replace(timeline, tracks=names, moments=tuple(moments), captions=captions)


def told_apart(names: list[str]) -> tuple[str, ...]:
    """The names with a number behind those that come again: a variable may get a new tensor.

    >>> told_apart(["x", "y", "y"])
    ('x', 'y', 'y (2)')
    """
    counts = [names[: k + 1].count(name) for k, name in enumerate(names)]
    return tuple(
        name if count == 1 else f"{name} ({count})"
        for name, count in zip(names, counts, strict=True)
    )
