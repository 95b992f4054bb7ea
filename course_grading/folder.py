"""Grade a folder of submissions: find, run, write down, report."""

from __future__ import annotations

import difflib
import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_grading import (
    archives,
    class_folder,
    local,
    reference,
    submissions,
    unit,
    walls,
)
from course_grading.changes import Before
from course_grading.expected import Expected
from course_grading.joining import Joined
from course_grading.journal import Journal
from course_grading.limits import Limits
from course_grading.results import write_results, write_without_names
from course_grading.work import Work
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble

Step = Callable[[int, int, int], None]  # done, of how many, of these for a person


@dataclass
class Outcome:
    """What grading a folder came to."""

    folder: Path
    submissions: int = 0
    review: int = 0
    open: int = 0  # answers that a person has still to mark
    holds: walls.Holds = field(default_factory=dict)
    kept: int = 0  # rows taken over from an interrupted run
    students: int = 0
    changed: int = 0  # students whose marks are others than in the run before
    untimed: int = 0  # notebooks that a deadline holds for and that have no time
    uploads: list[Path] = field(default_factory=list)  # sheets of a platform, filled in
    unused: list[str] = field(default_factory=list)  # decisions of people that concern nothing

    @property
    def exit_code(self) -> int:
        """0 when all is graded, 1 when some of it needs a person, or waits for its mark."""
        return 1 if self.review or self.open else 0


def grade_folder(
    folder: Path,
    results: Path,
    *,
    exercises: Path | None = None,
    class_: Path | None = None,
    sets: tuple[str, ...] = (),
    anew: tuple[str, ...] = (),
    resume: bool = False,
    jobs: int = 0,
    seed: str = "",
    limits: Limits | None = None,
    scheduler: str = "",
    without: tuple[str, ...] = (),
    unsafe: bool = False,
    anonymous: Path | None = None,
    step: Step = lambda done, total, review: None,
) -> Outcome:
    """Grade every notebook in `folder` and write the results into the folder `results`.

    The folder may be a zip file. `class_` is a folder with the class's own files. With `anew` only
    these questions get new marks, and all others keep those that lie in `results`. The seed of the
    inputs is drawn anew unless one is given. `anonymous` gets the same results without names; the
    key to them lies in `results`. `step` is called as rows are finished. Raises
    `Trouble` where this machine cannot hold hostile answers back, unless `unsafe`.
    """
    known, records = reference.load(exercises, sets)
    about = class_folder.read(class_, known)
    _check_questions(anew, known)
    limits = limits or Limits()
    names = [name for one in known.values() for name in _names(one)]
    expected = Expected(known, records, seed or secrets.token_hex(16), limits)
    course = unit.Course(known, expected, limits, tuple(sets), unsafe)
    with archives.Archives() as unpacking:
        home = unpacking.download(folder) if folder.is_file() else folder
        found = submissions.find(home, names, limits.notebooks, unpacking.unpack)
        found = about.identify(found)
        outcome = Outcome(results, len(found))
        with Journal(results, resume) as journal:
            before = Before(results, whole=bool(anew))
            if anew and not before.known:
                said = f"there are no marks in {results} to keep; grade once without --regrade"
                raise Trouble(said, 2)
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
            joined = Joined(work.graded, journal, known, tuple(sets), about, before, anew)
            written = write_results(results, joined, course, outcome.holds, about)
            if anonymous is not None:
                write_without_names(anonymous, results, joined, course, outcome.holds)
    outcome.review, outcome.open = written.review, written.open
    outcome.changed = written.changed
    outcome.uploads, outcome.students = written.uploads, len(joined.people)
    outcome.untimed, outcome.unused = joined.untimed, joined.unused()
    return outcome


def _check_questions(anew: tuple[str, ...], known: dict[str, reference.Exercise]) -> None:
    questions = [name for one in known.values() for name in one.marks]
    for name in anew:
        if name not in questions:
            near = ", ".join(difflib.get_close_matches(name, questions) or questions[:6])
            raise Trouble(f"there is no question {name}; name one such as {near}", 2)


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
        from course_grading import cluster

        yield from cluster.grade_all(work, course, expected, scheduler, outcome.holds)
        return
    count = max(1, min(jobs or os.cpu_count() or 1, len(work.graded)))
    yield from local.grade_all(work, course, count, without, outcome.holds)


def _names(exercise: reference.Exercise) -> list[str]:
    return [exercise.file.removesuffix(".ipynb"), exercise.name]
