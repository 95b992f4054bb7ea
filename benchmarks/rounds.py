"""Asks the libraries in turn: A B C A B C …, so that a slow moment of the machine meets them all.

A result that is not the one written by hand gets no time: nobody wins by computing something else.
"""

import json
import os
import signal
import statistics
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np

from benchmarks.libraries import BY_HAND, COMPILED_HERE, OURS, REFERENCE, ROOT, SECONDS, Place
from benchmarks.startup import Startup, seconds
from benchmarks.workload import Workload

TOLERANCE = 1e-3  # of the largest element: float32 after a thousand operations in another order


@dataclass
class Outcome:
    """One library in one row of the table: a number for each round, or why there is none."""

    values: list[float] = field(default_factory=list)  # seconds of a step, or bytes
    problem: str = ""
    absent: str = ""  # why the library takes no part
    remark: str = ""  # what a reader should know of its results

    def median(self) -> float:
        return statistics.median(self.values)

    def times(self, other: "Outcome | None") -> float | None:
        """The median of the ratios of each round; None if there is nothing to divide."""
        if other is None or not self.values or not other.values:
            return None
        return statistics.median(a / b for a, b in zip(self.values, other.values))


@dataclass(frozen=True)
class Effort:
    """How often, and for how many seconds a library computes each time."""

    sittings: int  # new processes: where arrays lie in memory is luck, and stays for a process
    rounds: int  # within a sitting
    seconds: float
    again: int  # rounds of what is slow, after the first
    quick: bool = False  # whether slow peers and large sizes are left out


class Failed(Exception):
    """What a library's process said instead of an answer."""


class Worker:
    """A process that has one library imported; see worker.py."""

    def __init__(self, library: str, place: Place):
        self.process = subprocess.Popen(
            [place.python, "-m", "benchmarks.worker", library],
            env=place.environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # so that it and what it divides into can be ended together
        )

    def ask(self, *order: Any) -> dict[str, Any]:
        """The answer to an order; Failed if there is none."""
        patience = Timer(SECONDS, self.kill)
        patience.start()
        try:
            os.write(self.process.stdin.fileno(), json.dumps(order).encode() + b"\n")
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            patience.cancel()
        if not line:
            raise Failed(f"its process ended with status {self.process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    @contextmanager
    def busy_with(self, *workload: Any) -> Iterator[None]:
        """A new process for one workload, which ends with the block."""
        self.ask("begin", *workload)
        yield
        if self.process.poll() is None:
            self.ask("end")

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self) -> None:
        self.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


# ---- what is right -------------------------------------------------------------------------------


def difference(found: list[np.ndarray], expected: list[np.ndarray]) -> str:
    """In what the results differ; nothing if they are equal.

    >>> difference([np.ones(2)], [np.ones(2)])
    ''
    >>> difference([np.ones(2)], [np.zeros(2)])
    'result 0 is off by 1'
    """
    if len(found) != len(expected):
        return f"{len(found)} results, not {len(expected)}"
    for number, (one, other) in enumerate(zip(found, expected)):
        if one.shape != other.shape:
            return f"result {number} has shape {one.shape}, not {other.shape}"
        off = np.abs(np.float64(one) - np.float64(other)).max(initial=0)
        if not off <= TOLERANCE * np.abs(np.float64(other)).max(initial=1e-3):
            return f"result {number} is off by {off:.2g}"
    return ""


def stored(path: Path) -> list[np.ndarray]:
    with np.load(path) as arrays:
        return [arrays[f"arr_{number}"] for number in range(len(arrays.files))]


# ---- rows ----------------------------------------------------------------------------------------


def measure(
    workload: Workload, workers: dict[str, Worker], effort: Effort, folder: Path
) -> dict[str, Outcome]:
    """The outcome of each library, one of which is by hand."""
    outcomes = {library: Outcome() for library in workers}
    for library, outcome in outcomes.items():
        if workload.maker(library) is None:
            outcome.absent = workload.lacks[library]
        elif workload.slow and effort.quick and library not in (OURS, REFERENCE, BY_HAND):
            outcome.absent = "is left out of quick runs here"
    busy = {name: workers[name] for name, outcome in outcomes.items() if not outcome.absent}
    first: dict[str, float] = {}
    for _ in range(1 if workload.slow or workload.memory else effort.sittings):
        with ExitStack() as stack:
            for library, worker in busy.items():
                with noted(outcomes[library]):
                    stack.enter_context(worker.busy_with(workload.name))
            first = first or compare(workload, busy, outcomes, folder)
            busy = {library: workers[library] for library in first}
            if workload.slow:
                for library, value in first.items():
                    outcomes[library].values.append(value)
                take = {name: partial(value_of, busy[name], "time", 1) for name in first}
                in_turn(take, outcomes, effort.again)
            elif not workload.memory:
                in_turn(settled(busy, outcomes, effort.seconds), outcomes, effort.rounds)
    if workload.memory:  # each time of a new process: a peak never falls
        take = {name: partial(peak_of, busy[name], workload.name) for name in first}
        in_turn(take, outcomes, 1 + effort.again)
    return outcomes


def settled(
    workers: dict[str, Worker], outcomes: dict[str, Outcome], seconds: float
) -> dict[str, Callable[[], float]]:
    """What takes the time of a step of each library, that is warm by now."""
    take = {}
    for library, worker in workers.items():
        with noted(outcomes[library]):
            repeats = worker.ask("repeats", seconds)["repeats"]
            take[library] = partial(value_of, worker, "time", repeats)
    return take


def compare(
    workload: Workload, workers: dict[str, Worker], outcomes: dict[str, Outcome], folder: Path
) -> dict[str, float]:
    """The time of a step of each library that gives what is written by hand."""
    first: dict[str, float] = {}
    expected: list[np.ndarray] = []
    for library in sorted(workers, key=lambda name: name != BY_HAND):
        path = folder / f"{workload.name}-{library}.npz"
        with noted(outcomes[library]):
            value = workers[library].ask("check", str(path), workload.slow)["value"]
            found = stored(path)
            if wrong := difference(found, expected or found):
                raise Failed(f"wrong: {wrong}")
            if any(one.itemsize > other.itemsize for one, other in zip(found, expected)):
                outcomes[library].remark = "computes in float64"
            first[library] = value
        expected = expected or stored(path)
    return first


def value_of(worker: Worker, *order: Any) -> float:
    value: float = worker.ask(*order)["value"]
    return value


def peak_of(worker: Worker, workload: str) -> float:
    with worker.busy_with(workload):
        return value_of(worker, "memory")


def measure_startup(
    startup: Startup, places: dict[str, Place], effort: Effort
) -> dict[str, Outcome]:
    """The same for what happens once per process."""
    outcomes = {library: Outcome() for library in places}
    take = {}
    for library, where in places.items():
        if library not in startup.modules:
            outcomes[library].absent = "has nothing of the kind"
            continue
        take[library] = partial(seconds, startup.command(library, where.python), where.environment)
        if library in COMPILED_HERE:
            with noted(outcomes[library]):
                take[library]()  # what Python compiles is on disk afterwards
    in_turn(take, outcomes, 1 + effort.again)
    return outcomes


def in_turn(
    take: dict[str, Callable[[], float]], outcomes: dict[str, Outcome], rounds: int
) -> None:
    """Fill in a value of each library per round."""
    for _ in range(rounds):
        for library, measured in take.items():
            outcome = outcomes[library]
            if not outcome.problem:
                with noted(outcome):
                    outcome.values.append(measured())


@contextmanager
def noted(outcome: Outcome) -> Iterator[None]:
    """What goes wrong inside stands in the table, without a time."""
    try:
        yield
    except (Failed, subprocess.SubprocessError) as error:
        outcome.problem, outcome.values = str(error), []
