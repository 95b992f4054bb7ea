"""`draw_gradient_sizes`: where gradients vanish or explode on their way back through a graph."""

import math
import sys
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.film import sample_positions
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.pictures.graph import DIRECTIONS, describe_graph, position_of
from course_lib.viz.reading import arguments, backward
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import number
from course_lib.viz.reading.walk import FAR, Walk, name_of, recording_time, walk

# ---- bars on a logarithmic scale ----

COLUMNS, LEAVES, TOLD = 240, 40, 24  # functions and leaves that are drawn, functions in the words
WIDE, TALL, ROW = 720.0, 150.0, 20.0  # pixels: all columns, the highest column, a leaf


@dataclass(frozen=True)
class Sized:
    """A function or a leaf with the size of the gradient that arrives there."""

    name: str
    size: float

    def describe(self) -> str:
        """
        >>> Sized("w", 0.25).describe()
        '0.25, ordinary'
        """
        word = backward.word_of(self.size)
        return word if word in ("zero", "nan", "inf") else f"{number(self.size)}, {word}"


@dataclass(frozen=True)
class GradientSizes:
    """Functions in the order in which backward runs them, leaves in the order of first use."""

    title: str
    functions: tuple[Sized, ...]
    leaves: tuple[Sized, ...]
    captions: tuple[str, ...]


# powers of ten in words
TIMES = {4: "ten thousand", 5: "a hundred thousand", 6: "a million", 9: "a billion"}


def spread_of(leaves: tuple[Sized, ...]) -> str:
    """How far apart the gradients of the leaves are, in a sentence; "" without two to compare.

    >>> spread_of((Sized("a", 1e-7), Sized("b", 0.1)))
    'The gradients vanish on the way to a: 1e-07 there, 0.1 at b, a million times as much.'
    """
    known = [leaf for leaf in leaves if math.isfinite(leaf.size)]
    positive = sorted((leaf for leaf in known if leaf.size), key=lambda leaf: leaf.size)
    zeros = len(known) - len(positive)
    parts = []
    if positive and positive[-1].size < backward.WORDS[0][0]:
        most = positive[-1]
        parts.append(f"No leaf gets more than {number(most.size)}, at {most.name}: nothing learns.")
    elif len(positive) > 1:
        low, high = positive[0], positive[-1]
        times = high.size / low.size
        if times >= 1e4:
            grown, lost = ("explode", high, low, "little"), ("vanish", low, high, "much")
            verb, end, other, many = grown if high.size > 1e4 else lost
            power = math.floor(math.log10(times) + 1e-9)
            parts.append(
                f"The gradients {verb} on the way to {end.name}: {number(end.size)} there, "
                f"{number(other.size)} at {other.name}, {TIMES.get(power, f'1e{power}')} times "
                f"as {many}."
            )
        else:
            parts.append(
                f"Gradients of leaves go from {number(low.size)} at {low.name} to "
                f"{number(high.size)} at {high.name}."
            )
    if zeros:
        parts.append(f"{zeros} {'leaf gets' if zeros == 1 else 'leaves get'} only zeros.")
    if len(known) < len(leaves):
        parts.append(
            f"{len(leaves) - len(known)} of {len(leaves)} leaves get nan or inf: draw_nonfinite "
            "shows where it begins."
        )
    return " ".join(parts)


def _rows_of(row: tuple[Sized, ...], most: int, numbered: bool) -> list[str]:
    """A line for each, or for an even choice of many."""
    at = sample_positions(row, most)
    wide = max((len(row[i].name) for i in at), default=0)
    lines = []
    for i in at:
        turn = f"{i + 1:>{len(str(len(row)))}}  " if numbered else ""
        lines.append(f"    {turn}{row[i].name:<{wide}}  {row[i].describe()}")
    more = f"    {len(at)} of {len(row):,} are told, evenly spread"
    return lines if len(at) == len(row) else [*lines, more]


# ---- drawing ----


def _height(size: float, scale: tuple[int, int]) -> float:
    """How far up on a scale a size is, from 0 to 1, where nan and infinities are too."""
    low, high = scale
    return (math.log10(size) - low) / (high - low) if math.isfinite(size) else 1.0


def _put_bars(chart: Chart, sizes: GradientSizes) -> None:
    """Columns for functions, below them a bar for each leaf, one scale for both."""
    chart.heading(sizes.title)
    known = [one.size for one in (*sizes.functions, *sizes.leaves)]
    logs = [math.log10(size) for size in known if size > 0 and math.isfinite(size)]
    low, high = math.floor(min(logs, default=0.0)), math.ceil(max(logs, default=0.0))
    scale = (low - 1, max(high, low + 1))  # powers of ten: the smallest size is seen, too
    y = _columns(chart, sizes, scale, PAD + 40.0)
    y = _bars(chart, sizes, scale, y + 40)
    chart.sentences(y + 22, list(sizes.captions))


def _columns(chart: Chart, sizes: GradientSizes, scale: tuple[int, int], top: float) -> float:
    """One column per function, first the output, as high as the gradient is large."""
    left, base = PAD + 52.0, top + TALL
    at = sample_positions(sizes.functions, COLUMNS)
    low, high = scale
    for power in range(low, high + 1, max(1, math.ceil((high - low) / 7))):
        y = base - _height(10.0**power, scale) * TALL
        chart.line([(left, y), (left + WIDE, y)], "function line", 0.5, "1,3")
        chart.text(left - 8, y + 4, f"1e{power}", 11, "muted", "end")
    step = WIDE / max(len(at), 12)
    for k, i in enumerate(at):
        x, size = left + k * step, sizes.functions[i].size
        if size == 0:
            chart.line([(x, base), (x + step, base)], "stale line", 3)
            continue
        tall = _height(size, scale) * TALL
        chart.frame(x, base - tall, step, tall, *_colours(size, "function line"), 0.8)
    chart.line([(left, base), (left + WIDE, base)], "arrow", 1)
    names = [sizes.functions[i].name for i in (at[0], at[-1])] if at else ["", ""]
    chart.text(left, base + 16, f"first in backward: {names[0]}", 11, "muted")
    chart.text(left + WIDE, base + 16, f"last: {names[1]}", 11, "muted", "end")
    some = f"{len(at)} of " if len(at) < len(sizes.functions) else ""
    title = f"The gradient that arrives at each function ({some}{len(sizes.functions):,})"
    chart.text(left, top - 10, title, 12, face="Helvetica", bold=True)
    return base + 16


def _bars(chart: Chart, sizes: GradientSizes, scale: tuple[int, int], top: float) -> float:
    """One bar per leaf, with its name before and its size in words behind."""
    shown = [sizes.leaves[i] for i in sample_positions(sizes.leaves, LEAVES)]
    some = f"{len(shown)} of " if len(shown) < len(sizes.leaves) else ""
    title = f"The gradient of each leaf ({some}{len(sizes.leaves):,}), first used at the top"
    chart.text(PAD + 52, top - 10, title, 12, face="Helvetica", bold=True)
    left = PAD + max((len(leaf.name) for leaf in shown), default=0) * LETTER + 12
    left = max(left, PAD + 52.0)
    words = max((len(leaf.describe()) for leaf in shown), default=0) * LETTER + 10
    length = max(PAD + 52 + WIDE - left - words, 160.0)
    y = top
    for leaf in shown:
        chart.text(left - 8, y + 14, leaf.name, 12, "ink", "end")
        wide = max(_height(leaf.size, scale) * length, 2.0) if leaf.size else 0.0
        if wide:
            chart.frame(left, y + 3, wide, ROW - 6, *_colours(leaf.size, "leaf line"), 1.2)
        chart.text(left + wide + 8, y + 14, leaf.describe(), 12, "muted")
        y += ROW
    return y


def _colours(size: float, line: str) -> tuple[str, str]:
    """The colours of a bar and of its edge."""
    heat = f"heat {backward.heat_of(size)}"
    return (heat, line) if math.isfinite(size) else ("stale", "stale line")


# ---- the picture ----

LAYOUTS = ("auto", "graph", "bars")
COLOURS = (
    "Colours go from blue (small) to orange (large), in steps of a hundred times: below 1e-6 is "
    "vanishing, 1e6 and more is exploding."
)


def draw_gradient_sizes(
    output: Any, gradient: Any = None, *, names: Any = None, params: Any = None,
    measure: str = "mean", layout: str = "auto", max_nodes: int = 60, direction: str = "backward",
    legend: bool = False,
) -> Picture:  # fmt: skip
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
    who = "draw_gradient_sizes"
    arguments.tensor(who, output)
    arguments.one_of(who, "measure", measure, backward.MEASURES)
    arguments.one_of(who, "layout", layout, LAYOUTS)
    arguments.one_of(who, "direction", direction, DIRECTIONS)
    arguments.count(who, "max_nodes", max_nodes)
    known = Names(names, params, sys._getframe(1), who=who)
    title = known.of(output) or "the output"
    arguments.require_made(who, output, title)
    start = backward.starting(output, gradient, who)
    graph = walk([output.grad_fn])
    steps, problem = backward.watch_gradients(output, graph, backward.size_of, start)
    if problem:
        raise ValueError(
            f"draw_gradient_sizes could not run backward: {problem}\nIf backward() has freed the "
            "graph, draw it before backward(), or call backward(retain_graph=True)."
        )
    captions = [f"The size of a gradient here is {backward.MEASURES[measure]}."]
    if gradient is None and output.dim():
        captions.insert(0, f"Backward starts with ones of shape {tuple(output.shape)}.")
    arrived = {}
    for step in steps:
        received = (size for size in step.received if size is not None)
        arrived[step.node] = sum(received, backward.Size()).by(measure)
    sizes = _sizes(graph, arrived, known, f"Sizes of gradients behind {title}", captions)
    if layout == "graph" or (layout == "auto" and graph.functions <= max_nodes):
        base = describe_graph((output,), known, "shapes", max_nodes, direction, legend)
        sent = {step.node: step.sent for step in steps}
        return picture_of(_paint(base, graph, arrived, sent, measure, sizes))
    alt = " ".join([f"{sizes.title}: {graph.functions:,} functions.", *sizes.captions])
    words = [
        sizes.title, "functions, in the order of backward", *_rows_of(sizes.functions, TOLD, True),
        "leaves, in the order of use", *_rows_of(sizes.leaves, LEAVES, False), *sizes.captions,
    ]  # fmt: skip
    return drawn(words, alt, lambda chart: _put_bars(chart, sizes))


# ---- what the pass has shown ----


def _sizes(
    graph: Walk, arrived: dict[int, float], names: Names, title: str, captions: list[str]
) -> GradientSizes:
    """The sizes as a list: functions as backward ran them, leaves as forward used them."""
    user = {t: i for i in range(len(graph.edges)) for t in graph.heads(i)}
    functions, leaves = [], []
    for i, size in arrived.items():
        node = graph.nodes[i]
        if i in graph.leaves:
            turn = (recording_time(graph, user[i]), -i)
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


# ---- the graph in colours ----


def _paint(
    base: Diagram, graph: Walk, arrived: dict[int, float], sent: dict[int, tuple[Any, ...]],
    measure: str, sizes: GradientSizes,
) -> Diagram:  # fmt: skip
    """The graph with each box in the colour of the gradient that arrives there."""
    boxes = tuple(_tint(box, arrived.get(position_of(box.id))) for box in base.boxes)
    arrows = tuple(_label_arrow(arrow, graph, sent, measure) for arrow in base.arrows)
    captions = (*base.captions, *sizes.captions, COLOURS)
    alt = f"{sizes.title}. " + " ".join(sizes.captions)
    return replace(base, title=sizes.title, boxes=boxes, arrows=arrows, captions=captions, alt=alt)


def _tint(box: Box, size: float | None) -> Box:
    if box.kind not in ("function", "leaf"):
        return box
    if size is None:
        return replace(box, kind="unknown", lines=(*box.lines, "gets no gradient"))
    word = backward.word_of(size)
    lines = (*box.lines, f"gradient {number(size)}")
    tag = f"{box.tag}, {word}" if box.tag else word
    heat = f"{'leaf ' * (box.kind == 'leaf')}heat {backward.heat_of(size)}"
    kind = "unknown" if size == 0 else heat if math.isfinite(size) else "spread"
    return replace(box, kind=kind, lines=lines, tag=tag)


def _label_arrow(
    arrow: Arrow, graph: Walk, sent: dict[int, tuple[Any, ...]], measure: str
) -> Arrow:
    """What goes along an arrow is told where several arrive at one place and are added up."""
    tail, head = position_of(arrow.tail), position_of(arrow.head)
    into = sum(target == head for edges in graph.edges for target, _ in edges)
    if arrow.kind != "gradient" or min(tail, head) < 0 or into < 2:
        return arrow
    slots = [k for k, (target, _) in enumerate(graph.edges[tail]) if target == head]
    slot = int(arrow.label) if arrow.label.isdigit() else slots[0] if slots else -1
    size = dict(enumerate(sent.get(tail, ()))).get(slot)
    return arrow if size is None else replace(arrow, label=number(size.by(measure)))
