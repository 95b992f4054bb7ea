"""What the reader sees of a run: the tables in a terminal, and docs/speed.md."""

from __future__ import annotations

from benchmarks import complete, cores, exponents, pictures, table
from benchmarks.libraries import BY_HAND, LIBRARIES, OURS, REFERENCE
from benchmarks.rounds import TOLERANCE
from benchmarks.run import Run

HEAD = """\
# Speed

<!-- Written by python -m benchmarks --page docs/speed.md; do not edit. -->

How fast `course_lib` is beside PyTorch's eager mode on the CPU, beside three other libraries, and
beside the same mathematics written by hand in NumPy, which is as fast as a library on NumPy can be.
Numbers without a unit are ratios: **0.5 means half of PyTorch's time**, 2 twice of it. In the first
table all of them are × PyTorch, those of the other libraries too.
"""
METHOD = """\
## How it is measured

* Each library runs each workload in a process of its own, written as its users would write it.
  PyTorch and `course_lib` run the very same code. The times are those of forward and backward, and
  of the update where a row says "step".
* Before times count, losses, gradients and trained parameters of the first steps are compared with
  those written by hand, to {tolerance} of the largest element. A wrong result is named and gets no
  time.
* Rounds are interleaved, A B C A B C …, so that a slow moment of the machine meets all libraries. A
  ratio is taken within each round; the table has the median of {rounds} in {sittings}. Each
  sitting has new processes. What takes long has {again}: 100 000 operations, peak memory, imports,
  growth.
* CPU time of the process, one thread, garbage collection on. Seconds are those of one machine,
  which was busy with other things; only ratios mean something. One table alone is by the clock:
  the shortest time of a step with one core and with all of them, since more cores shorten the wait
  and not the work.
* The complete programs are files in `benchmarks/programs/`, written for this and run as they stand,
  from the first line to the last; what they end with is compared with what PyTorch ends with. Their
  peak memory is over what the library holds once it is imported, which is far more for PyTorch.
* Peak memory is by how much training raises the most that the process has had (`ru_maxrss`), over
  what it holds after a step with a small batch. Memory in the table of growth is what Python and
  NumPy allocate.
* An exponent is fitted by least squares through the logarithms of size and time: 1 is linear, 2
  quadratic. Up to {linear} counts as linear, because times are never quite on the line.
* Whether large arrays find memory that is mapped already is luck, for every library: the row of
  1e6 elements swings by a factor of two from sitting to sitting.
* The goals are the project's own: what a careful library on NumPy can reach.

`python -m benchmarks` repeats all of it, `--quick` the most of it in a minute or two, and
`--python torch=PATH` names the Python that has a library. How fast notebooks are graded is told by
[`python benchmarks/grading.py`](../benchmarks/grading.py), beside pytest with nbval.
"""


def tables(run: Run) -> str:
    """All that was measured, with the reasons where a number is missing."""
    return "\n\n".join(text for _, text in sections(run))


def sections(run: Run) -> list[tuple[str, str]]:
    """Titles and texts."""
    found = []
    if run.rows:
        peers = table.beside_pytorch(run.rows, run.outcomes)
        found.append(("Beside PyTorch and others", peers))
        found.append(("Beside NumPy by hand", table.beside_by_hand(run.rows, run.outcomes)))
    if run.programs:
        found.append(("Complete programs", complete.table_of(run.programs)))
    if run.cores:
        found.append(("With one core and with all", cores.table(run.cores)))
    if run.growths:
        found.append(("Growth", exponents.table(run.growths, run.curves)))
    if run.pictures:
        found.append(("What a notebook waits for", pictures.table(run.pictures)))
    if run.drawings:
        found.append(("Pictures of models", pictures.table_of_models(run.drawings)))
    notes = [*table.notes(run.rows, run.outcomes), *exponents.notes(run.curves)]
    notes += [f"{title} is not installed and is left out" for title in run.missing()]
    if notes:
        found.append(("Why a number is missing", listed(notes)))
    return found


def listed(lines: list[str]) -> str:
    return "\n".join(f"* {line}" for line in lines)


def page(run: Run) -> str:
    """The page about speed."""
    parts = [HEAD, versions(run), "## Where course_lib loses", losses(run)]
    for title, text in sections(run):
        parts += [f"## {title}", text]
    parts.append(
        METHOD.format(
            tolerance=TOLERANCE,
            rounds=counted(run.effort.sittings * run.effort.rounds, "round"),
            sittings=counted(run.effort.sittings, "sitting"),
            again=counted(1 + run.effort.again, "round"),
            linear=exponents.LINEAR,
        )
    )
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "round"), counted(3, "round")
    ('1 round', '3 rounds')
    """
    return f"{count} {noun}{'s' * (count != 1)}"


def versions(run: Run) -> str:
    """Of what the numbers are."""
    known = {name: facts for name, facts in run.facts.items() if facts is not None}
    numbers = [
        f"{LIBRARIES[name].title} {facts['version']}"
        for name, facts in known.items()
        if name != BY_HAND
    ]
    pythons = sorted({facts["python"] for facts in known.values()})
    numpys = sorted({facts["numpy"] for facts in known.values()})
    return f"{', '.join(numbers)}; NumPy {', '.join(numpys)}, Python {', '.join(pythons)}."


def losses(run: Run) -> str:
    """Every goal that is missed, and every row in which another library is faster."""
    lines = []
    for row in run.rows:
        outcomes = run.outcomes[row.name]
        ours = outcomes[OURS]
        found = []
        for goal, other, word in (
            (row.goal, REFERENCE, "PyTorch"),
            (row.goal_by_hand, BY_HAND, "by hand"),
        ):
            ratio = ours.times(outcomes.get(other))
            if table.verdict(ratio, goal) == "missed":
                found.append(f"{table.number(ratio)} × {word}, goal {table.number(goal)}")
            elif other == REFERENCE and ratio is not None and ratio > 1:
                found.append(f"{table.number(ratio)} × {word}")
        for name, outcome in outcomes.items():
            ratio = ours.times(outcome)
            if name not in (OURS, BY_HAND, REFERENCE) and ratio is not None and ratio > 1:
                found.append(f"{table.number(ratio)} × {LIBRARIES[name].title}")
        if ours.problem:
            found.append(ours.problem)
        if found:
            lines.append(f"{row.title}: {'; '.join(found)}")
    lines += complete.losses(run.programs)
    lines += cores.losses(run.cores)
    for growth in run.growths:
        ours = run.curves[growth.name][OURS]
        for word, value in (("time", ours.time_exponent()), ("memory", ours.memory_exponent())):
            if table.verdict(value, exponents.LINEAR) == "missed":
                lines.append(f"{growth.title}: {word} grows with exponent {value:.2f}")
    return listed(lines) if lines else "Nowhere in this run."
