"""Which bytes of a large memory are drawn: those around both ends of what each tensor covers."""

from collections.abc import Sequence

Part = tuple[int, int]  # first byte, and the one after the last


def parts_of(nbytes: int, step: int, extents: Sequence[Part], budget: int) -> list[Part]:
    """The parts that are drawn, from left to right, in steps of the largest element.

    Everything while it fits. Else parts grow at once from every end of every tensor, and from the
    ends of the memory, until `budget` bytes are used up: inwards first, then over the edge.

    >>> parts_of(96, 8, [(0, 16)], 128)
    [(0, 96)]
    >>> parts_of(8000, 8, [(4000, 6400)], 128)
    [(0, 16), (3992, 4040), (6360, 6408), (7984, 8000)]
    """
    if nbytes <= budget:
        return [(0, nbytes)] if nbytes else []
    covered = [(start, end) for start, end in extents if start < end]
    parts: list[Part] = []
    for turn in range(1, budget // step + 1):
        long, edge = turn * step, step * (turn > 2)
        wanted = [(0, min(long, 2 * step)), (nbytes - min(long, 2 * step), nbytes)]
        for start, end in covered:
            wanted.append((start - edge, min(start + long, end) + edge * (start + long >= end)))
            wanted.append((max(end - long, start) - edge * (end - long <= start), end + edge))
        grown = _merged([_on_grid(part, nbytes, step) for part in wanted], 4 * step)
        if parts and sum(b - a for a, b in grown) > budget:
            break
        parts = grown
    return parts


def _on_grid(part: Part, nbytes: int, step: int) -> Part:
    start, end = max(part[0], 0), min(part[1], nbytes)
    return start - start % step, min(end + -end % step, nbytes)


def _merged(parts: list[Part], gap: int) -> list[Part]:
    """The parts in order, those that touch made one, and those with next to nothing in between."""
    found: list[Part] = []
    for start, end in sorted(parts):
        if found and start <= found[-1][1] + gap:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
