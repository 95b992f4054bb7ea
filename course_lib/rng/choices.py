"""Random decisions: coins and categories.  See `samplers.py` for the conventions.

>>> from course_lib.rng.rng import Generator
>>> multinomial(Generator(0), np.array([1.0, 0.0, 2.0], np.float32), 2).tolist()
[2, 0]
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.memory.order import order
from course_lib.rng.gaussian import uniform24, uniform53, whole53
from course_lib.rng.limits import FLOATS, name, require, require_kernel, scalar_type
from course_lib.rng.rng import Generator
from course_lib.rng.samplers import exponential, in_order

FLOAT32 = np.dtype(np.float32)


def bernoulli(
    generator: Generator, count: int, p: float = 0.5, dtype: np.dtype = FLOAT32
) -> np.ndarray:
    """`bernoulli_(p)` and the mask of dropout: 1 with probability p, compared in float64."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    if not count:
        return np.empty(0, dtype)
    require_kernel("bernoulli_scalar_cpu_", dtype, dtype.kind != "c")
    limit = np.array(math.ceil(p * 2**53), np.uint64)  # k / 2**53 < p, for whole numbers k
    return (whole53(generator, count) < limit).astype(dtype)


def bernoulli_each(generator: Generator, p: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """`bernoulli(p)` and `bernoulli_(p)` with a tensor: each element has its own probability.

    `p` is already broadcast to the filled tensor's shape, in the order of filling.  float64 takes
    two words per element, the other dtypes one.
    """
    if not p.size:
        return np.empty(0, dtype)
    require_kernel("bernoulli_tensor_cpu_self_", dtype, dtype.kind != "c")
    require_kernel("bernoulli_tensor_cpu_p_", p.dtype, name(p.dtype) in FLOATS)
    if p.dtype.itemsize == 2:
        p = p.astype(np.float32)
    p = p.ravel()
    require(
        bool(((p >= 0) & (p <= 1)).all()),
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message "
        "be improved?  If so, please report an enhancement request to PyTorch.)",
    )
    draw = uniform53 if p.dtype == np.float64 else uniform24
    return (draw(generator, p.size) < p).astype(dtype)


def multinomial(
    generator: Generator, weights: np.ndarray, samples: int, replacement: bool = False
) -> np.ndarray:
    """`multinomial`: int64 indices drawn by weight, one row of `samples` per row of `weights`.

    Note [Racing exponentials]: without replacement, every category gets an exponential waiting time
    with rate `weight`; the sample is the first `samples` categories, in order of arrival.
    """
    shown = scalar_type(weights.dtype)
    require(
        name(weights.dtype) in FLOATS,
        f"multinomial only supports floating-point dtypes for input, got: {shown}",
    )
    require(1 <= weights.ndim <= 2, "prob_dist must be 1 or 2 dim")
    require(samples > 0, "cannot sample n_sample <= 0 samples")
    require(weights.shape[-1] <= 1 << 24, "number of categories cannot exceed 2^24")
    require(
        replacement or samples <= weights.shape[-1],
        "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
    )
    if replacement and samples > 1:
        return _with_replacement(generator, weights, samples)
    require(
        bool(((weights >= 0) & (weights < np.inf)).all()),
        "probability tensor contains either `inf`, `nan` or element < 0",
    )
    require(
        bool(weights.any(axis=-1).all()),
        "invalid multinomial distribution (sum of probabilities <= 0)",
    )
    times = exponential(generator, weights.size, 1.0, weights.dtype)
    if weights.flags.c_contiguous:
        times = times.reshape(weights.shape)
    else:
        times = in_order(times, weights.shape, weights.strides)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        speed = weights / times
    return np.ascontiguousarray(order(speed, -1, True)[..., :samples])


def check_weights(row: np.ndarray) -> None:
    """Raise PyTorch's error for weights that say nothing."""
    require(
        bool((row >= 0).all()),
        "invalid multinomial distribution (encountering probability entry < 0)",
    )
    require(
        bool((row < np.inf).all()),
        "invalid multinomial distribution (encountering probability entry = infinity or NaN)",
    )
    require(bool(row.any()), "invalid multinomial distribution (sum of probabilities <= 0)")


def _with_replacement(generator: Generator, weights: np.ndarray, samples: int) -> np.ndarray:
    rows = weights if weights.ndim == 2 else weights[np.newaxis]
    if rows.dtype.itemsize == 2:
        rows = rows.astype(np.float32)
    if not ((rows >= 0) & (rows < np.inf)).all() or not rows.any(axis=1).all():
        for row in rows:
            check_weights(row)
    reached = np.add.accumulate(rows, axis=1)
    reached /= reached[:, -1:]
    reached = reached.astype(np.float64)
    reached[:, -1] = 1.0
    draws = uniform53(generator, len(rows) * samples).reshape(len(rows), samples)
    result = np.empty(draws.shape, np.int64)
    for row, draw, chosen in zip(reached, draws, result, strict=True):
        chosen[:] = row.searchsorted(draw)
    return result.reshape(*weights.shape[:-1], samples)
