"""`draw_backward`: a backward pass as a film, one picture for each function that runs."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from course_lib.viz.drawing.diagram import Arrow, Box, Diagram
from course_lib.viz.drawing.picture import Picture, image, picture_of, preformatted
from course_lib.viz.drawing.side_by_side import beside
from course_lib.viz.pictures.graph import describe_graph
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import is_tensor, shape_of, told
from course_lib.viz.reading.walk import walk


@dataclass(frozen=True)
class Step:
    """One function at work: position in the walk, what came in, what went out to which position."""

    node: int
    received: str
    sent: tuple[tuple[int, str], ...]
    parts: tuple[str, ...] = ()
    grads: tuple[str, str] = ("", "")  # of a leaf: what `.grad` was and will be


class Film(Picture):
    """A picture that also unfolds step by step in a notebook."""

    def __init__(self, text: str, alt: str, frames: list[Diagram]) -> None:
        self.frames = frames
        super().__init__(text, alt, make_svg=self._strip, diagram=frames[-1])

    def _strip(self) -> str:
        drawings = [picture_of(frame).svg for frame in self.frames]
        return beside(drawings, [frame.title for frame in self.frames], self.alt)

    def _html(self) -> str:
        whole = image(picture_of(self.frames[-1]).svg, self.alt)
        steps = "".join(
            f"<details><summary>{escape(frame.title)}</summary>"
            f"{image(picture_of(frame).svg, frame.alt)}</details>"
            for frame in self.frames
        )
        words = f"<details><summary>In words</summary>{preformatted(self.text)}</details>"
        return f'<figure style="margin:0.5em 0">{whole}{steps}{words}</figure>'


def draw_backward(
    output: Any, gradient: Any = None, names: Any = None, max_steps: int = 24
) -> Picture:
    """The picture of what `output.backward(gradient)` does, function by function.

    It runs a backward pass that keeps the graph, and puts every `.grad` back as it was. Hooks of
    your own run too.

    >>> import course_lib as torch
    >>> x = torch.tensor(3., requires_grad=True)
    >>> y = x * x
    >>> draw_backward(y)
    Backward from y, step by step
    1. MulBackward0 receives 1. and sends 3. to x, 3. to x
    2. x receives 3. + 3. = 6., which is added to x.grad
    """
    if not is_tensor(output):
        raise TypeError(f"draw_backward wants a tensor, not {type(output).__name__}")
    known = Names(names, None, sys._getframe(1))
    diagram = describe_graph((output,), known, max_nodes=max_steps)
    if output.grad_fn is None:
        return picture_of(diagram)
    steps, problem = watch(output, gradient)
    text = _in_words(diagram, steps[:max_steps], problem, len(steps) - max_steps)
    alt = f"{text.splitlines()[0]}: {len(steps)} steps."
    if any(box.kind == "fold" for box in diagram.boxes) or not steps:
        return Picture(text, alt, make_svg=lambda: picture_of(diagram).svg, diagram=diagram)
    return Film(text, alt, _frames(diagram, steps, problem))


def watch(output: Any, gradient: Any = None) -> tuple[list[Step], str]:
    """The steps of a backward pass in the order they run, and the error that ended it, if any."""
    graph = walk([output.grad_fn])
    steps: list[Step] = []
    arrived: dict[int, list[str]] = {}

    def watcher(i: int) -> Callable[[Any, Any], None]:
        def after(outgoing: Any, incoming: Any) -> None:
            received = ", ".join(short(g) for g in incoming if g is not None)
            sent = tuple(
                (target, short(g))
                for (target, _), g in zip(graph.edges[i], outgoing, strict=False)
                if target is not None and g is not None
            )
            for target, words in sent:
                arrived.setdefault(target, []).append(words)
            steps.append(Step(i, received, sent, tuple(arrived.get(i, ()))))

        return after

    leaves = {i: n.variable for i, n in enumerate(graph.nodes) if hasattr(n, "variable")}
    kept = {i: leaf.grad for i, leaf in leaves.items()}
    hooks = [node.register_hook(watcher(i)) for i, node in enumerate(graph.nodes)]
    problem = ""
    try:
        for leaf in leaves.values():
            leaf.grad = None
        output.backward(gradient, retain_graph=True)
    except RuntimeError as error:
        problem = str(error)
    finally:
        for hook in hooks:
            hook.remove()
        told_grads = {i: _grads(kept[i], leaf.grad) for i, leaf in leaves.items()}
        for i, leaf in leaves.items():
            leaf.grad = kept[i]
    return [replace(s, grads=told_grads.get(s.node, ("", ""))) for s in steps], problem


def _grads(before: Any, added: Any) -> tuple[str, str]:
    """What a leaf's `.grad` is before and after the pass, in words of one length."""
    old = "None" if before is None else short(before)
    new = old
    if added is not None:
        new = short(added if before is None else before.detach() + added.detach())
    wide = max(len(old), len(new))
    return old.ljust(wide), new.ljust(wide)


def short(gradient: Any) -> str:
    """A gradient in one short line."""
    line = " ".join(line.strip() for line in told(gradient))
    return line if len(line) <= 32 else shape_of(gradient)


# ---- pictures ----


def _frames(diagram: Diagram, steps: list[Step], problem: str) -> list[Diagram]:
    """One diagram per step. All have the same labels, so that the layout stands still; those that
    belong to later steps are painted in the colour of the page."""
    order = {f"n{step.node}": k for k, step in enumerate(steps)}
    labels: dict[str, list[str]] = {f"n{s.node}": [words for _, words in s.sent] for s in steps}
    frames = []
    for k, step in enumerate(steps):
        waiting = {name: list(words) for name, words in labels.items()}
        arrows = []
        for arrow in diagram.arrows:
            if arrow.kind == "no gradient":
                arrows.append(arrow)
                continue
            words = waiting.get(arrow.tail) or [""]
            label = steps[0].received if arrow.kind == "result" else words.pop(0)
            later = arrow.kind != "result" and order.get(arrow.tail, k + 1) > k
            arrows.append(Arrow(arrow.tail, arrow.head, "later" if later else "gradient", label))
        marked = [_at_step(box, k, order.get(box.id), steps) for box in diagram.boxes]
        title = f"Step {k + 1} of {len(steps)}: {_name(diagram, step.node)}"
        caption = ("Numbers on arrows: gradients that have been sent.",)
        frames.append(Diagram(title, tuple(marked), tuple(arrows), caption, alt=f"{title}."))
    if problem:
        stop = f"Here backward stops with an error: {problem}"
        frames[-1] = replace(frames[-1], captions=(*frames[-1].captions, stop))
    return frames


def _at_step(box: Box, now: int, turn: int | None, steps: list[Step]) -> Box:
    """A box as it looks at step `now`; words of one length, so that its size stays."""
    if turn is None:
        return box
    word = "done " if turn < now else "runs " if turn == now else "waits"
    kind = f"{box.kind} now" if turn == now else box.kind
    lines = box.lines
    if box.kind == "leaf":
        lines = tuple(line for line in lines if not line.startswith(("grad = ", " " * 7)))
        lines += (f"grad = {steps[turn].grads[turn <= now]}",)
    return replace(box, kind=kind, tag=word, lines=lines, number=turn + 1)


# ---- words ----


def _name(diagram: Diagram, i: int) -> str:
    return _box_name(next((box for box in diagram.boxes if box.id == f"n{i}"), None))


def _box_name(box: Box | None) -> str:
    return box.title if box else "a function that is not drawn"


def _in_words(diagram: Diagram, steps: list[Step], problem: str, more: int) -> str:
    lines = [f"Backward from {diagram.boxes[0].title}, step by step"]
    for k, step in enumerate(steps, start=1):
        name = _name(diagram, step.node)
        many = len(step.parts) > 1
        received = f"{' + '.join(step.parts)} = {step.received}" if many else step.received
        end = f", which is added to {name}.grad"
        if any(box.id == f"n{step.node}" and box.kind == "function" for box in diagram.boxes):
            sent = ", ".join(f"{words} to {_name(diagram, to)}" for to, words in step.sent)
            end = f" and sends {sent}" if sent else ""
        lines.append(f"{k}. {name} receives {received}{end}")
    if more > 0:
        lines.append(f"... and {more:,} more steps")
    if problem:
        lines.append(f"Here it stops: {problem}")
    return "\n".join(lines)
