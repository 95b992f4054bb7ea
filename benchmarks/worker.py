"""The process that has one library imported, and runs each workload in a process of its own.

    python -m benchmarks.worker LIBRARY

It obeys lines in JSON on its standard input. ``begin WORKLOAD`` divides the process: the new one
answers what follows, ``end`` ends it. ``check`` stores what the step returns, ``repeats`` says how
many steps take so many seconds, ``time`` gives the CPU time of one step, ``memory`` by how much the
step raises the peak, ``allocated`` what Python has of it.
"""

import ctypes
import gc
import json
import os
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any, TextIO

import numpy as np

from benchmarks.complete import PROGRAMS
from benchmarks.growth import GROWTHS
from benchmarks.libraries import LIBRARIES, OURS, REFERENCE
from benchmarks.operations import OPERATIONS
from benchmarks.workload import Step
from benchmarks.workloads import WORKLOADS

STEPS = 3  # that are compared, or whose peak is taken: parameters have moved by then


def as_array(value: Any) -> np.ndarray:
    """A tensor, number or text of any of the libraries as an array."""
    if isinstance(value, str):
        from benchmarks.printing import numbers

        return numbers(value)
    if hasattr(value, "detach"):
        return value.detach().numpy()
    if not isinstance(value, (np.ndarray, np.generic)):
        value = getattr(value, "data", value)
    return np.asarray(value)


def check(step: Step, path: str, slow: bool) -> dict[str, Any]:
    """Store the results of the first steps, as arrays, and the CPU time of the last one."""
    arrays: list[np.ndarray] = []
    took = 0.0
    for _ in range(1 if slow else STEPS):
        start = process_time()
        results = step()
        took = process_time() - start
        arrays += [np.array(as_array(value)) for value in results]
    np.savez(path, *arrays)
    return {"value": took}


def time(step: Step, repeats: int) -> dict[str, Any]:
    """CPU seconds of one step."""
    gc.collect()
    return {"value": mean(step, repeats)}


def repeats(step: Step, seconds: float) -> dict[str, Any]:
    """How many steps take about that long; also warms up."""
    number, took = 1, mean(step, 1)
    while took * number < seconds / 2:
        number = max(2 * number, int(seconds / took)) if took > 0 else 2 * number
        took = mean(step, number)
    return {"repeats": max(1, round(seconds / took))}


def mean(step: Step, repeats: int) -> float:
    start = process_time()
    for _ in range(repeats):
        step()
    return (process_time() - start) / repeats


def memory(step: Step) -> dict[str, Any]:
    """By how many bytes three steps raise the peak over what is in use before them."""
    gc.collect()
    give_back()
    before = in_use()
    for _ in range(STEPS):
        step()
    return {"value": peak() - before}


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    import resource  # not on Windows

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def give_back() -> None:
    """Hand what is free back to the system, which would count it as in use (glibc can)."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def in_use() -> int:
    """Memory of this process now; where no system call tells, its peak until now."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except FileNotFoundError:
        return peak()


def allocated(step: Step) -> dict[str, Any]:
    """The most bytes that Python and NumPy have at once while the step runs."""
    gc.collect()  # also lets go of small objects that Python keeps for reuse, which would not count
    tracemalloc.start()
    step()
    return {"value": tracemalloc.get_traced_memory()[1]}


ORDERS = {function.__name__: function for function in (check, repeats, time, memory, allocated)}


def serve(make: Callable[[], Step], answers: TextIO) -> None:
    """Run one workload, as ordered, until it is to end."""
    step = None
    say({}, answers)
    for line in sys.stdin:
        order, *words = json.loads(line)
        if order == "end":
            return
        try:
            if step is None:
                step = make()
            answer = ORDERS[order](step, *words)
        except Exception as error:
            text = str(error).splitlines() or [""]
            answer = {"error": f"{type(error).__name__}: {text[0]}"}
        say(answer, answers)


def say(answer: dict[str, Any], answers: TextIO) -> None:
    print(json.dumps(answer), file=answers, flush=True)


def prepared(module: Any, library: str, name: str, size: int | None = None) -> Step:
    """The step of a workload, or of what grows to a size."""
    if size is not None:
        return GROWTHS[name].make(module, size)
    every = WORKLOADS | PROGRAMS | OPERATIONS
    return every[name].makers["torch" if library == OURS else library](module)


def main(library: str) -> None:
    # Libraries may print; answers go where nothing else is written.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    module = LIBRARIES[library].imported()
    if library == REFERENCE:
        module.set_num_threads(1)
        module.optim.SGD([module.zeros(1)])  # seconds of imports that would recur in each process
    for line in sys.stdin:  # nothing is read ahead: each order waits for the answer to the last
        order, *words = json.loads(line)
        if order == "end":  # of a process that has ended by itself
            say({}, answers)
            continue
        child = os.fork()
        if not child:
            serve(partial(prepared, module, library, *words), answers)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        say({"error": f"its process ended with status {status}"} if status else {}, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
