"""How far a picture of a large graph goes: the functions recorded last, and what lies behind them.

A cut is drawn as one stub for each hidden function that an arrow leads to. So it is made where few
arrows cross it, and none is made to hide less than it adds.
"""

from dataclasses import dataclass, field

from course_lib.viz.reading.walk import Walk, recorded

LEAST = 20  # functions; hiding fewer costs more than it saves


@dataclass
class Horizon:
    """`drawn` functions, as positions in the walk; `behind` tells, for each hidden function that a
    drawn one leads to, all the hidden ones on the way from there."""

    drawn: set[int] = field(default_factory=set)
    behind: dict[int, list[int]] = field(default_factory=dict)


def horizon(walk: Walk, heads: dict[int, set[int]], roots: set[int], most: int) -> Horizon:
    """The horizon when about `most` functions are drawn, the `roots` among them.

    `heads` has the functions that may be drawn, each with those of them that it leads to; a copy
    that is drawn elsewhere leads where the one does that stands for it, and the other way round.
    """
    if len(heads) < most + LEAST:
        return Horizon(set(heads))
    row = sorted(heads, key=lambda i: -recorded(walk, i))
    drawn, open_ = set(roots), set[int]()
    fewest, best = len(heads), 1
    for count, i in enumerate(row[:most], start=1):
        drawn.add(i)
        open_ = (open_ | heads[i]) - drawn
        if count > most * 3 // 4 and len(open_) <= fewest:
            fewest, best = len(open_), count
    drawn = roots | set(row[:best])
    targets = {t: None for i in sorted(drawn) for t in sorted(heads[i] - drawn)}
    return Horizon(drawn, {t: _behind(heads, t, drawn) for t in targets})


def _behind(heads: dict[int, set[int]], start: int, drawn: set[int]) -> list[int]:
    met, waiting = {start}, [start]
    while waiting:
        new = heads[waiting.pop()] - drawn - met
        met |= new
        waiting += new
    return sorted(met)
