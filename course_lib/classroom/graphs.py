"""Graphs that differ only in the order of operands: `a + b` and `b + a` are the same answer.

A graph is what `probe.graph` writes down: for each node its name and the places of its inputs, in
the order of a walk from the newest, breadth first. `align_operands` swaps the inputs of commutative
nodes so that one graph reads like the other as far as it can; what then still differs is a
difference, and stands at its own node.
"""

from typing import Any

Node = list[Any]  # [name, [place or None, …]]; "ordered" behind it where the operands do not swap

COMMUTATIVE = [f"{name}Backward0" for name in ("Add", "Mul", "Maximum", "Minimum", "Dot")]
WAYS = 200  # operands that look alike may be shared differently: each such node doubles the ways


def align_operands(expected: list[Node], yours: list[Node]) -> list[Node]:
    """`yours`, with operands swapped where that makes it more like `expected`.

    >>> ours = [["AddBackward0", [1, 2]], ["ExpBackward0", [2]], ["AccumulateGrad", []]]
    >>> theirs = [["AddBackward0", [1, 2]], ["AccumulateGrad", []], ["ExpBackward0", [1]]]
    >>> align_operands(ours, theirs) == ours
    True
    """
    if expected == yours or not expected or not yours:
        return yours
    numbers: dict[Any, int] = {}
    ours, theirs = _kinds(expected, numbers), _kinds(yours, numbers)
    first, ways = _walk(expected, yours, ours, theirs, [])
    if ours[0] != theirs[0]:  # no order makes them equal
        return first
    for way in ways:  # which grows meanwhile
        made, more = _walk(expected, yours, ours, theirs, way)
        if made == expected:
            return made
        if len(ways) < WAYS:
            ways += more
    return first


def _kinds(nodes: list[Node], numbers: dict[Any, int]) -> list[Any]:
    """Name and number of each node; the number is equal for graphs that differ in order alone."""
    found: dict[int | None, Any] = {None: ("", -1)}
    for place in _inputs_first(nodes):
        inputs = [found[one][1] for one in nodes[place][1]]
        key = (nodes[place][0], *(sorted(inputs) if _swaps(nodes[place]) else inputs))
        found[place] = (nodes[place][0], numbers.setdefault(key, len(numbers)))
    return [found[place] for place in range(len(nodes))]


def _inputs_first(nodes: list[Node]) -> list[int]:
    """The places of all nodes, each behind those of its inputs."""
    order: list[int] = []
    seen: set[int] = set()
    stack = [(0, False)]
    while stack:
        place, ready = stack.pop()
        if ready:
            order.append(place)
        elif place not in seen:
            seen.add(place)
            stack.append((place, True))
            stack += [(one, False) for one in nodes[place][1] if one is not None]
    return order


def _swaps(node: Node) -> bool:
    return node[0] in COMMUTATIVE and len(node) == len(node[1]) == 2


def _walk(
    expected: list[Node], yours: list[Node], ours: list[Any], theirs: list[Any], way: list[bool]
) -> tuple[list[Node], list[list[bool]]]:
    """`yours`, written down beside `expected`, and the other ways that branch off behind `way`.

    A way says of each node whose operands look alike whether they are swapped; False from its end.
    """
    made: list[Node] = []
    order, places = [0], {0: 0}
    beside: list[int | None] = [0]  # the node of `expected` that each one is compared with
    choices: list[bool] = []
    for place, other in zip(order, beside, strict=True):  # both grow while they are walked
        name, inputs, *rest = yours[place]
        models = [] if other is None else expected[other][1]
        if _swaps(yours[place]) and len(models) == 2 and inputs[0] != inputs[1]:
            wanted = [ours[one] if one is not None else None for one in models]
            kinds = [theirs[one] if one is not None else None for one in inputs]
            if kinds[0] == kinds[1]:
                swap = len(choices) < len(way) and way[len(choices)]
                choices.append(swap)
            else:
                swap = _count_equal_inputs(wanted, kinds[::-1]) > _count_equal_inputs(wanted, kinds)
            inputs = inputs[::-1] if swap else inputs
        for number, one in enumerate(inputs):
            if one is not None and one not in places:
                places[one] = len(order)
                order.append(one)
                beside.append(models[number] if number < len(models) else None)
        made.append([name, [places.get(one) for one in inputs], *rest])
    return made, [choices[:end] + [True] for end in range(len(way), len(choices))]


def _count_equal_inputs(wanted: list[Any], kinds: list[Any]) -> tuple[int, int]:
    """How many inputs have an equal graph behind them, and how many an equal name."""
    pairs = list(zip(wanted, kinds, strict=True))
    names = sum(bool(our and their and our[0] == their[0]) for our, their in pairs)
    return sum(our == their for our, their in pairs), names
