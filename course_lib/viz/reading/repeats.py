"""Repeated structure of a graph: the time steps of an RNN, the layers of an MLP.

In the order in which functions were recorded, the copies of a repeated part lie one after another.
So a repetition is a period in the row of functions, when each is looked at from its own place: its
name, and how far back its edges lead. The first copy, nearest to the output, stands for all. The
last one may begin elsewhere: with data, or with a state that wants no gradient.
"""

from bisect import bisect_right
from dataclasses import dataclass, field

from course_lib.viz.reading.walk import Walk, is_leaf_node, name_of, recorded

PERIOD = 200  # functions in one copy, at most
TIMES = 3  # fewer copies are not worth folding,
BIG = 8  # unless a copy has so many functions


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
    [5]
    """
    row = [i for i, node in enumerate(walk.nodes) if not is_leaf_node(node)]
    row.sort(key=lambda i: -recorded(walk, i))
    looks = _looks(walk, row)
    words = [str(look) for look in looks]
    places: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        places.setdefault(word, []).append(at)
    found, at = [], 0
    while at < len(row):
        period, times = _best(words, looks, places[words[at]], at)
        if times < 2:
            at += 1
            continue
        repeat = Repeat(times, row[at : at + period])
        for k in range(period, period * times):
            repeat.copies[row[at + k]] = repeat.block[k % period]
        found.append(repeat)
        at += period * times
    return found


# name of the function, then for each input: how far back in the row, and which output
Look = tuple[str, tuple[tuple[int, int] | None, ...]]
_LEAF = (0, 0)


def _looks(walk: Walk, row: list[int]) -> list[Look]:
    """What each function looks like from its own place."""
    place = {i: at for at, i in enumerate(row)}
    looks = []
    for at, i in enumerate(row):
        edges = tuple(
            None if t is None else (place[t] - at, nr) if t in place else _LEAF
            for t, nr in walk.edges[i]
        )
        looks.append((name_of(walk.nodes[i]), edges))
    return looks


def _best(words: list[str], looks: list[Look], places: list[int], at: int) -> tuple[int, int]:
    """The period and the number of copies that cover most of the row from `at` on."""
    best, covered = (1, 1), 0
    for next_place in places[bisect_right(places, at) :]:
        period = next_place - at
        if period > PERIOD:
            break
        end = next_place
        while end < len(words) and words[end] == words[end - period]:
            end += 1
        times = (end - at) // period
        if times > 1 and _is_last_copy(looks, at, at + times * period, period):
            times += 1
        worth = times >= TIMES or (times > 1 and period >= BIG)
        if worth and times * period > covered:
            best, covered = (period, times), times * period
    return best


def _is_last_copy(looks: list[Look], first: int, last: int, period: int) -> bool:
    """Whether the functions from `last` on are a copy that differs only in where it leads to."""
    if last + period > len(looks):
        return False
    for k in range(period):
        (name, edges), (other, others) = looks[first + k], looks[last + k]
        if name != other or len(edges) != len(others):
            return False
        for edge, its in zip(edges, others, strict=True):
            inside = edge is not None and 0 != edge[0] < period - k
            its_inside = its is not None and 0 != its[0] < period - k
            if (inside or its_inside) and edge != its:
                return False
            if (edge is None or edge == _LEAF) and edge != its:
                return False
    return True
