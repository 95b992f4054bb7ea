"""Repeated structure: the time steps of an RNN, the layers of an MLP; and how much of it is drawn.

In the order in which functions were recorded, the copies of a repeated part lie one after another.
So a repetition is a period in the row of functions, when each is looked at from its own place: its
name, and how far back its edges lead. The first copy, nearest to the output, stands for all. The
last one may begin elsewhere: with data, or with a state that wants no gradient.

A large graph is cut at a `horizon`, with one stub for each hidden function that an arrow leads to:
where few arrows cross it, and never to hide less than it adds.

Two parts of a model are equal when they call modules of the same classes in the same order, with
parameters and results of the same shapes, and hand their results on in the same way.
"""

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.reading.calls import Call
from course_lib.viz.reading.models import tensors_of
from course_lib.viz.reading.walk import Walk, in_turn, name_of, reach, recording_time

# ---- the order in which functions ran ----

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
    """The repeated parts of a graph, nearest to the outputs first."""
    row = in_turn(walk)[::-1]
    place, looks, known = {i: at for at, i in enumerate(row)}, list[Look](), dict[Look, int]()
    for at, i in enumerate(row):  # what each function looks like from its own place
        edges = tuple(
            None if t is None else (place[t] - at, nr) if t in place else _LEAF
            for t, nr in walk.edges[i]
        )
        looks.append((name_of(walk.nodes[i]), edges))
    numbers = [known.setdefault(look, len(known)) for look in looks]
    found, at = [], 0
    while at < len(row):
        period, times = _best(numbers, looks, at)
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


def _runs(row: list[int], at: int, longest: int) -> Iterator[tuple[int, int]]:
    """Each period, up to a longest one, in which a row goes on from `at`, and where that ends."""
    for period, one in enumerate(row[at + 1 : at + 1 + longest], start=1):
        if one == row[at]:
            end = at + period
            while end < len(row) and row[end] == row[end - period]:
                end += 1
            yield period, end


def _best(row: list[int], looks: list[Look], at: int) -> tuple[int, int]:
    """The period and the number of copies that cover most of the row from `at` on."""
    best, covered = (1, 1), 0
    for period, end in _runs(row, at, PERIOD):
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
            outside = edge is not None and edge[0] >= period - k
            its_inside = its is not None and 0 != its[0] < period - k
            if edge != its and (its_inside or not outside):
                return False
    return True


# ---- how far a picture of a large graph goes ----

LEAST = 20  # functions; hiding fewer costs more than it saves


def horizon(
    walk: Walk, heads: dict[int, set[int]], roots: set[int], most: int
) -> tuple[set[int], dict[int, list[int]]]:
    """The functions to draw so that there are about `most`, the `roots` among them; and
    for each hidden one that a drawn one leads to, all the hidden ones on the way from there.

    `heads` has the functions that may be drawn, each with those of them that it leads to; a copy
    that is drawn elsewhere leads where the one does that stands for it, and the other way round.
    """
    if len(heads) < most + LEAST:
        return set(heads), {}
    row = sorted(heads, key=lambda i: -recording_time(walk, i))
    drawn, open_ = set(roots), set[int]()
    fewest, best = len(heads), 1
    for count, i in enumerate(row[:most], start=1):
        drawn.add(i)
        open_ = (open_ | heads[i]) - drawn
        if count > most * 3 // 4 and len(open_) <= fewest:
            fewest, best = len(open_), count
    drawn = roots | set(row[:best])
    targets = {t: None for i in sorted(drawn) for t in sorted(heads[i] - drawn)}
    hidden = {i: heads[i] - drawn for i in heads}
    return drawn, {t: sorted(reach({t: t}, hidden.__getitem__)) for t in targets}


# ---- which part of a graph is drawn ----

MANY = 40  # functions; repeated parts of a larger graph are folded unless the reader says no
FEW_LEAVES = 3  # leaves behind the horizon that are drawn nevertheless


class Parts:
    """The parts of a graph.

    `number` has the functions that are drawn, with their numbers in the order of the walk; `leaves`
    the leaves that are drawn. `copies` leads from a function of a folded copy to the one that
    stands for it, `behind` from a hidden function at the horizon to all hidden ones behind it.
    """

    def __init__(self, walk: Walk, roots: set[int], most: int, fold: bool | None = None) -> None:
        self.walk = walk
        self.total = walk.functions
        folded = self.total > MANY if fold is None else fold
        self.repeats: list[Repeat] = repeats(walk) if folded else []
        self.copies = {c: r for repeat in self.repeats for c, r in repeat.copies.items()}
        roots = {self.copies.get(i, i) for i in roots if i not in walk.leaves}
        drawn, behind = horizon(walk, self._heads(), roots, most)
        stood_for: dict[int, list[int]] = {}
        for copy, stands in self.copies.items():
            stood_for.setdefault(stands, []).append(copy)
        self.behind = {
            start: sorted(j for i in hidden for j in (i, *stood_for.get(i, ())))
            for start, hidden in behind.items()
        }
        self.number = {i: n for n, i in enumerate(sorted(drawn), start=1)}
        self.leaves = self._leaves(most)

    def _heads(self) -> dict[int, set[int]]:
        """The functions that a function and its copies lead to, each copy as what stands for it."""
        heads: dict[int, set[int]] = {}
        leaves = self.walk.leaves
        for i in (i for i in range(len(self.walk.nodes)) if i not in leaves):
            mine = heads.setdefault(self.copies.get(i, i), set())
            mine |= {self.copies.get(t, t) for t in self.walk.heads(i) if t not in leaves}
        return heads

    def end_of(self, i: int | None) -> int | None:
        """The function that is drawn for a function: itself, or the one it is a copy of."""
        return self.copies.get(i, i) if i is not None else None

    def ways_out(self, repeat: Repeat) -> Iterator[tuple[int, int, int]]:
        """How the last copy of a repeated part goes on: a function of the copy that stands for all,
        the function of the same copy that this edge would lead to in a next copy, and the target
        outside. Of an edge that leads into no next copy, the second is -1."""
        mine = repeat.copies.keys() | set(repeat.block)
        for copy, stands in repeat.copies.items():
            edges, like = self.walk.edges[copy], self.walk.edges[stands]
            for (target, _), (usual, _) in zip(edges, like, strict=False):
                if target is not None and target not in mine:
                    carried = usual if usual in repeat.copies else None
                    yield stands, -1 if carried is None else repeat.copies[carried], target

    def _leaves(self, most: int) -> set[int]:
        """The leaves of drawn functions, of what follows a repeated part, and a few far ones; where
        they are far more than `most`, only the first ones of a function that has many."""
        own = {i: self._leaves_of(i) for i in self.number}
        near = {t for leaves in own.values() for t in leaves}
        each = most
        while len(near) >= most + LEAST and each > FEW_LEAVES:
            near = {t for leaves in own.values() for t in leaves[:each]}
            each = each * 3 // 4
        for repeat in self.repeats:
            if not self.number.keys().isdisjoint(repeat.block):
                near |= {t for _, carried, t in self.ways_out(repeat) if carried >= 0}
        leaves = near & self.walk.leaves.keys()
        far = self.leaves_behind() - leaves
        return leaves | far if len(far) <= FEW_LEAVES else leaves

    def _leaves_of(self, i: int) -> list[int]:
        return [t for t in self.walk.heads(i) if t in self.walk.leaves]

    def leaves_beside(self, i: int) -> int:
        """How many leaves that a drawn function leads to are not drawn."""
        return len(set(self._leaves_of(i)) - self.leaves)

    def leaves_behind(self, start: int | None = None) -> set[int]:
        """The leaves that functions behind the horizon lead to, or only those behind `start`."""
        starts = self.behind if start is None else (start,)
        return {t for s in starts for i in self.behind[s] for t in self._leaves_of(i)}


# ---- equal parts of a model ----

CALLS = 100  # calls or functions in one part, at most


@dataclass(frozen=True)
class EqualCalls:
    """A part, and the equal ones after it: each a tuple of positions of calls side by side."""

    unit: tuple[int, ...]
    copies: tuple[tuple[int, ...], ...]


def equal_calls(calls: list[Call]) -> list[EqualCalls]:
    """The repeated parts of a recording, inside other repeated parts too."""
    ends = ends_of(calls)
    looks = _looks_of_calls(calls)
    inside: dict[int, list[int]] = {}
    for k, call in enumerate(calls):
        if call.kind not in ("input", "output"):
            inside.setdefault(call.parent, []).append(k)
    found = []
    for row in inside.values():
        found += _in_row(row, calls, ends, [looks[k] for k in row])
    return found


def _in_row(
    row: list[int], calls: list[Call], ends: list[int], looks: list[int]
) -> list[EqualCalls]:
    """The repeated parts among calls side by side."""
    found, at = [], 0
    while at < len(row):
        runs = ((p, end) for p, end in _runs(looks, at, CALLS) if end - at >= 2 * p)
        # what covers most, and of those the shortest
        period, end = max(
            runs, key=lambda run: run[1] - (run[1] - at) % run[0], default=(1, at + 1)
        )
        # a part begins, if there is a choice, with a module that has parameters
        choice = ((k, calls[row[k]].module) for k in range(at, at + (end - at) % period + 1))
        first = next((k for k, module in choice if module is not None and tensors_of(module)), at)
        starts = range(first, end - period + 1, period)
        unit, *others = (tuple(row[k : k + period]) for k in starts)
        alike = functools.partial(_are_linked_alike, calls, ends, unit)
        copies = tuple(itertools.takewhile(alike, others))
        if copies:
            found.append(EqualCalls(unit, copies))
            at = first + period * (len(copies) + 1)
        else:
            at += 1
    return found


def find_repeat(names: list[str]) -> tuple[int, int, int]:
    """Where the longest repeated part begins, how long it is, and how often it comes, at least 3
    times; all 0 where nothing is.

    >>> find_repeat(["a", "b", "c", "b", "c", "b", "c"])
    (1, 2, 3)
    """
    best = (0, 0, 0)
    for period in range(1, min(CALLS, len(names) // 3) + 1):
        start = 0
        equal = [one == other for one, other in zip(names, names[period:], strict=False)]
        for same, run in itertools.groupby(equal):
            length = len(list(run))
            times = length // period + 1
            if same and times >= 3 and times * period > best[1] * best[2]:
                best = (start, period, times)
            start += length
    return best


# ---- what is equal ----


def ends_of(calls: list[Call]) -> list[int]:
    """For each call, the position after the last call inside it."""
    ends = [k + 1 for k in range(len(calls))]
    for k in range(len(calls) - 1, -1, -1):
        if calls[k].parent >= 0:
            ends[calls[k].parent] = max(ends[calls[k].parent], ends[k])
    return ends


def _looks_of_calls(calls: list[Call]) -> list[int]:
    """A number for each call; those of two calls are equal when they and all inside look alike."""
    known: dict[Any, int] = {}
    looks = [0] * len(calls)
    inside: dict[int, list[int]] = {}
    for k, call in reversed(list(enumerate(calls))):
        what: Any = call.name if call.kind == "operation" else call.kind
        own: tuple[Any, ...] = ()
        if call.module is not None:
            what, tensors = type(call.module), tensors_of(call.module)
            own = tuple((name, tuple(p.shape), p.requires_grad) for name, p in tensors)
        given, used = (tuple(words for _, words in pairs) for pairs in (call.sources, call.uses))
        look = (what, own, call.results, given, used, call.error, tuple(inside.pop(k, ())))
        looks[k] = known.setdefault(look, len(known))
        inside.setdefault(call.parent, []).append(looks[k])
    return looks


def _are_linked_alike(
    calls: list[Call], ends: list[int], unit: tuple[int, ...], copy: tuple[int, ...]
) -> bool:
    """Whether the calls in two parts work on each other's results in the same way."""

    def links(k: int, start: int) -> list[int | None]:
        """How far into the part the sources of a call are."""
        return [None if s is None or s < start else s - start for s, _ in calls[k].sources]

    one, other = unit[0], copy[0]
    within = range(one, ends[unit[-1]])
    return all(links(k, one) == links(k + other - one, other) for k in within)
