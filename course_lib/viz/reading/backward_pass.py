"""Watching a backward pass: what each function receives and sends, and what hooks make of it.

Calling the functions ourselves would repeat the engine, and could not show an error where it
really happens. So a real pass runs, watched by hooks on its functions, and is undone.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

from course_lib.viz.reading.rules import differ, summed_to, told_rule
from course_lib.viz.reading.untouched import untouched
from course_lib.viz.reading.values import short
from course_lib.viz.reading.walk import Walk, is_leaf_node, name_of, walk

BUILT_IN = re.compile(r"\w+Backward\d+")  # a Function that the reader wrote has no number
SCALARS_ONLY = "grad can be implicitly created only for scalar outputs"
GIVE_ONE = "Give a gradient of its shape: draw_backward(y, gradient)."


@dataclass(frozen=True)
class Sent:
    """What went to one input: "" in `words` for no gradient, and the rule that made it, if known.

    `hooked` is what the formula had given where a hook of the function sent something else.
    """

    slot: int
    target: int
    words: str
    rule: str = ""
    hooked: str = ""


@dataclass(frozen=True)
class Step:
    """One function at work: what arrived, what it received, what it sent where.

    `arrived` holds the parts that were added up and `hook` their sum, if a hook on the tensor
    turned it into what was received.
    """

    node: int
    received: str
    sent: tuple[Sent, ...] = ()
    arrived: tuple[str, ...] = ()
    hook: str = ""
    grads: tuple[str, str] = ("", "")  # of a leaf: what `.grad` was and will be


def watch(output: Any, gradient: Any = None) -> tuple[list[Step], str]:
    """The steps of a backward pass in the order they run, and the error that ended it, if any.

    >>> import course_lib as torch
    >>> x = torch.tensor(3., requires_grad=True)
    >>> steps, problem = watch(x * 4, torch.tensor(2.))
    >>> [step.received for step in steps], problem
    (['2.', '8.'], '')
    """
    graph = walk([output.grad_fn])
    watcher = _Watcher(graph)
    if gradient is not None:
        watcher.send((0, getattr(output, "output_nr", 0)), gradient)
    elif output.dim() == 0:
        watcher.send((0, getattr(output, "output_nr", 0)), output.detach() * 0 + 1)
    problem = ""
    with untouched(output, graph) as kept:
        hooks = [node.register_hook(watcher.at(i)) for i, node in enumerate(graph.nodes)]
        try:
            output.backward(gradient, retain_graph=True)
        except Exception as error:  # whatever stops the pass is what the picture has to tell
            problem = str(error) if type(error) is RuntimeError else _named(error)
        finally:
            for hook in hooks:
                hook.remove()
        before = {id(tensor): grad for tensor, grad in kept}
        leaves = {i: node.variable for i, node in enumerate(graph.nodes) if is_leaf_node(node)}
        grads = {i: _grads(before[id(leaf)], leaf.grad) for i, leaf in leaves.items()}
    if problem.startswith(SCALARS_ONLY):
        problem = f"{problem}. {GIVE_ONE}"
    return [replace(s, grads=grads.get(s.node, ("", ""))) for s in watcher.steps], problem


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


class _Watcher:
    """Collects the steps of a pass."""

    def __init__(self, graph: Walk) -> None:
        self.graph = graph
        self.steps: list[Step] = []
        self.arrived: dict[tuple[int, int], list[Any]] = {}  # by function and number of its output

    def send(self, to: tuple[int, int], gradient: Any) -> None:
        """A copy is kept, because whoever gets a gradient may add to it in place."""
        self.arrived.setdefault(to, []).append(gradient.detach().clone())

    def at(self, i: int) -> Callable[[Any, Any], None]:
        """The hook of the function number `i`."""

        def after(outgoing: Any, incoming: Any) -> None:
            sent = self._sent(i, outgoing, incoming)
            parts, hook = self._parts(i, incoming)
            received = ", ".join(short(g) for g in incoming if g is not None)
            self.steps.append(Step(i, received, sent, parts, hook))

        return after

    def _parts(self, i: int, incoming: Any) -> tuple[tuple[str, ...], str]:
        """What arrived, as words, and the sum of it where that is not what was received."""
        parts = [self.arrived.pop((i, k), []) for k in range(max(len(incoming), 1))]
        words = tuple(short(part) for several in parts for part in several)
        sums = [reduce(add, several) if several else None for several in parts]
        pairs = [(a, g) for a, g in zip(sums, incoming, strict=False) if None not in (a, g)]
        hooked = [short(a) for a, g in pairs if differ(a, g)]
        return words, ", ".join(hooked)

    def _sent(self, i: int, outgoing: Any, incoming: Any) -> tuple[Sent, ...]:
        node, found = self.graph.nodes[i], []
        name = name_of(node)
        plain = outgoing
        if BUILT_IN.fullmatch(name):
            plain = node(*incoming)  # once more, without its hooks
            plain = plain if isinstance(plain, tuple) else (plain,)
        for slot, (target, output_nr) in enumerate(self.graph.edges[i]):
            if target is None:
                continue
            gradient = outgoing[slot] if slot < len(outgoing) else None
            if gradient is None:
                found.append(Sent(slot, target, ""))
                continue
            self.send((target, output_nr), gradient)
            formula = gradient
            if plain[slot] is not None:  # the engine sums over what broadcasting had added
                formula = summed_to(plain[slot], tuple(gradient.shape))
            rule = (
                told_rule(node, name, slot, incoming[0], formula) if incoming[0] is not None else ""
            )
            hooked = short(formula) if differ(formula, gradient) else ""
            found.append(Sent(slot, target, short(gradient), rule, hooked))
        return tuple(found)


def _grads(before: Any, added: Any) -> tuple[str, str]:
    """What a leaf's `.grad` is before and after the pass, in words of one length."""
    old = "None" if before is None else short(before)
    new = old
    if added is not None:
        new = short(added if before is None else before.detach() + added.detach())
    wide = max(len(old), len(new))
    return old.ljust(wide), new.ljust(wide)
