"""New tensors of random numbers: `rand`, `randn`, `randint`, `randperm` and their relatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import fresh, layout
from course_lib.ops.make.creation import chosen, deliver, located
from course_lib.ops.make.generator import stream
from course_lib.ops.make.like import alike
from course_lib.ops.make.random_in_place import draw
from course_lib.rng import samplers

__all__ = [
    "rand",
    "randint",
    "randn",
    "randn_like",
    "randperm",
]


def drawn(size: Any, sampler: Callable, given: tuple, usual: DType | None, options: dict) -> Tensor:
    """A new tensor (or `out`) filled by a sampler."""
    wanted = chosen(options, usual)
    array = fresh.empty(tuple(size), wanted.numpy, located(options))
    return sampled(array, wanted, sampler, given, options)


def drawn_like(input: Tensor, sampler: Callable, given: tuple, options: dict) -> Tensor:
    """A new tensor like `input`, filled by a sampler."""
    array, wanted = alike(input, options)
    return sampled(array, wanted, sampler, given, options)


def sampled(array: Any, wanted: DType, sampler: Callable, given: tuple, options: dict) -> Tensor:
    """Memory filled by a sampler, as a tensor."""
    if array.__class__ is np.ndarray:
        draw(array, sampler, options.get("generator"), *given)
    return deliver(array, wanted, options)


@accepts()
def rand(*size: Any, **options: Any) -> Tensor:
    """Random numbers from the uniform distribution over [0, 1), in the given shape.

    >>> _ = torch.manual_seed(0)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    return drawn(size, samplers.uniform, (), None, options)


@accepts()
def randn(*size: Any, **options: Any) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and standard deviation 1.

    >>> _ = torch.manual_seed(0)
    >>> torch.randn(2)
    tensor([ 1.5410, -0.2934])
    """
    return drawn(size, samplers.normal, (), None, options)


@accepts()
def randint(low: int = 0, high: int = 0, size: Any = (), **options: Any) -> Tensor:
    """Random integers from `low` (0 by default) up to but not including `high`.

    >>> _ = torch.manual_seed(0)
    >>> torch.randint(0, 10, (5,))
    tensor([4, 9, 3, 0, 3])
    """
    return drawn(size, samplers.integers, (low, high), dtypes.int64, options)


@accepts()
def randperm(n: int, **options: Any) -> Tensor:
    """A random permutation of the integers from 0 to ``n - 1``.

    >>> _ = torch.manual_seed(0)
    >>> torch.randperm(4)
    tensor([0, 1, 3, 2])
    """
    wanted = chosen(options, dtypes.int64)
    if located(options):
        array = fresh.empty((n,), wanted.numpy, True)
    else:
        shuffled = samplers.permutation(stream(options.get("generator")), n, wanted.numpy)
        array = layout.owned(shuffled)
    return deliver(array, wanted, options)


@accepts()
def randn_like(input: Tensor, **options: Any) -> Tensor:
    """Random numbers from the standard normal distribution, in the shape and dtype of `input`.

    >>> torch.randn_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    return drawn_like(input, samplers.normal, (), options)
