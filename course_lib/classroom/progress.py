"""What a student has done: a journal of one line per event, on this machine and nowhere else.

Note [Progress is a journal]
A line is only ever appended, in one write, so two notebooks and a terminal may write at the same
time. What is known of a question follows from all lines in the order of their times, and a line
that is there twice counts once: two journals are merged by putting one behind the other. A line
that cannot be read, because a write was interrupted or a disk failed, costs no other line; the
next command in the terminal moves it into a file of its own and says so.
"""

import datetime
import errno
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.page import Page, show
from course_lib.classroom.record import FOLDER as RECORDS
from course_lib.classroom.trouble import Trouble, writing
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, Verdict
from course_lib.classroom.workspace import STATE, Workspace, write_whole

NAME = "progress.jsonl"
GUESS = "guess"  # the event of a lesson; all others are about exercises
# Questions that moved into another set: what was done with them still counts.
RENAMED = {"sequences-2": "recurrence-1", "sequences-3": "recurrence-2"}
RENAMED |= {"sequences-5": "recurrence-3", "sequences-6": "recurrence-4"}
RENAMED |= {"classifier-1": "module-1", "classifier-2": "module-2", "classifier-5": "module-4"}
Event = dict[str, Any]


@dataclass(frozen=True)
class Standing:
    """What is known of one question; `word` is the latest verdict, `solved` that one was correct.

    >>> Standing().begun, Standing(word="not yet").begun
    (False, True)
    """

    word: str = NOT_ATTEMPTED
    solved: bool = False
    answers: int = 0  # how many different answers were checked
    hints: int = 0
    solution_seen: bool = False

    @property
    def begun(self) -> bool:
        """Something was tried or asked, and it is not solved."""
        asked = self.hints or self.solution_seen
        return not self.solved and bool(asked or self.word != NOT_ATTEMPTED)


def standings(events: Iterable[Event]) -> dict[str, Standing]:
    """What follows from the events, whatever order they come in.

    >>> tried = {"at": "1", "question": "demo-1", "event": "check", "word": "not yet"}
    >>> solved = tried | {"at": "2", "word": "correct"}
    >>> standings([solved, tried, solved])["demo-1"].solved
    True
    """
    lines = {json.dumps(event, sort_keys=True): event for event in events}
    known: dict[str, Standing] = defaultdict(Standing)  # as of a question that nobody touched
    answers: dict[str, set[str]] = {}
    for _, event in sorted(lines.items(), key=lambda pair: (pair[1]["at"], pair[0])):
        question, kind = event["question"], event["event"]
        if kind == GUESS:
            continue
        now = known[question]
        if kind == "check":
            word = str(event.get("word"))
            if word != NOT_ATTEMPTED:
                answers.setdefault(question, set()).add(str(event.get("answer")))
            count = len(answers.get(question, ()))
            now = replace(now, word=word, solved=now.solved or word == CORRECT, answers=count)
        elif kind == "hint":
            now = replace(now, hints=max(now.hints, _number(event.get("number"))))
        elif kind == "solution":
            now = replace(now, solution_seen=True)
        elif kind == "reset":
            now = Standing()
            answers.pop(question, None)
        known[question] = now
    return known


def guesses(events: Iterable[Event]) -> dict[str, str]:
    """The word about each guess, the first one that was made: later ones know the answer.

    >>> first = {"at": "1", "question": "welcome-list", "event": "guess", "word": "wrong"}
    >>> guesses([first | {"at": "2", "word": "right"}, first])
    {'welcome-list': 'wrong'}
    """
    made = sorted((e for e in events if e["event"] == GUESS), key=lambda e: str(e["at"]))
    return {event["question"]: str(event.get("word")) for event in reversed(made)}


def latest(events: Iterable[Event]) -> Event:
    """The event that came last; {} if there is none."""
    return max(events, key=lambda event: str(event["at"]), default={})


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


# ---- the file ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Journal:
    """The journal in one folder's `.course`.

    >>> Journal(Path("workspace")).path.as_posix()
    'workspace/.course/progress.jsonl'
    """

    folder: Path

    @property
    def path(self) -> Path:
        """The file, which need not exist yet."""
        return self.folder / STATE / NAME

    def read(self) -> tuple[list[Event], list[bytes]]:
        """The events, and the lines that cannot be read."""
        try:
            return _split_events(self.path.read_bytes())
        except FileNotFoundError:
            return [], []
        except OSError as error:
            reason = error.strerror or str(error)
            raise Trouble(f"cannot read {self.path}: {reason}") from None

    def standings(self) -> dict[str, Standing]:
        """What is known of each question that something was done with."""
        return standings(self.read()[0])

    def note(self, question: str, event: str, **facts: Any) -> None:
        """Append one event. Raises `Trouble` when the disk does not take it."""
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")
        self._append([{"at": now, "question": question, "event": event, **facts}])

    def note_verdict(self, verdict: Verdict, of_file: bool = False) -> None:
        """Append a verdict, unless it says of the same answer what the latest one said.

        `of_file` tells that the saved notebook was judged, not the page that shows it.
        """
        shown = json.dumps(verdict.data, sort_keys=True, default=str)
        answer = hashlib.sha256(shown.encode()).hexdigest()[:8]
        last = latest(one for one in self.read()[0] if one["question"] == verdict.question)
        if (last.get("word"), last.get("answer")) != (verdict.word, answer):
            facts = {"word": verdict.word, "answer": answer}
            self.note(verdict.question, "check", **facts, **({"of": "file"} if of_file else {}))

    def merge(self, other: Path) -> int:
        """Add the events of another journal that this one lacks; return how many those are."""
        if not other.is_file():
            raise Trouble(f"there is no file {other}", 2)
        events, damaged = _split_events(other.read_bytes())
        if damaged and not events:
            raise Trouble(f"{other} holds no progress; name a {NAME}", 2)
        have = {json.dumps(event, sort_keys=True) for event in self.read()[0]}
        new = [event for event in events if json.dumps(event, sort_keys=True) not in have]
        self._append(new)
        return len(new)

    def _append(self, events: list[Event]) -> None:
        text = "".join(json.dumps(event) + "\n" for event in events)
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _append(self.path, text.encode())

    def mend(self) -> str:
        """Move unreadable lines into a file of their own; a sentence about it, "" if none were."""
        _, damaged = self.read()
        if not damaged:
            return ""
        number = 1
        while (aside := self.path.with_name(f"progress.damaged-{number}.jsonl")).exists():
            number += 1
        with writing(aside):
            write_whole(aside, b"\n".join(damaged) + b"\n")
            self._blank_out_damaged()
        many = "1 line" if len(damaged) == 1 else f"{len(damaged)} lines"
        return f"{many} of your progress could not be read and moved to {aside}; the rest counts."

    def _blank_out_damaged(self) -> None:
        """Write spaces over unreadable lines: whoever appends at this moment loses nothing."""
        with open(self.path, "r+b") as file:
            start = 0
            for line in file.read().split(b"\n"):
                if line.strip() and _event(line) is None:
                    file.seek(start)
                    file.write(b" " * len(line))
                start += len(line) + 1


def _split_events(journal: bytes) -> tuple[list[Event], list[bytes]]:
    """The events, and the lines that cannot be read."""
    lines = [(line, _event(line)) for line in journal.split(b"\n") if line.strip()]
    events = [event for _, event in lines if event is not None]
    return events, [line for line, event in lines if event is None]


def _event(line: bytes) -> Event | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    named = isinstance(event, dict) and all(
        isinstance(event.get(key), str) for key in ("at", "question", "event")
    )
    if not named:
        return None
    return event | {"question": RENAMED.get(event["question"], event["question"])}


def _append(path: Path, data: bytes) -> None:
    """Add whole lines at the end, after a line break if an interrupted write left none."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags, 0o644)
    try:
        size = os.lseek(file, 0, os.SEEK_END)
        if size:
            os.lseek(file, size - 1, os.SEEK_SET)
            if os.read(file, 1) != b"\n":
                data = b"\n" + data
        if os.write(file, data) < len(data):
            raise OSError(errno.ENOSPC, "the disk took only a part of the line", str(path))
    finally:
        os.close(file)


# ---- which folder --------------------------------------------------------------------------------


def home(here: Path | None = None) -> Path | None:
    """The folder whose `.course` keeps the progress made in `here`, None where none is kept.

    That of the workspace around it; else `here` itself, if an instructor's records lie in it. The
    course's own folders are nobody's to write to.
    """
    here = (here or Path.cwd()).absolute()
    for folder in (here, *here.parents):
        if (folder / STATE).is_dir() or Workspace(folder).exists():
            return folder
    return here if (here / RECORDS).is_dir() and not content.is_own(here) else None


# ---- in a notebook -------------------------------------------------------------------------------


def keep(write: Callable[[Journal], None]) -> None:
    """Let `write` add to the journal of whoever works here, if anybody keeps one.

    That it cannot is one sentence on the page.
    """
    try:
        folder = home()
        if folder is not None:
            write(Journal(folder))
    except (Trouble, OSError) as trouble:  # OSError: the working folder is gone
        show(Page(f"Your progress is not kept: {trouble}"))


def to_root() -> str:
    """What a link from this notebook begins with to lead into the folder of the workspace.

    >>> to_root() in ("", "../")
    True
    """
    here = Path.cwd()
    return "../" if here.name in (*content.FOLDERS, content.LOOK_UP) else ""


def in_lesson() -> bool:
    """True where a lesson runs: what is checked or asked for there is a demonstration."""
    return Path.cwd().name == content.FOLDERS[0]
