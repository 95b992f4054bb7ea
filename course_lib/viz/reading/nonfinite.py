"""NaN and infinities: which numbers of a tensor, where in a graph they begin, and why."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.reading.backward import Passed
from course_lib.viz.reading.saved import FUNCTIONS, Results, key_of
from course_lib.viz.reading.values import dense, dtype_of, number
from course_lib.viz.reading.walk import Walk, in_turn, is_leaf_node, reach


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

    def describe(self) -> str:
        """In words.

        >>> Look(1, 2, 4).describe(), Look(0, 1, 1).describe(), Look(0, 0, 4).describe()
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
    tensor = dense(tensor)
    if not (tensor.is_floating_point() or tensor.is_complex()) or not total:
        return Look(0, 0, total)
    flat = tensor.detach().reshape(-1)
    bad = (~flat.isfinite()).nonzero()
    if not len(bad):
        return Look(0, 0, total)
    nan, at = int(flat.isnan().sum().item()), int(bad[0].item())
    return Look(nan, len(bad) - nan, total, place_of(at, tuple(tensor.shape)), flat[at].item())


def place_of(at: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The indices of number `at` of a tensor.

    >>> place_of(5, (2, 3))
    (1, 2)
    """
    return tuple(at // math.prod(shape[k + 1 :]) % size for k, size in enumerate(shape))


def at_place(tensor: Any, shape: tuple[int, ...], place: tuple[int, ...]) -> Any:
    """The number of a tensor that stands at a place once it is broadcast to a shape; None where it
    cannot be broadcast, as with the factors of a matrix product.

    >>> import course_lib as torch
    >>> at_place(torch.tensor([1., 2.]), (3, 2), (0, 1))
    2.0
    """
    if not hasattr(tensor, "shape"):
        return tensor
    try:
        return tensor.detach().expand(shape)[place].item()
    except RuntimeError:
        return None


# ---- why a number is not finite ----

LARGEST = {"float16": 65504.0, "bfloat16": 3.39e38, "float32": 3.403e38, "float64": 1.798e308}
_ABOVE_0, _ABOVE_MINUS_1 = "clamp(min=1e-8) before it", "clamp its input above -1"
_STEP_AWAY = "add a small number such as 1e-8 before it"
_DIVISOR = "add a small number to the divisor"
_INSIDE = "clamp to a little less than 1 before it"
_NO_LOG = "a negative number has no real logarithm"
_NO_ROOT = "a negative number has no real square root"
# functions, when their operands make something that is not finite, why, and what helps
FORWARD: tuple[tuple[str, Callable[..., bool], str, str], ...] = (
    ("Log0 Log20 Log100", lambda x: x == 0, "the logarithm of 0 is minus infinity", _ABOVE_0),
    ("Log0 Log20 Log100", lambda x: x < 0, _NO_LOG, _ABOVE_0),
    ("Log1P0", lambda x: x == -1, "the logarithm of 1 - 1 is minus infinity", _ABOVE_MINUS_1),
    ("Log1P0", lambda x: x < -1, _NO_LOG, _ABOVE_MINUS_1),
    ("Acos0 Asin0", lambda x: abs(x) > 1, "it is defined from -1 to 1 only",
     "clamp(-1, 1) before it"),
    ("Sqrt0", lambda x: x < 0, _NO_ROOT, "clamp(min=0) before it"),
    ("Rsqrt0", lambda x: x == 0, "1 / sqrt(0) is infinite",
     "add a small number such as 1e-8 first"),
    ("Rsqrt0", lambda x: x < 0, _NO_ROOT, _ABOVE_0),
    ("Reciprocal0", lambda x: x == 0, "1 / 0 is infinite", _DIVISOR),
    ("Div0", lambda a, b: a == b == 0, "0 / 0 is not a number", _DIVISOR),
    ("Div0", lambda a, b: b == 0, "dividing by 0 is infinite", _DIVISOR),
    ("Mul0", lambda a, b: 0 in (a, b) and not (math.isfinite(a) and math.isfinite(b)),
     "0 times infinity is not a number",
     "choose with torch.where instead of multiplying by a mask"),
    ("Pow0 Pow1", lambda x, p: x == 0 and p < 0, "0 with a negative exponent is 1 / 0",
     "keep x above 0"),
    ("Pow0 Pow1", lambda x, p: x < 0 and p != int(p),
     "a negative number has no real power with such an exponent",
     "use abs() or clamp(min=0) before it"),
    ("Exp0", lambda x: x > 11, "exp grows beyond what the dtype can hold",
     "subtract the maximum first, or use log_softmax or logsumexp"),
)  # fmt: skip
# function: the operand that decides over its gradient, when, why, and what helps
BACKWARD: dict[str, tuple[str, Callable[[float], bool], str, str]] = {
    "Sqrt0": ("result", lambda r: r == 0, "the slope of sqrt at 0 is infinite", _STEP_AWAY),
    "Rsqrt0": ("result", math.isinf, "the slope of rsqrt at 0 is infinite", _STEP_AWAY),
    "Reciprocal0": ("result", math.isinf, "the slope of 1 / x at 0 is infinite", _STEP_AWAY),
    "Log0": ("self", lambda x: x == 0, "the slope of log at 0 is 1 / 0", _STEP_AWAY),
    "Log20": ("self", lambda x: x == 0, "the slope of log2 at 0 is 1 / 0", _STEP_AWAY),
    "Log100": ("self", lambda x: x == 0, "the slope of log10 at 0 is 1 / 0", _STEP_AWAY),
    "Div0": ("other", lambda b: b == 0, "backward divides by 0 as well",
             "replace the zeros before the division, not after it"),
    "Pow0": ("self", lambda x: x == 0, "the slope of this power at 0 is infinite", _STEP_AWAY),
    "Acos0": ("self", lambda x: abs(x) == 1, "the slope of acos at -1 and 1 is infinite", _INSIDE),
    "Asin0": ("self", lambda x: abs(x) == 1, "the slope of asin at -1 and 1 is infinite", _INSIDE),
    "Std0": ("result", lambda r: r == 0, "the slope of a standard deviation of 0 is 0 / 0",
             "take (x.var() + 1e-8).sqrt()"),
    "Mul0": ("other", lambda b: not math.isfinite(b), "it multiplies by an infinite factor",
             "make the factor finite first"),
}  # fmt: skip


def why_forward(key: str, operands: list[Any], dtype: str, value: Any) -> tuple[str, str]:
    """Why a result is NaN or infinite and what helps; two empty strings where no rule fits.

    >>> why_forward("Log0", [0.0], "float32", -math.inf)
    ('the logarithm of 0 is minus infinity', 'clamp(min=1e-8) before it')
    """
    if not operands or not all(isinstance(o, (int, float)) for o in operands):
        return "", ""
    for functions, when, why, remedy in FORWARD:
        if key in functions.split() and when(*operands):
            return why, remedy
    if all(map(math.isfinite, operands)) and value in (math.inf, -math.inf) and dtype in LARGEST:
        ends = f"{dtype} ends at {LARGEST[dtype]:g}"
        return ends, "scale the numbers down, or use a larger dtype"
    return "", ""


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
        found.looks[i] = _first_bad(results.of(i))
    bad = filter(found.bad, [*walk.leaves, *in_turn(walk)])
    first = [i for i in bad if not _comes_from_before(walk, found, i)]
    found.origins = [_origin(results, found, i) for i in first]
    return found


def _comes_from_before(walk: Walk, found: Found, i: int) -> bool:
    """Whether a bad value may have led to this one, directly or through results not kept."""
    before = reach({i: i}, lambda k: walk.heads(k) if k == i or found.looks[k] is None else ())
    return any(found.bad(k) for k in before if k != i)


def _origin(results: Results, found: Found, i: int) -> Origin:
    """The origin with the numbers that went in at the first bad place, where they are known."""
    node, look = results.walk.nodes[i], found.looks[i]
    assert look is not None
    if is_leaf_node(node):
        what = f"it holds {look.describe()}"
        return Origin(i, what, "no function made it", "look at where the numbers come from")
    for item in results.saved[i]:
        other = look_at(item.tensor) if item.state == "good" else None
        if other is not None and other.bad and item.tensor.grad_fn is None:
            what = f"its operand {item.name} holds {other.describe()}"
            return Origin(i, what, "no function of this graph made it", "look at that tensor")
    inputs, key, operands = results.walk.heads(i), key_of(node), results.operands(i)
    sure = all(found.looks[target] is not None for target in inputs)
    sure = sure and (len(inputs) == len(node.next_functions) or operands is not None)
    value = next(filter(_is_bad, results.of(i)))
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
        leaf, arrives = is_leaf_node(walk.nodes[step.node]), _first_bad(step.received)
        found.looks[step.node] = arrives if leaf else _first_bad(step.sent)
        if arrives is None or not arrives.bad:
            if not leaf and found.bad(step.node):
                found.origins.append(_gradient_origin(walk, step, results))
        elif step is steps[0]:
            found.origins.append(Origin(step.node, "the gradient to start with is not finite"))
        elif step.node not in delivered:
            what = f"{arrives.describe()} in the gradient that arrives"
            what += ", though all that was sent is finite"
            found.origins.append(Origin(step.node, what, "a hook made it, or a sum too large"))
        sent = zip(walk.edges[step.node], step.sent, strict=False)
        delivered |= {target for (target, _), gradient in sent if _is_bad(gradient)}
    return found


def _first_bad(tensors: Iterable[Any]) -> Look | None:
    """The look of the first tensor that is bad, else of the first one that can be looked at."""
    looks = [look_at(tensor) for tensor in tensors if tensor is not None]
    seen = [look for look in looks if look is not None]
    return next((look for look in seen if look.bad), seen[0] if seen else None)


def _is_bad(tensor: Any) -> bool:
    look = _first_bad([tensor])
    return look is not None and look.bad


def _gradient_origin(walk: Walk, step: Passed, results: Results) -> Origin:
    """The function that received finite gradients and sent one that is not."""
    sent = next(filter(_is_bad, step.sent))
    look = look_at(sent)
    assert look is not None
    key, shape = key_of(walk.nodes[step.node]), tuple(sent.shape)
    arrived = [at_place(g, shape, look.place) for g in step.received if g is not None]
    got = number(arrived[0]) if len(arrived) == 1 and arrived[0] is not None else ""
    where = f" at {list(look.place)}" if look.place else ""
    what = f"it receives {got or 'finite numbers'} and sends {look.word()}{where}"
    if key not in BACKWARD:
        return Origin(step.node, what)
    name, when, why, remedy = BACKWARD[key]
    is_result = name == "result"
    value = results.values.get((step.node, 0)) if is_result else results.operand(step.node, name)
    operand = None if value is None else at_place(value, shape, look.place)
    if not isinstance(operand, (int, float)) or not when(operand):
        return Origin(step.node, what)
    if arrived and arrived[0] == 0 and look.first != look.first:
        why += ", and 0 times infinity is not a number"
    return Origin(step.node, what, why, remedy)
