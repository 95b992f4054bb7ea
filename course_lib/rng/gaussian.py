"""Standard normal numbers, bit for bit the same as from PyTorch's CPU kernels.

Note [Two ways to a bell curve]: both use Box-Muller, which turns two uniform numbers into two
normal ones, `radius * cos(angle)` and `radius * sin(angle)`; they differ in everything else.

* **One by one** (`one_by_one`): fewer than 16 numbers, or a tensor that is not contiguous.  They
  are computed in float64, whatever the dtype; the second of a pair is kept for the next call.
* **In blocks** (`in_blocks`): 16 or more.  The first 8 of 16 uniform numbers give the radii, the
  last 8 the angles.  If the size is not a multiple of 16, the last 16 places are drawn again and
  overwritten.  So `randn(16)` does not begin with `randn(15)`.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.rng.rng import Generator

_BLOCK = 16
f32 = np.float32


# ---- uniform numbers ---------------------------------------------------------------------------


def uniform24(generator: Generator, count: int) -> np.ndarray:
    """`count` float32 numbers in [0, 1): the low 24 bits of one word each."""
    return (generator._words(count) & np.uint64(2**24 - 1)).astype(f32) * f32(2.0**-24)


def whole53(generator: Generator, count: int) -> np.ndarray:
    """`count` whole numbers below 2**53, as uint64: the low 53 bits of two words each."""
    return generator._long_words(count) & np.uint64(2**53 - 1)


def uniform53(generator: Generator, count: int) -> np.ndarray:
    """`count` float64 numbers in [0, 1), of 53 bits each."""
    return whole53(generator, count) * 2.0**-53


# ---- arithmetic with one rounding --------------------------------------------------------------


def libm(function: Callable[[float], float], values: np.ndarray) -> np.ndarray:
    """A function of `math`, applied to every value.

    PyTorch calls the C library here, and so does `math`.  NumPy's own version is faster, but
    sometimes one bit off, which is visible only in float64.
    """
    found = [function(value) for value in values.ravel().tolist()]
    return np.array(found, np.float64).reshape(values.shape)


def rescale(values: np.ndarray, factor: float, offset: Any) -> np.ndarray:
    """`values * factor + offset` rounded once at the end, like a processor's fused multiply-add.

    >>> rescale(np.array([0.1, 0.3]), 3.0, -0.3).tolist()
    [2.7755575615628914e-17, 0.6]
    """
    if factor == 1 or (offset.__class__ is not np.ndarray and offset == 0):
        # one of the two steps is exact
        return values * values.dtype.type(factor) + values.dtype.type(offset)
    if values.itemsize == 4:  # the product of two float32 is exact in float64
        return (values.astype(np.float64) * float(factor) + offset).astype(f32)
    # Both operations' rounding errors are themselves float64 numbers (Dekker, Knuth).
    product = values * factor
    high, low = _halves(values)
    factor_high, factor_low = _halves(np.float64(factor))
    lost = high * factor_high - product + high * factor_low + low * factor_high + low * factor_low
    total = product + offset
    part = total - product
    return total + (lost + ((product - (total - part)) + (offset - part)))


def _halves(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two numbers with 26 bits each whose sum is `values`: products of halves are exact."""
    shifted = values * 134217729.0  # 2**27 + 1
    high = shifted - (shifted - values)
    return high, values - high


# ---- one by one --------------------------------------------------------------------------------


def one_by_one(generator: Generator, count: int) -> np.ndarray:
    """`count` float64 numbers; an odd one out stays in `generator._spare` for the next call."""
    found = []
    if count and generator._spare is not None:
        found.append(generator._spare)
        generator._spare = None
    pairs = (count - len(found) + 1) // 2
    if pairs:
        draws = uniform53(generator, 2 * pairs).tolist()
        for turn, share in zip(draws[0::2], draws[1::2]):
            angle, radius = 2 * math.pi * turn, math.sqrt(-2 * math.log1p(-share))
            found += (radius * math.cos(angle), radius * math.sin(angle))
    if len(found) > count:
        generator._spare = found.pop()
    return np.array(found, np.float64)


# ---- in blocks ---------------------------------------------------------------------------------


def in_blocks(generator: Generator, count: int, dtype: np.dtype) -> np.ndarray:
    """`count` >= 16 numbers, in float64 for float64 and in float32 for the other dtypes.

    16-bit dtypes draw words only for whole blocks before the last 16 are drawn, so a size that is
    not a multiple of 16 takes fewer words than in float32.
    """
    draw, transform = generator._words, _normal32
    if dtype == np.float64:
        draw, transform = functools.partial(uniform53, generator), _normal64
    rest = count % _BLOCK
    if not rest:
        return transform(draw(count).reshape(-1, 2, 8)).reshape(-1)
    whole = count - rest
    draws = draw((count if dtype.itemsize > 2 else whole) + _BLOCK)
    draws[whole : whole + _BLOCK] = draws[-_BLOCK:]
    values = transform(draws[: whole + _BLOCK].reshape(-1, 2, 8)).reshape(-1)
    values[count - _BLOCK : count] = values[whole:]
    return values[:count]


def _normal64(draws: np.ndarray) -> np.ndarray:
    radius = np.sqrt(-2 * libm(math.log, 1 - draws[:, 0]))
    angle = 2 * math.pi * draws[:, 1]
    return np.stack([radius * libm(math.cos, angle), radius * libm(math.sin, angle)], axis=1)


def _normal32(words: np.ndarray) -> np.ndarray:
    draws = words & np.uint64(2**24 - 1)
    radius = np.sqrt(_log32(draws[:, 0]) * f32(-2))
    cosine, sine = _cosine_sine32(draws[:, 1].astype(np.int64))
    return np.stack([radius * cosine, radius * sine], axis=1)


# Note [float32 logarithm and sine]: the vector kernels use the polynomials of Moshier's Cephes
# library, each step a fused multiply-add.  Repeating the same steps gives the same bits, where
# NumPy's (more accurate) functions differ in one of seven results.

# The nearest float32 numbers, in float64:
_LOG = np.array(
    [
        *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
        *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
    ],
    f32,
).astype(np.float64)
_COS = np.array([2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2], f32) * 1.0
_SIN = np.array([-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1], f32) * 1.0
_PARTS = np.array([0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8], f32)  # of pi / 4
_QUARTER_TURN = 2 * _PARTS.sum(dtype=np.float64)  # exact, also times a small integer
_LOG2_HIGH, _LOG2_LOW = f32(0.693359375), f32(-2.12194440e-4)  # their sum is log(2)


def _polynomial(x: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """The value of a polynomial (highest power first) by Horner's rule, as float32.

    `x` are float32 numbers; in float64, products are exact, and each sum is rounded.
    """
    wide, result = x.astype(np.float64), np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        result = (result * wide + coefficient).astype(f32)
    return result


def _multiply_add(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """`a * b + c` of float32 numbers, rounded once."""
    return (a.astype(np.float64) * b + c).astype(f32)


def _log32(draws: np.ndarray) -> np.ndarray:
    """log(1 - draws / 2**24); that number is (1 + x) * 2**e with 0.7 < 1 + x < 1.42."""
    part, e = np.frexp(f32(1) - draws.astype(f32) * f32(2.0**-24))
    small = part < f32(math.sqrt(0.5))
    x, e = np.where(small, part * 2, part) - f32(1), (e - small).astype(f32)
    square = x * x
    y = _multiply_add(_polynomial(x, _LOG) * x, square, e * _LOG2_LOW)
    return y - square * f32(0.5) + x + e * _LOG2_HIGH


def _cosine_sine32(draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and sine of draws / 2**24 turns: some quarter turns, and x within [-pi/4, pi/4]."""
    quarters = (draws + 2**21) >> 22
    angle = draws.astype(f32) * f32(2 * math.pi / 2**24)
    x = (angle - quarters * _QUARTER_TURN).astype(f32)
    square = x * x
    sine = _multiply_add(_polynomial(square, _SIN) * square, x, x)
    cosine = _multiply_add(_polynomial(square, _COS) * square, square, square * f32(-0.5)) + f32(1)
    odd = quarters & 1 == 1  # an odd number of quarter turns swaps the two
    cosine, sine = np.where(odd, sine, cosine), np.where(odd, cosine, sine)
    return np.where(quarters + 1 & 2, -cosine, cosine), np.where(quarters & 2, -sine, sine)
