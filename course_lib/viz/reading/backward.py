"""Watching a backward pass: what each function receives and sends, and what hooks make of it.

Calling the functions ourselves would repeat the engine, and could not show an error where it
really happens. So a real pass runs, watched by hooks on its functions, and is undone.

`watch_gradients` runs `torch.autograd.grad`, because that leaves the `.grad` of every leaf alone
and keeps hooks from running that wait for one, such as an optimizer inside backward. Tensors that
retain their gradient are written all the same; they get back what they had.
"""

import gc
import math
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add
from typing import Any

from course_lib.viz.reading import arguments
from course_lib.viz.reading.models import library_of
from course_lib.viz.reading.rules import describe_rule, differ, sum_to_shape
from course_lib.viz.reading.saved import BEHIND, list_saved
from course_lib.viz.reading.values import dense, is_tensor, short
from course_lib.viz.reading.walk import FAR, Walk, in_turn, name_of, walk

BUILT_IN = re.compile(r"\w+Backward\d+")  # a Function that the reader wrote has no number
SCALARS_ONLY = "grad can be implicitly created only for scalar outputs"


@dataclass(frozen=True)
class Sent:
    """What went to one input: "" in `words` for no gradient, and the rule that made it, if known.

    `hooked` is what the formula had given where a hook of the function sent something else.
    """

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
    """The steps of a backward pass in the order they run, and the error that ended it, if any."""
    graph = walk([output.grad_fn])
    watcher = _Watcher(graph)
    start = output.detach() * 0 + 1 if gradient is None and output.dim() == 0 else gradient
    if start is not None:
        watcher.send((0, getattr(output, "output_nr", 0)), start)
    problem = ""
    with watched(output, graph, watcher.at) as kept:
        try:
            output.backward(gradient, retain_graph=True)
        except Exception as error:  # whatever stops the pass is what the picture has to tell
            kind = "" if type(error) is RuntimeError else f"{type(error).__name__}: "
            problem = f"{kind}{error}"
        before = {id(tensor): grad for tensor, grad in kept}
        grads = {i: _grads(before[id(leaf)], leaf.grad) for i, leaf in graph.leaves.items()}
    if problem.startswith(SCALARS_ONLY):
        problem = f"{problem}. Give a gradient of its shape: draw_backward(y, gradient)."
    return [replace(s, grads=grads.get(s.node, ("", ""))) for s in watcher.steps], problem


class _Watcher:
    """Collects the steps of a pass."""

    def __init__(self, graph: Walk) -> None:
        self.graph = graph
        self.steps: list[Step] = []
        self.arrived: dict[tuple[int, int], list[Any]] = {}  # by function and number of its output

    def send(self, to: tuple[int, int], gradient: Any) -> None:
        """A copy is kept, because whoever gets a gradient may add to it in place."""
        self.arrived.setdefault(to, []).append(gradient.detach().clone())

    def at(self, i: int, outgoing: Any, incoming: Any) -> None:
        """The hook of the function number `i`."""
        outgoing, incoming = ([*map(dense, several)] for several in (outgoing, incoming))
        sent = self._note_sent(i, outgoing, incoming)
        parts = [self.arrived.pop((i, k), []) for k in range(max(len(incoming), 1))]
        words = tuple(short(part) for several in parts for part in several)
        sums = [reduce(add, several) if several else None for several in parts]
        pairs = [(a, g) for a, g in zip(sums, incoming, strict=False) if None not in (a, g)]
        hooked = ", ".join(short(a) for a, g in pairs if differ(a, g))
        received = ", ".join(short(g) for g in incoming if g is not None)
        self.steps.append(Step(i, received, sent, words, hooked))

    def _note_sent(self, i: int, outgoing: Any, incoming: Any) -> tuple[Sent, ...]:
        node, found = self.graph.nodes[i], []
        name = name_of(node)
        packed = any(one.state in BEHIND for one in list_saved(node))  # to be unpacked once only
        again = BUILT_IN.fullmatch(name) and not packed
        plain = node(*incoming) if again else outgoing  # once more, without its hooks
        plain = [*map(dense, plain if isinstance(plain, (tuple, list)) else [plain])]
        for slot, (target, output_nr) in enumerate(self.graph.edges[i]):
            if target is None:
                continue
            gradient = outgoing[slot] if slot < len(outgoing) else None
            if gradient is None:
                found.append(Sent(target, ""))
                continue
            self.send((target, output_nr), gradient)
            formula = gradient if plain[slot] is None else plain[slot]
            formula = sum_to_shape(formula, tuple(gradient.shape))  # as the engine does
            rule = describe_rule(node, name, slot, incoming[0], formula)
            hooked = short(formula) if differ(formula, gradient) else ""
            found.append(Sent(target, short(gradient), rule, hooked))
        return tuple(found)


def _grads(before: Any, added: Any) -> tuple[str, str]:
    """What a leaf's `.grad` is before and after the pass, in words of one length."""
    old = "None" if before is None else short(before)
    new = old
    if added is not None:
        new = short(added if before is None else dense(before.detach()) + added.detach())
    wide = max(len(old), len(new))
    return old.ljust(wide), new.ljust(wide)


# ---- leaving nothing behind ----


@contextmanager
def watched(
    output: Any, graph: Walk, hook: Callable[[int, Any, Any], None]
) -> Iterator[list[tuple[Any, Any]]]:
    """Each tensor behind `output` that collects a gradient, with the `.grad` that it had.

    Inside the block each function has a hook, which is told its position as well, and every `.grad`
    is None, so that the pass adds into new ones. At the end, also after an error, the same objects
    are back, and random numbers go on as if nothing had run.
    """
    # Besides the leaves, tensors that `retain_grad()` was called on collect. A function does not
    # tell which tensors it has made, and the reader may keep such a tensor anywhere. So the garbage
    # collector is asked for all tensors there are. A function that the reader wrote may run a pass
    # of its own, as that of a checkpoint does: then every leaf may collect.
    library = library_of(output)
    kind = getattr(library, "Tensor", type(output))
    living = [thing for thing in gc.get_objects() if issubclass(type(thing), kind)]
    retaining = [t for t in living if t.retains_grad and graph.find(t.grad_fn) is not None]
    if not all(BUILT_IN.fullmatch(name_of(graph.nodes[i])) for i in in_turn(graph)):
        retaining += [t for t in living if t.is_leaf and t.requires_grad]
    kept = [(tensor, tensor.grad) for tensor in (*graph.leaves.values(), *retaining)]
    with ExitStack() as at_the_end:
        if library is not None:
            at_the_end.enter_context(library.random.fork_rng())
        for i, node in enumerate(graph.nodes):
            at_the_end.callback(node.register_hook(partial(hook, i)).remove)
        for tensor, gradient in kept:
            at_the_end.callback(setattr, tensor, "grad", gradient)
            tensor.grad = None
        yield kept


# ---- looking at gradients that pass ----


@dataclass(frozen=True)
class Passed:
    """One function at work: its position in the walk, what was seen of the gradients that came in
    and of those that went out, None where there was none. A leaf sends nothing."""

    node: int
    received: tuple[Any, ...]
    sent: tuple[Any, ...] = ()


def watch_gradients(
    output: Any, graph: Walk, look: Callable[[Any], Any], gradient: Any = None
) -> tuple[list[Passed], str]:
    """What `look` saw of each gradient, in the order in which functions ran, then of each leaf's;
    and the error that ended the pass, if any.
    """
    steps: list[Passed] = []

    def seen(gradients: Any) -> tuple[Any, ...]:
        return tuple(None if g is None else look(dense(g.detach())) for g in gradients)

    def watcher(i: int, sent: Any, received: Any) -> None:
        steps.append(Passed(i, seen(received), seen(sent)))

    if graph.cut and not graph.leaves:
        return [], f"no leaf is among the {FAR:,} functions nearest to the output."
    problem = ""
    with watched(output, graph, watcher):
        try:
            grads = library_of(output).autograd.grad(
                output, list(graph.leaves.values()), gradient, retain_graph=True, allow_unused=True
            )
            steps += [Passed(i, seen([g])) for i, g in zip(graph.leaves, grads, strict=True)]
        except RuntimeError as error:
            problem = str(error)
    return steps, problem


def starting(output: Any, gradient: Any, picture: str) -> Any:
    """The gradient that a pass begins with: ones, unless another is given.

    >>> import course_lib as torch
    >>> starting(torch.zeros(2), None, "draw_nonfinite")
    tensor([1., 1.])
    """
    if gradient is None:
        return library_of(output).ones_like(output.detach())
    arguments.dense(picture, gradient)
    if not is_tensor(gradient) or tuple(gradient.shape) != tuple(output.shape):
        shape, came = tuple(output.shape), arguments.came(gradient)
        came = f"a tensor of shape {tuple(gradient.shape)}" if is_tensor(gradient) else came
        raise ValueError(
            f"{picture} wants gradient= to be a tensor of shape {shape}, the shape of the output, "
            f"not {came}. torch.ones({shape}) starts with ones."
        )
    return gradient


# ---- how large a gradient is ----

MEASURES = {
    "mean": "mean |g|, the average size of its numbers",
    "norm": "the norm, the root of the sum of squares",
    "max": "max |g|, the size of its largest number",
}
# a size below the bound is told by the word; the last one has no bound
WORDS = (
    (1e-6, "vanishing"), (1e-4, "tiny"), (1e-2, "small"), (1e2, "ordinary"), (1e4, "large"),
    (1e6, "huge"), (math.inf, "exploding"),
)  # fmt: skip


@dataclass(frozen=True)
class Size:
    """Sums over the numbers of a gradient: of their sizes and of their squares; the largest; how
    many they are."""

    total: float = 0.0
    squares: float = 0.0
    largest: float = 0.0
    count: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(
            self.total + other.total, self.squares + other.squares,
            max(self.largest, other.largest), self.count + other.count,
        )  # fmt: skip

    def by(self, measure: str) -> float:
        """One of the `MEASURES`.

        >>> Size(7.0, 25.0, 4.0, 2).by("mean"), Size(7.0, 25.0, 4.0, 2).by("norm")
        (3.5, 5.0)
        """
        if not math.isfinite(self.total):
            return self.total
        mean = self.total / max(self.count, 1)
        return {"mean": mean, "norm": math.sqrt(self.squares), "max": self.largest}[measure]


def size_of(gradient: Any) -> Size:
    """The size of one gradient, added up in float64.

    >>> import course_lib as torch
    >>> size_of(torch.tensor([3., -4.]))
    Size(total=7.0, squares=25.0, largest=4.0, count=2)
    """
    count = math.prod(gradient.shape)
    if not count:
        return Size()
    sizes = gradient.abs().double()
    return Size(sizes.sum().item(), (sizes * sizes).sum().item(), sizes.max().item(), count)


def heat_of(size: float) -> int:
    """The step of heat that a size has, from 0 for vanishing to 6 for exploding.

    >>> heat_of(1e-9), heat_of(1.0), heat_of(1e9)
    (0, 3, 6)
    """
    return next(step for step, (bound, _) in enumerate(WORDS) if size < bound or step == 6)


def word_of(size: float) -> str:
    """What a size is called.

    >>> word_of(1e-9), word_of(0.5), word_of(0.0), word_of(float("nan"))
    ('vanishing', 'ordinary', 'zero', 'nan')
    """
    if not math.isfinite(size):
        return str(size)
    return "zero" if size == 0 else WORDS[heat_of(size)][1]
