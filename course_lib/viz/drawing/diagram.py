"""A picture before it has any shape: boxes, arrows and words, as plain data that `==` compares.

Builders (`graph.py`, `backward.py`) make a `Diagram`; `dot.py` turns it into DOT and `text.py` into
words. Tests compare diagrams, so that a change of colour never breaks a test about content.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

__all__ = ["SHUT", "Arrow", "Box", "Diagram", "Group", "number_titles", "replace"]

SHUT = "In a page, a box with a + opens: click it, or press Enter. Esc shuts, / finds a name."


@dataclass(frozen=True)
class Box:
    """One thing in the picture.

    `kind` is one of "leaf", "function", "result", "constant", "saved", "stale", "fold", "no
    gradient"; it decides shape and colour, and `tag` says the same in a word. `lines` are
    typewriter lines, `facts` muted ones above them, `hooks` marked ones below. `details` are told
    by a living picture when the box is pointed at, and `alike` helps it to find what a box stands
    for: in each line the name of a part, then those of the equal ones.

    >>> Box("x", "leaf", "x", lines=("[1., 2.]",), tag="leaf").title
    'x'
    """

    id: str
    kind: str
    title: str
    lines: tuple[str, ...] = ()
    tag: str = ""
    number: int | None = None
    dashed: bool = False
    facts: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    details: tuple[str, ...] = field(default=(), compare=False)
    alike: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Arrow:
    """A line from box `tail` to box `head`; `kind` (see `dot.py`) decides its look."""

    tail: str
    head: str
    kind: str = "gradient"
    label: str = ""


@dataclass(frozen=True)
class Group:
    """A frame around boxes and around other groups, whose `parent` it is."""

    id: str
    title: str
    boxes: tuple[str, ...] = ()
    parent: str = ""
    tag: str = ""


@dataclass(frozen=True)
class Diagram:
    """Everything a picture says: what is drawn, and the sentences that go under it.

    >>> Diagram("nothing yet").boxes
    ()
    """

    title: str
    boxes: tuple[Box, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    captions: tuple[str, ...] = ()
    direction: str = "backward"
    legend: bool = False
    alt: str = field(default="", compare=True)
    groups: tuple[Group, ...] = ()  # outer ones first
    inside: tuple[tuple[str, "Diagram"], ...] = ()  # by the id of a box: what it opens to

    def box(self, box_id: str) -> Box:
        """The box with that id (a `KeyError` when there is none)."""
        for box in self.boxes:
            if box.id == box_id:
                return box
        raise KeyError(box_id)


# ---- a part of a diagram ----


def excerpt(diagram: Diagram, wanted: set[str]) -> Diagram:
    """The diagram with only some boxes; what hangs together among the others is counted in one box.

    A single box costs no more than the one that would count it, so it stays.
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
            boxes[box_id] = _count_hidden(box_id, hidden)
    arrows: dict[tuple[str, str], Arrow] = {}
    for k, arrow in enumerate(diagram.arrows):
        tail, head = (stands.get(end, end) for end in (arrow.tail, arrow.head))
        if tail == arrow.tail and head == arrow.head:
            arrows[f"{k}", arrow.kind] = arrow
        elif tail != head:
            arrows.setdefault((tail, head), Arrow(tail, head, arrow.kind))
    groups = [replace(f, boxes=tuple(b for b in f.boxes if b in boxes)) for f in diagram.groups]
    return replace(
        diagram, boxes=tuple(boxes.values()), arrows=tuple(arrows.values()),
        groups=tuple(frame for frame in groups if frame.boxes),
    )  # fmt: skip


def number_titles(boxes: list[Box]) -> list[Box]:
    """The boxes, with a number at each title that several of them have."""
    times = Counter(box.title for box in boxes)
    several = [box.id for box in boxes if times[box.title] > 1]
    order = {box_id: n for n, box_id in enumerate(several, start=1)}
    return [replace(box, number=order.get(box.id)) for box in boxes]


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


def _count_hidden(box_id: str, hidden: list[Box]) -> Box:
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
