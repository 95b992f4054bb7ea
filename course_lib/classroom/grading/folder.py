"""Grade a folder of submissions: find, run, write down, report."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.classroom.grading import local, reference, submissions, unit, walls
from course_lib.classroom.grading.expected import Expected
from course_lib.classroom.grading.journal import Journal
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.results import write_results
from course_lib.classroom.grading.work import Work
from course_lib.classroom.probe import Data

Step = Callable[[int, int, int], None]  # done, of how many, of these for a person


@dataclass
class Outcome:
    """What grading a folder came to."""

    folder: Path
    submissions: int = 0
    review: int = 0
    holds: walls.Holds = field(default_factory=dict)
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
    unsafe: bool = False,
    step: Step = lambda done, total, review: None,
) -> Outcome:
    """Grade every notebook in `folder` and write the results into the folder `results`.

    The seed of the inputs is drawn anew unless one is given. `step` is called as rows are finished.
    Raises `Trouble` where this machine cannot hold hostile answers back, unless `unsafe`.
    """
    known, records = reference.load(exercises, sets)
    limits = limits or Limits()
    names = [name for one in known.values() for name in _names(one)]
    found = submissions.find(folder, names, limits.notebooks)
    expected = Expected(known, records, seed or secrets.token_hex(16), limits)
    course = unit.Course(known, expected, limits, tuple(sets), unsafe)
    outcome = Outcome(results, len(found))
    with Journal(results, resume) as journal:
        work = Work(found, course, journal)
        try:
            rows = _rows(work, course, expected, jobs, scheduler, without, outcome)
            done = 0
            for key, made in rows:
                journal.add(key, made)
                work.cost(key, made["cost"])
                done += 1
                outcome.review += bool(made["review"])
                step(done + work.skipped, len(found), outcome.review)
        finally:
            expected.close()
        outcome.kept = work.kept
        outcome.review = write_results(results, work.graded, journal, course, outcome.holds, sets)
    return outcome


def _rows(
    work: Work,
    course: unit.Course,
    expected: Expected,
    jobs: int,
    scheduler: str,
    without: tuple[str, ...],
    outcome: Outcome,
) -> Iterator[tuple[str, Data]]:
    if scheduler:
        from course_lib.classroom.grading import cluster

        yield from cluster.grade_all(work, course, expected, scheduler, outcome.holds)
        return
    count = max(1, min(jobs or os.cpu_count() or 1, len(work.graded)))
    yield from local.grade_all(work, course, count, without, outcome.holds)


def _names(exercise: reference.Exercise) -> list[str]:
    return [exercise.file.removesuffix(".ipynb"), exercise.name]
