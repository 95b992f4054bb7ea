"""`draw_versions`: when counters went up, what functions had saved by then, and how it ends.

`record_versions` is a film of them. Between two lines of the block it looks at every tensor among
the variables: a counter that went up was written by the line that just ran, and a function met for
the first time has saved by then what it saves. Python tells when a line begins (`sys.settrace`), so
both libraries are watched alike, and what happens inside a function that a line calls counts as
the line's.
"""

import linecache
import sys
from dataclasses import dataclass, field, replace
from types import FrameType, TracebackType
from typing import Any, Self

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.pictures.timeline import BEFORE, Mark, Moment, Timeline, picture_of_versions
from course_lib.viz.reading import arguments
from course_lib.viz.reading.backward import watch
from course_lib.viz.reading.memory import unreadable
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import BEHIND, Saved, list_saved
from course_lib.viz.reading.walk import fits, in_turn, name_of, read, same, walk

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
        return of.picture()
    arguments.tensor("draw_versions", of, "a tensor or a film of record_versions")
    known = Names(names, params, sys._getframe(1), who="draw_versions")
    return picture_of_versions(describe_versions(of, known))


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
        self.titles.append(self.named(tensor) or title)
        self.tensors.append(tensor)
        return len(self.titles) - 1

    def named(self, tensor: Any) -> str:
        """The name of a tensor, "" when it has none."""
        return next((self.names.of(t) for t in self.names.tensors if same(t, tensor)), "")

    def stale(self, item: Saved, title: str) -> int:
        """The track of a tensor that cannot be read any more, found by what the error says."""
        said = read(item.message)
        found = [t for t in self.names.tensors if said and fits(t, said)]
        if len(found) == 1:
            return self.of(found[0], "")
        title = " or ".join(self.names.of(t) for t in found[:3]) or title
        if title not in self.titles:
            self.titles.append(title)
            self.tensors.append(None)
        return self.titles.index(title)


def describe_versions(output: Any, names: Names) -> Timeline:
    """What the graph of a tensor tells about versions, as plain data."""
    title = f"Versions of what was saved for {names.of(output) or 'the tensor'}"
    tracks = Tracks(names)
    nodes = in_order([] if output.grad_fn is None else [output.grad_fn])
    moments, stale = [], []
    states = set()
    for node in nodes:
        marks = []
        for item in list_saved(node):
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
    now = {track: item.now or 0 for _, item, track in stale}
    now |= {i: t._version for i, t in enumerate(tracks.tensors) if t is not None}
    marks = [Mark(track, "now", version) for track, version in sorted(now.items())]
    moments += [Moment("now", "the counters", tuple(marks))] if marks else []
    error = ""
    if stale:
        error, end = _end_of(None if hooked else output, stale)
        moments.append(end)
    return Timeline(title, tuple(tracks.titles), tuple(moments), error, tuple(captions))


def _end_of(output: Any, stale: list[Any]) -> tuple[str, Moment]:
    """The error that a backward pass raises here, and where it stops. Without an output, the
    function made last is taken to raise it, and no pass runs."""
    problem = ""
    if output is not None:
        _, problem = watch(output, None if output.dim() == 0 else output.detach() * 0 + 1)
    node, item, track = next((s for s in stale if s[1].message == problem), stale[-1])
    mark = Mark(track, "stale", item.now or 0, item.version, name_of(node))
    return problem or item.message, Moment("backward", f"{name_of(node)} stops", (mark,))


def in_order(roots: list[Any]) -> list[Any]:
    """The functions of a graph in the order they were made, without those of the leaves."""
    graph = walk(roots)
    return [graph.nodes[i] for i in in_turn(graph)]


def line_of(frame: FrameType, line: int) -> str:
    """What stands in a line of a frame's code."""
    return linecache.getline(frame.f_code.co_filename, line, frame.f_globals).strip()


# ---- a film of a program ----

WATCHED = 10**6  # elements of a tensor whose numbers are compared
LONGEST = 500  # moments of a film


class Recording:
    """What happened to versions inside a `with` block; shows itself as its picture."""

    def __init__(self) -> None:
        self.frame: Any = None  # that of the block, while it runs
        self.line = 0
        self.error = ""
        self.moments: list[Moment] = []
        self.titles: list[str] = []
        self.tensors: list[Any] = []
        self.versions: list[int] = []
        self._numbers: list[Any] = []  # copies: a write through .data does not count
        self._silent: list[str] = []
        self._nodes: dict[int, Any] = {}  # kept alive, so that no identity is given twice
        self._saved: list[tuple[Any, str, Mark]] = []  # function, attribute, what is drawn

    # ---- between the lines ----

    def __enter__(self) -> Self:
        self.frame = sys._getframe(1)
        self._before = sys.gettrace(), self.frame.f_trace
        self._look(BEFORE, "")
        self.line = 0
        self.frame.f_trace = self._watch
        sys.settrace(lambda frame, event, arg: None)
        return self

    def __exit__(self, kind: Any, error: BaseException | None, tb: TracebackType | None) -> None:
        outer, self.frame.f_trace = self._before
        sys.settrace(outer)
        self._look_at_line()
        if isinstance(error, Exception):
            self.line = 0 if tb is None else tb.tb_lineno  # by now the line is that of `with`
            self._end(error)
        self.frame = None

    def _watch(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self._look_at_line()
            self.line = frame.f_lineno
        return self._watch

    def _look_at_line(self) -> None:
        if self.line and len(self.moments) < LONGEST:
            self._look(f"line {self.line}", line_of(self.frame, self.line))

    # ---- looking ----

    def _look(self, where: str, what: str) -> None:
        """What is new since the last look becomes a moment."""
        names = Names(None, None, self.frame)
        marks = [*self._written_tensors(), *self._new(names)]
        marks += self._saves([t.grad_fn for t in names.tensors if t.grad_fn is not None])
        if marks:
            self.moments.append(Moment(where, what, tuple(marks)))

    def _written_tensors(self) -> list[Mark]:
        marks = []
        for track, tensor in enumerate(self.tensors):
            now = tensor._version
            if now != self.versions[track]:
                marks.append(Mark(track, "written", now, self.versions[track]))
                self.versions[track] = now
            elif _differ(tensor, self._numbers[track]):
                marks.append(Mark(track, "uncounted", now))
                self._warn(track, tensor)
            else:
                continue
            self._numbers[track] = _numbers(tensor)
        return marks

    def _new(self, names: Names) -> list[Mark]:
        known = set(map(id, self.tensors))
        new = [tensor for tensor in names.tensors if id(tensor) not in known]
        marks = [Mark(k, "new", t._version) for k, t in enumerate(new, start=len(self.tensors))]
        self.titles += map(names.of, new)
        self.tensors += new
        self.versions += [tensor._version for tensor in new]
        self._numbers += map(_numbers, new)
        return marks

    def _saves(self, roots: list[Any]) -> list[Mark]:
        """What the functions that are met for the first time have saved."""
        marks = []
        for node in in_order([node for node in roots if id(node) not in self._nodes]):
            if id(node) in self._nodes:
                continue
            self._nodes[id(node)] = node
            for item in list_saved(node):
                mark = self._mark(item, name_of(node)) if item.state == "good" else None
                if mark is not None:
                    self._saved.append((node, item.name, mark))
                    marks.append(mark)
        return list(dict.fromkeys(marks))

    def _mark(self, item: Saved, function: str) -> Mark | None:
        """Where something saved is drawn: at its own tensor, a view without a name at its base."""
        track, view = self._track(item.tensor), False
        if track is None and item.tensor._base is not None:
            track, view = self._track(item.tensor._base), True
        if track is None or item.version is None:
            return None
        return Mark(track, "saved", item.version, by=function, view=view)

    def _track(self, tensor: Any) -> int | None:
        found = (k for k, known in enumerate(self.tensors) if same(known, tensor))
        return next(found, None)

    def _warn(self, track: int, tensor: Any) -> None:
        """Says which functions have saved what was just written behind the counter's back."""
        for node, name, saved in self._saved:
            if saved.track != track or saved.view:
                continue
            held = (s.tensor for s in list_saved(node) if s.name == name and s.state == "good")
            if any(one.data_ptr() == tensor.data_ptr() for one in held):
                self._silent.append(
                    f"{saved.by} saved {self.titles[track]} before its numbers changed uncounted: "
                    "backward computes with the new ones, and no error says so."
                )

    # ---- the end ----

    def _end(self, error: Exception) -> None:
        """The error that ended the block; `explain` finds the film on it."""
        self.error = str(error)
        error.film = self  # type: ignore[attr-defined]
        for node, name, saved in self._saved:
            if any(s.name == name and s.message == self.error for s in list_saved(node)):
                now = self.versions[saved.track]
                mark = replace(saved, kind="stale", version=now, before=saved.version)
                code = line_of(self.frame, self.line)
                self.moments.append(Moment(f"line {self.line}", code, (mark,)))
                return

    def timeline(self) -> Timeline:
        """The film as plain data."""
        captions = tuple(dict.fromkeys(self._silent))
        large = [t for t, kept in zip(self.titles, self._numbers, strict=True) if kept is None]
        if large:
            names = ", ".join(dict.fromkeys(large))
            captions += (f"{names}: only the counter was watched, not the numbers.",)
        if len(self.moments) >= LONGEST:
            captions += ("The film was full and stopped.",)
        return Timeline(
            "Versions, line by line", tuple(self.titles), tuple(self.moments), self.error, captions,
        )  # fmt: skip

    def picture(self) -> Picture:
        return picture_of_versions(self.timeline())

    def __repr__(self) -> str:
        return repr(self.picture())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.picture()._repr_mimebundle_(include, exclude)


def _numbers(tensor: Any) -> Any:
    """A copy of the numbers of a tensor, None where that would be slow or there are none."""
    if tensor.numel() > WATCHED or unreadable(tensor):
        return None
    return tensor.detach().clone()


def _differ(tensor: Any, before: Any) -> bool:
    """Whether a tensor has other numbers than in a copy; nan is equal to nan here."""
    if before is None:
        return False
    now = tensor.detach()
    if (now.shape, now.dtype) != (before.shape, before.dtype):
        return True
    return not bool(((now == before) | ((now != now) & (before != before))).all())


def record_versions() -> Recording:
    """A film of what happens to versions inside a `with` block.

    It sees the tensors that have names where the block stands, and also says where their numbers
    changed without being counted: a write through `.data` or through a NumPy array. After an error
    in the block, the film still tells, and `explain` finds it.

    >>> import course_lib as torch
    >>> with record_versions() as film:
    ...     x = torch.tensor([1., 2.], requires_grad=True)
    ...     y = x.exp()
    ...     _ = y.add_(1)
    >>> film.titles
    ['x', 'y']
    """
    return Recording()
