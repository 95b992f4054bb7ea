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

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.rng.rng import Generator

_BLOCK = 16
_CHUNK = 1024  # blocks computed together: their temporaries stay in the processor's cache
_EXACT_UP_TO = 1 << 16
_MASK24, _MASK53 = np.int32(2**24 - 1), np.uint64(2**53 - 1)
f32 = np.float32


# ---- uniform numbers ---------------------------------------------------------------------------


def uniform24(generator: Generator, count: int) -> np.ndarray:
    """`count` float32 numbers in [0, 1): the low 24 bits of one word each."""
    words = generator.words(count).astype(np.int32)
    words &= _MASK24
    draws = words.astype(f32)
    draws *= f32(2.0**-24)
    return draws


def uniform53(generator: Generator, count: int) -> np.ndarray:
    """`count` float64 numbers in [0, 1): the low 53 bits of two words each."""
    words = generator.long_words(count)
    words &= _MASK53
    return words.view(np.int64) * 2.0**-53


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
    if factor == 1 or (np.ndim(offset) == 0 and offset == 0):  # one of the two steps is exact
        return values * values.dtype.type(factor) + values.dtype.type(offset)
    if values.dtype == f32:  # the product of two float32 is exact in float64
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
    draw, transform = uniform24, _normal32
    if dtype == np.float64:
        draw, transform = uniform53, _normal64
    whole = count - count % _BLOCK
    draws = draw(generator, count if dtype.itemsize > 2 else whole)
    result = np.empty(count, draws.dtype)
    result[:whole] = transform(draws[:whole].reshape(-1, 2, 8)).ravel()
    if whole < count:
        result[-_BLOCK:] = transform(draw(generator, _BLOCK).reshape(1, 2, 8)).ravel()
    return result


def _normal64(draws: np.ndarray) -> np.ndarray:
    radius = np.sqrt(-2 * libm(math.log, 1 - draws[:, 0]))
    angle = 2 * math.pi * draws[:, 1]
    return np.stack([radius * libm(math.cos, angle), radius * libm(math.sin, angle)], axis=1)


def _normal32(draws: np.ndarray) -> np.ndarray:
    result = np.empty_like(draws)
    for start in range(0, len(draws), _CHUNK):
        block = draws[start : start + _CHUNK]
        radius = np.sqrt(f32(-2) * _log32(f32(1) - block[:, 0]))
        sin, cos = _sincos32(f32(2 * math.pi) * block[:, 1])
        np.multiply(radius, cos, out=result[start : start + _CHUNK, 0])
        np.multiply(radius, sin, out=result[start : start + _CHUNK, 1])
    return result


# Note [float32 logarithm and sine]: the vector kernels use the polynomials of Moshier's Cephes
# library, each step a fused multiply-add.  Repeating the same steps gives the same bits, where
# NumPy's (more accurate) functions differ in one of seven results.
def _constants(*numbers: float) -> list[np.ndarray]:
    """The nearest float32 numbers as 0-dim float64 arrays, which are the fastest for NumPy."""
    return [np.array(f32(number), np.float64) for number in numbers]


_LOG = _constants(
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
_LOG2_HIGH, _LOG2_LOW = f32(0.693359375), f32(-2.12194440e-4)  # their sum is log(2)
_QUARTER_TURN = _constants(-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
_SIN = _constants(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COS = _constants(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_SIN_COS = [np.array([[[sin]], [[cos]]]) for sin, cos in zip(_SIN, _COS)]
_ROOT_HALF = np.float32(math.sqrt(0.5)).view(np.int32)


def _fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """`a * b + c` of float32 numbers held in float64, rounded once.

    The product is exact in float64.
    """
    result = a * b
    result += c
    return result.astype(f32)


def _polynomial(x: np.ndarray, coefficients: list[np.ndarray]) -> np.ndarray:
    """The value of a polynomial (highest power first) by Horner's rule, as float32.

    A coefficient may be a column of them, for several polynomials.
    """
    first, second, *rest = coefficients
    result = x * first
    result += second
    for coefficient in rest:
        result[...] = result.astype(f32)
        result *= x
        result += coefficient
    return result.astype(f32)


def _log32(x: np.ndarray) -> np.ndarray:
    """The natural logarithm of positive float32 numbers: x = m * 2**e, 0.7 < m < 1.42."""
    bits = x.view(np.int32)
    e = bits - _ROOT_HALF
    e >>= 23
    m = (bits - (e << 23)).view(f32)
    m -= f32(1)
    e = e.astype(f32)
    square = m * m
    y = _polynomial(m.astype(np.float64), _LOG)
    y *= m
    low = (e * _LOG2_LOW).astype(np.float64)
    y = _fused(y.astype(np.float64), square.astype(np.float64), low)
    square *= f32(0.5)
    y -= square
    y += m
    e *= _LOG2_HIGH
    y += e
    return y


def _sincos32(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of float32 numbers >= 0: reduced to [-pi/4, pi/4], then by polynomials."""
    octant = (x * f32(4 / math.pi)).astype(np.int32)
    octant += 1
    octant &= ~1
    turns, rest = octant.astype(np.float64), x
    for part in _QUARTER_TURN:
        rest = _fused(turns, part, rest.astype(np.float64))
    square = rest * rest
    wide = square.astype(np.float64)
    both = _polynomial(wide, _SIN_COS)
    both *= square
    added = np.empty(both.shape)
    added[0] = rest
    np.multiply(wide, -0.5, out=added[1])
    factors = added.copy()
    factors[1] = wide
    sin, cos = _fused(factors, both.astype(np.float64), added)
    cos += f32(1)
    sin_bits, cos_bits = sin.view(np.int32), cos.view(np.int32)
    swap = sin_bits ^ cos_bits  # what `where` would choose, without a branch
    swap &= octant << 30 >> 31
    sin_bits ^= swap
    cos_bits ^= swap
    sin_bits ^= (octant & 4) << 29  # bit 31 is the sign
    octant += 2
    octant &= 4
    cos_bits ^= octant << 29
    return sin, cos
