"""Standard normal numbers, bit for bit the same as from PyTorch's CPU kernels.

Note [Two ways to a bell curve]: both use Box-Muller, which turns two uniform numbers into two
normal ones, `radius * cos(angle)` and `radius * sin(angle)`; they differ in everything else.

* **One by one** (`one_by_one`): fewer than 16 numbers, or a tensor that is not contiguous.  They
  are computed in float64, whatever the dtype; the second of a pair is kept for the next call.
* **In blocks** (`in_blocks`): 16 or more.  The first 8 of 16 uniform numbers give the radii, the
  last 8 the angles.  If the size is not a multiple of 16, the last 16 places are drawn again and
  overwritten.  So `randn(16)` does not begin with `randn(15)`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.rng.rng import Generator

_BLOCK = 16
_CHUNK = 1024  # blocks computed together: their temporaries stay in the processor's cache
_EXACT_UP_TO = 1 << 16
f32 = np.float32
# 0-dim arrays, which NumPy takes at once
_MASK24, _MASK53 = np.array(2**24 - 1, np.int32), np.array(2**53 - 1, np.uint64)
_STEP24, _STEP53 = np.array(2.0**-24, f32), np.array(2.0**-53)


# ---- uniform numbers ---------------------------------------------------------------------------


def uniform24(generator: Generator, count: int) -> np.ndarray:
    """`count` float32 numbers in [0, 1): the low 24 bits of one word each."""
    words = generator.words(count).astype(np.int32)
    words &= _MASK24
    draws = words.astype(f32)
    draws *= _STEP24
    return draws


def whole53(generator: Generator, count: int) -> np.ndarray:
    """`count` whole numbers below 2**53, as uint64: the low 53 bits of two words each."""
    words = generator.long_words(count)
    words &= _MASK53
    return words


def uniform53(generator: Generator, count: int) -> np.ndarray:
    """`count` float64 numbers in [0, 1), of 53 bits each."""
    return whole53(generator, count).view(np.int64) * _STEP53


# ---- arithmetic with one rounding --------------------------------------------------------------


def libm(function: Callable[[float], float], values: np.ndarray) -> np.ndarray:
    """A function of `math`, applied to every value; for many values, NumPy's of the same name.

    PyTorch calls the C library here, and so does `math`.  NumPy's own version is faster, but
    sometimes one bit off, which is visible only in float64.
    """
    if values.size <= _EXACT_UP_TO:
        flat = values.ravel().tolist()
        try:
            return np.fromiter(map(function, flat), np.float64, len(flat)).reshape(values.shape)
        except OverflowError:  # where C gives inf, Python raises this
            pass
    with np.errstate(over="ignore"):
        return getattr(np, function.__name__)(values)


def scaled(values: np.ndarray, factor: float, offset: Any) -> np.ndarray:
    """`values * factor + offset` rounded once at the end, like a processor's fused multiply-add.

    >>> scaled(np.array([0.1, 0.3]), 3.0, -0.3).tolist()
    [2.7755575615628914e-17, 0.6]
    """
    if factor == 1 or (offset.__class__ is not np.ndarray and offset == 0):
        # one of the two steps is exact
        return values * values.dtype.type(factor) + values.dtype.type(offset)
    if values.itemsize == 4:  # the product of two float32 is exact in float64
        wide = values.astype(np.float64)
        wide *= float(factor)
        return (wide + offset).astype(f32)
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
    """`count` float64 numbers; an odd one out stays in `generator.spare` for the next call."""
    found = []
    if count and generator.spare is not None:
        found.append(generator.spare)
        generator.spare = None
    pairs = (count - len(found) + 1) // 2
    if pairs:
        draws = uniform53(generator, 2 * pairs).tolist()
        for turn, share in zip(draws[0::2], draws[1::2]):
            angle, radius = 2 * math.pi * turn, math.sqrt(-2 * math.log1p(-share))
            found += (radius * math.cos(angle), radius * math.sin(angle))
    if len(found) > count:
        generator.spare = found.pop()
    return np.array(found, np.float64)


# ---- in blocks ---------------------------------------------------------------------------------


def in_blocks(generator: Generator, count: int, dtype: np.dtype) -> np.ndarray:
    """`count` >= 16 numbers, in float64 for float64 and in float32 for the other dtypes.

    16-bit dtypes draw words only for whole blocks before the last 16 are drawn, so a size that is
    not a multiple of 16 takes fewer words than in float32.
    """
    draw, transform = generator.words, _normal32
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
    result = np.empty(words.shape, f32)
    for start in range(0, len(words), _CHUNK):
        draws = words[start : start + _CHUNK].swapaxes(0, 1).astype(np.int32, order="C")
        draws &= _MASK24
        radius = _log32(draws[0])
        radius *= _MINUS_TWO
        np.sqrt(radius, radius)
        cosine, sine = _cosine_sine32(draws[1])
        cosine *= radius
        sine *= radius
        result[start : start + _CHUNK, 0] = cosine
        result[start : start + _CHUNK, 1] = sine
    return result


# Note [float32 logarithm and sine]: the vector kernels use the polynomials of Moshier's Cephes
# library, each step a fused multiply-add.  Repeating the same steps gives the same bits, where
# NumPy's (more accurate) functions differ in one of seven results.  There are only 2**24 draws:
# what takes fewer steps here was compared for all of them.
#
# A call of NumPy costs as much as its arithmetic on a thousand numbers.  So operations are in place
# and within one dtype where possible, and numbers are 0-dim arrays, which NumPy takes at once.


def _constants(dtype: Any, *numbers: float) -> list[np.ndarray]:
    """Numbers as 0-dim arrays of a dtype."""
    return [np.array(number, dtype) for number in numbers]


def _coefficients(*numbers: float) -> list[np.ndarray]:
    """The nearest float32 numbers, in float64."""
    return _constants(np.float64, *map(f32, numbers))


_LOG = _coefficients(
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
_COS = _coefficients(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_SIN = _coefficients(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_PARTS = _coefficients(0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8)  # of pi / 4
_QUARTER_TURN = np.array(2 * sum(_PARTS))  # exact, and so is its product with a small integer
_LOG2_HIGH, _LOG2_LOW = _constants(f32, 0.693359375, -2.12194440e-4)  # their sum is log(2)
_RADIANS, _ALL, _ROOT_HALF = _constants(f32, 2 * math.pi / 2**24, 2**24, math.sqrt(0.5))
_ONE, _HALF, _MINUS_HALF, _MINUS_TWO = _constants(f32, 1, 0.5, -0.5, -2)
_EIGHTH_TURN, _SIGNIFICAND = _constants(np.int32, 2**21, 2**23 - 1)
_1, _22, _23, _31 = _constants(np.int32, 1, 22, 23, 31)
_ROOT_BITS, _ROOT_ALL_BITS = _ROOT_HALF.view(np.int32), (_ALL * _ROOT_HALF).view(np.int32)


def _polynomial(x: np.ndarray, coefficients: list[np.ndarray]) -> np.ndarray:
    """The value of a polynomial (highest power first) by Horner's rule, as float32.

    `x` are float32 numbers in float64, where products are exact; each sum is rounded.
    """
    first, second, *rest = coefficients
    result = x * first
    result += second
    for coefficient in rest:
        result[...] = result.astype(f32)
        result *= x
        result += coefficient
    return result.astype(f32)


def _fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """`a * b + c`, rounded once to float32: the numbers are float32, but `b` and `c` in float64."""
    result = a.astype(np.float64)
    result *= b
    result += c
    return result.astype(f32)


def _log32(draws: np.ndarray) -> np.ndarray:
    """log(1 - draws / 2**24); that number is (1 + x) * 2**e with 0.7 < 1 + x < 1.42."""
    bits = (_ALL - draws.astype(f32)).view(np.int32)
    bits -= _ROOT_ALL_BITS
    e = (bits >> _23).astype(f32)
    bits &= _SIGNIFICAND
    bits += _ROOT_BITS
    x = bits.view(f32)
    x -= _ONE
    square = x * x
    y = _polynomial(x.astype(np.float64), _LOG)
    y *= x
    y = _fused(y, square.astype(np.float64), (e * _LOG2_LOW).astype(np.float64))
    square *= _HALF
    y -= square
    y += x
    e *= _LOG2_HIGH
    y += e
    return y


def _cosine_sine32(draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and sine of draws / 2**24 turns: some quarter turns, and x within [-pi/4, pi/4]."""
    quarters = draws + _EIGHTH_TURN
    quarters >>= _22
    angle = draws.astype(f32)
    angle *= _RADIANS
    wide = quarters * _QUARTER_TURN
    x = np.subtract(angle, wide, wide).astype(f32)
    wide[...] = x
    square = x * x
    wide_square = square.astype(np.float64)
    sine = _polynomial(wide_square, _SIN)
    sine *= square
    sine = _fused(sine, wide, wide)
    cosine = _polynomial(wide_square, _COS)
    cosine *= square
    square *= _MINUS_HALF
    cosine = _fused(cosine, wide_square, square.astype(np.float64))
    cosine += _ONE
    # An odd number of quarter turns swaps the two, and each half turn changes a sign (bit 31).
    odd = quarters << _31
    quarters >>= _1
    quarters <<= _31
    cosine_bits, sine_bits = cosine.view(np.int32), sine.view(np.int32)
    change = cosine_bits ^ sine_bits  # what `where` would choose, without a branch
    change &= odd >> _31
    change ^= quarters
    sine_bits ^= change
    change ^= odd
    cosine_bits ^= change
    return cosine, sine
