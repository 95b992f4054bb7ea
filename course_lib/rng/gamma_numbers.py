"""Gamma and Dirichlet numbers, drawn one after the other as PyTorch's CPU kernels draw them.

How many words a number takes depends on the numbers, so these are loops.

>>> from course_lib.rng.rng import Generator
>>> gamma(Generator(0), np.array([1.0], np.float32)).tolist()
[2.882432699203491]
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.rng.gaussian import one_by_one, uniform53
from course_lib.rng.limits import name, require_kernel
from course_lib.rng.rng import Generator

# PyTorch writes these as float32 constants, also in the computation for float64.
THIRD, SQUEEZE = float(np.float32(1) / np.float32(3)), float(np.float32(0.0331))


def one_gamma(generator: Generator, shape: np.floating) -> float:
    """One number from the gamma distribution with this shape and rate 1.

    By rejection: G. Marsaglia and W. W. Tsang, A simple method for generating gamma variables, ACM
    Transactions on Mathematical Software 26 (2000).  A shape below 1 is raised by 1, and the number
    multiplied by a power of a uniform one.
    """
    kind, scale = type(shape), 1.0
    if shape < 1:
        if shape == 0:
            return 0.0
        scale = (1 - uniform53(generator, 1).item()) ** float(kind(1) / shape)
        shape = shape + kind(1)
    d = float(shape - kind(THIRD))
    c = 1 / math.sqrt(9 * d)
    while True:
        y = 0.0
        while y <= 0:
            x = one_by_one(generator, 1).item()
            y = 1 + c * x
        v, u, square = y * y * y, 1 - uniform53(generator, 1).item(), x * x
        if u < 1 - SQUEEZE * square * square:
            return scale * d * v
        if math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v


def gamma(generator: Generator, shapes: np.ndarray) -> np.ndarray:
    """A number for every shape, in the dtype of the shapes, and never zero."""
    require_kernel("gamma_cpu", shapes.dtype, name(shapes.dtype) in ("float32", "float64"))
    drawn = [one_gamma(generator, shape) for shape in shapes.ravel()]
    values = np.array(drawn, shapes.dtype).reshape(shapes.shape)
    return np.maximum(values, np.finfo(shapes.dtype).tiny)


def dirichlet(generator: Generator, concentration: np.ndarray) -> np.ndarray:
    """Parts of 1 for every row: gamma numbers, computed in float64, divided by their sum."""
    allowed = name(concentration.dtype) in ("float32", "float64")
    require_kernel("dirichlet", concentration.dtype, allowed)
    parts = gamma(generator, concentration.astype(np.float64))
    values = (parts / parts.sum(-1, keepdims=True)).astype(concentration.dtype)
    kind = concentration.dtype.type
    return np.clip(values, np.finfo(kind).tiny, np.nextafter(kind(1), kind(0)))
