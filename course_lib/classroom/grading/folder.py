"""Grade a folder of submissions: find, run, write down, report."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.classroom.grading import local, reference, row, submissions, unit
from course_lib.classroom.grading.expected import Expected
from course_lib.classroom.grading.journal import Journal
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.results import write_results
from course_lib.classroom.grading.submissions import Submission
from course_lib.classroom.probe import Data

Step = Callable[[int, int, int], None]  # done, of how many, of these for a person


@dataclass
class Graded:
    """One submission and the name of its row."""

    submission: Submission
    key: str = ""
    row: Data | None = None  # only for what was never read


@dataclass
class Outcome:
    """What grading a folder came to."""

    folder: Path
    submissions: int = 0
    review: int = 0
    walls: dict[str, str] = field(default_factory=dict)
    kept: int = 0  # rows taken over from an interrupted run

    @property
    def exit_code(self) -> int:
        """0 when all is graded, 1 when some of it needs a person."""
        return 1 if self.review else 0


def grade_folder(
    folder: Path,
    results: Path,
    *,
    exercises: Path | None = None,
    sets: tuple[str, ...] = (),
    resume: bool = False,
    jobs: int = 0,
    seed: str = "",
    limits: Limits | None = None,
    scheduler: str = "",
    without: tuple[str, ...] = (),
    step: Step = lambda done, total, review: None,
) -> Outcome:
    """Grade every notebook in `folder` and write the results into the folder `results`.

    The seed of the inputs is drawn anew unless one is given. `step` is called as rows are finished.
    """
    known, records = reference.load(exercises, sets)
    found = submissions.find(folder, [name for one in known.values() for name in _names(one)])
    limits = limits or Limits()
    expected = Expected(known, records, seed or secrets.token_hex(16), limits)
    course = unit.Course(known, expected, limits, tuple(sets))
    outcome = Outcome(results, len(found))
    with Journal(results, resume) as journal:
        graded = [Graded(submission) for submission in found]
        work = _Work(graded, course, journal, outcome)
        try:
            rows = _rows(work, course, expected, jobs, scheduler, without, outcome)
            done = 0
            for key, made in rows:
                journal.add(key, made)
                done += 1
                outcome.review += bool(made["review"])
                step(done + work.skipped, len(found), outcome.review)
        finally:
            expected.close()
        outcome.review = write_results(results, graded, journal, course, outcome.walls, sets)
    return outcome


def _rows(
    work: _Work,
    course: unit.Course,
    expected: Expected,
    jobs: int,
    scheduler: str,
    without: tuple[str, ...],
    outcome: Outcome,
) -> Iterator[tuple[str, Data]]:
    if scheduler:
        from course_lib.classroom.grading import cluster

        yield from cluster.grade_all(work, course, expected, scheduler, outcome.walls)
        return
    count = max(1, min(jobs or os.cpu_count() or 1, len(work.graded)))
    yield from local.grade_all(work, course, count, without, outcome.walls)


def _names(exercise: reference.Exercise) -> list[str]:
    return [exercise.file.removesuffix(".ipynb"), exercise.name]


class _Work:
    """The submissions that have no row yet; equal ones are graded once."""

    def __init__(
        self, graded: list[Graded], course: unit.Course, journal: Journal, outcome: Outcome
    ) -> None:
        self.graded, self._course, self._journal = graded, course, journal
        self._outcome = outcome
        self.skipped = 0

    def __iter__(self) -> Iterator[local.Work]:
        before = set(self._journal.keys())
        begun: set[str] = set()
        for one in self.graded:
            submission = one.submission
            if submission.problem:
                one.row = row.unread(row.MISSING, submission.problem)
                self.skipped += 1
                continue
            try:
                content = submissions.content(submission.path, self._course.limits.notebook)
            except submissions.Refused as why:
                one.row = row.unread("unreadable", str(why))
                self.skipped += 1
                continue
            one.key = self._course.key(content)
            if one.key in self._journal:
                self._outcome.kept += one.key in before
                self.skipped += 1
            elif one.key in begun:
                self.skipped += 1
            else:
                begun.add(one.key)
                yield one.key, content
            begun.add(one.key)
