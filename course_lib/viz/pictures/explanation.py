"""`explain`: an error of autograd in other words, with the names of the reader's own tensors.

Note [Unasked]
IPython tells when a cell has run, and `words.tracebacks` hands on the runs that an error stopped:
this file is read then, if `explain` was not called before. Nothing is said of an error that it does
not know, nor of a cell that is meant to fail, which readers think about first. Jupyter tells the
kernel so, by `stop_on_error`, where the cell has the tag raises-exception. VS Code says it of every
cell, so there the classroom tells, which knows the lessons. nbval runs cells without history.
`COURSE_EXPLAIN=off` switches it off: in the environment, or in a cell as `%env COURSE_EXPLAIN=off`.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from types import FrameType, TracebackType
from typing import Any

from course_lib.viz.drawing.alive import in_a_notebook
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.pictures.timeline import Mark, Moment, Timeline, keep_drawable, put_timeline
from course_lib.viz.pictures.versions import in_order, line_of
from course_lib.viz.reading.arguments import came
from course_lib.viz.reading.code import LIBRARIES, code_at, lines_that_write, write_in
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import Saved, list_saved
from course_lib.viz.reading.values import dtype_of, is_tensor
from course_lib.viz.reading.walk import Overwritten, fits, name_of, read
from course_lib.viz.remedies import Seen, explain_error

NO_LINE = (
    "Leave the saved tensor alone: a function without _ at the end of its name, and without "
    "inplace=True, makes a new tensor.",
    "If the step of an optimizer wrote it: run every backward before the step, or compute the "
    "loss anew after it.",
)
FILM = "Run the code inside `with record_versions() as film:` and the film shows the line."


@dataclass(frozen=True)
class Explanation:
    """What is said about an error; `place` is the reader's line that raised it."""

    title: str
    message: str
    place: tuple[str, str] = ("", "")
    what: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()
    timeline: Timeline | None = None

    @property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """The sentences that there are, each with the words above them."""
        parts = {"What happened": self.what, "What to do": self.todo}
        return {head: sentences for head, sentences in parts.items() if sentences}


def explain(error: BaseException | None = None) -> Picture:
    """The picture of what an error of autograd means and what to do; without an argument, of the
    last error that was shown.

    In a notebook it comes by itself, folded up below the error, and in IPython's terminal as one
    line: `%env COURSE_EXPLAIN=off` switches that off.

    When a saved tensor was overwritten, it names the function, the tensor, both versions and the
    lines that write into it.

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> try:
    ...     (x * x).backward()
    ... except RuntimeError as error:
    ...     print(explain(error).text.splitlines()[0])
    backward does not know with what to start
    """
    if error is None:
        error = getattr(sys, "last_value", None)
        if error is None:
            words = "No error has been shown yet: there is nothing to explain."
            return Picture(words, words)
    if not isinstance(error, BaseException):
        raise TypeError(
            f"explain wants an exception, not {came(error)}. "
            "Call explain() for the last one that was shown."
        )
    said = describe_error(error)
    lines = [said.title]
    if said.place[0]:
        lines.append(f"Raised by {said.place[0]}: {said.place[1]}".rstrip(": "))
    for head, sentences in said.parts.items():
        lines += [head, *(f"    {sentence}" for sentence in sentences)]
    alt = " ".join([f"{said.title}.", *said.what, *said.todo])
    return drawn([*lines, said.message], alt, lambda chart: _put_explanation(chart, said))


def describe_error(error: BaseException) -> Explanation:
    """What there is to say about an error, as plain data."""
    message = str(error)
    users, inside = _steps(error)
    own = [step.tb_frame for step in users]
    place = ("", "")
    for step in users[-1:]:
        place = (f"line {step.tb_lineno}", line_of(step.tb_frame, step.tb_lineno))
    overwritten = read(message)
    if overwritten is not None:
        return _explain_overwritten(error, overwritten, inside, own, place)
    told = explain_error(Seen(message, place[1], _scope(own), code_at(users), tuple(inside)))
    if told is None:
        return Explanation(
            "This error is not among those that can be explained here",
            f"{type(error).__name__}: {message}",
            place,
            ("All that is known about it are its own words:",),
        )
    title, what, todo = told
    return Explanation(title, f"PyTorch says: {message}", place, what, todo)


# ---- a saved tensor was overwritten ----


def _explain_overwritten(
    error: BaseException, said: Overwritten, inside: list[FrameType], own: list[FrameType],
    place: tuple[str, str],
) -> Explanation:  # fmt: skip
    names, found = _among(own, lambda tensor: fits(tensor, said))
    called = " or ".join(names.of(tensor) for tensor in found[:3])
    node, item = _culprit(said, inside, own)
    if not found and item is not None and item.tensor is not None:  # `w` where `w.t()` was saved
        base = item.tensor._base
        names, found = _among(own, lambda tensor: tensor is base)
        called = f"a view of {names.of(found[0])}" if found else ""
    function = name_of(node) if node is not None else "a function"
    kind = f"a {said.type} of shape {said.shape}"
    kind = f"shape {said.shape}, {dtype_of(found[0])}" if found else kind
    film = getattr(error, "film", None)
    lines = _of_film(film, said) if film is not None else _of_code(own, found)
    often = said.now - said.saved
    what = [
        f"{function} saved {_name_saved(called, item)} ({kind}), at version {said.saved}.",
        f"Now it is at version {said.now}: written in place "
        f"{'once' if often == 1 else f'{often} times'} since.",
    ]
    verb = "It was written by" if film is not None else "The code writes into it in"
    what += [f"{verb} {where}: {code}" for where, code in lines]
    begin = f"A{called[1:]}" if called.startswith("a view of ") else called
    return Explanation(
        f"{begin or 'A tensor without a name'} was overwritten, but {function} still needs it",
        f"PyTorch says: {error}", place, tuple(what), _advice(found, lines, own),
        _timeline(called or "no name", function, said, lines, place),
    )  # fmt: skip


def _advice(
    found: list[Any], lines: list[tuple[str, str]], own: list[FrameType]
) -> tuple[str, ...]:
    """What to do instead of the write, in the words of the reader's line."""
    learned = any(tensor.is_leaf and tensor.requires_grad for tensor in found)
    if not lines:
        return (*(NO_LINE[::-1] if learned else NO_LINE), FILM)
    code = lines[0][1]
    write = write_in(code, _scope(own))
    after = f"Or run {code} only after backward."
    if learned:
        return (f"Run backward before {code}.", "Or compute the result anew after it.")
    if write is None:  # the line calls something that writes
        name = Names(None, None, own[-1]).of(found[0]) if found and own else ""
        copy = f"Give it a copy: {name}.clone()." if name else NO_LINE[0]
        return (copy, after)
    if write.value:
        instead = f"{write.name} = {write.value} instead of {write.code}"
        return (f"Leave the saved tensor alone and make a new one: {instead}.", after)
    copy = f"{write.name} = {write.name}.clone(), then {write.code}"
    return (f"Leave the saved tensor alone and write into a copy: {copy}.", after)


def _scope(frames: list[FrameType]) -> dict[str, Any]:
    """The variables of the reader's frames, those of the innermost first."""
    found: dict[str, Any] = {}
    for frame in frames:
        found |= frame.f_globals | frame.f_locals
    return found


def _name_saved(called: str, item: Saved | None) -> str:
    """What was saved: `y, its own result`, `w, its argument other`, `its argument self`."""
    if item is None:
        return called or "a tensor"
    role = "its own result" if item.name == "result" else f"its argument {item.name}"
    return f"{called}, {role}" if called else role


def _among(own: list[FrameType], which: Callable[[Any], bool]) -> tuple[Names, list[Any]]:
    """The tensors that can be meant, by their names in the innermost frame that has any."""
    for frame in reversed(own):
        names = Names(None, None, frame)
        found = [tensor for tensor in names.tensors if which(tensor)]
        if found:
            return names, found
    return Names(None, None, None), []


def _culprit(
    said: Overwritten, inside: list[FrameType], own: list[FrameType]
) -> tuple[Any, Saved | None]:
    """The function that stopped: the last made of those that say the same about what they saved.

    What backward was called on stands in the library's frames, and nearly always in the reader's.
    """
    for frames in (inside, own):
        things = [thing for frame in frames for thing in _tensors(frame)]
        nodes = in_order([thing.grad_fn for thing in things if thing.grad_fn is not None])
        for node in reversed(nodes):
            for item in list_saved(node):
                if read(item.message) == said:
                    return node, item
    return None, None


def _tensors(frame: FrameType) -> list[Any]:
    """The tensors among the variables of a frame, in sequences one level down."""
    found = []
    for thing in list(frame.f_locals.values()):
        inner = thing if type(thing) in (list, tuple) else (thing,)
        found += [item for item in inner if is_tensor(item)]
    return found


def _of_film(film: Any, said: Overwritten) -> list[tuple[str, str]]:
    """The lines that a film saw writing after the tensor was saved."""
    stale = {m.track for moment in film.moments for m in moment.marks if m.kind == "stale"}
    return [
        (moment.where, moment.what)
        for moment in film.moments
        for mark in moment.marks
        if mark.kind == "written" and mark.track in stale and mark.version > said.saved
    ]


def _of_code(own: list[FrameType], found: list[Any]) -> list[tuple[str, str]]:
    """The lines whose code writes into one of the tensors, or into a view of it."""
    bases = [thing for tensor in found for thing in (tensor, tensor._base) if thing is not None]
    lines: list[tuple[str, str]] = []
    for frame in own:
        names = Names(None, None, frame)
        called = {
            name
            for tensor in names.tensors
            if any(tensor is base or tensor._base is base for base in bases)
            for name in names.of(tensor).split(", ")
        }
        lines += lines_that_write(frame, called) if called else []
    return list(dict.fromkeys(lines))[:5]


def _timeline(
    name: str, function: str, said: Overwritten, lines: list[tuple[str, str]],
    place: tuple[str, str],
) -> Timeline:  # fmt: skip
    """Saved, written, wanted: one mark per write where the lines account for all of them."""
    moments = [Moment("", function, (Mark(0, "saved", said.saved, by=function),))]
    if len(lines) == said.now - said.saved:
        for version, (where, code) in enumerate(lines, start=said.saved):
            moments.append(Moment(where, code, (Mark(0, "written", version + 1, version),)))
    else:
        since = Mark(0, "written", said.now, said.saved)
        moments.append(Moment("", "written in place", (since,)))
    where, code = place
    moments.append(Moment(where, code, (Mark(0, "stale", said.now, said.saved, function),)))
    return keep_drawable(Timeline("", (name,), tuple(moments)))


# ---- frames ----


def _steps(error: BaseException) -> tuple[list[TracebackType], list[FrameType]]:
    """Where the error came through the reader's own code, which belongs to no library nor to
    Python, outermost first; else its first frame. And the frames inside of that."""
    steps = []
    trace = error.__traceback__
    while trace is not None:
        steps.append(trace)
        trace = trace.tb_next
    names = [step.tb_frame.f_globals.get("__name__", LIBRARIES[0]) for step in steps]
    others = {*LIBRARIES, *sys.stdlib_module_names}
    own = [k for k, name in enumerate(names) if str(name).partition(".")[0] not in others] or [0]
    return [steps[k] for k in own[: len(steps)]], [step.tb_frame for step in steps[own[-1] + 1 :]]


# ---- the drawing ----


def _put_explanation(chart: Chart, said: Explanation) -> None:
    """From top to bottom, the words of PyTorch last."""
    chart.text(PAD, PAD + 8, said.title, 15, face="Helvetica", bold=True)
    y = PAD + 24.0
    where, code = said.place
    if where:
        chart.frame(PAD, y, max(len(where + code) * LETTER + 40, 200), 28, "stale", "stale line", 2)
        chart.text(PAD + 10, y + 18, where, 11)
        chart.text(PAD + 10 + (len(where) + 2) * LETTER, y + 18, code, bold=True)
        y += 28
    y += 24
    for head, sentences in said.parts.items():
        chart.text(PAD, y, head, 13, face="Helvetica", bold=True)
        y = chart.sentences(y + 19, list(sentences), "ink")
        if head == "What happened" and said.timeline is not None:
            y = put_timeline(chart, said.timeline, y + 16) + 8
        y += 16
    chart.sentences(y, [said.message])


# ---- unasked ----

SETTING, OFF = "COURSE_EXPLAIN", ("0", "no", "off", "false")
LESSONS = "course_lib.classroom.guess"  # asked where it is loaded


class Unasked:
    """A closed fold in a notebook, a line elsewhere."""

    def __init__(self, said: Explanation) -> None:
        self.said = said

    def __repr__(self) -> str:
        return f"{self.said.title}: course_lib.viz.explain() tells what happened and what to do."

    def _repr_html_(self) -> str:
        parts = [f"<summary>What happened? {escape(self.said.title)}</summary>"]
        for head, sentences in (("", self.said.what), ("What to do", self.said.todo)):
            rows = "".join(f"<li>{escape(one)}</li>" for one in sentences)
            parts.append(f"<p><strong>{head}</strong></p>" * bool(head) + f"<ul>{rows}</ul>")
        return f"<details>{''.join(parts)}</details>"


def offer(result: Any) -> None:
    """Show what `explain` knows about the error that stopped a cell, if it is wanted and known."""
    if os.environ.get(SETTING, "").lower() in OFF:
        return
    try:
        said = describe_error(result.error_in_exec) if is_wanted(result.info) else None
    except Exception as failure:  # the reader's own error is what counts, and it stays the last
        print(f"course_lib.viz.explain() failed itself: {type(failure).__name__}: {failure}")
        return
    if said is None or not said.todo:
        return
    if in_a_notebook():
        from IPython.display import display

        display(Unasked(said))
    else:
        print(Unasked(said))


def is_wanted(info: Any) -> bool:
    """Whether a cell belongs to a person and is not meant to fail."""
    if not info.store_history or not (_stops_on_error() or "VSCODE_PID" in os.environ):
        return False
    lessons = sys.modules.get(LESSONS)
    return lessons is None or not lessons.is_meant_to_fail(info)


def _stops_on_error() -> bool:
    """What the front end said about the cell that runs; a terminal says nothing."""
    if not in_a_notebook():
        return True
    from IPython import get_ipython

    content = (get_ipython().kernel.get_parent() or {}).get("content", {})
    return bool(content.get("stop_on_error", True))
