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


def horizon(walk: Walk, functions: list[int], roots: set[int], most: int) -> Horizon:
    """The horizon when about `most` of the `functions` are drawn, the `roots` among them.

    What is not among `functions` (copies of others, leaves) is neither drawn nor hidden.
    """
    if len(functions) < most + LEAST:
        return Horizon(set(functions))
    row = sorted(functions, key=lambda i: -recorded(walk, i))
    known, drawn, fewest, best = set(functions), set(roots), len(functions), 1
    open_: set[int] = set()
    for count, i in enumerate(row[:most], start=1):
        drawn.add(i)
        open_ = (open_ | {t for t, _ in walk.edges[i] if t in known}) - drawn
        if count > most * 3 // 4 and len(open_) <= fewest:
            fewest, best = len(open_), count
    drawn = roots | set(row[:best])
    hidden = known - drawn
    targets = {t: None for i in sorted(drawn) for t, _ in walk.edges[i] if t in hidden}
    return Horizon(drawn, {t: _behind(walk, t, hidden) for t in targets if t is not None})


def _behind(walk: Walk, start: int, hidden: set[int]) -> list[int]:
    met = {start: None}
    waiting = [start]
    while waiting:
        for target, _ in walk.edges[waiting.pop()]:
            if target in hidden and target is not None and target not in met:
                met[target] = None
                waiting.append(target)
    return sorted(met)
