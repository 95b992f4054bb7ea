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


def number_titles(boxes: list[Box]) -> list[Box]:
    """The boxes, with a number at each title that several of them have."""
    times = Counter(box.title for box in boxes)
    several = [box.id for box in boxes if times[box.title] > 1]
    order = {box_id: n for n, box_id in enumerate(several, start=1)}
    return [replace(box, number=order.get(box.id)) for box in boxes]
