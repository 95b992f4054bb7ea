"""Which function of one graph is which of another: the longest row of pairs that fits both.

Functions are taken in the order in which they ran. A pair has one name; it counts more when what
lies below it is alike, and most when it is the very same object, as where two graphs share a part.
"""

from typing import Any

from course_lib.viz.reading.walk import Walk, is_leaf_node, name_of

CELLS = 2_000_000  # pairs that are weighed: about 1,400 functions against as many
SAME, ALIKE, NAMED = 8, 4, 1  # what a pair counts: one object, the same below it, the same name


def aligned(one: Walk, other: Walk) -> dict[int, int]:
    """Positions in one walk, each with its partner in the other.

    >>> import course_lib as torch
    >>> from course_lib.viz.reading.walk import walk
    >>> x = torch.ones(2, requires_grad=True)
    >>> short, long = walk([x.exp().sum().grad_fn]), walk([x.exp().log().sum().grad_fn])
    >>> aligned(short, long)
    {1: 2, 0: 0, 2: 3}
    """
    shapes: dict[Any, int] = {}
    shared = _variables(one) & _variables(other)
    below = [_below(walk, shared, shapes) for walk in (one, other)]
    rows = [_row(walk) for walk in (one, other)]
    start = 0
    for i, j in zip(*rows, strict=False):
        if below[0][i] != below[1][j]:
            break
        start += 1
    pairs = dict(zip(rows[0][:start], rows[1][:start], strict=True))
    left, right = rows[0][start:], rows[1][start:]
    if len(left) * len(right) > CELLS:
        raise ValueError(
            f"graphs of {len(rows[0]):,} and {len(rows[1]):,} functions are too large to compare "
            "from end to end: give draw_difference the same part of both, such as one layer"
        )
    pairs |= _best(one, other, left, right, below)
    return pairs | _leaves(one, other, pairs)


def _variables(walk: Walk) -> set[int]:
    return {id(node.variable) for node in walk.nodes if is_leaf_node(node)}


def _row(walk: Walk) -> list[int]:
    """The functions in the order in which they ran."""
    row = [i for i, node in enumerate(walk.nodes) if not is_leaf_node(node)]
    return sorted(row, key=lambda i: getattr(walk.nodes[i], "_sequence_nr", lambda: -i)())


def _below(walk: Walk, shared: set[int], shapes: dict[Any, int]) -> dict[int, int]:
    """A number for each node; two nodes have the same one when all that is below them is alike."""
    numbers: dict[int, int] = {}
    for i, node in enumerate(walk.nodes):
        if is_leaf_node(node):
            known = id(node.variable) if id(node.variable) in shared else 0
            leaf = ("leaf", known, tuple(node.variable.shape))
            numbers[i] = shapes.setdefault(leaf, len(shapes))
    for i in _row(walk):
        targets = tuple((-1 if t is None else numbers.get(t, -2), nr) for t, nr in walk.edges[i])
        numbers[i] = shapes.setdefault((name_of(walk.nodes[i]), targets), len(shapes))
    return numbers


def _best(
    one: Walk, other: Walk, left: list[int], right: list[int], below: list[dict[int, int]]
) -> dict[int, int]:
    """The pairs of the heaviest alignment of two rows."""
    names = [[name_of(one.nodes[i]) for i in left], [name_of(other.nodes[j]) for j in right]]

    def weight(a: int, b: int) -> int:
        if names[0][a] != names[1][b]:
            return 0
        if one.nodes[left[a]] is other.nodes[right[b]]:
            return SAME
        return ALIKE if below[0][left[a]] == below[1][right[b]] else NAMED

    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for a in range(len(left) - 1, -1, -1):
        row, under = best[a], best[a + 1]
        for b in range(len(right) - 1, -1, -1):
            skip = max(under[b], row[b + 1])
            own = weight(a, b)
            row[b] = max(skip, under[b + 1] + own) if own else skip
    pairs, a, b = {}, 0, 0
    while a < len(left) and b < len(right):
        own = weight(a, b)
        if own and best[a][b] == best[a + 1][b + 1] + own:
            pairs[left[a]] = right[b]
            a, b = a + 1, b + 1
        elif best[a][b] == best[a + 1][b]:
            a += 1
        else:
            b += 1
    return pairs


def _leaves(one: Walk, other: Walk, pairs: dict[int, int]) -> dict[int, int]:
    """Leaves that are one tensor; else those that a pair of functions uses at the same place."""
    places = {id(n.variable): j for j, n in enumerate(other.nodes) if is_leaf_node(n)}
    found: dict[int, int] = {}
    for i, node in enumerate(one.nodes):
        if is_leaf_node(node) and id(node.variable) in places:
            found[i] = places[id(node.variable)]
    taken = set(found.values())
    for i, j in pairs.items():
        for (t, _), (u, _) in zip(one.edges[i], other.edges[j], strict=False):
            if t is None or u is None or t in found or u in taken:
                continue
            if is_leaf_node(one.nodes[t]) and is_leaf_node(other.nodes[u]):
                found[t] = u
                taken.add(u)
    return found
