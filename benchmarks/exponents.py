"""Time and memory against size: what growth.py lets grow is measured, and an exponent fitted.

Where the work is linear the exponent is 1, or less while fixed costs still count; 2 would mean that
twice as much takes four times as long.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.growth import Growth
from benchmarks.libraries import LIBRARIES, OURS, REFERENCE
from benchmarks.rounds import Effort, Failed, Worker, value_of
from benchmarks.table import duration, markdown, size, verdict

LINEAR = 1.1  # the largest exponent that is called linear: times are never quite on the line


@dataclass
class Curve:
    """What one library takes at each size."""

    sizes: tuple[int, ...]
    rounds: list[list[float]] = field(default_factory=list)  # seconds per size
    memory: list[float] = field(default_factory=list)  # bytes per size
    problem: str = ""

    def time_exponent(self) -> float | None:
        """The median of the exponents of all rounds."""
        if not self.rounds:
            return None
        return statistics.median(exponent(self.sizes, times) for times in self.rounds)

    def memory_exponent(self) -> float | None:
        return exponent(self.sizes, self.memory) if self.memory else None

    def at_largest(self) -> float:
        return statistics.median(times[-1] for times in self.rounds)


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of the straight line through the logarithms, by least squares.

    >>> exponent([1, 2, 4], [3, 12, 48])
    2.0
    """
    x, y = np.log(sizes), np.log(values)
    x = x - x.mean()
    return round(float(x @ (y - y.mean()) / (x @ x)), 6)


def measure(growth: Growth, workers: dict[str, Worker], effort: Effort) -> dict[str, Curve]:
    """The curves of course_lib and, where it can and there is time, of PyTorch."""
    names = [name for name in (OURS, REFERENCE) if name in workers]
    if growth.only_ours or effort.quick:
        names = [OURS]
    sizes = growth.quick_sizes() if effort.quick else growth.sizes
    curves = {name: Curve(sizes) for name in names}
    for _ in range(1 + effort.again):
        for name in names:
            curves[name].rounds.append([])
        for number in sizes:
            for name in names:
                curve = curves[name]
                if curve.problem:
                    continue
                try:
                    with workers[name].busy_with(growth.name, number):
                        repeats = workers[name].ask("repeats", effort.seconds)["repeats"]
                        curve.rounds[-1].append(value_of(workers[name], "time", repeats))
                        if name == OURS and len(curve.memory) < len(sizes):
                            curve.memory.append(value_of(workers[name], "allocated"))
                except Failed as error:
                    curve.problem, curve.rounds, curve.memory = str(error), [], []
    return curves


def table(growths: list[Growth], results: dict[str, dict[str, Curve]]) -> str:
    """A line per thing that grows."""
    head = ["what grows", "from", "to", "time of the largest", "its memory"]
    head += ["exponent of time", "", "of memory", "", "of PyTorch's time"]
    return markdown(head, [line(growth, results[growth.name]) for growth in growths])


def line(growth: Growth, curves: dict[str, Curve]) -> list[str]:
    ours = curves[OURS]
    first, last = spaced(ours.sizes[0]), spaced(ours.sizes[-1])
    if ours.problem:
        return [growth.title, first, last, "fails", *["–"] * 6]
    time, memory = ours.time_exponent(), ours.memory_exponent()
    theirs = curves[REFERENCE].time_exponent() if REFERENCE in curves else None
    return [
        growth.title,
        first,
        last,
        duration(ours.at_largest()),
        size(ours.memory[-1]),
        two(time),
        verdict(time, LINEAR),
        two(memory),
        verdict(memory, LINEAR),
        two(theirs),
    ]


def two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def spaced(number: int) -> str:
    """
    >>> spaced(1000000)
    '1 000 000'
    """
    return f"{number:,}".replace(",", " ")


def notes(results: dict[str, dict[str, Curve]]) -> list[str]:
    return [
        f"{LIBRARIES[name].title}: {curve.problem} ({row})"
        for row, curves in results.items()
        for name, curve in curves.items()
        if curve.problem
    ]
