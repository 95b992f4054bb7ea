"""Grade on other machines: the same units of work on the workers of a dask scheduler.

A worker starts a warm process of its own and keeps it; what a submission does ends the child, never
the worker. A worker that is lost loses no row: dask gives its batch to another one.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from course_lib.classroom.grading import unit, warm
from course_lib.classroom.grading.expected import Expected
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.local import Work
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble

BATCH = 32  # submissions of one task: enough to be worth sending, few enough to lose
AHEAD = 3  # batches for each worker, so that none waits

_warm: dict[str, warm.Asked] = {}  # of this worker, by what it was prepared for


def grade_all(
    work: Iterable[Work],
    course: unit.Course,
    expected: Expected,
    address: str,
    walls: dict[str, str],
) -> Iterator[tuple[str, Data]]:
    """Key and row of everything in `work`, as it is finished by the workers at `address`."""
    client = _client(address)
    try:
        for name in course.exercises:
            expected.of(name)  # here: no worker ever knows a solution
        facts = json.dumps(course.as_data(expected.as_data()))
        (shared,) = client.scatter([facts], broadcast=True)
        yield from _rows(client, shared, work, walls)
    finally:
        client.close()


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        install = 'pip install "course-lib[cluster]"'
        raise Trouble(f"--scheduler needs dask.distributed: {install}", 2) from None
    try:
        return Client(address, timeout="20s", set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise Trouble(f"there is no dask scheduler at {address} ({error})") from None


def _rows(
    client: Any, shared: Any, work: Iterable[Work], walls: dict[str, str]
) -> Iterator[tuple[str, Data]]:
    from distributed import as_completed

    batches = _batches(work)
    workers = max(1, len(client.scheduler_info()["workers"]))
    running = as_completed(raise_errors=False)
    left = 0
    for batch in batches:
        running.add(_submit(client, shared, batch))
        left += 1
        if left >= AHEAD * workers:
            break
    while left:
        finished = next(running)
        left -= 1
        rows, held = finished.result()
        walls.update(held)
        following = next(batches, None)
        if following is not None:
            running.add(_submit(client, shared, following))
            left += 1
        yield from rows


def _submit(client: Any, shared: Any, batch: list[Work]) -> Any:
    return client.submit(grade_batch, shared, batch, pure=False, retries=5)


def _batches(work: Iterable[Work]) -> Iterator[list[Work]]:
    batch: list[Work] = []
    for one in work:
        batch.append(one)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def grade_batch(shared: str, batch: list[Work]) -> tuple[list[tuple[str, Data]], dict[str, str]]:
    """The rows of a batch, on a worker; and what holds there."""
    facts = json.loads(shared)
    course = unit.Course.from_data(facts)
    kits = hashlib.sha256(json.dumps(facts["exercises"]).encode()).hexdigest()
    name = f"{kits} {threading.get_ident()}"  # a warm process does one thing at a time
    if name not in _warm:
        _warm[name] = warm.start(course.kits, Limits(**facts["limits"]), os.getpid() % 900)
        atexit.register(_warm[name].close)
    runner = _warm[name]
    return [(key, unit.grade(content, course, runner)) for key, content in batch], runner.holds
