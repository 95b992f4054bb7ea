"""What one question of a submission may use up, and which grader it was that ran it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from course_lib.classroom.stop import CLOCK

GRADER = "4"  # rows of another grader are not taken over when grading is resumed
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Bounds for one run of one question; a well-behaved answer takes thousandths of them.

    >>> Limits(seconds=2).budget
    12
    """

    seconds: float = 10.0  # of computing, for an answer and its check; see `clock`
    memory: int = 1024 * MEGABYTE  # beyond what the warm process has
    folder: int = 32 * MEGABYTE  # all files of a run together
    file: int = 16 * MEGABYTE  # one file
    entries: int = 2000  # files and folders
    open_files: int = 64
    threads: int = 32
    output: int = 1 * MEGABYTE  # of JSON, to the grader
    notebook: int = 8 * MEGABYTE  # a submission
    notebooks: int = 60  # of one student, over all sets and folders

    @property
    def clock(self) -> float:
        """Seconds by the clock after which a run is ended that does not compute, but waits."""
        return CLOCK * self.seconds

    @property
    def processor(self) -> int:
        """Seconds of computing after which the system ends a run: its check stops it before.

        Three decoys have a twentieth each, and the system counts roughly, a tenth too many.
        """
        return math.ceil(1.2 * self.seconds) + 1

    @property
    def budget(self) -> float:
        """Seconds for all questions of a submission together: six endless loops, not sixty."""
        return 6 * self.seconds

    @property
    def share(self) -> float:
        """Seconds for all submissions of one student: some thirty endless loops, then no more."""
        return 30 * self.seconds

    @property
    def haste(self) -> float:
        """Seconds for a check where questions run one after the other, and may run again apart."""
        return max(0.3, 0.1 * self.seconds)

    @staticmethod
    def spent(computed: float, waited: float) -> float:
        """What counts of both: who only waits has kept others waiting all the same."""
        return max(computed, waited / CLOCK)

    @staticmethod
    def words(seconds: float) -> str:
        """Such a share of time, for a reader.

        >>> Limits.words(60)
        '60 seconds of computing, or 300 by the clock'
        """
        return f"{seconds:g} seconds of computing, or {CLOCK * seconds:g} by the clock"

    def as_data(self) -> dict[str, Any]:
        """The same as JSON."""
        return asdict(self)
