"""What a picture of a graph only counts: functions behind its horizon, copies in a frame."""

from collections import Counter

from course_lib.viz.drawing.diagram import Arrow, Box, Group
from course_lib.viz.drawing.text import count
from course_lib.viz.reading.repeats import Parts, Repeat
from course_lib.viz.reading.walk import name_of

KINDS = 3  # names of functions that a stub tells
WIRES = 4  # arrows from a stub to leaves that are drawn anyway


def end(parts: Parts, i: int | None) -> str:
    """The box where an arrow to the node at that position ends, when it comes from no copy."""
    drawn = parts.end_of(i)
    if drawn in parts.number or drawn in parts.leaves:
        return f"n{drawn}"
    if drawn in parts.behind:
        return f"more {drawn}"
    return next(f"more {start}" for start, all_ in parts.behind.items() if drawn in all_)


def counted(parts: Parts) -> tuple[list[Box], list[Arrow]]:
    """One box for each arrow that leads over the horizon, and the arrows out of it."""
    boxes, arrows = [], []
    for start, hidden in parts.behind.items():
        box_id = f"more {start}"
        names = Counter(name_of(parts.walk.nodes[i]) for i in hidden)
        often = sorted(names.items(), key=lambda item: (-item[1], item[0]))
        lines = [f"{n:,} x {name}" for name, n in often[:KINDS]]
        others = sum(n for _, n in often[KINDS:])
        lines += [f"{others:,} x other functions"] if others else []
        leaves = parts.leaves_behind(start)
        ends = [f"n{leaf}" for leaf in sorted(leaves & parts.leaves)]
        hidden_leaves = len(leaves - parts.leaves)
        lines += [count(hidden_leaves, "leaf", "leaves")] if hidden_leaves else []
        if len(ends) > WIRES:
            lines.append(f"and {len(ends)} leaves that are drawn")
            ends = []
        title = f"... {count(len(hidden), 'more function')}"
        if parts.walk.cut:
            title, lines = "... many more functions", ["the first of them:", *lines]
        boxes.append(Box(box_id, "fold", title, tuple(lines), "not drawn", dashed=True))
        back = {t for i in hidden for t, _ in parts.walk.edges[i] if t in parts.number}
        ends += [f"n{i}" for i in sorted(i for i in back if i is not None)]
        arrows += [Arrow(box_id, head) for head in ends]
    return boxes, arrows


def next_copy(parts: Parts, i: int, target: int) -> str:
    """The stub in a frame for an arrow from a function into the next copy, "" if it is no such."""
    for k, repeat in enumerate(parts.repeats):
        if i in repeat.block and target in repeat.copies:
            return f"next {k} {repeat.copies[target]}"
    return ""


def frames(
    parts: Parts, boxes: list[Box], arrows: list[Arrow]
) -> tuple[list[Box], list[Arrow], list[Group]]:
    """A frame around each copy that stands for all; in it a stub for each arrow into the next copy,
    from which the last copy's way goes on."""
    stubs: list[Box] = []
    ways: dict[Arrow, None] = {}
    groups = []
    heads = {arrow.head for arrow in arrows}
    pairs = {(arrow.tail, arrow.head) for arrow in arrows}
    least = "at least " if parts.walk.cut else ""
    for k, repeat in enumerate(parts.repeats):
        known = {f"n{i}" for i in repeat.block}
        inner = [box.id for box in boxes if box.id.split()[0] in known]
        if not inner:
            continue  # the whole block is only counted
        carried = [i for i in repeat.block if f"next {k} {i}" in heads]
        more = least + count(repeat.times - 1, "more copy", "more copies")
        for i in carried:
            into = f"into [{parts.number[i]}]" if i in parts.number else ""
            stubs.append(Box(f"next {k} {i}", "fold", f"... {more}", (), into, dashed=True))
        for stands, into_next, target in parts.ways_out(repeat):
            goes_on = into_next in carried  # else the arrow into the next copy is only counted
            tail = f"next {k} {into_next}" if goes_on else end(parts, stands)
            if target not in parts.leaves and parts.leaf[target]:
                continue
            head = end(parts, target)
            if (tail, head) not in pairs and tail != head:
                ways[Arrow(tail, head, label="" if goes_on else "from a copy")] = None
        inner += [stub.id for stub in stubs if stub.id.startswith(f"next {k} ")]
        title = f"repeated {least}{repeat.times:,} times"
        groups.append(Group(f"r{k}", title, tuple(inner), "", _left_out(parts, repeat)))
    return stubs, list(ways), groups


def _left_out(parts: Parts, repeat: Repeat) -> str:
    reached = {t for c in repeat.copies for t, _ in parts.walk.edges[c]}
    leaves = sum(parts.leaf[t] and t not in parts.leaves for t in reached if t is not None)
    verb = "is" if leaves == 1 else "are"
    words = count(leaves, "leaf of another copy", "leaves of other copies")
    return f"{words} {verb} not drawn" if leaves else ""
