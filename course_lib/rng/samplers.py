"""The random functions: (generator, count, parameters, dtype) → NumPy array.

A sampler draws exactly the numbers that PyTorch's CPU kernel draws and returns a contiguous
one-dimensional array; `in_order` brings such an array into a shape.  dtypes are NumPy's
(bfloat16: `ml_dtypes.bfloat16`).  Parameters are checked first, with PyTorch's messages.
Random decisions (`bernoulli`, `multinomial`) are in `choices.py`.

>>> from course_lib.rng.rng import Generator
>>> uniform(Generator(0), 3).tolist()
[0.49625658988952637, 0.7682217955589294, 0.08847743272781372]
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from course_lib.dtypes.kinds import rounded
from course_lib.rng.gaussian import in_blocks, libm, one_by_one, scaled, uniform24, uniform53
from course_lib.rng.limits import (
    FLOATS,
    PARTS,
    check_permutation,
    check_uniform,
    integer_range,
    name,
    require,
    require_kernel,
    scalar_type,
)
from course_lib.rng.rng import Generator

FLOAT32, INT64 = np.dtype(np.float32), np.dtype(np.int64)
_SMALL_RANGE = 2**28  # from here on, 32 bits modulo the range would be visibly uneven
_SMALL_PERMUTATION = (2**32 - 1) // 20


def in_order(values: np.ndarray, shape: Sequence[int], strides: Sequence[int]) -> np.ndarray:
    """`values` in `shape`, placed as PyTorch's kernels place them: in the order of memory.

    A tensor that is not contiguous is filled along its smallest stride first; so the two
    dimensions of a transposed matrix are swapped.

    >>> in_order(np.arange(6), (2, 3), (1, 2)).tolist()
    [[0, 2, 4], [1, 3, 5]]
    """
    free = [d for d, size in enumerate(shape) if size != 1]  # other strides mean nothing
    order = sorted(free, key=lambda d: -strides[d])
    laid = values.reshape([shape[d] for d in order])
    return laid.transpose([order.index(d) for d in free]).reshape(shape)


# ---- uniform and normal ------------------------------------------------------------------------


def uniform(
    generator: Generator,
    count: int,
    low: float = 0.0,
    high: float = 1.0,
    dtype: np.dtype = FLOAT32,
) -> np.ndarray:
    """`rand` and `uniform_`: numbers in [low, high); a complex number has two such parts."""
    if name(dtype) in PARTS:
        return uniform(generator, 2 * count, low, high, PARTS[name(dtype)]).view(dtype)
    check_uniform(low, high, dtype)
    draws = (uniform53 if dtype == np.float64 else uniform24)(generator, count)
    if low == 0 and high == 1 and dtype.itemsize > 2:
        return draws
    low, high = draws.dtype.type(low), draws.dtype.type(high)
    values = scaled(draws, high - low, low).astype(dtype, copy=False)
    np.copyto(
        values, low, "same_kind", where=values == high.astype(dtype)
    )  # rounding went up to it
    return values


def normal(
    generator: Generator,
    count: int,
    mean: float = 0.0,
    std: float = 1.0,
    dtype: np.dtype = FLOAT32,
    contiguous: bool = True,
) -> np.ndarray:
    """`randn` and `normal_`; `contiguous` says whether the tensor to be filled is."""
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if name(dtype) in PARTS:
        part = PARTS[name(dtype)]
        return normal(generator, 2 * count, mean, std / math.sqrt(2), part, contiguous).view(dtype)
    if not count:
        return np.empty(0, dtype)
    require_kernel("normal_kernel_cpu", dtype, name(dtype) in FLOATS)
    few = count < 16 or not contiguous
    values = one_by_one(generator, count) if few else in_blocks(generator, count, dtype)
    if std == 1 and mean == 0:
        values += mean  # makes 0.0 of -0.0
        return values.astype(dtype) if few and dtype == np.float32 else rounded(values, dtype)
    return rounded(scaled(values, values.dtype.type(std), values.dtype.type(mean)), dtype)


# ---- other continuous distributions ------------------------------------------------------------


def exponential(
    generator: Generator, count: int, rate: float = 1.0, dtype: np.dtype = FLOAT32
) -> np.ndarray:
    """`exponential_`: waiting times with mean 1 / rate."""
    if not rate > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    if not count:
        return np.empty(0, dtype)
    require(
        name(dtype) in FLOATS,
        "Exponential distribution is a continuous probability distribution. "
        f"dtype must be a floating point but you specified {scalar_type(dtype)}",
    )
    draws = uniform53(generator, count)
    return rounded(-1.0 / rate * libm(math.log1p, -draws), dtype)


# ---- integers ----------------------------------------------------------------------------------


def integers(
    generator: Generator, count: int, low: int, high: int | None, dtype: np.dtype = INT64
) -> np.ndarray:
    """`randint` and `random_(low, high)`: low <= n < high; without `high`, up to the dtype's limit.

    >>> integers(Generator(0), 5, 0, 10).tolist()
    [4, 9, 3, 0, 3]
    """
    if high is None and low == -(2**63):
        return _any_word(generator, count, dtype)
    first, size = integer_range(low, high, dtype)
    draws = generator._long_words(count) if size >= _SMALL_RANGE else generator._words(count)
    draws %= np.array(size, np.uint64)
    values = draws.view(np.int64)
    if first:
        values += np.array(first, np.int64)
    return values.astype(dtype, copy=False)


def _any_word(generator: Generator, count: int, dtype: np.dtype) -> np.ndarray:
    if not count:
        return np.empty(0, dtype)
    kernel = "random_full_64_bits_range_kernel_cpu"
    require_kernel(kernel, dtype, dtype.kind not in "bc" and dtype != np.float16)
    require(
        dtype.kind == "f" or name(dtype) in ("int64", "bfloat16"),
        f"{kernel} handles only int64, double, float and bfloat16",
    )
    values = generator._long_words(count).view(np.int64)
    return (values.astype(np.float32) if dtype.itemsize == 2 else values).astype(dtype)


def any_integer(generator: Generator, count: int, dtype: np.dtype = FLOAT32) -> np.ndarray:
    """`random_()`: from 0 to the largest integer up to which the dtype is exact."""
    if not count:
        return np.empty(0, dtype)
    require_kernel("random_kernel_cpu", dtype, dtype.kind != "c")
    draws = generator._long_words(count) if dtype.itemsize == 8 else generator._words(count)
    if dtype.kind == "b":
        return (draws & np.uint64(1)).astype(dtype)
    largest = 2 ** FLOATS[name(dtype)][0] if name(dtype) in FLOATS else int(np.iinfo(dtype).max)
    draws %= np.uint64(largest + 1)
    return rounded(draws.astype(np.int64), dtype)


def permutation(generator: Generator, n: int, dtype: np.dtype = INT64) -> np.ndarray:
    """`randperm`: 0 … n-1, shuffled by swapping place i with a random place from i on.

    >>> permutation(Generator(0), 4).tolist()
    [0, 1, 3, 2]
    """
    check_permutation(n, dtype)
    left = np.arange(n, 1, -1, dtype=np.uint64)
    draw = generator._words if n < _SMALL_PERMUTATION else generator._long_words
    places = list(range(n))
    for here, further in enumerate((draw(len(left)) % left).tolist()):
        there = here + further
        places[here], places[there] = places[there], places[here]
    return rounded(np.array(places, np.int64), dtype)
