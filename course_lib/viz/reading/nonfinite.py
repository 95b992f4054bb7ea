"""NaN and infinities: which numbers of a tensor, where in a graph they begin, and why."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.reading.backward import Passed
from course_lib.viz.reading.saved import FUNCTIONS, Results, key_of
from course_lib.viz.reading.values import dtype_of, number
from course_lib.viz.reading.walk import Walk, in_turn, is_leaf_node, reached


@dataclass(frozen=True)
class Look:
    """How many numbers are NaN, how many infinite, of how many; place and value of the first."""

    nan: int
    inf: int
    total: int
    place: tuple[int, ...] = ()
    first: float | complex = 0.0

    @property
    def bad(self) -> bool:
        """Whether there is one at all."""
        return self.nan + self.inf > 0

    def told(self) -> str:
        """In words.

        >>> Look(1, 2, 4).told(), Look(0, 1, 1).told(), Look(0, 0, 4).told()
        ('1 nan and 2 inf of 4 numbers', 'inf', 'finite')
        """
        if not self.bad:
            return "finite"
        if self.total == 1:
            return "nan" if self.nan else "inf"
        parts = [f"{n:,} {word}" for n, word in ((self.nan, "nan"), (self.inf, "inf")) if n]
        return f"{' and '.join(parts)} of {self.total:,} numbers"

    def word(self) -> str:
        """The first one: `nan`, `inf` or `-inf`."""
        return number(self.first)


def look_at(tensor: Any) -> Look | None:
    """What there is to see in a tensor; None where it has no numbers to read, as on meta.

    >>> import course_lib as torch
    >>> look_at(torch.tensor([[1., 2.], [float("nan"), 4.]]))
    Look(nan=1, inf=0, total=4, place=(1, 0), first=nan)
    """
    total = math.prod(tensor.shape)
    if tensor.device.type == "meta":
        return None
    if getattr(tensor, "is_sparse", False):
        tensor = tensor.to_dense()
    if not (tensor.is_floating_point() or tensor.is_complex()) or not total:
        return Look(0, 0, total)
    flat = tensor.detach().reshape(-1)
    bad = ~flat.isfinite()
    many = int(bad.sum().item())
    if not many:
        return Look(0, 0, total)
    nan = int(flat.isnan().sum().item())
    at = int(bad.nonzero()[0].item())
    return Look(nan, many - nan, total, place_of(at, tuple(tensor.shape)), flat[at].item())


def place_of(at: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The indices of number `at` of a tensor.

    >>> place_of(5, (2, 3))
    (1, 2)
    """
    places = []
    for size in reversed(shape):
        at, place = divmod(at, size)
        places.append(place)
    return tuple(reversed(places))


def at_place(tensor: Any, shape: tuple[int, ...], place: tuple[int, ...]) -> Any:
    """The number of a tensor that stands at a place once it is broadcast to a shape; None where it
    cannot be broadcast, as with the factors of a matrix product.

    >>> import course_lib as torch
    >>> at_place(torch.tensor([1., 2.]), (3, 2), (0, 1))
    2.0
    """
    if not hasattr(tensor, "shape"):
        return tensor
    own = tuple(tensor.shape)
    behind = shape[len(shape) - len(own) :]
    if len(own) > len(shape) or any(n not in (1, m) for n, m in zip(own, behind, strict=True)):
        return None
    inner = place[len(place) - len(own) :]
    index = tuple(0 if n == 1 else k for n, k in zip(own, inner, strict=True))
    return tensor.detach()[index].item()


# ---- why a number is not finite ----

LARGEST = {"float16": 65504.0, "bfloat16": 3.39e38, "float32": 3.403e38, "float64": 1.798e308}
Reason = tuple[Callable[..., bool], str, str]  # when, why, what helps

_LOG = (
    (lambda x: x == 0, "the logarithm of 0 is minus infinity", "clamp(min=1e-8) before it"),
    (lambda x: x < 0, "a negative number has no real logarithm", "clamp(min=1e-8) before it"),
)
_UNIT = (lambda x: abs(x) > 1, "it is defined from -1 to 1 only", "clamp(-1, 1) before it")
FORWARD: dict[str, tuple[Reason, ...]] = {
    "Log0": _LOG, "Log20": _LOG, "Log100": _LOG, "Acos0": (_UNIT,), "Asin0": (_UNIT,),
    "Log1P0": (
        (lambda x: x == -1, "the logarithm of 1 - 1 is minus infinity", "clamp its input above -1"),
        (lambda x: x < -1, "a negative number has no real logarithm", "clamp its input above -1"),
    ),
    "Sqrt0": (
        (lambda x: x < 0, "a negative number has no real square root", "clamp(min=0) before it"),
    ),
    "Rsqrt0": (
        (lambda x: x == 0, "1 / sqrt(0) is infinite", "add a small number such as 1e-8 first"),
        (lambda x: x < 0, "a negative number has no real square root", "clamp(min=1e-8) before it"),
    ),
    "Reciprocal0": ((lambda x: x == 0, "1 / 0 is infinite", "add a small number to the divisor"),),
    "Div0": (
        (lambda a, b: a == b == 0, "0 / 0 is not a number", "add a small number to the divisor"),
        (lambda a, b: b == 0, "dividing by 0 is infinite", "add a small number to the divisor"),
    ),
    "Mul0": (
        (lambda a, b: 0 in (a, b) and not (math.isfinite(a) and math.isfinite(b)),
         "0 times infinity is not a number",
         "choose with torch.where instead of multiplying by a mask"),
    ),
    "Pow0": (
        (lambda x, p: x == 0 and p < 0, "0 with a negative exponent is 1 / 0", "keep x above 0"),
        (lambda x, p: x < 0 and p != int(p),
         "a negative number has no real power with such an exponent",
         "use abs() or clamp(min=0) before it"),
    ),
    "Exp0": (
        (lambda x: x > 11, "exp grows beyond what the dtype can hold",
         "subtract the maximum first, or use log_softmax or logsumexp"),
    ),
}  # fmt: skip
FORWARD["Pow1"] = FORWARD["Pow0"]

_STEP_AWAY = "add a small number such as 1e-8 before it"
# function: (operand that decides, its place among the inputs, and the reason)
BACKWARD: dict[str, tuple[str, int, Reason]] = {
    "Sqrt0": ("result", 0, (lambda r: r == 0, "the slope of sqrt at 0 is infinite", _STEP_AWAY)),
    "Rsqrt0": ("result", 0,
        (lambda r: math.isinf(r), "the slope of rsqrt at 0 is infinite", _STEP_AWAY)),
    "Reciprocal0": ("result", 0,
        (lambda r: math.isinf(r), "the slope of 1 / x at 0 is infinite", _STEP_AWAY)),
    "Log0": ("self", 0, (lambda x: x == 0, "the slope of log at 0 is 1 / 0", _STEP_AWAY)),
    "Log20": ("self", 0, (lambda x: x == 0, "the slope of log2 at 0 is 1 / 0", _STEP_AWAY)),
    "Log100": ("self", 0, (lambda x: x == 0, "the slope of log10 at 0 is 1 / 0", _STEP_AWAY)),
    "Div0": ("other", 1,
        (lambda b: b == 0, "backward divides by 0 as well",
         "replace the zeros before the division, not after it")),
    "Pow0": ("self", 0, (lambda x: x == 0, "the slope of this power at 0 is infinite", _STEP_AWAY)),
    "Acos0": ("self", 0,
        (lambda x: abs(x) == 1, "the slope of acos at -1 and 1 is infinite",
         "clamp to a little less than 1 before it")),
    "Asin0": ("self", 0,
        (lambda x: abs(x) == 1, "the slope of asin at -1 and 1 is infinite",
         "clamp to a little less than 1 before it")),
    "Std0": ("result", 0,
        (lambda r: r == 0, "the slope of a standard deviation of 0 is 0 / 0",
         "take (x.var() + 1e-8).sqrt()")),
    "Mul0": ("other", 1,
        (lambda b: not math.isfinite(b), "it multiplies by an infinite factor",
         "make the factor finite first")),
}  # fmt: skip


def why_forward(key: str, operands: list[Any], dtype: str, value: Any) -> tuple[str, str]:
    """Why a result is NaN or infinite and what helps; two empty strings where no rule fits.

    >>> why_forward("Log0", [0.0], "float32", -math.inf)
    ('the logarithm of 0 is minus infinity', 'clamp(min=1e-8) before it')
    """
    if not operands or not all(isinstance(o, (int, float)) for o in operands):
        return "", ""
    for when, why, remedy in FORWARD.get(key, ()):
        if when(*operands):
            return why, remedy
    if all(map(math.isfinite, operands)) and value in (math.inf, -math.inf) and dtype in LARGEST:
        ends = f"{dtype} ends at {LARGEST[dtype]:g}"
        return ends, "scale the numbers down, or use a larger dtype"
    return "", ""


def why_backward(key: str, operand: Any) -> tuple[str, str]:
    """The same for a gradient that a function sends.

    >>> why_backward("Sqrt0", 0.0)[0]
    'the slope of sqrt at 0 is infinite'
    """
    if key not in BACKWARD or not isinstance(operand, (int, float)):
        return "", ""
    when, why, remedy = BACKWARD[key][2]
    return (why, remedy) if when(operand) else ("", "")


# ---- where they begin ----


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
    for i in [*walk.leaves, *in_turn(walk)]:
        if not found.bad(i) or _comes_from_before(walk, found, i):
            continue
        found.origins.append(_origin(results, found, i))
    return found


def _comes_from_before(walk: Walk, found: Found, i: int) -> bool:
    """Whether a bad value may have led to this one, directly or through results not kept."""
    before = reached({i: i}, lambda k: walk.heads(k) if k == i or found.looks[k] is None else ())
    return any(found.bad(k) for k in before if k != i)


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
    inputs = results.walk.heads(i)
    sure = all(found.looks[target] is not None for target in inputs)
    sure = sure and (len(inputs) == len(node.next_functions) or results.operands(i) is not None)
    return _with_reason(results, i, look, sure)


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
            what = f"{arrives.told()} in the gradient that arrives"
            what += ", though all that was sent is finite"
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
