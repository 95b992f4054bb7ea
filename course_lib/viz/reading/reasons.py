"""Why a function made a NaN or an infinity, as far as its operands tell."""

import math
from collections.abc import Callable
from typing import Any

LARGEST = {"float16": 65504.0, "bfloat16": 3.39e38, "float32": 3.403e38, "float64": 1.798e308}
Reason = tuple[Callable[..., bool], str, str]  # when, why, what helps

_LOG = (
    (lambda x: x == 0, "the logarithm of 0 is minus infinity", "clamp(min=1e-8) before it"),
    (lambda x: x < 0, "a negative number has no real logarithm", "clamp(min=1e-8) before it"),
)
_UNIT = (
    lambda x: abs(x) > 1,
    "it is defined from -1 to 1 only",
    "clamp(-1, 1) before it",
)
FORWARD: dict[str, tuple[Reason, ...]] = {
    "Log0": _LOG,
    "Log20": _LOG,
    "Log100": _LOG,
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
        (
            lambda a, b: 0 in (a, b) and not (math.isfinite(a) and math.isfinite(b)),
            "0 times infinity is not a number",
            "choose with torch.where instead of multiplying by a mask",
        ),
    ),
    "Pow0": (
        (lambda x, p: x == 0 and p < 0, "0 with a negative exponent is 1 / 0", "keep x above 0"),
        (
            lambda x, p: x < 0 and p != int(p),
            "a negative number has no real power with such an exponent",
            "use abs() or clamp(min=0) before it",
        ),
    ),
    "Exp0": (
        (
            lambda x: x > 11,
            "exp grows beyond what the dtype can hold",
            "subtract the maximum first, or use log_softmax or logsumexp",
        ),
    ),
    "Acos0": (_UNIT,),
    "Asin0": (_UNIT,),
}
FORWARD["Pow1"] = FORWARD["Pow0"]

_STEP_AWAY = "add a small number such as 1e-8 before it"
# function: (operand that decides, its place among the inputs, and the reason)
BACKWARD: dict[str, tuple[str, int, Reason]] = {
    "Sqrt0": ("result", 0, (lambda r: r == 0, "the slope of sqrt at 0 is infinite", _STEP_AWAY)),
    "Rsqrt0": (
        "result", 0, (lambda r: math.isinf(r), "the slope of rsqrt at 0 is infinite", _STEP_AWAY)
    ),
    "Reciprocal0": (
        "result", 0, (lambda r: math.isinf(r), "the slope of 1 / x at 0 is infinite", _STEP_AWAY)
    ),
    "Log0": ("self", 0, (lambda x: x == 0, "the slope of log at 0 is 1 / 0", _STEP_AWAY)),
    "Log20": ("self", 0, (lambda x: x == 0, "the slope of log2 at 0 is 1 / 0", _STEP_AWAY)),
    "Log100": ("self", 0, (lambda x: x == 0, "the slope of log10 at 0 is 1 / 0", _STEP_AWAY)),
    "Div0": (
        "other", 1, (lambda b: b == 0, "backward divides by 0 as well",
                     "replace the zeros before the division, not after it"),
    ),
    "Pow0": (
        "self", 0, (lambda x: x == 0, "the slope of this power at 0 is infinite", _STEP_AWAY)
    ),
    "Acos0": ("self", 0, (lambda x: abs(x) == 1, "the slope of acos at -1 and 1 is infinite",
                          "clamp to a little less than 1 before it")),
    "Asin0": ("self", 0, (lambda x: abs(x) == 1, "the slope of asin at -1 and 1 is infinite",
                          "clamp to a little less than 1 before it")),
    "Std0": (
        "result", 0, (lambda r: r == 0, "the slope of a standard deviation of 0 is 0 / 0",
                      "take (x.var() + 1e-8).sqrt()"),
    ),
    "Mul0": (
        "other", 1, (lambda b: not math.isfinite(b), "it multiplies by an infinite factor",
                     "make the factor finite first"),
    ),
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
        return (
            f"{dtype} ends at {LARGEST[dtype]:g}",
            "scale the numbers down, or use a larger dtype",
        )
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
