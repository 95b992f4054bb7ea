"""Long arrows: how many run past one another, and what is drawn where there would be too many.

Graphviz makes an arrow over many rows of one piece per row, and looks for an order in which few
pieces cross. A weight that each of 60 steps uses makes 1,800 of them: the drawing takes seconds,
and nobody can follow the bundle. So such a weight is drawn once more, as a small box marked
"again", wherever one of its long arrows would end.
"""

from bisect import bisect_left
from collections import Counter, deque
from itertools import accumulate

from course_lib.viz.drawing.diagram import Box, Diagram, replace

LANES = 8  # long arrows side by side that the eye can still follow
LOOSE = ("saved", "view", "no gradient")  # kinds that do not put one box below the other
SHORT = ("saved", "no gradient")  # never long
AGAIN = "again: a box that is drawn elsewhere too, so that no long arrow has to lead there."
Pair = tuple[str, str]


def within_lanes(diagram: Diagram) -> Diagram:
    """The diagram as it is drawn: the same one, or with boxes that stand in for far ones."""
    shared = _find_shared(diagram)
    if not shared:
        return diagram
    boxes = {box.id: box for box in diagram.boxes}
    beside: dict[str, list[Box]] = {}
    ends: dict[Pair, Pair] = {}
    for (tail, head), far in shared.items():
        near = tail if far == head else head
        again = replace(boxes[far], id=f"{far} at {near}", lines=(), tag="again", dashed=True)
        beside.setdefault(near, []).append(again)
        ends[tail, head] = (tail, again.id) if far == head else (again.id, head)
    arrows = []
    for arrow in diagram.arrows:
        tail, head = ends.get((arrow.tail, arrow.head), (arrow.tail, arrow.head))
        arrows.append(replace(arrow, tail=tail, head=head))
    return replace(
        diagram,
        boxes=tuple(b for box in diagram.boxes for b in (box, *beside.get(box.id, ()))),
        arrows=tuple(arrows),
        captions=(*diagram.captions, AGAIN),
        groups=tuple(
            replace(group, boxes=tuple(
                b for box_id in group.boxes
                for b in (box_id, *(again.id for again in beside.get(box_id, ())))
            ))
            for group in diagram.groups
        ),
    )  # fmt: skip


def _find_shared(diagram: Diagram) -> dict[Pair, str]:
    """The pairs of boxes whose arrows do not run through, each with its end that is drawn again.

    That is the end that has more of the long arrows: the weight of many steps, the sum over them.
    Ends are taken one after another, from the one whose arrows are longest in all, until the other
    arrows fit; an end that is taken loses all its long arrows, for all of them look alike.
    """
    at = rows(diagram)
    long: dict[Pair, tuple[int, int]] = {}
    for arrow in diagram.arrows:
        first, last = sorted((at[arrow.tail], at[arrow.head]))
        if last - first > 1 and arrow.kind not in SHORT:
            long[arrow.tail, arrow.head] = (first, last)
    if _side_by_side(list(long.values())) <= LANES:
        return {}
    length: Counter[Pair] = Counter()  # of all long arrows at a tail (tail, "") or head ("", head)
    for (tail, head), (first, last) in long.items():
        length[tail, ""] += last - first
        length["", head] += last - first
    end = {(t, h): ("", h) if length["", h] >= length[t, ""] else (t, "") for t, h in long}
    total: Counter[Pair] = Counter()
    for pair, (first, last) in long.items():
        total[end[pair]] += last - first
    turn = {one: k for k, (one, _) in enumerate(total.most_common())}

    def fit(taken: int) -> bool:
        others = [span for pair, span in long.items() if turn[end[pair]] >= taken]
        return _side_by_side(others) <= LANES

    few = bisect_left(range(len(turn)), True, lo=1, key=fit)  # as few ends as will do
    return {pair: max(end[pair]) for pair in long if turn[end[pair]] < few}


def _side_by_side(spans: list[tuple[int, int]]) -> int:
    """How many arrows pass one row at most; an arrow passes those between its ends."""
    steps: Counter[int] = Counter()
    for first, last in spans:
        steps[first + 1] += 1
        steps[last] -= 1
    return max(accumulate(steps[row] for row in sorted(steps)), default=0)


# ---- rows ----


def rows(diagram: Diagram) -> dict[str, int]:
    """About where Graphviz will put each box: heads below their tails, and arrows short.

    At first a box is as high as it can be. What has more arrows going out than coming in is then
    let down, with what is between it and its heads, such as the sums over the steps of a network.
    """
    heads, tails, order = _in_order(diagram)
    place = {name: k for k, name in enumerate(order)}
    for name in order:  # an arrow that leads back up, out of what is only counted, has no say
        heads[name] = [head for head in heads[name] if place[head] > place[name]]
        tails[name] = [tail for tail in tails[name] if place[tail] < place[name]]
    row: dict[str, int] = {}
    for name in order:
        row[name] = max((row[tail] + 1 for tail in tails[name]), default=0)
    for name in reversed(order):
        if heads[name] and len(heads[name]) >= len(tails[name]):
            row[name] = min(row[head] for head in heads[name]) - 1
    for name in order:
        if tails[name] and len(heads[name]) == len(tails[name]):
            row[name] = max(row[tail] for tail in tails[name]) + 1
    return row


def spine(diagram: Diagram) -> set[Pair]:
    """From each box the arrow that begins the longest way down: drawn straight, these keep a deep
    graph narrow.
    """
    heads, _, order = _in_order(diagram)
    height: dict[str, int] = {}
    found = set()
    for name in reversed(order):
        below = [head for head in heads[name] if head in height]
        if below:
            deepest = max(below, key=lambda head: height[head])
            found.add((name, deepest))
        height[name] = max((height[head] + 1 for head in below), default=0)
    return found


def _in_order(diagram: Diagram) -> tuple[dict[str, list[str]], dict[str, list[str]], list[str]]:
    """The heads of the arrows out of each box, and the tails of those into it; and all boxes, tails
    before their heads, where arrows lead in a circle, by their first box."""
    heads: dict[str, list[str]] = {box.id: [] for box in diagram.boxes}
    tails: dict[str, list[str]] = {box.id: [] for box in diagram.boxes}
    for arrow in diagram.arrows:
        if arrow.kind not in LOOSE:
            heads[arrow.tail].append(arrow.head)
            tails[arrow.head].append(arrow.tail)
    waits = {name: len(tails[name]) for name in tails}
    ready = deque(name for name in waits if not waits[name])
    rest = iter(waits)
    order: dict[str, None] = {}
    while len(order) < len(waits):
        name = ready.popleft() if ready else next(name for name in rest if name not in order)
        order[name] = None
        for head in heads[name]:
            waits[head] -= 1
            if not waits[head] and head not in order:
                ready.append(head)
    return heads, tails, list(order)
