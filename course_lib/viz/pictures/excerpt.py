"""A part of a diagram: the boxes that matter, and one box for each stretch between them."""

from collections import Counter
from dataclasses import replace

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram


def excerpt(diagram: Diagram, wanted: set[str]) -> Diagram:
    """The diagram with only some boxes; what hangs together among the others is counted in one box.

    A single box costs no more than the one that would count it, so it stays.

    >>> boxes = tuple(Box(name, "function", name) for name in "abcd")
    >>> arrows = (Arrow("a", "b"), Arrow("b", "c"), Arrow("c", "d"))
    >>> [box.title for box in excerpt(Diagram("t", boxes, arrows), {"a", "d"}).boxes]
    ['a', '2 more functions', 'd']
    """
    group = _groups(diagram, wanted)
    sizes = Counter(group.values())
    stands = {box_id: f"more {first}" for box_id, first in group.items() if sizes[first] > 1}
    boxes: dict[str, Box] = {}
    for box in diagram.boxes:
        box_id = stands.get(box.id, box.id)
        if box_id == box.id:
            boxes[box.id] = box
        elif box_id not in boxes:
            hidden = [other for other in diagram.boxes if stands.get(other.id) == box_id]
            boxes[box_id] = _counted(box_id, hidden)
    arrows: dict[tuple[str, str], Arrow] = {}
    for k, arrow in enumerate(diagram.arrows):
        tail, head = (stands.get(end, end) for end in (arrow.tail, arrow.head))
        if tail == arrow.tail and head == arrow.head:
            arrows[f"{k}", arrow.kind] = arrow
        elif tail != head:
            arrows.setdefault((tail, head), Arrow(tail, head, arrow.kind))
    groups = tuple(
        replace(frame, boxes=tuple(b for b in frame.boxes if b in boxes))
        for frame in diagram.groups
    )
    return replace(
        diagram,
        boxes=tuple(boxes.values()),
        arrows=tuple(arrows.values()),
        groups=tuple(frame for frame in groups if frame.boxes),
    )


def _groups(diagram: Diagram, wanted: set[str]) -> dict[str, str]:
    """For each box that is not wanted, the first box of those it hangs together with."""
    first = {box.id: box.id for box in diagram.boxes if box.id not in wanted}

    def root(box_id: str) -> str:
        while first[box_id] != box_id:
            first[box_id] = first[first[box_id]]
            box_id = first[box_id]
        return box_id

    for arrow in diagram.arrows:
        if arrow.tail in first and arrow.head in first:
            first[root(arrow.head)] = root(arrow.tail)
    return {box_id: root(box_id) for box_id in first}


def _counted(box_id: str, hidden: list[Box]) -> Box:
    leaves = sum("leaf" in box.kind or "leaf" in box.tag for box in hidden)
    titles = [box.title for box in hidden if "leaf" not in box.kind and "leaf" not in box.tag]
    constants = {box.title for box in hidden if box.kind == "constant"}
    counts = Counter(title for title in titles if title not in constants)
    functions = sum(counts.values())
    lines = [f"{n:,} x {title}" for title, n in counts.most_common(4)]
    rest = functions - sum(n for _, n in counts.most_common(4))
    lines += [f"{rest:,} others"] if rest else []
    lines += [f"{leaves:,} leaves" if leaves > 1 else "1 leaf"] if leaves and functions else []
    title = f"{functions:,} more functions" if functions else f"{leaves:,} more leaves"
    title = title.removesuffix("s") if functions == 1 else title
    return Box(box_id, "fold", title, tuple(lines), "not drawn", dashed=True)
