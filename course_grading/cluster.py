"""Grade on other machines: the same units of work on the workers of a dask scheduler.

A worker starts a warm process of its own for each of its threads; what a submission does ends the
child, never the worker. A worker that is lost loses no row: dask gives what it was at to another
one. Each submission is a task; which exercises and records go with it, Note [What a worker is told]
in `worker.py` says.
"""

from __future__ import annotations

import json
import queue
import secrets
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from course_grading import unit, walls, worker
from course_grading.expected import Expected
from course_grading.local import Work
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble

AHEAD = 4  # submissions for each thread of a worker, so that none waits
ASIDE = 32  # submissions that wait for records, while others are graded
RETRIES = 2  # what one worker has no memory or process for, another may have
PATIENCE = 30.0  # seconds without any worker
LOOK = 5.0  # seconds between two looks at how many there are


def grade_all(
    work: Iterable[Work],
    course: unit.Course,
    expected: Expected,
    address: str,
    holds: walls.Holds,
) -> Iterator[tuple[str, Data]]:
    """Key and row of everything in `work`, as it is finished by the workers at `address`."""
    with ThreadPoolExecutor(2) as recorder:  # one records; one is free to tell the exercises
        recorder.submit(expected.prepare)  # as workers begin; if it fails, `of` says so
        client = _client(address)
        try:
            grading = _Grading(client, course, expected, recorder)
            yield from grading.rows(work, holds)
            client.run(worker.forget, grading.name, on_error="ignore")
        finally:
            recorder.shutdown(wait=False, cancel_futures=True)
            client.close()


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        install = 'pip install "course-lib[cluster]"'
        raise Trouble(f"--scheduler needs dask.distributed: {install}", 2) from None
    try:
        client = Client(address, timeout="20s", set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise Trouble(f"there is no dask scheduler at {address} ({error})") from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close()
        raise _nobody(address) from None
    return client


def _nobody(address: str) -> Trouble:
    start = f"dask worker {address}"
    return Trouble(
        f"the scheduler at {address} has no workers; start one with {start}, then grade again "
        "with --resume"
    )


@dataclass
class _Task:
    """A submission that is under way, and what its worker has asked for."""

    key: str
    submission: bytes
    needs: list[str] = field(default_factory=list)


class _Grading:
    """One grading: what the workers are at, and what they are told."""

    def __init__(
        self, client: Any, course: unit.Course, expected: Expected, recorder: ThreadPoolExecutor
    ) -> None:
        self.name = secrets.token_hex(8)
        self._client, self._course, self._expected = client, course, expected
        self._recorder = recorder
        self._told: dict[str, Future[str]] = {}
        self._sent: dict[str, Any] = {}  # dask forgets a task whose future nobody holds
        self._aside = 0
        self._events: queue.SimpleQueue[tuple[_Task, Any]] = queue.SimpleQueue()
        self._most, self._looked = 0, 0.0

    def rows(self, work: Iterable[Work], holds: walls.Holds) -> Iterator[tuple[str, Data]]:
        """Key and row of everything in `work`; `holds` is told what stands on every worker."""
        waiting = iter(work)
        while True:
            while self._has_room() and (one := next(waiting, None)) is not None:
                self._send(_Task(*one))
            if not self._sent and not self._aside:
                return
            task, answered = self._event()
            if answered is None:
                self._aside -= 1
                self._send(task)
                continue
            del self._sent[task.key]
            answer = _answer(answered)
            if "needs" in answer:
                self._supply(task, answer["needs"])
            else:
                holds.update(walls.weakest(holds, answer["holds"]))
                yield task.key, answer["row"]

    def _has_room(self) -> bool:
        """Whether the workers want more. How many threads they have is looked up now and then."""
        if not self._most or time.monotonic() > self._looked + LOOK:
            self._most = AHEAD * max(1, self._threads())
            self._looked = time.monotonic()
        return len(self._sent) < self._most and self._aside < ASIDE

    def _event(self) -> tuple[_Task, Any]:
        """A task, and its answer, None if what it needs is there."""
        while True:
            try:
                return self._events.get(timeout=PATIENCE)
            except queue.Empty:
                if not self._threads():
                    raise _nobody(self._client.scheduler.address) from None

    def _threads(self) -> int:
        """How many submissions all workers can grade at once."""
        try:
            return sum(self._client.nthreads().values())
        except Exception as error:  # dask has several for a connection that is lost
            raise _failed(error) from None

    def _send(self, task: _Task) -> None:
        told = {name: self._told[name].result() for name in task.needs}
        submitted = self._client.submit(
            worker.grade,
            self.name,
            task.submission,
            told,
            pure=False,
            retries=RETRIES,
            priority=len(task.needs),  # what has waited goes first
        )
        self._sent[task.key] = submitted
        submitted.add_done_callback(lambda answered: self._events.put((task, answered)))

    def _supply(self, task: _Task, name: str) -> None:
        """Put the task aside until that is there which its worker needs."""
        self._aside += 1
        task.needs.append(name)  # besides what it needed before: it may come to another worker
        if name not in self._told:
            self._told[name] = self._recorder.submit(self._facts, name)
        self._told[name].add_done_callback(lambda _: self._events.put((task, None)))

    def _facts(self, name: str) -> str:
        if name == worker.COURSE:
            return worker.facts(self._course, self._expected.as_data())
        return json.dumps(self._expected.of(name))


def _answer(answered: Any) -> Data:
    """What a worker answered. Raises `Trouble` where none could."""
    try:
        answer: Data = answered.result()
    except Trouble:
        raise
    except Exception as error:  # the worker's, or dask's for workers that were lost
        raise _failed(error) from None
    return answer


def _failed(error: Exception) -> Trouble:
    return Trouble(
        f"the cluster could not go on ({type(error).__name__}: {error}). Does the scheduler still "
        "run, and has each worker the same version of the course as you? What is graded is kept: "
        "go on with --resume"
    )
