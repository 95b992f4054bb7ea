"""Grade a folder of submissions: find, run, write down, report; and again while an exam goes on.

`Work` says which are graded, in which order, and when one student has had enough.
"""

import contextlib
import difflib
import hashlib
import os
import secrets
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from pathlib import Path

from course_grading import archives, class_folder, reference, row, submissions, unit, walls, workers
from course_grading.expected import Expected
from course_grading.joining import Before, Joined
from course_grading.row import Journal
from course_grading.submissions import Submission
from course_grading.walls import Limits
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
    sandbox: str = "auto",
    anonymous: Path | None = None,
    step: Step = lambda done, total, review: None,
) -> Outcome:
    """Grade every notebook in `folder` and write the results into the folder `results`.

    The folder may be a zip file. `class_` is a folder with the class's own files. With `anew` only
    these questions get new marks, and all others keep those that lie in `results`. The seed of the
    inputs is drawn anew unless one is given. `anonymous` gets the same results without names; the
    key to them lies in `results`. `step` is called as rows are finished. Raises
    `Trouble` where this machine cannot hold hostile answers back, unless `unsafe`. What runs them
    is the `sandbox`, one of `walls.SANDBOXES`.
    """
    from course_grading import results as pages  # needs what WebAssembly, which runs answers, lacks

    known, records = reference.load(exercises, sets)
    about = class_folder.read(class_, known)
    _check_questions(anew, known)
    limits = limits or Limits()
    names = [name for one in known.values() for name in _names(one)]
    expected = Expected(known, records, seed or secrets.token_hex(16), limits)
    course = unit.Course(known, expected, limits, tuple(sets), unsafe, sandbox)
    with contextlib.closing(expected), archives.Archives() as unpacking:
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
            rows = _rows(work, course, jobs, scheduler, without, outcome)
            for done, (key, made) in enumerate(rows, 1):
                journal.add(key, made)
                work.cost(key, made["cost"])
                outcome.review += bool(made["review"])
                step(done + work.skipped, len(found), outcome.review)
            outcome.kept = work.kept
            joined = Joined(work.graded, journal, known, tuple(sets), about, before, anew)
            pages.write_results(outcome, joined, course, about)
            if anonymous is not None:
                hidden = Outcome(anonymous, holds=outcome.holds)
                pages.write_without_names(hidden, results, joined, course, about.rules)
    outcome.students = len(joined.people)
    outcome.untimed, outcome.unused = joined.untimed, joined.unused()
    return outcome


def _check_questions(anew: tuple[str, ...], known: dict[str, reference.Exercise]) -> None:
    questions = [name for one in known.values() for name in one.marks]
    for name in anew:
        if name not in questions:
            near = ", ".join(difflib.get_close_matches(name, questions) or questions[:6])
            raise Trouble(f"there is no question {name}; name one such as {near}", 2)


def _rows(
    work: "Work",
    course: unit.Course,
    jobs: int,
    scheduler: str,
    without: tuple[str, ...],
    outcome: Outcome,
) -> Iterator[tuple[str, Data]]:
    if scheduler:
        yield from workers.grade_there(work, course, scheduler, outcome.holds)
        return
    most = os.cpu_count() or 1
    if course.sandbox == "wasm" or sys.platform != "linux":
        most = min(most, 6)  # each has two processes of 350 MB
    count = max(1, min(jobs or most, len(work.graded)))
    yield from workers.grade_here(work, course, count, without, outcome.holds)


def _names(exercise: reference.Exercise) -> list[str]:
    stem = exercise.file.removesuffix(".ipynb")
    return [stem, stem.removeprefix("ex"), exercise.name]


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

    def __iter__(self) -> Iterator[workers.Work]:
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


PAUSE = 2.0  # seconds between two looks; a file that grew between them is still being copied
Seen = dict[str, tuple[int, int]]


def watch(
    folders: list[Path],
    grade: Callable[[], Outcome],
    say: Callable[[str], None],
    sleep: Callable[[float], object] | None = None,
) -> Iterator[Outcome]:
    """Grade whenever something in the folders has changed and then stayed for one look.

    Each pass takes over what was graded before. It goes on until it is interrupted. Nothing to
    grade is no failure here: it will come.
    """
    graded: Seen | None = None
    before = stat_files(folders)
    while True:
        now = stat_files(folders)
        if now == before and now != graded:
            graded = now
            try:
                yield grade()
            except Trouble as trouble:
                if folders and not folders[0].exists():
                    raise
                say(f"{trouble}. Waiting for it to change.")
        before = now
        (sleep or time.sleep)(PAUSE)


def stat_files(folders: list[Path]) -> Seen:
    """Size and time of every file; a folder that is not there has none."""
    found: Seen = {}
    for folder in folders:
        for place, below, files in os.walk(folder):
            below.sort()
            for name in files:
                path = os.path.join(place, name)
                try:
                    about = os.lstat(path)
                except OSError:
                    continue  # it is gone again
                found[path] = about.st_size, about.st_mtime_ns
    return found
