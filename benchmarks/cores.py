"""What more cores do: the time on the clock, with one core and with all of them.

Both libraries hand large products to code that can use several cores.  Of everything else NumPy
uses one, while PyTorch divides convolutions, sums and elementwise operations of large tensors too.
So this table shows time on the clock, where all others show the processor's.  Each number is the
shortest of a few: with all cores in use, whatever else the machine does is in the way.
"""

import json
import os
import subprocess

from benchmarks.libraries import OURS, REFERENCE, ROOT, SECONDS, THREADS, Place
from benchmarks.table import duration, markdown, number
from benchmarks.workloads import WORKLOADS

NAME = "cores"
ROWS = ("matmul", "elementwise", "mlp-large", "cnn")
SCRIPT = """
import json, sys
from time import perf_counter
from benchmarks.libraries import LIBRARIES
from benchmarks.worker import prepared
library, cores, *names = sys.argv[1:]
module = LIBRARIES[library].imported()
if library == "torch":
    module.set_num_threads(int(cores))
found = {}
for name in names:
    step = prepared(module, library, name)
    step()
    found[name] = float("inf")
    for _ in range(20):
        start = perf_counter()
        step()
        found[name] = min(found[name], perf_counter() - start)
print(json.dumps(found))
"""
Times = dict[str, dict[tuple[str, int], float]]  # by row, library and cores: seconds on the clock


def all_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def once(library: str, place: Place, cores: int) -> dict[str, float]:
    """Seconds on the clock of a step of each row, in a process that may use so many cores."""
    done = subprocess.run(
        [place.python, "-c", SCRIPT, library, str(cores), *ROWS],
        env={**place.environment, **dict.fromkeys(THREADS, str(cores))},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(places: dict[str, Place], rounds: int) -> Times:
    """The shortest time of each; the libraries take turns."""
    times: Times = {name: {} for name in ROWS}
    for _ in range(rounds):
        for cores in sorted({1, all_cores()}):
            for library in (REFERENCE, OURS):
                if library not in places:
                    continue
                for name, seconds in once(library, places[library], cores).items():
                    known = times[name].get((library, cores), seconds)
                    times[name][library, cores] = min(known, seconds)
    return times


def table(times: Times) -> str:
    """A line for each row: PyTorch's time, and ours × PyTorch's, with one core and with all."""
    counts = sorted({cores for found in times.values() for _, cores in found})
    head = ["workload, on the clock"]
    for cores in counts:
        word = "one core" if cores == 1 else f"{cores} cores"
        head += [f"PyTorch, {word}", f"course_lib × PyTorch, {word}"]
    lines = []
    for name, found in times.items():
        line = [WORKLOADS[name].title]
        for cores in counts:
            theirs, ours = found.get((REFERENCE, cores)), found[OURS, cores]
            line += ["–", "–"] if theirs is None else [duration(theirs), number(ours / theirs)]
        lines.append(line)
    return markdown(head, lines)


def losses(times: Times) -> list[str]:
    """Every row in which PyTorch is faster with all cores."""
    lines = []
    for name, found in times.items():
        cores = max(count for _, count in found)
        theirs, ours = found.get((REFERENCE, cores)), found[OURS, cores]
        if cores > 1 and theirs is not None and ours > theirs:
            word = f"{number(ours / theirs)} × PyTorch on the clock with {cores} cores"
            lines.append(f"{WORKLOADS[name].title}: {word}")
    return lines
