"""Which submissions are graded, in which order, and when one student has had enough."""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from course_grading import local, row, submissions, unit
from course_grading.journal import Journal
from course_grading.limits import Limits
from course_grading.submissions import Submission
from course_lib.classroom.probe import Data


@dataclass
class Graded:
    """One submission and the name of its row."""

    submission: Submission
    key: str = ""
    notebook: str = ""  # names its bytes alone
    row: Data | None = None  # only for what was never read


class Work:
    """The submissions that have no row yet; equal ones are graded once.

    Every student's first notebook comes before anybody's second. What a student's notebooks have
    taken is added up: when that is a student's share, no further one is begun.
    """

    def __init__(self, found: list[Submission], course: unit.Course, journal: Journal) -> None:
        self.graded = [Graded(one) for one in found]
        self.skipped = self.kept = 0
        self._course, self._journal = course, journal
        self._whose: dict[str, str] = {}  # the student that a row was made for, by its key
        self._spent: defaultdict[str, float] = defaultdict(float)  # seconds, by student
        self._lock = threading.Lock()  # rows come back in another thread

    def cost(self, key: str, cost: Data) -> None:
        """A row took so long."""
        with self._lock:
            self._spent[self._whose[key]] += Limits.spent(cost["cpu"], cost["wall"])

    def __iter__(self) -> Iterator[local.Work]:
        before = set(self._journal.keys())
        begun: set[str] = set()
        for one in self._in_turn():
            content = self._read(one)
            if content is None:
                self.skipped += 1
                continue
            one.key = self._course.key(content)
            one.notebook = hashlib.sha256(content).hexdigest()[:32]
            self.kept += one.key in before and one.key not in begun
            if one.key in begun or one.key in self._journal:
                self.skipped += 1
            elif self._has_had_enough(one):
                self.skipped += 1
                continue
            else:
                self._whose[one.key] = one.submission.student
                yield one.key, content
            begun.add(one.key)

    def _in_turn(self) -> Iterator[Graded]:
        """The first notebook of every student, then the second, …"""
        by_student: defaultdict[str, list[Graded]] = defaultdict(list)
        for one in self.graded:
            by_student[one.submission.student].append(one)
        return filter(None, chain.from_iterable(zip_longest(*by_student.values())))

    def _read(self, one: Graded) -> bytes | None:
        submission = one.submission
        if submission.problem:
            one.row = row.unread(submission.status, submission.problem)
            return None
        try:
            return submissions.content(submission.path, self._course.limits.notebook)
        except submissions.Refused as why:
            one.row = row.unread("unreadable", str(why))
            return None

    def _has_had_enough(self, one: Graded) -> bool:
        share = self._course.limits.share
        with self._lock:
            if self._spent[one.submission.student] < share:
                return False
        reason = (
            f"not run: this student's other notebooks took {Limits.words(share)}, which is what "
            "one student gets; hand it in alone, or raise --timeout"
        )
        one.row, one.key = row.unread(row.NOT_RUN, reason), ""
        return True
