"""`draw_sharing`: questions as branches, tensors as leaves, each asked where its memory is."""

import sys
from collections.abc import Mapping
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.reading import arguments
from course_lib.viz.reading.memory import in_common, memories, unreadable
from course_lib.viz.reading.names import Names

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
    return picture_of(diagram, "\n".join([question, *_in_words(diagram)]))


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


def _in_words(diagram: Diagram) -> list[str]:
    lines = []
    for box in diagram.boxes[1:]:
        if box.kind == "function":
            lines.append(box.title)
        else:
            lines.append(f"    {box.title}: {box.tag}")
            lines += [f"        {line}" for line in box.lines]
    return lines
