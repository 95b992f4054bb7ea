"""`draw_decisions`: questions that lead to verdicts, and what was tried at each end.

In a tree of `draw_sharing`, tensors are at the ends, each asked where its memory is.
"""

import sys
from collections.abc import Mapping
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.reading import arguments
from course_lib.viz.reading.memory import in_common, memories, unreadable
from course_lib.viz.reading.names import Names

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
            f"not {'an empty dict' if isinstance(part, Mapping) else arguments.came(part)}."
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


# ---- who shares memory ----

# verdict: (look of its box, what is said of the storage)
VERDICTS = {
    "itself": ("result", "the very same tensor"),
    "view": ("leaf", "the storage of {name}"),
    "neighbour": ("constant", "the storage of {name}, but no element in common"),
    "copy": ("constant", "a storage of its own"),
    "nothing": ("constant", "no memory at all"),
}
TITLES = {
    "itself": "{name} itself",
    "view": "view of {name}",
    "neighbour": "beside {name}",
    "nothing": "no elements in memory",
}


def draw_sharing(
    tensor: Any, branches: Mapping[str, Mapping[str, Any]],
    question: str = "Which way was it made?", *, names: Any = None,
) -> Picture:  # fmt: skip
    """A decision tree whose leaves are not claimed but looked up: does it share memory?

    `branches` maps each answer to the question to tensors that were made that way. For
    `a = torch.tensor([1, 2, 3])`, the text form of
    `draw_sharing(a, {"a slice": {"a[1:]": a[1:]}, "a list": {"a[[1]]": a[[1]]}})` is

        Which way was it made?
        a slice
            view of a: the storage of a
                a[1:]   shape (2,)
        a list
            copy: a storage of its own
                a[[1]]  shape (1,)
    """
    arguments.tensor("draw_sharing", tensor)
    ways = 'answers with what was made: {"a slice": {"x[1:]": x[1:]}}'
    for part in (branches, *(branches.values() if isinstance(branches, Mapping) else ())):
        if not isinstance(part, Mapping):
            raise TypeError(f"draw_sharing wants {ways}, not {arguments.came(part)}.")
        if not part:
            raise ValueError(f"draw_sharing wants {ways}. There is none yet.")
    for branch in branches.values():
        arguments.tensors("draw_sharing", tuple(branch.values()))
    known = Names(names, None, sys._getframe(1), who="draw_sharing").of(tensor) or "the tensor"
    name = min(known.split(", "), key=lambda one: "[" in one)  # rather `x` than a place in a list
    diagram = describe_sharing(tensor, branches, question, name)
    return picture_of(diagram, "\n".join([question, *_verdicts_in_words(diagram)]))


def describe_sharing(
    tensor: Any, branches: Mapping[str, Mapping[str, Any]], question: str, name: str
) -> Diagram:
    """The tree as plain data: question, answers, and below each answer a box per verdict."""
    boxes, arrows, told = [Box("question", "result", question)], [], []
    for i, (answer, made) in enumerate(branches.items()):
        boxes.append(Box(f"answer {i}", "function", answer))
        arrows.append(Arrow("question", f"answer {i}"))
        for verdict, (kind, storage) in VERDICTS.items():
            group = {label: t for label, t in made.items() if verdict_on(t, tensor) == verdict}
            if not group:
                continue
            title = TITLES.get(verdict, verdict).format(name=name)
            width = max(map(len, group))
            lines = tuple(f"{n.ljust(width)}  shape {tuple(t.shape)}" for n, t in group.items())
            boxes.append(Box(f"{verdict} {i}", kind, title, lines, storage.format(name=name)))
            arrows.append(Arrow(f"answer {i}", f"{verdict} {i}"))
            told.append(f"{answer}: {title} ({', '.join(group)})")
    alt = f"A decision tree. {question} {'; '.join(told)}."
    return Diagram(question, tuple(boxes), tuple(arrows), alt=alt)


def verdict_on(made: Any, tensor: Any) -> str:
    """Which of the verdicts it is."""
    if made is tensor:
        return "itself"
    if unreadable(made) or not made.untyped_storage().nbytes():
        return "nothing"
    if unreadable(tensor):
        return "copy"
    memory, members = memories([tensor, made])[0]
    if len(members) == 1:
        return "copy"
    shared = in_common(memory.layout(made), memory.layout(tensor))
    return "neighbour" if shared is False else "view"


def _verdicts_in_words(diagram: Diagram) -> list[str]:
    lines = []
    for box in diagram.boxes[1:]:
        if box.kind == "function":
            lines.append(box.title)
        else:
            lines.append(f"    {box.title}: {box.tag}")
            lines += [f"        {line}" for line in box.lines]
    return lines
