"""`draw_decisions`: questions that lead to verdicts, and what was tried at each end."""

from collections.abc import Mapping
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.reading.arguments import came

LOOKS = {"right": "leaf", "wrong": "stale"}  # by the first word of a verdict; else "constant"


def draw_decisions(tree: Mapping[str, Any]) -> Picture:
    """A decision tree whose ends are not claimed but tried.

    `tree` is `{question: {answer: what follows}}`, and what follows is such a tree again or an end:
    what was tried, each with its verdict. A verdict that begins with `right` or `wrong` looks so.

    >>> tried = {"y += 1": "right", "y *= 2": "right"}
    >>> draw_decisions({"Is it a leaf?": {"no": tried, "yes": {"x += 1": "raises"}}})
    Is it a leaf?
        no: right
            y += 1
            y *= 2
        yes: raises
            x += 1
    """
    diagram, depths = describe_decisions(tree)
    return picture_of(diagram, _in_words(diagram, depths))


def describe_decisions(tree: Mapping[str, Any]) -> tuple[Diagram, list[int]]:
    """The tree as plain data, from top to bottom, and how deep each box lies."""
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    depths: list[int] = []
    waiting: list[tuple[Mapping[str, Any], str, str, int]] = [(tree, "", "", 0)]
    while waiting:
        part, above, answer, depth = waiting.pop()
        for box in [("function", next(iter(part)), ())] if _asks(part) else _ends(part):
            box_id = f"box {len(boxes)}"
            boxes.append(Box(box_id, *box))
            depths.append(depth)
            if above:
                arrows.append(Arrow(above, box_id, label=answer))
            if _asks(part):
                below = [(p, box_id, a, depth + 1) for a, p in part[box[1]].items()]
                waiting += reversed(below)
    title = boxes[0].title
    answers = {arrow.head: f"{arrow.label}: " for arrow in arrows}
    told = [
        f"{answers.get(b.id, '')}{b.title}" + (f" ({', '.join(b.lines)})" if b.lines else "")
        for b in boxes
    ]
    alt = f"A decision tree. {' '.join(line if line[-1] == '?' else f'{line}.' for line in told)}"
    return Diagram(title, tuple(boxes), tuple(arrows), alt=alt), depths


def _asks(part: Mapping[str, Any]) -> bool:
    """Whether it is a question; otherwise it is an end."""
    if not isinstance(part, Mapping) or not part:
        raise TypeError(
            "draw_decisions wants {question: {answer: ...}} or {what was tried: verdict}, "
            f"not {'an empty dict' if isinstance(part, Mapping) else came(part)}."
        )
    below = next(iter(part.values()))
    if isinstance(below, Mapping) and len(part) > 1:
        raise ValueError(
            f"draw_decisions wants one question at a time, not {', '.join(map(repr, part))}. "
            "Put the second one below an answer of the first."
        )
    return isinstance(below, Mapping)


def _ends(part: Mapping[str, Any]) -> list[tuple[str, str, tuple[str, ...]]]:
    """A box for each verdict, with what led to it."""
    found: dict[str, list[str]] = {}
    for tried, verdict in part.items():
        found.setdefault(str(verdict), []).append(tried)
    return [
        (LOOKS.get(verdict.split()[0].strip(":,"), "constant"), verdict, tuple(tried))
        for verdict, tried in found.items()
    ]


def _in_words(diagram: Diagram, depths: list[int]) -> str:
    answers = {arrow.head: f"{arrow.label}: " for arrow in diagram.arrows}
    lines = []
    for box, depth in zip(diagram.boxes, depths, strict=True):
        lines.append("    " * depth + answers.get(box.id, "") + box.title)
        lines += ["    " * (depth + 1) + line for line in box.lines]
    return "\n".join(lines)
