"""The gamma function's family, and the inverse of the error function: what NumPy does not have."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.ops.elementwise.erf import erf_of, ratio

__all__: list[str] = []

EULER = -0.57721566490153286  # digamma(1)
# The asymptotic series of digamma in 1 / x**2, and of the Hurwitz zeta function (Cephes).
DIGAMMA = (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12)
ZETA = (12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9, 7.47242496e10)
ANGLES = 256  # as many as the largest float64 that does not overflow needs


def each(function: Callable[[float], float], x: Any) -> Any:
    """`function` of every element, computed in float64, in the precision of `x`.

    >>> each(math.lgamma, np.float32([4.0])).dtype
    dtype('float32')
    """
    if hasattr(x, "restride"):
        return np.abs(x)
    found = np.fromiter(map(function, np.ravel(x).tolist()), np.float64, np.size(x))
    return found.reshape(np.shape(x)).astype(x.dtype)[()]


def is_pole(x: float) -> bool:
    """Whether the gamma function has no finite value here: 0, -1, -2 …"""
    return x <= 0 and (x == math.inf or x == -math.inf or x == math.floor(x))


def lgamma(x: float) -> float:
    """The logarithm of the gamma function's size."""
    if is_pole(x):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


def digamma(x: float) -> float:
    """The derivative of `lgamma`."""
    if x == 0:
        return math.copysign(math.inf, -x)
    if is_pole(x):
        return math.nan
    if x < 0:  # reflection; only the fraction of x goes through the tangent
        return digamma(1 - x) - math.pi / math.tan(math.pi * math.modf(x)[0])
    total = 0.0
    while x < 10:
        total -= 1 / x
        x += 1
    if x == math.inf:
        return x
    z, series = 1 / (x * x), 0.0
    for c in DIGAMMA:
        series = series * z + c
    return total + math.log(x) - 0.5 / x - series * z


def zeta(s: int, x: float) -> float:
    """The Hurwitz zeta function: the sum of ``(x + k) ** -s`` over k = 0, 1, 2 …"""
    if math.isnan(x):
        return x
    if is_pole(x):
        return math.inf
    total, last, a, turns = x**-s, 0.0, x, 0
    while turns < 9 or a <= 9:
        turns += 1
        a += 1
        last = a**-s
        total += last
        if abs(last) < 1e-17 * abs(total):
            return total
    total += last * a / (s - 1) - 0.5 * last
    factor, k = 1.0, 0
    for divisor in ZETA:  # Euler and Maclaurin's correction for the rest of the sum
        factor *= s + k
        last /= a
        total += factor * last / divisor
        factor *= s + k + 1
        last /= a
        k += 2
    return total


def trigamma(x: float, kind: Any) -> float:
    """The derivative of `digamma`, to ten digits: PyTorch's terms, and no more.

    `kind` is the precision in which the sine is taken.  Near a pole, that decides.
    """
    total, sign = 0.0, 1.0
    if x < 0.5:
        sine = float(np.sin(kind(math.pi) * kind(x))) if x > -math.inf else math.nan
        total, sign, x = (-((math.pi / sine) ** 2) if sine else -math.inf), -1.0, 1 - x
    for _ in range(6):
        total += 1 / (x * x)
        x += 1
    z = 1 / (x * x)
    return sign * (total + (1 + 1 / (2 * x) + z * (1 / 6 - z * (1 / 30 - z / 42))) / x)


def polygamma(n: int, x: Any) -> Any:
    """The `n`-th derivative of `digamma`, in the precision of `x`."""
    if n == 0:
        return each(digamma, x)
    if n == 1:
        return each(lambda one: trigamma(one, x.dtype.type), x)
    sign = 1 if n % 2 else -1
    return each(lambda one: sign * math.factorial(n) * zeta(n + 1, one), x)


# ---- the inverse of the error function -----------------------------------------------------------

INNER = (
    (-0.140543331, 0.914624893, -1.645349621, 0.886226899),
    (0.012229801, -0.329097515, 1.442710462, -2.118377725, 1.0),
)
OUTER = ((1.641345311, 3.429567803, -1.624906493, -1.970840454), (1.637067800, 3.543889200, 1.0))


def erfinv_of(y: Any) -> Any:
    """The x whose error function is `y`: a first guess, bettered twice by Newton's rule."""
    if hasattr(y, "restride"):
        return np.abs(y)
    wide = np.asarray(y, np.float64)
    size = np.abs(wide)
    inside = np.where(size <= 0.7, wide, 0.0)
    near = inside * ratio(INNER, inside * inside)
    far = np.copysign(ratio(OUTER, np.sqrt(-np.log((1 - size) / 2))), wide)
    x = np.where(size <= 0.7, near, far)
    for _ in range(2):
        x = x - (np.asarray(erf_of(x)) - wide) / (2 / math.sqrt(math.pi) * np.exp(-x * x))
    x = np.where(size == 1, np.copysign(np.inf, wide), np.where(wide == 0, wide, x))
    return np.where(size > 1, np.nan, x).astype(y.dtype)[()]


# ---- Bessel functions ----------------------------------------------------------------------------


def i0_of(x: Any) -> Any:
    """The modified Bessel function of the first kind and order 0."""
    if hasattr(x, "restride"):
        return np.abs(x)
    return np.i0(np.asarray(x, np.float64)).astype(x.dtype)[()]


def i1_of(x: Any) -> Any:
    """The one of order 1, the derivative of `i0_of`.

    It is the mean of ``exp(x cos t) cos t`` over a turn; the mean over equal steps is exact here.
    """
    if hasattr(x, "restride"):
        return np.abs(x)
    wide = np.asarray(x, np.float64)
    size = np.abs(wide)
    total = np.zeros_like(size)
    for cosine in np.cos(2 * np.pi * np.arange(ANGLES) / ANGLES):
        total += np.exp(size * (cosine - 1)) * cosine
    return (np.sign(wide) * total / ANGLES * np.exp(size)).astype(x.dtype)[()]
