"""`draw_graph`: the functions behind a tensor, the leaves they lead to, and what they remember."""

import itertools
import sys
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram, replace
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.drawing.text import count
from course_lib.viz.pictures.graph_parts import ByModule, end, next_copy, put_frames, put_hidden
from course_lib.viz.reading import arguments, values
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.operations import attributes, shapes
from course_lib.viz.reading.repeats import MANY, Parts
from course_lib.viz.reading.saved import BEHIND, Saved, constants, list_saved, may_be_absent
from course_lib.viz.reading.walk import FAR, Walk, name_of, read, walk, was_made_by

SHOW = ("values", "shapes", "saved", "versions")
DIRECTIONS = {
    "backward": "Arrows: the way gradients go, from the result back to the leaves.",
    "forward": "Arrows: the way values went, from the leaves to the result.",
}
# state of a saved tensor: (kind of its box, tag, whether it is dashed)
SAVED = {"good": ("saved", "", False), "stale": ("stale", "STALE", False)}
SAVED |= {"freed": ("saved", "freed", True), **dict.fromkeys(BEHIND, ("saved", "", True))}
PLACES = "0, 1 at an arrow: the first, the second input of the function."
COPY_SLICES = "CopySlices: a write into part of a tensor, recorded on the whole tensor."
FREED = "Freed: backward has run here, and what the functions had saved is gone."
VIEWS = "Dotted lines: from a view to its base, whose memory it shares."
REPEATED = "A frame stands for all copies of a repeated part; the first one is drawn in it."
STALE = "STALE: a saved tensor was overwritten after it was saved. Backward would raise an error."
NONE = "no gradient"  # kind of a box and of an arrow, and its words
APART = 4  # inputs without a gradient that are drawn one by one; more are counted


def draw_graph(
    *outputs: Any, names: Any = None, params: Any = None, show: str = "values", max_nodes: int = 60,
    direction: str = "backward", legend: bool = False, fold: bool | None = None,
) -> Picture:  # fmt: skip
    """The picture of the computation graph behind one or more tensors.

    `show` says what the boxes tell: "values", "shapes", "saved" (also the tensors that functions
    keep for backward) or "versions" (their versions when saved and now). Names are taken from
    `names={"x": x}`, from `params` (a module, or a dict) and from the caller's own variables.
    `direction="forward"` turns the arrows round.

    With `params`, a graph of more than 40 functions is shown by the modules of those parameters:
    in a notebook or a saved page a box opens by a click or Enter, Esc shuts it, `/` finds a name.
    The words say which parameters no gradient reaches. Otherwise, or with `fold` given:

    A repeated part, such as the layers of a network or the time steps of a recurrent one, is drawn
    once, in a frame that says how often: with `fold=None` in graphs of more than 40 functions, with
    `fold=True` in all, with `fold=False` never. Of the functions that are left, about `max_nodes`
    are drawn, those recorded last; each arrow to another one ends in a box that counts what lies
    behind it. So it is with the leaves of a function that has very many. Values of an engine of
    your own are drawn too (`has_history` in values.py says what they need).

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = (x * 3).sum()
    >>> draw_graph(y)
    Computation graph of y
    Arrows: the way gradients go, from the result back to the leaves.
    0, 1 at an arrow: the first, the second input of the function.
    <BLANKLINE>
    y  result
        9.
        -> [1] SumBackward0 (grad_fn)
    [1] SumBackward0
        -> [2] MulBackward0
    [2] MulBackward0
        -> x (0)
        -> 3 (1)
    x  leaf
        [1., 2.]
    3  no gradient
    """
    arguments.tensors("draw_graph", outputs, values.has_history)
    arguments.one_of("draw_graph", "show", show, SHOW)
    arguments.one_of("draw_graph", "direction", direction, DIRECTIONS)
    arguments.count("draw_graph", "max_nodes", max_nodes)
    known = Names(names, params, sys._getframe(1), values.has_history, "draw_graph")
    if params is not None and fold is None and show == "values" and direction == "backward":
        parameters = arguments.name_parameters("draw_graph", "params", params)
        graph = walk([t.grad_fn for t in outputs if t.grad_fn is not None])
        if graph.functions > MANY:
            titles = _titles(outputs, known)
            pairs = [(n, t) for n, t in zip(titles, outputs, strict=True) if t.grad_fn is not None]
            title = f"Computation graph of {', '.join(titles)}"
            found = ByModule(graph, known, parameters).overview(title, pairs)
            return picture_of(replace(found, legend=legend))
    return picture_of(describe_graph(outputs, known, show, max_nodes, direction, legend, fold))


def _titles(outputs: Any, names: Names) -> list[str]:
    """What the outputs are called."""
    alone = len(outputs) == 1
    return [names.of(t) or ("output" if alone else f"output {k}") for k, t in enumerate(outputs)]


def describe_graph(
    outputs: tuple[Any, ...], names: Names, show: str = "values", max_nodes: int = 60,
    direction: str = "backward", legend: bool = False, fold: bool | None = False,
) -> Diagram:  # fmt: skip
    """The same as plain data, before it is drawn."""
    return _Builder(outputs, names, show, max(1, max_nodes), fold).diagram(direction, legend)


def position_of(box_id: str) -> int:
    """The place in the walk of the function or leaf that a box is drawn for; -1 for other boxes."""
    return int(box_id[1:]) if box_id[0] == "n" and box_id[1:].isdigit() else -1


class _Builder:
    """Collects boxes and arrows of one graph, in visiting order."""

    def __init__(
        self, outputs: Any, names: Names, show: str, max_nodes: int, fold: bool | None
    ) -> None:
        self.outputs = list({id(output): output for output in outputs}.values())
        self.names, self.show, self.titles = names, show, _titles(self.outputs, names)
        roots = [t.grad_fn for t in self.outputs if t.grad_fn is not None]
        self.walk: Walk = walk(roots)
        self.parts = Parts(self.walk, {self.walk.position[id(r)] for r in roots}, max_nodes, fold)
        self.boxes: list[Box] = []
        self.arrows: list[Arrow] = []
        self.stubs: list[Box] = []  # inputs that want no gradient
        self.states: set[str] = set()
        self.views: list[tuple[str, Any]] = []  # (box, base of the tensor in it)
        # tensors that have a box: the tensor (kept, so that its identity stays its own), the box
        self.at: dict[int, tuple[Any, str]] = {}
        self.used = self._find_used_outputs()
        self.made_by = self._results()

    def diagram(self, direction: str, legend: bool) -> Diagram:
        for i in self.parts.leaves:
            self.at[id(self.walk.leaves[i])] = (self.walk.leaves[i], f"n{i}")
        for i, output in enumerate(self.outputs):
            self._output(i, output)
        for i in range(len(self.walk.nodes)):
            if i in self.parts.number:
                self._function(i)
            elif i in self.parts.leaves:
                leaf = self.walk.leaves[i]
                self._tensor_box(f"n{i}", "leaf", self.names.of(leaf) or "unnamed", leaf)
        self.boxes += self.stubs
        put_hidden(self.parts, self.boxes, self.arrows)
        groups = put_frames(self.parts, self.boxes, self.arrows)
        self._views()
        title, captions = ", ".join(self.titles), self._captions(direction)
        return Diagram(
            f"Computation graph of {title}", tuple(self.boxes), tuple(dict.fromkeys(self.arrows)),
            tuple(captions), direction, legend, groups=tuple(groups),
        )  # fmt: skip

    def _captions(self, direction: str) -> list[str]:
        labels = {arrow.label[:1] for arrow in self.arrows if arrow.kind in ("gradient", NONE)}
        captions = [DIRECTIONS[direction]] if self.arrows else []
        captions += [PLACES] if labels & set("0123456789") else []
        captions += [COPY_SLICES] if any(box.title == "CopySlices" for box in self.boxes) else []
        captions += [FREED] if "freed" in self.states else []
        captions += [STALE] if "stale" in self.states else []
        captions += [REPEATED] if self.parts.copies else []
        captions += [VIEWS] if any(arrow.kind == "view" for arrow in self.arrows) else []
        total, drawn = self.parts.total, len(self.parts.number)
        if drawn < total:
            many = f"more than {FAR:,}" if self.walk.cut else f"{total:,}"
            captions.append(f"{drawn:,} of {many} functions are drawn.")
        return captions

    # ---- tensors ----

    def _find_used_outputs(self) -> dict[int, tuple[int, ...]]:
        """For each function, which of its outputs are used in the graph."""
        used: dict[int | None, set[int]] = {}
        for target, output_nr in itertools.chain.from_iterable(self.walk.edges):
            used.setdefault(target, set()).add(output_nr)
        return {i: tuple(sorted(numbers)) for i, numbers in used.items() if i is not None}

    def _results(self) -> dict[int, list[tuple[str, Any]]]:
        """For each function, the named tensors that it made and that are no outputs."""
        made: dict[int, list[tuple[str, Any]]] = {}
        drawn = {id(output) for output in self.outputs}
        for tensor in self.names.tensors:
            if id(tensor) in drawn or tensor.grad_fn is None:
                continue
            i = self.walk.find(tensor.grad_fn)
            if i is not None:
                made.setdefault(i, []).append((self.names.of(tensor), tensor))
        return made

    def _tensor_lines(self, tensor: Any) -> tuple[str, ...]:
        if self.show == "versions":
            return (f"version {tensor._version}",)
        return values.format_tensor(tensor, self.show)

    def _tag(self, word: str, tensor: Any, box_id: str) -> str:
        base = getattr(tensor, "_base", None)
        if base is None:
            return word
        self.views.append((box_id, base))
        return f"{word}, view of {self.names.of(base) or 'another tensor'}"

    def _gradient(self, tensor: Any) -> tuple[str, ...]:
        # `.grad` of other tensors is always None, and PyTorch warns about reading it.
        is_leaf = tensor.is_leaf if hasattr(tensor, "is_leaf") else tensor.grad_fn is None
        if not (is_leaf or getattr(tensor, "retains_grad", False)) or tensor.grad is None:
            return ()
        return values.label_lines("grad = ", values.format_tensor(tensor.grad, self.show))

    def _output(self, i: int, output: Any) -> None:
        if id(output) in self.at:  # a leaf that the graph of another output leads to
            return
        box_id, title = f"o{i}", self.titles[i]
        self.at[id(output)] = (output, box_id)
        if output.grad_fn is None and not output.requires_grad:
            lines = self._tensor_lines(output) + self._gradient(output)
            lines += ("requires_grad = False:", "no graph was recorded")
            self.boxes.append(Box(box_id, "constant", title, lines, "no graph"))
            return
        self._tensor_box(box_id, "leaf" if output.grad_fn is None else "result", title, output)
        if output.grad_fn is not None:
            output_nr = getattr(output, "output_nr", 0)
            label = f"grad_fn, output {output_nr}" if output_nr else "grad_fn"
            self.arrows.append(Arrow(box_id, f"n{self.walk.find(output.grad_fn)}", "result", label))

    def _tensor_box(self, box_id: str, kind: str, title: str, tensor: Any) -> None:
        lines = self._tensor_lines(tensor) + self._gradient(tensor)
        tag, hooks = self._tag(kind, tensor, box_id), values.hooks_of(tensor)
        details = values.details_of_tensor(tensor)
        self.boxes.append(Box(box_id, kind, title, lines, tag, hooks=hooks, details=details))

    # ---- functions ----

    def _function(self, i: int) -> None:
        node = self.walk.nodes[i]
        lines: tuple[str, ...] = ()
        hooks: tuple[str, ...] = ()
        details = values.details_of_function(node)
        for name, tensor in self.made_by.get(i, []):
            told = values.label_lines(f"{name} = ", self._tensor_lines(tensor))
            lines += told + self._gradient(tensor)
            base = self._tag("", tensor, f"n{i}").removeprefix(", ")
            lines += (f"{name}: {base}",) if base else ()
            hooks += values.hooks_of(tensor)
            details += (f"{name}:", *values.details_of_tensor(tensor))
        name, number, facts = name_of(node), self.parts.number[i], self._facts(i)
        box = Box(f"n{i}", "function", name, lines, "", number, False, facts, hooks, details)
        self.boxes.append(box)
        saved = list_saved(node)
        self._saved_boxes(i, saved)
        self._arrows(i)
        self._constants(i, saved)

    def _facts(self, i: int) -> tuple[str, ...]:
        """What the function was told, and the shape of what it made if no box says it yet."""
        node = self.walk.nodes[i]
        facts = [attributes(node)]
        outputs = {self.walk.find(t.grad_fn) for t in self.outputs if t.grad_fn is not None}
        if i not in self.made_by and i not in outputs:
            shape = shapes(node, self.used.get(i, (0,)), 0 if self.show == "shapes" else values.FEW)
            facts.insert(0, shape)
        line = "  ".join(filter(None, facts))
        return (line,) if line else ()

    def _arrows(self, i: int) -> None:
        several = len(self.walk.edges[i]) > 1
        for slot, (target, output_nr) in enumerate(self.walk.edges[i]):
            hidden = target in self.walk.leaves and target not in self.parts.leaves
            if target is None or hidden:
                continue
            words = [str(slot)] if several else []
            words += [f"output {output_nr}"] if output_nr else []
            head = next_copy(self.parts, i, target) or end(self.parts, target)
            self.arrows.append(Arrow(f"n{i}", head, label=", ".join(words)))
        if more := self.parts.leaves_beside(i):
            title = f"... {count(more, 'more leaf', 'more leaves')}"
            self.stubs.append(Box(f"n{i} leaves", "fold", title, (), "not drawn", dashed=True))
            self.arrows.append(Arrow(f"n{i}", f"n{i} leaves"))

    def _constants(self, i: int, saved: list[Saved]) -> None:
        """A stub for each input that wants no gradient; the unknown ones share one."""
        node, edges = self.walk.nodes[i], self.walk.edges[i]
        missing = [slot for slot, (target, _) in enumerate(edges) if target is None]
        known = constants(node, missing, saved)
        others = [slot for slot in missing if slot not in known and not may_be_absent(node, slot)]
        if len(known) + len(others) > APART:
            known, others = {}, missing
        for slot, tensor in known.items():
            self.arrows.append(Arrow(f"n{i}", self._constant(i, slot, tensor), NONE, str(slot)))
        if others:
            box = Box(f"n{i} inputs", NONE, NONE)
            self.stubs.append(box)
            label = ", ".join(map(str, others)) if len(edges) > 1 else ""
            self.arrows.append(Arrow(f"n{i}", box.id, NONE, label))

    def _constant(self, i: int, slot: int, tensor: Any) -> str:
        """The box of a tensor that wants no gradient: each tensor has one."""
        if id(tensor) not in self.at:
            name, lines = self.names.of(tensor), values.format_tensor(tensor, self.show)
            alone = len(lines) == 1 and lines[0] != values.shape_of(tensor)
            if not name:
                name, lines = (lines[0], ()) if alone else ("unnamed", lines)
            box_id = f"n{i} input {slot}"
            self.stubs.append(Box(box_id, NONE, name, lines, NONE))
            self.at[id(tensor)] = (tensor, box_id)
        return self.at[id(tensor)][1]

    def _saved_boxes(self, i: int, saved: list[Saved]) -> None:
        """One box for what a function saved, and a second one if some of it is stale."""
        self.states.update(item.state for item in saved)
        if self.show not in ("saved", "versions"):
            return
        for state in dict.fromkeys(item.state for item in saved):
            lines = tuple(
                line for item in saved if item.state == state for line in self._saved_lines(i, item)
            )
            kind, tag, dashed = SAVED[state]
            box = Box(f"n{i} {state}", kind, "saved", lines, tag, dashed=dashed)
            self.boxes.append(box)
            self.arrows.append(Arrow(f"n{i}", box.id, "saved"))

    def _saved_lines(self, i: int, item: Saved) -> tuple[str, ...]:
        if item.state == "freed":
            return (f"{item.name}: gone",)
        if item.state in BEHIND:
            keeps = ", ".join(map(values.shape_of, item.packed))
            return (f"{item.name}: {BEHIND[item.state]}" + f", which keeps {keeps}" * bool(keeps),)
        name = self.names.of(item.tensor) or self._name_of_result(i, item)
        label = f"{item.name} = {name}" if name else item.name
        if self.show == "versions" or item.state == "stale":
            return (f"{label}: saved at version {item.version}, now {item.now}",)
        return values.label_lines(f"{label} = ", values.format_tensor(item.tensor, self.show))

    def _name_of_result(self, i: int, item: Saved) -> str:
        """What the reader calls a result that its function saved: as memory, not as the tensor."""
        if item.state == "stale" and item.tensor is None:
            said, node = read(item.message), self.walk.nodes[i]
            known = [t for t in self.names.tensors if said and was_made_by(t, node, said)]
            return self.names.of(known[0]) if len(known) == 1 else ""
        made = self.made_by.get(i, []) if item.name == "result" else []
        return made[0][0] if len(made) == 1 else ""

    # ---- views ----

    def _views(self) -> None:
        """A line from each view to its base, which gets a box where it has none."""
        for i, made in self.made_by.items():
            self.at.update({id(tensor): (tensor, end(self.parts, i)) for _, tensor in made})
        for k, (box_id, base) in enumerate(self.views):
            if id(base) not in self.at:
                self.at[id(base)] = (base, f"b{k}")
                title = self.names.of(base) or "unnamed"
                self.boxes.append(Box(f"b{k}", "constant", title, self._tensor_lines(base), "base"))
            if self.at[id(base)][1] != box_id:
                self.arrows.append(Arrow(box_id, self.at[id(base)][1], "view"))
