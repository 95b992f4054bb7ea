"""One run of the benchmarks: what was asked for, and what came out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import complete, cores, exponents, pictures, rounds
from benchmarks.growth import GROWTHS, Growth
from benchmarks.libraries import BY_HAND, LIBRARIES, OURS, REFERENCE, installed, place
from benchmarks.rounds import Effort, Outcome, Worker
from benchmarks.startup import STARTUPS, Startup
from benchmarks.table import Row, verdict
from benchmarks.workloads import WORKLOADS

ROWS: dict[str, Row] = {**WORKLOADS, **STARTUPS}
NAMES = [*ROWS, *GROWTHS, complete.NAME, cores.NAME, pictures.NAME]  # what can be asked for


@dataclass
class Run:
    """The outcomes, and of which versions."""

    effort: Effort
    facts: dict[str, dict[str, str] | None]  # versions by library; None: not installed
    rows: list[Row]
    growths: list[Growth]
    outcomes: dict[str, dict[str, Outcome]] = field(default_factory=dict)
    curves: dict[str, dict[str, exponents.Curve]] = field(default_factory=dict)
    programs: dict[str, complete.Measured] = field(default_factory=dict)
    cores: cores.Times = field(default_factory=dict)
    pictures: dict[str, tuple[float, float]] = field(default_factory=dict)
    drawings: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)

    def missing(self) -> list[str]:
        """The titles of the libraries that are not installed."""
        return [LIBRARIES[name].title for name, known in self.facts.items() if known is None]

    def right(self) -> bool:
        """Whether course_lib gave all that it was asked for, and as written by hand."""
        ours = [row[OURS] for row in self.outcomes.values()]
        ours += [found[OURS] for pair in self.programs.values() for found in pair]
        grown = [row[OURS] for row in self.curves.values()]
        return not any(outcome.problem for outcome in [*ours, *grown])

    def verdicts(self) -> list[str]:
        """Met or missed, for every goal that was measured."""
        found = []
        for row in self.rows:
            ours = self.outcomes[row.name][OURS]
            reference = self.outcomes[row.name].get(REFERENCE)
            found.append(verdict(ours.times(reference), row.goal))
            found.append(verdict(ours.times(self.outcomes[row.name][BY_HAND]), row.goal_by_hand))
        for curves in self.curves.values():
            found.append(verdict(curves[OURS].time_exponent(), exponents.LINEAR))
            found.append(verdict(curves[OURS].memory_exponent(), exponents.LINEAR))
        return [word for word in found if word] + complete.verdicts(self.programs)


def perform(
    names: list[str],
    pythons: dict[str, str],
    effort: Effort,
    told: Callable[[str], None],
) -> Run:
    """Measure what is named, with the libraries that `pythons` has; `told` hears how far it is."""
    run = Run(
        effort,
        {name: installed(LIBRARIES[name], python) for name, python in pythons.items()},
        [row for name, row in ROWS.items() if name in names],
        [growth for name, growth in GROWTHS.items() if name in names],
    )
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        places = {
            library: place(library, pythons[library], folder)
            for library, known in run.facts.items()
            if known is not None
        }
        workers = {}
        for library, where in places.items():  # all import at the same time
            workers[library] = Worker(library, where)
            stack.callback(workers[library].close)
        for row in run.rows:
            told(row.name)
            if isinstance(row, Startup):
                run.outcomes[row.name] = rounds.measure_startup(row, places, effort)
            else:
                run.outcomes[row.name] = rounds.measure(row, workers, effort, folder)
        for growth in run.growths:
            told(growth.name)
            run.curves[growth.name] = exponents.measure(growth, workers, effort)
        if complete.NAME in names:
            run.programs = complete.measure_all(workers, effort, folder, told)
        if cores.NAME in names:
            told(cores.NAME)
            run.cores = cores.measure(places, 1 + effort.again)
        if pictures.NAME in names:
            told(pictures.NAME)
            run.pictures = pictures.measure(places[OURS], 1 + effort.again)
            drawn = REFERENCE if REFERENCE in places else OURS
            run.drawings = pictures.draw_models(places[drawn], drawn, effort.quick)
    return run


def as_data(run: Run) -> dict[str, Any]:
    """The whole run as plain data, for `--json`."""
    return {
        "libraries": run.facts,
        "rounds": run.effort.sittings * run.effort.rounds,
        "workloads": [workload_data(row, run.outcomes[row.name]) for row in run.rows],
        "growth": [growth_data(growth, run.curves[growth.name]) for growth in run.growths],
        "programs": [program_data(name, pair) for name, pair in run.programs.items()],
        "cores": [
            {"name": name, "library": library, "cores": count, "clock": seconds}
            for name, found in run.cores.items()
            for (library, count), seconds in found.items()
        ],
        "pictures": {
            name: {"cpu": cpu, "clock": clock} for name, (cpu, clock) in run.pictures.items()
        },
        "drawings": run.drawings,
    }


def workload_data(row: Any, outcomes: dict[str, Any]) -> dict[str, Any]:
    """A row of the table, with what each library took."""
    return {
        "name": row.name,
        "title": row.title,
        "goal": row.goal,
        "goal_by_hand": row.goal_by_hand,
        "outcomes": {
            name: {
                "values": outcome.values,
                "problem": outcome.problem,
                "absent": outcome.absent,
                "remark": outcome.remark,
                "times_torch": outcome.times(outcomes.get(REFERENCE)),
                "times_by_hand": outcome.times(outcomes[BY_HAND]),
            }
            for name, outcome in outcomes.items()
        },
    }


def growth_data(growth: Any, curves: dict[str, Any]) -> dict[str, Any]:
    """How time and memory grow with the size, for each library."""
    return {
        "name": growth.name,
        "title": growth.title,
        "curves": {
            name: {
                "sizes": curve.sizes,
                "seconds": curve.rounds,
                "bytes": curve.memory,
                "problem": curve.problem,
                "time_exponent": curve.time_exponent(),
                "memory_exponent": curve.memory_exponent(),
            }
            for name, curve in curves.items()
        },
    }


def program_data(name: str, pair: Any) -> dict[str, Any]:
    """A complete program: its seconds and bytes in each library."""
    both = {
        what: {
            library: {"values": outcome.values, "problem": outcome.problem}
            for library, outcome in outcomes.items()
        }
        for what, outcomes in zip(("seconds", "bytes"), pair)
    }
    ratios = {
        "times_torch": complete.ratio(pair[0]),
        "memory_times_torch": complete.ratio(pair[1]),
    }
    return {"name": name, "title": complete.PROGRAMS[name].title, **both, **ratios}
