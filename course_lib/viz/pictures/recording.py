"""`record_versions`: a film of version counters, line by line.

Between two lines of the block it looks at every tensor among the variables: a counter that went up
was written by the line that just ran, and a function met for the first time has saved by then what
it saves. `code.py` tells when a line has run.
"""

from dataclasses import replace
from typing import Any

from course_lib.viz.pictures.timeline import Mark, Moment, Timeline
from course_lib.viz.pictures.versions import in_order, picture_of_versions
from course_lib.viz.reading.code import LONGEST, Lines
from course_lib.viz.reading.memory import unreadable
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import Saved, saved_by
from course_lib.viz.reading.walk import name_of, same

WATCHED = 10**6  # elements of a tensor whose numbers are compared


class Recording(Lines):
    """What happened to versions inside a `with` block; shows itself as its picture."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.tensors: list[Any] = []
        self.versions: list[int] = []
        self.moments: list[Moment] = []
        self.error = ""
        self._numbers: list[Any] = []  # copies: a write through .data does not count
        self._silent: list[str] = []
        self._nodes: dict[int, Any] = {}  # kept alive, so that no identity is given twice
        self._saved: list[tuple[Any, str, Mark]] = []  # function, attribute, what is drawn

    def full(self) -> bool:
        return len(self.moments) >= LONGEST

    # ---- looking ----

    def look(self, where: str, what: str) -> None:
        """What is new since the last look becomes a moment."""
        names = Names(None, None, self.frame)
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
            elif _differ(tensor, self._numbers[track]):
                marks.append(Mark(track, "uncounted", now))
                self._warn(track, tensor)
            else:
                continue
            self._numbers[track] = _numbers(tensor)
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
            self._numbers.append(_numbers(tensor))
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

    def _warn(self, track: int, tensor: Any) -> None:
        """Says which functions have saved what was just written behind the counter's back."""
        for node, name, saved in self._saved:
            if saved.track != track or saved.view:
                continue
            held = (s.tensor for s in saved_by(node) if s.name == name and s.state == "good")
            if any(one.data_ptr() == tensor.data_ptr() for one in held):
                self._silent.append(
                    f"{saved.by} saved {self.titles[track]} before its numbers changed uncounted: "
                    "backward computes with the new ones, and no error says so."
                )

    # ---- the end ----

    def end(self, error: Exception) -> None:
        """The error that ended the block; `explain` finds the film on it."""
        self.error = str(error)
        error.film = self  # type: ignore[attr-defined]
        for node, name, saved in self._saved:
            if any(s.name == name and s.message == self.error for s in saved_by(node)):
                now = self.versions[saved.track]
                mark = replace(saved, kind="stale", version=now, before=saved.version)
                self.moments.append(Moment(f"line {self.line}", self.code(), (mark,)))
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
