"""`draw_versions`: when counters went up, what functions had saved by then, and how it ends."""

import sys
from dataclasses import dataclass, field, replace
from typing import Any

from course_lib.viz.drawing.film import Film
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.pictures.timeline import (
    Mark,
    Moment,
    Timeline,
    alt_of,
    kept,
    scenes_of,
    timeline_svg,
    words_of,
)
from course_lib.viz.reading import arguments
from course_lib.viz.reading.backward import watch
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import BEHIND, Saved, saved_by
from course_lib.viz.reading.walk import fits, is_leaf_node, name_of, read, same, walk

FREED = "Backward has run here: what the functions had saved is gone."
NOTHING = "No function behind it saves a tensor: backward cannot find a stale one."
HOOKED = "What hooks have packed, such as those of a checkpoint, is not read for a picture."


def draw_versions(of: Any, *, names: Any = None, params: Any = None) -> Picture:
    """The picture of versions: saved when, written when, and the error where they do not agree.

    `of` is a tensor: then its graph tells what was saved and how the counters stand now, and when
    something is stale, a backward pass is tried that keeps the graph and every `.grad`. Or it is a
    film of `record_versions`, which also knows the lines that wrote.

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = x.exp()
    >>> z = y.sum()
    >>> y.add_(1)
    tensor([3.7183, 8.3891], grad_fn=<AddBackward0>)
    >>> print(draw_versions(z).text.partition("PyTorch says")[0].strip())
    Versions of what was saved for z
    forward   ExpBackward0
        ExpBackward0 saves y at version 0
    now       the counters
        y is at version 1
    backward  ExpBackward0 stops
        ExpBackward0 wants y at version 0, finds version 1
    """
    if hasattr(of, "timeline"):
        return picture_of_versions(of.timeline())
    arguments.tensor("draw_versions", of, "a tensor or a film of record_versions")
    known = Names(names, params, sys._getframe(1), who="draw_versions")
    return picture_of_versions(describe_versions(of, known))


def picture_of_versions(timeline: Timeline) -> Picture:
    """The picture of a time line, with the tensors that matter."""
    timeline = kept(timeline)
    alt = alt_of(timeline)
    lines = words_of(timeline)
    text = "\n".join(lines)
    return Film(text, alt, scenes_of(timeline), lambda: timeline_svg(timeline, alt))


@dataclass
class Tracks:
    """The tensors that were met, each with a name."""

    names: Names
    titles: list[str] = field(default_factory=list)
    tensors: list[Any] = field(default_factory=list)

    def of(self, tensor: Any, title: str) -> int:
        """The track of a tensor, a new one if need be; `title` when it has no name."""
        for track, known in enumerate(self.tensors):
            if known is not None and same(known, tensor):
                return track
        return self.add(self.named(tensor) or title, tensor)

    def named(self, tensor: Any) -> str:
        """The name of a tensor, "" when it has none."""
        return next((self.names.of(t) for t in self.names.tensors if same(t, tensor)), "")

    def add(self, title: str, tensor: Any) -> int:
        """A new track."""
        self.titles.append(title)
        self.tensors.append(tensor)
        return len(self.titles) - 1

    def stale(self, item: Saved, title: str) -> int:
        """The track of a tensor that cannot be read any more, found by what the error says."""
        said = read(item.message)
        found = [t for t in self.names.tensors if said and fits(t, said)]
        if len(found) == 1:
            return self.of(found[0], "")
        if found:
            title = " or ".join(self.names.of(t) for t in found[:3])
        return self.titles.index(title) if title in self.titles else self.add(title, None)


def describe_versions(output: Any, names: Names) -> Timeline:
    """What the graph of a tensor tells about versions, as plain data."""
    title = f"Versions of what was saved for {names.of(output) or 'the tensor'}"
    tracks = Tracks(names)
    nodes = in_order([] if output.grad_fn is None else [output.grad_fn])
    moments, stale = [], []
    states = set()
    for node in nodes:
        marks = []
        for item in saved_by(node):
            states.add(item.state)
            if item.version is None:
                continue
            call = f"{item.name} of {name_of(node)}"
            if item.state == "stale":
                track = tracks.stale(item, call)
                stale.append((node, item, track))
            elif item.tensor.dim() or tracks.named(item.tensor):
                track = tracks.of(item.tensor, call)
            else:  # the 2 of y * 2
                continue
            marks.append(Mark(track, "saved", item.version, by=name_of(node)))
        if marks:
            moments.append(Moment("forward", name_of(node), tuple(dict.fromkeys(marks))))
    hooked = not states.isdisjoint(BEHIND)
    captions = [FREED] if "freed" in states else [] if moments or hooked else [NOTHING]
    captions += [HOOKED] * hooked
    timeline = Timeline(title, tuple(tracks.titles), tuple(moments), "", tuple(captions))
    now = {track: item.now or 0 for _, item, track in stale}
    now |= {i: t._version for i, t in enumerate(tracks.tensors) if t is not None}
    marks = [Mark(track, "now", version) for track, version in sorted(now.items())]
    if marks:
        timeline = replace(
            timeline, moments=(*moments, Moment("now", "the counters", tuple(marks)))
        )
    return _with_error(timeline, None if hooked else output, stale) if stale else timeline


def _with_error(timeline: Timeline, output: Any, stale: list[Any]) -> Timeline:
    """The time line with its end: the error that a backward pass raises here. Without an output,
    the function made last is taken to raise it, and no pass runs."""
    problem = ""
    if output is not None:
        _, problem = watch(output, None if output.dim() == 0 else output.detach() * 0 + 1)
    node, item, track = next((s for s in stale if s[1].message == problem), stale[-1])
    mark = Mark(track, "stale", item.now or 0, item.version, name_of(node))
    moments = (*timeline.moments, Moment("backward", f"{name_of(node)} stops", (mark,)))
    return replace(timeline, moments=moments, error=problem or item.message)


def in_order(roots: list[Any]) -> list[Any]:
    """The functions of a graph in the order they were made, without those of the leaves."""
    nodes = [node for node in reversed(walk(roots).nodes) if not is_leaf_node(node)]
    return sorted(nodes, key=lambda node: getattr(node, "_sequence_nr", lambda: 0)())
