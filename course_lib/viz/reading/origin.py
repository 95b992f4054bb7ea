"""Where NaN and infinities of a graph begin, in the values and in the gradients."""

from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.reading.nonfinite import Look, at_place, look_at
from course_lib.viz.reading.passing import Passed
from course_lib.viz.reading.reasons import BACKWARD, why_backward, why_forward
from course_lib.viz.reading.results import FUNCTIONS, Results, key_of
from course_lib.viz.reading.values import dtype_of, number
from course_lib.viz.reading.walk import Walk, is_leaf_node


@dataclass(frozen=True)
class Origin:
    """A function or leaf where it begins: what happened there, why, and what helps.

    `sure` says that everything that went in is known to be finite.
    """

    node: int
    what: str
    why: str = ""
    remedy: str = ""
    sure: bool = True


@dataclass
class Found:
    """What was seen at each position of the walk (None: not kept), and where it begins."""

    looks: dict[int, Look | None] = field(default_factory=dict)
    origins: list[Origin] = field(default_factory=list)

    def bad(self, i: int | None) -> bool:
        """Whether a position is known to have NaN or infinities."""
        look = None if i is None else self.looks.get(i)
        return look is not None and look.bad


# ---- values ----


def in_values(results: Results) -> Found:
    """What the results of functions look like, and which function made the first that is bad."""
    walk, found = results.walk, Found()
    for i in range(len(walk.nodes)):
        looks = [look for look in map(look_at, results.of(i)) if look is not None]
        found.looks[i] = next((look for look in looks if look.bad), looks[0] if looks else None)
    order = sorted(range(len(walk.nodes)), key=lambda i: _turn(walk, i))
    for i in order:
        if not found.bad(i) or _comes_from_before(walk, found, i):
            continue
        found.origins.append(_origin(results, found, i))
    return found


def _turn(walk: Walk, i: int) -> int:
    node = walk.nodes[i]
    return -1 if is_leaf_node(node) else getattr(node, "_sequence_nr", lambda: i)()


def _comes_from_before(walk: Walk, found: Found, i: int) -> bool:
    """Whether a bad value may have led to this one, directly or through results not kept."""
    waiting, met = [i], {i}
    while waiting:
        for target, _ in walk.edges[waiting.pop()]:
            if target is None or target in met:
                continue
            met.add(target)
            if found.bad(target):
                return True
            if found.looks[target] is None:
                waiting.append(target)
    return False


def _origin(results: Results, found: Found, i: int) -> Origin:
    node, look = results.walk.nodes[i], found.looks[i]
    assert look is not None
    if is_leaf_node(node):
        what = f"it holds {look.told()}"
        return Origin(i, what, "no function made it", "look at where the numbers come from")
    for item in results.saved[i]:
        other = look_at(item.tensor) if item.state == "good" else None
        if other is not None and other.bad and item.tensor.grad_fn is None:
            what = f"its operand {item.name} holds {other.told()}"
            return Origin(i, what, "no function of this graph made it", "look at that tensor")
    inputs = [target for target, _ in results.walk.edges[i] if target is not None]
    sure = all(found.looks[target] is not None for target in inputs)
    sure = sure and (results.operands(i) is not None or None not in _targets(results.walk, i))
    return _with_reason(results, i, look, sure)


def _targets(walk: Walk, i: int) -> list[int | None]:
    return [target for target, _ in walk.edges[i]]


def _with_reason(results: Results, i: int, look: Look, sure: bool) -> Origin:
    """The origin with the numbers that went in at the first bad place, where they are known."""
    key, operands = key_of(results.walk.nodes[i]), results.operands(i)
    value = next(v for v in results.of(i) if (seen := look_at(v)) is not None and seen.bad)
    shape, where = tuple(value.shape), f" at {list(look.place)}" if look.place else ""
    numbers = [at_place(o, shape, look.place) for o in operands or ()]
    known = bool(numbers) and all(n is not None for n in numbers)
    words = FUNCTIONS[key][1] if key in FUNCTIONS else ""
    if known and "{}" in words:
        what = f"{words.format(*map(number, numbers))} = {look.word()}{where}"
    else:
        what = f"its result is {look.word()}{where}"
    why, remedy = why_forward(key, numbers if known else [], dtype_of(value), look.first)
    return Origin(i, what, why, remedy, sure)


# ---- gradients ----


def in_gradients(walk: Walk, steps: list[Passed], results: Results) -> Found:
    """What the gradients look like that functions send, and which function made the first bad one.

    A leaf sends nothing: there it is the gradient that arrives.
    """
    found, delivered = Found(), set()
    for step in steps:
        leaf = is_leaf_node(walk.nodes[step.node])
        looks = _looks(step.received if leaf else step.sent)
        found.looks[step.node] = next((k for k in looks if k.bad), looks[0] if looks else None)
        arrives = next((look for look in _looks(step.received) if look.bad), None)
        if arrives is not None and step.node not in delivered and step is not steps[0]:
            what = (
                f"{arrives.told()} in the gradient that arrives, though all that was sent is finite"
            )
            found.origins.append(Origin(step.node, what, "a hook made it, or a sum too large"))
        elif arrives is not None and step is steps[0]:
            found.origins.append(Origin(step.node, "the gradient to start with is not finite"))
        elif arrives is None and not leaf and found.bad(step.node):
            found.origins.append(_gradient_origin(walk, step, results))
        for (target, _), sent in zip(walk.edges[step.node], step.sent, strict=False):
            look = None if sent is None else look_at(sent)
            if look is not None and look.bad:
                delivered.add(target)
    return found


def _looks(tensors: tuple[Any, ...]) -> list[Look]:
    looks = [look_at(tensor) for tensor in tensors if tensor is not None]
    return [look for look in looks if look is not None]


def _gradient_origin(walk: Walk, step: Passed, results: Results) -> Origin:
    """The function that received finite gradients and sent one that is not."""
    slot, sent = next(
        (k, g)
        for k, g in enumerate(step.sent)
        if g is not None and any(x.bad for x in _looks((g,)))
    )
    look = look_at(sent)
    assert look is not None
    key, shape = key_of(walk.nodes[step.node]), tuple(sent.shape)
    arrived = [at_place(g, shape, look.place) for g in step.received if g is not None]
    got = number(arrived[0]) if len(arrived) == 1 and arrived[0] is not None else ""
    where = f" at {list(look.place)}" if look.place else ""
    what = f"it receives {got or 'finite numbers'} and sends {look.word()}{where}"
    operand = None
    if key in BACKWARD:
        name, place, _ = BACKWARD[key]
        value = results.values.get((step.node, 0))
        if name != "result":
            value = results.operand(step.node, name, place)
        operand = None if value is None else at_place(value, shape, look.place)
    why, remedy = why_backward(key, operand)
    if why and arrived and arrived[0] == 0 and look.first != look.first:
        why += ", and 0 times infinity is not a number"
    return Origin(step.node, what, why, remedy)
