"""How far grading has come, on the terminal: a bar, and how long it will still take."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_WIDTH = 24
_OFTEN = 0.2  # seconds between two drawings
_SELDOM = 30.0  # where lines cannot be drawn over


class Steps:
    """Draws to `stream`, over the same line where that is a terminal."""

    def __init__(self, quiet: bool = False, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._over = self._stream.isatty()
        self._begun = self._last = time.monotonic()
        self._first: int | None = None
        self._drawn = False

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn and self._over:
            self._stream.write("\n")

    def step(self, done: int, total: int, review: int) -> None:
        """So many of all submissions are done; so many rows need a person so far."""
        now = time.monotonic()
        if self._first is None:
            self._first = done - 1
        if self._quiet or (now - self._last < (_OFTEN if self._over else _SELDOM) and done < total):
            return
        self._last = now
        line = words(done, total, review, now - self._begun, done - self._first)
        self._stream.write(f"\r{line:<78}" if self._over else line + "\n")
        self._stream.flush()
        self._drawn = True


def words(done: int, total: int, review: int, seconds: float, fresh: int) -> str:
    """One line: bar, numbers, time left. `fresh` were graded in these seconds.

    >>> words(5, 10, 1, 60.0, 5)
    '[############............] 5 of 10 · 1 for a person · about 1 min left'
    """
    full = _WIDTH * done // max(1, total)
    bar = "#" * full + "." * (_WIDTH - full)
    left = (total - done) * seconds / max(1, fresh)
    person = f" · {review} for a person" if review else ""
    return f"[{bar}] {done} of {total}{person}{_left(left) if done < total else ''}"


def _left(seconds: float) -> str:
    if seconds < 50:
        return f" · about {max(1, round(seconds))} s left"
    return f" · about {round(seconds / 60)} min left"
