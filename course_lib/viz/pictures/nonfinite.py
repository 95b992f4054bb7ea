"""`draw_nonfinite`: which function made the first NaN or infinity, and how it spread from there."""

import sys
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.pictures.graph import DIRECTIONS, FREED, describe_graph, position_of
from course_lib.viz.pictures.graph_parts import excerpt
from course_lib.viz.reading import arguments
from course_lib.viz.reading.backward import Passed, starting, watch_gradients
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.nonfinite import Found, Origin, in_gradients, in_values
from course_lib.viz.reading.saved import BEHIND, Results, results_of
from course_lib.viz.reading.values import shape_of
from course_lib.viz.reading.walk import FAR, Walk, name_of, reach, walk

NEAR, LAST = 6, 3  # functions of a long way that are drawn: after the origin, before the end
NOT_KEPT = (
    "Not kept: no function saved this result, it has no name, and it cannot be computed once more. "
    "What happened there is not known."
)
HOOKED = "Values that hooks have packed, such as those of a checkpoint, are not read."


@dataclass(frozen=True)
class Case:
    """What was found out about one tensor and its graph: `found` is of its values where trouble is
    in them (`forward`), else of its gradients."""

    title: str
    names: Names
    walk: Walk
    results: Results
    values: Found
    found: Found
    steps: list[Passed]
    problem: str = ""

    @property
    def forward(self) -> bool:
        return self.found is self.values


def draw_nonfinite(
    output: Any, gradient: Any = None, *, names: Any = None, params: Any = None,
    max_nodes: int = 60, direction: str | None = None, legend: bool = False,
) -> Picture:  # fmt: skip
    """The picture of where NaN or infinity begins behind a tensor, and of how it spreads.

    It looks at the values of the forward pass, as far as they were kept, and if these are finite,
    at the gradients: it runs a backward pass that leaves every `.grad` as it was. Give it the
    tensor before `backward()` frees the graph. With more than `max_nodes` functions, the way from
    the origin is drawn and the others are counted. Arrows go the way it spreads, unless `direction`
    says "backward" or "forward".

    >>> import course_lib as torch
    >>> x = torch.tensor([0., 1.], requires_grad=True)
    >>> y = x.log().sum()
    >>> print(draw_nonfinite(y).text.partition(" Why")[0])
    First NaN or infinity behind y
    It begins at LogBackward0: log(0.) = -inf at [0].
    """
    who = "draw_nonfinite"
    arguments.tensor(who, output)
    if direction is not None:
        arguments.one_of(who, "direction", direction, DIRECTIONS)
    arguments.count(who, "max_nodes", max_nodes)
    known = Names(names, params, sys._getframe(1), who=who)
    arguments.require_made(who, output, known.of(output) or "this")
    case = examine(output, known, starting(output, gradient, who))
    return picture_of(describe_nonfinite(case, output, max_nodes, direction, legend))


def examine(output: Any, names: Names, gradient: Any) -> Case:
    """Values first; then, if all that is known of them is finite, the gradients."""
    graph = walk([output.grad_fn])
    results = results_of(graph, names, (output,))
    values = in_values(results)
    title = names.of(output) or "the output"
    if values.origins:
        return Case(title, names, graph, results, values, values, [])
    steps, problem = watch_gradients(output, graph, lambda g: g, gradient)
    found = in_gradients(graph, steps, results)
    return Case(title, names, graph, results, values, found, steps, problem)


def describe_nonfinite(
    case: Case, output: Any, max_nodes: int, direction: str | None, legend: bool
) -> Diagram:
    """The graph, painted, as plain data."""
    direction = direction or ("forward" if case.forward else "backward")
    nodes, functions = len(case.walk.nodes), case.walk.functions
    base = describe_graph((output,), case.names, "shapes", nodes, direction, legend)
    boxes = tuple(_paint(case, box) for box in base.boxes)
    arrows = tuple(_mark_arrow(case, arrow) for arrow in base.arrows)
    found, captions = _sentences(case), [DIRECTIONS[direction]] if arrows else []
    captions += [NOT_KEPT] if any(box.tag.endswith("not kept") for box in boxes) else []
    title = f"First NaN or infinity behind {case.title}"
    alt = " ".join([f"{title}.", *found])
    drawn = replace(base, title=title, boxes=boxes, arrows=arrows, alt=alt)
    if functions > max_nodes:
        drawn = excerpt(drawn, {"o0", *(f"n{i}" for i in _way(case))})
        many = sum(box.number is not None for box in drawn.boxes)
        way = ": the way from where it begins" if case.found.origins else ""
        captions.append(f"{many} of {functions:,} functions are drawn{way}.")
    return replace(drawn, captions=(*found, *captions))


# ---- boxes and arrows ----


def _paint(case: Case, box: Box) -> Box:
    if box.id == "o0":
        look = case.values.looks.get(0)
        if not (look and look.bad):
            return box
        return replace(box, kind="spread", tag=f"result, {look.describe()}")
    i, word = position_of(box.id), "leaf, " if box.kind == "leaf" else ""
    if i < 0 or box.kind not in ("function", "leaf"):
        return box
    look = case.found.looks.get(i)
    origin = next((origin for origin in case.found.origins if origin.node == i), None)
    if origin is not None:
        first = "FIRST" if origin is case.found.origins[0] else "HERE TOO"
        lines = (*box.lines, origin.what)
        name = look.word() if look is not None and look.bad else "nan or inf"
        return replace(box, kind="origin", tag=f"{word}{first} {name}", lines=lines)
    if look is None:
        none = "not reached" if case.problem else "no gradient"
        missing = "not kept" if case.forward or i not in case.values.looks else none
        return replace(box, kind="unknown", tag=word + missing)
    if look.bad:
        verb = "" if case.forward else "gets " if word else "sends "
        return replace(box, kind="spread", tag=f"{word}{verb}{look.describe()}")
    return replace(box, tag=word + "finite")


def _mark_arrow(case: Case, arrow: Arrow) -> Arrow:
    """The arrows along which it spreads: a bad value that a bad one was made of, a bad gradient."""
    tail, head = position_of(arrow.tail), position_of(arrow.head)
    if arrow.kind == "result":
        spreads = case.forward and case.values.bad(0)
    elif arrow.kind != "gradient" or min(tail, head) < 0:
        return arrow
    elif case.forward:
        spreads = case.values.bad(tail) and case.values.bad(head)
    else:
        sent = next((step.sent for step in case.steps if step.node == tail), ())
        pairs = zip(case.walk.edges[tail], sent, strict=False)
        bad = [to for (to, _), g in pairs if g is not None and not bool(g.isfinite().all())]
        spreads = head in bad
    return replace(arrow, kind="spread") if spreads else arrow


def _way(case: Case) -> list[int]:
    """What is drawn of a large graph: the origin, what goes into it, and how it went on."""
    if not case.found.origins:
        return list(range(min(NEAR, len(case.walk.nodes))))
    at = case.found.origins[0].node
    # in values from the output, in gradients to the nearest leaf that a bad one reaches
    hit = (i for i in _parents(case, at) if i in case.walk.leaves and case.found.bad(i))
    way = _path(case, 0, at)[::-1] if case.forward else _path(case, at, next(hit, at))
    if len(way) > NEAR + LAST + 1:
        way = way[: NEAR + 1] + way[-LAST:]
    users = [i for i in range(len(case.walk.nodes)) if at in case.walk.heads(i)]
    return [*way, *(case.walk.heads(at) if case.forward else users)]


def _path(case: Case, start: int, end: int) -> list[int]:
    """A shortest way along edges."""
    parents, way = _parents(case, start), [end]
    while way[-1] != start and way[-1] in parents:
        way.append(parents[way[-1]])
    return way[::-1]


def _parents(case: Case, start: int) -> dict[int, int]:
    """For everything behind a function, where one comes from on a shortest way. In values that way
    keeps to bad or unknown results where it can."""
    bad = reach({start: start}, lambda i: filter(case.found.bad, case.walk.heads(i)))
    return reach(bad, case.walk.heads)


# ---- sentences ----


def _sentences(case: Case) -> list[str]:
    """What was found, why, and what helps; or that nothing was found."""
    states = {item.state for saved in case.results.saved.values() for item in saved}
    lines = [_describe_origin(case, origin, k) for k, origin in enumerate(case.found.origins[:3])]
    more = len(case.found.origins) - 3
    lines += [f"It begins in {more} more places."] if more > 0 else []
    if case.forward:
        bad = sum(map(case.values.bad, case.values.looks))
        output = "reaches" if case.values.bad(0) else "does not reach"
        has = "result has" if bad == 1 else "results have"
        lines.append(f"It {output} {case.title}; {bad} known {has} it.")
    elif lines:
        leaves = case.walk.leaves
        hit = sum(map(case.found.bad, leaves))
        lines.insert(0, "All known values are finite. The trouble is in the gradients.")
        lines.append(f"{hit} of {len(leaves)} leaves get a gradient with nan or inf.")
    elif case.problem:
        lines.append(f"All known values are finite. Backward could not run: {case.problem}")
    else:
        lines.append("No NaN and no infinity was found, in known values and in gradients.")
    lines += [] if states.isdisjoint(BEHIND) else [HOOKED]
    if "freed" in states:
        lines.append(f"{FREED} Use draw_nonfinite before backward(), to know more values.")
    if case.walk.cut:
        lines.append(f"Only the {FAR:,} functions nearest to the output were looked at.")
    return lines


def _describe_origin(case: Case, origin: Origin, k: int) -> str:
    node = case.walk.nodes[origin.node]
    name = name_of(node)
    if origin.node in case.walk.leaves:
        name = f"the leaf {case.names.of(node.variable) or shape_of(node.variable)}"
    begins = "It begins at" if k == 0 else "It also begins at"
    words = f"{begins} {name}: {origin.what}."
    words += f" Why: {origin.why}." if origin.why else ""
    words += f" What helps: {origin.remedy}." if origin.remedy else ""
    if not origin.sure:
        words += " What went in was not kept: it may have begun in a function before."
    return words
