"""What a notebook waits for: the import, the first picture, and every later one.

Each measurement is a process of its own. "Never before" means that Graphviz, which comes as
WebAssembly, has nothing compiled on disk, as the very first time after installing.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile

from benchmarks.libraries import ROOT, SECONDS, Place
from benchmarks.table import duration, markdown, number

NAME, LATER = "pictures", 5
SCRIPT = """
import json, sys
from time import perf_counter, process_time
marks = [(process_time(), perf_counter())]
def mark():
    marks.append((process_time(), perf_counter()))
import numpy
mark()
import course_lib as torch
torch.Tensor
mark()
from course_lib.viz import draw_graph
x = torch.tensor([1.0, 2.0], requires_grad=True)
for _ in range(1 + int(sys.argv[1])):
    draw_graph((x * x + 3.0).relu().sum()).svg
    mark()
print(json.dumps(marks))
"""
STEPS = {
    "import numpy": (0, 1),
    "import course_lib, after that": (1, 2),
    "first picture": (2, 3),
    "a later picture": (3, 4),
    "all until the first picture": (0, 3),
}
Times = dict[str, tuple[float, float]]  # CPU and wall seconds


def once(place: Place) -> Times:
    """The times of one process."""
    done = subprocess.run(
        [place.python, "-c", SCRIPT, str(LATER)],
        env=place.environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    marks = json.loads(done.stdout)
    later = [[b - a for a, b in zip(*pair)] for pair in zip(marks[3:], marks[4:])]
    times = {
        name: tuple(b - a for a, b in zip(marks[first], marks[last]))
        for name, (first, last) in STEPS.items()
    }
    times["a later picture"] = tuple(statistics.median(column) for column in zip(*later))
    return times


def never_before(place: Place) -> Times:
    """The times of a process that has to compile Graphviz."""
    with tempfile.TemporaryDirectory() as empty:
        variables = {**place.environment, "XDG_CACHE_HOME": empty}
        return once(Place(place.python, variables))


def measure(place: Place, rounds: int) -> dict[str, tuple[float, float]]:
    """Medians; the processes with and without compiled code take turns."""
    once(place)  # what is compiled is on disk afterwards
    warm, cold = [], []
    for _ in range(rounds):
        warm.append(once(place))
        cold.append(never_before(place))
    times = {name: middle(name, warm) for name in STEPS}
    if sys.platform == "linux":  # elsewhere the cache of Graphviz has another place
        last = list(STEPS)[-1]
        times[f"{last}, never before"] = middle(last, cold)
    return times


def middle(name: str, runs: list[Times]) -> tuple[float, float]:
    cpu, wall = (statistics.median(run[name][clock] for run in runs) for clock in (0, 1))
    return cpu, wall


def table(times: dict[str, tuple[float, float]]) -> str:
    unit = times["import numpy"][0]
    lines = [
        [name, duration(cpu), duration(wall), number(cpu / unit)]
        for name, (cpu, wall) in times.items()
    ]
    return markdown(["what", "CPU time", "on the clock", "CPU × NumPy's import"], lines)
