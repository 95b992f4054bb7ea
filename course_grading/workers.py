"""Where units of work are run: in threads of this machine, or by the workers of a dask scheduler.

On this machine each thread has a warm process of its own. A worker of a cluster starts one for each
of its threads; what a submission does ends the child, never the worker. A worker that is lost loses
no row: dask gives what it was at to another one. Each submission is a task.

Note [What a worker is told]
A worker never records what right answers show; the grader does, and only for the sets that were
handed in. Which set a submission belongs to is known after a child has read it. So a worker is sent
a submission alone, and answers with its row or with the name of what it needs first: the exercises,
or the records of a set. The grader sends the submission again, and that with it. The worker keeps
what it was told, so each set costs each worker one reading more, a twentieth of a second, and its
records travel once. `unit.grade` knows nothing of this.

Reading in a task of its own would send every submission and all that its answers showed through the
cluster twice. A guess from a file's name may be wrong, so the worker would have to ask all the
same. As dask's own data, the records would draw the tasks to the first worker that has them, since
dask places a task where its data are, and they would be lost with that worker.
"""

import contextlib
import json
import pickle
import queue
import secrets
import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from course_grading import unit, walls, warm
from course_grading.expected import Unrecorded
from course_lib import version
from course_lib.classroom.probe import Data
from course_lib.classroom.prompt import pip_install
from course_lib.classroom.trouble import Trouble

Work = tuple[str, bytes]  # the key, and the submission


def grade_here(
    work: Iterable[Work],
    course: unit.Course,
    jobs: int,
    without: tuple[str, ...],
    holds: walls.Holds,
) -> Iterator[tuple[str, Data]]:
    """Key and row of everything in `work`, as it is finished; `holds` is told what stands."""
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    turns, one_by_one, stop = iter(work), threading.Lock(), threading.Event()

    def grade_each(runner: warm.Asked) -> None:
        """Grade what is next until nothing is left; its bytes are read when its turn comes."""
        try:
            while not stop.is_set():
                with one_by_one:
                    one = next(turns, None)
                if one is None:
                    break
                key, content = one
                done.put((key, unit.grade(content, course, runner)))
            done.put(None)
        except BaseException as error:
            done.put(error)

    runners = _start_warm(course, jobs, without)
    for runner in runners:
        holds.update(walls.weakest(holds, runner.holds))
        threading.Thread(target=grade_each, args=(runner,), daemon=True).start()
    try:
        left = jobs
        while left:
            finished = done.get()
            if finished is None:
                left -= 1
            elif isinstance(finished, BaseException):
                raise finished
            else:
                yield finished
    finally:
        stop.set()
        for runner in runners:
            runner.close()


def _start_warm(course: unit.Course, jobs: int, without: tuple[str, ...]) -> list[warm.Asked]:
    """The warm processes, all started at once: each takes a second to import the library."""
    with ThreadPoolExecutor(jobs + 1) as starting:
        prepared = starting.submit(course.expected.prepare)
        begun = [starting.submit(course.start, slot, without) for slot in range(jobs)]
    failed = [one.exception() for one in begun] + [prepared.exception()]
    runners = [one.result() for one in begun if not one.exception()]
    for error in filter(None, failed):
        for runner in runners:
            runner.close()
        raise error
    return runners


COURSE = ""  # stands for the exercises where a set's name stands for its records
KEPT = 2  # gradings at once; one that was killed has told nobody that it is over


class _Kept:
    """What this worker keeps of one grading: the exercises, records, and warm processes."""

    def __init__(self, course: unit.Course) -> None:
        self.course = course
        self._runners: dict[int, warm.Asked] = {}

    def runner(self) -> warm.Asked:
        """This thread's warm process, as each does one thing at a time."""
        thread = threading.get_native_id()  # no two on this machine are equal, so few slots are
        if thread not in self._runners:
            made = self.course.start(thread % 900)
            weakref.finalize(self, made.close)  # once no thread is at this grading any more
            self._runners[thread] = made
        return self._runners[thread]


_gradings: dict[str, _Kept] = {}  # by name, the oldest first
_lock = threading.Lock()


def facts(course: unit.Course) -> str:
    """What a worker has to know first: whose it is, for every version to read, then the course."""
    return json.dumps({"version": version.COURSE, "course": pickle.dumps(course).hex()})


def grade(name: str, submission: bytes, told: dict[str, Any]) -> Data:
    """The row of a submission and what holds here, or what is needed before there can be one."""
    grading = _find_known(name, told)
    if grading is None:
        return {"needs": COURSE}
    for exercise, records in told.items():
        if exercise != COURSE:
            grading.course.expected.add(exercise, records)
    runner = grading.runner()
    try:
        return {"row": unit.grade(submission, grading.course, runner), "holds": runner.holds}
    except Unrecorded as unrecorded:
        return {"needs": unrecorded.name}


def _find_known(name: str, told: dict[str, Any]) -> _Kept | None:
    with _lock:
        if name not in _gradings and COURSE in told:
            _gradings[name] = _new(json.loads(told[COURSE]))
            while len(_gradings) > KEPT:
                del _gradings[next(iter(_gradings))]  # if it goes on, it will be told again
        return _gradings.get(name)


def _new(told: Data) -> _Kept:
    if told["version"] != version.COURSE:
        raise Trouble(
            f"a worker has version {version.COURSE} of the course, and you have "
            f"{told['version']}; install the same version everywhere"
        )
    return _Kept(pickle.loads(bytes.fromhex(told["course"])))


def forget(name: str) -> None:
    """The grading is over: its warm processes end."""
    with _lock:
        _gradings.pop(name, None)


AHEAD = 4  # submissions for each thread of a worker, so that none waits
RETRIES = 2  # what one worker has no memory or process for, another may have
PATIENCE = 30.0  # seconds without any worker
LOOK = 5.0  # seconds between two looks at how many there are


def grade_there(
    work: Iterable[Work], course: unit.Course, address: str, holds: walls.Holds
) -> Iterator[tuple[str, Data]]:
    """Key and row of everything in `work`, as it is finished by the workers at `address`."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(course.expected.prepare)  # as workers begin; if it fails, `of` says so
        with contextlib.closing(_client(address)) as client:
            grading = _Cluster(client, course)
            yield from grading.rows(work, holds)
            client.run(forget, grading.name, on_error="ignore")


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        install = pip_install("distributed>=2025.1")
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


class _Cluster:
    """One grading: what the workers are at, and what they are told."""

    def __init__(self, client: Any, course: unit.Course) -> None:
        self.name = secrets.token_hex(8)
        self._client, self._course = client, course
        self._sent: dict[str, Any] = {}  # dask forgets a task whose future nobody holds
        self._events: queue.SimpleQueue[tuple[Work, list[str], Any]] = queue.SimpleQueue()
        self._most, self._looked = 0, 0.0

    def rows(self, work: Iterable[Work], holds: walls.Holds) -> Iterator[tuple[str, Data]]:
        """Key and row of everything in `work`; `holds` is told what stands on every worker."""
        waiting = iter(work)
        while True:
            while self._has_room() and (one := next(waiting, None)) is not None:
                self._send(one, [])
            if not self._sent:
                return
            one, needs, answered = self._event()
            del self._sent[one[0]]
            answer = _answer(answered)
            if "needs" in answer:  # besides what it needed before: it may come to another worker
                self._send(one, [*needs, answer["needs"]])
            else:
                holds.update(walls.weakest(holds, answer["holds"]))
                yield one[0], answer["row"]

    def _has_room(self) -> bool:
        """Whether the workers want more. How many threads they have is looked up now and then."""
        if not self._most or time.monotonic() > self._looked + LOOK:
            self._most = AHEAD * max(1, self._threads())
            self._looked = time.monotonic()
        return len(self._sent) < self._most

    def _event(self) -> tuple[Work, list[str], Any]:
        """A submission, what was sent with it, and the answer."""
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
            raise _failure_row(error) from None

    def _send(self, one: Work, needs: list[str]) -> None:
        """Send a submission, and with it what its worker has asked for, recorded now if need be.

        Meanwhile the workers are at what was sent before.
        """
        key, submission = one
        told: dict[str, Any] = {name: self._course.expected.of(name) for name in needs if name}
        told |= {COURSE: facts(self._course)} if COURSE in needs else {}
        first = {"priority": len(needs)}  # what has waited goes first
        words = (grade, self.name, submission, told)
        submitted = self._client.submit(*words, pure=False, retries=RETRIES, **first)
        self._sent[key] = submitted
        submitted.add_done_callback(lambda answered: self._events.put((one, needs, answered)))


def _answer(answered: Any) -> Data:
    """What a worker answered. Raises `Trouble` where none could."""
    try:
        answer: Data = answered.result()
    except Trouble:
        raise
    except Exception as error:  # the worker's, or dask's for workers that were lost
        raise _failure_row(error) from None
    return answer


def _failure_row(error: Exception) -> Trouble:
    return Trouble(
        f"the cluster could not go on ({type(error).__name__}: {error}). Does the scheduler still "
        "run, and has each worker the same version of the course as you? What is graded is kept: "
        "go on with --resume"
    )
