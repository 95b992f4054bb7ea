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
    return picture_of(*describe_decisions(tree))


def describe_decisions(tree: Mapping[str, Any]) -> tuple[Diagram, str]:
    """The tree as plain data, from top to bottom, and in words."""
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    lines, alt = [], ["A decision tree."]
    waiting: list[tuple[Mapping[str, Any], str, str, int]] = [(tree, "", "", 0)]
    while waiting:
        part, above, answer, depth = waiting.pop()
        for kind, title, tried in _ends(part):
            box = Box(f"box {len(boxes)}", kind, title, tried)
            boxes.append(box)
            if above:
                arrows.append(Arrow(above, box.id, label=answer))
            told = f"{answer}: {title}" if above else title
            lines += ["    " * depth + told, *("    " * (depth + 1) + one for one in tried)]
            told += f" ({', '.join(tried)})" if tried else ""
            alt.append(told if told[-1] == "?" else f"{told}.")
            if not tried:
                below = [(p, box.id, a, depth + 1) for a, p in part[title].items()]
                waiting += reversed(below)
    whole = Diagram(boxes[0].title, tuple(boxes), tuple(arrows), alt=" ".join(alt))
    return whole, "\n".join(lines)


def _ends(part: Mapping[str, Any]) -> list[tuple[str, str, tuple[str, ...]]]:
    """A box for each verdict, with what led to it; or one for a question, which nothing led to."""
    if not isinstance(part, Mapping) or not part:
        raise TypeError(
            "draw_decisions wants {question: {answer: ...}} or {what was tried: verdict}, "
            f"not {'an empty dict' if isinstance(part, Mapping) else arguments.came(part)}."
        )
    first, below = next(iter(part.items()))
    if isinstance(below, Mapping):
        if len(part) > 1:
            raise ValueError(
                f"draw_decisions wants one question at a time, not {', '.join(map(repr, part))}. "
                "Put the second one below an answer of the first."
            )
        return [("function", first, ())]
    found: dict[str, list[str]] = {}
    for tried, verdict in part.items():
        found.setdefault(str(verdict), []).append(tried)
    return [
        (LOOKS.get(verdict.split()[0].strip(":,"), "constant"), verdict, tuple(tried))
        for verdict, tried in found.items()
    ]


# ---- who shares memory ----

# verdict: (look of its box, its title, what is said of the storage)
VERDICTS = {
    "itself": ("result", "{name} itself", "the very same tensor"),
    "view": ("leaf", "view of {name}", "the storage of {name}"),
    "neighbour": ("constant", "beside {name}", "the storage of {name}, but no element in common"),
    "copy": ("constant", "copy", "a storage of its own"),
    "nothing": ("constant", "no elements in memory", "no memory at all"),
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
    return picture_of(*describe_sharing(tensor, branches, question, name))


def describe_sharing(
    tensor: Any, branches: Mapping[str, Mapping[str, Any]], question: str, name: str
) -> tuple[Diagram, str]:
    """The tree as plain data and in words: question, answers, below each a box per verdict."""
    boxes, arrows, told = [Box("question", "result", question)], [], []
    words = [question]
    for i, (answer, made) in enumerate(branches.items()):
        boxes.append(Box(f"answer {i}", "function", answer))
        arrows.append(Arrow("question", f"answer {i}"))
        words.append(answer)
        for verdict, (kind, *words_of_it) in VERDICTS.items():
            group = {label: t for label, t in made.items() if verdict_on(t, tensor) == verdict}
            if not group:
                continue
            title, storage = (template.format(name=name) for template in words_of_it)
            width = max(map(len, group))
            lines = tuple(f"{n.ljust(width)}  shape {tuple(t.shape)}" for n, t in group.items())
            boxes.append(Box(f"{verdict} {i}", kind, title, lines, storage))
            arrows.append(Arrow(f"answer {i}", f"{verdict} {i}"))
            words += [f"    {title}: {storage}", *(f"        {line}" for line in lines)]
            told.append(f"{answer}: {title} ({', '.join(group)})")
    alt = f"A decision tree. {question} {'; '.join(told)}."
    return Diagram(question, tuple(boxes), tuple(arrows), alt=alt), "\n".join(words)


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
