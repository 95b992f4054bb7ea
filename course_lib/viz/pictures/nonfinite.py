"""`draw_nonfinite`: which function made the first NaN or infinity, and how it spread from there."""

import sys
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram, excerpt
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.pictures.graph import DIRECTIONS, FREED, describe_graph
from course_lib.viz.reading import arguments
from course_lib.viz.reading.backward import Passed, starting, watch_gradients
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.nonfinite import Found, Origin, in_gradients, in_values
from course_lib.viz.reading.saved import BEHIND, Results, results_of
from course_lib.viz.reading.values import shape_of
from course_lib.viz.reading.walk import FAR, Walk, name_of, reached, walk

NEAR, LAST = 6, 3  # functions of a long way that are drawn: after the origin, before the end
NOT_KEPT = (
    "Not kept: no function saved this result, it has no name, and it cannot be computed once more. "
    "What happened there is not known."
)
HOOKED = "Values that hooks have packed, such as those of a checkpoint, are not read."


@dataclass(frozen=True)
class Case:
    """What was found out about one tensor: its graph, its values, its gradients."""

    title: str
    names: Names
    walk: Walk
    results: Results
    values: Found
    gradients: Found
    steps: list[Passed]
    problem: str = ""

    @property
    def forward(self) -> bool:
        """Whether the trouble is in the values; gradients matter only where values are finite."""
        return bool(self.values.origins)

    @property
    def found(self) -> Found:
        return self.values if self.forward else self.gradients


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
    arguments.tensor("draw_nonfinite", output)
    if direction is not None:
        arguments.one_of("draw_nonfinite", "direction", direction, DIRECTIONS)
    arguments.count("draw_nonfinite", "max_nodes", max_nodes)
    known = Names(names, params, sys._getframe(1), who="draw_nonfinite")
    arguments.require_made("draw_nonfinite", output, known.of(output) or "this")
    case = examine(output, known, starting(output, gradient, "draw_nonfinite"))
    return picture_of(describe_nonfinite(case, output, known, max_nodes, direction, legend))


def examine(output: Any, names: Names, gradient: Any) -> Case:
    """Values first; then, if all that is known of them is finite, the gradients."""
    graph = walk([output.grad_fn])
    results = results_of(graph, names, (output,))
    values = in_values(results)
    title = names.of(output) or "the output"
    if values.origins:
        return Case(title, names, graph, results, values, Found(), [])
    steps, problem = watch_gradients(output, graph, lambda g: g, gradient)
    gradients = in_gradients(graph, steps, results)
    return Case(title, names, graph, results, values, gradients, steps, problem)


def describe_nonfinite(
    case: Case, output: Any, names: Names, max_nodes: int, direction: str | None, legend: bool
) -> Diagram:
    """The graph, painted, as plain data."""
    direction = direction or ("forward" if case.forward else "backward")
    functions = case.walk.functions
    base = describe_graph((output,), names, "shapes", len(case.walk.nodes), direction, legend)
    boxes = tuple(_paint(case, box) for box in base.boxes)
    arrows = tuple(_mark_arrow(case, arrow) for arrow in base.arrows)
    sentences = [*_sentences(case), *([DIRECTIONS[direction]] if arrows else [])]
    if any(box.tag.endswith("not kept") for box in boxes):
        sentences.append(NOT_KEPT)
    title = f"First NaN or infinity behind {case.title}"
    alt = f"{title}. " + " ".join(_sentences(case))
    whole = replace(
        base, title=title, boxes=boxes, arrows=arrows, captions=tuple(sentences), alt=alt
    )
    if functions <= max_nodes:
        return whole
    wanted = {f"n{i}" for i in _way(case)} | {"o0"}
    part = excerpt(whole, wanted)
    drawn = sum(box.number is not None for box in part.boxes)
    counted = f"{drawn} of {functions:,} functions are drawn: the way from where it begins."
    return replace(part, captions=(*part.captions, counted))


# ---- boxes and arrows ----


def _paint(case: Case, box: Box) -> Box:
    if box.id == "o0":
        look = case.values.looks.get(0)
        bad = look is not None and look.bad
        return replace(box, kind="spread", tag=f"result, {look.told()}") if look and bad else box
    if not (box.id[0] == "n" and box.id[1:].isdigit()) or box.kind not in ("function", "leaf"):
        return box
    i, word = int(box.id[1:]), "leaf, " if box.kind == "leaf" else ""
    look = case.found.looks.get(i)
    origin = next((origin for origin in case.found.origins if origin.node == i), None)
    if origin is not None:
        first = "FIRST" if origin is case.found.origins[0] else "HERE TOO"
        lines = (*box.lines, origin.what)
        name = look.word() if look is not None and look.bad else "nan or inf"
        return replace(box, kind="origin", tag=f"{word}{first} {name}", lines=lines)
    if look is None:
        missing = "not kept" if case.forward or i not in case.values.looks else "no gradient"
        return replace(box, kind="unknown", tag=word + missing)
    if look.bad:
        verb = "" if case.forward else "gets " if word else "sends "
        return replace(box, kind="spread", tag=f"{word}{verb}{look.told()}")
    return replace(box, tag=word + "finite")


def _mark_arrow(case: Case, arrow: Arrow) -> Arrow:
    """The arrows along which it spreads: a bad value that a bad one was made of, a bad gradient."""
    ends = (arrow.tail, arrow.head)
    if arrow.kind == "result":
        return replace(arrow, kind="spread") if case.forward and case.values.bad(0) else arrow
    if arrow.kind != "gradient" or not all(e[0] == "n" and e[1:].isdigit() for e in ends):
        return arrow
    tail, head = (int(end[1:]) for end in ends)
    if case.forward:
        spreads = case.values.bad(tail) and case.values.bad(head)
    else:
        slots = _bad_slots(case, tail)
        spreads = head in slots
    return replace(arrow, kind="spread") if spreads else arrow


def _bad_slots(case: Case, i: int) -> set[int | None]:
    """Where a function sends gradients that are not finite."""
    sent = next((step.sent for step in case.steps if step.node == i), ())
    bad = [g is not None and not bool(g.isfinite().all()) for g in sent]
    return {target for (target, _), b in zip(case.walk.edges[i], bad, strict=False) if b}


def _way(case: Case) -> list[int]:
    """What is drawn of a large graph: the origin, what goes into it, and how it went on."""
    if not case.found.origins:
        return list(range(min(NEAR, len(case.walk.nodes))))
    at = case.found.origins[0].node
    hit = (i for i in _parents(case, at) if i in case.walk.leaves and case.found.bad(i))
    # in values from the output, in gradients to the nearest leaf that a bad one reaches
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
    bad = reached({start: start}, lambda i: filter(case.found.bad, case.walk.heads(i)))
    return reached(bad, case.walk.heads)


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
        hit = sum(map(case.gradients.bad, leaves))
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
