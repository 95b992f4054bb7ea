"""A diagram in words: the text form (all of it) and the alt text (what is to be seen)."""

from collections import Counter
from collections.abc import Sequence

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.dot import legend_of


def text_of(diagram: Diagram) -> str:
    """Every box with its lines and where its arrows go; equal in content to the picture."""
    names = {box.id: _name(box) for box in diagram.boxes}
    lines = [diagram.title, *diagram.captions, ""]
    going: dict[str, list[Arrow]] = {}
    for arrow in diagram.arrows:
        going.setdefault(arrow.tail, []).append(arrow)
    inner = {arrow.head for arrow in diagram.arrows if arrow.kind == "saved"}
    boxes = {box.id: box for box in diagram.boxes}
    for box in diagram.boxes:
        if box.id in inner or (box.kind == "no gradient" and not box.tag):
            continue  # of an input that nothing is known about, the arrow says all
        lines += _told(box, names[box.id])
        for arrow in going.get(box.id, []):
            if arrow.kind == "saved":
                saved = boxes[arrow.head]
                lines += [f"    {line}" for line in _told(saved, saved.title)]
                continue
            if arrow.kind == "view":
                continue  # the words of the box name the base
            label = arrow.label if arrow.label.startswith("(") else f"({arrow.label})"
            head = names[arrow.head].partition(": ")[0]  # a module's kind stands at its box
            lines.append(f"    -> {head}" + f" {label}" * bool(arrow.label))
    lines += _frames(diagram, names)
    for name, opened in diagram.inside:
        told = text_of(opened).splitlines()[1:]
        told = [f"    {line}" if line else "" for line in told[not told[0] :]]
        lines += ["", f"Inside {names[name]}", *told]
    legend = [words.strip() for words in legend_of(diagram).values()]
    return "\n".join([*lines, "", "Legend", *legend] if legend else lines)


def _frames(diagram: Diagram, names: dict[str, str]) -> list[str]:
    lines = []
    for group in diagram.groups:
        inner = [names[box_id] for box_id in group.boxes]
        inner += [other.title for other in diagram.groups if other.parent == group.id]
        head = group.title + (f" ({group.tag})" if group.tag else "")
        lines.append(f"{head}: {', '.join(inner)}")
    return ["", "Frames", *lines] if lines else []


def alt_of(diagram: Diagram) -> str:
    """One or two sentences for readers who cannot see it; the text form has the details."""
    if diagram.alt:
        return diagram.alt
    kinds = Counter(box.kind for box in diagram.boxes)
    functions = [box.title for box in diagram.boxes if box.kind == "function"]
    leaves = [box.title for box in diagram.boxes if box.kind == "leaf"]
    parts = [f"{diagram.title}."]
    if functions:
        parts.append(f"{count(len(functions), 'function')}: {_list(functions)}.")
    if leaves:
        parts.append(f"{count(len(leaves), 'leaf', 'leaves')}: {_list(leaves)}.")
    if kinds["saved"]:
        functions_that_saved = count(kinds["saved"], "function")
        parts.append(f"Boxes for what {functions_that_saved} saved.")
    if kinds["stale"]:
        parts.append(f"{count(kinds['stale'], 'box', 'boxes')} marked STALE.")
    return " ".join([*parts, *diagram.captions[1:]])


def _name(box: Box) -> str:
    return f"[{box.number}] {box.title}" if box.number is not None else box.title


def _told(box: Box, name: str) -> list[str]:
    head = name + (f"  {box.tag}" if box.tag else "")
    return [head, *(f"    {line}" for line in (*box.facts, *box.lines, *box.hooks))]


def count(n: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> count(1, "leaf", "leaves"), count(2000, "step")
    ('1 leaf', '2,000 steps')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def table(rows: Sequence[Sequence[str]], gap: str, left: bool = False) -> list[str]:
    """The rows as lines, with the cells of a column under each other.

    >>> table([["step", "loss"], ["0", "4."]], " ")
    ['step loss', '   0   4.']
    """
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = str.ljust if left else str.rjust
    return [gap.join(map(aligned, row, wide)).rstrip() for row in rows]


def cut(code: str, letters: int, last: int = 0) -> str:
    """`code`, cut where it is longer than so many letters; its `last` ones stay."""
    ends = code[: letters - 3 - last], code[len(code) - last :]
    return code if len(code) <= letters else "...".join(ends)


def _list(words: list[str]) -> str:
    return ", ".join(words[:8]) + (", ..." if len(words) > 8 else "")
