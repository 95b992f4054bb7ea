"""The random functions: (generator, count, parameters, dtype) → NumPy array.

A sampler draws exactly the numbers that PyTorch's CPU kernel draws and returns a contiguous
one-dimensional array; `in_order` brings such an array into a shape.  dtypes are NumPy's
(bfloat16: `ml_dtypes.bfloat16`).  Parameters are checked first, with PyTorch's messages.  PyTorch's
kernels make some of the checks, and a kernel does not start if there is nothing to fill: so these
are skipped for an empty tensor.

>>> from course_lib.rng.rng import Generator
>>> uniform(Generator(0), 3).tolist()
[0.49625658988952637, 0.7682217955589294, 0.08847743272781372]
"""

import functools
import math
from collections.abc import Sequence

import numpy as np

from course_lib.calls.rules import lacking, refuse
from course_lib.dtypes.dtypes import of_numpy
from course_lib.dtypes.kinds import round_to
from course_lib.dtypes.limits import FLOATS, LARGEST
from course_lib.memory.places import order
from course_lib.rng import gaussian
from course_lib.rng.rng import Generator
from course_lib.words import errors

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


# ---- what dtypes hold, and what is refused -------------------------------------------------------


def is_float(dtype: np.dtype) -> bool:
    """Whether a dtype is a floating one, bfloat16 included."""
    return of_numpy(dtype).is_floating_point


@functools.cache
def bounds(dtype: np.dtype) -> tuple[float, float]:
    """The smallest and the largest number that a dtype holds."""
    if is_float(dtype):
        largest = LARGEST[of_numpy(dtype).name]
        return -largest, largest
    return (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))


@functools.cache
def exact(dtype: np.dtype) -> int:
    """The integer up to which a dtype holds all of them."""
    if is_float(dtype):
        return int(2 ** (FLOATS[of_numpy(dtype).name][0] + 1))
    return int(bounds(dtype)[1])


def check_bounds(dtype: np.dtype, **given: float) -> None:
    """Raise PyTorch's error for a bound, named as its parameter is, that the dtype cannot hold."""
    smallest, largest = bounds(dtype)
    for name, bound in given.items():
        refuse(not smallest <= bound <= largest, errors.bound_range, name, of_numpy(dtype))


# ---- uniform and normal --------------------------------------------------------------------------


def uniform(
    generator: Generator, count: int, low: float = 0.0, high: float = 1.0, dtype: np.dtype = FLOAT32
) -> np.ndarray:
    """`rand` and `uniform_`: numbers in [low, high); a complex number has two such parts."""
    if dtype.kind == "c":
        part = of_numpy(dtype).to_real().numpy
        return uniform(generator, 2 * count, low, high, part).view(dtype)
    lacking(not is_float(dtype), errors.no_kernel, "check_uniform_bounds", of_numpy(dtype))
    if (low, high) != (0, 1):
        check_bounds(dtype, **{"from": low, "to": high})
        kind = of_numpy(dtype)
        refuse(not low <= high, errors.uniform_order, low, high)
        refuse(not high - low <= LARGEST[kind.name], errors.uniform_range, kind, high, low)
    draws = (gaussian.uniform53 if dtype == np.float64 else gaussian.uniform24)(generator, count)
    if low == 0 and high == 1 and dtype.itemsize > 2:
        return draws
    low, high = draws.dtype.type(low), draws.dtype.type(high)
    values = gaussian.rescale(draws, high - low, low).astype(dtype, copy=False)
    too_high = values == high.astype(dtype)  # rounding went up to it
    np.copyto(values, low, "same_kind", where=too_high)
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
    refuse(not std >= 0, errors.normal_std, std)
    if dtype.kind == "c":
        part = of_numpy(dtype).to_real().numpy
        return normal(generator, 2 * count, mean, std / math.sqrt(2), part, contiguous).view(dtype)
    if not count:
        return np.empty(0, dtype)
    lacking(not is_float(dtype), errors.no_kernel, "normal_kernel_cpu", of_numpy(dtype))
    if count < 16 or not contiguous:
        values = gaussian.one_by_one(generator, count)
    else:
        values = gaussian.in_blocks(generator, count, dtype)
    if std == 1 and mean == 0:
        values += mean  # makes 0.0 of -0.0
        return round_to(values, dtype)
    return round_to(
        gaussian.rescale(values, values.dtype.type(std), values.dtype.type(mean)), dtype
    )


def exponential(
    generator: Generator, count: int, rate: float = 1.0, dtype: np.dtype = FLOAT32
) -> np.ndarray:
    """`exponential_`: waiting times with mean 1 / rate."""
    refuse(not rate > 0, errors.exponential_rate, rate)
    if not count:
        return np.empty(0, dtype)
    refuse(not is_float(dtype), errors.exponential_dtype, of_numpy(dtype))
    draws = gaussian.uniform53(generator, count)
    return round_to(-1.0 / rate * gaussian.libm(math.log1p, -draws), dtype)


# ---- integers ------------------------------------------------------------------------------------


def integers(
    generator: Generator, count: int, low: int, high: int | None, dtype: np.dtype = INT64
) -> np.ndarray:
    """`randint` and `random_(low, high)`: low <= n < high; without `high`, up to the dtype's limit.

    >>> integers(Generator(0), 5, 0, 10).tolist()
    [4, 9, 3, 0, 3]
    """
    if high is None and low == -(2**63):
        return _any_word(generator, count, dtype)
    top = check_integers(low, high, dtype)
    size = top - low
    draws = generator._long_words(count) if size >= _SMALL_RANGE else generator._words(count)
    draws %= np.array(size, np.uint64)
    values = draws.view(np.int64)
    if low:
        values += np.array(low, np.int64)
    return values.astype(dtype, copy=False)


def check_integers(low: int, high: int | None, dtype: np.dtype) -> int:
    """The end of the range of `random_(low, high)`: without `high`, after the dtype's last value.

    >>> check_integers(0, None, np.dtype(np.int8))
    128
    """
    refuse(high is not None and not low < high, errors.random_order, low, high)
    where = "check_random_bounds" if high is not None else "random_from_to_impl"
    refuse(dtype.kind == "c", errors.random_dtype, where)
    if high is None:
        check_bounds(dtype, **{"from": low, "to_inc": exact(dtype)})
        return exact(dtype) + 1
    check_bounds(dtype, **{"from": low, "to - 1": high - 1})
    return high


def _any_word(generator: Generator, count: int, dtype: np.dtype) -> np.ndarray:
    if not count:
        return np.empty(0, dtype)
    kernel = "random_full_64_bits_range_kernel_cpu"
    lacking(dtype.kind in "bc" or dtype == np.float16, errors.no_kernel, kernel, of_numpy(dtype))
    refuse(not (is_float(dtype) or dtype == np.int64), errors.random_long_dtype, kernel)
    return round_to(generator._long_words(count).view(np.int64), dtype)


def any_integer(generator: Generator, count: int, dtype: np.dtype = FLOAT32) -> np.ndarray:
    """`random_()`: from 0 to the largest integer up to which the dtype is exact."""
    if not count:
        return np.empty(0, dtype)
    lacking(dtype.kind == "c", errors.no_kernel, "random_kernel_cpu", of_numpy(dtype))
    draws = generator._long_words(count) if dtype.itemsize == 8 else generator._words(count)
    draws %= np.uint64(exact(dtype) + 1)
    return round_to(draws.astype(np.int64), dtype)


def permutation(generator: Generator, n: int, dtype: np.dtype = INT64) -> np.ndarray:
    """`randperm`: 0 … n-1, shuffled by swapping place i with a random place from i on.

    >>> permutation(Generator(0), 4).tolist()
    [0, 1, 3, 2]
    """
    refuse(n < 0, errors.negative_dimension, n, (n,))
    lacking(dtype.kind in "bc", errors.no_kernel, "randperm", of_numpy(dtype))
    kind = of_numpy(dtype)
    if not kind.is_floating_point:
        refuse(not n <= exact(dtype), errors.python_overflow, f"{kind.name}_t")
    elif kind.name != "bfloat16":
        most = "2049" if dtype.itemsize == 2 else f"2^{FLOATS[kind.name][0] + 1}+1"
        refuse(not n <= exact(dtype) + 1, errors.permutation_length, most, kind)
    left = np.arange(n, 1, -1, dtype=np.uint64)
    draw = generator._words if n < _SMALL_PERMUTATION else generator._long_words
    places = list(range(n))
    for here, further in enumerate((draw(len(left)) % left).tolist()):
        there = here + further
        places[here], places[there] = places[there], places[here]
    return round_to(np.array(places, np.int64), dtype)


# ---- decisions -----------------------------------------------------------------------------------


def bernoulli(
    generator: Generator, count: int, p: float = 0.5, dtype: np.dtype = FLOAT32
) -> np.ndarray:
    """`bernoulli_(p)` and the mask of dropout: 1 with probability p, compared in float64."""
    refuse(not 0 <= p <= 1, errors.bernoulli_range, p)
    if not count:
        return np.empty(0, dtype)
    lacking(dtype.kind == "c", errors.no_kernel, "bernoulli_scalar_cpu_", of_numpy(dtype))
    limit = np.array(math.ceil(p * 2**53), np.uint64)  # k / 2**53 < p, for whole numbers k
    return (gaussian.whole53(generator, count) < limit).astype(dtype)


def multinomial(
    generator: Generator, weights: np.ndarray, samples: int, replacement: bool = False
) -> np.ndarray:
    """`multinomial`: int64 indices drawn by weight, one row of `samples` per row of `weights`.

    Note [Racing exponentials]: without replacement, every category gets an exponential waiting time
    with rate `weight`; the sample is the first `samples` categories, in order of arrival.

    >>> multinomial(Generator(0), np.array([1.0, 0.0, 2.0], np.float32), 2).tolist()
    [2, 0]
    """
    refuse(not is_float(weights.dtype), errors.multinomial_dtype, of_numpy(weights.dtype))
    refuse(not 1 <= weights.ndim <= 2, errors.MULTINOMIAL_DIMS)
    refuse(samples <= 0, errors.MULTINOMIAL_SAMPLES)
    refuse(weights.shape[-1] > 1 << 24, errors.MULTINOMIAL_CATEGORIES)
    refuse(not replacement and samples > weights.shape[-1], errors.MULTINOMIAL_TOO_MANY)
    if replacement and samples > 1:
        return _with_replacement(generator, weights, samples)
    refuse(not ((weights >= 0) & (weights < np.inf)).all(), errors.MULTINOMIAL_WEIGHTS)
    refuse(not weights.any(axis=-1).all(), errors.no_choice, "sum of probabilities <= 0")
    times = exponential(generator, weights.size, 1.0, weights.dtype)
    times = in_order(times, weights.shape, weights.strides)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        speed = weights / times
    return np.ascontiguousarray(order(speed, -1, True)[..., :samples])


def _with_replacement(generator: Generator, weights: np.ndarray, samples: int) -> np.ndarray:
    rows = weights if weights.ndim == 2 else weights[np.newaxis]
    if rows.dtype.itemsize == 2:
        rows = rows.astype(np.float32)
    for row in rows:
        refuse(not (row >= 0).all(), errors.no_choice, "encountering probability entry < 0")
        finite = (row < np.inf).all()
        refuse(not finite, errors.no_choice, "encountering probability entry = infinity or NaN")
        refuse(not row.any(), errors.no_choice, "sum of probabilities <= 0")
    reached = np.add.accumulate(rows, axis=1)
    reached /= reached[:, -1:]
    reached = reached.astype(np.float64)
    reached[:, -1] = 1.0
    draws = gaussian.uniform53(generator, len(rows) * samples).reshape(len(rows), samples)
    result = np.empty(draws.shape, np.int64)
    for row, draw, chosen in zip(reached, draws, result, strict=True):
        chosen[:] = row.searchsorted(draw)
    return result.reshape(*weights.shape[:-1], samples)
