"""`draw_graph`: the functions behind a tensor, the leaves they lead to, and what they remember."""

import sys
from collections import Counter
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram, Group
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.reading import wanted
from course_lib.viz.reading.details import details_of_function, details_of_tensor
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.repeats import repeats
from course_lib.viz.reading.same_tensor import read, was_made_by
from course_lib.viz.reading.saved import Saved, saved_by
from course_lib.viz.reading.values import has_history, labelled, told
from course_lib.viz.reading.walk import FAR, Walk, is_leaf_node, name_of, walk

SHOW = ("values", "shapes", "saved", "versions")
DIRECTIONS = {
    "backward": "Arrows: the way gradients go, from the result back to the leaves.",
    "forward": "Arrows: the way values went, from the leaves to the result.",
}
# state of a saved tensor: (kind of its box, tag)
SAVED = {"good": ("saved", ""), "stale": ("stale", "STALE"), "freed": ("saved", "freed")}
FREED = "Freed: backward has run here, and what the functions had saved is gone."
VIEWS = "Dotted lines: from a view to its base, whose memory it shares."
REPEATED = "A frame stands for all copies of a repeated part; the first one is drawn in it."
STALE = "STALE: a saved tensor was overwritten after it was saved. Backward would raise an error."


def draw_graph(
    *outputs: Any,
    names: Any = None,
    params: Any = None,
    show: str = "values",
    max_nodes: int = 60,
    direction: str = "backward",
    legend: bool = False,
    fold: bool = False,
) -> Picture:
    """The picture of the computation graph behind one or more tensors.

    `show` says what the boxes tell: "values", "shapes", "saved" (also the tensors that functions
    keep for backward) or "versions" (their versions when saved and now). Names are taken from
    `names={"x": x}`, from `params` (a module, or a dict) and from the caller's own variables.
    With more than `max_nodes` functions, the ones nearest to the outputs are drawn and the others
    counted. `direction="forward"` turns the arrows round. `fold=True` draws one copy of what is
    repeated, such as the time steps of a recurrent network, and says how often. Values of an engine
    of your own are drawn too (`has_history` in values.py says what they need).

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = x * x
    >>> draw_graph(y)
    Computation graph of y
    Arrows: the way gradients go, from the result back to the leaves.
    <BLANKLINE>
    y  result
        [1., 4.]
        -> [1] MulBackward0 (grad_fn)
    [1] MulBackward0
        -> x (0)
        -> x (1)
    x  leaf
        [1., 2.]
    """
    wanted.tensors("draw_graph", outputs, has_history)
    wanted.one_of("draw_graph", "show", show, SHOW)
    wanted.one_of("draw_graph", "direction", direction, DIRECTIONS)
    wanted.count("draw_graph", "max_nodes", max_nodes)
    known = Names(names, params, sys._getframe(1), has_history, "draw_graph")
    return picture_of(describe_graph(outputs, known, show, max_nodes, direction, legend, fold))


def describe_graph(
    outputs: tuple[Any, ...],
    names: Names,
    show: str = "values",
    max_nodes: int = 60,
    direction: str = "backward",
    legend: bool = False,
    fold: bool = False,
) -> Diagram:
    """The same as plain data, before it is drawn."""
    return _Builder(outputs, names, show, max(1, max_nodes), fold).diagram(direction, legend)


class _Builder:
    """Collects boxes and arrows of one graph, in visiting order."""

    def __init__(
        self, outputs: Any, names: Names, show: str, max_nodes: int, fold: bool = False
    ) -> None:
        self.outputs, self.names, self.show = outputs, names, show
        self.walk: Walk = walk([t.grad_fn for t in outputs if t.grad_fn is not None])
        self.boxes: list[Box] = []
        self.arrows: list[Arrow] = []
        self.groups: list[Group] = []
        self.states: set[str] = set()
        self.views: list[tuple[str, Any]] = []  # (box, base of the tensor in it)
        self.leaf = [is_leaf_node(node) for node in self.walk.nodes]
        self.repeats = repeats(self.walk) if fold else []
        self.copies = {c: r for repeat in self.repeats for c, r in repeat.copies.items()}
        self.skipped = self._skipped()
        functions = [i for i in range(len(self.leaf)) if not self.leaf[i] and i not in self.copies]
        self.hidden = set(functions[max_nodes:])
        self.number = {i: n for n, i in enumerate(functions[:max_nodes], start=1)}
        leaves = [i for i, leaf in enumerate(self.leaf) if leaf and i not in self.skipped]
        few = max(max_nodes // 4, 4) if self.hidden else max(max_nodes, 4)
        self.hidden.update(leaves[few:])
        self.made_by = self._results()

    def diagram(self, direction: str, legend: bool) -> Diagram:
        for i, output in enumerate(self.outputs):
            self._output(i, output)
        for i in range(len(self.walk.nodes)):
            if i in self.hidden or i in self.skipped:
                continue
            self._leaf(i) if self.leaf[i] else self._function(i)
        if self.hidden:
            self._fold()
        self._repeats()
        self._views()
        captions = [DIRECTIONS[direction]] if self.arrows else []
        captions += [FREED] if "freed" in self.states else []
        captions += [STALE] if "stale" in self.states else []
        captions += [REPEATED] if self.repeats else []
        captions += [VIEWS] if any(arrow.kind == "view" for arrow in self.arrows) else []
        if self.hidden or self.repeats:
            total = len(self.leaf) - sum(self.leaf)
            many = f"more than {FAR:,}" if self.walk.cut else f"{total:,}"
            captions.append(f"{len(self.number):,} of {many} functions are drawn.")
        outputs = self.boxes[: len(self.outputs)]
        title = "Computation graph of " + ", ".join(box.title for box in outputs)
        boxes, arrows = tuple(dict.fromkeys(self.boxes)), tuple(dict.fromkeys(self.arrows))
        return Diagram(
            title, boxes, arrows, tuple(captions), direction, legend, groups=tuple(self.groups)
        )

    # ---- tensors ----

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

    def _told(self, tensor: Any) -> tuple[str, ...]:
        if self.show == "versions":
            return (f"version {tensor._version}",)
        return told(tensor, self.show)

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
        return labelled("grad = ", told(tensor.grad, self.show))

    def _output(self, i: int, output: Any) -> None:
        several = len(self.outputs) > 1
        title = self.names.of(output) or (f"output {i}" if several else "output")
        if output.grad_fn is None and output.requires_grad:
            self.boxes.append(self._leaf_box(f"o{i}", output, title))
            return
        lines = self._told(output) + self._gradient(output)
        if output.grad_fn is None:
            lines += ("requires_grad = False:", "no graph was recorded")
            self.boxes.append(Box(f"o{i}", "constant", title, lines, "no graph"))
            return
        self.boxes.append(
            Box(
                f"o{i}",
                "result",
                title,
                lines,
                self._tag("result", output, f"o{i}"),
                details=details_of_tensor(output),
            )
        )
        first = self._id(self.walk.find(output.grad_fn))
        output_nr = getattr(output, "output_nr", 0)
        label = f"grad_fn, output {output_nr}" if output_nr else "grad_fn"
        self.arrows.append(Arrow(f"o{i}", first, "result", label))

    def _leaf_box(self, box_id: str, tensor: Any, title: str) -> Box:
        lines = self._told(tensor) + self._gradient(tensor)
        tag = self._tag("leaf", tensor, box_id)
        return Box(box_id, "leaf", title, lines, tag, details=details_of_tensor(tensor))

    def _leaf(self, i: int) -> None:
        tensor = self.walk.nodes[i].variable
        self.boxes.append(self._leaf_box(f"n{i}", tensor, self.names.of(tensor) or "unnamed"))

    # ---- functions ----

    def _id(self, i: int | None) -> str:
        i = self.copies.get(i, i) if i is not None else i
        return "fold" if i in self.hidden else f"n{i}"

    def _function(self, i: int) -> None:
        node = self.walk.nodes[i]
        lines: tuple[str, ...] = ()
        for name, tensor in self.made_by.get(i, []):
            lines += labelled(f"{name} = ", self._told(tensor)) + self._gradient(tensor)
            base = self._tag("", tensor, f"n{i}").removeprefix(", ")
            lines += (f"{name}: {base}",) if base else ()
        details = details_of_function(node)
        for name, tensor in self.made_by.get(i, []):
            details += (f"{name}:", *details_of_tensor(tensor))
        self.boxes.append(
            Box(f"n{i}", "function", name_of(node), lines, number=self.number[i], details=details)
        )
        self._saved(i, saved_by(node))
        self._arrows(i)

    def _arrows(self, i: int) -> None:
        targets = [(slot, *edge) for slot, edge in enumerate(self.walk.edges[i])]
        drawn = [edge for edge in targets if edge[1] is not None]
        for slot, target, output_nr in drawn:
            if target in self.hidden:
                self.arrows.append(Arrow(f"n{i}", "fold"))
                continue
            if target in self.copies:
                self._arrow_to_copy(i, target)
                continue
            words = [str(slot)] if len(drawn) > 1 else []
            words += [f"output {output_nr}"] if output_nr else []
            self.arrows.append(Arrow(f"n{i}", f"n{target}", "gradient", ", ".join(words)))

    def _saved(self, i: int, saved: list[Saved]) -> None:
        """One box for what a function saved, and a second one if some of it is stale."""
        self.states.update(item.state for item in saved)
        if self.show not in ("saved", "versions"):
            return
        for state in dict.fromkeys(item.state for item in saved):
            lines = tuple(
                line for item in saved if item.state == state for line in self._saved_lines(i, item)
            )
            kind, tag = SAVED[state]
            box = Box(f"n{i} {state}", kind, "saved", lines, tag, dashed=state == "freed")
            self.boxes.append(box)
            self.arrows.append(Arrow(f"n{i}", box.id, "saved"))

    def _saved_lines(self, i: int, item: Saved) -> tuple[str, ...]:
        if item.state == "freed":
            return (f"{item.name}: gone",)
        name = self.names.of(item.tensor) or self._name_of_result(i, item)
        label = f"{item.name} = {name}" if name else item.name
        if self.show == "versions" or item.state == "stale":
            return (f"{label}: saved at version {item.version}, now {item.now}",)
        return labelled(f"{label} = ", told(item.tensor, self.show))

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
        at = {id(output): f"o{i}" for i, output in enumerate(self.outputs)}
        for i, made in self.made_by.items():
            at.update({id(tensor): self._id(i) for _, tensor in made})
        drawn = {box.id for box in self.boxes}
        for i, node in enumerate(self.walk.nodes):
            if self.leaf[i] and f"n{i}" in drawn:
                at[id(node.variable)] = f"n{i}"
        for k, (box_id, base) in enumerate(self.views):
            if id(base) not in at:
                at[id(base)] = f"b{k}"
                title = self.names.of(base) or "unnamed"
                self.boxes.append(Box(f"b{k}", "constant", title, self._told(base), "base"))
            if at[id(base)] != box_id:
                self.arrows.append(Arrow(box_id, at[id(base)], "view"))

    # ---- repeated parts ----

    def _skipped(self) -> set[int]:
        """Copies that are not drawn, and the leaves that only they lead to."""
        drawn = (i for i in range(len(self.leaf)) if i not in self.copies)
        reached = {t for i in drawn for t, _ in self.walk.edges[i]}
        leaves = {t for i in self.copies for t, _ in self.walk.edges[i] if t is not None}
        return set(self.copies) | {t for t in leaves - reached if self.leaf[t]}

    def _arrow_to_copy(self, i: int, target: int) -> None:
        stands = self.copies[target]
        inside = any(i in r.block and stands in r.block for r in self.repeats)
        kind, label = ("repeat", "next copy") if inside else ("gradient", "")
        self.arrows.append(Arrow(f"n{i}", self._id(stands), kind, label))

    def _repeats(self) -> None:
        """A frame around each block that stands for its copies, and the arrows that leave these."""
        for k, repeat in enumerate(self.repeats):
            known = {f"n{i}" for i in repeat.block}
            boxes = tuple(box.id for box in self.boxes if box.id.split()[0] in known)
            mine = {t for c in repeat.copies for t, _ in self.walk.edges[c]} & self.skipped
            leaves = sum(t is not None and self.leaf[t] for t in mine)
            tag = f"{leaves} leaves of other copies are not drawn" if leaves else ""
            if boxes:  # none where the whole block is only counted
                self.groups.append(Group(f"r{k}", f"repeated {repeat.times} times", boxes, "", tag))
            pairs = {(arrow.tail, arrow.head) for arrow in self.arrows}
            for copy, stands in repeat.copies.items():
                for target, _ in self.walk.edges[copy]:
                    pair = (self._id(stands), self._id(target))
                    inside = target in repeat.copies or target in repeat.block
                    drawn = pair in pairs or pair[0] == pair[1]
                    if target is None or target in mine or inside or drawn:
                        continue
                    pairs.add(pair)
                    self.arrows.append(Arrow(*pair, "gradient", "last copy"))

    # ---- the part that is only counted ----

    def _fold(self) -> None:
        counts = Counter(name_of(self.walk.nodes[i]) for i in self.hidden if not self.leaf[i])
        leaves = sum(self.leaf[i] for i in self.hidden)
        often = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        lines = [f"{n:,} x {name}" for name, n in often]
        if len(lines) > 5:
            lines[4:] = [f"{sum(n for _, n in often[4:]):,} others"]
        lines += [f"{leaves:,} leaves" if leaves > 1 else "1 leaf"] if leaves else []
        total = sum(counts.values())
        title = f"{total:,} more functions" if total else "more leaves"
        if self.walk.cut:
            title, lines = "many more functions", ["the first of them:", *lines]
        self.boxes.append(Box("fold", "fold", title, tuple(lines), "not drawn", dashed=True))
        seen = {t for i in self.hidden for t, _ in self.walk.edges[i] if t is not None}
        for target in sorted(seen - self.hidden):
            if target in self.copies or target not in self.skipped:
                self.arrows.append(Arrow("fold", self._id(target)))
