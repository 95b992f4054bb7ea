"""What a notebook waits for: the import, the first picture, every later one, and those of models.

Each measurement is a process of its own. "Never before" means that Graphviz, which comes as
WebAssembly, has nothing compiled on disk, as the very first time after installing.
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile

from benchmarks.drawn import MODELS, OURS, TOOLS, WITH_DOT
from benchmarks.libraries import ROOT, SECONDS, Place
from benchmarks.table import duration, markdown, number

NAME, LATER = "pictures", 5
PATIENCE = 60  # seconds until a model counts as not drawn
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
Drawings = dict[str, dict[str, dict[str, float]]]  # by tool and model: seconds and bytes, or none


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


# ---- models, beside other tools ------------------------------------------------------------------


def tools(place: Place) -> list[str]:
    """Ours, and those that this Python has, with the program that some of them start."""
    code = "import importlib.util as u, sys; print(*filter(u.find_spec, sys.argv[1:]))"
    peers = [tool for tool in TOOLS if tool not in OURS]
    done = subprocess.run([place.python, "-c", code, *peers], capture_output=True, text=True)
    there = {*OURS, *done.stdout.split()}
    if shutil.which("dot") is None:
        there -= {*WITH_DOT}
    return [tool for tool in TOOLS if tool in there]


def draw_models(place: Place, library: str, quick: bool) -> Drawings:
    """Every model with every tool that is there; only the first model if it has to be quick."""
    models = list(MODELS)[: 1 if quick else None]
    return {
        tool: {model: drawing(place, library, tool, model) for model in models}
        for tool in tools(place)
    }


def drawing(place: Place, library: str, tool: str, model: str) -> dict[str, float]:
    """Seconds and bytes; only the patience for what took longer, nothing for what fails."""
    command = [place.python, "-m", "benchmarks.drawn", library, tool, model]
    try:
        done = subprocess.run(
            command,
            env=place.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return {"longer": PATIENCE}
    if done.returncode:
        return {}
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def table_of_models(drawings: Drawings) -> str:
    """A line per tool, a column per model."""
    models = list(next(iter(drawings.values())))
    lines = [
        [f"{tool} with dot" if tool in WITH_DOT else tool, *(cell(found[m]) for m in models)]
        for tool, found in drawings.items()
    ]
    return markdown(["tool", *models], lines)


def cell(found: dict[str, float]) -> str:
    """
    >>> cell({"seconds": 0.25, "bytes": 12_400}), cell({"longer": 60}), cell({})
    ('250 ms, 12 kB', '> 60 s', 'fails')
    """
    if not found:
        return "fails"
    if "longer" in found:
        return f"> {found['longer']:g} s"
    return f"{duration(found['seconds'])}, {found['bytes'] / 1e3:.0f} kB"
