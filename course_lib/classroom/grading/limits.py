"""What one question of a submission may use up, and which grader it was that ran it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

GRADER = "4"  # rows of another grader are not taken over when grading is resumed
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Bounds for one run of one question; a well-behaved answer takes thousandths of them.

    >>> Limits(seconds=2).budget
    12
    """

    seconds: float = 10.0  # by the clock, from the first cell to the end of the check
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
    def budget(self) -> float:
        """Seconds for all questions of a submission together: six endless loops, not sixty."""
        return 6 * self.seconds

    @property
    def share(self) -> float:
        """Seconds for all submissions of one student: some thirty endless loops, then no more."""
        return 30 * self.seconds

    @property
    def patience(self) -> float:
        """Seconds after which a check stops its answer by itself, and can say in which line."""
        return 0.7 * self.seconds

    @property
    def haste(self) -> float:
        """The same where questions run one after the other, and may run again apart."""
        return max(0.3, 0.1 * self.seconds)

    def as_data(self) -> dict[str, Any]:
        """The same as JSON."""
        return asdict(self)
