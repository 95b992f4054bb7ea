"""`draw_storage`: the memory behind tensors, and each tensor as a window on it.

`draw_sharing` asks the same of many tensors: a tree of what shares memory. It is drawn as the
decision trees of `draw_decisions` are: questions that lead to verdicts, and what was tried there.
"""

import sys
from collections.abc import Mapping
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.drawing.sheet import drawn
from course_lib.viz.pictures.storage_cells import Bar, Window, describe_storage, put_storage
from course_lib.viz.reading import arguments
from course_lib.viz.reading.memory import in_common, memories, over_arrays, unreadable
from course_lib.viz.reading.names import Names

PAIRS = 4  # of tensors that have a sentence each


def draw_storage(*tensors: Any, names: Any = None) -> Picture:
    """The picture of the memory behind tensors: which cell of which tensor is which place.

    >>> import course_lib as torch
    >>> a = torch.tensor([[1, 2], [3, 4]])
    >>> b = a.t()
    >>> draw_storage(a, b)
    Storage of 4 cells, int64: 1 2 3 4
    a  shape (2, 2), stride (2, 1), offset 0
        1 @0  2 @1
        3 @2  4 @3
    b  shape (2, 2), stride (1, 2), offset 0
        1 @0  3 @2
        2 @1  4 @3
    @ is the place in the storage.
    a and b share memory: a write through one is seen through the other.

    Memory is compared byte by byte, so a view with another dtype stands over the same bytes. Of a
    large storage the parts around both ends of each tensor are drawn. NumPy arrays may stand beside
    the tensors.
    """
    frame = sys._getframe(1)
    names = arguments.in_order("draw_storage", names, tensors)
    tensors, names = over_arrays(tensors, names, frame)
    arguments.tensors("draw_storage", tensors)
    bars, refused = describe_storage(tensors, Names(names, None, frame, who="draw_storage"))
    sentences = refused + notes(bars)
    lines, alt = [], []
    for bar in bars:
        lines += _head(bar)
        for window in bar.windows:
            lines += [f"{window.name}  {bar.describe(window)}", *_grid(window)]
        seen = "; ".join(f"{window.name} has {window.layout.describe()}" for window in bar.windows)
        alt.append(f"A storage of {bar.counted(bar.nbytes)}, {_dtypes(bar)}. {seen}.")
    said = " ".join([*alt, *sentences])
    return drawn([*lines, *sentences], said, lambda chart: put_storage(chart, bars, sentences))


# ---- the sentences under the picture ----


def notes(bars: list[Bar]) -> list[str]:
    """How to read the picture, and what is special in it."""
    one_dtype = all(len(bar.rows) == 1 for bar in bars)
    counted = "" if one_dtype else ", counted in elements of the dtype"
    said = [f"@ is the place in the storage{counted}."] if bars else []
    for bar in bars:
        said += _sharing(bar)
        for window in bar.windows:
            said += _special(window)
        if bar.unused:
            said.append("Dotted cells of the storage belong to none of these tensors.")
        if bar.hidden():
            verb = "is" if bar.hidden() == bar.unit()[0] else "are"
            said.append(f"{bar.counted(bar.hidden())} of the storage {verb} not drawn.")
    if len(bars) > 1:
        said.append(f"{len(bars)} storages: no write into one is seen in another.")
    return said


def _sharing(bar: Bar) -> list[str]:
    """Who shares with whom, and who does not although the storage is the same."""
    said = []
    if bar.storages > 1:
        said.append(f"{bar.storages} storages lie over each other in this memory.")
    together = bar.sharing()
    if len(together) <= PAIRS:
        for *names, last in together:
            others = "other" if len(names) == 1 else "others"
            said.append(
                f"{', '.join(names)} and {last} share memory: "
                f"a write through one is seen through the {others}."
            )
    else:
        said.append(f"These share memory, pair by pair: {_list_groups(together)}.")
    apart = bar.sharing(False)
    if len(apart) == 1:
        who = "they" if len(apart[0]) == 2 else "no two of them"
        said.append(
            f"{_list_groups(apart)} are in one storage, but {who} have no element in common."
        )
    elif apart:
        said.append(f"One storage, but no element in common: {_list_groups(apart)}.")
    unknown = bar.sharing(None)
    if unknown:
        said.append(
            f"Nobody can say in short time whether these share memory: {_list_groups(unknown)}."
        )
    return said


def _list_groups(groups: list[tuple[str, ...]]) -> str:
    """`a and b; b, c and d`."""
    return "; ".join(f"{', '.join(names)} and {last}" for *names, last in groups)


def _special(window: Window) -> list[str]:
    said = []
    if any(map(window.seen_before, range(len(window.places)))):
        said.append(f"{window.name}: dashed cells have no memory of their own.")
    if window.layout.turned:
        said.append(
            f"{window.name} is {window.layout.turned}: signs change while it is read, "
            "the bytes stay as they are."
        )
    shown, shape = window.shown, window.layout.shape
    if shown != shape and len(shape) == 1:
        said.append(f"{window.name}: the first {shown[0]} of {shape[0]:,} elements are shown.")
    elif shown != shape:
        said.append(f"{window.name}: only a corner is shown, {shown} of {shape}.")
    return said


# ---- words ----


def _head(bar: Bar) -> list[str]:
    """The storage itself: one line, or one for each part and each row."""
    head = f"Storage of {bar.counted(bar.nbytes)}"
    if bar.storages > 1:
        head = f"Memory of {bar.counted(bar.nbytes)}"
    if len(bar.rows) == 1 and len(bar.parts) <= 1:
        values = " ".join(cell.value for part in bar.rows[0].parts for cell in part)
        return [f"{head}, {bar.rows[0].layout.dtype}: {values}".rstrip(": ")]
    lines = [f"{head}, {_dtypes(bar)}"]
    several = len(bar.rows) > 1
    labels = [bar.label(row) + "  " if several else "" for row in bar.rows]
    wide = max(map(len, labels))
    for k, (start, _) in enumerate(bar.parts):
        if k:
            lines.append(f"    ... {bar.counted(start - bar.parts[k - 1][1])} not drawn ...")
        if several:
            lines.append(f"    {'bytes'.ljust(wide)}@{start}: {bar.content[k].hex(' ')}")
        for row, label in zip(bar.rows, labels, strict=True):
            if cells := row.parts[k]:
                told = " ".join(cell.value for cell in cells)
                lines.append(f"    {label.ljust(wide)}@{cells[0].place}: {told}")
    return lines


def _dtypes(bar: Bar) -> str:
    """`float32`; `complex64 and float32`."""
    *others, last = dict.fromkeys(row.layout.dtype for row in bar.rows)
    return f"{', '.join(others)} and {last}" if others else last


def _grid(window: Window) -> list[str]:
    lines = []
    width = window.shown[-1] if window.shown else 1
    pairs = zip(window.values, window.places, strict=True)
    cells = [f"{value} @{place}" for value, place in pairs]
    wide = max(map(len, cells), default=0)
    cells = [cell.rjust(wide) for cell in cells]
    rows = [cells[i : i + width] for i in range(0, len(cells), max(width, 1))]
    for i, row in enumerate(rows):
        if len(window.shown) > 2 and i and i % window.shown[-2] == 0:
            lines.append("")
        lines.append("    " + "  ".join(row))
    return lines


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


# ---- a tree of decisions ----

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
