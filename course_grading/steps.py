"""How far grading has come, on the terminal: a bar, and how long it will still take."""

import sys
import time
from collections import deque
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
        self._last = time.monotonic()
        self._pace = Pace()
        self._drawn = False

    def __enter__(self) -> "Steps":
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn and self._over:
            self._stream.write("\n")

    def step(self, done: int, total: int, review: int) -> None:
        """So many of all submissions are done; so many rows need a person so far."""
        now = time.monotonic()
        self._pace.add(now, done)
        if self._quiet or (now - self._last < (_OFTEN if self._over else _SELDOM) and done < total):
            return
        self._last = now
        line = words(done, total, review, self._pace.left(total))
        self._stream.write(f"\r{line:<78}" if self._over else line + "\n")
        self._stream.flush()
        self._drawn = True


class Pace:
    """How fast rows are finished, as seen in the last minute.

    The first moment at which rows are finished only starts the clock: what was done before, such as
    imports and the recording of right answers, is done once. Rows that several processes finish at
    the same time are one moment, which counts once it is over: until then nobody knows how many
    rows the seconds before it have brought.

    >>> pace = Pace()
    >>> for second in (60, 61, 62, 63, 64):
    ...     pace.add(second, done=2 * (second - 59))
    >>> pace.left(total=110)
    50.0
    """

    MOMENT = 0.2  # seconds
    SURE = 2.0  # seconds to have seen before anything is said
    WINDOW = 60.0  # seconds to look back
    FEW = 8  # moments to look back where rows take longer than that

    def __init__(self) -> None:
        self._moments: deque[tuple[float, int]] = deque()  # when it began, and all that was done

    def add(self, now: float, done: int) -> None:
        """So many are done now."""
        moments = self._moments
        if moments and now - moments[-1][0] < self.MOMENT:
            moments[-1] = (moments[-1][0], done)
        else:
            moments.append((now, done))
        while len(moments) > self.FEW and now - moments[0][0] > self.WINDOW:
            moments.popleft()

    def left(self, total: int) -> float | None:
        """Seconds until all are done, None as long as that cannot be said."""
        if len(self._moments) < 3:
            return None
        (begun, before), (until, after) = self._moments[0], self._moments[-2]
        if until - begun < self.SURE:
            return None
        return (total - self._moments[-1][1]) * (until - begun) / (after - before)


def words(done: int, total: int, review: int, left: float | None) -> str:
    """One line: bar, numbers, seconds that are left, if known.

    >>> words(5, 10, 1, 60.0)
    '[############............] 5 of 10 · 1 for a person · about 1 min left'
    """
    full = _WIDTH * done // max(1, total)
    bar = "#" * full + "." * (_WIDTH - full)
    person = f" · {review} for a person" if review else ""
    time_left = "" if left is None or done >= total else _format_left(left)
    return f"[{bar}] {done} of {total}{person}{time_left}"


def _format_left(seconds: float) -> str:
    if seconds < 50:
        return f" · about {max(1, round(seconds))} s left"
    return f" · about {round(seconds / 60)} min left"
