"""Repeated structure of a graph: the time steps of an RNN, the layers of an MLP.

In the order in which functions were recorded, the copies of a repeated part lie one after another.
So a repetition is a period in the row of functions, when each is looked at from its own place: its
name, and how far back its edges lead. The first copy, nearest to the output, stands for all.
"""

from bisect import bisect_right
from dataclasses import dataclass, field

from course_lib.viz.reading.walk import Walk, is_leaf_node, name_of

PERIOD = 200  # functions in one copy, at most
TIMES = 3  # fewer copies are not worth folding


@dataclass
class Repeat:
    """`times` copies of a part of the graph; `block` is the first one (positions in the walk), and
    `copies` leads from each position in another copy to the one that stands for it."""

    times: int
    block: list[int] = field(default_factory=list)
    copies: dict[int, int] = field(default_factory=dict)


def repeats(walk: Walk) -> list[Repeat]:
    """The repeated parts of a graph, nearest to the outputs first.

    >>> import course_lib as torch
    >>> x = y = torch.ones(2, requires_grad=True)
    >>> for _ in range(5):
    ...     y = (y * 2).exp()
    >>> from course_lib.viz.reading.walk import walk
    >>> [repeat.times for repeat in repeats(walk([y.sum().grad_fn]))]
    [4]
    """
    row = [i for i, node in enumerate(walk.nodes) if not is_leaf_node(node)]
    row.sort(key=lambda i: -walk.nodes[i]._sequence_nr())
    looks = _looks(walk, row)
    places: dict[str, list[int]] = {}
    for at, look in enumerate(looks):
        places.setdefault(look, []).append(at)
    found, at = [], 0
    while at < len(row):
        period, times = _best(looks, places[looks[at]], at)
        if times < TIMES:
            at += 1
            continue
        repeat = Repeat(times, row[at : at + period])
        for k in range(period, period * times):
            repeat.copies[row[at + k]] = repeat.block[k % period]
        found.append(repeat)
        at += period * times
    return found


def _looks(walk: Walk, row: list[int]) -> list[str]:
    """What each function looks like from its own place."""
    place = {i: at for at, i in enumerate(row)}
    words = []
    for at, i in enumerate(row):
        edges = [
            "-" if t is None else f"{place[t] - at}.{nr}" if t in place else "leaf"
            for t, nr in walk.edges[i]
        ]
        words.append(f"{name_of(walk.nodes[i])}({', '.join(edges)})")
    return words


def _best(looks: list[str], places: list[int], at: int) -> tuple[int, int]:
    """The period and the number of copies that cover most of the row from `at` on."""
    best, covered = (1, 1), 0
    for next_place in places[bisect_right(places, at) :]:
        period = next_place - at
        if period > PERIOD:
            break
        end = next_place
        while end < len(looks) and looks[end] == looks[end - period]:
            end += 1
        times = (end - at) // period
        if times >= TIMES and times * period > covered:
            best, covered = (period, times), times * period
    return best
