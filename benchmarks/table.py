"""The table as text: Markdown that can be read as it is."""

from benchmarks.libraries import BY_HAND, LIBRARIES, OURS, REFERENCE
from benchmarks.rounds import Outcome
from benchmarks.startup import Startup
from benchmarks.workload import Workload

Row = Workload | Startup
Outcomes = dict[str, Outcome]


def beside_pytorch(rows: list[Row], results: dict[str, Outcomes]) -> str:
    """A line per workload: what each library takes, times PyTorch, and whether the goal is met."""
    peers = [
        name
        for name in LIBRARIES
        if name not in (OURS, REFERENCE, BY_HAND) and name in results[rows[0].name]
    ]
    head = ["workload", "PyTorch", "course_lib × PyTorch", "goal", ""]
    head += [LIBRARIES[name].title for name in peers]
    lines = []
    for row in rows:
        outcomes = results[row.name]
        ours, theirs = outcomes[OURS], outcomes.get(REFERENCE)
        lines.append(
            [
                row.title,
                "–" if theirs is None else absolute(theirs, in_bytes(row)),
                cell(ours, theirs),
                number(row.goal),
                verdict(ours.times(theirs), row.goal),
                *(cell(outcomes[name], theirs) for name in peers),
            ]
        )
    return markdown(head, lines)


def beside_by_hand(rows: list[Row], results: dict[str, Outcomes]) -> str:
    """The same for `course_lib` alone, times NumPy written by hand."""
    head = ["workload", "by hand", "course_lib", "course_lib × by hand", "goal", ""]
    lines = []
    for row in rows:
        ours, hand = results[row.name][OURS], results[row.name][BY_HAND]
        lines.append(
            [
                row.title,
                absolute(hand, in_bytes(row)),
                absolute(ours, in_bytes(row)),
                cell(ours, hand),
                number(row.goal_by_hand),
                verdict(ours.times(hand), row.goal_by_hand),
            ]
        )
    return markdown(head, lines)


def in_bytes(row: Row) -> bool:
    return isinstance(row, Workload) and row.memory


def cell(outcome: Outcome, other: Outcome | None) -> str:
    """A ratio, or in a word why there is none."""
    if outcome.absent:
        return "–"
    if outcome.problem:
        return "wrong" if outcome.problem.startswith("wrong") else "fails"
    return number(outcome.times(other))


def verdict(ratio: float | None, goal: float | None) -> str:
    if ratio is None or goal is None:
        return ""
    return "met" if ratio <= goal else "missed"


def number(value: float | None) -> str:
    """Three digits, which is more than can be trusted.

    >>> number(0.0123), number(1.25), number(23.0), number(None)
    ('0.012', '1.25', '23', '–')
    """
    if value is None:
        return "–"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def absolute(outcome: Outcome, memory: bool = False) -> str:
    """A time or a number of bytes with its unit."""
    if not outcome.values:
        return cell(outcome, None)
    return size(outcome.median()) if memory else duration(outcome.median())


def duration(seconds: float) -> str:
    """
    >>> duration(0.0000123), duration(0.5)
    ('12.3 µs', '500 ms')
    """
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"


def size(count: float) -> str:
    """
    >>> size(2_500_000)
    '2.5 MB'
    """
    return f"{count / 1e6:.3g} MB"


def notes(rows: list[Row], results: dict[str, Outcomes]) -> list[str]:
    """Why a library has no number, where that is not plain."""
    found: dict[str, list[str]] = {}
    for row in rows:
        for name, outcome in results[row.name].items():
            if outcome.problem:
                found.setdefault(f"{LIBRARIES[name].title}: {outcome.problem}", []).append(row.name)
            elif outcome.remark:
                found.setdefault(f"{LIBRARIES[name].title} {outcome.remark}", []).append(row.name)
            elif outcome.absent and isinstance(row, Workload):
                found.setdefault(f"{LIBRARIES[name].title} {outcome.absent}", []).append(row.name)
    return [f"{note} ({', '.join(names)})" for note, names in found.items()]


def markdown(head: list[str], lines: list[list[str]]) -> str:
    """A table whose columns are as wide as need be, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(head, *lines)]
    widths = [max(width, 3) for width in widths]

    def joined(cells: list[str]) -> str:
        first, *others = (
            cell.ljust(width) if not place else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths))
        )
        return "| " + " | ".join([first, *others]) + " |"

    rule = "|" + "|".join(
        "-" * (width + 2) if not place else "-" * (width + 1) + ":"
        for place, width in enumerate(widths)
    )
    return "\n".join([joined(head), rule + "|", *map(joined, lines)])
