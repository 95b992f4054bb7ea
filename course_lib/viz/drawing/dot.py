"""From a diagram to DOT, the language of Graphviz: one look per kind of box and of arrow."""

import textwrap
from collections import Counter
from typing import Any

from course_lib.viz.drawing.diagram import Box, Diagram
from course_lib.viz.drawing.lanes import spine
from course_lib.viz.drawing.render import CannotDraw, missing
from course_lib.viz.drawing.theme import HEAT, light

SANS, MONO = "Helvetica", "Courier"
LEFT, CENTRED = r"\l", r"\n"  # how a line of a label ends
LARGE = 300  # arrows; from there on Graphviz searches less long for the best places
MOST = 2_200  # arrows; from about 2 500 on the in-process Graphviz has too little memory to go on

# kind of box: (shape, style, colour roles of the fill and of the line, further attributes)
BOXES = {
    "leaf": ("box", "filled", "leaf", "leaf line", {"penwidth": "1.4"}),
    "function": ("box", "filled,rounded", "function", "function line", {}),
    "result": ("box", "filled", "result", "result line", {"peripheries": "2"}),
    "constant": ("box", "filled,dashed", "paper", "constant line", {}),
    "saved": ("note", "filled", "saved", "saved line", {}),
    "stale": ("box", "filled,diagonals", "stale", "stale line",
        {"penwidth": "2", "margin": "0.2,0.1"}),
    "function now": ("box", "filled,rounded", "result", "result line", {"penwidth": "2.4"}),
    "leaf now": ("box", "filled", "result", "result line", {"penwidth": "2.4"}),
    "fold": ("box", "filled,rounded", "paper", "constant line", {}),
    "no gradient": ("box", "filled", "paper", "paper",
        {"margin": "0.04,0.02", "fontcolor": light("muted"), "fontsize": "11"}),
    "layer": ("box", "filled,rounded", "leaf", "leaf line", {"penwidth": "1.4"}),
    "module": ("box", "filled,rounded", "function", "function line", {}),
    "step": ("box", "filled,rounded", "paper", "function line", {}),
    "equal": ("box", "filled,rounded", "function", "function line", {"peripheries": "2"}),
    "input": ("box", "filled", "saved", "saved line", {}),
    "origin": ("box", "filled,diagonals", "stale", "stale line",
        {"penwidth": "2.6", "margin": "0.2,0.1"}),
    "spread": ("box", "filled,rounded", "stale", "stale line", {}),
    "unknown": ("box", "filled,rounded,dashed", "paper", "constant line", {}),
}  # fmt: skip
for step in range(HEAT):
    tint = f"heat {step}"
    BOXES[tint] = ("box", "filled,rounded", tint, "function line", {})
    BOXES[f"leaf {tint}"] = ("box", "filled", tint, "leaf line", {"penwidth": "1.8"})
UNSEEN = ("fillcolor", "fontcolor")  # in the colour of the page
ARROWS = {
    "gradient": {"arrowhead": "normal"},
    "result": {"arrowhead": "normal"},
    "saved": {"arrowhead": "none", "style": "dashed"},
    "view": {"arrowhead": "odot", "style": "dotted", "constraint": "false", "penwidth": "1.3"},
    "no gradient": {"arrowhead": "none", "style": "dotted", "color": light("constant line")},
    "broken": {"arrowhead": "normal", "style": "dashed"},
    # of the same shape as "gradient": in a film the one becomes the other
    "later": {"arrowhead": "normal", "style": "dotted", **dict.fromkeys(UNSEEN, light("paper"))},
    "spread": {"arrowhead": "normal", "penwidth": "2.2", "color": light("stale line")},
}
LONG = 12  # letters of a label that would touch another arrow between the same boxes
HOOK = " " * 3  # in front of a line that tells hooks, where `svg.py` draws a little hook
ROOM = " " * 12  # in front of a legend line, where `svg.py` draws the little box
LEGEND = {
    "result": ROOM + "result: the tensor you asked about",
    "function": ROOM + "function: turns one gradient into the next",
    "leaf": ROOM + "leaf: gradients are added into its .grad",
    "saved": ROOM + "saved tensor: kept by a function for backward",
    "stale": ROOM + "STALE: overwritten after it was saved",
    "constant": ROOM + "tensor without a graph",
    "fold": ROOM + "functions that are counted, not drawn",
    "origin": ROOM + "where the first NaN or infinity was made",
    "spread": ROOM + "NaN or infinity that came from there",
    "unknown": ROOM + "its numbers were not kept",
    "no gradient arrow": ROOM + "to an input that wants no gradient",
    "saved arrow": ROOM + "from a function to what it saved",
    "view arrow": ROOM + "from a view to its base: one memory",
    "broken arrow": ROOM + "a way on which no gradient comes back",
    "input": ROOM + "input of the model",
    "layer": ROOM + "module with parameters of its own",
    "module": ROOM + "module without parameters of its own",
    "step": ROOM + "operation between modules",
    "equal": ROOM + "equal parts that are counted, not drawn",
}
WAYS = {  # what an arrow means, by the direction of the picture
    "backward": "gradients go this way in backward",
    "forward": "values went this way in forward",
    "down": "values go this way",
    "right": "values go this way",
}


def graphviz_package() -> Any:
    """The graphviz package. Raises `CannotDraw` where it is not installed."""
    try:
        import graphviz
    except ImportError as error:
        raise CannotDraw(missing("graphviz")) from error
    return graphviz


def dot_of(diagram: Diagram) -> str:
    """The DOT source of a diagram."""
    if len(diagram.arrows) > MOST:
        raise CannotDraw(
            f"Graphviz lays out up to {MOST:,} arrows, and this picture has "
            f"{len(diagram.arrows):,}. Draw fewer functions, for example with max_nodes=500."
        )
    graphviz = graphviz_package()
    dot = graphviz.Digraph()
    if len(diagram.arrows) > LARGE:
        dot.attr(nslimit="0.5", nslimit1="0.5")
    dot.attr(bgcolor=light("paper"), pad="0.15", nodesep="0.3", ranksep="0.42")
    dot.attr(rankdir="LR" if diagram.direction == "right" else "TB")
    words = "".join(_line(line) + LEFT for line in footer(diagram))
    dot.attr(label=words, labelloc="b", labeljust="l", fontname=SANS, fontsize="11")
    dot.attr(fontcolor=light("muted"))
    dot.attr("node", fontname=MONO, fontsize="12", fontcolor=light("ink"), margin="0.13,0.07")
    dot.attr("node", width="0.4", height="0.3")
    dot.attr("edge", fontname=SANS, fontsize="11", fontcolor=light("muted"), color=light("arrow"))
    dot.attr("edge", arrowsize="0.75")
    for box in diagram.boxes:
        dot.node(box.id, graphviz.nohtml(_label(box)), **_look(box))
    _frames(dot, diagram)
    beside: dict[str, int] = {}
    straight = spine(diagram)
    side_by_side = Counter((arrow.tail, arrow.head) for arrow in diagram.arrows)
    for arrow in diagram.arrows:
        look = dict(ARROWS[arrow.kind])
        ends = (arrow.tail, arrow.head)
        if ends in straight:
            look["weight"] = "8"
        if arrow.label:
            room = "   " if side_by_side[ends] > 1 and len(arrow.label) > LONG else " "
            look["label"] = graphviz.nohtml(graphviz.escape(f"{room}{arrow.label}{room}"))
        turned = diagram.direction == "forward"
        if arrow.kind == "saved":
            look["color"] = light("saved line")
            with dot.subgraph(graph_attr={"rank": "same"}) as side:
                side.node(arrow.tail)
                side.node(arrow.head)
            # Graphviz puts the head of a line to the right of its tail: every second one goes left.
            turned = beside.get(arrow.tail, 0) % 2 == 1
            beside[arrow.tail] = beside.get(arrow.tail, 0) + 1
        dot.edge(*(ends[::-1] if turned else ends), **look)
    return str(dot.source)


def _frames(dot: Any, diagram: Diagram) -> None:
    """Groups as clusters, inner ones first: a cluster is copied when it is put into another."""
    import graphviz

    frames = {"": dot}
    for group in diagram.groups:
        frame = frames[group.id] = graphviz.Digraph(f"cluster_{group.id}")
        # In two lines: a narrow title leaves the arrows room to enter beside it.
        words = "".join(_line(line) + LEFT for line in (group.title, group.tag) if line)
        frame.attr(label=words, labelloc="t", labeljust="l", margin="10")
        frame.attr(fontname=SANS, fontsize="11", fontcolor=light("muted"))
        frame.attr(color=light("constant line"), style="rounded")
        for box_id in group.boxes:
            frame.node(box_id)
    for group in reversed(diagram.groups):
        frames[group.parent].subgraph(frames[group.id])


def heading(box: Box) -> tuple[str, str, str]:
    """The parts of a box's first line: number, title, tag."""
    number = "" if box.number is None else f"{box.number} "
    return number, box.title, f"  {box.tag}" if box.tag else ""


def footer(diagram: Diagram) -> list[str]:
    """The lines under the drawing: captions, then the legend of the kinds that occur."""
    lines = [line for caption in diagram.captions for line in textwrap.wrap(caption, 72)]
    legend = list(legend_of(diagram).values())
    return ["", *lines, *legend] if lines or legend else []


def legend_of(diagram: Diagram) -> dict[str, str]:
    """What the legend says about each kind of box and arrow, in a fixed order; nothing unless asked
    for."""
    if not diagram.legend:
        return {}
    boxes = {box.kind for box in diagram.boxes}
    arrows = {f"{arrow.kind} arrow" for arrow in diagram.arrows}
    legend = {kind: words for kind, words in LEGEND.items() if kind in boxes | arrows}
    if "gradient arrow" in arrows:
        legend["gradient arrow"] = ROOM + WAYS[diagram.direction]
    return legend


def _look(box: Box) -> dict[str, str]:
    shape, style, fill, line, more = BOXES[box.kind]
    style += ",dashed" if box.dashed else ""
    return {"shape": shape, "style": style, "fillcolor": light(fill), "color": light(line), **more}


def _label(box: Box) -> str:
    """The lines of a box. Plain text, because the in-process Graphviz has no HTML-like labels:
    `svg.py` makes the title bold afterwards, which changes no width in a typewriter font."""
    head = [_line(line) for line in ("".join(heading(box)), *box.facts)]
    lines = [*box.lines, *(HOOK + hook for hook in box.hooks)]
    if not lines:
        return CENTRED.join(head)
    end = LEFT if len(lines) > 1 else CENTRED
    return "".join(line + CENTRED for line in head) + "".join(_line(line) + end for line in lines)


def _line(words: str) -> str:
    """A line of a label. Never an empty one: the in-process Graphviz fails on some of those."""
    from graphviz import escape

    return str(escape(words or " "))
