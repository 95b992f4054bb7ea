"""The overview of a large graph: its functions by the modules whose parameters they use.

A graph does not say which module recorded a function; the names of its parameters do. In the order
in which functions were recorded, one that uses `h.0.attn.weight` belongs to `h.0.attn`, and what
was recorded between two such functions to the module that both are in. So a module is a run of
functions, and frames never cut one in the middle. Equal runs in a row, such as the blocks of a
transformer, are one box. What a box opens to is made in the same way, down to single functions.
"""

import itertools
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.drawing.diagram import SHUT, Arrow, Box, Diagram, Group, number_titles, replace
from course_lib.viz.drawing.text import count
from course_lib.viz.reading.models import Path, paths_of
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.operations import attributes, shapes
from course_lib.viz.reading.repeats import Parts, find_repeat
from course_lib.viz.reading.values import details_of_function, details_of_tensor
from course_lib.viz.reading.walk import Walk, in_turn, name_of

MOST = 30  # boxes of one view
WAY = "Arrows: the way gradients go, from the result back."
HOME = "A function stands in the module whose parameters it uses, or that of those around it."


@dataclass
class Part:
    """A run of functions, latest first: those of a module, or one function alone.

    `alike` are the equal runs recorded before it, which its box stands for.
    """

    path: Path
    functions: list[int]
    parts: list["Part"] = field(default_factory=list)
    alike: list["Part"] = field(default_factory=list)

    @property
    def id(self) -> str:
        alone = len(self.functions) == 1 and not self.parts
        size = f"{len(self.path)} {len(self.functions)}"
        return f"n{self.functions[0]}" if alone else f"m{self.functions[0]} {size}"

    def all(self) -> list[int]:
        """The functions of this part and of the equal ones."""
        return [*self.functions, *(i for part in self.alike for i in part.functions)]


View = list[tuple[Part, tuple[Part, ...]]]  # parts, each with the opened ones that it is in


class ByModule:
    """The parts of one graph, and the diagrams of them; `params` are pairs of name and tensor."""

    def __init__(self, walk: Walk, names: Names, params: list[tuple[str, Any]]) -> None:
        self.walk, self.names = walk, names
        self.params = {id(tensor): tensor for _, tensor in params}
        self.known: dict[int, list[str]] = {}  # of a parameter: its names
        for name, tensor in params:
            self.known.setdefault(id(tensor), []).append(str(name))
        self.paths = paths_of(walk, self.known)
        self.parts = self._runs(in_turn(walk)[::-1], 0)

    def _runs(self, row: list[int], depth: int) -> list[Part]:
        """A row of functions cut into the modules at a depth; equal ones in a row become one."""
        parts: list[Part] = []
        for path, run in itertools.groupby(row, key=lambda i: self.paths[i][: depth + 1]):
            functions = list(run)
            if len(path) <= depth:
                parts += self._pieces(path, functions)
            else:
                inner = self._runs(functions, depth + 1) if len(functions) > 1 else []
                parts.append(Part(path, functions, inner))
        kept: list[Part] = []
        for part in parts:
            if kept and part.parts and self._look(part) == self._look(kept[-1]):
                kept[-1].alike.append(part)
            else:
                kept.append(part)
        return kept

    def _pieces(self, path: Path, functions: list[int]) -> list[Part]:
        """Functions one by one; of very many, what is repeated, such as the steps of a recurrent
        cell, becomes one part, and what is left parts of one view each."""
        if len(functions) <= MOST:
            return [Part(path, [i]) for i in functions]
        start, period, times = find_repeat([name_of(self.walk.nodes[i]) for i in functions])
        if not times:
            chunks = [functions[k : k + MOST] for k in range(0, len(functions), MOST)]
            return [Part(path, chunk, self._pieces(path, chunk)) for chunk in chunks]
        end = start + period * times
        copies = [functions[k : k + period] for k in range(start, end, period)]
        first, *others = [Part(path, copy) for copy in copies]
        first.parts, first.alike = self._pieces(path, first.functions), others
        return [*self._pieces(path, functions[:start]), first, *self._pieces(path, functions[end:])]

    def _look(self, part: Part) -> tuple[Any, ...]:
        """What two equal parts have in common: the names of their functions."""
        return (len(part.path), *(name_of(self.walk.nodes[i]) for i in part.functions))

    # ---- diagrams ----

    def overview(self, title: str, outputs: list[tuple[str, Any]]) -> Diagram:
        """The whole graph in at most so many boxes; `outputs` are pairs of name and tensor."""
        view = self._open_parts(self.parts)
        parts = [part for part, _ in view]
        inner = self._diagram(title, view, set())
        results, arrows = [], list(inner.arrows)
        for k, (name, tensor) in enumerate(outputs):
            details = details_of_tensor(tensor)
            results.append(Box(f"o{k}", "result", name, details[1:], "result", details=details))
            at = self.walk.find(tensor.grad_fn)
            head = next((part.id for part in parts if at in part.all()), "")
            arrows.append(Arrow(f"o{k}", head, "result", "grad_fn"))
        captions = [WAY, HOME, *self._missing(), *([SHUT] if inner.inside else [])]
        functions = count(self.walk.functions, "function")
        return replace(
            inner, boxes=(*results, *inner.boxes), arrows=tuple(arrows), captions=tuple(captions),
            alt=f"{title}: {functions} in {count(len(inner.boxes), 'box', 'boxes')}.",
        )  # fmt: skip

    def _missing(self) -> list[str]:
        """A sentence for parameters that this graph does not reach."""
        met = set(map(id, self.walk.leaves.values()))
        lost = [" and ".join(names) for key, names in self.known.items() if key not in met]
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        if any(name_of(node).startswith("CheckpointFunction") for node in self.walk.nodes):
            return []  # its backward makes graphs of its own, which may reach them
        return [f"No gradient reaches {', '.join(lost[:5])}{more}."] if lost else []

    def _open_parts(self, parts: list[Part]) -> View:
        """The parts, modules opened, the largest first, while all of them fit into one view.

        One of several equal parts stays shut: its box stands for all of them.
        """
        view: View = [(part, ()) for part in parts]
        while True:
            room = MOST - sum(self._boxes(part) for part, _ in view)
            fits = [
                (k, part, within)
                for k, (part, within) in enumerate(view)
                if part.parts and not part.alike
                if sum(map(self._boxes, part.parts)) - 1 <= room
            ]
            if not fits:
                return view
            k, part, within = max(fits, key=lambda found: len(found[1].functions))
            view[k : k + 1] = [(inner, (*within, part)) for inner in part.parts]

    def _boxes(self, part: Part) -> int:
        """How many boxes a part is: a function has its leaves beside it."""
        if part.parts:
            return 1
        return 1 + sum(t in self.walk.leaves for t in self.walk.heads(part.functions[0]))

    def _diagram(self, title: str, view: View, around: set[int]) -> Diagram:
        """Some parts side by side; `around` are the functions of the module that they are in."""
        parts = [part for part, _ in view]
        home = {i: part for part in parts for i in part.all()}
        here = f"{min(around, default=0)} {len(around)}"  # a part may begin as the one around it
        above = Box(f"above {here}", "input", "gradients in")
        behind = Box(f"behind {here}", "result", "gradients out")
        users = [i for i in range(len(self.walk.nodes)) if i not in around] if around else []
        arrows: dict[Arrow, None] = {}
        leaves: dict[str, Box] = {}
        for i in (*home, *users):
            tail = home[i].id if i in home else above.id
            for target in self.walk.heads(i):
                head = home[target].id if target in home else behind.id
                if target in self.walk.leaves:
                    head = f"n{target}"
                    if i not in home or home[i].parts:
                        continue
                    leaves.setdefault(head, self._leaf(target))
                if head != tail and (i in home or target in home):
                    arrows[Arrow(tail, head)] = None
        ends = {end for arrow in arrows for end in (arrow.tail, arrow.head)}
        boxes = [above] * (above.id in ends) + [self._box(part) for part in parts]
        boxes = number_titles([*boxes, *leaves.values(), *[behind] * (behind.id in ends)])
        inside = tuple((part.id, self._inside(part)) for part in parts if part.parts)
        groups = self._frames(view, arrows, leaves)
        return Diagram(title, tuple(boxes), tuple(arrows), alt=title, groups=groups, inside=inside)

    def _frames(self, view: View, arrows: Any, leaves: Any) -> tuple[Group, ...]:
        """A frame for each opened module, outer ones first, around its functions and its leaves."""
        around = {part.id: within for part, within in view}
        for arrow in arrows:
            own = arrow.head in leaves and leaves[arrow.head].tag == "leaf"  # of one module alone
            if own and arrow.tail in around:
                around.setdefault(arrow.head, around[arrow.tail])
        inner: dict[str, list[str]] = {}
        groups: dict[str, Group] = {}
        for box_id, within in around.items():
            frame = ""
            for outer in within:
                parent, frame = frame, f"g{outer.id}"
                groups.setdefault(frame, Group(frame, _name(outer), parent=parent))
            inner.setdefault(frame, []).append(box_id)
        return tuple(replace(g, boxes=tuple(inner.get(g.id, ()))) for g in groups.values())

    def _inside(self, part: Part) -> Diagram:
        """What the box of a module opens to: the first of the equal ones."""
        title = _name(part) if not part.alike else f"{_name(part)}, one of {len(part.alike) + 1}"
        return self._diagram(title, self._open_parts(part.parts), set(part.functions))

    def _box(self, part: Part) -> Box:
        if not part.parts:
            return self._function(part.functions[0])
        own = self._own(part)
        tag = count(len(part.all()), "function")
        words = [count(sum(tensor.numel() for _, tensor in own), "parameter")] if own else []
        frozen = [names[0] for names, tensor in own if not tensor.requires_grad]
        words += [f"no gradient: {', '.join(frozen[:3])}"] if frozen else []
        words += [f"shared: {', '.join(names)}" for names, _ in own if len(names) > 1]
        title = _name(part)
        if part.alike:
            last, times = _name(part.alike[-1]), f"\N{MULTIPLICATION SIGN} {len(part.alike) + 1}"
            title = f"{last} ... {title} {times}" if last != title else f"{title} {times}"
            shape = {shapes(self.walk.nodes[p.functions[0]]) for p in (part, *part.alike)}
            words += ["results of other shapes among them"] if len(shape) > 1 else []
        kind = "layer" if own else "module"
        names = [_name(one) for one in (part, *part.alike)]
        alike = (" ".join(names),) if len(set(names)) > 1 else ()
        return Box(part.id, kind, title, tuple(words), tag, alike=alike)

    def _own(self, part: Part) -> list[tuple[list[str], Any]]:
        """The parameters that the functions of a part use, with their names."""
        used = {t for i in part.all() for t in self.walk.heads(i)}
        met = {id(self.walk.leaves[t]) for t in used if t in self.walk.leaves}
        return [(names, self.params[key]) for key, names in self.known.items() if key in met]

    def _function(self, i: int) -> Box:
        node = self.walk.nodes[i]
        line = "  ".join(fact for fact in (shapes(node), attributes(node)) if fact)
        details = details_of_function(node)
        return Box(f"n{i}", "function", name_of(node), facts=(line,) * bool(line), details=details)

    def _leaf(self, i: int) -> Box:
        tensor = self.walk.leaves[i]
        details = details_of_tensor(tensor)
        name, several = self.names.of(tensor) or "unnamed", len(self.known.get(id(tensor), ())) > 1
        tag = "leaf, shared" if several else "leaf"
        return Box(f"n{i}", "leaf", name, details[:1], tag, details=details)


def _name(part: Part) -> str:
    return ".".join(part.path) or "functions"


# ---- what is only counted ----

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


def count_hidden(names: list[str], leaves: int) -> tuple[str, list[str]]:
    """The title and the lines of a box that stands for functions and leaves.

    >>> count_hidden(["ExpBackward0", "MulBackward0", "ExpBackward0"], 1)
    ('... 3 more functions', ['2 x ExpBackward0', '1 x MulBackward0', '1 leaf'])
    """
    often = sorted(Counter(names).items(), key=lambda item: (-item[1], item[0]))
    lines = [f"{n:,} x {name}" for name, n in often[:KINDS]]
    others = sum(n for _, n in often[KINDS:])
    lines += [f"{others:,} x other functions"] if others else []
    lines += [count(leaves, "leaf", "leaves")] if leaves else []
    return f"... {count(len(names), 'more function')}", lines


def excerpt(diagram: Diagram, wanted: set[str]) -> Diagram:
    """The diagram with only some boxes; what hangs together among the others is counted in one box.

    A single box costs no more than the one that would count it, so it stays, and so does what
    hangs together without a function: a leaf and its base.
    """
    group = _groups(diagram, wanted)
    sizes = Counter(group.values())
    functions = {group.get(box.id) for box in diagram.boxes if box.number is not None}
    several = {first for first, size in sizes.items() if size > 1 and first in functions}
    stands = {box_id: f"more {first}" for box_id, first in group.items() if first in several}
    boxes: dict[str, Box] = {}
    for box in diagram.boxes:
        box_id = stands.get(box.id, box.id)
        if box_id == box.id:
            boxes[box.id] = box
        elif box_id not in boxes:
            hidden = [other for other in diagram.boxes if stands.get(other.id) == box_id]
            names = [box.title for box in hidden if box.number is not None]
            leaves = sum("leaf" in box.kind or "leaf" in box.tag for box in hidden)
            title, lines = count_hidden(names, leaves)
            boxes[box_id] = Box(box_id, "fold", title, tuple(lines), "not drawn", dashed=True)
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


def put_hidden(parts: Parts, boxes: list[Box], arrows: list[Arrow]) -> None:
    """Adds one box for each arrow that leads over the horizon, and the arrows out of it."""
    for start, hidden in parts.behind.items():
        box_id = f"more {start}"
        leaves = parts.leaves_behind(start)
        ends = [f"n{leaf}" for leaf in sorted(leaves & parts.leaves)]
        names = [name_of(parts.walk.nodes[i]) for i in hidden]
        title, lines = count_hidden(names, len(leaves - parts.leaves))
        if len(ends) > WIRES:
            lines.append(f"and {len(ends)} leaves that are drawn")
            ends = []
        if parts.walk.cut:
            title, lines = "... many more functions", ["the first of them:", *lines]
        boxes.append(Box(box_id, "fold", title, tuple(lines), "not drawn", dashed=True))
        back = {t for i in hidden for t in parts.walk.heads(i) if t in parts.number}
        ends += [f"n{i}" for i in sorted(back)]
        arrows += [Arrow(box_id, head) for head in ends]


def next_copy(parts: Parts, i: int, target: int) -> str:
    """The stub in a frame for an arrow from a function into the next copy, "" if it is no such."""
    for k, repeat in enumerate(parts.repeats):
        if i in repeat.block and target in repeat.copies:
            return f"next {k} {repeat.copies[target]}"
    return ""


def put_frames(parts: Parts, boxes: list[Box], arrows: list[Arrow]) -> list[Group]:
    """A frame around each copy that stands for all; adds a stub in it for each arrow into the next
    copy, from which the last copy's way goes on."""
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
            boxes.append(Box(f"next {k} {i}", "fold", f"... {more}", (), into, dashed=True))
            inner.append(f"next {k} {i}")
        for stands, into_next, target in parts.ways_out(repeat):
            goes_on = into_next in carried  # else the arrow into the next copy is only counted
            tail = f"next {k} {into_next}" if goes_on else end(parts, stands)
            if target not in parts.leaves and target in parts.walk.leaves:
                continue
            head = end(parts, target)
            if (tail, head) not in pairs and tail != head:
                arrows.append(Arrow(tail, head, label="" if goes_on else "from a copy"))
        reached = {t for c in repeat.copies for t in parts.walk.heads(c)}
        leaves = len((reached & parts.walk.leaves.keys()) - parts.leaves)
        words = count(leaves, "leaf of another copy is", "leaves of other copies are")
        tag = f"{words} not drawn" if leaves else ""
        title = f"repeated {least}{repeat.times:,} times"
        groups.append(Group(f"r{k}", title, tuple(inner), "", tag))
    return groups
