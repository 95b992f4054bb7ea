"""`draw_gradient_sizes`: where gradients vanish or explode on their way back through a graph."""

import math
import sys
from dataclasses import replace
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.pictures.gradient_bars import (
    GradientSizes,
    Sized,
    bars_svg,
    spread_of,
    words_of,
)
from course_lib.viz.pictures.graph import DIRECTIONS, describe_graph
from course_lib.viz.reading import arguments
from course_lib.viz.reading.backward import (
    MEASURES,
    Passed,
    Size,
    heat_of,
    passing,
    size_of,
    starting,
    word_of,
)
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import number
from course_lib.viz.reading.walk import FAR, Walk, is_leaf_node, name_of, walk

LAYOUTS = ("auto", "graph", "bars")
COLOURS = (
    "Colours go from blue (small) to orange (large), in steps of a hundred times: below 1e-6 is "
    "vanishing, 1e6 and more is exploding."
)


def draw_gradient_sizes(
    output: Any,
    gradient: Any = None,
    *,
    names: Any = None,
    params: Any = None,
    measure: str = "mean",
    layout: str = "auto",
    max_nodes: int = 60,
    direction: str = "backward",
    legend: bool = False,
) -> Picture:
    """The picture of how large gradients are on their way from the output to the leaves.

    It runs a backward pass that keeps the graph and leaves every `.grad` as it was. Each function
    is coloured by the gradient that arrives there, each leaf by the gradient it would get.
    `measure` is "mean" (of the sizes of its numbers), "norm" or "max". `layout="graph"` colours the
    graph, "bars" draws one bar per function and leaf on a logarithmic scale; "auto" takes the graph
    up to `max_nodes` functions. `gradient` starts the pass, else it starts with ones.

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = (x * 0.001).sum()
    >>> draw_gradient_sizes(y, layout="bars")
    Sizes of gradients behind y
    functions, in the order of backward
        1  SumBackward0  1., ordinary
        2  MulBackward0  1., ordinary
    leaves, in the order of use
        x  0.001, small
    The size of a gradient here is mean |g|, the average size of its numbers.
    """
    arguments.tensor("draw_gradient_sizes", output)
    _check(measure, layout, direction, max_nodes)
    known = Names(names, params, sys._getframe(1), who="draw_gradient_sizes")
    title = known.of(output) or "the output"
    if output.grad_fn is None:
        raise ValueError(
            f"draw_gradient_sizes wants a tensor that functions made, and {title} has no graph: "
            "give it the loss, as in draw_gradient_sizes(loss)."
        )
    start = starting(output, gradient, "draw_gradient_sizes")
    graph = walk([output.grad_fn])
    steps, problem = passing(output, graph, size_of, start)
    if problem:
        raise ValueError(
            f"draw_gradient_sizes could not run backward: {problem}\nIf backward() has freed the "
            "graph, draw it before backward(), or call backward(retain_graph=True)."
        )
    captions = [f"The size of a gradient here is {MEASURES[measure]}."]
    if gradient is None and output.dim():
        captions.insert(0, f"Backward starts with ones of shape {tuple(output.shape)}.")
    sizes = _sizes(graph, steps, known, measure, f"Sizes of gradients behind {title}", captions)
    functions = sum(not is_leaf_node(node) for node in graph.nodes)
    if layout == "graph" or (layout == "auto" and functions <= max_nodes):
        base = describe_graph((output,), known, "shapes", max_nodes, direction, legend)
        return picture_of(_painted(base, graph, steps, measure, sizes))
    alt = " ".join([f"{sizes.title}: {functions:,} functions.", *sizes.captions])
    return Picture(words_of(sizes), alt, make_svg=lambda: bars_svg(sizes, alt))


def _check(measure: str, layout: str, direction: str, max_nodes: int) -> None:
    who = "draw_gradient_sizes"
    arguments.one_of(who, "measure", measure, MEASURES)
    arguments.one_of(who, "layout", layout, LAYOUTS)
    arguments.one_of(who, "direction", direction, DIRECTIONS)
    arguments.count(who, "max_nodes", max_nodes)


# ---- what the pass has shown ----


def _sizes(
    graph: Walk, steps: list[Passed], names: Names, measure: str, title: str, captions: list[str]
) -> GradientSizes:
    """The sizes as a list: functions as backward ran them, leaves as forward used them."""
    user = {t: i for i in range(len(graph.edges)) for t, _ in graph.edges[i] if t is not None}
    functions, leaves = [], []
    for step in steps:
        node, size = graph.nodes[step.node], _arrived(step).by(measure)
        if is_leaf_node(node):
            used = graph.nodes[user[step.node]]
            turn = (getattr(used, "_sequence_nr", lambda: 0)(), -step.node)
            name = names.of(node.variable).partition(",")[0] or "unnamed"
            leaves.append((turn, Sized(name, size)))
        else:
            functions.append(Sized(name_of(node), size))
    leaves.sort(key=lambda pair: pair[0])
    ordered = tuple(leaf for _, leaf in leaves)
    said = [*captions, spread_of(ordered)]
    if graph.cut:
        said.append(
            f"The graph goes on: only the {FAR:,} functions nearest to the output are here."
        )
    return GradientSizes(title, tuple(functions), ordered, tuple(filter(None, said)))


def _arrived(step: Passed) -> Size:
    return sum((size for size in step.received if size is not None), Size())


# ---- the graph in colours ----


def _painted(
    base: Diagram, graph: Walk, steps: list[Passed], measure: str, sizes: GradientSizes
) -> Diagram:
    """The graph with each box in the colour of the gradient that arrives there."""
    arrived = {f"n{step.node}": _arrived(step).by(measure) for step in steps}
    boxes = tuple(_tinted(box, arrived.get(box.id)) for box in base.boxes)
    arrows = tuple(_labelled(arrow, graph, steps, measure) for arrow in base.arrows)
    captions = (*base.captions, *sizes.captions, COLOURS)
    alt = f"{sizes.title}. " + " ".join(sizes.captions)
    return replace(base, title=sizes.title, boxes=boxes, arrows=arrows, captions=captions, alt=alt)


def _tinted(box: Box, size: float | None) -> Box:
    if box.kind not in ("function", "leaf"):
        return box
    if size is None:
        return replace(box, kind="unknown", lines=(*box.lines, "gets no gradient"))
    word = word_of(size)
    lines = (*box.lines, f"gradient {number(size)}")
    tag = f"{box.tag}, {word}" if box.tag else word
    if size == 0:
        return replace(box, kind="unknown", lines=lines, tag=tag)
    if not math.isfinite(size):
        return replace(box, kind="spread", lines=lines, tag=tag)
    kind = f"heat {heat_of(size)}"
    kind = f"leaf {kind}" if box.kind == "leaf" else kind
    return replace(box, kind=kind, lines=lines, tag=tag)


def _labelled(arrow: Arrow, graph: Walk, steps: list[Passed], measure: str) -> Arrow:
    """What goes along an arrow is told where several arrive at one place and are added up."""
    tail, head = (int(end[1:]) if end[1:].isdigit() else -1 for end in (arrow.tail, arrow.head))
    if arrow.kind != "gradient" or arrow.tail[0] != "n" or arrow.head[0] != "n":
        return arrow
    into = sum(target == head for edges in graph.edges for target, _ in edges)
    step = next((step for step in steps if step.node == tail), None)
    slots = [k for k, (target, _) in enumerate(graph.edges[tail]) if target == head]
    slot = int(arrow.label) if arrow.label.isdigit() else slots[0] if slots else None
    if into < 2 or step is None or slot is None or slot >= len(step.sent):
        return arrow
    sent = step.sent[slot]
    return arrow if sent is None else replace(arrow, label=number(sent.by(measure)))
