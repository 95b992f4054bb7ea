"""Random numbers: new tensors of them, and existing tensors filled with them.

A tensor that is not row-major is filled in memory order, as by PyTorch's kernels.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.calls.rules import lacking
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import fresh, layout
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.zeroing import blank
from course_lib.ops.make.creation import choose_dtype, deliver, finish, is_on_meta
from course_lib.ops.make.fill import declare_filling
from course_lib.ops.make.generator import Generator, default_generator
from course_lib.ops.make.like import allocate_like
from course_lib.rng import samplers
from course_lib.words import errors

__all__ = ["multinomial", "normal", "rand", "randint", "randn", "randn_like"]
__all__ += ["randperm"]


def draw(array: Any, sampler: Callable, generator: Generator | None, *given: Any) -> Any:
    """Fill an array with numbers from a sampler, in the order of memory."""
    if array.__class__ is not np.ndarray:
        return array
    in_rows = array.flags.c_contiguous
    kind = {"contiguous": in_rows} if sampler is samplers.normal else {}
    values = sampler(generator or default_generator, array.size, *given, dtype=array.dtype, **kind)
    if in_rows:
        array[...] = values.reshape(array.shape)
    else:
        array[...] = samplers.in_order(values, array.shape, array.strides)
    return array


# ---- new tensors ---------------------------------------------------------------------------------


def sample(
    size: Any, sampler: Callable, given: tuple, usual: DType | None, options: dict
) -> Tensor:
    """A new tensor (or `out`) filled by a sampler."""
    wanted = choose_dtype(options, usual)
    array = fresh.empty(tuple(size), wanted.numpy, is_on_meta(options))
    return deliver(draw(array, sampler, options.get("generator"), *given), wanted, options)


def sample_like(input: Tensor, sampler: Callable, given: tuple, options: dict) -> Tensor:
    """A new tensor like `input`, filled by a sampler."""
    array, wanted = allocate_like(input, options)
    return deliver(draw(array, sampler, options.get("generator"), *given), wanted, options)


@accepts()
def rand(*size: Any, **options: Any) -> Tensor:
    """Random numbers from the uniform distribution over [0, 1), in the given shape.

    >>> _ = torch.manual_seed(0)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    return sample(size, samplers.uniform, (), None, options)


@accepts()
def randn(*size: Any, **options: Any) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and standard deviation 1.

    >>> _ = torch.manual_seed(0)
    >>> torch.randn(2)
    tensor([ 1.5410, -0.2934])
    """
    return sample(size, samplers.normal, (), None, options)


@accepts()
def randint(low: int = 0, high: int = 0, size: Any = (), **options: Any) -> Tensor:
    """Random integers from `low` (0 by default) up to but not including `high`.

    >>> _ = torch.manual_seed(0)
    >>> torch.randint(0, 10, (5,))
    tensor([4, 9, 3, 0, 3])
    """
    return sample(size, samplers.integers, (low, high), dtypes.int64, options)


@accepts()
def randperm(n: int, **options: Any) -> Tensor:
    """A random permutation of the integers from 0 to ``n - 1``.

    >>> _ = torch.manual_seed(0)
    >>> torch.randperm(4)
    tensor([0, 1, 3, 2])
    """
    wanted = choose_dtype(options, dtypes.int64)
    if is_on_meta(options):
        return deliver(fresh.empty((n,), wanted.numpy, True), wanted, options)
    shuffled = samplers.permutation(options.get("generator") or default_generator, n, wanted.numpy)
    return deliver(layout.own_array(shuffled), wanted, options)


@accepts()
def randn_like(input: Tensor, **options: Any) -> Tensor:
    """Random numbers from the standard normal distribution, in the shape and dtype of `input`.

    >>> torch.randn_like(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    return sample_like(input, samplers.normal, (), options)


# ---- in place ------------------------------------------------------------------------------------


def filling(name: str, node: str, sampler: Callable) -> Callable:
    """What overwrites a tensor with random numbers, given what the sampler takes and a generator.

    The old values do not matter, so their gradient is zero.
    """
    facts = {"name": name, "node": node, "method": False}

    @declare_filling(inplace=False, self=lambda grad: blank(grad), **facts)
    def overwritten(self: Any, given: tuple, generator: Any) -> None:
        draw(self, sampler, generator, *given)

    write: Callable = overwritten.write
    return write


uniform = filling("_uniform", "UniformBackward0", samplers.uniform)
normally = filling("_normal", "NormalBackward0", samplers.normal)
between = filling("_random_between", "RandomBackward0", samplers.integers)
below = filling("_random_below", "RandomBackward1", samplers.integers)
anything = filling("_random_any", "RandomBackward2", samplers.any_integer)


@accepts("Tensor")
def uniform_(self: Tensor, to: float = 1.0, generator: Any = None, **start: float) -> Tensor:
    """Fill with uniformly distributed numbers from [from, to); returns the tensor itself.

    >>> _ = torch.manual_seed(0)
    >>> torch.zeros(2).uniform_(0, 10)
    tensor([4.9626, 7.6822])
    """
    return uniform(self, (start.get("from", 0.0), to), generator)


@accepts("Tensor")
def normal_(self: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal numbers of this mean and standard deviation; returns the tensor itself.

    >>> torch.zeros(2).normal_(5, 0)
    tensor([5., 5.])
    """
    return normally(self, (mean, std), generator)


@accepts("Tensor")
def random_(self: Tensor, generator: Any = None, **ends: Any) -> Tensor:
    """Fill with integers from [from, to), or from the dtype's range; returns the tensor itself.

    >>> _ = torch.manual_seed(0)
    >>> torch.zeros(5).random_(10)
    tensor([4., 9., 3., 0., 3.])
    """
    if "from" in ends:
        return between(self, (ends["from"], ends.get("to")), generator)
    if "to" in ends:
        return below(self, (0, ends["to"]), generator)
    return anything(self, (), generator)


# ---- tensors as parameters -----------------------------------------------------------------------


@accepts()
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """For each row of weights in `input`, `num_samples` random indices.

    >>> torch.multinomial(torch.tensor([0.0, 1.0]), 1)
    tensor([1])
    """
    array = input._array
    if array.__class__ is MetaArray:
        return finish(MetaArray((*array.shape[:-1], num_samples), np.int64), dtypes.int64)
    source, weights = generator or default_generator, np.asarray(array)
    return finish(samplers.multinomial(source, weights, num_samples, replacement), dtypes.int64)


@accepts()
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, **options: Any
) -> Tensor:
    """Normally distributed random numbers with this mean and standard deviation.

    >>> torch.normal(1.0, 0.0, (2,))
    tensor([1., 1.])
    """
    lacking(size is None, errors.absent, "torch.normal with a tensor as mean or std")
    options["generator"] = generator
    return sample(size, samplers.normal, (mean, std), None, options)


for _function in (uniform_, normal_, random_, multinomial):
    attach_as(_function.__name__, _function)
