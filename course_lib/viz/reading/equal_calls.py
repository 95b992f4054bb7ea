"""Equal parts of a model that follow one another: the layers of an encoder, the steps of a cell.

Two parts are equal when they call modules of the same classes in the same order, with parameters
and results of the same shapes, and hand their results on in the same way.
"""

from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading.calls import Call
from course_lib.viz.reading.library import tensors_of

PERIOD = 100  # calls in one part, at most


@dataclass(frozen=True)
class Repeat:
    """A part, and the equal ones after it: each a tuple of positions of calls side by side."""

    unit: tuple[int, ...]
    copies: tuple[tuple[int, ...], ...]


def repeats(calls: list[Call]) -> list[Repeat]:
    """The repeated parts of a recording, inside other repeated parts too.

    >>> from course_lib import nn, zeros
    >>> from course_lib.viz.reading.calls import record
    >>> layers = [layer for _ in range(3) for layer in (nn.Linear(2, 2), nn.Tanh())]
    >>> repeats(record(nn.Sequential(*layers), (zeros(1, 2),)).calls)
    [Repeat(unit=(2, 3), copies=((4, 5), (6, 7)))]
    """
    ends = _ends(calls)
    looks = _looks(calls)
    inside: dict[int, list[int]] = {}
    for k, call in enumerate(calls):
        if call.kind not in ("input", "output"):
            inside.setdefault(call.parent, []).append(k)
    found = []
    for row in inside.values():
        found += _in_row(row, calls, ends, [looks[k] for k in row])
    return found


def _in_row(row: list[int], calls: list[Call], ends: list[int], looks: list[int]) -> list[Repeat]:
    """The repeated parts among calls side by side."""
    found, at = [], 0
    while at < len(row):
        period, end = _longest(looks, at)
        first = _natural_start(row, calls, at, period, end)
        parts = [tuple(row[k : k + period]) for k in range(first, end - period + 1, period)]
        unit, copies = parts[0] if parts else (), []
        for copy in parts[1:]:
            if not _linked_alike(calls, unit, copy, ends):
                break
            copies.append(copy)
        if copies:
            found.append(Repeat(unit, tuple(copies)))
            at = first + period * (len(copies) + 1)
        else:
            at += 1
    return found


def _longest(looks: list[int], at: int) -> tuple[int, int]:
    """The period from `at` on that covers most, the shortest of those, and where it ends."""
    best, covered = (1, at + 1), 0
    for period in range(1, min(PERIOD, (len(looks) - at) // 2) + 1):
        end = at + period
        if looks[end] != looks[at]:
            continue
        while end < len(looks) and looks[end] == looks[end - period]:
            end += 1
        whole = (end - at) // period * period
        if whole >= 2 * period and whole > covered:
            best, covered = (period, end), whole
    return best


def _natural_start(row: list[int], calls: list[Call], at: int, period: int, end: int) -> int:
    """Where a part begins, if there is a choice: with a module that has parameters."""
    for first in range(at, at + (end - at) % period + 1):
        module = calls[row[first]].module
        if module is not None and tensors_of(module):
            return first
    return at


# ---- what is equal ----


def _ends(calls: list[Call]) -> list[int]:
    """For each call, the position after the last call inside it."""
    ends = [k + 1 for k in range(len(calls))]
    for k in range(len(calls) - 1, -1, -1):
        if calls[k].parent >= 0:
            ends[calls[k].parent] = max(ends[calls[k].parent], ends[k])
    return ends


def _looks(calls: list[Call]) -> list[int]:
    """A number for each call; those of two calls are equal when they and all inside look alike."""
    known: dict[Any, int] = {}
    looks = [0] * len(calls)
    inside: dict[int, list[int]] = {}
    for k in range(len(calls) - 1, -1, -1):
        call = calls[k]
        look = (_own_look(call), tuple(reversed(inside.pop(k, []))))
        looks[k] = known.setdefault(look, len(known))
        inside.setdefault(call.parent, []).append(looks[k])
    return looks


def _own_look(call: Call) -> tuple[Any, ...]:
    module = call.module
    what: Any = call.name if call.kind == "operation" else call.kind
    own: tuple[Any, ...] = ()
    if module is not None:
        what = type(module)
        own = tuple((name, tuple(p.shape), p.requires_grad) for name, p in tensors_of(module))
    shapes = tuple(words for _, words in call.sources)
    return (what, own, call.results, shapes, tuple(w for _, w in call.uses), call.error)


def _linked_alike(
    calls: list[Call], unit: tuple[int, ...], copy: tuple[int, ...], ends: list[int]
) -> bool:
    """Whether the calls in two parts work on each other's results in the same way."""
    start, step = unit[0], copy[0] - unit[0]
    for k in range(start, ends[unit[-1]]):
        for (one, _), (other, _) in zip(calls[k].sources, calls[k + step].sources, strict=True):
            within = one is not None and one >= start
            if within != (other is not None and other >= start + step):
                return False
            if within and one is not None and other != one + step:
                return False
    return True
