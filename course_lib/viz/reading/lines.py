"""Looking at a program between its lines: what a film does inside a `with` block.

Python tells when a line begins (`sys.settrace`), so both libraries are watched alike, and what
happens inside a function that a line calls counts as the line's.
"""

import linecache
import sys
from types import FrameType, TracebackType
from typing import Any, Self

LONGEST = 500  # looks that are kept


class Lines:
    """A `with` block that is looked at before its first line and after each line.

    A film says what a look is (`look`), when it is full (`full`) and what an error means (`end`).
    """

    def __init__(self) -> None:
        self.frame: FrameType | None = None
        self.line = 0

    def __enter__(self) -> Self:
        self.frame = sys._getframe(1)
        self._before = sys.gettrace(), self.frame.f_trace
        self.look("before", "")
        self.line = 0
        self.frame.f_trace = self._watch
        sys.settrace(lambda frame, event, arg: None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        assert self.frame is not None
        outer, self.frame.f_trace = self._before
        sys.settrace(outer)
        self._look_at_line()
        if isinstance(error, Exception):
            self.line = 0 if tb is None else tb.tb_lineno  # by now the line is that of `with`
            self.end(error)
        self.frame = None

    def _watch(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self._look_at_line()
            self.line = frame.f_lineno
        return self._watch

    def _look_at_line(self) -> None:
        if self.line and not self.full():
            self.look(f"line {self.line}", self.code())

    def code(self) -> str:
        """What stands in the line that has run."""
        assert self.frame is not None
        name, scope = self.frame.f_code.co_filename, self.frame.f_globals
        return linecache.getline(name, self.line, scope).strip()

    def look(self, where: str, what: str) -> None:
        """A look at the program after the line `where`, in which `what` stands."""
        raise NotImplementedError

    def full(self) -> bool:
        """Whether the film is at its end."""
        raise NotImplementedError

    def end(self, error: Exception) -> None:
        """The error that ended the block."""
        raise NotImplementedError
