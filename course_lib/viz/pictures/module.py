"""`draw_module`: a model as it is called on an input, modules inside modules, shapes on the way."""

import math
from collections import Counter
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram, Group, replace
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.reading import wanted
from course_lib.viz.reading.calls import Call, Recording, record, tensors_in

CAPTION = "Arrows: the way values go, with their shapes."
LOST = "Dotted, guessed: no gradient was recorded that leads back, so the call before is taken."


def draw_module(
    model: Any, *inputs: Any, depth: int | None = None, max_nodes: int = 60, legend: bool = False
) -> Picture:
    """The picture of what a module does with an input: each call of a module inside it is a box.

    The model is called once, in its evaluation mode, and is left as it was; if it raises, the
    picture ends there and says where and why. `depth` limits how deep modules are opened;
    without it they are opened as far as `max_nodes` boxes allow.

    >>> from course_lib import nn, zeros
    >>> draw_module(nn.Sequential(nn.Linear(2, 3), nn.ReLU()), zeros(1, 2))
    Sequential on an input of shape (1, 2)
    Arrows: the way values go, with their shapes.
    9 parameters.
    <BLANKLINE>
    input
        -> 0: Linear (1, 2)
    0: Linear  9 parameters
        weight (3, 2), bias (3,)
        -> 1: ReLU (1, 3)
    1: ReLU
        -> output (1, 3)
    output
    <BLANKLINE>
    Frames
    Sequential (9 parameters): 0: Linear, 1: ReLU
    """
    wanted.module("draw_module", model)
    if next(tensors_in(inputs), None) is None:
        raise TypeError(
            "draw_module wants a tensor for the model to work on: draw_module(model, x)."
        )
    if depth is not None:
        wanted.count("draw_module", "depth", depth, least=0)
    wanted.count("draw_module", "max_nodes", max_nodes)
    return picture_of(describe_module(model, inputs, depth, max_nodes, legend))


def describe_module(
    model: Any, inputs: tuple[Any, ...], depth: int | None, max_nodes: int, legend: bool
) -> Diagram:
    """The same as plain data, before it is drawn."""
    recording = record(model, inputs)
    builder = _Builder(model, recording)
    deepest = max(builder.depths, default=0)
    level = deepest if depth is None else max(0, depth)
    while depth is None and level and len(builder.shown(level)) > max_nodes:
        level -= 1
    diagram = builder.diagram(level, legend)
    if level < deepest:
        note = f"Modules are opened down to depth {level} of {deepest}."
        diagram = _with(diagram, note)
    return _with(diagram, f"The model raised {recording.error}") if recording.error else diagram


def _with(diagram: Diagram, caption: str) -> Diagram:
    return replace(diagram, captions=(*diagram.captions, caption))


class _Builder:
    """Boxes, frames and arrows for the calls that are shown."""

    def __init__(self, model: Any, recording: Recording) -> None:
        self.model, self.calls = model, recording.calls
        self.depths = [self._depth(call) for call in self.calls]
        self.times = Counter(id(c.module) for c in self.calls if c.module is not None)

    def _depth(self, call: Call) -> int:
        depth = 0
        while call.parent >= 0:
            call, depth = self.calls[call.parent], depth + 1
        return depth

    def shown(self, level: int) -> list[int]:
        """Calls that are boxes when modules are opened down to `level`."""
        return [
            k for k, call in enumerate(self.calls)
            if self.depths[k] <= level and (not call.inside or self.depths[k] == level)
        ]  # fmt: skip

    def box_of(self, at: int, level: int) -> int:
        """The box that a call is part of."""
        while self.depths[at] > level:
            at = self.calls[at].parent
        return at

    def diagram(self, level: int, legend: bool) -> Diagram:
        shown = self.shown(level)
        seen: Counter[int] = Counter()
        boxes = []
        for k in shown:
            seen[id(self.calls[k].module)] += 1
            boxes.append(self._box(k, seen[id(self.calls[k].module)]))
        titles = Counter(box.title for box in boxes)
        alike = [box.id for box in boxes if titles[box.title] > 1]
        order = {box_id: n for n, box_id in enumerate(alike, start=1)}
        boxes = [replace(box, number=order.get(box.id)) for box in boxes]
        arrows = self._arrows(shown, level)
        groups = self._groups(level, shown)
        shapes = " and ".join(c.results[0] for c in self.calls if c.name.startswith("input")
                              and c.module is None and c.results)  # fmt: skip
        title = f"{_kind(self.model)} on an input of shape {shapes or '?'}"
        captions = [CAPTION, self._total(), *self._unused()]
        captions += [LOST] if any(arrow.kind == "guess" for arrow in arrows) else []
        return Diagram(
            title, tuple(boxes), tuple(arrows), tuple(captions), "down", legend,
            alt=f"{title}: {self._told(boxes)}. {self._total()}", groups=tuple(groups),
        )  # fmt: skip

    # ---- boxes ----

    def _box(self, k: int, turn: int) -> Box:
        call = self.calls[k]
        box_id = f"c{k}"
        if call.module is None:
            kind = {"input": "input", "output": "result"}.get(call.name.split()[0], "step")
            return Box(box_id, kind, call.name)
        own = list(call.module.named_parameters())
        tags = [count_of(own)] if own else []
        if own and not any(p.requires_grad for _, p in own):
            tags.append("frozen")
        if self.times[id(call.module)] > 1:
            tags.append(f"call {turn} of {self.times[id(call.module)]}")
        lines = [", ".join(f"{name} {tuple(p.shape)}" for name, p in own[:3])] if own else []
        if len(own) > 3:
            lines = [f"{len(own)} parameter tensors"]
        kind = "layer" if own else "module"
        if call.error:
            kind, lines = "stale", [*lines, "raised an error here"]
        return Box(box_id, kind, self._title(call), tuple(lines), ", ".join(tags), dashed=turn > 1)

    def _title(self, call: Call) -> str:
        return f"{call.name}: {_kind(call.module)}" if call.name else _kind(call.module)

    def _groups(self, level: int, shown: list[int]) -> list[Group]:
        inside: dict[int, list[str]] = {}
        for k in shown:
            inside.setdefault(self.calls[k].parent, []).append(f"c{k}")
        groups = []
        for k, call in enumerate(self.calls):
            if call.inside and self.depths[k] < level:
                parameters = list(call.module.named_parameters())
                tag = count_of(parameters) if parameters else ""
                parent = f"c{call.parent}" if call.parent >= 0 else ""
                boxes = tuple(inside.get(k, ()))
                groups.append(Group(f"c{k}", self._title(call), boxes, parent, tag))
        return groups

    def _arrows(self, shown: list[int], level: int) -> list[Arrow]:
        drawn = set(shown)
        found: Counter[tuple[int, int, str]] = Counter()
        for k, call in enumerate(self.calls):
            head = self.box_of(k, level)
            if head not in drawn or (call.inside and self.depths[k] < level):
                continue
            for at, words in call.sources:
                tail = self.box_of(at, level) if at is not None else -1
                if at is None and (call.module is not None or call.name == "output"):
                    tail = max((j for j in shown if j < head), default=-1)
                    words += ", guessed"
                if tail == head or tail not in drawn:
                    continue
                if k == head or not any(pair[:2] == (tail, head) for pair in found):
                    found[tail, head, words] += 1
        return [
            Arrow(
                f"c{tail}", f"c{head}", "guess" if "guessed" in words else "gradient",
                f"{n} x {words}" if n > 1 and words else words,
            )
            for (tail, head, words), n in found.items()
        ]  # fmt: skip

    # ---- words ----

    def _total(self) -> str:
        parameters = list(self.model.named_parameters())
        frozen = sum(math.prod(p.shape) for _, p in parameters if not p.requires_grad)
        return count_of(parameters) + (f", {frozen:,} of them frozen." if frozen else ".")

    def _unused(self) -> list[str]:
        called: set[int] = set()
        for call in self.calls:
            if call.module is not None:  # one that calls nothing uses its parts by itself
                called.update(map(id, [call.module] if call.inside else call.module.modules()))
        names = [name for name, module in self.model.named_modules()
                 if id(module) not in called and not list(module.children())]  # fmt: skip
        more = f" and {len(names) - 5} others" if len(names) > 5 else ""
        return [f"Never called: {', '.join(names[:5])}{more}."] if names else []

    def _told(self, boxes: list[Box]) -> str:
        names = [box.title for box in boxes]
        more = f", and {len(names) - 8} more" if len(names) > 8 else ""
        return ", then ".join(names[:8]) + more


def _kind(module: Any) -> str:
    return type(module).__name__


def count_of(parameters: list[tuple[str, Any]]) -> str:
    """How many numbers there are in some parameters: `1,234 parameters`."""
    total = sum(math.prod(tuple(p.shape)) for _, p in parameters)
    return f"{total:,} parameter{'s' * (total != 1)}"
