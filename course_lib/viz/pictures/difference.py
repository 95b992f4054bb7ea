"""`draw_difference`: two graphs as one, with what was added, removed and changed."""

import sys
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram, excerpt
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.pictures.graph import DIRECTIONS, describe_graph
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import list_saved
from course_lib.viz.reading.values import number, shape_of
from course_lib.viz.reading.walk import FAR, Walk, align_walks, is_leaf_node, name_of, walk

TAGS = {"added": "+ added", "removed": "\N{MINUS SIGN} removed", "changed": "~ changed"}


@dataclass(frozen=True)
class Side:
    """One of the two graphs: the tensor, its functions, and the boxes that it would have alone."""

    output: Any
    title: str
    walk: Walk
    boxes: dict[str, Box]


def draw_difference(
    before: Any, after: Any, *, names: Any = None, params: Any = None, max_nodes: int = 60,
    direction: str = "backward", legend: bool = False,
) -> Picture:  # fmt: skip
    """The picture of what is different between the graphs of two tensors.

    Functions that have a partner in the other graph are drawn once. What only `after` has is marked
    "+ added", what only `before` has "removed", and partners that saved other shapes, numbers or
    options "~ changed". Values are not compared. With more than `max_nodes` functions, what is the
    same is counted.

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> before, after = (x ** 2).sum(), (x ** 3).abs().sum()
    >>> print(draw_difference(before, after).text.partition("Arrows")[0].strip())
    From before to after: what is different
    1 is added: AbsBackward0. 1 is changed: PowBackward0.
    """
    for tensor in (before, after):
        arguments.tensor("draw_difference", tensor, "two tensors")
    arguments.one_of("draw_difference", "direction", direction, DIRECTIONS)
    arguments.count("draw_difference", "max_nodes", max_nodes)
    known = Names(names, params, sys._getframe(1), who="draw_difference")
    if before.grad_fn is None and after.grad_fn is None:
        raise ValueError(
            "draw_difference wants tensors that functions made, and neither of these two has a "
            "graph. Do they need requires_grad=True, or were they made inside no_grad()? Give it "
            "two results of computing with a tensor that requires grad."
        )
    return picture_of(describe_difference(before, after, known, max_nodes, direction, legend))


def describe_difference(
    before: Any, after: Any, names: Names, max_nodes: int, direction: str, legend: bool
) -> Diagram:
    """Both graphs in one diagram, as plain data."""
    old, new = _side(before, "before", names), _side(after, "after", names)
    pairs = align_walks(old.walk, new.walk)
    ids = {i: f"n{pairs[i]}" if i in pairs else f"was n{i}" for i in range(len(old.walk.nodes))}
    boxes = [_output(old, new), *_boxes(old, new, pairs, ids)]
    arrows = _arrows(old, new, ids)
    tally = {
        kind: [box.title for box in boxes if box.tag.endswith(tag) and box.id != "o0"]
        for kind, tag in TAGS.items()
    }
    sentence = _summary(tally, len(pairs))
    moved = sum(arrow.kind in TAGS for arrow in arrows)
    if moved and not any(tally.values()):  # edges where no function tells of the difference
        sentence += f" {moved} arrows are different."
    bare = [side.title for side in (old, new) if not side.walk.nodes]
    captions = [sentence, *(f"{name} has no graph." for name in bare)]
    captions += [DIRECTIONS[direction]] if arrows else []
    if old.walk.cut or new.walk.cut:
        captions.append(f"Only the {FAR:,} functions nearest to the outputs were compared.")
    title = f"From {old.title} to {new.title}: what is different"
    alt = f"{title}. {' '.join(captions)}"
    whole = Diagram(title, tuple(boxes), tuple(arrows), tuple(captions), direction, legend, alt=alt)
    if new.walk.functions + len(tally["removed"]) <= max_nodes:
        return whole
    return _short(whole, max_nodes)


def _side(tensor: Any, word: str, names: Names) -> Side:
    graph = walk([] if tensor.grad_fn is None else [tensor.grad_fn])
    base = describe_graph((tensor,), names, "shapes", max(len(graph.nodes), 1))
    title = names.of(tensor).partition(",")[0] or word
    return Side(tensor, title, graph, {box.id: box for box in base.boxes})


# ---- boxes ----


def _output(old: Side, new: Side) -> Box:
    """The two tensors in one box, marked when they have other shapes."""
    shapes = [shape_of(side.output) for side in (old, new)]
    title = new.title if new.title == old.title else f"{old.title}, {new.title}"
    if shapes[0] == shapes[1]:
        return Box("o0", "result", title, (shapes[1],), "results")
    lines = (f"{shapes[0]} \N{RIGHTWARDS ARROW} {shapes[1]}",)
    return Box("o0", "changed", title, lines, f"results, {TAGS['changed']}")


def _boxes(old: Side, new: Side, pairs: dict[int, int], ids: dict[int, str]) -> list[Box]:
    """Each function and leaf of either graph once; those that are gone come last."""
    partner = {j: i for i, j in pairs.items()}
    boxes = []
    for j, node in enumerate(new.walk.nodes):
        box = _plain(new, j, f"n{j}")
        if j not in partner:
            boxes.append(_tag_box(box, "added"))
            continue
        lines = _changes(old.walk.nodes[partner[j]], node)
        boxes.append(_tag_box(box, "changed", lines) if lines else box)
    for i in range(len(old.walk.nodes)):
        if i not in pairs:
            boxes.append(_tag_box(_plain(old, i, ids[i]), "removed"))
    return boxes


def _plain(side: Side, i: int, box_id: str) -> Box:
    """A box as it is in its own graph, without the number: two graphs would have two."""
    known = side.boxes.get(f"n{i}")
    if known is None:  # too far away for a picture of that graph
        node = side.walk.nodes[i]
        return Box(box_id, "leaf" if is_leaf_node(node) else "function", name_of(node))
    return replace(known, id=box_id, number=None)


def _tag_box(box: Box, kind: str, lines: tuple[str, ...] = ()) -> Box:
    tag = f"{box.tag}, {TAGS[kind]}" if box.tag else TAGS[kind]
    return replace(box, kind=kind, tag=tag, lines=(*box.lines, *lines))


def _changes(one: Any, other: Any) -> tuple[str, ...]:
    """What two partners do not have in common: `exponent: 2 -> 3`."""
    if one is other:
        return ()
    facts, others = _facts(one), _facts(other)
    return tuple(
        f"{name}: {facts.get(name, 'none')} \N{RIGHTWARDS ARROW} {others.get(name, 'none')}"
        for name in dict.fromkeys([*facts, *others])
        if facts.get(name) != others.get(name)
    )


def _facts(node: Any) -> dict[str, str]:
    """Shapes, numbers and options that a function saved, or shape and dtype of a leaf."""
    if is_leaf_node(node):
        return {"tensor": shape_of(node.variable)}
    facts = {}
    saved = {item.name: item for item in list_saved(node)}
    for name, item in saved.items():
        if item.tensor is None or item.state != "good":
            facts[name] = "overwritten" if item.state == "stale" else item.state
        elif item.tensor.grad_fn is None and not item.tensor.dim():
            facts[name] = number(item.tensor.item())
        else:
            facts[name] = shape_of(item.tensor)
    for attribute in sorted(dir(node)):
        name = attribute.removeprefix("_saved_")
        if name == attribute or any(key.partition("[")[0] == name for key in saved):
            continue
        value = getattr(node, attribute)
        if "sym_strides" not in name and isinstance(value, (bool, int, float, str, tuple)):
            facts[name.replace("_sym_sizes", " shape")] = number(value)
    return facts


# ---- arrows ----


def _arrows(old: Side, new: Side, ids: dict[int, str]) -> list[Arrow]:
    """The edges of both graphs: those that both have, then what was added, then what is gone."""
    olds = _edges(old, ids)
    news = _edges(new, {j: f"n{j}" for j in range(len(new.walk.nodes))})
    arrows = []
    for edge, label in {**news, **olds}.items():
        tail, head, _ = edge
        kind = "gradient" if edge in olds and edge in news else "added"
        kind = "removed" if edge not in news else kind
        words = [label] if label else []
        arrows.append(Arrow(tail, head, kind, ", ".join(words + [kind] * (kind != "gradient"))))
    return arrows


def _edges(side: Side, ids: dict[int, str]) -> dict[tuple[str, str, int], str]:
    """Each edge as (tail, head, place), with what is written beside it."""
    edges: dict[tuple[str, str, int], str] = {}
    if side.walk.nodes:
        edges["o0", ids[0], 0] = "grad_fn"
    for i, targets in enumerate(side.walk.edges):
        many = sum(target is not None for target, _ in targets) > 1
        for slot, (target, _) in enumerate(targets):
            if target is not None:
                edges[ids[i], ids[target], slot] = str(slot) if many else ""
    return edges


# ---- size and sentences ----


def _short(whole: Diagram, max_nodes: int) -> Diagram:
    """The differences with what is next to them; the rest is counted."""
    marked = [box.id for box in whole.boxes if box.kind in TAGS]
    wanted = {"o0", *marked[:max_nodes]}
    moved = [arrow for arrow in whole.arrows if arrow.kind in TAGS][:max_nodes]
    wanted |= {end for arrow in moved for end in (arrow.tail, arrow.head)}
    part = excerpt(whole, wanted)
    more = len(marked) - max_nodes
    said = [f"{more:,} more differences are only counted."] if more > 0 else []
    said.append("Boxes that are counted, not drawn, are the same in both graphs.")
    return replace(part, captions=(*part.captions, *said))


def _summary(tally: dict[str, list[str]], same: int) -> str:
    """How many of each kind, and which."""
    parts = []
    for kind, titles in tally.items():
        if titles:
            verb = "is" if len(titles) == 1 else "are"
            parts.append(f"{len(titles):,} {verb} {kind}: {_list_titles(titles)}.")
    none = f"No function or leaf was added, removed or changed; all {same} match."
    return " ".join(parts) or none


def _list_titles(titles: list[str]) -> str:
    counts = Counter(titles)
    words = [f"{n} x {title}" if n > 1 else title for title, n in counts.items()]
    return ", ".join(words[:6]) + (", ..." if len(words) > 6 else "")
