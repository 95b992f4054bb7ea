"""Complete programs, from data to result: time and peak memory beside PyTorch.

`programs/` has them as their authors would write them, with ``import torch`` at the top. They are
run as they stand, and once more with that line importing `course_lib`. Each leaves `results`, a
list of tensors, which are compared before times count.
"""

import ast
import re
import statistics
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import table
from benchmarks.libraries import OURS, REFERENCE
from benchmarks.rounds import Effort, Outcome, Worker, measure
from benchmarks.workload import Step, Workload

NAME = "programs"
FOLDER = Path(__file__).resolve().parent / "programs"
USUAL, WORST, MEMORY = 0.9, 2.0, 1.2  # goals times PyTorch: of the median, of each, of each peak
Measured = tuple[dict[str, Outcome], dict[str, Outcome]]  # times, peaks of memory


def for_library(text: str, library: str) -> str:
    """A program that imports another library where it imports `torch`.

    >>> print(for_library("import torch\\nfrom torch.nn import Linear", "course_lib"))
    import course_lib as torch
    from course_lib.nn import Linear
    """
    if library == REFERENCE:
        return text
    text = re.sub(r"^import torch$", f"import {library} as torch", text, flags=re.MULTILINE)
    return re.sub(r"^from torch\b", f"from {library}", text, flags=re.MULTILINE)


def prepared(path: Path, module: Any) -> Step:
    """The step that runs a whole program."""
    text = for_library(path.read_text(encoding="utf-8"), module.__name__)
    code = compile(text, str(path), "exec")

    def step() -> Any:
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(code, names)
        return names["results"]

    return step


def title(path: Path) -> str:
    """The first sentence of a program, without its full stop."""
    words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return f"{path.stem}: {words.partition('.')[0]}"


PROGRAMS = {
    f"program-{path.stem}": Workload(
        f"program-{path.stem}",
        title(path),
        goal=WORST,
        makers={REFERENCE: partial(prepared, path)},
    )
    for path in sorted(FOLDER.glob("*.py"))
}


def measure_all(
    workers: dict[str, Worker], effort: Effort, folder: Path, told: Callable[[str], None]
) -> dict[str, Measured]:
    """Times and peaks of memory of each program, of PyTorch (if it is there) and of ours.

    A quick run leaves memory out.
    """
    pair = {name: workers[name] for name in (REFERENCE, OURS) if name in workers}
    found = {}
    for name, program in PROGRAMS.items():
        told(name)
        times = measure(program, pair, effort, folder)
        left_out = {library: Outcome(absent="is left out of quick runs") for library in pair}
        by_memory = replace(program, memory=True)
        peaks = left_out if effort.quick else measure(by_memory, pair, effort, folder)
        found[name] = times, peaks
    return found


def ratio(outcomes: dict[str, Outcome]) -> float | None:
    """How many times PyTorch's the number of ours is."""
    return outcomes[OURS].times(outcomes.get(REFERENCE))


def usual(measured: dict[str, Measured]) -> float | None:
    """The median of all ratios of time."""
    ratios = [found for times, _ in measured.values() if (found := ratio(times)) is not None]
    return statistics.median(ratios) if ratios else None


MEDIAN_TITLE = "median of the programs"


def table_of(measured: dict[str, Measured]) -> str:
    """A line for each program, and one for the median."""
    head = ["program", "PyTorch", "course_lib × PyTorch", "goal", ""]
    head += ["PyTorch's memory", "× PyTorch's memory", "goal", ""]
    lines = []
    for name, (times, peaks) in measured.items():
        theirs, theirs_most = times.get(REFERENCE), peaks.get(REFERENCE)
        lines.append(
            [
                PROGRAMS[name].title,
                "–" if theirs is None else table.absolute(theirs),
                table.cell(times[OURS], theirs),
                table.number(WORST),
                table.verdict(ratio(times), WORST),
                "–" if theirs_most is None else table.absolute(theirs_most, memory=True),
                table.cell(peaks[OURS], theirs_most),
                table.number(MEMORY),
                table.verdict(ratio(peaks), MEMORY),
            ]
        )
    middle = usual(measured)
    goal = [table.number(middle), table.number(USUAL), table.verdict(middle, USUAL)]
    return table.markdown(head, [*lines, [MEDIAN_TITLE, "", *goal, *[""] * 4]])


def verdicts(measured: dict[str, Measured]) -> list[str]:
    """Met or missed, for every goal."""
    found = [table.verdict(usual(measured), USUAL)]
    for times, peaks in measured.values():
        found += [table.verdict(ratio(times), WORST), table.verdict(ratio(peaks), MEMORY)]
    return [word for word in found if word]


def losses(measured: dict[str, Measured]) -> list[str]:
    """Every program that takes more than PyTorch, or whose result is another."""
    lines = []
    for name, (times, peaks) in measured.items():
        found = []
        if (taken := ratio(times)) is not None and taken > 1:
            goal = f", goal {table.number(WORST)}" if taken > WORST else ""
            found.append(f"{table.number(taken)} × PyTorch{goal}")
        if (most := ratio(peaks)) is not None and most > 1:
            goal = f", goal {table.number(MEMORY)}" if most > MEMORY else ""
            found.append(f"{table.number(most)} × PyTorch's memory{goal}")
        if problem := times[OURS].problem or peaks[OURS].problem:
            found.append(problem)
        if found:
            lines.append(f"{PROGRAMS[name].title}: {'; '.join(found)}")
    middle = usual(measured)
    if table.verdict(middle, USUAL) == "missed":
        lines.append(f"{MEDIAN_TITLE}: {table.number(middle)} × PyTorch, goal {USUAL}")
    return lines
