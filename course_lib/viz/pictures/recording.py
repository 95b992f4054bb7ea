"""`record_versions`: a film of version counters, line by line.

Between two lines of the block it looks at every tensor among the variables: a counter that went up
was written by the line that just ran, and a function met for the first time has saved by then what
it saves. Python tells when a line begins (`sys.settrace`), so both libraries are watched alike, and
writes inside a function that the line calls count as the line's.
"""

import linecache
import sys
from dataclasses import replace
from types import FrameType, TracebackType
from typing import Any

from course_lib.viz.pictures.timeline import Mark, Moment, Timeline
from course_lib.viz.pictures.versions import in_order, picture_of_versions
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.same_tensor import same
from course_lib.viz.reading.saved import Saved, saved_by
from course_lib.viz.reading.walk import name_of

LONGEST = 500  # moments that are kept


class Recording:
    """What happened to versions inside a `with` block; shows itself as its picture."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.tensors: list[Any] = []
        self.versions: list[int] = []
        self.moments: list[Moment] = []
        self.error = ""
        self._nodes: dict[int, Any] = {}  # kept alive, so that no identity is given twice
        self._saved: list[tuple[Any, str, Mark]] = []  # function, attribute, what is drawn
        self._frame: FrameType | None = None
        self._line = 0

    def __enter__(self) -> "Recording":
        self._frame = sys._getframe(1)
        self._before = sys.gettrace(), self._frame.f_trace
        self._look("before", "")
        self._line = 0
        self._frame.f_trace = self._watch
        sys.settrace(lambda frame, event, arg: None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        assert self._frame is not None
        outer, self._frame.f_trace = self._before
        sys.settrace(outer)
        self._look_at_line()
        if isinstance(error, Exception):
            self._line = 0 if tb is None else tb.tb_lineno  # by now the line is that of `with`
            self._end(error)
        self._frame = None

    def _watch(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self._look_at_line()
            self._line = frame.f_lineno
        return self._watch

    def _look_at_line(self) -> None:
        assert self._frame is not None
        if self._line and len(self.moments) < LONGEST:
            self._look(f"line {self._line}", self._code())

    def _code(self) -> str:
        assert self._frame is not None
        name, scope = self._frame.f_code.co_filename, self._frame.f_globals
        return linecache.getline(name, self._line, scope).strip()

    # ---- looking ----

    def _look(self, where: str, what: str) -> None:
        """What is new since the last look becomes a moment."""
        names = Names(None, None, self._frame)
        marks = [*self._written(), *self._new(names)]
        marks += self._saves([t.grad_fn for t in names.tensors if t.grad_fn is not None])
        if marks:
            self.moments.append(Moment(where, what, tuple(marks)))

    def _written(self) -> list[Mark]:
        marks = []
        for track, tensor in enumerate(self.tensors):
            now = tensor._version
            if now != self.versions[track]:
                marks.append(Mark(track, "written", now, self.versions[track]))
                self.versions[track] = now
        return marks

    def _new(self, names: Names) -> list[Mark]:
        marks = []
        known = set(map(id, self.tensors))
        for tensor in names.tensors:
            if id(tensor) in known:
                continue
            track = len(self.tensors)
            self.titles.append(names.of(tensor))
            self.tensors.append(tensor)
            self.versions.append(tensor._version)
            marks.append(Mark(track, "new", tensor._version))
        return marks

    def _saves(self, roots: list[Any]) -> list[Mark]:
        """What the functions that are met for the first time have saved."""
        marks = []
        for node in in_order([node for node in roots if id(node) not in self._nodes]):
            if id(node) in self._nodes:
                continue
            self._nodes[id(node)] = node
            for item in saved_by(node):
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

    # ---- the end ----

    def _end(self, error: Exception) -> None:
        """The error that ended the block; `explain` finds the film on it."""
        self.error = str(error)
        error.film = self  # type: ignore[attr-defined]
        for node, name, saved in self._saved:
            if any(s.name == name and s.message == self.error for s in saved_by(node)):
                now = self.versions[saved.track]
                mark = replace(saved, kind="stale", version=now, before=saved.version)
                self.moments.append(Moment(f"line {self._line}", self._code(), (mark,)))
                return

    def timeline(self) -> Timeline:
        """The film as plain data."""
        captions = () if len(self.moments) < LONGEST else ("The film was full and stopped.",)
        return Timeline(
            "Versions, line by line",
            tuple(self.titles),
            tuple(self.moments),
            self.error,
            captions,
        )

    def __repr__(self) -> str:
        return repr(picture_of_versions(self.timeline()))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return picture_of_versions(self.timeline())._repr_mimebundle_(include, exclude)


def record_versions() -> Recording:
    """A film of what happens to versions inside a `with` block.

    It sees the tensors that have names where the block stands. After an error in the block, the
    film still tells, and `explain` finds it.

    >>> import course_lib as torch
    >>> with record_versions() as film:
    ...     x = torch.tensor([1., 2.], requires_grad=True)
    ...     y = x.exp()
    ...     _ = y.add_(1)
    >>> film.titles
    ['x', 'y']
    """
    return Recording()
