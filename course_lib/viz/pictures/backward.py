"""`draw_backward`: a backward pass as a film; `draw_nonfinite`: where NaN or infinity begins."""

import sys
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.film import Scene, film_of
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.pictures.graph import DIRECTIONS, FREED, describe_graph, position_of
from course_lib.viz.pictures.graph_parts import excerpt
from course_lib.viz.reading import arguments
from course_lib.viz.reading.backward import Passed, Sent, Step, starting, watch, watch_gradients
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.nonfinite import Found, Origin, in_gradients, in_values
from course_lib.viz.reading.saved import BEHIND, Results, results_of
from course_lib.viz.reading.values import shape_of
from course_lib.viz.reading.walk import FAR, Walk, name_of, reach, walk

CAPTION = "Numbers on arrows: gradients that have been sent."


def draw_backward(
    output: Any, gradient: Any = None, *, names: Any = None, params: Any = None,
    max_nodes: int = 24, direction: str = "backward", legend: bool = False,
) -> Picture:  # fmt: skip
    """The film of what `output.backward(gradient)` does, function by function.

    It runs a backward pass that keeps the graph, and puts every `.grad` back as it was. Hooks of
    your own run too, and the numbers before and after them are told. With more than `max_nodes`
    functions, the film shows the ones nearest to the output. In anomaly mode, which remembers the
    line of each call, a step tells its line. `names`, `params`, `direction` and `legend` are those
    of `draw_graph`.

    >>> import course_lib as torch
    >>> x = torch.tensor(3., requires_grad=True)
    >>> y = x * x
    >>> draw_backward(y)
    Backward from y, step by step
    1. MulBackward0 receives 1. and sends 3. to x, 3. to x
       to x: gradient · other = 1. · 3. = 3.
       to x: gradient · self = 1. · 3. = 3.
    2. x receives 3. + 3. = 6., which is added to x.grad
    """
    arguments.tensor("draw_backward", output)
    if gradient is not None:
        arguments.tensor("draw_backward", gradient, "gradient= to be a tensor")
    arguments.count("draw_backward", "max_nodes", max_nodes)
    arguments.one_of("draw_backward", "direction", direction, DIRECTIONS)
    known = Names(names, params, sys._getframe(1), who="draw_backward")
    diagram = describe_graph((output,), known, "values", max_nodes, direction, legend)
    if output.grad_fn is None:
        return picture_of(diagram)
    steps, problem = watch(output, gradient)
    boxes = {box.id: box for box in diagram.boxes}
    shown = {k: step for k, step in enumerate(steps) if f"n{step.node}" in boxes}
    scenes = [_scene(boxes, step) for step in shown.values()]
    text = _in_words(diagram, scenes, [*shown], len(steps), problem)
    alt = f"{text.splitlines()[0]}: {len(steps)} steps."
    if not shown:
        drawn = replace(diagram, captions=(*diagram.captions, _describe_stop(0, problem)), alt=alt)
        return Picture(text, alt, make_svg=lambda: picture_of(drawn).svg, diagram=drawn)
    return film_of(_frames(diagram, shown, len(steps), problem), scenes, text, alt)


# ---- pictures ----


def _frames(diagram: Diagram, shown: dict[int, Step], total: int, problem: str) -> list[Diagram]:
    """One diagram per step. All have the same labels, so that the layout stands still; those that
    belong to later steps are painted in the colour of the page."""
    turns = {f"n{step.node}": (k, step) for k, step in shown.items()}
    labels = _labels(diagram, turns)
    captions = (CAPTION, *([_describe_stop(total, problem)] if problem else []))
    frames = []
    for now, step in shown.items():
        arrows = []
        for arrow, label in zip(diagram.arrows, labels, strict=True):
            if arrow.kind not in ("result", "gradient"):
                arrows.append(arrow)
                continue
            turn = turns.get(arrow.tail, (total, None))[0]
            sent = arrow.kind == "result" or turn <= now and label
            arrows.append(replace(arrow, kind="gradient" if sent else "later", label=label))
        marked = tuple(_at_step(box, now, turns.get(box.id)) for box in diagram.boxes)
        title = f"Step {now + 1} of {total}: {diagram.box(f'n{step.node}').title}"
        frame = replace(diagram, title=title, boxes=marked, arrows=tuple(arrows))
        frames.append(replace(frame, captions=captions, alt=f"{title}."))
    return frames


def _labels(diagram: Diagram, turns: dict[str, tuple[int, Step]]) -> list[str]:
    """For each arrow the gradient that goes along it, "" where none does."""
    waiting: dict[tuple[str, str], list[str]] = {}
    for tail, (_, step) in turns.items():
        waiting["o0", tail] = [" + ".join(step.arrived)]
        for sent in step.sent:
            waiting.setdefault((tail, f"n{sent.target}"), []).append(sent.words)
    along = [waiting.get((arrow.tail, arrow.head)) for arrow in diagram.arrows]
    return [words.pop(0) if words else "" for words in along]


def _at_step(box: Box, now: int, at: tuple[int, Step] | None) -> Box:
    """A box as it looks at step `now`; words of one length, so that its size stays."""
    if at is None:
        return box
    turn, step = at
    word = "done " if turn < now else "runs " if turn == now else "waits"
    kind = f"{box.kind} now" if turn == now else box.kind
    lines = box.lines
    if box.kind == "leaf":
        lines = tuple(line for line in lines if not line.startswith(("grad = ", " " * 7)))
        lines += (f"grad = {step.grads[turn <= now]}",)
    pairs = [(step.hook, step.received)] if step.hook else []  # before and after a hook
    pairs += dict.fromkeys((sent.hooked, sent.words) for sent in step.sent if sent.hooked)
    hooks = tuple(f"hook: {before} -> {after}" for before, after in pairs)
    lines += hooks if turn <= now else tuple(" " * len(line) for line in hooks)
    return replace(box, kind=kind, tag=word, lines=lines, number=turn + 1)


# ---- words ----


def _scene(boxes: dict[str, Box], step: Step) -> Scene:
    """A step in words: what came and what went, then the rule for each gradient that was sent."""
    box = boxes[f"n{step.node}"]
    names = [_name(boxes, sent.target) for sent in step.sent]
    came = step.hook or step.received
    if len(step.arrived) > 1:
        came = f"{' + '.join(step.arrived)} = {came}"
    came = f"receives {came}"
    hook = f"its hook turns {step.hook} into {step.received}" if step.hook else ""
    if box.kind == "leaf":
        came += f", {hook}" if hook else ""
        return Scene(box.title, (f"{came}, which is added to {box.title}.grad",))
    came += f", {hook}," if hook else ""
    went = ", ".join(
        f"{sent.words or 'no gradient'} to {name}"
        for sent, name in zip(step.sent, names, strict=True)
    )
    words = [f"{came} and sends {went}" if went else came]
    for sent, name in zip(step.sent, names, strict=True):
        words += _rule(box.title, sent, name if len(step.sent) > 1 else "")
    words += [line for line in box.details if line.startswith("called in ")]
    return Scene(box.title, tuple(dict.fromkeys(words)))


def _name(boxes: dict[str, Box], i: int) -> str:
    box = boxes.get(f"n{i}")
    return box.title if box else "a function that is not drawn"


def _rule(function: str, sent: Sent, target: str) -> list[str]:
    """How a gradient was made; nothing is to be told where none was."""
    if not sent.words:
        return []
    rule = sent.rule or f"what the formula of {function} gives"
    lines = [f"to {target}: {rule}" if target else rule]
    if sent.hooked:
        lines.append(f"a hook of {function} turns {sent.hooked} into {sent.words}")
    return lines


def _describe_stop(total: int, problem: str) -> str:
    after = f"After step {total} backward stops" if total else "Backward stops before it begins"
    return f"{after} with an error: {problem}"


def _in_words(
    diagram: Diagram, scenes: list[Scene], turns: list[int], total: int, problem: str
) -> str:
    lines = [f"Backward from {diagram.boxes[0].title}, step by step"]
    told = 0
    for turn, scene in zip([*turns, total], [*scenes, None], strict=True):
        if turn > told:
            lines.append(f"... {turn - told:,} steps of functions that are not drawn")
        if scene is None:
            break
        told = turn + 1
        first, *rules = scene.words
        number = f"{turn + 1}. "
        lines.append(f"{number}{scene.title} {first}")
        lines += [" " * len(number) + rule for rule in rules]
    if problem:
        lines.append(f"Here it stops: {problem}")
    return "\n".join(lines)


# ---- where NaN and infinity begin ----

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
        missing = "not kept" if case.forward or i not in case.values.looks else "no gradient"
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
