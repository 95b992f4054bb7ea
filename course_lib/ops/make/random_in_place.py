"""Random numbers written into an existing tensor: `uniform_`, `normal_` and their relatives.

A tensor that is not row-major is filled in memory order, as by PyTorch's kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.ops.elementwise.zeroing import blank
from course_lib.ops.make.fill import written
from course_lib.ops.make.generator import Generator, stream
from course_lib.rng import choices, samplers
from course_lib.words import errors

__all__: list[str] = []

Sampler = Callable[..., np.ndarray]


def put_in_order(array: Any, values: np.ndarray) -> None:
    """Write what a sampler drew into memory, in the order in which it was drawn."""
    if array.flags.c_contiguous:
        array[...] = values.reshape(array.shape)
    else:
        array[...] = samplers.in_order(values, array.shape, array.strides)


def draw(array: Any, sampler: Sampler, generator: Generator | None, *given: Any) -> None:
    """Fill an array with numbers from a sampler."""
    kind = {}
    if sampler is samplers.normal:
        kind["contiguous"] = array.flags.c_contiguous
    values = sampler(stream(generator), array.size, *given, dtype=array.dtype, **kind)
    put_in_order(array, values)


def fills(name: str, node: str) -> Callable:
    """Declare an operation that overwrites its argument with random numbers.

    The old values do not matter, so their gradient is zero.
    """
    facts = {"name": name, "node": node, "operands": ("self",), "method": False}
    return written(inplace=False, self=lambda grad: blank(grad), **facts)


@fills("_uniform", "UniformBackward0")
def uniform(self: Any, low: float, high: float, generator: Any) -> None:
    draw(self, samplers.uniform, generator, low, high)


@fills("_normal", "NormalBackward0")
def normal(self: Any, mean: float, std: float, generator: Any) -> None:
    draw(self, samplers.normal, generator, mean, std)


@fills("_random_between", "RandomBackward0")
def random_between(self: Any, low: int, high: int | None, generator: Any) -> None:
    draw(self, samplers.integers, generator, low, high)


@fills("_random_below", "RandomBackward1")
def random_below(self: Any, high: int, generator: Any) -> None:
    draw(self, samplers.integers, generator, 0, high)


@fills("_random_any", "RandomBackward2")
def random_any(self: Any, generator: Any) -> None:
    draw(self, samplers.any_integer, generator)


@fills("_exponential", "ExponentialBackward0")
def exponential(self: Any, rate: float, generator: Any) -> None:
    draw(self, samplers.exponential, generator, rate)


@fills("_bernoulli_number", "BernoulliBackward2")
def bernoulli_number(self: Any, p: float, generator: Any) -> None:
    draw(self, choices.bernoulli, generator, p)


# ---- methods -------------------------------------------------------------------------------------


@accepts("Tensor")
def uniform_(self: Tensor, to: float = 1.0, generator: Any = None, **start: float) -> Tensor:
    """Fill with uniformly distributed numbers from [from, to); returns the tensor itself.

    >>> _ = torch.manual_seed(0)
    >>> torch.zeros(2).uniform_(0, 10)
    tensor([4.9626, 7.6822])
    """
    return uniform.write(self, start.get("from", 0.0), to, generator)


@accepts("Tensor")
def normal_(self: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal numbers of this mean and standard deviation; returns the tensor itself.

    >>> torch.zeros(2).normal_(5, 0)
    tensor([5., 5.])
    """
    return normal.write(self, mean, std, generator)


@accepts("Tensor")
def random_(self: Tensor, generator: Any = None, **ends: Any) -> Tensor:
    """Fill with integers from [from, to), or from the dtype's range; returns the tensor itself.

    >>> _ = torch.manual_seed(0)
    >>> torch.zeros(5).random_(10)
    tensor([4., 9., 3., 0., 3.])
    """
    if "from" in ends:
        return random_between.write(self, ends["from"], ends.get("to"), generator)
    if "to" in ends:
        return random_below.write(self, ends["to"], generator)
    return random_any.write(self, generator)


@accepts("Tensor")
def exponential_(self: Tensor, lambd: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with exponentially distributed numbers of mean 1 / lambd; returns the tensor itself.

    >>> bool((torch.zeros(100).exponential_() >= 0).all())
    True
    """
    return exponential.write(self, lambd, generator)


@accepts("Tensor")
def bernoulli_(self: Tensor, p: Any = 0.5, generator: Any = None) -> Tensor:
    """Fill with ones (with probability `p`) and zeros; returns the tensor itself.

    >>> torch.zeros(3).bernoulli_(1.0)
    tensor([1., 1., 1.])
    """
    if isinstance(p, Tensor):
        raise NotImplementedError(errors.absent("torch.Tensor.bernoulli_ with a tensor as p"))
    return bernoulli_number.write(self, p, generator)


for _method in (uniform_, normal_, random_, bernoulli_, exponential_):
    attach_as(_method.__name__, _method)
