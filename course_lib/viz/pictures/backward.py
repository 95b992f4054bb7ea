"""`draw_backward`: a backward pass as a film, one step for each function that runs."""

import sys
from dataclasses import replace
from typing import Any

from course_lib.viz.drawing.diagram import Box, Diagram
from course_lib.viz.drawing.film import Scene, film_of
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.pictures.graph import DIRECTIONS, describe_graph
from course_lib.viz.reading import arguments
from course_lib.viz.reading.backward import Sent, Step, watch
from course_lib.viz.reading.names import Names

CAPTION = "Numbers on arrows: gradients that have been sent."


def draw_backward(
    output: Any, gradient: Any = None, *, names: Any = None, params: Any = None,
    max_nodes: int = 24, direction: str = "backward", legend: bool = False,
) -> Picture:  # fmt: skip
    """The film of what `output.backward(gradient)` does, function by function.

    It runs a backward pass that keeps the graph, and puts every `.grad` back as it was. Hooks of
    your own run too, and the numbers before and after them are told. With many functions, the film
    shows about `max_nodes` of them, nearest to the output. In anomaly mode, which remembers the
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
    boxes = {box.id: box for box in diagram.boxes}
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
        title = f"Step {now + 1} of {total}: {_name(boxes, step.node)}"
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
