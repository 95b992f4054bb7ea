"""Grade on this machine: a few threads, each with a warm process of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from course_grading import unit, walls, warm
from course_lib.classroom.probe import Data

Work = tuple[str, bytes]  # the key, and the submission


def grade_all(
    work: Iterable[Work],
    course: unit.Course,
    jobs: int,
    without: tuple[str, ...],
    holds: walls.Holds,
) -> Iterator[tuple[str, Data]]:
    """Key and row of everything in `work`, as it is finished; `holds` is told what stands."""
    waiting: queue.Queue[Work | None] = queue.Queue(maxsize=2 * jobs)
    done: queue.Queue[Any] = queue.Queue()
    stop = threading.Event()
    runners = _started(course, jobs, without)
    for runner in runners:
        holds.update(walls.weakest(holds, runner.holds))
    threads = [
        threading.Thread(target=_worker, args=(waiting, done, stop, course, runner), daemon=True)
        for runner in runners
    ]
    for thread in threads:
        thread.start()
    feeder = threading.Thread(target=_feed, args=(work, waiting, done, stop, jobs), daemon=True)
    feeder.start()
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


def _started(course: unit.Course, jobs: int, without: tuple[str, ...]) -> list[warm.Asked]:
    """The warm processes, all started at once: each takes a second to import the library."""
    kits = course.kits

    def start(slot: int) -> warm.Asked:
        return warm.start(kits, course.limits, slot, without, course.unsafe)

    with ThreadPoolExecutor(jobs + 1) as starting:
        prepared = starting.submit(course.expected.prepare)
        begun = [starting.submit(start, slot) for slot in range(jobs)]
    failed = [one.exception() for one in begun] + [prepared.exception()]
    runners = [one.result() for one in begun if not one.exception()]
    for error in filter(None, failed):
        for runner in runners:
            runner.close()
        raise error
    return runners


def _feed(work: Iterable[Work], waiting: Any, done: Any, stop: threading.Event, jobs: int) -> None:
    """Hand the work out, a little ahead; the bytes are read when their turn comes."""
    try:
        for one in work:
            while not stop.is_set():
                try:
                    waiting.put(one, timeout=0.5)
                    break
                except queue.Full:
                    continue
    except BaseException as error:
        done.put(error)
    for _ in range(jobs):
        waiting.put(None)


def _worker(
    waiting: Any, done: Any, stop: threading.Event, course: unit.Course, runner: warm.Asked
) -> None:
    while not stop.is_set():
        one = waiting.get()
        if one is None:
            break
        key, content = one
        try:
            done.put((key, unit.grade(content, course, runner)))
        except BaseException as error:
            done.put(error)
            return
    done.put(None)
