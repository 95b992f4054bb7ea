"""`draw_module`: a model as it is called on an input, modules inside modules, shapes on the way."""

import inspect
import math
from collections import Counter
from typing import Any

from course_lib.viz.drawing.diagram import SHUT, Arrow, Box, Diagram, Group, number_titles, replace
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.drawing.text import count
from course_lib.viz.pictures.module_parts import Shown
from course_lib.viz.reading import arguments
from course_lib.viz.reading.calls import MANY, Call, Recording, named_inputs, record
from course_lib.viz.reading.models import find_hidden, modules_of, tensors_in, tensors_of
from course_lib.viz.reading.operations import settings
from course_lib.viz.reading.repeats import EqualCalls

DIRECTIONS = ("down", "right")


def draw_module(
    model: Any, *inputs: Any, kwargs: dict[str, Any] | None = None, depth: int | None = None,
    fold: bool | None = None, max_nodes: int = 30, direction: str = "down", legend: bool = False,
    **keywords: Any,
) -> Picture:  # fmt: skip
    """The picture of what a module does with an input: modules as frames, and in them the modules
    and operations that they call, with the shapes of what goes in and comes out.

    The model is called once, as `model(*inputs, **keywords)`: `draw_module(model, x, mask=mask)`.
    A keyword of the model that is also an option here goes into `kwargs={"depth": ...}`. The call
    is in evaluation mode, and the model is left as it was; if it raises, the picture ends there and
    says where and why.

    The picture opens modules as far as `max_nodes` boxes allow. In a notebook or a saved page the
    others open by a click or Enter where they stand, Esc shuts them, and `/` finds a name.
    `depth` says how deep modules are opened instead. Of equal parts in a row, such as the layers of
    an encoder, only the first is drawn where all would be more than 20 boxes; `fold=True` and
    `fold=False` decide otherwise.
    `direction="right"` draws from left to right.

    >>> from course_lib import nn, zeros
    >>> draw_module(nn.Sequential(nn.Linear(2, 3), nn.ReLU()), zeros(1, 2))
    Sequential on an input of shape (1, 2)
    Arrows: the way values go, with their shapes.
    9 parameters.
    <BLANKLINE>
    input
        -> 0 (1, 2)
    0: Linear  9 parameters
        weight (3, 2), bias (3,)
        -> 1 (1, 3)
    1: ReLU
        -> output (1, 3)
    output
    <BLANKLINE>
    Frames
    Sequential (9 parameters): 0: Linear, 1: ReLU
    """
    arguments.module("draw_module", model)
    if depth is not None:
        arguments.count("draw_module", "depth", depth, least=0)
    arguments.count("draw_module", "max_nodes", max_nodes)
    arguments.one_of("draw_module", "direction", direction, DIRECTIONS)
    given = {**keywords, **(kwargs or {})}
    _check(model, inputs, given)
    recording = record(model, inputs, given)
    if recording.error and not any(True for _ in tensors_in((inputs, given))):
        kinds = ", ".join(arguments.came(thing) for thing in (*inputs, *given.values()))
        raise TypeError(
            f"draw_module wants a tensor for the model to work on, not {kinds}. "
            f"For example: draw_module(model, {_example(model)})."
        ) from recording.error
    diagram = diagram_of(model, recording, depth, fold, max_nodes)
    return picture_of(replace(diagram, direction=direction, legend=legend))


def _check(model: Any, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """A sentence for what cannot be called, before it is."""
    try:
        named_inputs(model, inputs, keywords)
    except TypeError as error:
        if not inputs and not keywords:
            raise TypeError(
                "draw_module wants an input, since it calls the model. "
                f"For example: draw_module(model, {_example(model)})."
            ) from None
        wants = inspect.signature(model.forward)
        raise TypeError(
            f"draw_module wants what {type(model).__name__}.forward{wants} takes: {error}."
        ) from None


def _example(model: Any) -> str:
    """An input that could fit, as one would write it."""
    for _, module in modules_of(model):
        if hasattr(module, "num_embeddings"):
            return "torch.tensor([[0, 1]])"
        if hasattr(module, "in_features"):
            return f"torch.zeros(1, {module.in_features})"
        if hasattr(module, "in_channels"):
            sides = ", 32" * (len(tuple(module.weight.shape)) - 2)
            return f"torch.zeros(1, {module.in_channels}{sides})"
        if hasattr(module, "input_size"):
            return f"torch.zeros(1, 5, {module.input_size})"
    return "torch.zeros(1, 3)"


# ---- the diagram ----

SHARED = 9  # names of a parameter that are told
CAPTION = "Arrows: the way values go, with their shapes."
BROKEN = "Dashed: no gradient comes back on these ways."
HIDDEN = "Not seen by PyTorch: modules in {}. nn.ModuleList or nn.ModuleDict would count them."
FOLDED = "Of equal parts in a row, the first is drawn and the others are counted."
CUT = f"More than {MANY:,} operations: the arrows from the first ones are missing."
KINDS = {"input": "input", "output": "result", "operation": "step"}  # others are "constant"


def diagram_of(
    model: Any, recording: Recording, depth: int | None, fold: bool | None, max_nodes: int
) -> Diagram:
    """A recording as plain data, opened and folded as far as `draw_module` says."""
    builder = _Builder(model, recording)
    deepest = max(builder.parts.depths, default=0)
    diagram = builder.opened(depth, fold, max_nodes)
    notes = []
    if depth is not None and builder.parts.level < deepest:
        notes.append(f"Modules are opened down to depth {builder.parts.level} of {deepest}.")
    notes += [SHUT] * bool(diagram.inside) + [CUT] * bool(recording.cut)
    if recording.error:
        kind = type(recording.error).__name__
        notes.append(f"The model raised {kind}: {recording.error}")
    if recording.problem:
        notes.append(f"draw_module cannot draw more of it: {recording.problem}")
    return replace(diagram, captions=(*diagram.captions, *notes))


class _Builder:
    """Boxes, frames and arrows for the calls that are shown."""

    def __init__(self, model: Any, recording: Recording, root: int = -1) -> None:
        self.model, self.recording, self.calls = model, recording, recording.calls
        self.root = root  # the call whose inside is drawn, -1 for the whole
        self.stopped = recording.error is not None or recording.problem is not None
        self.parts = Shown(recording.calls, root)
        self.folded, self.alike = self.parts.folded, self.parts.alike
        self.times = Counter(id(c.module) for c in self.calls if c.module is not None)
        self.homes: dict[int, list[str]] = {}  # of a parameter: its names
        for name, parameter in tensors_of(model, names=SHARED):
            self.homes.setdefault(id(parameter), []).append(name)

    # ---- what is shown ----

    def opened(self, depth: int | None, fold: bool | None, max_nodes: int) -> Diagram:
        """The diagram down to a depth; without one, as deep as `max_nodes` boxes allow, and with
        what the boxes of shut modules open to."""
        self.parts.open(depth, fold, max_nodes)
        diagram = self.diagram()
        if depth is not None:
            return diagram
        shut = [k for k in self.parts.boxes() if k not in self.folded and self.calls[k].inside]
        inside = [
            (f"c{k}", _Builder(self.model, self.recording, k).opened(None, fold, max_nodes))
            for k in shut
        ]
        return replace(diagram, inside=tuple(inside))

    # ---- the diagram ----

    def diagram(self) -> Diagram:
        shown = self.parts.boxes()
        boxes = number_titles([self._box(k) for k in shown])
        arrows, groups = self._arrows(shown), tuple(self._groups(shown))
        if self.root >= 0:
            title = self._title(self.root)
            boxes, ways = self._inner(shown, boxes)
            return Diagram(title, tuple(boxes), (*ways, *arrows), groups=groups, alt=title)
        captions = [CAPTION, self._total(), *([] if self.stopped else self._unused_lines())]
        captions += [HIDDEN.format("; ".join(found))] if (found := find_hidden(self.model)) else []
        captions += [FOLDED] if self.folded else []
        captions += [BROKEN] if any(arrow.kind == "broken" for arrow in arrows) else []
        title = type(self.model).__name__ + self._input_boxes()
        names = ", then ".join(box.title for box in boxes[:8])
        more = f", and {len(boxes) - 8} more" if len(boxes) > 8 else ""
        alt = f"{title}: {names}{more}. {self._total()}"
        return Diagram(title, tuple(boxes), tuple(arrows), tuple(captions), alt=alt, groups=groups)

    def _inner(self, shown: list[int], boxes: list[Box]) -> tuple[list[Box], list[Arrow]]:
        """The boxes in a module with one for what comes in and one for what goes out, and their
        arrows."""
        ins, outs = Box(f"in{self.root}", "input", "in"), Box(f"out{self.root}", "result", "out")
        drawn, members = set(shown), self.parts.members
        ways: dict[Arrow, None] = {}
        for k, call in enumerate(self.calls):
            for at, words in call.sources:
                head, tail = self.parts.box_of(k), -1 if at is None else self.parts.box_of(at)
                if k in members and at not in members and head in drawn:
                    ways[Arrow(ins.id, f"c{head}", "gradient", words)] = None
                elif k not in members and at in members and tail in drawn:
                    ways[Arrow(f"c{tail}", outs.id, "gradient", words)] = None
        ends = {end for arrow in ways for end in (arrow.tail, arrow.head)}
        return [ins] * (ins.id in ends) + boxes + [outs] * (outs.id in ends), list(ways)

    # ---- boxes ----

    def _box(self, k: int) -> Box:
        call = self.calls[k]
        if k in self.folded:
            return self._counting(k)
        if call.module is not None:
            return self._module_box(k, call)
        if call.kind in KINDS:
            own = f"{self.calls[call.parent].name}." if call.parent >= 0 else ""
            uses = [f"{name.removeprefix(own)} {words}" for name, words in call.uses]
            lines = [", ".join(uses)] if uses else []
            return Box(f"c{k}", KINDS[call.kind], call.name, tuple(lines))
        tag = "no gradient" if call.kind == "tensor" else call.kind
        return Box(f"c{k}", "constant", call.name, call.results, tag)

    def _module_box(self, k: int, call: Call) -> Box:
        repeat = self.alike.get(k)
        own = self._parameters([k, *(copy[0] for copy in repeat.copies)] if repeat else [k])
        tags = [count_of(own)] if own else []
        own = tensors_of(call.module)
        if own and not any(p.requires_grad for _, p in own):
            tags.append("frozen")
        turn = sum(other.module is call.module for other in self.calls[: k + 1])
        if self.times[id(call.module)] > 1:
            tags.append(f"call {turn} of {self.times[id(call.module)]}")
        lines = [settings(call.module)] if not call.inside and settings(call.module) else []
        lines += [", ".join(f"{name} {tuple(p.shape)}" for name, p in own[:3])] if own else []
        if len(own) > 3:
            lines[-1] = f"{len(own)} parameter tensors"
        lines += self._shared_lines(call)
        kind = "layer" if own else "module"
        if call.error:
            kind, lines = "stale", [*lines, "raised an error here"]
        tag, told = ", ".join(tags), (call.name,) * ("." in call.name)
        return Box(
            f"c{k}", kind, self._title(k), tuple(lines), tag, None, turn > 1,
            details=told, alike=self._names_of_copies(repeat),
        )  # fmt: skip

    def _names_of_copies(self, repeat: EqualCalls | None) -> tuple[str, ...]:
        """The names of the modules of a repeated part, each before those of its copies."""
        rows = zip(repeat.unit, *repeat.copies, strict=True) if repeat else ()
        return tuple(" ".join(self.calls[k].name for k in row) for row in rows)

    def _parameters(self, calls: list[int]) -> list[tuple[str, Any]]:
        """The parameters of the modules that some calls are of, each once."""
        several = [self.calls[k].module for k in calls]
        found = {id(p): (name, p) for module in several for name, p in tensors_of(module)}
        return list(found.values())

    def _shared_lines(self, call: Call) -> list[str]:
        """A line for each parameter of a module that another one has, too."""
        lines, own = [], call.name.split(", ")
        for key, parameter in call.module._parameters.items():
            names = self.homes.get(id(parameter), ())
            others = [name for name in names if name.rpartition(".")[0] not in own]
            lines += [f"{key} is shared with {' and '.join(others)}"] if others else []
        return lines

    def _counting(self, k: int) -> Box:
        """The box that counts the copies of a repeated part."""
        repeat, module = self.folded[k], self.calls[k].module
        times, lines, tag = len(repeat.copies), "", f"{len(repeat.copies)} more"
        title, last = (self._title(copy[0]) for copy in (repeat.copies[0], repeat.copies[-1]))
        alike = self._names_of_copies(repeat)
        if len(repeat.unit) > 1:
            parts = [self._title(part) for part in repeat.unit]
            lines = ", ".join(parts[:3]) + ", ..." * (len(parts) > 3)
            title, tag = count(times, "more time"), ""
        elif module is None:
            alike = ()
        elif self.times[id(module)] > 1 and title == last:
            tag, alike = count(times, "more call"), ()
        else:
            own = self._parameters([copy[0] for copy in repeat.copies])
            tag += f", {count_of(own)}" if own else ""
            if times > 1:
                between = ", " if times == 2 else " ... "
                title = f"{self._name(repeat.copies[0][0], '')}{between}{last}"
        return Box(f"c{k}", "equal", title, (lines,) * bool(lines), tag, alike=alike)

    def _name(self, k: int, end: str) -> str:
        """The name of a module as the one around it knows it."""
        parent = self.calls[k].parent
        around = self.calls[parent].name.split(", ") if parent >= 0 else []
        names = self.calls[k].name.split(", ")
        for outer in filter(None, around):
            names = [name.removeprefix(f"{outer}.") for name in names]
        words = ", ".join(dict.fromkeys(names))
        return words + end if words else ""

    def _title(self, k: int) -> str:
        module = self.calls[k].module
        if module is None:
            return self.calls[k].name
        if k not in self.alike:
            return self._name(k, ": ") + type(module).__name__
        last = self.alike[k].copies[-1][0]
        names = f"{self._name(k, '')} ... {self._name(last, '')}: {type(module).__name__}"
        return f"{names} \N{MULTIPLICATION SIGN} {len(self.alike[k].copies) + 1}"

    # ---- frames ----

    def _groups(self, shown: list[int]) -> list[Group]:
        """A frame for each opened module, and for each repeated part of several calls."""
        inside: dict[str, list[str]] = {}
        for k in shown:
            inside.setdefault(self.parts.frame_of(k), []).append(f"c{k}")
        first = {r.unit[0]: at for at, r in self.folded.items()}
        groups = []
        for k in self.parts.members:
            repeat = self.folded.get(first.get(k, -1))
            times = len(repeat.copies) + 1 if repeat else 0
            if repeat and len(repeat.unit) > 1:
                groups.append(
                    Group(f"u{k}", f"repeated {times} times", parent=self.parts.around[k])
                )
            if self.parts.is_frame(k) and not self.parts.is_counted(k):
                own = tensors_of(self.calls[k].module)
                tags = [count_of(own)] if own else []
                tags += [f"first of {times}"] if repeat and len(repeat.unit) == 1 else []
                title, parent = self._title(k), self.parts.frame_of(k)
                groups.append(Group(f"c{k}", title, parent=parent, tag=", ".join(tags)))
        return [replace(group, boxes=tuple(inside.get(group.id, ()))) for group in groups]

    # ---- arrows ----

    def _arrows(self, shown: list[int]) -> list[Arrow]:
        drawn = set(shown)
        found: Counter[tuple[int, int, str]] = Counter()
        pairs: set[tuple[int, int]] = set()
        for k, call in enumerate(self.calls):
            head = self.parts.box_of(k)
            if head not in drawn or (self.parts.is_frame(k) and k not in self.parts.counted):
                continue
            for at, words in call.sources:
                tail = self.parts.box_of(at) if at is not None else -1
                if at is not None and (call.unrecorded or self.calls[at].unrecorded):
                    words += ", no gradient"
                if tail == head or tail not in drawn:
                    continue
                if k == head or k in self.parts.counted or (tail, head) not in pairs:
                    found[tail, head, words] += 1
            pairs = {pair[:2] for pair in found}
        return [
            Arrow(
                f"c{tail}", f"c{head}", "broken" if "no gradient" in words else "gradient",
                f"{n} x {words}" if n > 1 and words else words,
            )
            for (tail, head, words), n in found.items()
        ]  # fmt: skip

    # ---- words ----

    def _input_boxes(self) -> str:
        inputs = [call for call in self.calls if call.kind == "input"]
        named = [f"{call.name} {' '.join(call.results) or 'unknown'}" for call in inputs]
        shapes = [words.removeprefix("input ") for words in named]
        if len(shapes) > 1:
            return f" on inputs of shapes {', '.join(shapes[:-1])} and {shapes[-1]}"
        return f" on an input of shape {shapes[0]}" if shapes else ""

    def _total(self) -> str:
        parameters = tensors_of(self.model)
        frozen = sum(math.prod(p.shape) for _, p in parameters if not p.requires_grad)
        return count_of(parameters) + (f", {frozen:,} of them frozen." if frozen else ".")

    def _unused_lines(self) -> list[str]:
        called: set[int] = set()
        for call in self.calls:
            if call.module is not None:  # one that calls nothing uses its parts by itself
                own = modules_of(call.module)[: 1 if call.inside else None]
                called.update(id(module) for _, module in own)
        names = [name for name, module in modules_of(self.model)
                 if id(module) not in called and len(modules_of(module)) == 1]  # fmt: skip
        more = f" and {len(names) - 5} others" if len(names) > 5 else ""
        return [f"Never called: {', '.join(names[:5])}{more}."] if names else []


def count_of(parameters: list[tuple[str, Any]]) -> str:
    """How many numbers there are in some parameters: `1,234 parameters`."""
    return count(sum(math.prod(tuple(p.shape)) for _, p in parameters), "parameter")
